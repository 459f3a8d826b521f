"""What a destructive command would take away, counted on the disk: how much, a sample, and what no Git
repository holds. Runs no program; Git's index is read as a file.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec

from app.effects import LOSS_COUNTED, Decision, Loss
from app.permissions.tracked import tracked_files

SAMPLE = 8
"""Names that are shown of what would go."""
MANY = 10
"""More files than this are asked about, whatever a rule says (product 5.2)."""


LOOK = 500
"""Files that are counted for the verdict alone, which costs some thousandths of a second; whoever asks a
person counts all of them."""


def counted(path: str, workspace: str, most: int = LOSS_COUNTED) -> Loss | None:
    """Return what the real path `path` holds, up to `most` files; None where nothing is there."""
    whole = is_whole(path, workspace)
    if not os.path.lexists(path):
        return Loss(path=path, whole=True) if whole else None
    tracked = tracked_files(path)
    items = size = untracked = 0
    sample: list[str] = []
    for name, length in _files(path):
        items += 1
        size += length
        untracked += name not in tracked
        if len(sample) < SAMPLE:
            sample.append(os.path.relpath(name, path) if name != path else os.path.basename(name))
        if items >= most:
            break
    return Loss(path=path, items=items, untracked=untracked, size=size, sample=tuple(sample), whole=whole)


def counted_whole(decision: Decision, workspace: str) -> Decision:
    """Return a decision whose losses are counted to the end. Blocks; call it in a thread."""
    if not decision.losses:
        return decision
    losses = tuple(
        loss if is_top(loss.path) else counted(loss.path, workspace) or loss for loss in decision.losses
    )
    return msgspec.structs.replace(decision, losses=losses)


def matters(losses: Iterable[Loss]) -> bool:
    """Whether losses are asked about always: a whole place, many files, or such that nothing brings back."""
    found = list(losses)
    return any(loss.whole or loss.untracked for loss in found) or sum(loss.items for loss in found) > MANY


def is_top(path: str) -> bool:
    """Whether a path is a drive or a folder of the system, whose number of files tells nobody anything."""
    return len(Path(path).parts) <= 2


def is_whole(path: str, workspace: str) -> bool:
    """Whether a real path is home, the working folder, a drive, a folder of the system, or holds one of the
    first two.
    """
    place = Path(path)
    if is_top(path) and not path.startswith(workspace.rstrip("/") + "/"):
        return True
    homes = (Path(os.path.realpath(Path.home())), Path(workspace))
    return any(home == place or home.is_relative_to(place) for home in homes)


def _files(path: str) -> Iterator[tuple[str, int]]:
    """Yield files, links and others below a path with their sizes; links are not followed."""
    if os.path.islink(path) or not os.path.isdir(path):
        yield path, _size(path)
        return
    waiting = [path]
    while waiting:
        folder = waiting.pop()
        try:
            with os.scandir(folder) as entries:
                for entry in entries:
                    if entry.is_dir(follow_symlinks=False):
                        waiting.append(entry.path)
                    else:
                        yield entry.path, _size(entry.path)
        except OSError:  # a folder that cannot be read cannot be emptied by us either
            continue


def _size(path: str) -> int:
    try:
        return os.lstat(path).st_size
    except OSError:
        return 0

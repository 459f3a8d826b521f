"""Carry out a whole change on disk.

Contents are prepared first, and what was done is taken back when one part fails. Steps that move whole files
and folders happen in the order in which they are given; contents between two of them count as one group.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Sequence
from dataclasses import dataclass, field

from app.changes import shifts
from app.changes.plan import Planned
from app.changes.shifts import Shift
from app.platform import filesystem
from app.platform.filesystem import Prepared


@dataclass(frozen=True)
class Step:
    """What one path becomes. None stands for no file.

    `mode` are permission bits to set, None keeps or takes the usual.
    """

    path: str
    before: bytes | None
    after: bytes | None
    before_mode: int | None = None
    mode: int | None = None
    source: str = ""
    """The path from which the file moves here."""
    keep: bool = False
    """Write into the file itself, which a later step moves: the journal heals a write that is cut off."""


AnyStep = Step | Shift


class ChangedSince(Exception):
    """Files are no longer what the steps start from; everything was taken back."""

    def __init__(self, paths: Sequence[str]) -> None:
        super().__init__(", ".join(paths))
        self.paths = tuple(paths)


class RollBackFailed(Exception):
    """A failed change could not be taken back whole; `paths` still stand as the change left them."""

    def __init__(self, paths: Sequence[str], cause: Exception) -> None:
        super().__init__(f"could not restore {', '.join(paths)}")
        self.paths = tuple(paths)
        self.cause = cause


def steps(planned: Sequence[Planned]) -> tuple[Step, ...]:
    """Return one step for each path that changes; a rename gives two, its new place first."""
    made: dict[str, Step] = {}
    left: dict[str, Step] = {}
    for file in planned:
        if file.same:
            continue
        if file.old_path:
            left[file.old_path] = Step(file.old_path, file.before, None, file.before_mode)
            mode = file.mode if file.mode is not None else file.before_mode
            made[file.path] = Step(file.path, None, file.after, None, mode, file.old_path)
        else:
            made[file.path] = Step(file.path, file.before, file.after, file.before_mode, file.mode)
    for path, step in left.items():
        if path in made:  # another file takes the place that a rename has left
            new = made[path]
            made[path] = Step(path, step.before, new.after, step.before_mode, new.mode, new.source)
        else:
            made[path] = step
    return tuple(made.values())


def temporary(tag: str, number: int) -> str:
    """Return the name of a temporary file; recovery knows it by its tag."""
    return f".bramble-{tag}-{number}.tmp"


@dataclass
class _Run:
    tag: str
    prepared: dict[str, Prepared] = field(default_factory=dict)
    folders: list[str] = field(default_factory=list)
    done: list[AnyStep] = field(default_factory=list)
    number: int = 0


def carry_out(todo: Sequence[AnyStep], tag: str) -> tuple[bool, ...]:
    """Carry out all steps, or none; return for each whether its file reads back as meant.

    Raises OSError or ChangedSince when a step failed and everything was taken back, RollBackFailed when even
    that failed.
    """
    run = _Run(tag)
    good: dict[int, bool] = {}
    try:
        for group in _groups(todo):
            if isinstance(group, Shift):
                _shift(group, run)
                good[id(group)] = shifts.reads_back(group)
            else:
                _write(group, run)
                good |= {id(step): content(step.path) == step.after for step in group}
    except (OSError, ChangedSince) as error:
        _drop(run)
        _take_back(run, error)
        raise
    return tuple(good[id(step)] for step in todo)


def _groups(todo: Sequence[AnyStep]) -> list[Shift | list[Step]]:
    """Return the steps with contents that follow each other put together."""
    groups: list[Shift | list[Step]] = []
    for step in todo:
        if isinstance(step, Shift):
            groups.append(step)
        elif groups and isinstance(groups[-1], list):
            groups[-1].append(step)
        else:
            groups.append([step])
    return groups


def _log_of(step: Step) -> str:
    """Return the write-ahead log of a SQLite database that holds part of what the database is, "" for none:
    with the file replaced below it, it would damage the new one (sqlite.org/wal.html, "The WAL File").
    """
    log = f"{step.path}-wal"
    if step.before is None or not step.before.startswith(b"SQLite format 3\0"):
        return ""
    return log if os.path.exists(log) and os.path.getsize(log) else ""


def _shift(shift: Shift, run: _Run) -> None:
    changed = shifts.unlike(shift)
    if changed:
        raise ChangedSince([changed])
    if shift.way not in ("unfolder", "sent"):
        run.folders += filesystem.make_folders(os.path.dirname(shift.enters))
    run.done.append(shift)  # perhaps only half forced to disk when it fails
    try:
        shifts.do(shift)
    except FileExistsError:
        run.done.pop()  # what stands there is not ours to take back
        raise


def _write(todo: Sequence[Step], run: _Run) -> None:
    changed = [step.path for step in todo if content(step.path) != step.before]
    if changed:
        raise ChangedSince(changed)
    if logs := [log for step in todo if (log := _log_of(step))]:
        raise ChangedSince(logs)
    _prepare(todo, run)
    for step in sorted(todo, key=lambda one: one.after is None):  # a file moves before its old place goes
        _do(step, run)


def _prepare(todo: Sequence[Step], run: _Run) -> None:
    for step in todo:
        run.number += 1
        if step.after is None:
            continue
        run.folders += filesystem.make_folders(os.path.dirname(step.path))
        if _moves(step, todo):
            continue
        like = step.source if step.source and filesystem.status(step.path).kind == "missing" else ""
        run.prepared[step.path] = filesystem.prepare(
            step.path, step.after, temporary(run.tag, run.number), mode=step.mode, like=like, keep=step.keep
        )


def _moves(step: Step, todo: Sequence[Step]) -> bool:
    """Whether the very file can move: its content stays, and both places are only in this rename."""
    if not step.source or step.before is not None:
        return False
    return any(
        other.path == step.source and other.after is None and other.before == step.after for other in todo
    )


def _do(step: Step, run: _Run) -> None:
    if step.path in run.prepared:
        try:
            run.prepared[step.path].put()
        except FileExistsError:
            raise  # what stands there is not ours to take back
        except OSError:
            run.done.append(step)  # perhaps half written
            raise
        run.done.append(step)
    elif step.after is not None:
        filesystem.move(step.source, step.path)
        run.done.append(step)
        if step.mode is not None and step.mode != filesystem.status(step.path).mode:
            filesystem.set_mode(step.path, step.mode)
    elif filesystem.status(step.path).kind != "missing":
        filesystem.remove(step.path)
        run.done.append(step)


def _drop(run: _Run) -> None:
    for prepared in run.prepared.values():
        with contextlib.suppress(OSError):
            prepared.drop()


def _take_back(run: _Run, cause: Exception) -> None:
    failed: list[str] = []
    for step in reversed(run.done):
        try:
            if isinstance(step, Shift):
                if shifts.state(step) == "done":
                    shifts.back(step)
            else:
                restore(step.path, step.before, step.before_mode, f"{run.tag}-back")
        except OSError:
            failed.append(step.path)
    for folder in reversed(run.folders):
        with contextlib.suppress(OSError):
            os.rmdir(folder)
    if failed:
        raise RollBackFailed(failed, cause) from cause


def restore(path: str, wanted: bytes | None, mode: int | None, tag: str) -> None:
    """Make a path hold what it held; nothing is written where it does already. Raises OSError."""
    if content(path) == wanted:
        if mode is not None and wanted is not None and filesystem.status(path).mode != mode:
            filesystem.set_mode(path, mode)
        return
    if wanted is None:
        filesystem.remove(path)
        return
    filesystem.make_folders(os.path.dirname(path))
    prepared = filesystem.prepare(path, wanted, temporary(tag, 0), mode=mode)
    try:
        prepared.put()
    except OSError:
        prepared.drop()
        raise


def content(path: str) -> bytes | None:
    """Return what the file holds, None where there is no regular file."""
    return filesystem.read(path) if filesystem.status(path).kind == "file" else None

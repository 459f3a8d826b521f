"""Finds and reads the instructions of a project: AGENTS.md and CLAUDE.md from the working folder upwards.

Blocks on the disk; nothing here asks or remembers.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec

from app.instruction_records import InstructionFile
from app.permissions.protected import protection
from app.platform import filesystem
from app.platform.plain_text import visible

NAMES = ("AGENTS.md", "CLAUDE.md")
"""The second is read where the first is missing, since most projects have both say the same."""
MOST_BYTES = 32 * 1024
"""Of all files together (product.md 1.8)."""


def folders(cwd: str, home: Path) -> tuple[Path, ...]:
    """Return the folders of the chain, the outermost first: up to a repository's root, else as far as below
    home. Home itself and what holds it are never among them.
    """
    if not cwd:
        return ()
    here, home = Path(os.path.realpath(cwd)), Path(os.path.realpath(home))
    found: list[Path] = []
    for folder in (here, *here.parents):
        if folder == home or folder in home.parents or folder == folder.parent:
            break
        found.append(folder)
        if is_repository(folder):
            break
    return tuple(reversed(found))


def is_repository(folder: Path) -> bool:
    """Whether version control holds a folder together."""
    return os.path.lexists(folder / ".git")


def read_chain(cwd: str, home: Path) -> tuple[Path, tuple[InstructionFile, ...]] | None:
    """Return the project and its files, None where there are none.

    The project is the repository's root, else the outermost folder with such a file. When they are too long
    together, what is farther away is cut first.
    """
    chain = folders(cwd, home)
    found = [path for folder in chain if (path := _file_of(folder)) is not None]
    if not found:
        return None
    root = chain[0] if is_repository(chain[0]) else found[0].parent
    left = MOST_BYTES
    files: list[InstructionFile] = []
    seen: set[str] = set()
    for path in reversed(found):
        file = _read(path, root, left)
        if file.text and file.text in seen:
            continue
        seen.add(file.text)
        left -= len(file.text.encode())
        files.append(file)
    return root, tuple(reversed(files))


def print_of(files: Iterable[InstructionFile]) -> str:
    """Return a hash of what the files say."""
    whole = hashlib.sha256()
    for file in files:
        whole.update(f"{file.path}\0{file.why}\0{file.text}\0".encode("utf-8", "surrogatepass"))
    return whole.hexdigest()


def as_prompt(files: Iterable[InstructionFile]) -> str:
    """Return the files as a part of the system prompt, "" where none can be read."""
    return "\n\n".join(_sections(files))


def _sections(files: Iterable[InstructionFile]) -> Iterator[str]:
    readable = [file for file in files if file.text]
    if readable:
        yield "Instructions of the person's project; what stands nearer to the working folder counts more."
    for file in readable:
        end = f"\n[{file.cut} more bytes of this file are left out]" if file.cut else ""
        yield f"## {visible(file.path)}\n\n{file.text}{end}"


def _file_of(folder: Path) -> Path | None:
    return next((folder / name for name in NAMES if os.path.lexists(folder / name)), None)


def _read(path: Path, root: Path, left: int) -> InstructionFile:
    """Return the file with at most `left` bytes of text. A link may not lead out of the project, where it
    would give away what the person did not mean, nor to a file that a model may change unasked.
    """
    from app.changes.text import decode, is_binary  # most projects have none

    real = Path(os.path.realpath(path))
    plain = InstructionFile(path=str(path))
    if not real.is_relative_to(root) or not protection(str(real)):
        return msgspec.structs.replace(plain, why="link")
    try:
        data = _whole_characters(filesystem.read(str(real), MOST_BYTES))
        size = os.stat(real).st_size
    except OSError:
        return msgspec.structs.replace(plain, why="unreadable")
    if is_binary(data) or not decode(data).known:
        return msgspec.structs.replace(plain, why="binary")
    text = visible(decode(data).text.replace("\r\n", "\n")).strip()
    kept = text.encode()[: max(0, left)].decode("utf-8", "ignore")
    cut = max(size - len(data), 0) + len(text.encode()) - len(kept.encode())
    return msgspec.structs.replace(plain, text=kept.rstrip(), size=size, cut=cut)


def _whole_characters(data: bytes) -> bytes:
    """Return the bytes without the half of a UTF-8 character that the limit may have left at their end."""
    if len(data) < MOST_BYTES:
        return data
    at = len(data)
    while at and data[at - 1] & 0xC0 == 0x80:
        at -= 1
    return data[: at - 1] if at and data[at - 1] >= 0xC0 else data[:at]

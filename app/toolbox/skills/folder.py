"""Reads the folders of skills from the disk, and nothing that lies outside of them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import msgspec

from app.platform import filesystem
from app.skill_records import BesideFile, Fault, Skill, Source
from app.toolbox.skills.reading import LONGEST_FILE, decoded, is_plain_name, skill_of

FILE = "SKILL.md"
MOST_FILES, DEEPEST = 200, 4
"""Files beside SKILL.md that are listed, and how many folders deep."""


def read_skill(folder: Path, source: Source = "person", within: Path | None = None) -> Skill | None:
    """Return the skill of a folder, None where it holds no SKILL.md. What cannot be read is a fault of it.

    `within` is what the folder must really lie in: a project may not link to elsewhere, a person may.
    """
    real = Path(os.path.realpath(folder))
    path = file_of(folder)
    if path is None:
        return None
    if within is not None and not real.is_relative_to(os.path.realpath(within)):
        return _unread(folder, source, "The folder is a link that leaves the project; it is refused.")
    if not Path(os.path.realpath(path)).is_relative_to(real):
        return _unread(folder, source, "SKILL.md is a link that leaves the folder; it is refused.")
    try:
        data = filesystem.read(os.path.realpath(path), LONGEST_FILE + 1)
    except OSError as error:
        return _unread(folder, source, f"SKILL.md cannot be read: {error.strerror or error}.")
    skill = skill_of(data, str(folder))
    faults = skill.faults
    if path.name != FILE:
        faults = (Fault(line=0, message=f"Name the file {FILE}."), *faults)
    return msgspec.structs.replace(skill, source=source, faults=faults)


def text_of(folder: Path) -> str:
    """Return the text of a skill's SKILL.md as it stands there, "" where it cannot be read."""
    path = file_of(folder)
    if path is None or not Path(os.path.realpath(path)).is_relative_to(os.path.realpath(folder)):
        return ""
    try:
        return decoded(filesystem.read(os.path.realpath(path), LONGEST_FILE))[0]
    except OSError:
        return ""


def file_of(folder: Path) -> Path | None:
    """Return the path of SKILL.md, also where it is written small."""
    try:
        names = [name for name in os.listdir(folder) if name.lower() == FILE.lower()]
    except OSError:
        return None
    return folder / (FILE if FILE in names else min(names)) if names else None


def _unread(folder: Path, source: Source, message: str) -> Skill:
    fault = Fault(line=0, message=message)
    return Skill(name=folder.name, folder=str(folder), source=source, ok=False, loaded=False, faults=(fault,))


def beside(folder: Path) -> tuple[tuple[BesideFile, ...], tuple[Fault, ...]]:
    """Return the files beside SKILL.md that are not hidden, and a fault for each link that leaves."""
    files, faults = [], []
    real = os.path.realpath(folder)
    for path in _walk(Path(real)):
        relative = path.relative_to(real).as_posix()
        if relative.lower() == FILE.lower():
            continue  # read_skill says what is wrong with it
        if path.is_symlink() and not Path(os.path.realpath(path)).is_relative_to(real):
            faults.append(
                Fault(line=0, message=f"{relative} is a link that leaves the folder; it is refused.")
            )
        elif path.is_file():
            files.append(BesideFile(path=relative, size=path.stat().st_size))
    return tuple(files[:MOST_FILES]), tuple(faults[:MOST_FILES])


def _walk(real: Path) -> Iterator[Path]:
    """Yield files and all links, in order, at most a few times what is listed; links are not followed."""
    left = MOST_FILES * 5
    for top, folders, names in os.walk(real):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        links = [name for name in folders if os.path.islink(os.path.join(top, name))]
        if len(Path(top).relative_to(real).parts) >= DEEPEST:
            folders.clear()
        for name in sorted([*links, *(name for name in names if not name.startswith("."))]):
            yield Path(top, name)
            left -= 1
            if not left:
                return


def real_file(skill: Skill, relative: str) -> str | None:
    """Return the real path of a file of the skill, None where it is none or leads out of the folder."""
    real = os.path.realpath(skill.folder)
    try:
        path = os.path.realpath(os.path.join(real, relative.replace("\\", "/")))
    except ValueError:  # it holds a NUL or half of a character
        return None
    return path if Path(path).is_relative_to(real) and os.path.isfile(path) else None


def skill_folders(place: Path, most: int = 500) -> Iterator[Path]:
    """Yield the folders of a place in the order of their names; nothing where it cannot be listed."""
    try:
        names = sorted(os.listdir(place))
    except OSError:
        return
    for name in [name for name in names if not name.startswith((".", "_"))][:most]:
        if (place / name).is_dir():
            yield place / name


def safe_folder(place: Path, name: str) -> Path:
    """Return the folder of a new skill. Raises ValueError for a name that is not plain."""
    if not is_plain_name(name):
        raise ValueError(f"{name!r} is no plain name")
    return place / name

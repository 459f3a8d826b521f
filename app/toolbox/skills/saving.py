"""Writes a skill that a person edited to where it belongs, and takes that back."""

from __future__ import annotations

import os
from pathlib import Path

from app.errors import BrambleError
from app.skill_records import SavedSkill
from app.toolbox.skills import agreeing, writing
from app.toolbox.skills.folder import FILE, file_of
from app.toolbox.skills.reading import skill_of
from app.toolbox.skills.shelf import Shelf


def save(shelf: Shelf, name: str, text: str, cwd: str, now: float) -> SavedSkill:
    """See Skills.save."""
    shown = shelf.shown(name, cwd)
    folder = Path(shown.skill.folder)
    if shown.skill.source == "bundled":
        folder = shelf.person / folder.name
    new = skill_of(text.encode("utf-8", "replace"), str(folder))
    if not new.ok:
        why = new.faults[0].message if new.faults else ""
        raise BrambleError("bad_skill", f"This is no whole skill: {why}", name=new.name, why=why)
    path = file_of(folder) or folder / FILE
    before = _put(shelf, path, text.encode("utf-8", "replace"), cwd, now)
    return SavedSkill(name=new.name, path=str(path), before=before)


def put_back(shelf: Shelf, saved: SavedSkill, cwd: str, now: float) -> SavedSkill:
    """See Skills.put_back. Nothing but a SKILL.md is ever written or removed."""
    path = Path(saved.path)
    if path.name.lower() != FILE.lower():
        raise BrambleError("bad_skill", f"{path} is no {FILE}.", name=saved.name)
    return SavedSkill(name=saved.name, path=saved.path, before=_put(shelf, path, saved.before, cwd, now))


def _put(shelf: Shelf, path: Path, data: bytes | None, cwd: str, now: float) -> bytes | None:
    """Write a file; where it is one of a project that counts, the person agrees to it by writing it."""
    project = shelf.project(cwd)
    before = writing.put(path, data)
    if project is not None and project.state == "agreed" and _below(path, project.project):
        agreeing.agree(shelf, cwd, "", now)
    return before


def _below(path: Path, folder: str) -> bool:
    return Path(os.path.realpath(path)).is_relative_to(folder)

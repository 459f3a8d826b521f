"""What a person says to the skills of a project: yes to the files that were shown, no, or ask again."""

from __future__ import annotations

from pathlib import Path

import msgspec

from app.errors import BrambleError
from app.skill_records import ProjectSkills
from app.toolbox.skills import choices as chosen
from app.toolbox.skills.choices import Agreement
from app.toolbox.skills.shelf import Shelf


def agree(shelf: Shelf, cwd: str, shown: str, now: float) -> ProjectSkills:
    """Let the project's skills count, if they are still those with the hash `shown` ("" takes any).

    Raises BrambleError: no_project_skills, skills_changed, skills_too_large; OSError.
    """
    found = _needed(shelf, cwd)
    if found.too_large:
        raise BrambleError("skills_too_large", f"The skills of {found.project} are too many.", path=cwd)
    if shown and found.print != shown:
        raise BrambleError("skills_changed", f"The skills of {found.project} were changed.", path=cwd)
    prints = shelf.prints.of(Path(found.project))
    answer = Agreement(agreed=True, prints=prints, when=now)
    shelf.file.change(lambda choices: chosen.answered(choices, found.project, answer))
    return msgspec.structs.replace(found, state="agreed", changed=())


def refuse(shelf: Shelf, cwd: str, now: float) -> ProjectSkills:
    """Leave the project's skills out, whatever becomes of them. Raises as `agree`."""
    found = _needed(shelf, cwd)
    answer = Agreement(agreed=False, when=now)
    shelf.file.change(lambda choices: chosen.answered(choices, found.project, answer))
    return msgspec.structs.replace(found, state="refused", changed=())


def forget(shelf: Shelf, cwd: str) -> ProjectSkills:
    """Let the person be asked again. Raises BrambleError no_project_skills; OSError."""
    found = _needed(shelf, cwd)
    shelf.file.change(lambda choices: chosen.answered(choices, found.project, None))
    return msgspec.structs.replace(found, state="waiting", changed=())


def _needed(shelf: Shelf, cwd: str) -> ProjectSkills:
    found = shelf.project(cwd)
    if found is None:
        raise BrambleError("no_project_skills", f"{cwd} belongs to no project with skills.", path=cwd)
    return found

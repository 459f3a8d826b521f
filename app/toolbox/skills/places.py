"""Where skills come from: bundled, the person's own, and the project's; later ones win by name."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

from app.platform.paths import Home
from app.skill_records import Fault, Skill, Source
from app.toolbox.skills.folder import read_skill, skill_folders

BUNDLED = Path(__file__).resolve().parents[3] / "skills"
IN_PROJECT = Path(".agents", "skills")
ORDER: tuple[Source, ...] = ("bundled", "person", "project")


def person(home: Home) -> Path:
    """Return the folder of the person's own skills, beside the settings."""
    return home.settings.with_name("skills")


class Place(NamedTuple):
    """A folder with one folder a skill. It need not exist."""

    source: Source
    folder: Path
    within: Path | None = None
    """What nothing of it may lead out of."""


def project_of(cwd: str, home: Path) -> Path | None:
    """Return the project that a working folder belongs to: the nearest folder upwards with skills of its own.

    The search ends at a repository's root; home and what holds it are no project.
    """
    if not cwd:
        return None
    here, home = Path(os.path.realpath(cwd)), Path(os.path.realpath(home))
    for folder in (here, *here.parents):
        if folder == home or folder in home.parents:
            return None
        if (folder / IN_PROJECT).is_dir():
            return folder
        if (folder / ".git").exists():
            return None
    return None


def places(person: Path, project: Path | None = None, bundled: Path = BUNDLED) -> tuple[Place, ...]:
    """Return the places in their order. `project` is one that the person agreed to, else None."""
    ours = (Place("bundled", bundled), Place("person", person))
    return ours if project is None else (*ours, Place("project", project / IN_PROJECT, project))


def gather(found: Iterable[Place]) -> tuple[Skill, ...]:
    """Read all skills, by name. Each name has one that counts (`hidden_by` is ""); the others follow it."""
    by_name: dict[str, list[Skill]] = {}
    for place in found:
        for folder in skill_folders(place.folder):
            skill = read_skill(folder, place.source, place.within)
            if skill is not None:
                by_name.setdefault(skill.name, []).append(skill)
    return tuple(skill for _, same in sorted(by_name.items()) for skill in _ordered(same))


def _ordered(same: Sequence[Skill]) -> list[Skill]:
    """Return the skill that counts first: one that loads, of the latest place, in a folder of its name."""

    def worth(skill: Skill) -> tuple[bool, int, bool]:
        return (skill.loaded, ORDER.index(skill.source), Path(skill.folder).name == skill.name)

    first = max(same, key=worth)  # the first of equals, which is the first by folder
    rest = [skill for skill in same if skill is not first]
    hides = tuple(dict.fromkeys(skill.source for skill in rest if skill.source != first.source))
    twins = [skill for skill in rest if skill.source == first.source]
    if twins:
        others = ", ".join(Path(skill.folder).name for skill in twins)
        message = f"Another skill of this place is named {first.name} too ({others}); this one counts."
        first = msgspec.structs.replace(first, faults=(*first.faults, Fault(line=0, message=message)))
    return [msgspec.structs.replace(first, hides=hides), *(_hidden(skill, first) for skill in rest)]


def _hidden(skill: Skill, by: Skill) -> Skill:
    faults = skill.faults
    if skill.source == by.source:
        message = (
            f"Another skill of this place is named {by.name} too ({Path(by.folder).name}); that one counts."
        )
        faults = (*faults, Fault(line=0, message=message))
    return msgspec.structs.replace(skill, hidden_by=by.folder, faults=faults)

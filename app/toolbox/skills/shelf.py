"""Which skills count for a working folder and a mode, read anew for each question; it blocks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from app.errors import BrambleError
from app.records import Mode
from app.toolbox.skills import loading, places as where
from app.toolbox.skills.choices import ChoiceFile, Choices
from app.toolbox.skills.folder import beside
from app.toolbox.skills.index import Count, careful, index_of, ordered
from app.toolbox.skills.records import Shown, Skill, SkillIndex, SkillInfo

if TYPE_CHECKING:
    from app.toolbox.skills.finding import Finder


class Shelf:
    """The three places with what a person chose. `cwd` is a working folder, "" for none; `agreed` says
    whether the skills of a project may be used; `home` is never a project.
    """

    def __init__(
        self,
        person: Path,
        file: ChoiceFile,
        *,
        agreed: Callable[[Path], bool],
        home: Path,
        bundled: Path = where.BUNDLED,
        count: Count = careful,
    ) -> None:
        self.person = person
        self.file = file
        self._agreed = agreed
        self._home = home
        self._bundled = bundled
        self._count = count

    def unasked(self, cwd: str) -> Path | None:
        """Return the project whose skills wait for the person to agree, None where none does."""
        project = where.project_of(cwd, self._home)
        return project if project is not None and not self._agreed(project) else None

    def all(self, cwd: str) -> tuple[Skill, ...]:
        """Return every skill, also broken, hidden and switched off ones."""
        project = where.project_of(cwd, self._home)
        agreed = project if project is not None and self._agreed(project) else None
        return where.gather(where.places(self.person, agreed, self._bundled))

    def usable(self, cwd: str, mode: Mode | None) -> tuple[Skill, ...]:
        """Return what can be loaded in a mode (None for any), as the index prefers it."""
        choices = self.file.read()
        return ordered(_usable(self.all(cwd), choices, mode), choices)

    def index(self, cwd: str, mode: Mode) -> SkillIndex:
        """Return the index of a session that begins now."""
        return index_of(self.usable(cwd, mode), self._count)

    def finder(self, cwd: str, mode: Mode | None) -> Finder:
        """Return what ranks the usable skills."""
        return finder(self.usable(cwd, mode))

    def infos(self, cwd: str) -> tuple[SkillInfo, ...]:
        """Return a line on each skill, by name."""
        return self._infos(self.all(cwd))

    def _infos(self, skills: Sequence[Skill]) -> tuple[SkillInfo, ...]:
        choices = self.file.read()
        index = index_of(ordered(_usable(skills, choices, "agent"), choices), self._count)
        return tuple(_info(skill, choices, index) for skill in skills)

    def shown(self, name: str, cwd: str) -> Shown:
        """Return a skill with its files. Raises BrambleError no_skill."""
        skills = self.all(cwd)
        wanted, _ = loading.plain(name)
        skill = next((one for one in skills if one.name == wanted), None)
        if skill is None:
            known = [one.name for one in skills]
            raise BrambleError("no_skill", loading.not_there(name, known), name=name)
        info = next(one for one in self._infos(skills) if one.folder == skill.folder)
        files, faults = beside(Path(skill.folder))
        skill = msgspec.structs.replace(skill, faults=(*skill.faults, *faults))
        return Shown(skill=skill, info=msgspec.structs.replace(info, problems=skill.faults), files=files)


def finder(skills: Sequence[Skill]) -> Finder:
    """Return what ranks these skills; loaded late, since the index of a first request needs no search."""
    from app.toolbox.skills.finding import Finder

    return Finder(skills)


def _usable(skills: Sequence[Skill], choices: Choices, mode: Mode | None) -> list[Skill]:
    return [
        skill
        for skill in skills
        if skill.loaded
        and not skill.hidden_by
        and skill.name not in choices.off
        and (mode is None or mode in skill.modes)
    ]


def _info(skill: Skill, choices: Choices, index: SkillIndex) -> SkillInfo:
    named = skill.name in index.named and not skill.hidden_by
    cut = skill.name in index.cut
    return SkillInfo(
        name=skill.name,
        description=skill.description,
        source=skill.source,
        folder=skill.folder,
        ok=skill.ok,
        loaded=skill.loaded,
        enabled=skill.name not in choices.off,
        pinned=skill.name in choices.pinned,
        modes=skill.modes,
        used=choices.used.get(skill.name),
        shown="no" if not named else "cut" if cut else "whole",
        hidden_by=skill.hidden_by,
        problems=skill.faults,
    )

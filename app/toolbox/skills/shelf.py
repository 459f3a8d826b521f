"""Which skills count for a working folder and a mode, read anew for each question; it blocks."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from app.errors import BrambleError
from app.records import Mode
from app.skill_records import (
    ProjectSkills,
    ProjectState,
    Shown,
    Skill,
    SkillIndex,
    SkillInfo,
    SkillsNow,
)
from app.toolbox.skills import loading, places as where
from app.toolbox.skills.choices import ChoiceFile, Choices
from app.toolbox.skills.folder import beside, skill_folders, text_of
from app.toolbox.skills.index import Count, careful, index_of, ordered, shortened
from app.toolbox.skills.prints import TOO_LARGE, Prints, whole_print

if TYPE_CHECKING:
    from app.toolbox.skills.finding import Finder


TOLD = 120
"""Characters of a description that a running session is told of a new skill."""


class Shelf:
    """The three places with what a person chose. `cwd` is a working folder, "" for none; `home` is never a
    project.
    """

    def __init__(
        self,
        person: Path,
        file: ChoiceFile,
        *,
        home: Path,
        bundled: Path = where.BUNDLED,
        count: Count = careful,
    ) -> None:
        self.person = person
        self.file = file
        self.prints = Prints()
        self.home = home
        self._bundled = bundled
        self._count = count
        self._made: tuple[tuple[Skill, ...], Finder] | None = None
        """What ranks the skills that were asked about last."""

    def project(self, cwd: str) -> ProjectSkills | None:
        """Return the skills of the project that a folder belongs to, whatever the person said to them."""
        project = where.project_of(cwd, self.home)
        prints = self.prints.of(project) if project is not None else {}
        if project is None or not prints:
            return None
        # Read after the hashes: who agrees to these hashes has seen what they stand for, or newer.
        skills = where.gather([where.Place("project", project / where.IN_PROJECT, project)])
        real = os.path.realpath(project)
        return _project(real, skills, prints, self.file.read())

    def _counting(self, cwd: str) -> Path | None:
        """Return the project whose skills count in a folder."""
        project = where.project_of(cwd, self.home)
        if project is None:
            return None
        answer = self.file.read().projects.get(os.path.realpath(project))
        if answer is None or not answer.agreed or self.prints.of(project) != answer.prints:
            return None
        return project

    def all(self, cwd: str) -> tuple[Skill, ...]:
        """Return every skill, also broken, hidden and switched off ones."""
        return where.gather(where.places(self.person, self._counting(cwd), self._bundled))

    def readable(self, cwd: str) -> tuple[str, ...]:
        """Return the real folders whose files may be read without a question in a working folder."""
        found = [self._bundled, self.person]
        project = self._counting(cwd)
        if project is not None:  # not what lies beside them, which nobody was asked about
            found += skill_folders(project / where.IN_PROJECT)
        real = [os.path.realpath(folder) for folder in found]
        return tuple(one for at, one in enumerate(real) if at < 2 or _within(one, project))

    def is_foreign(self, skill: Skill) -> bool:
        """Whether a skill of the person's is a link to a folder elsewhere, whose text others may change."""
        return skill.source == "person" and not _within(skill.folder, self.person)

    def usable(self, cwd: str, mode: Mode | None) -> tuple[Skill, ...]:
        """Return what can be loaded in a mode (None for any), as the index prefers it."""
        choices = self.file.read()
        return ordered(_usable(self.all(cwd), choices, mode), choices)

    def now(self, words: str, mode: Mode, cwd: str, index: bool) -> SkillsNow:
        """Return what counts as a turn with these words begins."""
        whole = self.usable(cwd, None)
        usable = tuple(skill for skill in whole if mode in skill.modes)
        if self._made is None or self._made[0] != usable:
            self._made = usable, finder(usable)
        found = self._made[1].find(words)
        return SkillsNow(
            present={skill.name: shortened(skill.description, TOLD) for skill in usable},
            anywhere=frozenset(skill.name for skill in whole),
            hint=found[0].name if found and found[0].sure else "",
            index=index_of(usable, self._count) if index else SkillIndex(),
        )

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
        info = msgspec.structs.replace(info, problems=skill.faults)
        return Shown(skill=skill, info=info, files=files, text=text_of(Path(skill.folder)))


def _within(path: str, folder: Path | None) -> bool:
    return folder is not None and Path(os.path.realpath(path)).is_relative_to(os.path.realpath(folder))


def _project(
    project: str, skills: tuple[Skill, ...], prints: dict[str, str], choices: Choices
) -> ProjectSkills:
    answer = choices.projects.get(project)
    state: ProjectState = "waiting"
    changed: tuple[str, ...] = ()
    if answer is not None and not answer.agreed:
        state = "refused"
    elif answer is not None:
        names = sorted({*prints, *answer.prints})
        changed = tuple(name for name in names if prints.get(name) != answer.prints.get(name))
        state = "changed" if changed else "agreed"
    return ProjectSkills(
        project=project,
        state=state,
        skills=skills,
        changed=changed,
        print=whole_print(prints),
        too_large=TOO_LARGE in prints.values(),
    )


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

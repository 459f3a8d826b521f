"""What front ends and turns can do with skills: list, show, check, find, load, switch, pin, create."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from app.errors import BrambleError
from app.platform.processes import began_in_tool
from app.records import Mode
from app.toolbox.skills import choices as chosen, loading, places as where
from app.toolbox.skills.choices import ChoiceFile, Choices
from app.toolbox.skills.folder import FILE, beside, read_skill
from app.toolbox.skills.index import Count, careful, index_of, ordered
from app.toolbox.skills.reading import skill_of
from app.toolbox.skills.records import (
    Fault,
    FoundSkill,
    Loaded,
    Report,
    Shown,
    Skill,
    SkillIndex,
    SkillInfo,
)

if TYPE_CHECKING:
    from app.toolbox.skills.finding import Finder

log = logging.getLogger(__name__)


class Skills:
    """Facade over the folders of skills, which are read anew for each call. `cwd` is the working folder of a
    conversation, "" for none; the skills of its project count once `agreed` says so.
    """

    def __init__(
        self,
        person: Path,
        file: ChoiceFile,
        clock: Callable[[], float],
        *,
        agreed: Callable[[Path], bool],
        home: Path,
        bundled: Path = where.BUNDLED,
        count: Count = careful,
    ) -> None:
        self.person = person
        """The folder of the person's own skills; it need not exist."""
        self._file = file
        self._clock = clock
        self._agreed = agreed
        self._home = home
        self._bundled = bundled
        self._count = count

    # --- what there is -------------------------------------------------------------------------------------

    async def list(self, cwd: str = "") -> tuple[SkillInfo, ...]:
        """Return all skills by name; those that another one hides follow it."""
        return await asyncio.to_thread(self._list, cwd)

    async def show(self, name: str, cwd: str = "") -> Shown:
        """Return one skill with its files. Raises BrambleError no_skill."""
        return await asyncio.to_thread(self._show, name, cwd)

    async def check(self, path: str) -> Report:
        """Return what is wrong with the skill at `path`, its folder or its SKILL.md."""
        return await asyncio.to_thread(check, path)

    async def find(self, query: str, cwd: str = "", mode: Mode | None = None) -> tuple[FoundSkill, ...]:
        """Return the skills that fit a request in plain words, the best first."""
        return await asyncio.to_thread(self._find, query, cwd, mode)

    def unasked(self, cwd: str) -> Path | None:
        """Return the project whose skills do not count yet, to ask the person about it; None for none."""
        project = where.project_of(cwd, self._home)
        return project if project is not None and not self._agreed(project) else None

    # --- for a turn ----------------------------------------------------------------------------------------

    async def index(self, mode: Mode, cwd: str = "") -> SkillIndex:
        """Return the index for a session that begins now. The caller keeps it: it never changes later on."""
        return await asyncio.to_thread(self._index, mode, cwd)

    async def hint(self, text: str, mode: Mode, cwd: str = "") -> str:
        """Return the name of the one skill that surely fits a request, "" for most."""
        found = await self.find(text, cwd, mode)
        return found[0].name if found and found[0].sure else ""

    async def load(self, names: Sequence[str] = (), query: str = "", *, mode: Mode, cwd: str = "") -> Loaded:
        """Return what the tool load_skill answers: up to three bodies, `skill/file` for a file beside one,
        or what fits a query. What was loaded counts as used.
        """
        loaded = await asyncio.to_thread(self._load, tuple(names), query, mode, cwd)
        if loaded.names:
            await asyncio.to_thread(self._note, loaded.names)
        return loaded

    # --- what a person chooses -----------------------------------------------------------------------------

    async def enable(self, name: str, on: bool = True) -> None:
        """Switch a skill on or off. Raises BrambleError: own_approval, no_permission, disk_full."""
        await self._choose(lambda choices: chosen.switched(choices, name, on))

    async def pin(self, name: str, pin: bool = True) -> None:
        """Keep a skill in front of the index, or no longer. Raises as `enable`."""
        await self._choose(lambda choices: chosen.pinned(choices, name, pin))

    def draft(
        self,
        title: str,
        description: str,
        body: str,
        *,
        triggers: Sequence[str] = (),
        tools: Sequence[str] = (),
    ) -> str:
        """Return the text of a SKILL.md for `create`, to be looked at and edited before."""
        from app.toolbox.skills import writing

        return writing.document(writing.plain_name(title), description, body, triggers, tools)

    async def create(self, text: str, *, replace: bool = False) -> Shown:
        """Make a skill of the person's own of the text of a SKILL.md. Raises BrambleError: own_approval,
        bad_skill (`why` says what is wrong), skill_exists, no_permission, disk_full.
        """
        from app.toolbox.skills import writing

        _only_by_a_person()
        skill = skill_of(text.encode("utf-8", "replace"), "")
        if not skill.ok:
            why = skill.faults[0].message if skill.faults else ""
            raise BrambleError("bad_skill", f"This is no whole skill: {why}", name=skill.name, why=why)
        folder = await asyncio.to_thread(writing.write, self.person, skill.name, text, replace=replace)
        return await self.show(folder.name)

    # --- in a thread ---------------------------------------------------------------------------------------

    def _all(self, cwd: str) -> tuple[Skill, ...]:
        project = where.project_of(cwd, self._home)
        agreed = project if project is not None and self._agreed(project) else None
        return where.gather(where.places(self.person, agreed, self._bundled))

    def _usable(self, cwd: str, mode: Mode | None) -> tuple[tuple[Skill, ...], Choices]:
        choices = self._file.read()
        usable = tuple(
            skill
            for skill in self._all(cwd)
            if skill.loaded
            and not skill.hidden_by
            and skill.name not in choices.off
            and (mode is None or mode in skill.modes)
        )
        return usable, choices

    def _list(self, cwd: str) -> tuple[SkillInfo, ...]:
        usable, choices = self._usable(cwd, "agent")
        index = index_of(ordered(usable, choices), self._count)
        return tuple(_info(skill, choices, index) for skill in self._all(cwd))

    def _show(self, name: str, cwd: str) -> Shown:
        skills = self._all(cwd)
        wanted, _ = loading.plain(name)
        skill = next((one for one in skills if wanted == one.name), None)
        if skill is None:
            known = [one.name for one in skills]
            raise BrambleError("no_skill", loading.not_there(name, known), name=name)
        info = next(one for one in self._list(cwd) if one.folder == skill.folder)
        files, faults = beside(Path(skill.folder))
        skill = msgspec.structs.replace(skill, faults=(*skill.faults, *faults))
        return Shown(skill=skill, info=msgspec.structs.replace(info, problems=skill.faults), files=files)

    def _find(self, query: str, cwd: str, mode: Mode | None) -> tuple[FoundSkill, ...]:
        return _finder(self._usable(cwd, mode)[0]).find(query)

    def _index(self, mode: Mode, cwd: str) -> SkillIndex:
        usable, choices = self._usable(cwd, mode)
        return index_of(ordered(usable, choices), self._count)

    def _load(self, names: tuple[str, ...], query: str, mode: Mode, cwd: str) -> Loaded:
        usable, choices = self._usable(cwd, None)
        by_name = {skill.name: skill for skill in usable}
        if not names:
            fitting = [skill for skill in usable if mode in skill.modes]
            if not query.strip():
                return Loaded(text="Give names (one to three) or a query.", ok=False)
            found = _finder(fitting).find(query)
            if not found or not found[0].sure:
                return Loaded(text=loading.found_text(found), ok=bool(found))
            others = [one.name for one in found[1:]]
            text = loading.body_text(by_name[found[0].name])
            also = f"\nMay fit too: {', '.join(others)}." if others else ""
            return Loaded(
                text=text + also, ok=True, names=(found[0].name,), tools=by_name[found[0].name].tools
            )
        wanted = tuple(dict.fromkeys(names))
        if len(wanted) > loading.MOST_NAMES:
            return Loaded(text=f"At most {loading.MOST_NAMES} names at once.", ok=False)
        parts = [_one(name, by_name, choices, mode) for name in wanted]
        loaded = tuple(dict.fromkeys(skill.name for _, skill in parts if skill))
        tools = dict.fromkeys(tool for name in loaded for tool in by_name[name].tools)
        return Loaded(
            text="\n\n".join(text for text, _ in parts),
            ok=any(skill for _, skill in parts),
            names=loaded,
            tools=tuple(tools),
        )

    def _note(self, names: tuple[str, ...]) -> None:
        now = self._clock()
        try:
            self._file.change(lambda choices: chosen.noted(choices, names, now))
        except OSError as error:  # the skill is loaded all the same
            log.warning("the use of %s was not noted: %s", ", ".join(names), error)

    async def _choose(self, change: Callable[[Choices], Choices]) -> None:
        _only_by_a_person()
        try:
            await asyncio.to_thread(self._file.change, change)
        except OSError as error:
            code = "disk_full" if error.errno == 28 else "no_permission"
            path = str(self._file.path)
            raise BrambleError(code, f"{path}: {error}", detail=str(error), path=path) from error


def check(path: str) -> Report:
    """See `Skills.check`. Reads the disk."""
    given = Path(path).expanduser()
    folder = given.parent if given.name.lower() == FILE.lower() and not given.is_dir() else given
    skill = read_skill(folder.absolute()) if folder.is_dir() else None
    if skill is None:
        fault = Fault(line=1, message=f"There is no {FILE} at {path}.")
        return Report(ok=False, loaded=False, problems=(fault,))
    faults = (*skill.faults, *beside(folder)[1])
    return Report(
        ok=skill.ok, loaded=skill.loaded, problems=tuple(sorted(faults, key=lambda fault: fault.line))
    )


def _one(name: str, by_name: dict[str, Skill], choices: Choices, mode: Mode) -> tuple[str, Skill | None]:
    """Return the text for one name of load_skill, and the skill that it gave, None where it gave none."""
    wanted, file = loading.plain(name)
    skill = by_name.get(wanted)
    if skill is None and wanted in choices.off:
        return f"The person switched the skill {wanted} off.", None
    if skill is None:
        return loading.not_there(name, list(by_name)), None
    if mode not in skill.modes:
        return f"The skill {wanted} is for other modes: {', '.join(skill.modes)}.", None
    if not file:
        return loading.body_text(skill), skill
    text, given = loading.file_text(skill, file)
    return text, skill if given else None


def _info(skill: Skill, choices: Choices, index: SkillIndex) -> SkillInfo:
    named = skill.name in index.named and not skill.hidden_by
    cut = "cut" if skill.name in index.cut else "whole"
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
        shown="no" if not named else "cut" if cut == "cut" else "whole",
        hidden_by=skill.hidden_by,
        problems=skill.faults,
    )


def _finder(skills: Sequence[Skill]) -> Finder:
    from app.toolbox.skills.finding import Finder  # late: the index of a first request needs no search

    return Finder(skills)


def _only_by_a_person() -> None:
    if began_in_tool():
        raise BrambleError("own_approval", "A command of a tool cannot change skills.")

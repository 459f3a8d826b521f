"""What front ends and turns can do with skills: list, show, check, find, load, switch, pin, create."""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Callable, Sequence
from pathlib import Path

from app.errors import BrambleError
from app.platform import filesystem
from app.platform.processes import began_in_tool
from app.records import Mode
from app.toolbox.skills import choices as chosen, loading
from app.toolbox.skills.choices import Choices
from app.toolbox.skills.folder import FILE, beside, read_skill
from app.toolbox.skills.reading import skill_of
from app.toolbox.skills.records import Fault, FoundSkill, Loaded, Report, Shown, SkillIndex, SkillInfo
from app.toolbox.skills.shelf import Shelf

log = logging.getLogger(__name__)


class Skills:
    """Facade over the folders of skills. `cwd` is the working folder of a conversation, "" for none."""

    def __init__(self, shelf: Shelf, clock: Callable[[], float]) -> None:
        self._shelf = shelf
        self._clock = clock

    @property
    def folder(self) -> Path:
        """Where the person's own skills lie; it need not exist."""
        return self._shelf.person

    # --- what there is -------------------------------------------------------------------------------------

    async def list(self, cwd: str = "") -> tuple[SkillInfo, ...]:
        """Return all skills by name; those that another one hides follow it."""
        return await asyncio.to_thread(self._shelf.infos, cwd)

    async def show(self, name: str, cwd: str = "") -> Shown:
        """Return one skill with its files. Raises BrambleError no_skill."""
        return await asyncio.to_thread(self._shelf.shown, name, cwd)

    async def check(self, path: str) -> Report:
        """Return what is wrong with the skill at `path`, its folder or its SKILL.md."""
        return await asyncio.to_thread(check, path)

    async def find(self, query: str, cwd: str = "", mode: Mode | None = None) -> tuple[FoundSkill, ...]:
        """Return the skills that fit a request in plain words, the best first."""
        return await asyncio.to_thread(lambda: self._shelf.finder(cwd, mode).find(query))

    async def unasked(self, cwd: str) -> Path | None:
        """Return the project whose skills do not count yet, to ask the person about it; None for none."""
        return await asyncio.to_thread(self._shelf.unasked, cwd)

    # --- for a turn ----------------------------------------------------------------------------------------

    async def index(self, mode: Mode, cwd: str = "") -> SkillIndex:
        """Return the index for a session that begins now. The caller keeps it: it never changes later on."""
        return await asyncio.to_thread(self._shelf.index, cwd, mode)

    async def hint(self, text: str, mode: Mode, cwd: str = "") -> str:
        """Return the name of the one skill that surely fits a request, "" for most."""
        found = await self.find(text, cwd, mode)
        return found[0].name if found and found[0].sure else ""

    async def load(self, names: Sequence[str] = (), query: str = "", *, mode: Mode, cwd: str = "") -> Loaded:
        """Return what the tool load_skill answers: up to three bodies, `skill/file` for a file beside one,
        or what fits a query. What was loaded counts as used.
        """
        from app.toolbox.skills.answering import answer

        loaded = await asyncio.to_thread(answer, self._shelf, names, query, mode, cwd)
        if loaded.names:
            await asyncio.to_thread(self._note, loaded.names)
        return loaded

    async def missing(self, names: Sequence[str], *, mode: Mode, cwd: str = "") -> tuple[str, ...]:
        """Return those of `names` that could not be loaded, for a routine that is checked before it runs."""
        there = {skill.name for skill in await asyncio.to_thread(self._shelf.usable, cwd, mode)}
        return tuple(name for name in names if loading.plain(name)[0] not in there)

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
        await asyncio.to_thread(writing.write, self.folder, skill.name, text, replace=replace)
        return await self.show(skill.name)

    def _note(self, names: tuple[str, ...]) -> None:
        now = self._clock()
        try:
            self._shelf.file.change(lambda choices: chosen.noted(choices, names, now))
        except OSError as error:  # the skill is loaded all the same
            log.warning("the use of %s was not noted: %s", ", ".join(names), error)

    async def _choose(self, change: Callable[[Choices], Choices]) -> None:
        _only_by_a_person()
        try:
            await asyncio.to_thread(self._shelf.file.change, change)
        except OSError as error:
            code = "disk_full" if error.errno in filesystem.FULL else "no_permission"
            path = str(self._shelf.file.path)
            raise BrambleError(code, f"{path}: {error}", detail=str(error), path=path) from error


def check(path: str) -> Report:
    """See `Skills.check`. Reads the disk."""
    given = Path(path).expanduser()
    folder = given.parent if given.name.lower() == FILE.lower() and not given.is_dir() else given
    skill = read_skill(Path(os.path.abspath(folder))) if folder.is_dir() else None
    if skill is None:
        fault = Fault(line=1, message=f"There is no {FILE} at {path}.")
        return Report(ok=False, loaded=False, problems=(fault,))
    faults = (*skill.faults, *beside(folder)[1])
    problems = tuple(sorted(faults, key=lambda fault: fault.line))
    return Report(ok=skill.ok, loaded=skill.loaded, problems=problems)


def _only_by_a_person() -> None:
    if began_in_tool():
        raise BrambleError("own_approval", "A command of a tool cannot change skills.")

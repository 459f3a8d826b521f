"""What front ends and turns can do with skills: list, show, check, find, load, switch, pin, create."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from pathlib import Path

from app.errors import BrambleError
from app.platform import filesystem
from app.platform.processes import began_in_tool
from app.records import Message, Mode, SessionInfo
from app.skill_records import (
    Fault,
    FoundSkill,
    Loaded,
    ProjectSkills,
    Report,
    SavedSkill,
    Shown,
    Skill,
    SkillDraft,
    SkillIndex,
    SkillInfo,
    SkillsNow,
)
from app.toolbox.skills import agreeing, choices as chosen, loading
from app.toolbox.skills.choices import Choices
from app.toolbox.skills.folder import FILE, beside, read_skill
from app.toolbox.skills.reading import skill_of
from app.toolbox.skills.shelf import Shelf

log = logging.getLogger(__name__)


class Skills:
    """Facade over the folders of skills. `cwd` is the working folder of a conversation, "" for none."""

    def __init__(
        self,
        shelf: Shelf,
        clock: Callable[[], float],
        told: Callable[[str], Awaitable[tuple[SessionInfo, Sequence[Message]]]] | None = None,
        tell: Callable[[], Awaitable[None]] | None = None,
    ) -> None:
        """`told(session)` gives a conversation and its shown branch; `tell()` says that skills changed."""
        self._shelf = shelf
        self._clock = clock
        self._told = told or _no_session
        self._tell = tell or _nobody

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

    def check_text(self, text: str, name: str = "") -> Report:
        """Return what is wrong with the text of a SKILL.md in the folder `name`, while it is written."""
        skill = skill_of(text.encode("utf-8", "replace"), name)
        return Report(ok=skill.ok, loaded=skill.loaded, problems=skill.faults)

    async def find(self, query: str, cwd: str = "", mode: Mode | None = None) -> tuple[FoundSkill, ...]:
        """Return the skills that fit a request in plain words, the best first."""
        return await asyncio.to_thread(lambda: self._shelf.finder(cwd, mode).find(query))

    # --- for a turn ----------------------------------------------------------------------------------------

    async def now(self, words: str, mode: Mode, cwd: str = "", *, index: bool) -> SkillsNow:
        """Return what counts as a turn with these words begins, with the index for a session that is new."""
        return await asyncio.to_thread(self._shelf.now, words, mode, cwd, index)

    async def index(self, mode: Mode, cwd: str = "") -> SkillIndex:
        """Return the index for a session that begins now. The caller keeps it: it never changes later on."""
        return await asyncio.to_thread(self._shelf.index, cwd, mode)

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

    @staticmethod
    def loaded(history: Iterable[Message]) -> tuple[str, ...]:
        """Return the skills that load_skill gave in these messages."""
        given = (one.view.data.get("skills", ()) for one in history if one.tool == "load_skill" and one.ok)
        return tuple(dict.fromkeys(str(name) for names in given for name in names))

    async def suggested(self, names: Iterable[str], mode: Mode, cwd: str = "") -> frozenset[str]:
        """Return the tools that skills suggest, for find_tools to favour."""
        wanted = set(names)
        if not wanted:
            return frozenset()
        usable = await asyncio.to_thread(self._shelf.usable, cwd, mode)
        return frozenset(tool for skill in usable if skill.name in wanted for tool in skill.tools)

    def readable(self, cwd: str) -> tuple[str, ...]:
        """Return the real folders of skills whose files need no question in a working folder; it blocks."""
        return self._shelf.readable(cwd)

    # --- what a person chooses -----------------------------------------------------------------------------

    async def enable(self, name: str, on: bool = True) -> None:
        """Switch a skill on or off. Raises BrambleError: own_approval, no_permission, disk_full."""
        await self._choose(lambda choices: chosen.switched(choices, name, on))

    async def pin(self, name: str, pin: bool = True) -> None:
        """Keep a skill in front of the index, or no longer. Raises as `enable`."""
        await self._choose(lambda choices: chosen.pinned(choices, name, pin))

    def document(
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

    async def draft(self, session: str) -> SkillDraft:
        """Return what the shown branch of a conversation would be as a skill.

        Raises BrambleError: no_session, nothing_done where nobody said anything yet.
        """
        from app.toolbox.skills import drafting

        info, branch = await self._told(session)
        if not any(message.role == "user" for message in branch):
            raise BrambleError("nothing_done", "Nothing was said in this conversation yet.", session=session)
        return await asyncio.to_thread(drafting.draft, info, branch, self._shelf.home)

    async def create(self, text: str, *, replace: bool = False) -> Shown:
        """Make a skill of the person's own of the text of a SKILL.md. Raises BrambleError: own_approval,
        bad_skill (`why` says what is wrong), skill_exists, no_permission, disk_full.
        """
        from app.toolbox.skills import writing

        _only_by_a_person()
        name = _whole(text, "").name
        await asyncio.to_thread(writing.write, self.folder, name, text, replace=replace)
        await self._tell()
        return await self.show(name)

    async def save(self, name: str, text: str, cwd: str = "") -> SavedSkill:
        """Give a skill another text: where it stands, or as one of the person's own for one of ours. What was
        agreed to of a project stays so. Raises BrambleError: no_skill, and as `create`.
        """
        from app.toolbox.skills import saving

        _only_by_a_person()
        saved = await asyncio.to_thread(saving.save, self._shelf, name, text, cwd, self._clock())
        await self._tell()
        return saved

    async def put_back(self, saved: SavedSkill, cwd: str = "") -> SavedSkill:
        """Take a `save` or a `create` back; what is returned takes that back in turn. Raises as `save`."""
        from app.toolbox.skills import saving

        _only_by_a_person()
        back = await asyncio.to_thread(saving.put_back, self._shelf, saved, cwd, self._clock())
        await self._tell()
        return back

    # --- what a person says to a project -------------------------------------------------------------------

    async def project(self, cwd: str) -> ProjectSkills | None:
        """Return the skills that the project of a folder brings, and what the person said to them."""
        return await asyncio.to_thread(self._shelf.project, cwd)

    async def waiting(self, cwd: str) -> ProjectSkills | None:
        """Return them where the person is to be asked: never asked before, or the files are other ones."""
        found = await self.project(cwd)
        return found if found is not None and found.state in ("waiting", "changed") else None

    async def agree(self, cwd: str, shown: str = "") -> ProjectSkills:
        """Let a project's skills count, those with the hash that was `shown` ("" takes what is there now).

        Raises BrambleError: own_approval, no_project_skills, skills_changed, skills_too_large, no_permission,
        disk_full.
        """
        return await self._answer(lambda: agreeing.agree(self._shelf, cwd, shown, self._clock()))

    async def refuse(self, cwd: str) -> ProjectSkills:
        """Leave a project's skills out from now on, also after a yes. Raises as `agree`."""
        return await self._answer(lambda: agreeing.refuse(self._shelf, cwd, self._clock()))

    async def forget_answer(self, cwd: str) -> ProjectSkills:
        """Let the person be asked again about a project. Raises as `agree`."""
        return await self._answer(lambda: agreeing.forget(self._shelf, cwd))

    async def _answer(self, work: Callable[[], ProjectSkills]) -> ProjectSkills:
        _only_by_a_person()
        with _told_errors(self._shelf.file.path):
            found = await asyncio.to_thread(work)
        await self._tell()
        return found

    def _note(self, names: tuple[str, ...]) -> None:
        now = self._clock()
        try:
            self._shelf.file.change(lambda choices: chosen.noted(choices, names, now))
        except OSError as error:  # the skill is loaded all the same
            log.warning("the use of %s was not noted: %s", ", ".join(names), error)

    async def _choose(self, change: Callable[[Choices], Choices]) -> None:
        _only_by_a_person()
        with _told_errors(self._shelf.file.path):
            await asyncio.to_thread(self._shelf.file.change, change)
        await self._tell()


@contextlib.contextmanager
def _told_errors(path: Path) -> Iterator[None]:
    """Raise BrambleError (no_permission, disk_full) where the file of choices cannot be written."""
    try:
        yield
    except OSError as error:
        code = "disk_full" if error.errno in filesystem.FULL else "no_permission"
        raise BrambleError(code, f"{path}: {error}", detail=str(error), path=str(path)) from error


def check(path: str) -> Report:
    """See `Skills.check`. Reads the disk."""
    given = Path(path).expanduser()
    folder = given.parent if given.name.lower() == FILE.lower() and not given.is_dir() else given
    skill = read_skill(Path(os.path.abspath(folder))) if folder.is_dir() else None
    if skill is None:
        fault = Fault(line=0, message=f"There is no {FILE} at {path}.")
        return Report(ok=False, loaded=False, problems=(fault,))
    faults = (*skill.faults, *beside(folder)[1])
    problems = tuple(sorted(faults, key=lambda fault: fault.line))
    return Report(ok=skill.ok, loaded=skill.loaded, problems=problems)


def _whole(text: str, folder: str) -> Skill:
    """Return the skill of a text. Raises BrambleError bad_skill where it is none."""
    skill = skill_of(text.encode("utf-8", "replace"), folder)
    if not skill.ok:
        why = skill.faults[0].message if skill.faults else ""
        raise BrambleError("bad_skill", f"This is no whole skill: {why}", name=skill.name, why=why)
    return skill


async def _no_session(session: str) -> tuple[SessionInfo, Sequence[Message]]:
    raise BrambleError("no_session", f"There is no conversation {session}.", session=session)


async def _nobody() -> None:
    return


def _only_by_a_person() -> None:
    if began_in_tool():
        raise BrambleError("own_approval", "A command of a tool cannot change skills.")

"""Put the parts of an engine together: which object gets which."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.capabilities.approvals import Approvals
from app.capabilities.questions import Questions
from app.conversation.sessions import Sessions
from app.errors import BrambleError
from app.events import (
    Event,
    InstructionsChanged,
    JobChanged,
    Noticed,
    SkillsChanged,
    StoreFailed,
    StoreHealed,
)
from app.other_processes import News
from app.records import Message, Problem, SessionInfo
from app.store import feed, messages, sessions
from app.store.database import Store

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.capabilities.daily import Daily
    from app.capabilities.everyday import Everyday
    from app.capabilities.gate import Gate
    from app.capabilities.jobs import Jobs
    from app.capabilities.running import Running
    from app.capabilities.sandbox import Sandbox
    from app.changes.facade import Changes
    from app.changes.journal import Journal
    from app.changes.snapshot import Snapshots
    from app.conversation.attachments import Attachments
    from app.conversation.instructions import Instructions
    from app.conversation.means import Means
    from app.conversation.turns import Turns
    from app.engine import Engine
    from app.memory.memory import Memory
    from app.models.models import Models
    from app.permissions.book import Book
    from app.permissions.facade import Rules
    from app.store.copies import Copies
    from app.toolbox.elsewhere import Elsewhere
    from app.toolbox.lookups import Lookups
    from app.toolbox.registry import Registry
    from app.toolbox.skills.facade import Skills
    from tools import Helpers


_SERVERS_AFTER = 1.5
"""Seconds from the start of a window to that of its servers: its own first second is busy."""
_LOOK_AFTER = 1.0
"""Seconds from the first turn to the look at the sandbox: after the request, before its answer."""


class Parts:
    """What an engine is made of. Store and sessions are there at once, so that a window can fill its list;
    models, tools, jobs and the journal are imported and made at their first need.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        home, clock = engine.home, engine.clock
        self.store = Store(home.database, clock, backups=home.backups, failed=self._failed)
        self.questions = Questions(self.store, engine.emit, clock)
        self.approvals = Approvals(self.store, self.questions)
        self.sessions = Sessions(
            self.store,
            home,
            engine.emit,
            lambda: engine.settings,
            clock,
            lambda name: self.models.effort_wished(name),
        )
        self._news = News(engine, self)
        self._tasks: set[asyncio.Task[object]] = set()
        self._looking: asyncio.TimerHandle | None = None

    async def open(self) -> None:
        """Open the store, settle what a kill left half done, and begin to follow other processes."""
        await self.store.open()
        if self.store.problem is None and any((self._engine.home.journal / "begun").glob("*")):
            await self.journal.recover()
        if self._engine.kind == "window":
            self._aside(self._begin_servers())
        if self.store.problem is None and any((self._engine.home.journal / "ran").glob("*")):
            self._aside(self._settle_commands())
        self.store.watch(self._news.take)

    async def _begin_servers(self) -> None:
        """Start the servers, and wait for timers, behind the window."""
        await asyncio.sleep(_SERVERS_AFTER)
        if self.store.problem is None:
            self.daily.timers.begin()
        await self.elsewhere.look_at_servers()

    async def _settle_commands(self) -> None:
        await self.snapshots.recover()

    def _aside(self, work: Coroutine[Any, Any, object]) -> None:
        """Do what nobody waits for; the end of the app does not wait for it either."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def close(self) -> None:
        """End turns, jobs and models, as far as they were ever made, and close the store."""
        if self._looking is not None:
            self._looking.cancel()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if self.turns_made is not None:
            await self.turns_made.close()
        if "attachments" in self.__dict__:
            self.attachments.close()
        for name in ("daily", "elsewhere", "jobs", "models", "sandbox"):
            if name in self.__dict__:
                await getattr(self, name).close()
        if "memory" in self.__dict__ and self._engine.kind == "window" and self.store.problem is None:
            await self.memory.forget_put_away()
        await self.store.close()

    @cached_property
    def daily(self) -> Daily:
        """Questions of models to the person, and timers."""
        from app.capabilities.daily import Daily

        return Daily(self.store, self._engine.emit, self._engine.clock)

    @cached_property
    def copies(self) -> Copies:
        """The facade over the store as a whole."""
        from app.store.copies import Copies

        return Copies(self.store, self._engine.home.backups, self._engine.clock)

    @cached_property
    def attachments(self) -> Attachments:
        """The files that go with messages."""
        from app.conversation.attachments import Attachments

        return Attachments(self._engine.home.pictures)

    def forget_keys(self, name: str = "") -> None:
        """Read a key again at the next need, "" for all, where any were read."""
        if "models" in self.__dict__:
            self.models.forget_known(name)

    @property
    def turns_made(self) -> Turns | None:
        """The turns, None while this process had none."""
        found: Turns | None = self.__dict__.get("turns")
        return found

    def _failed(self, problem: Problem | None) -> None:
        self._engine.emit(StoreHealed() if problem is None else StoreFailed(problem=problem))

    @cached_property
    def models(self) -> Models:
        """Profiles, keys, the client and the model in the app."""
        from app.models.models import Models

        engine = self._engine
        return Models(
            engine.home,
            engine.environ,
            lambda: engine.settings,
            engine.change_settings,
            engine.emit,
            engine.tell_settings,
        )

    @cached_property
    def journal(self) -> Journal:
        """What was changed in files, and what stood there before."""
        from app.changes.journal import Journal
        from app.platform.trash import home_trash

        return Journal(
            self.store,
            self._engine.home.journal,
            self._engine.clock,
            home_trash(self._engine.environ),
        )

    @cached_property
    def book(self) -> Book:
        """The file of saved rules."""
        from app.permissions.book import Book, rules_path

        return Book(rules_path(self._engine.home.settings))

    @cached_property
    def rules(self) -> Rules:
        """The facade over the saved rules."""
        from app.permissions.facade import Rules

        return Rules(self.book, self.store, self._engine.emit, self.questions.reconsider)

    @cached_property
    def skills(self) -> Skills:
        """The facade over skills."""
        from app.toolbox.skills import choices, places
        from app.toolbox.skills.facade import Skills
        from app.toolbox.skills.shelf import Shelf

        home = self._engine.home
        file = choices.ChoiceFile(home.data / choices.NAME)
        shelf = Shelf(places.person(home), file, home=Path.home())
        return Skills(shelf, self._engine.clock, self._told, partial(self._tell, "skills", SkillsChanged()))

    async def _told(self, session: str) -> tuple[SessionInfo, list[Message]]:
        """Return a conversation and its shown branch. Raises BrambleError no_session."""
        info = await self.store.read(sessions.get, session)
        if info is None:
            raise BrambleError("no_session", f"There is no conversation {session}.", session=session)
        return info, await self.store.read(messages.branch, session)

    @cached_property
    def instructions(self) -> Instructions:
        """The facade over the instructions of projects."""
        from app.conversation.instructions import Instructions

        tell = partial(self._tell, "instructions", InstructionsChanged())
        return Instructions(self.store, self._engine.clock, tell, Path.home())

    async def _tell(self, kind: feed.FeedKind, event: Event) -> None:
        """Let windows read something again, here and in other processes."""
        if self.store.problem is None:
            await self.store.write(feed.append, kind)
        self._engine.emit(event)

    @cached_property
    def memory(self) -> Memory:
        """The facade over what is remembered."""
        from app.memory.making import make_memory

        return make_memory(self.store, self._engine.home, self._engine.clock, self._engine.emit)

    @cached_property
    def lookups(self) -> Lookups:
        """The facade over the counters of searches for tools."""
        from app.toolbox.lookups import Lookups

        return Lookups(self.store, self._engine.clock)

    @cached_property
    def elsewhere(self) -> Elsewhere:
        """The tools that are not ours."""
        from app.toolbox.elsewhere import Elsewhere

        engine = self._engine
        return Elsewhere(
            engine.home,
            engine.environ,
            lambda: self.registry,
            probe=lambda: self.sandbox.found(),
            emit=engine.emit,
            store=self.store,
            clock=engine.clock,
        )

    @cached_property
    def changes(self) -> Changes:
        """The facade over the journal."""
        from app.changes.facade import Changes

        return Changes(self.journal, self._engine.emit, lambda change: self.memory.undo(change))

    @cached_property
    def jobs(self) -> Jobs:
        """All commands that run."""
        from app.capabilities.jobs import Jobs

        engine = self._engine
        return Jobs(
            engine.home.spill,
            engine.environ,
            lambda job: engine.emit(JobChanged(session=job.session, job=job)),
        )

    @cached_property
    def sandbox(self) -> Sandbox:
        """Where commands run."""
        from app.capabilities.sandbox import Sandbox
        from app.permissions.places import is_secret

        engine = self._engine
        return Sandbox(
            engine.home,
            engine.environ,
            wanted=lambda: engine.settings.sandbox == "auto",
            secret=is_secret,
            tell=lambda problem: engine.emit(Noticed(problem=problem)),
        )

    @cached_property
    def snapshots(self) -> Snapshots:
        """What commands change in working folders."""
        from app.changes.snapshot import Snapshots

        return Snapshots(self.journal, self._engine.emit)

    @cached_property
    def running(self) -> Running:
        """The facade over the jobs."""
        from app.capabilities.running import Running

        return Running(self.jobs)

    @cached_property
    def turns(self) -> Turns:
        """All conversations of this process."""
        from app.conversation.turns import Turns

        return Turns(self._means)

    def _means(self) -> Means:
        """Load what only turns and tools need, and look at the sandbox soon."""
        from app.means import means_of

        self._looking = asyncio.get_running_loop().call_later(_LOOK_AFTER, self._look_at_sandbox)
        return means_of(self._engine, self)

    @cached_property
    def registry(self) -> Registry:
        """All tools: ours, those of servers, and the person's own."""
        from app.toolbox.registry import load_registry

        return load_registry()

    @cached_property
    def contexts(self) -> Everyday:
        """The capabilities of tools."""
        from app.contexts import contexts_of

        return contexts_of(self._engine, self, self._helpers)

    def _helpers(self, session: str, gate: Gate, progress: Callable[[str], None]) -> Helpers:
        """Return what starts helpers for a call of this session."""
        from app.conversation.delegating import Delegation

        return Delegation(lambda: self.turns, self.sessions, session, gate, progress)

    def _look_at_sandbox(self) -> None:
        self._aside(self.sandbox.look())

    def called(self, tool: str) -> None:
        """Count a call of a tool that was found."""
        self._aside(self.lookups.called(tool))

    async def stopped(self, session: str) -> None:
        """End what the commands of a stopped turn left running."""
        if "jobs" in self.__dict__:
            await self.jobs.stop_left_behind(session)

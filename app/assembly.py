"""Put the parts of an engine together: which object gets which, and what news of other processes becomes
of.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.capabilities.approvals import Approvals
from app.capabilities.jobs import Jobs
from app.capabilities.questions import Questions
from app.capabilities.running import Running
from app.changes.facade import Changes
from app.changes.journal import Journal
from app.conversation.sessions import Sessions
from app.conversation.turns import Turns
from app.events import (
    ApprovalAnswered,
    ApprovalAsked,
    ChangeMade,
    Event,
    JobChanged,
    MessageStored,
    QueueChanged,
    SessionChanged,
    StoreFailed,
    StoreHealed,
)
from app.models.models import Models
from app.platform.paths import Home
from app.records import Problem
from app.store import approvals, messages, queue, sessions
from app.store.database import Store
from app.store.feed import FeedRow

if TYPE_CHECKING:
    from app.conversation.turn_run import Means
    from app.engine import Engine


@dataclass(frozen=True)
class Assembled:
    """What an engine is made of."""

    store: Store
    sessions: Sessions
    approvals: Approvals
    models: Models
    turns: Turns
    jobs: Jobs
    running: Running
    journal: Journal
    changes: Changes


async def assemble(engine: Engine) -> Assembled:
    """Open the store and build everything that is cheap; tools and wires are loaded at their first need."""

    def failed(problem: Problem | None) -> None:
        engine.emit(StoreHealed() if problem is None else StoreFailed(problem=problem))

    store = Store(engine.home.database, engine.clock, backups=engine.home.backups, failed=failed)
    await store.open()
    models = Models(engine.home, engine.environ, lambda: engine.settings, engine.change_settings, engine.emit)
    questions = Questions(store, engine.emit, engine.clock)
    journal = Journal(store, engine.home.journal, engine.clock)
    jobs = Jobs(
        engine.home.spill, engine.environ, lambda job: engine.emit(JobChanged(session=job.session, job=job))
    )
    turns = Turns(lambda: _means(engine, store, models, questions, jobs, journal))
    if store.problem is None:
        await journal.recover()
    news = News(store, questions, engine.emit)
    store.watch(news.take)
    return Assembled(
        store=store,
        sessions=Sessions(store, engine.home, engine.emit, lambda: engine.settings, engine.clock),
        approvals=Approvals(store, questions),
        models=models,
        turns=turns,
        jobs=jobs,
        running=Running(jobs),
        journal=journal,
        changes=Changes(journal, engine.emit),
    )


def _means(
    engine: Engine, store: Store, models: Models, questions: Questions, jobs: Jobs, journal: Journal
) -> Means:
    """Load what only turns and tools need."""
    from app.capabilities.context import Contexts
    from app.capabilities.files import FileWorld
    from app.conversation.turn_run import Means
    from app.toolbox.call import ToolCalls
    from app.toolbox.output import Spill
    from app.toolbox.registry import load_registry

    own = own_folders(engine.home)
    spill = str(engine.home.spill.resolve())
    files = FileWorld(journal, engine.emit, secrets=own, open=(spill,), environ=engine.environ)
    return Means(
        store=store,
        emit=engine.emit,
        client=models.client,
        calls=ToolCalls(load_registry(), Contexts(jobs, files).make, Spill(engine.home.spill)),
        questions=questions,
        settings=lambda: engine.settings,
        resolve=models.resolve,
        preview=models.preview,
        stopped=jobs.stop_left_behind,
        own_folders=own,
        clock=engine.clock,
    )


def own_folders(home: Home) -> tuple[str, ...]:
    """Return the files and folders that steer this app; the empty working folders that it hands out are not
    among them.
    """
    database = home.database
    files = (home.settings, database, database.with_name(f"{database.name}-wal"))
    folders = (home.keys, home.spill, home.journal, home.backups, home.weights, home.logs, home.runtime)
    return tuple(str(path.resolve()) for path in (*files, *folders))


class News:
    """Turns what other processes changed into events of ours."""

    def __init__(self, store: Store, questions: Questions, emit: Callable[[Event], None]) -> None:
        self._store = store
        self._questions = questions
        self._emit = emit
        self._tasks: set[asyncio.Task[None]] = set()

    def take(self, rows: tuple[FeedRow, ...]) -> None:
        """Take the rows of one look; the reading happens in a task of its own."""
        task = asyncio.create_task(self._tell(rows), name="news of other processes")
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _tell(self, rows: tuple[FeedRow, ...]) -> None:
        if any(row.kind in ("approval", "missed") for row in rows):
            await self._questions.look()
        for kind, session, ref in dict.fromkeys((row.kind, row.session, row.ref) for row in rows):
            event = await self._event(kind, session, ref)
            if event is not None:
                self._emit(event)

    async def _event(self, kind: str, session: str, ref: str) -> Event | None:
        if kind == "session":
            return SessionChanged(session=session, info=await self._store.read(sessions.get, session))
        if kind == "message":
            message = await self._store.read(messages.get, ref)
            return MessageStored(session=session, message=message) if message else None
        if kind == "queue":
            return QueueChanged(session=session, queued=tuple(await self._store.read(queue.waiting, session)))
        if kind == "approval":
            approval = await self._store.read(approvals.get, ref)
            return (
                ApprovalAsked(session=session, approval=approval)
                if approval
                else ApprovalAnswered(session=session, approval=ref)
            )
        if kind == "change":
            return ChangeMade(session=session, change=ref)
        return None

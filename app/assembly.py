"""Put the parts of an engine together: which object gets which, and what news of other processes becomes
of.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
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
    models = Models(
        engine.home,
        engine.environ,
        lambda: engine.settings,
        engine.change_settings,
        engine.emit,
        engine.tell_settings,
    )
    questions = Questions(store, engine.emit, engine.clock)
    journal = Journal(store, engine.home.journal, engine.clock)
    jobs = Jobs(
        engine.home.spill, engine.environ, lambda job: engine.emit(JobChanged(session=job.session, job=job))
    )
    turns = Turns(lambda: _means(engine, store, models, questions, jobs, journal))
    if store.problem is None:
        await journal.recover()
    news = News(engine, store, questions, turns)
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
        used=models.used,
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
    """Turns what other processes changed into events of ours, and follows their wishes."""

    def __init__(self, engine: Engine, store: Store, questions: Questions, turns: Turns) -> None:
        self._engine = engine
        self._store = store
        self._questions = questions
        self._turns = turns
        self._tasks: set[asyncio.Task[None]] = set()

    def take(self, rows: tuple[FeedRow, ...]) -> None:
        """Take the rows of one look; the reading happens in a task of its own."""
        task = asyncio.create_task(self._tell(rows), name="news of other processes")
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _tell(self, rows: tuple[FeedRow, ...]) -> None:
        for kind, session, ref in dict.fromkeys((row.kind, row.session, row.ref) for row in rows):
            for event in await self._events(kind, session, ref):
                self._engine.emit(event)

    async def _events(self, kind: str, session: str, ref: str) -> Sequence[Event]:
        if kind in ("approval", "missed"):
            await self._questions.look()
        match kind:
            case "session":
                return [SessionChanged(session=session, info=await self._store.read(sessions.get, session))]
            case "message":
                message = await self._store.read(messages.get, ref)
                return [MessageStored(session=session, message=message)] if message else []
            case "queue":
                waiting = await self._store.read(queue.waiting, session)
                return [QueueChanged(session=session, queued=tuple(waiting))]
            case "approval":
                approval = await self._store.read(approvals.get, ref)
                gone = ApprovalAnswered(session=session, approval=ref)
                return [ApprovalAsked(session=session, approval=approval) if approval else gone]
            case "change":
                return [ChangeMade(session=session, change=ref)]
            case "settings":
                await self._engine.settings_changed()
            case "stop":
                await self._turns.stop_wished(session)
            case "missed":  # too much at once, or a backup was put in place: everything is told again
                infos = await self._store.read(sessions.list_sessions)
                return [SessionChanged(session=info.id, info=info) for info in infos]
        return []

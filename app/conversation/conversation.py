"""One session while it lives in this process: takes what the person says, owns the running turn, and goes
on with what is queued.
"""

from __future__ import annotations

import asyncio
import logging
from typing import Literal

from app.conversation.by_hand import make_room
from app.conversation.ending import broken_off, no_answer
from app.conversation.limits import Purse, Tally
from app.conversation.means import Means
from app.conversation.mending import mended, note_failure
from app.conversation.ownership import Ownership
from app.conversation.progress import UNANSWERED
from app.conversation.spoken import SpokenTurn
from app.conversation.turn import Ending
from app.conversation.turn_run import TurnRun
from app.errors import BrambleError
from app.events import QueueChanged, SessionChanged, StoreFailed, TurnEnded, TurnStarted
from app.platform.ids import new_id
from app.records import Problem, Queued, Sent, TurnOptions
from app.store import queue, sessions

log = logging.getLogger(__name__)


class Conversation:
    """The turns of one session, one at a time across all processes (a lease row says whose it is)."""

    def __init__(self, means: Means, session: str) -> None:
        self.means = means
        self.session = session
        self._task: asyncio.Task[None] | None = None
        self._ended: TurnEnded | None = None
        self._line = asyncio.Lock()
        """Held while something is queued, and while the running turn looks whether anything is."""
        self._leaving = False
        """The running turn has found nothing more to do: what comes now begins a turn of its own."""
        self._lost = False
        """Another process took the session over while this one slept."""
        self._spoken: SpokenTurn | None = None
        """The turn with words that runs."""
        self.purse: Purse | None = None
        """Of the turn that this one works for."""
        self._wish = asyncio.Event()
        """Set when the person lets the fall-back model answer the request that waits now."""
        self._compaction: TurnEnded | None = None
        """How the last compaction that a person wished for ended."""
        self._ownership = Ownership(means, session, self.show_queue, self._taken_over)

    @property
    def running(self) -> bool:
        """Whether this process runs a turn of the session, or waits for its turn to begin."""
        return self._task is not None and not self._task.done()

    @property
    def now(self) -> TurnRun | None:
        """The loop of the turn that runs, for who works for it."""
        return self._spoken.now if self._spoken else None

    async def send(self, text: str, options: TurnOptions) -> Sent:
        """Begin a turn with `text`, or queue it behind the running one."""
        async with self._line:
            if self.running and not self._leaving:
                return Sent(queued=(await self._put(text, "next")).id)
            leaving = self._task
        if leaving is not None:
            await asyncio.gather(asyncio.shield(leaving), return_exceptions=True)
        return Sent(turn=self._begin(text, options))

    def _begin(self, text: str | None, options: TurnOptions) -> str:
        turn = new_id(self.means.clock())
        self._ended, self._leaving, self._lost = None, False, False
        self._wish.clear()
        self._task = asyncio.create_task(self._run(text, options, turn), name=f"turns of {self.session}")
        return turn

    async def compact(self, options: TurnOptions) -> TurnEnded | None:
        """Summarise the older messages now, as a turn without words, and return how that ended.

        Raises BrambleError session_busy while a turn runs.
        """
        async with self._line:
            if self.running and not self._leaving:
                raise BrambleError("session_busy", "A turn runs.", session=self.session)
            leaving = self._task
        if leaving is not None:
            await asyncio.gather(asyncio.shield(leaving), return_exceptions=True)
        self._compaction = None
        self._begin(None, options)
        ended = await self.wait()
        return self._compaction or ended

    async def enqueue(self, text: str, kind: Literal["steer", "next"]) -> Queued:
        """Keep `text` for the running turn (steer) or for after it (next)."""
        async with self._line:
            return await self._put(text, kind)

    async def _put(self, text: str, kind: Literal["steer", "next"]) -> Queued:
        item = Queued(id=new_id(self.means.clock()), session=self.session, text=text, kind=kind)
        await self.means.store.write(queue.add, item)
        await self.show_queue()
        return item

    async def show_queue(self) -> None:
        """Tell front ends what waits."""
        waiting = await self.means.store.read(queue.waiting, self.session)
        self.means.emit(QueueChanged(session=self.session, queued=tuple(waiting)))

    def switch(self) -> bool:
        """Let the fall-back model answer the request that waits; false where nothing runs."""
        if self.running:
            self._wish.set()
        return self.running

    def _taken_over(self) -> None:
        if self._task is not None:
            self._lost = True
            self._task.cancel()

    async def stop(self) -> None:
        """Stop the running turn and return when it has ended; what is queued stays queued."""
        if self._task is not None and not self._task.done():
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def wait(self) -> TurnEnded | None:
        """Return how the last turn ended, once nothing runs any more."""
        if self._task is not None:
            await asyncio.gather(asyncio.shield(self._task), return_exceptions=True)
        return self._ended

    # --- turns ---------------------------------------------------------------------------------------------

    async def _run(self, text: str | None, options: TurnOptions, turn: str) -> None:
        """Run a turn, then what waits, as the session's only owner; without words, summarise instead of the
        first turn. Nothing ends it without a TurnEnded.
        """
        owned = self._ownership.held_now() if text is None else self._ownership.held(text)
        try:
            async with owned as item:
                if text is None:
                    self._compaction = await self._one_turn(None, options, turn)
                    item, turn = await self._following(), new_id(self.means.clock())
                while item is not None:
                    ended = await self._one_turn(item, options, turn)
                    if ended.stop in ("failed", "cut"):
                        return  # what waits is left to the person
                    item, turn = await self._following(), new_id(self.means.clock())
        except BrambleError as error:  # the session could not be taken or given back: the store is in trouble
            self._tell_end(turn, no_answer("failed", error.problem))
        except asyncio.CancelledError:
            if self._ended is None:  # stopped while it waited for the session
                self._tell_end(turn, no_answer("stopped"))
            raise
        finally:
            self._leaving = True

    async def _following(self) -> Queued | None:
        """Return what waits: a steering message that came too late for its turn first. None: the turn
        leaves.
        """
        async with self._line:
            store = self.means.store
            waiting = await store.read(queue.due, self.session, "steer")
            waiting += await store.read(queue.due, self.session, "next")
            self._leaving = not waiting
            return waiting[0] if waiting else None

    async def _one_turn(self, item: Queued | None, options: TurnOptions, turn: str) -> TurnEnded:
        """Run one turn to whatever end it has; only a stop goes on to the caller, after the turn was
        closed. A border: whatever else fails is logged and ends the turn in sight.
        """
        self.means.emit(TurnStarted(session=self.session, turn=turn))
        stopped, tally = False, Tally(purse=self.purse if options.delegated and self.purse else Purse())
        try:
            ending = await self._working(item, options, turn, tally)
        except asyncio.CancelledError:
            stopped = not self._lost
            busy = Problem(code="session_busy", fields={"session": self.session})
            ending = broken_off("failed", tally, busy) if self._lost else broken_off("stopped", tally)
        except BrambleError as error:
            ending = no_answer("failed", error.problem)
        except Exception as error:
            log.exception("a turn of %s failed", self.session)
            ending = no_answer(
                "failed", Problem(code="internal", detail=f"{type(error).__name__}: {error}"[:500])
            )
        ended = await asyncio.shield(self._close(turn, ending, spoken=item is not None))
        if stopped:
            raise asyncio.CancelledError
        return ended

    async def _working(self, item: Queued | None, options: TurnOptions, turn: str, tally: Tally) -> Ending:
        if item is None:
            branch = await mended(self.means, self.session)
            return await make_room(self.means, self.session, branch, options, turn, tally)
        self._spoken = SpokenTurn(
            self.means,
            item,
            options,
            turn,
            tally,
            wish=self._wish,
            show_queue=self.show_queue,
            lost=lambda: self._lost,
        )
        try:
            return await self._spoken.run()
        finally:
            self._spoken = None

    async def _close(self, turn: str, ending: Ending, *, spoken: bool) -> TurnEnded:
        info = None
        unseen = ending.rounds == 0 or (ending.problem and ending.problem.code in UNANSWERED)
        try:
            if not self._lost:
                await mended(self.means, self.session)
            if ending.stop == "stopped" or self._lost:
                await self.means.stopped(self.session)
            if spoken and unseen and ending.problem is not None and not self._lost:
                await note_failure(self.means, self.session, turn, ending.problem)
            info = await self.means.store.read(sessions.get, self.session)
        except BrambleError as error:
            self.means.emit(StoreFailed(session=self.session, problem=error.problem))
        ended = self._tell_end(turn, ending)
        if info is not None:
            self.means.emit(SessionChanged(session=self.session, info=info))
        return ended

    def _tell_end(self, turn: str, ending: Ending) -> TurnEnded:
        self._ended = TurnEnded(
            session=self.session,
            turn=turn,
            stop=ending.stop,
            rounds=ending.rounds,
            usage=ending.usage,
            cost=ending.cost,
            problem=ending.problem,
        )
        self.means.emit(self._ended)
        return self._ended

"""A turn with words: keeps what was said, makes its beginning and the way to the model ready side by side,
and runs the loop.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

from app.conversation.attaching import attached_marks, pictures_of
from app.conversation.effective import effective
from app.conversation.ending import no_answer, title_of
from app.conversation.held_up import told_of
from app.conversation.limits import Tally
from app.conversation.means import Means
from app.conversation.mending import mended
from app.conversation.offering import UNMADE, Opening, context_of, opening, settled
from app.conversation.only import only_of
from app.conversation.remembering import reminders
from app.conversation.turn import Ending, run_turn
from app.conversation.turn_run import TurnRun
from app.errors import BrambleError
from app.events import MessageStored, SessionChanged
from app.models.profile import Profile
from app.models.profiles import quirks_of
from app.permissions.marks import merged
from app.platform.ids import new_id
from app.records import Message, Queued, SessionInfo, TurnOptions
from app.store import queue, sessions, spend


class SpokenTurn:
    """One turn that begins with words of the person, or with the task of another conversation."""

    def __init__(
        self,
        means: Means,
        item: Queued,
        options: TurnOptions,
        turn: str,
        tally: Tally,
        *,
        wish: asyncio.Event,
        show_queue: Callable[[], Awaitable[None]],
        lost: Callable[[], bool],
    ) -> None:
        """`wish` is set when the fall-back model shall answer; `lost` says whether another process has taken
        the session over, so that nothing of this turn may be stored any more.
        """
        self.means = means
        self.session = item.session
        self.now: TurnRun | None = None
        """The loop while it runs."""
        self._item = item
        self._options = options
        self._turn = turn
        self._tally = tally
        self._wish = wish
        self._show_queue = show_queue
        self._lost = lost
        # What a person queued is theirs, whoever's turn it waited for.
        self._task = options if options.delegated and not item.id else None

    async def run(self) -> Ending:
        """Run it to its end. Raises BrambleError where it cannot begin: no_session, no_folder, what
        `Models.resolve` and the store raise.
        """
        store = self.means.store
        history = effective(await mended(self.means, self.session))
        info = await store.read(sessions.get, self.session)
        if info is None:
            raise BrambleError("no_session", f"There is no session {self.session}.", session=self.session)
        # A key may have to come out of a keyring: that is waited for while the rest is made ready.
        resolving = asyncio.ensure_future(self.means.resolve(self._options.model or info.model))
        try:
            with told_of(resolving, self.means.emit, self.session, self._turn):
                return await self._with(resolving, history, info)
        finally:
            resolving.cancel()
            await asyncio.gather(resolving, return_exceptions=True)

    async def _with(
        self, resolving: Awaitable[tuple[Profile, str]], history: list[Message], info: SessionInfo
    ) -> Ending:
        store, mode, words = self.means.store, self._options.mode or info.mode, self._item.text
        try:
            place = await self.means.preview(self._options.model or info.model)
            only = await only_of(store, info)
            begun = await opening(
                self.means, self.session, words, mode, info.cwd, quirks_of(*place), only=only
            )
        except BaseException:  # what the person said is kept, whatever ends the turn before it begins
            if not self._lost():
                await asyncio.shield(self._say(history, info, UNMADE))
            raise
        said = await self._say(history, info, begun)
        if said is None:
            return no_answer("done")  # the person took it back a moment ago
        history.append(said)
        if not Path(info.cwd).is_dir():
            raise BrambleError("no_folder", f"The working folder {info.cwd} is gone.", path=info.cwd)
        real = await resolving
        begun = await settled(self.means, self.session, begun, place, real, words, mode, info.cwd)
        run = TurnRun(
            self.means,
            info,
            self._options,
            self._turn,
            real,
            prefix=begun.prefix,
            head=said.id,
            spent_before=await store.read(spend.spent, spend.day_of(self.means.clock())),
            tally=self._tally,
            wish=self._wish,
            only=only,
        )
        if problem := run.cap(self._tally):  # used up before it began
            return no_answer("budget", problem)
        self.now = run
        try:
            return await run_turn(run.parts(), history, self._tally)
        finally:
            self.now = None

    async def _say(self, history: list[Message], info: SessionInfo, begun: Opening) -> Message | None:
        """Store what was said; the first words become the title of a session that has none. None: it is in
        the queue no more.
        """
        item = self._item
        message = await self._message(history, info, begun)
        title = "" if info.title else title_of(item.text)
        if not await self.means.store.write(queue.say, message, item.id, title, begun.keep):
            return None
        self.means.emit(MessageStored(session=self.session, message=message))
        if item.id:
            await self._show_queue()
        if title:
            titled = await self.means.store.read(sessions.get, self.session)
            self.means.emit(SessionChanged(session=self.session, info=titled))
        return message

    async def _message(self, history: list[Message], info: SessionInfo, begun: Opening) -> Message:
        """Return what was said as a message, with what goes with it. A task comes from the model of another
        conversation, and carries its sources for good.
        """
        text, task, now = self._item.text, self._task, self.means.clock()
        context, codes = context_of(
            self.means, begun, history, self._options.mode or info.mode, info.cwd, now
        )
        notes = await reminders(
            self.means, (self.session, info.cwd), text, begun.prefix, history, own=task is None
        )
        return Message(
            id=new_id(now),
            session=self.session,
            parent=info.head,
            turn=self._turn,
            role="user",
            created=now,
            text=text,
            by_model=task is not None,
            pictures=() if task else pictures_of(text),
            marks=merged(task.marks if task else (), await attached_marks(text, info.cwd), notes.marks),
            context="\n".join(filter(None, (context, notes.text))),
            told=(*codes, *notes.codes),
        )

"""What one turn needs of the outside, bound to its session, model and rights: the model, the tools, the
store.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing

import msgspec

from app.conversation import pictures
from app.conversation.answer import Answer
from app.conversation.attaching import attached_marks, pictures_of
from app.conversation.budget import Budget, after
from app.conversation.calling import Calling
from app.conversation.compaction import Room
from app.conversation.fall_back import SWITCH, FallBack, fall_back, offered, taken
from app.conversation.fence import Surroundings
from app.conversation.limits import Tally, cap, reached, without
from app.conversation.means import Means
from app.conversation.offering import joined, way_of
from app.conversation.prefix import Prefix
from app.conversation.progress import does_not_fit
from app.conversation.requesting import with_history
from app.conversation.turn import Parts, ToolChoice
from app.errors import BrambleError, ModelError
from app.events import (
    ContextMeasured,
    MessageStored,
    Noticed,
    QueueChanged,
)
from app.models import catalogue
from app.models.profile import Profile, Quirks
from app.models.profiles import quirks_of
from app.models.request import ModelEvent, ModelRequest, PicturesRefused, ToolSchema
from app.permissions.policy import Policy
from app.platform.ids import new_id
from app.platform.plain_text import visible
from app.records import (
    Message,
    Problem,
    SessionInfo,
    TurnOptions,
)
from app.store import queue, spend
from app.toolbox.activation import Evidence
from app.toolbox.call import Scope, Way
from app.toolbox.finder import schema_line
from app.toolbox.registry import Only


class TurnRun:
    """What one turn needs of the outside, bound to its session, model and rights."""

    def __init__(
        self,
        means: Means,
        info: SessionInfo,
        options: TurnOptions,
        turn: str,
        model: tuple[Profile, str],
        *,
        prefix: Prefix,
        head: str,
        spent_before: spend.Spent,
        tally: Tally,
        wish: asyncio.Event,
        only: Only = None,
    ) -> None:
        self.means = means
        self.info = info
        self.turn = turn
        self.home = options.delegated or (info.id, turn)
        """Where what is done belongs: a helper's calls count as those of the turn that it works for."""
        self.profile, self.model = model
        self.mode = options.mode or info.mode
        self.prefix = prefix
        self.evidence = Evidence()
        self.favour: frozenset[str] = frozenset()
        self.last_id = head
        self.spent_before = spent_before
        self.around = Surroundings()
        self.options = options
        self.only = only
        self.room = Room(means, info.id, turn, tally, self._cap)
        self._wish = wish
        self.policy()  # a rule of the options that cannot be read ends the turn before it begins
        if problem := means.rights.news():
            means.emit(Noticed(session=info.id, problem=problem))

    @property
    def quirks(self) -> Quirks:
        """Of the model that answers now, which a fall-back changes."""
        return quirks_of(self.profile, self.model)

    @property
    def way(self) -> Way:
        """How that model calls tools beyond the offered ones."""
        return way_of(self.quirks)

    def parts(self) -> Parts:
        """Return what the loop of the turn is made of."""
        limits, rounds = self.means.settings().limits, self.options.max_rounds
        calling = Calling(self)
        return Parts(
            ask_model=self.ask_model,
            run_call=calling.run,
            skip_call=calling.skip,
            reads=self.means.calls.reads,
            steered=self.steered,
            cap=self.cap,
            once=self.quirks.small_local,
            limits=msgspec.structs.replace(limits, rounds=rounds) if rounds else limits,
        )

    def policy(self) -> Policy:
        """Return what may happen now: rules and untrusted sources come and go within a turn."""
        return self.means.rights.policy(
            self.home[0],
            self.info.cwd,
            self.options,
            marks=self.around.marks,
            named_hosts=self.around.hosts,
            found_hosts=self.around.found,
        )

    def scope(self) -> Scope:
        """Return where and under what rights a call runs that begins now."""
        return Scope(
            session=self.home[0],
            turn=self.home[1],
            cwd=self.info.cwd,
            mode=self.mode,
            policy=self.policy(),
            renew=self.policy,
            offered=self.prefix.offered,
            deferred=self.prefix.unloaded if self.way == "native" else frozenset(),
            active=self.evidence.current(self._told),
            favour=self.favour,
            way=self.way,
            only=self.only,
            room=Budget(self.means.client.windows.of(self.profile, self.model)).letters,
        )

    async def ask_model(self, history: list[Message], choice: ToolChoice, round: int) -> Message:
        """See turn.AskModel. Older messages are summarised in `history` where there is no room for more; an
        answer that fails for want of room, or of patience, is asked for once more.
        """
        before = self.last_id
        self.last_id = await self.room.keep(history, await self._base(history), before)
        self._go_on(before)
        try:
            return await self._ask(history, choice, round, frozenset({"overflow", SWITCH}))
        except ModelError as error:
            before = self.last_id
            if not await self._mended(error, history):
                raise
        self._go_on(before)
        return await self._ask(history, choice, round)

    def _go_on(self, before: str) -> None:
        """Raise BrambleError budget where a summary that was made since `before` used up what there was."""
        if self.last_id != before and (problem := self._cap()):
            raise reached(problem)

    def _cap(self) -> Problem | None:
        return cap(self.means.settings().limits, self.room.tally, self.spent_before)

    async def make_room(self, history: list[Message]) -> None:
        """Summarise now what is old, as the person wishes. Raises as Room.make."""
        base = await self._base(history)
        budget = Budget(await self.means.client.window(base))
        self.last_id = await self.room.make(history, base, self.last_id, "asked", budget)

    async def _base(self, history: list[Message]) -> ModelRequest:
        """Return a request without its messages, for the history as it is now."""
        self.around.look(history)
        self.evidence.look(history)
        return ModelRequest(
            profile=self.profile,
            model=self.model,
            system=self.prefix.system,
            tools=await self._tools(),
            deferred=self.prefix.deferred if self.way == "native" else (),
            effort=self.info.effort if self.options.effort is None else self.options.effort,
            session=self.info.id,
            aside=bool(self.info.parent),  # a helper's task is no message of a person
        )

    async def _ask(
        self, history: list[Message], choice: ToolChoice, round: int, mendable: frozenset[str] = frozenset()
    ) -> Message:
        request = with_history(await self._base(history), history)
        images = await pictures.bytes_of(
            self.means.store, self.means.pictures, self.info.id, f"{self.profile.name}/{self.model}", history
        )
        request = msgspec.structs.replace(request, images=images, tool_choice=choice)
        now = self.means.clock()
        message = Message(
            id=new_id(now),
            session=self.info.id,
            parent=self.last_id,
            turn=self.turn,
            role="assistant",
            created=now,
            state="streaming",
            model=f"{self.profile.name}/{self.model}",
            mode=self.mode,
        )
        self.last_id = message.id
        answer = await Answer(self.means.store, self.means.emit, message).run(
            self._stream(request, hurried=SWITCH in mendable),
            round,
            lambda reply: catalogue.cost(self.profile, self.model, reply.usage),
            mendable,
        )
        self._measure(answer)
        await self._look_at_day(answer)
        return answer

    async def _mended(self, error: ModelError, history: list[Message]) -> bool:
        """Make room, or let the person's fall-back model answer; false where neither helps."""
        if error.code == "overflow":
            try:
                self.last_id = await self.room.overflowed(history, await self._base(history), self.last_id)
            except BrambleError as failed:
                if failed.code != "does_not_fit":
                    raise
                # Not for ever: the provider may have refused something else, and the next request asks anew.
                self.means.client.windows.forget(self.profile, self.model)
                raise does_not_fit(error.problem.detail) from error
        elif error.code == SWITCH:
            if other := await taken(self.means, self._other(), self.info.id):
                self.profile, self.model = other
        else:
            return False
        return True

    def _other(self) -> FallBack:
        return fall_back(self.means.settings(), f"{self.profile.name}/{self.model}")

    async def _stream(self, request: ModelRequest, *, hurried: bool) -> AsyncGenerator[ModelEvent, None]:
        """Stream the answer, and say that its model is at work. `hurried` waits for no provider that asks to
        wait, since another model can answer.
        """
        other = self._other() if hurried else FallBack()
        self._wish.clear()
        async with (
            aclosing(self.means.client.stream(request)) as plain,
            aclosing(offered(plain, other, self._wish)) as events,
        ):
            async for event in events:
                self.means.used(self.profile.name, self.model)
                if isinstance(event, PicturesRefused):
                    await self._without_pictures(request)
                yield event

    async def _without_pictures(self, request: ModelRequest) -> None:
        """Go on without what the provider refused, and say so."""
        await pictures.refuse(self.means.store, request)
        name = request.profile.title or request.profile.name
        problem = Problem(code="pictures_refused", fields={"profile": name})
        self.means.emit(Noticed(session=self.info.id, problem=problem))

    def _told(self, name: str) -> str:
        """Return the line on a tool as find_tools would tell it now, for one that is gone something that it
        never told.
        """
        tool = self.means.calls.registry.tools.get(name)
        return visible(schema_line(tool.schema)) if tool is not None else "\0"

    async def _tools(self) -> tuple[ToolSchema, ...]:
        """Return the tools of the next request: those of the prefix, then those that join it."""
        if self.way != "append":
            return self.prefix.tools
        more = await joined(
            self.means, self.info.id, self.mode, self.prefix, self.evidence, keep=True, only=self.only
        )
        return (*self.prefix.tools, *more)

    async def steered(self) -> list[Message]:
        """Let the steering messages that wait enter the branch, as messages of the person."""
        waiting = await self.means.store.read(queue.due, self.info.id, "steer")
        entered = []
        for item in waiting:
            now = self.means.clock()
            message = Message(
                id=new_id(now),
                session=self.info.id,
                parent=self.last_id,
                turn=self.turn,
                role="user",
                created=now,
                text=item.text,
                marks=await attached_marks(item.text, self.info.cwd),
                pictures=pictures_of(item.text),
            )
            if not await self.means.store.write(queue.say, message, item.id):
                continue  # the person took it back a moment ago
            self.last_id = message.id
            self.means.emit(MessageStored(session=self.info.id, message=message))
            entered.append(message)
        if waiting:
            left = await self.means.store.read(queue.waiting, self.info.id)
            self.means.emit(QueueChanged(session=self.info.id, queued=tuple(left)))
        return entered

    async def _look_at_day(self, answer: Message) -> None:
        """Take in what other conversations and processes have used meanwhile, where a day has a cap."""
        limits = self.means.settings().limits
        if limits.day_tokens or limits.day_money:
            now = await self.means.store.read(spend.spent, spend.day_of(self.means.clock()))
            self.spent_before = without(now, self.room.tally, answer)

    def _measure(self, answer: Message) -> None:
        if answer.usage is not None:
            window = self.means.client.windows.of(self.profile, self.model)
            used, exact = after(answer.usage), answer.usage.exact
            self.means.emit(ContextMeasured(session=self.info.id, used=used, window=window, exact=exact))

    def cap(self, tally: Tally) -> Problem | None:
        """Return the cap of the settings that this turn has reached, alone or with what was used today."""
        limits = self.means.settings().limits
        if tally.cost is None and tally.rounds == 1 and (limits.turn_money or limits.day_money):
            self.means.emit(Noticed(session=self.info.id, problem=Problem(code="no_price")))
        return cap(limits, tally, self.spent_before)

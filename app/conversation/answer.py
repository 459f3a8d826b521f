"""One answer of the model: shown as it streams, in the store at least every 250 ms, whole at the end, kept
and marked when cut.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Container
from contextlib import aclosing
from typing import TYPE_CHECKING, Any

import msgspec

from app.errors import BrambleError, ModelError
from app.events import (
    CallStreamed,
    Event,
    MessageStored,
    ReasoningStreamed,
    RequestHeld,
    RequestSent,
    RetryWaited,
    TextStreamed,
)
from app.models.request import (
    CallPart,
    Finished,
    Held,
    ModelEvent,
    PicturesRefused,
    Reasoning,
    Reply,
    Restarted,
    Text,
    Waiting,
)
from app.records import Message, MessageState, Problem
from app.store import messages, spend
from app.store.database import Store

if TYPE_CHECKING:
    import sqlite3

FLUSH_SECONDS = 0.25
"""How much streamed text a power cut may take (product 11)."""


class Answer:
    """Takes the model's events for one message, emits them, and keeps the message in the store up to date."""

    def __init__(self, store: Store, emit: Callable[[Event], None], message: Message) -> None:
        self.store = store
        self.emit = emit
        self.message = message
        self._text: list[str] = []
        self._reasoning: list[str] = []
        self._unsaved_text: list[str] = []
        self._unsaved_reasoning: list[str] = []
        self._flush: asyncio.Task[None] | None = None
        self._failed: BrambleError | None = None
        self._beginning: asyncio.Task[None] | None = None

    async def run(
        self,
        stream: AsyncGenerator[ModelEvent, None],
        round: int,
        price: Callable[[Reply], float | None],
        mendable: Container[str] = (),
    ) -> Message:
        """Store and show the answer that `stream` brings, and count its use. Raises ModelError after the
        partial answer was stored, StoreError when the next piece comes.

        A failure of the codes `mendable` is not shown as one when nothing had arrived: it is tried otherwise.
        """
        # The request leaves meanwhile; nothing of its answer is shown before the answer's row is on the disk.
        self._beginning = asyncio.create_task(self._begin(round), name="begin an answer")
        try:
            reply = await self._take(stream)
        except ModelError as error:
            if error.code in mendable and not (self._text or self._reasoning):
                await self._close("complete", None)
            else:
                await self._close("failed", error.problem)
            raise
        except asyncio.CancelledError:
            await asyncio.shield(self._close("stopped", None))
            raise
        await self._end_flush()
        return await self._put(
            spend.put_counted,
            text=reply.text,
            reasoning=reply.reasoning,
            calls=reply.calls,
            usage=reply.usage,
            cost=price(reply),
            state="complete",
            extra=reply.extra,
            finish=reply.finish,
        )

    async def _begin(self, round: int) -> None:
        await self.store.write(messages.add, self.message)
        self.emit(
            RequestSent(
                session=self.message.session,
                turn=self.message.turn,
                round=round,
                message=self.message.id,
                model=self.message.model,
            )
        )

    async def _has_begun(self) -> None:
        """Wait for the row of the answer. Raises StoreError."""
        if self._beginning is not None:
            await asyncio.shield(self._beginning)
            self._beginning = None

    async def _take(self, stream: AsyncGenerator[ModelEvent, None]) -> Reply:
        async with aclosing(stream) as events:
            async for event in events:
                await self._has_begun()
                if self._failed is not None:
                    raise self._failed
                if isinstance(event, Finished):
                    return event.reply
                if isinstance(event, Restarted):
                    await self._restart()
                elif not isinstance(event, PicturesRefused):
                    self._show(event)
        raise ModelError("cut_stream", "The model's answer ended before it was complete.")

    def _show(self, event: Text | Reasoning | CallPart | Held | Waiting) -> None:
        ids: dict[str, Any] = {"session": self.message.session, "turn": self.message.turn}
        match event:
            case Text(text=text):
                self._add(self._text, self._unsaved_text, text)
                self.emit(TextStreamed(message=self.message.id, text=text, **ids))
            case Reasoning(text=text):
                self._add(self._reasoning, self._unsaved_reasoning, text)
                self.emit(ReasoningStreamed(message=self.message.id, text=text, **ids))
            case CallPart():
                self.emit(
                    CallStreamed(
                        message=self.message.id, index=event.index, name=event.name, size=event.size, **ids
                    )
                )
            case Held():
                self.emit(RequestHeld(why=event.why, provider=event.provider, **ids))
            case Waiting():
                self.emit(
                    RetryWaited(problem=event.problem, seconds=event.seconds, attempt=event.attempt, **ids)
                )

    def _add(self, whole: list[str], unsaved: list[str], text: str) -> None:
        whole.append(text)
        unsaved.append(text)
        if self._flush is None:
            self._flush = asyncio.create_task(self._flush_later(), name="flush streamed text")

    async def _flush_later(self) -> None:
        await asyncio.sleep(FLUSH_SECONDS)
        self._flush = None
        text, reasoning = "".join(self._unsaved_text), "".join(self._unsaved_reasoning)
        self._unsaved_text.clear()
        self._unsaved_reasoning.clear()
        try:
            await self.store.write(messages.append_text, self.message.id, text, reasoning)
        except BrambleError as error:
            self._failed = error  # raised where the stream is read, so that the turn ends with it

    async def _end_flush(self) -> None:
        if self._flush is not None:
            self._flush.cancel()
            await asyncio.gather(self._flush, return_exceptions=True)
            self._flush = None

    async def _restart(self) -> None:
        """A retry begins the answer anew: what was streamed of the cut one goes."""
        await self._end_flush()
        for part in (self._text, self._reasoning, self._unsaved_text, self._unsaved_reasoning):
            part.clear()
        await self._put(messages.put)

    async def _close(self, state: MessageState, problem: Problem | None) -> None:
        await self._has_begun()
        await self._end_flush()
        await self._put(
            messages.put,
            text="".join(self._text),
            reasoning="".join(self._reasoning),
            state=state,
            problem=problem,
        )

    async def _put(self, work: Callable[[sqlite3.Connection, Message], None], **fields: Any) -> Message:
        self.message = msgspec.structs.replace(self.message, **fields)
        await self.store.write(work, self.message)
        self.emit(MessageStored(session=self.message.session, message=self.message))
        return self.message

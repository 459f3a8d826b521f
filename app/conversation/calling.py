"""The calls of a turn: run one, store and show its result, or store why it was not run."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from app.capabilities.asking import Asking
from app.conversation import pictures
from app.conversation.repair import result_of
from app.events import MessageStored, ToolFinished, ToolProgressed, ToolStarted
from app.platform.ids import new_id
from app.records import Message, ToolCall
from app.store import messages
from app.toolbox.bridge import BRIDGE, shown

if TYPE_CHECKING:
    from app.conversation.turn_run import TurnRun


class Calling:
    """Runs the calls of one turn's answers."""

    def __init__(self, run: TurnRun) -> None:
        self._run = run
        self._means = run.means
        self._ids: dict[str, Any] = {"session": run.info.id, "turn": run.turn}

    async def run(self, answer: Message, call: ToolCall) -> Message:
        """Run one call, store and show its result; one of use_tool as that of the tool it names."""
        bridged = call.name == BRIDGE
        call = shown(call)
        verb, subject = self._means.calls.label(call)
        self._means.emit(ToolStarted(message=answer.id, call=call, verb=verb, subject=subject, **self._ids))
        outcome = await self._means.calls.run(
            call,
            self._run.scope(),
            self._asking(call),
            lambda text: self._means.emit(ToolProgressed(call=call.id, text=text, **self._ids)),
        )
        result = await self._add_seen(
            Message(
                id=new_id(),
                session=self._run.info.id,
                parent=self._run.last_id,
                turn=self._run.turn,
                role="tool",
                created=self._means.clock(),
                text=outcome.text,
                call=call.id,
                tool=call.name,
                verb=verb,
                subject=subject,
                ok=outcome.ok,
                summary=outcome.summary,
                view=outcome.view,
                seconds=outcome.seconds,
                undo=outcome.undo,
                marks=outcome.marks,
                arguments=call.arguments if bridged else "",
            ),
            outcome.images,
        )
        self._run.around.take(result.marks)
        await self._learn(result)
        self._means.emit(
            ToolFinished(
                call=call.id,
                tool=call.name,
                ok=outcome.ok,
                summary=outcome.summary,
                text=outcome.text,
                seconds=outcome.seconds,
                view=outcome.view,
                undo=outcome.undo,
                decision=outcome.decision,
                **self._ids,
            )
        )
        return result

    async def skip(self, answer: Message, call: ToolCall, why: str) -> Message:
        """Store a result for a call that was not run."""
        bridged = call.name == BRIDGE
        call = shown(call)
        verb, subject = self._means.calls.label(call)
        result = result_of(call, answer, why, message=new_id(), created=self._means.clock())
        result = await self._add(
            msgspec.structs.replace(
                result,
                verb=verb,
                subject=subject,
                summary="not run",
                arguments=call.arguments if bridged else "",
            )
        )
        self._means.emit(
            ToolFinished(
                call=call.id,
                tool=call.name,
                ok=False,
                summary="not run",
                text=why,
                seconds=0.0,
                **self._ids,
            )
        )
        return result

    def _asking(self, call: ToolCall) -> Asking:
        session, turn = self._run.home
        return Asking(
            self._means.questions,
            self._means.rules,
            self._means.emit,
            self._run.policy,
            session,
            turn,
            call.id,
            call.name,
            self._run.info.cwd,
        )

    async def _learn(self, result: Message) -> None:
        """Take down what a result says of tools: a loaded one was called, a skill suggests some."""
        run = self._run
        if result.tool not in run.prefix.offered and result.tool in self._means.calls.registry.tools:
            self._means.called(result.tool)
        if loaded := self._means.skills.loaded([result]):
            run.favour |= await self._means.skills.suggested(loaded, run.mode, run.info.cwd)

    async def _add_seen(self, result: Message, images: Sequence[bytes]) -> Message:
        """Append a result with its pictures; a stop while they are shrunk leaves it without them."""
        try:
            seen = await pictures.shots(self._means.pictures, images, result.subject or result.tool)
        except asyncio.CancelledError:
            await asyncio.shield(self._add(result))
            raise
        return await self._add(msgspec.structs.replace(result, pictures=seen))

    async def _add(self, result: Message) -> Message:
        """Append to the branch; results of calls that run side by side line up as they finish."""
        result = msgspec.structs.replace(result, parent=self._run.last_id)
        self._run.last_id = result.id
        await self._means.store.write(messages.add, result)
        self._means.emit(MessageStored(session=self._run.info.id, message=result))
        return result

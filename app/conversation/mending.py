"""Keep a session's branch whole in the store: what a stop, a crash or a failure left open is closed there."""

from __future__ import annotations

import msgspec

from app.conversation.means import Means
from app.conversation.repair import missing
from app.events import MessageStored
from app.platform.ids import new_id
from app.records import Message, Problem
from app.store import messages, sessions


async def mended(means: Means, session: str) -> list[Message]:
    """Give every declared call of the newest answer a result, close an answer that a crash left open, and
    return the branch. Raises StoreError.
    """
    now = means.clock()
    history = await means.store.read(messages.branch, session)
    for place, message in enumerate(history):
        if message.state == "streaming":
            history[place] = closed = msgspec.structs.replace(message, state="stopped")
            await means.store.write(messages.put, closed)
            means.emit(MessageStored(session=session, message=closed))
    calls = {call.id: call for message in history for call in message.calls}
    for result in missing(history, lambda: new_id(now), now):
        verb, subject = means.calls.label(calls[result.call])
        told = msgspec.structs.replace(result, verb=verb, subject=subject, parent=history[-1].id)
        history.append(told)
        await _add(means, history[-1])
    return history


async def note_failure(means: Means, session: str, turn: str, problem: Problem) -> None:
    """Keep a failure that no answer carries in the history, so that it is still explained after a restart.
    Raises StoreError.
    """
    now = means.clock()
    info = await means.store.read(sessions.get, session)
    if info is None or info.head is None:
        return
    failed = Message(
        id=new_id(now),
        session=session,
        parent=info.head,
        turn=turn,
        role="assistant",
        created=now,
        state="failed",
        problem=problem,
    )
    await _add(means, failed)


async def _add(means: Means, message: Message) -> None:
    await means.store.write(messages.add, message)
    means.emit(MessageStored(session=message.session, message=message))

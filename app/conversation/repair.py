"""Make a history whole again: every declared call has exactly one result, in the order of the calls, and no
answer is left open.

A crash, a stop or an old version may leave calls without results; providers refuse such a history (facts:
providers 1.4).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from app.records import Message, ToolCall

INTERRUPTED = (
    "This call was interrupted before it gave a result. "
    "It may or may not have taken effect; look before you repeat it."
)


def result_of(call: ToolCall, answer: Message, text: str, *, message: str, created: float) -> Message:
    """Return a tool message for `call` that says why there is no real result. `message` is its id."""
    return Message(
        id=message,
        session=answer.session,
        parent=answer.id,
        turn=answer.turn,
        role="tool",
        created=created,
        text=text,
        call=call.id,
        tool=call.name,
        verb=call.name,
        ok=False,
        summary="interrupted",
    )


def missing(history: Sequence[Message], new_id: Callable[[], str], now: float) -> list[Message]:
    """Return the results that must be added at the end of `history` so that its last batch of calls is
    complete.
    """
    at = next((i for i in range(len(history) - 1, -1, -1) if history[i].role == "assistant"), -1)
    if at < 0 or any(message.role == "user" for message in history[at + 1 :]):
        return []
    answered = {message.call for message in history[at + 1 :] if message.role == "tool"}
    return [
        result_of(call, history[at], INTERRUPTED, message=new_id(), created=now)
        for call in history[at].calls
        if call.id not in answered
    ]


def repaired(history: Sequence[Message]) -> list[Message]:
    """Return `history` as a model may read it: results right after their answer, in its order, one each;
    strays left out.

    Calls that still lack a result (in the middle of the history) get one that says so. The result depends
    on `history` alone,
    so that a later request begins with the same bytes.
    """
    whole: list[Message] = []
    index = 0
    while index < len(history):
        message = history[index]
        index += 1
        if message.role == "tool":
            continue  # a stray: its answer did not declare it
        if message.role != "assistant":
            whole.append(message)
            continue
        if message.state == "streaming":
            message = msgspec.structs.replace(message, state="stopped")
        whole.append(message)
        results: dict[str, Message] = {}
        while index < len(history) and history[index].role == "tool":
            results.setdefault(history[index].call, history[index])
            index += 1
        for call in message.calls:
            found = results.get(call.id)
            whole.append(
                found
                or result_of(
                    call, message, INTERRUPTED, message=f"{message.id}-{call.id}", created=message.created
                )
            )
    return whole

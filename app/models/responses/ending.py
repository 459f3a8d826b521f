"""Makes calls and their layout of the items that an answer brought."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from app.models.responses.arriving import CALLS, Growing
from app.models.responses.layout import FIELD, reasoning_of, worth_keeping
from app.models.text import mend, mend_all
from app.records import ToolCall

_LENIENT = json.JSONDecoder(strict=False)  # models write raw line ends into strings


def whole_calls(
    items: Sequence[Growing], new_id: Callable[[], str], taken: Iterable[str], *, cut: bool
) -> dict[int, ToolCall]:
    """Return the calls by the places of their items. `taken` are ids of earlier calls; `cut`: leave out those
    that may be half.
    """
    used = set(taken)
    calls: dict[int, ToolCall] = {}
    for place, item in enumerate(items):
        if item.type not in CALLS or not (item.name or item.arguments) or (cut and not _is_whole(item)):
            continue
        id_ = mend(item.call_id)
        while not id_ or id_ in used:
            id_ = new_id()
        used.add(id_)
        calls[place] = ToolCall(
            id=id_,
            name=mend(item.name or "unnamed"),
            arguments=_strict(mend("".join(item.arguments))),
            extra={"namespace": mend(item.namespace)} if item.namespace else {},
        )
    return calls


def extra_of(items: Sequence[Growing], calls: dict[int, ToolCall]) -> dict[str, Any]:
    """Return what is kept with the message so that it can go back as it came."""
    layout: list[dict[str, Any]] = []
    for place, item in enumerate(items):
        if place in calls:
            layout.append({"type": "function_call", "call_id": calls[place].id})
        elif item.type == "message" and item.size:
            phase = item.final.get("phase")
            mark = {"phase": phase} if isinstance(phase, str) and phase else {}
            layout.append({"type": "message", "size": item.size, **mark})
        elif item.type == "reasoning" and (kept := reasoning_of(item.final)):
            layout.append(mend_all(kept))
    return {FIELD: layout} if worth_keeping(layout) else {}


def _is_whole(item: Growing) -> bool:
    if not (item.done and item.whole):
        return False
    try:
        return isinstance(_LENIENT.decode("".join(item.arguments) or "{}"), dict)
    except (ValueError, RecursionError):
        return False


def _strict(text: str) -> str:
    """Return arguments where every JSON reader takes them, else the same value written anew; what cannot be
    read stays as it is, for the turn to tell the model of.
    """
    if not text.strip():
        return "{}"
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        try:
            return json.dumps(_LENIENT.decode(text), ensure_ascii=False)
        except (ValueError, RecursionError):
            return text
    return text

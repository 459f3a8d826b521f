"""Groq checks arguments itself and answers 400 with the model's raw text: give that back to the model as a
failed call.

The text becomes an answer with a call, so that the turn's own check of arguments tells the model what is
wrong (facts: providers 1.2, number 14). A second one in a row is an error.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

from app.models.request import ModelRequest, Reply
from app.records import ToolCall, Usage

MARK = "failed_generation"
"""Stands in the answer's `extra`, and is never sent."""

_TAGGED = r"<function[=/]([\w.-]+)[>\s,(]*(.*?)\)?>?\s*(?:</function>|$)"
_LENIENT = json.JSONDecoder(strict=False)


def rescued(payload: Any, request: ModelRequest, new_id: Callable[[], str]) -> Reply | None:
    """Return the answer that an error body of code `tool_use_failed` holds, None when there is none to be
    made.
    """
    error = payload.get("error") if isinstance(payload, dict) else None
    if not isinstance(error, dict) or error.get("code") != "tool_use_failed" or not request.tools:
        return None
    raw = error.get(MARK)
    if not isinstance(raw, str) or not raw.strip() or _failed_before(request):
        return None
    name, arguments = _read(raw, tuple(tool.name for tool in request.tools))
    call = ToolCall(id=new_id(), name=name, arguments=arguments)
    return Reply(calls=(call,), finish="calls", extra={MARK: True}, usage=Usage(exact=False))


def _failed_before(request: ModelRequest) -> bool:
    last = next((message for message in reversed(request.messages) if message.role == "assistant"), None)
    return last is not None and bool(last.extra.get(MARK))


def _read(raw: str, names: tuple[str, ...]) -> tuple[str, str]:
    """Return name and arguments as far as they can be made out; arguments that are no JSON stay as they
    are.
    """
    if match := re.search(_TAGGED, raw, re.S):
        return match.group(1), match.group(2).strip() or "{}"
    start = min((at for at in (raw.find("{"), raw.find("[")) if at >= 0), default=0)
    try:
        value, _ = _LENIENT.raw_decode(raw, start)
    except (ValueError, RecursionError):
        value = None
    if isinstance(value, list) and value:
        value = value[0]
    if isinstance(value, dict) and isinstance(value.get("name"), str):
        arguments = value.get("arguments", value.get("parameters", {}))
        return value["name"], arguments if isinstance(arguments, str) else json.dumps(
            arguments, ensure_ascii=False
        )
    named = [name for name in names if re.search(rf"\b{re.escape(name)}\b", raw)]
    return (named[0] if named else names[0]), raw

"""Read calls that a model wrote as text: a fenced or bare JSON object with a tool's name and its arguments.

Small local models do that whatever the server; a profile opts in. What is read is a call like any other,
behind the same approval.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from app.models.request import ToolSchema
from app.records import ToolCall

_FENCE = r"```[a-zA-Z_]*[ \t]*\n(?P<body>.*?)\n?[ \t]*```|<tool_call>\s*(?P<tag>.*?)\s*</tool_call>"
_NAMES = ("name", "tool", "function")
_ARGUMENTS = ("arguments", "parameters", "args", "input")
LONGEST = 100_000
"""Characters of an answer that are looked through; a call is never longer than what a tool may be given."""


def calls_in(
    text: str, tools: Sequence[ToolSchema], new_id: Callable[[], str]
) -> tuple[tuple[ToolCall, ...], str]:
    """Return the calls in `text` and the text without them; no calls and the whole text when any of it does
    not fit.

    A call fits when its name is offered and all required arguments are there. Prose around fenced calls
    stays as text.
    """
    offered = {tool.name: tool for tool in tools}
    if len(text) > LONGEST or "{" not in text or not offered:
        return (), text
    found: list[ToolCall] = []
    kept: list[str] = []
    last = 0
    for body, start, end in _candidates(text):
        calls = [_fit(value, offered, new_id) for value in _objects(body)]
        if calls and all(calls):
            found += [call for call in calls if call]
            kept.append(text[last:start])
            last = end
    return (tuple(found), ("".join(kept) + text[last:]).strip()) if found else ((), text)


def _candidates(text: str) -> Iterator[tuple[str, int, int]]:
    fenced = False
    for match in re.finditer(_FENCE, text, re.DOTALL):
        fenced = True
        yield match["body"] if match["body"] is not None else match["tag"], match.start(), match.end()
    if not fenced and text.lstrip().startswith(("{", "[")):
        yield text, 0, len(text)


def _objects(body: str) -> list[object]:
    """Return the JSON objects that make up the whole of `body` (one, a list, or one a line), none when
    anything else is there.
    """
    decoder, values, at = json.JSONDecoder(strict=False), [], 0
    try:
        while at < len(body):
            value, at = decoder.raw_decode(body, at)
            values += value if isinstance(value, list) else [value]
            while at < len(body) and body[at] in " \t\r\n,;":
                at += 1
    except (ValueError, RecursionError):
        return []
    return values


def _fit(value: Any, offered: dict[str, ToolSchema], new_id: Callable[[], str]) -> ToolCall | None:
    if not isinstance(value, dict):
        return None
    if isinstance(value.get("function"), dict):
        value = value["function"]
    name = next((value[key] for key in _NAMES if isinstance(value.get(key), str)), "")
    arguments: Any = next((value[key] for key in _ARGUMENTS if key in value), {})
    if isinstance(arguments, str):
        inner = _objects(arguments)
        arguments = inner[0] if len(inner) == 1 else None
    if name not in offered or not isinstance(arguments, dict):
        return None
    if any(key not in arguments for key in offered[name].parameters.get("required", ())):
        return None
    return ToolCall(id=new_id(), name=name, arguments=json.dumps(arguments, ensure_ascii=False))

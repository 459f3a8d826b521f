"""Read the JSON text that a model wrote as the arguments of a call."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from typing import Any, Never

from app.errors import ToolError
from app.toolbox.complaints import got, shown


def read(tool: str, arguments: str | Mapping[str, Any], tail: str = "") -> dict[str, Any]:
    """Return the arguments as an object. Nothing and null mean {}; JSON inside JSON text is read once more.

    Raises ToolError `bad_arguments`, its message ended by `tail`, for text that is not one JSON object,
    for NUL and for half a surrogate pair.
    """
    try:
        value = _decode(arguments) if isinstance(arguments, str) else dict(arguments)
        if isinstance(value, str):
            value = _decode(value)
        if not isinstance(value, dict):
            raise ValueError(f"expected one JSON object, got {got(value)}")
        return {str(name): _sound(entry, str(name)) for name, entry in value.items()}
    except RecursionError:
        problem = "they are nested too deeply"
    except ValueError as error:
        problem = str(error)
    raise ToolError("bad_arguments", f"The arguments of {tool} cannot be read: {problem}.{tail}", tool=tool)


def _decode(text: str) -> Any:
    """Return the value of JSON text; line breaks inside strings are let through. Raises ValueError."""
    text = text.strip()
    if not text:
        return {}
    if text.startswith("```"):
        raise ValueError("they stand in a code fence; send the bare JSON object")
    try:
        value = json.loads(
            text, strict=False, parse_constant=_no_constant, parse_int=_whole, parse_float=_finite
        )
    except json.JSONDecodeError as error:
        raise ValueError(_json_problem(text, error)) from None
    return {} if value is None else value


def _json_problem(text: str, error: json.JSONDecodeError) -> str:
    reason = error.msg[:1].lower() + error.msg[1:]
    before, rest = text[: error.pos].rstrip(), text[error.pos :].lstrip()
    if (before.endswith(",") and rest[:1] in ("}", "]")) or re.match(r",\s*[}\]]", rest):
        reason = "a comma stands before the closing bracket"
    near = text[max(0, error.pos - 20) : error.pos + 20]
    return f"this is not valid JSON, {reason} (line {error.lineno}, column {error.colno}, near {near!a})"


def _no_constant(name: str) -> Never:
    raise ValueError(f"{name} is not a JSON number")


def _finite(digits: str) -> float:
    number = float(digits)
    if math.isinf(number):
        raise ValueError(f"{digits[:40]} is larger than any number that can be kept")
    return number


def _whole(digits: str) -> int:
    if len(digits) > 100:
        raise ValueError("a number has more than 100 digits")
    return int(digits)


def _sound(value: Any, path: str) -> Any:
    """Return `value` with split surrogate pairs joined. Raises ValueError for text that nothing can hold."""
    if isinstance(value, str):
        return _sound_text(value, path)
    if isinstance(value, dict):
        return {str(key): _sound(entry, f"{path}.{key}") for key, entry in value.items()}
    if isinstance(value, list):
        return [_sound(entry, f"{path}[{index}]") for index, entry in enumerate(value)]
    return value


def _sound_text(text: str, path: str) -> str:
    if "\0" in text:
        raise ValueError(f"argument `{shown(path)}` holds the NUL character, which no tool takes")
    try:
        text.encode()
        return text
    except UnicodeEncodeError:
        pass
    try:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le")
    except UnicodeDecodeError:
        half = "holds half of a character (a lone surrogate); send whole characters"
        raise ValueError(f"argument `{shown(path)}` {half}") from None

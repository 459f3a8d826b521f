"""Takes values out of JSON by a path: the plain part of JSONPath (RFC 9535) without filters and functions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from app.documents.fields import BadExpression

MOST = 5_000
"""Values that a path may give."""
_STEP = re.compile(
    r"""(?P<deep>\.\.)?(?:
        (?:(?<!\.)\.)?(?P<name>[^\W\d][\w-]*|\*)
        | (?:(?<!\.)\.)?(?P<digits>\d{1,9})(?=[.\[]|\Z)
        | \[\s*(?P<index>-?\d{1,9}|\*)\s*\]
        | \[\s*(?P<start>-?\d{1,9})?\s*:\s*(?P<stop>-?\d{1,9})?\s*\]
        | \[\s*(?:'(?P<single>(?:[^'\\]|\\.)*)'|"(?P<double>(?:[^"\\]|\\.)*)")\s*\]
    )""",
    re.VERBOSE,
)


def find(value: Any, path: str) -> list[Any]:
    """Return the values that a path leads to, in their order. `$` in front may be left out. Raises
    BadExpression.
    """
    found: list[Any] = [value]
    for deep, key in _steps(path):
        if deep:
            found = [inner for one in found for inner in _all_below(one)]
        found = [inner for one in found for inner in _children(one, key)][:MOST]
    return found


def _steps(path: str) -> list[tuple[bool, str | int | slice]]:
    text = path.strip()
    text = text[1:] if text.startswith("$") else f".{text}" if text[:1] not in (".", "[") else text
    if not path.strip():
        raise BadExpression("An empty path leads nowhere. Write one such as $.items[0].price.")
    found: list[tuple[bool, str | int | slice]] = []
    place = 0
    while place < len(text):
        step = _STEP.match(text, place)
        if step is None:
            raise BadExpression(
                f"{path!r} is no path that is read: {text[place : place + 20]!r}."
                " It is written as $.items[0].price, $..name or $['a key'].*"
            )
        found.append((step["deep"] is not None, _key(step)))
        place = step.end()
    return found


def _key(step: re.Match[str]) -> str | int | slice:
    for quoted in (step["single"], step["double"]):
        if quoted is not None:
            return re.sub(r"\\(.)", r"\1", quoted)
    if step["digits"]:
        return int(step["digits"])
    plain = step["name"] or step["index"]
    if plain == "*":
        return slice(None)
    if plain is not None:
        return int(plain) if step["index"] else plain
    return slice(*(int(part) if part else None for part in (step["start"], step["stop"])))


def _children(value: Any, key: str | int | slice) -> list[Any]:
    if isinstance(value, dict):
        if isinstance(key, slice):
            return list(value.values()) if key == slice(None) else []
        return [value[str(key)]] if str(key) in value else []
    if not isinstance(value, list) or isinstance(key, str):
        return []
    if isinstance(key, slice):
        return value[key]
    return [value[key]] if -len(value) <= key < len(value) else []


def _all_below(value: Any) -> Iterator[Any]:
    """Yield a value and all within it, without recursion."""
    stack = [value]
    while stack:
        one = stack.pop()
        yield one
        inner = one.values() if isinstance(one, dict) else one if isinstance(one, list) else ()
        stack.extend(reversed(list(inner)))

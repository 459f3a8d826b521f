"""Say in sentences for the model what is wrong with the arguments of a call."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Any

from app.toolbox.signature import NOTHING, Parameter, choices, item_type, options

_LEAF = 80
"""Characters of a wrong name or value that a sentence repeats."""
_WORDS = {
    "str": "text",
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
    "array": "a list",
    "object": "an object",
    "null": "null",
}


def wrong(entry: Parameter, value: Any, message: str) -> str:
    """Return msgspec's refusal of `value` in words, with the whole path of the argument."""
    text, _, where = message.partition(" - at `$")
    path = entry.name + where.rstrip("`")
    if missing := re.fullmatch(r"Object missing required field `(.+)`", text):
        return f"`{path}.{missing[1]}` is missing."
    if kinds := re.fullmatch(r"Expected `(.+)`, got `(.+)`", text):
        wanted = " or ".join(_WORDS.get(kind.strip(), kind.strip()) for kind in kinds[1].split("|"))
        found = _WORDS.get(kinds[2], kinds[2]) if where else got(value)
        return f"Argument `{path}` must be {wanted}, not {found}."
    if text.startswith("Invalid enum value") and not where:
        return f"Argument `{path}` must be {wanted_of(entry.type)}, not {got(value)}."
    return f"Argument `{path}` is wrong: {shown(text)}."


def wanted_of(hint: Any) -> str:
    """Return what a type takes, in words."""
    for kind in options(hint):
        if named := choices(kind):
            return "one of " + ", ".join(str(choice) for choice in named)
        if item_type(kind) is not NOTHING:
            return "a list"
    return " or ".join(_WORDS.get(getattr(kind, "__name__", ""), "an object") for kind in options(hint))


def got(value: Any) -> str:
    """Return what a value is, in words, with the start of a text."""
    if isinstance(value, str):
        return f"the text {value[:_LEAF]!a}"
    if isinstance(value, bool) or value is None:
        return json.dumps(value)
    if isinstance(value, int):
        return f"the number {value}" if abs(value) < 10**40 else "a number too large to show"
    if isinstance(value, float):
        return f"the number {value}"
    return "a list" if isinstance(value, (list, tuple)) else "an object"


def quoted(names: Iterable[str]) -> str:
    """Return names as a list in a sentence, ten at most."""
    return ", ".join(f"`{shown(name)}`" for name in sorted(names)[:10])


def shown(name: str) -> str:
    """Return the start of a name with everything beyond ASCII escaped."""
    return ascii(name[:_LEAF])[1:-1]

"""Text that may hold halves of surrogate pairs, made fit for UTF-8; providers answer 400 to a lone half."""

from __future__ import annotations

import json
from typing import Any

import msgspec


def decoded(data: str) -> Any:
    """Return JSON as a value. Raises ValueError for what is none, however deep it is nested."""
    try:
        return msgspec.json.decode(data)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        pass  # the slower reader takes half surrogate pairs, which servers in JavaScript cut
    try:
        return json.loads(data)
    except RecursionError as error:
        raise ValueError("nested too deep") from error


def mend(text: str) -> str:
    """Join halves that belong together, and put U+FFFD in place of those that stand alone."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def mend_all(value: Any) -> Any:
    """Return JSON data with all its text mended."""
    if isinstance(value, str):
        return mend(value)
    if isinstance(value, dict):
        return {mend(key): mend_all(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [mend_all(item) for item in value]
    return value


class Halves:
    """Mends streamed text: a first half at the end of a piece waits for the next piece."""

    def __init__(self) -> None:
        self._held = ""

    def feed(self, text: str) -> str:
        """Return what can be shown now."""
        text = self._held + text
        self._held = text[-1:] if "\ud800" <= text[-1:] <= "\udbff" else ""
        return mend(text[: len(text) - len(self._held)])

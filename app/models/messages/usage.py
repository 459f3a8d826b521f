"""Token counts of a Messages answer."""

from __future__ import annotations

from typing import Any

from app.records import Usage

_NAMES = ("input_tokens", "output_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")


class Counts:
    """Takes the usage of `message_start` and `message_delta`: cumulative, and some leave fields out."""

    def __init__(self) -> None:
        self._seen: dict[str, int] = {}
        self._thinking = 0

    def take(self, raw: Any) -> None:
        """Take one usage object; anything else is passed over."""
        if not isinstance(raw, dict):
            return
        for name in _NAMES:
            if (value := _count(raw.get(name))) is not None:
                self._seen[name] = max(value, self._seen.get(name, 0))
        details = raw.get("output_tokens_details")
        if isinstance(details, dict):
            self._thinking = max(self._thinking, _count(details.get("thinking_tokens")) or 0)

    def usage(self) -> Usage:
        """Return the counts; their `input_tokens` leave out what the cache read and wrote, ours do not. No
        request is empty: a server that says so did not count.
        """
        plain, output, written, cached = (self._seen.get(name, 0) for name in _NAMES)
        if not plain + written + cached:
            return Usage(exact=False)
        return Usage(
            input=plain + written + cached,
            output=output,
            cached=cached,
            written=written,
            reasoning=min(self._thinking, output),
        )


def _count(value: Any) -> int | None:
    return int(value) if isinstance(value, int | float) and 0 <= value < 1e12 else None

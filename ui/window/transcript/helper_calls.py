"""The calls among the rows of a conversation that began helpers, by what they tell of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ui.window.transcript.calls import Call
from ui.window.transcript.helpers_seen import delegates, helpers_of
from ui.window.transcript.rows import Row


def _began(rows: Sequence[Row]) -> Iterator[tuple[Row, Call]]:
    for row in rows:
        for call in row.calls.values():
            if call.view.kind == "helpers" or delegates(call.name, call.arguments):
                yield row, call


def working(rows: Sequence[Row]) -> Iterator[tuple[Row, Call]]:
    """Yield those that have not ended, the newest first."""
    return (found for found in reversed(list(_began(rows))) if found[1].open)


def untold(rows: Sequence[Row]) -> list[tuple[Row, Call]]:
    """Return those that nothing is known of: they broke off, or another process runs them."""
    return [(row, call) for row, call in _began(rows) if not helpers_of(call.view) and not call.helpers]


def told_of(rows: Sequence[Row]) -> frozenset[str]:
    """Return the helpers that stand under their call already, by their conversations."""
    return frozenset(
        seen.session for _row, call in _began(rows) for seen in (*helpers_of(call.view), *call.helpers)
    )

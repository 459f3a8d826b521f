"""The brief of a project: what is confirmed, what is only recorded, and what nobody knows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from app.memory_records import Brief, MemoryItem, MemoryKind

STALE = 30 * 86400.0
"""An open item that nobody spoke of for so long may be done."""
_LACKS: tuple[tuple[MemoryKind, str], ...] = (
    ("decision", "no_decision"),
    ("open_item", "no_open_item"),
    ("note", "no_note"),
)


def brief_of(project: str, name: str, items: Sequence[MemoryItem], now: float, since: float = 0.0) -> Brief:
    """Return the brief of `items`, all of them of that project, newest first."""
    shown = [item for item in items if item.said >= since]
    return Brief(
        project=project,
        name=name,
        confirmed=tuple(item for item in shown if item.confirmed),
        recorded=tuple(item for item in shown if not item.confirmed),
        unknown=tuple(_unknown(items, now)),
    )


def _unknown(items: Sequence[MemoryItem], now: float) -> Iterator[str]:
    for kind, code in _LACKS:
        if not any(item.kind == kind for item in items):
            yield code
    for item in items:
        if item.kind == "open_item" and not item.done and now - item.said > STALE:
            yield f"stale {item.id}"

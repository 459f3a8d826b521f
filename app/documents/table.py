"""Rows of a table as lines that people and models read: Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

LONGEST_CELL = 2_000
"""Characters of one cell."""


def rows_as_lines(rows: Iterable[Sequence[str]]) -> list[str]:
    """Return the rows as a Markdown table whose first row is its head; empty ones are left out."""
    lines: list[str] = []
    for row in rows:
        cells = [_cell(cell) for cell in row]
        if not any(cells):
            continue
        lines.append(f"| {' | '.join(cells)} |")
        if len(lines) == 1:
            lines.append("|" + " --- |" * len(cells))
    return lines


def _cell(text: str) -> str:
    return " ".join(text[:LONGEST_CELL].split()).replace("|", "\\|")

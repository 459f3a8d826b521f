"""Word tables and what became of them, the same for all document tools."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tools import Changed, checked

_CELL = 300


def markdown(columns: Sequence[str], rows: Iterable[Sequence[str]], room: int) -> tuple[list[str], int]:
    """Return the lines of a table and how many of the rows fit into `room` characters."""
    lines = [_line(columns), "|" + " --- |" * len(columns)]
    taken = 0
    for row in rows:
        line = _line([*row, *[""] * (len(columns) - len(row))])
        room -= len(line) + 1
        if room < 0 and taken:
            break
        lines.append(line)
        taken += 1
    return lines, taken


def _line(cells: Iterable[str]) -> str:
    return "| " + " | ".join(" ".join(cell[:_CELL].split()).replace("|", "\\|") for cell in cells) + " |"


def written(files: Changed) -> list[str]:
    """Return one line a file: what was done to it, and whether it reads back."""
    lines = []
    for file in files.files:
        word = {"new": "made", "changed": "changed", "same": "unchanged"}.get(file.kind, file.kind)
        seen = "" if file.kind == "same" else f", {checked(file.verified)}"
        lines.append(f"{file.path}: {word}{seen}. {file.note}".rstrip())
    return [*lines, files.note] if files.note else lines

"""Lists for the eye: rows in aligned columns, cut to the width of the terminal and never cut in a pipe."""

from __future__ import annotations

from collections.abc import Sequence

from ui.terminal.clean import cells, cut, one_line, pad
from ui.terminal.output import Channel

GAP = 2
NARROWEST = 8
"""A column is not made narrower than this while another is wide."""


def write_table(out: Channel, rows: Sequence[Sequence[str]], head: Sequence[str] = ()) -> None:
    """Write rows of equal length; the head, drawn only on a terminal, names the columns."""
    texts = [[one_line(text) for text in row] for row in rows]
    if not out.terminal:
        for row in texts:
            out.line("\t".join(row))
        return
    if head:
        texts.insert(0, list(head))
    widths = fit([max(map(cells, column)) for column in zip(*texts, strict=True)], out.width)
    for number, row in enumerate(texts):
        last = len(row) - 1
        parts = [
            cut(text, width) if place == last else pad(text, width)
            for place, (text, width) in enumerate(zip(row, widths, strict=True))
        ]
        line = (" " * GAP).join(parts).rstrip()
        out.line(out.styled(line, "muted") if head and number == 0 else line)


def fit(widths: Sequence[int], room: int) -> list[int]:
    """Return column widths that fit into `room` columns: the widest gives way first."""
    fitted = list(widths)
    room -= GAP * (len(fitted) - 1)
    while sum(fitted) > room:
        widest = max(range(len(fitted)), key=lambda place: fitted[place])
        if fitted[widest] <= NARROWEST:
            break
        fitted[widest] -= 1
    return fitted

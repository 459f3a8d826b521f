"""Lists for the eye: rows in aligned columns, cut to the width of the terminal and never cut in a pipe."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest

from ui.terminal.clean import cells, cut, one_line, pad
from ui.terminal.output import Channel

GAP = 2
NARROWEST = 8
"""A column is not made narrower than this while another is wide."""


def write_table(
    out: Channel,
    rows: Sequence[Sequence[str]],
    head: Sequence[str] = (),
    *,
    whole: bool = False,
    kept: int = 0,
) -> None:
    """Write rows of equal length; the head, drawn only on a terminal, names the columns.

    What is too long for its column ends in an ellipsis, or goes on below where it is to be read `whole`. The
    first columns that are `kept` hold what a person has to type, so they give way last.
    """
    texts = [[one_line(text) for text in row] for row in rows]
    if not out.terminal:
        for row in texts:
            out.line("\t".join(row))
        return
    if head:
        texts.insert(0, list(head))
    widths = fit([max(map(cells, column)) for column in zip(*texts, strict=True)], out.width, kept)
    for number, row in enumerate(texts):
        columns = [
            wrapped(text, width) if whole else [cut(text, width)]
            for text, width in zip(row, widths, strict=True)
        ]
        for parts in zip_longest(*columns, fillvalue=""):
            line = (" " * GAP).join(map(pad, parts, widths)).rstrip()
            out.line(out.styled(line, "muted") if head and number == 0 else line)


def wrapped(text: str, width: int) -> list[str]:
    """Return the lines of a text that has blanks to break at; a word that is wider than all is cut."""
    lines: list[str] = []
    for word in text.split():
        if lines and cells(f"{lines[-1]} {word}") <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(cut(word, width))
    return lines


def fit(widths: Sequence[int], room: int, kept: int = 0) -> list[int]:
    """Return column widths that fit into `room` columns: the widest gives way first, the first `kept` after
    all others.
    """
    fitted = list(widths)
    room -= GAP * (len(fitted) - 1)
    for places in (range(kept, len(fitted)), range(len(fitted))):
        while sum(fitted) > room and places:
            widest = max(places, key=lambda place: fitted[place])
            if fitted[widest] <= NARROWEST:
                break
            fitted[widest] -= 1
    return fitted

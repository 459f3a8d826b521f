"""Records of delimited text (CSV, TSV), each with the very text that it stood in."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from typing import NamedTuple, TextIO

from app.documents.failing import Unreadable
from app.documents.tables.values import number

SAMPLE = 1 << 20
"""Bytes from which the dialect is read."""
_FIELD = 4 << 20
"""Characters of one cell; more is a quote that nobody closed."""
_SEPARATORS = (",", ";", "\t", "|")
_LINES = 200


class Dialect(NamedTuple):
    """How a file parts its cells. `end` is the line end of new rows, `comma` whether decimals follow one."""

    separator: str
    end: str = "\n"
    comma: bool = False
    quote_all: bool = False
    header: bool = True


def hinted(line: str) -> bool:
    """Whether a first line only says how cells are parted, as Excel writes it."""
    return re.match(r"\ufeff?sep=.\s*\Z", line) is not None


class Record(NamedTuple):
    """One row: its number (from 1, the header counts), its cells, and the text it stood in."""

    number: int
    cells: list[str]
    raw: str


def dialect_of(sample: str, name: str = "") -> Dialect:
    """Return the dialect of a file that begins so."""
    lines = sample.splitlines()[:_LINES]
    hint = re.match(r"sep=(.)\Z", lines[0]) if lines else None
    separator = hint.group(1) if hint else _separator(sample, name)
    end = "\r\n" if "\r\n" in sample else "\r" if "\r" in sample and "\n" not in sample else "\n"
    rows = [record.cells for _, record in zip(range(_LINES), _safe(sample, separator), strict=False)]
    rows = rows[1:] if hint else rows
    cells = [cell for row in rows[1:] for cell in row]
    comma = separator != "," and any(re.fullmatch(r"\s*[-+]?[\d. ]*\d,\d+\s*", cell) for cell in cells)
    comma = comma and not any(re.fullmatch(r"\s*[-+]?\d+\.\d{1,2}\s*", cell) for cell in cells)
    quoted = bool(lines) and all(line.startswith('"') and line.endswith('"') for line in lines if line)
    header = bool(rows) and not any(number(cell) is not None for cell in rows[0])
    return Dialect(separator, end, comma, quoted, header)


def _safe(sample: str, separator: str) -> Iterator[Record]:
    try:
        yield from records(iter(sample.splitlines(keepends=True)), separator)
    except Unreadable:
        return


def _separator(sample: str, name: str) -> str:
    """Return the one whose number of cells is the same in most rows, and more than one."""
    scores: list[tuple[float, int, str]] = []
    for place, separator in enumerate(_SEPARATORS):
        counts = [len(one.cells) for _, one in zip(range(_LINES), _safe(sample, separator), strict=False)]
        most = max(set(counts), key=counts.count) if counts else 1
        share = counts.count(most) / len(counts) if counts and most > 1 else 0.0
        scores.append((share * min(most, 12) ** 0.5, -place, separator))
    best = max(scores)
    if best[0] == 0.0:
        return "\t" if name.lower().endswith((".tsv", ".tab")) else ","
    return best[2]


def records(lines: Iterator[str], separator: str) -> Iterator[Record]:
    """Yield the rows of lines that keep their ends. Raises Unreadable where a quote is never closed."""
    taken: list[str] = []

    def feed() -> Iterator[str]:
        for line in lines:
            taken.append(line)
            yield line

    csv.field_size_limit(_FIELD)
    number_ = 0
    reader = csv.reader(feed(), delimiter=separator)
    try:
        for cells in reader:
            number_ += 1
            yield Record(number_, cells, "".join(taken))
            taken.clear()
    except csv.Error as error:
        why = f"near line {reader.line_num}: {error}; perhaps a quote is not closed"
        raise Unreadable("broken", why) from None


def opened(path: str, encoding: str, errors: str) -> TextIO:
    """Open a file so that each of its bytes comes back as it stands."""
    return open(path, encoding=encoding, errors=errors, newline="")


def written(cells: list[str], dialect: Dialect) -> str:
    """Return a row as text in the file's own dialect, with its line end."""
    return dialect.separator.join(_quoted(cell, dialect) for cell in cells) + dialect.end


def _quoted(cell: str, dialect: Dialect) -> str:
    needs = any(sign in cell for sign in (dialect.separator, '"', "\n", "\r")) or cell != cell.strip(" ")
    return '"' + cell.replace('"', '""') + '"' if needs or dialect.quote_all else cell

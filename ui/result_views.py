"""What the view of a tool's result holds, read with care: some tools are not ours, and stores are old."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from urllib.parse import urlsplit

from app.records import Record, View

_SECTION = re.compile(r"^diff --(?:git|cc|combined) (.*)$", re.MULTILINE)
_QUIET = ("index ", "--- ", "+++ ")
"""Lines of a file's head that say nothing beside its name."""
_NOTE = re.compile(r"^\[([^\[\]\n]{1,600})\]$", re.MULTILINE)
_NOTES = 4
_HUNK = re.compile(r"@@+ ")


class TableSeen(Record, kw_only=True):
    """A table; every row has as many cells as there are columns."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


class LinkSeen(Record, kw_only=True):
    """A page that was found. `host` is "" for what is no address of the web, which is never opened."""

    title: str
    url: str
    host: str
    text: str = ""
    date: str = ""


class FileSeen(Record, kw_only=True):
    """What changed in a file; `lines` as in a unified diff, none where they are not told."""

    path: str
    kind: str
    added: int = 0
    removed: int = 0
    lines: tuple[str, ...] = ()
    signs: int = 1
    """How many characters at the start of a line say what became of it: more in a merge."""


def table_of(view: View) -> TableSeen | None:
    """Return the table of a view, None where it has none that can be drawn."""
    columns = _list(view.data.get("columns"))
    if view.kind != "table" or not columns:
        return None
    count = len(columns)
    rows = [_list(row) for row in _list(view.data.get("rows"))]
    found = tuple(tuple(map(_cell, (*row[:count], *[""] * (count - len(row))))) for row in rows)
    return TableSeen(columns=tuple(map(_cell, columns)), rows=found) if found else None


def links_of(view: View) -> tuple[LinkSeen, ...]:
    """Return the links of a view in their order."""
    return tuple(map(_link, _maps(view.data.get("links")))) if view.kind == "links" else ()


def files_of(view: View, output: str) -> tuple[FileSeen, ...]:
    """Return the files of a view in their order, each with its lines where the result's text has them."""
    if view.kind != "diff":
        return ()
    listed = [_file(one) for one in _maps(view.data.get("listed", view.data.get("files")))]
    if "listed" not in view.data:
        return tuple(listed)
    patches = {one.path: one for one in _patches(output)}
    return tuple(
        FileSeen(
            path=one.path,
            kind=one.kind,
            added=one.added,
            removed=one.removed,
            lines=patches[one.path].lines if one.path in patches else (),
            signs=patches[one.path].signs if one.path in patches else 1,
        )
        for one in listed
    )


def head_of(view: View) -> str:
    """Return the words that stand above what is drawn, "" for none."""
    given = view.data.get("head")
    return given.strip() if isinstance(given, str) else ""


def notes_of(output: str) -> tuple[str, ...]:
    """Return what a text notes in lines of its own beside what is drawn, such as what is left out."""
    return tuple(found[1].strip() for found in _NOTE.finditer(output))[:_NOTES]


def patch_of(output: str) -> str:
    """Return the differences in a result's text as Git wrote them, "" for none."""
    found = _SECTION.search(output)
    return output[found.start() :].rstrip() + "\n" if found is not None else ""


def _patches(output: str) -> Iterator[FileSeen]:
    starts = list(_SECTION.finditer(output))
    for number, found in enumerate(starts):
        end = starts[number + 1].start() if number + 1 < len(starts) else len(output)
        lines = output[found.end() + 1 : end].split("\n")
        first = next((at for at, line in enumerate(lines) if _HUNK.match(line)), len(lines))
        head, signs = lines[:first], 1
        if first < len(lines):
            signs = len(lines[first].split(" ", 1)[0]) - 1
            shown = list(_hunks(lines[first:]))
        else:
            shown = [line for line in head if line.strip() and not line.startswith((*_QUIET, "["))]
        path = _path(found.group(1), head)
        yield FileSeen(path=path, kind="changed", lines=tuple(shown), signs=signs)


def _hunks(lines: list[str]) -> Iterator[str]:
    """Return the lines up to the first that belongs to no hunk: a note of ours may follow."""
    for at, line in enumerate(lines):
        after = lines[at + 1][:1] if at + 1 < len(lines) else ""
        if line[:1] not in tuple(" +-\\@") and not (line == "" and after in tuple(" +-\\@")):
            return
        yield line


def _path(named: str, head: list[str]) -> str:
    """Return the path of a file as Git's list of files has it."""
    for begin in ("+++ b/", "--- a/", "rename to ", "copy to "):
        for line in head:
            if line.startswith(begin):
                return line.removeprefix(begin).rstrip("\t\r")
    return named.rpartition(" b/")[2] or named


def _file(one: Mapping[str, Any]) -> FileSeen:
    return FileSeen(
        path=_cell(one.get("path")),
        kind=_cell(one.get("kind")),
        added=_count(one.get("added")),
        removed=_count(one.get("removed")),
    )


def _link(one: Mapping[str, Any]) -> LinkSeen:
    url = _cell(one.get("url")).strip()
    return LinkSeen(
        title=" ".join(_cell(one.get("title")).split()) or url,
        url=url,
        host=_host(url),
        text=" ".join(_cell(one.get("text")).split()),
        date=_cell(one.get("date")),
    )


def _host(url: str) -> str:
    try:
        parts = urlsplit(url)
        return (parts.hostname or "") if parts.scheme in ("http", "https") else ""
    except ValueError:
        return ""


def _cell(value: object) -> str:
    return "" if value is None else str(value)


def _count(value: object) -> int:
    return value if isinstance(value, int) else 0


def _list(value: object) -> Sequence[Any]:
    return value if isinstance(value, list | tuple) else ()


def _maps(value: object) -> list[Mapping[str, Any]]:
    return [one for one in _list(value) if isinstance(one, Mapping)]

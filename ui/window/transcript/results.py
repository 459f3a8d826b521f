"""The strips that draw a tool's result by the kind of its view: differences, a table, links."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Set as AbstractSet
from functools import partial
from typing import TypeVar

from ui.result_views import (
    FileSeen,
    LinkSeen,
    TableSeen,
    files_of,
    head_of,
    links_of,
    notes_of,
    patch_of,
    table_of,
)
from ui.window.transcript.blocks import Block
from ui.window.transcript.calls import Call
from ui.window.transcript.painting import Sheet
from ui.window.transcript.result_files import FIRST_FILES, OPEN_FILES, OPEN_LINES, FileLines, FileRow
from ui.window.transcript.result_head import MoreRow, Preface, ResultHead
from ui.window.transcript.result_links import FIRST_LINKS, LinkRow, listed
from ui.window.transcript.result_table import TableStrip, separated
from ui.window.transcript.tool_rows import InCard
from ui.words import _, plural

Keep = Callable[[str, Callable[[], Block]], Block]
"""Returns the block of a key, made when first wanted."""
Made = TypeVar("Made", bound=Block)


def text_key(call: Call) -> str:
    """Return the key that is open while the text of a result is shown in place of what is drawn of it."""
    return f"text {call.key}"


def drawn_words(kind: str) -> str:
    """Return the words of the button that leads from the text back to what is drawn."""
    words = {"table": _("As a table"), "links": _("As links"), "diff": _("As differences")}
    return words.get(kind, "")


def result_blocks(sheet: Sheet, call: Call, opened: AbstractSet[str], keep: Keep) -> list[InCard] | None:
    """Return the strips of a finished call's result, None where its text is all that there is to show."""
    if call.open:
        return None
    table = table_of(call.view)
    if table is not None:
        return list(_table(sheet, call, table, keep))
    links = links_of(call.view)
    if links:
        return list(_links(sheet, call, links, opened, keep))
    files = files_of(call.view, call.output)
    return list(_files(sheet, call, files, opened, keep)) if files else None


def _keep(keep: Keep, key: str, kind: type[Made], make: Callable[[], Made]) -> Made:
    made = keep(key, make)
    assert isinstance(made, kind)
    return made


def _head(sheet: Sheet, call: Call, title: str, source: str, keep: Keep) -> ResultHead:
    make = partial(ResultHead, sheet, title, source, text_key(call))
    return _keep(keep, f"head {call.key}", ResultHead, make)


def _table(sheet: Sheet, call: Call, table: TableSeen, keep: Keep) -> Iterator[InCard]:
    rows = plural("{n} row", "{n} rows", len(table.rows))
    yield _head(sheet, call, rows, separated(table), keep)
    yield from _words(sheet, call, "head", head_of(call.view), keep)
    yield _keep(keep, f"table {call.key}", TableStrip, partial(TableStrip, sheet, table))
    yield from _words(sheet, call, "notes", "\n".join(notes_of(call.output)), keep)


def _links(
    sheet: Sheet, call: Call, links: tuple[LinkSeen, ...], opened: AbstractSet[str], keep: Keep
) -> Iterator[InCard]:
    yield _head(sheet, call, plural("{n} page", "{n} pages", len(links)), listed(links), keep)
    yield from _words(sheet, call, "head", head_of(call.view), keep)
    shown = len(links) if _all(call) in opened else FIRST_LINKS
    for at, link in enumerate(links[:shown]):
        yield _keep(keep, f"link {call.key} {at}", LinkRow, partial(LinkRow, sheet, link, at + 1))
    yield from _more(sheet, call, len(links) - shown, keep)
    yield from _words(sheet, call, "notes", "\n".join(notes_of(call.output)), keep)


def _files(
    sheet: Sheet, call: Call, files: tuple[FileSeen, ...], opened: AbstractSet[str], keep: Keep
) -> Iterator[InCard]:
    title = plural("{n} file", "{n} files", len(files))
    if call.view.data.get("cut"):
        title += f" \u00b7 {_('not all lines are shown')}"
    yield _head(sheet, call, title, patch_of(call.output) or call.output, keep)
    yield from _words(sheet, call, "head", head_of(call.view), keep)
    shown = len(files) if _all(call) in opened else FIRST_FILES
    few = len(files) <= OPEN_FILES and sum(len(file.lines) for file in files) <= OPEN_LINES
    for at, file in enumerate(files[:shown]):
        key = f"file {call.key} {at}"
        row = _keep(keep, key, FileRow, partial(FileRow, sheet, file, key))
        row.opened = (key in opened) != few and bool(file.lines)
        yield row
        if row.opened:
            yield _keep(keep, f"lines {call.key} {at}", FileLines, partial(FileLines, sheet, call, file))
    yield from _more(sheet, call, len(files) - shown, keep)


def _words(sheet: Sheet, call: Call, what: str, words: str, keep: Keep) -> Iterator[InCard]:
    if words:
        make = partial(Preface, sheet, words, quiet=what == "notes")
        yield _keep(keep, f"{what} of {call.key}", Preface, make)


def _all(call: Call) -> str:
    return f"all {call.key}"


def _more(sheet: Sheet, call: Call, left: int, keep: Keep) -> Iterator[InCard]:
    if left > 0:
        words = plural("Show {n} more", "Show {n} more", left)
        yield _keep(keep, f"more {call.key}", MoreRow, partial(MoreRow, sheet, words, _all(call)))

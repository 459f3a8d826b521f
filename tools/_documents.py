"""What a tool may do with documents of other programs: their text, tables, databases, and checksums."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple, Protocol, runtime_checkable

from tools._files import Changed


class DocumentText(NamedTuple):
    """What a document says. `parts` names what its numbered parts are (page, slide, sheet, chapter), ""
    where it has none.
    """

    path: str
    kind: str
    lines: tuple[str, ...]
    parts: str
    size: int


class TableQuery(NamedTuple):
    """What is wanted of one sheet of a table. `where` is a condition on its rows; with `summary` its columns
    are summarised, in groups of equal values of the column `by` where that is named. `offset` and `limit`
    count the rows that fit.
    """

    path: str
    sheet: str = ""
    columns: tuple[str, ...] = ()
    where: str = ""
    by: str = ""
    offset: int = 0
    limit: int = 100
    summary: bool = False


class Table(NamedTuple):
    """Rows of a table as text; the first column of each is its number in the file, unless it is a summary."""

    path: str
    sheet: str
    sheets: tuple[str, ...]
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    total: int
    """Rows of the whole sheet, without its header."""
    matched: int
    notes: tuple[str, ...] = ()


class TableEdit(NamedTuple):
    """What to change in a table: single cells by place ("B2"), `values` by column in the rows that fit
    `where`, those rows away (`remove`), new rows behind the last (lists, or by column).
    """

    path: str
    sheet: str = ""
    cells: Mapping[str, Any] = MappingProxyType({})
    values: Mapping[str, Any] = MappingProxyType({})
    where: str = ""
    remove: bool = False
    rows: tuple[Any, ...] = ()
    output: str = ""
    """The file that the edited table is written to, "" for the same one."""


class TableChanged(NamedTuple):
    """What an edit, or a new file with rows of a table, came to: counts of what was proposed and what really
    happened to the file.
    """

    changed: int
    removed: int
    added: int
    files: Changed
    notes: tuple[str, ...] = ()


class SqlRows(NamedTuple):
    """What a query of a database returned. `more`: there were more rows than the limit."""

    path: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    more: bool = False
    seconds: float = 0.0


class SqlChanged(NamedTuple):
    """What statements did to a database. `undo` takes it back, "" where that is too large to be kept."""

    path: str
    rows: int
    """Rows that were added, changed or removed."""
    returned: SqlRows
    undo: str
    verified: bool
    note: str = ""


class Checksum(NamedTuple):
    """The hash of a whole file in lower-case hexadecimal digits."""

    path: str
    digest: str
    size: int


@runtime_checkable
class ReadDocuments(Protocol):
    """Reading documents behind the gate of one call.

    Every method raises an error with a text for the model when the file does not exist, is refused, is of
    another kind, locked with a password, damaged or too large.
    """

    async def text(self, path: str, pages: str = "") -> DocumentText:
        """Return the text of a document; `pages` as `2-5,9` where it has numbered parts."""
        ...

    async def table(self, query: TableQuery) -> Table: ...

    async def query(self, path: str, sql: str, limit: int = 200) -> SqlRows:
        """Run one statement that only reads. Raises ToolError for one that would change something."""
        ...

    async def checksum(self, path: str, algorithm: str) -> Checksum:
        """Return the sha256, sha1 or md5 of a file."""
        ...


@runtime_checkable
class ChangeDocuments(ReadDocuments, Protocol):
    """Changing documents too, with permission, journal and undo."""

    async def edit_table(self, edit: TableEdit) -> TableChanged: ...

    async def save_rows(self, query: TableQuery, output: str) -> TableChanged:
        """Write the rows that fit into a new file, whose kind its name tells (.csv, .tsv, .xlsx)."""
        ...

    async def execute(self, path: str, sql: str, limit: int = 200) -> SqlChanged:
        """Run statements that may change a database file, all or none."""
        ...

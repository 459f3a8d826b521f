"""Documents of other programs behind the gate of one call: text, tables, databases, checksums.

What strangers wrote is read in a child process with bounds of memory and time. A table is written anew
beside the file, shown, and only then put in its place.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import os
from collections.abc import AsyncIterator, Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar, cast

from app.capabilities.files_work import Stopped, in_process, in_thread
from app.changes.failures import told
from app.changes.text import decode, is_binary
from app.errors import ToolError
from app.platform import filesystem, trees
from app.platform.scratch import folder as new_folder
from app.records import Mark
from tools import (
    ChangeSet,
    Checksum,
    DocumentText,
    Operation,
    Table,
    TableChanged,
    TableEdit,
    TableQuery,
    WriteBytes,
)  # fmt: skip

if TYPE_CHECKING:
    from app.capabilities.files import FileReader, Files
    from app.capabilities.gate import Permit
    from app.documents.tables.editing import Made
    from app.documents.tables.grids import Source

T = TypeVar("T")
FILE_CAP = 64 * 1024 * 1024
"""Bytes of a document or workbook; delimited text and databases may have any size."""
TEXT_SECONDS = 60.0
TABLE_SECONDS = 600.0
"""Ten million rows take two or three minutes on two cores."""
_JOURNALED = 20 * 1024 * 1024
"""Bytes up to which a written table is kept whole in the journal and shown as lines; larger ones go by way
of the trash.
"""
_SAMPLE = 1 << 20
_CHUNK = 1 << 20
_WHY = {
    "locked": "It is locked with a password.",
    "empty": "It holds nothing to read.",
    "broken": "It is damaged or not what its name says.",
    "too_large": "It is too large.",
    "unknown": "",
}
_SHEETS = (".xlsx", ".xlsm", ".xltx", ".xltm")


class DocumentReader:
    """Implements `tools.ReadDocuments` over the files of the same call."""

    def __init__(self, files: FileReader, gate: Permit) -> None:
        self._files = files
        self._gate = gate

    async def text(self, path: str, pages: str = "") -> DocumentText:
        """See ReadDocuments. Raises ToolError (not_found, not_text, too_large, bad_arguments) and Refused."""
        from app.documents.kinds import ENCRYPTED, named_kind
        from app.documents.ranges import pages_of
        from app.documents.reading import PARTED, READABLE, lines_of

        try:
            wanted = pages_of(pages)
        except ValueError as error:
            raise ToolError("bad_arguments", str(error)) from None
        real = await self._files.file(path)
        data = await thread(lambda stopped: _whole(real, path))
        kind = named_kind(data, real)
        if kind == "mail":
            self._gate.mark(Mark(kind="mail", name=real))
        if kind == "text" and not is_binary(data):
            lines = decode(data).text.splitlines()
        elif kind in READABLE:
            lines = await apart(path, TEXT_SECONDS, lines_of, data, kind, wanted)
        else:
            raise ToolError("not_text", _no_document(path, kind, ENCRYPTED in data), path=path)
        parts = PARTED.get(kind, "")
        return DocumentText(self._files.shown(real), kind, tuple(lines), parts, len(data))

    async def table(self, query: TableQuery) -> Table:
        """See ReadDocuments."""
        from app.documents.tables.asking import Question, answer

        real = await self._files.file(query.path)
        source = await self._source(query.path, real, query.sheet)
        question = Question(
            source, query.columns, query.where, query.by, max(0, query.offset), query.limit, query.summary
        )
        found = await apart(query.path, TABLE_SECONDS, answer, question)
        return Table(
            self._files.shown(real), found.sheet, found.sheets, found.columns, found.rows, found.total,
            found.matched, found.notes,
        )  # fmt: skip

    async def checksum(self, path: str, algorithm: str) -> Checksum:
        """See ReadDocuments."""
        real = await self._files.file(path)

        def work(stopped: Stopped) -> tuple[str, int]:
            made, size = hashlib.new(algorithm, usedforsecurity=False), 0
            with filesystem.opened(real) as descriptor:
                while chunk := os.read(descriptor, _CHUNK):
                    if stopped():
                        break
                    made.update(chunk)
                    size += len(chunk)
            return made.hexdigest(), size

        digest, size = await thread(work)
        return Checksum(self._files.shown(real), digest, size)

    async def _source(self, path: str, real: str, sheet: str) -> Source:
        """Return how a table is to be read. Raises ToolError (not_text, too_large)."""
        from app.documents.tables.grids import Source

        def look(stopped: Stopped) -> Source:
            beginning = filesystem.read(real, 8)
            if beginning.startswith(b"PK\x03\x04"):
                kind = _table_kind(_whole(real, path), path)
                return Source(real, kind, sheet=sheet)  # type: ignore[arg-type]
            return _delimited(real, path, sheet)

        return await thread(look)


def _table_kind(data: bytes, path: str) -> str:
    from app.documents.kinds import kind_of

    kind = kind_of(data)
    if kind not in ("sheet", "open document"):
        raise ToolError("not_text", f"{path} is no table that can be read.", path=path)
    return "sheet" if kind == "sheet" else "open sheet"


def _delimited(real: str, path: str, sheet: str) -> Source:
    """Return how delimited text is to be read: its encoding is that of its first MiB, or UTF-8 with a few
    bytes that are none.
    """
    from app.documents.kinds import ENCRYPTED, kind_of
    from app.documents.tables.grids import Source

    sample = filesystem.read(real, _SAMPLE)
    if len(sample) == _SAMPLE:
        sample = sample[: sample.rfind(b"\n") + 1] or sample
    text = decode(sample)
    kind = kind_of(sample)
    if kind != "text" or (is_binary(sample) and not text.encoding.startswith(("utf-16", "utf-32"))):
        raise ToolError("not_text", _no_document(path, kind, ENCRYPTED in sample), path=path)
    if sheet:
        raise ToolError("bad_arguments", f"{path} has no sheets; leave sheet out.", path=path)
    encoding = text.encoding
    if text.mark:
        encoding = {"utf-8": "utf-8-sig", "utf-16-le": "utf-16", "utf-16-be": "utf-16"}.get(
            encoding, encoding
        )
    return Source(real, "delimited", encoding if text.known else "utf-8", "surrogateescape")


class Documents(DocumentReader):
    """Implements the part of `tools.ChangeDocuments` on tables; `databases.py` has that on databases."""

    def __init__(self, files: Files, gate: Permit) -> None:
        super().__init__(files, gate)
        self._changing = files

    async def edit_table(self, edit: TableEdit) -> TableChanged:
        """See ChangeDocuments. Raises ToolError (not_found, not_text, bad_arguments, changed_since, ...)."""
        from app.documents.tables.editing import Edit, edit_delimited
        from app.documents.tables.workbook import edit_workbook

        real = await self._files.file(edit.path)
        source = await self._source(edit.path, real, edit.sheet)
        if source.kind == "open sheet":
            words = "OpenDocument sheets can be read and saved as .csv or .xlsx, but not edited."
            raise ToolError("unsupported", f"{words} Nothing was changed.", path=edit.path)
        wanted = Edit(source, edit.cells, edit.values, edit.where, edit.remove, edit.rows)
        work: Any = edit_workbook if source.kind == "sheet" else edit_delimited
        before = await thread(lambda stopped: trees.survey(real).print)
        async with staged() as place:
            made: Made = await apart(edit.path, TABLE_SECONDS, work, wanted, place)
            lost = next((note for note in made.notes if note.startswith("LOST: ")), "")
            if lost and not edit.output:
                raise ToolError(
                    "unsupported",
                    f"Editing {edit.path} here would lose its {lost.removeprefix('LOST: ')}. Nothing was "
                    "changed. With output the edited table goes to a new file and this one stays.",
                    path=edit.path,
                )
            if not (made.changed or made.removed or made.added):
                raise ToolError("no_change", "No cell would change. Nothing was written.")
            return await self._put(edit.output or edit.path, place, made, real, before)

    async def save_rows(self, query: TableQuery, output: str) -> TableChanged:
        """See ChangeDocuments."""
        from app.documents.tables.asking import Question
        from app.documents.tables.editing import save_rows

        name = output.lower()
        kind = "sheet" if name.endswith(".xlsx") else "tsv" if name.endswith((".tsv", ".tab")) else "csv"
        if kind == "csv" and not name.endswith((".csv", ".txt")):
            raise ToolError("bad_arguments", "Rows are saved as .csv, .tsv or .xlsx. Nothing was written.")
        real = await self._files.file(query.path)
        source = await self._source(query.path, real, query.sheet)
        question = Question(source, query.columns, query.where, "", max(0, query.offset), query.limit)
        async with staged() as place:
            made: Made = await apart(query.path, TABLE_SECONDS, save_rows, question, place, kind)
            return await self._put(output, place, made, "", "")

    async def _put(self, path: str, place: str, made: Made, real: str, before: str) -> TableChanged:
        """Put what was written in its place; `real` was read when it had the print `before`."""

        def ready(stopped: Stopped) -> tuple[Operation, str]:
            size = os.path.getsize(place)
            target = self._files.resolve(path)
            stands = trees.survey(target)
            if target == real and stands.print != before:
                raise ToolError("changed_since", f"{path} changed while it was read. Nothing was changed.")
            large = max(size, stands.size) > _JOURNALED
            if large:
                from app.capabilities.files_arranging import Put

                put = Put(place, path, made.sample, "" if stands.kind == "missing" else stands.print)
                return cast(Operation, put), target
            content = filesystem.read(place)
            expects = "missing"
            if stands.kind == "file":
                expects = hashlib.sha256(filesystem.read(target)).hexdigest()
            return WriteBytes(path, content, expects, made.sample), target

        operation, _ = await thread(ready)
        files = await self._changing.change(ChangeSet((operation,)))
        notes = tuple(_kept_note(note) for note in made.notes)
        return TableChanged(made.changed, made.removed, made.added, files, notes)


def _kept_note(note: str) -> str:
    lost = note.removeprefix("LOST: ")
    return note if lost == note else f"The new file lacks the {lost} of the first one."


def _no_document(path: str, kind: str, encrypted: bool) -> str:
    if kind == "old office" and encrypted:
        return f"{path} is locked with a password."
    if kind == "old office":
        return f"{path} is in the format of Office 97 to 2003. Save it as .docx, .xlsx or .pptx first."
    return f"{path} is no document that can be read ({kind})."


def _whole(real: str, path: str) -> bytes:
    size = filesystem.status(real).size
    data = b"" if size > FILE_CAP else filesystem.read(real, FILE_CAP + 1)
    if max(size, len(data)) > FILE_CAP:
        raise ToolError("too_large", f"{path} has {size} bytes; a document may have {FILE_CAP}.", path=path)
    if not data:
        raise ToolError("not_text", f"{path} is empty.", path=path)
    return data


@contextlib.asynccontextmanager
async def staged() -> AsyncIterator[str]:
    """A path in a private folder that goes away."""
    folder = await asyncio.to_thread(new_folder, "bramble-staged-")
    try:
        yield os.path.join(folder, "made")
    finally:
        await asyncio.to_thread(trees.remove, folder)


async def read_together(
    files: FileReader, paths: Sequence[str], most: int, what: str
) -> list[tuple[str, bytes]]:
    """Return the real path and the content of each file, once the gate lets it be read.

    Raises ToolError (too_large) where `what` they are has more than `most` bytes together.
    """
    made: list[tuple[str, bytes]] = []
    left = most
    for path in paths:
        real = await files.file(path)

        def read(stopped: Stopped, real: str = real, left: int = left) -> bytes:
            return filesystem.read(real, left + 1)

        data = await thread(read)
        left -= len(data)
        if left < 0:
            raise ToolError("too_large", f"The {what} have more than {most} bytes together.")
        made.append((real, data))
    return made


async def thread(work: Callable[[Stopped], T]) -> T:
    try:
        return await in_thread(work)
    except OSError as error:
        raise told(error, "") from error


async def apart(path: str, seconds: float, work: Callable[..., T], *args: Any) -> T:
    """Return what `work` makes of a stranger's file in a process of its own. Raises ToolError."""
    from app.documents.failing import Unreadable

    try:
        return await in_process(work, *args, seconds=seconds)
    except Unreadable as error:
        code = "too_large" if error.why == "too_large" else "not_text"
        if error.why == "unknown":
            code = "bad_arguments"
        told = error.detail if error.why == "empty" else ""  # what is empty says more than that it is
        words = told or " ".join(filter(None, (_WHY[error.why], error.detail)))
        raise ToolError(code, f"{path}: {words}", path=path) from None
    except TimeoutError:
        raise ToolError("too_large", f"{path} could not be read in {seconds:g} s.", path=path) from None
    except (MemoryError, RuntimeError) as error:  # it ran wild, or its process died of it
        words = f"{path} takes too much memory to be read."
        raise ToolError("too_large", words, detail=str(error), path=path) from None

"""SQLite databases behind the gate of one call. Reading opens the file so that nothing can be written;
a change is rehearsed on a copy, shown with its rows, and what stood there is kept before it happens.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from app.capabilities.documents import DocumentReader, Documents, apart, staged, thread
from app.capabilities.files_work import Stopped
from app.errors import Refused, ToolError
from app.platform import filesystem
from app.records import FileDiff, FilesEffect
from tools import ChangeSet, SqlChanged, SqlRows, WriteBytes

if TYPE_CHECKING:
    from app.capabilities.files import Files
    from app.capabilities.gate import Permit
    from app.changes.snapshot import Snapshots
    from app.documents.databases import Done, Rows

KEPT = 64 * 1024 * 1024
"""Bytes of the largest database that is kept before a change; a larger one cannot be taken back."""
_CHILD = 60.0
"""Seconds of a child beyond those that statements may run."""
READABLE = 20_000
"""Characters of statements that a person can look at before they agree; all of them are shown."""


class DatabaseReader(DocumentReader):
    """Implements `tools.ReadDocuments`."""

    async def query(self, path: str, sql: str, limit: int = 200) -> SqlRows:
        """See ReadDocuments. Raises ToolError (not_found, not_text, bad_arguments, too_large) and Refused."""
        from app.documents import databases

        real = await self._files.file(path)
        found = await apart(path, databases.SECONDS + _CHILD, databases.query, real, sql, limit)
        return _rows(self._files.shown(real), found)


class Databases(Documents, DatabaseReader):
    """Implements `tools.ChangeDocuments`. Without `snapshots` no database can be changed."""

    def __init__(
        self, files: Files, gate: Permit, *, session: str, turn: str, tool: str, snapshots: Snapshots | None
    ) -> None:
        super().__init__(files, gate)
        self._where = (session, turn, tool)
        self._snapshots = snapshots

    async def execute(self, path: str, sql: str, limit: int = 200) -> SqlChanged:
        """See ChangeDocuments. Raises ToolError (not_text, bad_arguments, too_large, changed_since) and
        Refused; then nothing was changed.
        """
        target = await thread(lambda stopped: self._files.resolve(path))
        if await thread(lambda stopped: filesystem.status(target).kind) == "missing":
            return await self._make(path, sql, limit)
        shows = shown_whole(sql)
        real = await self._files.file(path)
        size = await thread(lambda stopped: filesystem.status(real).size)
        effect = FilesEffect(
            files=(await self._diff(path, real, sql, shows, limit, size),), undoable=size <= KEPT
        )
        answer = await self._gate.permit(effect)
        if answer.rejected:
            raise Refused("denied", "The person rejected this. Nothing was done.")
        work = asyncio.ensure_future(self._run(path, real, sql, limit))
        try:  # what is under way ends before anybody forgets what stood there
            return await asyncio.shield(work)
        except asyncio.CancelledError:
            await asyncio.gather(work, return_exceptions=True)
            raise

    async def _diff(
        self, path: str, real: str, sql: str, shows: list[str], limit: int, size: int
    ) -> FileDiff:
        """Return what the question shows: the statements, and how many rows they would change."""
        from app.documents import databases

        if size <= databases.REHEARSED:
            done: Done = await apart(path, databases.SECONDS + _CHILD, databases.rehearse, real, sql, limit)
            shows.append(f"→ {done.changed:,} {'row' if done.changed == 1 else 'rows'}")
        return FileDiff(
            path=real, shown=self._files.shown(real), kind="changed", binary=True, size=size,
            sample=tuple(shows), note="shown_changes",
        )  # fmt: skip

    async def _run(self, path: str, real: str, sql: str, limit: int) -> SqlChanged:
        """Run it with what stood there kept, under the lock of the path."""
        from app.documents import databases

        session, turn, tool = self._where
        seconds = databases.SECONDS + _CHILD
        async with self._changing.locked(real):
            stamp = await apart(path, seconds, databases.settle, real)
            ran = None
            if self._snapshots is not None and stamp[0] <= KEPT:
                ran = await self._snapshots.take(session, turn, (real,), self._gate.origin, tool)
            try:
                done: Done = await apart(path, seconds, databases.execute, real, sql, limit, stamp)
            except BaseException:
                if self._snapshots is not None and ran is not None:
                    self._snapshots.drop(ran)
                raise
            undo = ""
            if self._snapshots is not None and ran is not None:
                undo = (await self._snapshots.settle(ran)).change
        note = "" if undo or not done.changed else "It is too large to be kept, so it cannot be taken back."
        return SqlChanged(
            self._files.shown(real), done.changed, _rows(path, done.returned), undo, done.sound, note
        )

    async def _make(self, path: str, sql: str, limit: int) -> SqlChanged:
        """Make a new database beside and put it in its place as a whole."""
        from app.documents import databases

        shows = shown_whole(sql)
        async with staged() as place:
            done: Done = await apart(path, databases.SECONDS + _CHILD, databases.make, place, sql, limit)

            def read(stopped: Stopped) -> bytes:
                return filesystem.read(place)

            data = await thread(read)
            operation = WriteBytes(path, data, "missing", tuple(shows))
            files = await self._changing.change(ChangeSet((operation,)))
        (file,) = files.files
        if file.kind == "same":
            raise ToolError("denied", files.note or "Nothing was written.")
        return SqlChanged(
            file.path, done.changed, _rows(path, done.returned), files.undo, file.verified, "It is new."
        )


def shown_whole(sql: str) -> list[str]:
    """Return all lines of the statements. Raises ToolError too_large for more than anybody can look at."""
    if len(sql) > READABLE:
        words = f"The statements have {len(sql):,} characters; a question shows up to {READABLE:,}."
        raise ToolError("too_large", f"{words} Nothing was changed. Give them in several calls.")
    return [line.strip() for line in sql.strip().splitlines() if line.strip()]


def _rows(shown: str, found: Rows) -> SqlRows:
    return SqlRows(shown, found.columns, found.rows, found.more, found.seconds)

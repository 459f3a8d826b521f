"""Read, list, find and search files behind the gate; nothing here can change anything."""

from __future__ import annotations

import asyncio
import os
import sqlite3
import stat
from collections.abc import Callable, Sequence
from dataclasses import replace
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import TypeVar

from app.capabilities import files_pages, files_ripgrep, files_scan
from app.capabilities.files_glob import matcher
from app.capabilities.files_paths import holds_key, is_secret, resolve, shown
from app.capabilities.files_query import SIZE_CAP, Query, Result
from app.capabilities.files_walk import Found as Walked, Walk
from app.capabilities.files_work import Stopped, in_process, in_thread
from app.capabilities.files_world import FileWorld
from app.capabilities.gate import Permit
from app.changes.failures import told
from app.documents import pdf
from app.documents.failing import Unreadable
from app.errors import ToolError
from app.platform import filesystem
from app.records import Mark, ReadEffect
from app.store import journal as rows
from tools import Entry, FileBytes, FileText, Found

T = TypeVar("T")
_SIGNS = frozenset(".^$*+?{}[]\\|()")
"""Characters that make a regular expression more than plain text."""
_PDF_WHY = {
    "locked": "The PDF is locked with a password.",
    "empty": "The PDF has no text.",
    "broken": "The PDF cannot be read.",
    "too_large": "The PDF is too large.",
    "unknown": "This is no PDF.",
}
SEARCH_SECONDS = 60.0
"""How long a search with Python's regular expressions may take."""


class FileReader:
    """Reading behind the gate of one call, from the working folder `cwd`. Implements `tools.ReadFiles`."""

    def __init__(self, world: FileWorld, gate: Permit, cwd: str) -> None:
        self._world = world
        self._gate = gate
        self._cwd = cwd

    async def read(self, path: str, *, first: int = 1, count: int = 2000) -> FileText | FileBytes:
        """Return a page of a file. Raises ToolError (not_found, no_permission, not_text, ...) and Refused."""
        if first < 1 or count < 1:
            raise ToolError("bad_arguments", "Lines count from 1, and at least one must be read.")
        real = await self._permitted(path)
        name = shown(real, self._real_cwd())

        def work(stopped: Stopped) -> tuple[FileText | FileBytes, bool]:
            _must_be_file(real, path)
            return files_pages.page(real, name, first, count, stopped), holds_key(filesystem.read(real, 4096))

        (found, key), _marked = await asyncio.gather(self._work(work), self.mark([real]))
        if key and not is_secret(real, self._world.secrets):
            await self._gate.permit(ReadEffect(path=real, secret=True))
        if isinstance(found, FileBytes) and found.kind == "pdf":
            return await self._pdf(found, name, first, count)
        return found

    async def _pdf(self, found: FileBytes, name: str, first: int, count: int) -> FileText:
        if found.size > len(found.data):
            raise ToolError(
                "too_large", f"{name} has {found.size} bytes; a PDF may have {files_pages.PDF_CAP}."
            )
        try:
            lines = await in_process(pdf.lines_of, found.data, seconds=files_pages.PDF_SECONDS)
        except Unreadable as error:
            raise ToolError("not_text", f"{name}: {_PDF_WHY[error.why]} {error.detail}".rstrip()) from None
        except TimeoutError:
            raise ToolError("not_text", f"The text of {name} could not be read in time.") from None
        except MemoryError:
            raise ToolError("too_large", f"{name} needs too much memory to be read.") from None
        return files_pages.pdf_page(lines, name, first, count, found.size)

    async def list(self, path: str, *, depth: int = 1, hidden: bool = False, limit: int = 500) -> Found:
        """Return what a folder holds, folders within it down to `depth` levels."""
        real = await self._permitted(path)

        def work(stopped: Stopped) -> Found:
            _must_be_folder(real, path)
            closed = is_secret(real, self._world.secrets)
            walk = Walk(real, hidden=hidden, ignore=False, depth=max(1, depth), stopped=stopped)
            secret = self._secret_folders(real)
            return _entries(walk, limit, lambda found: closed or not secret(_folder(found)))

        return await self._work(work)

    async def members(self, archive: str, *, limit: int = 500) -> Found:
        """Return what an archive holds, as it says itself; nothing is written."""
        real = await self._permitted(archive)

        def work(stopped: Stopped) -> Found:
            from app.changes import members  # late: the libraries of archives are heavy and seldom needed

            _must_be_file(real, archive)
            found = members.members(real)
            kinds = {"link": "link", "folder": "folder"}
            entries = [
                Entry(one.name, kinds.get(one.kind, "file"), one.size, one.modified, one.target)  # type: ignore[arg-type]
                for one in found[:limit]
            ]
            return Found(entries=tuple(entries), more=len(found) > limit, searched=len(found))

        return await self._work(work)

    async def find(self, pattern: str, path: str = ".", *, hidden: bool = False, limit: int = 200) -> Found:
        """Return files and folders whose name or path matches; ignored ones are left out."""
        real = await self._permitted(path)
        if not pattern.strip():
            raise ToolError("bad_arguments", "The pattern is empty.")
        below = pattern.removeprefix(real).lstrip("/") if pattern.startswith(real + os.sep) else pattern
        test, folders_only = matcher(below), below.endswith("/")

        def work(stopped: Stopped) -> Found:
            _must_be_folder(real, path)
            closed = is_secret(real, self._world.secrets)
            secret = self._secret_folders(real)
            walk = Walk(real, hidden=hidden, stopped=stopped)

            def wanted(found: Walked) -> bool:
                if not test(found.path) or (folders_only and not found.folder):
                    return False
                return closed or not secret(_folder(found))

            return _entries(walk, limit, wanted)

        return await self._work(work)

    async def search(
        self,
        pattern: str,
        path: str = ".",
        *,
        glob: str = "",
        literal: bool = False,
        ignore_case: bool = False,
        context: int = 0,
        hidden: bool = False,
        limit: int = 200,
    ) -> Found:
        """Return the lines that match.

        Files that may hold secrets are searched only where `path` names them.
        """
        if not pattern or "\n" in pattern:
            raise ToolError("bad_arguments", "Give a pattern that can match within one line.")
        real = await self._permitted(path)
        await self._work(lambda stopped: _must_be_searchable(real, path))
        query = Query(
            root=real,
            pattern=pattern,
            glob=glob,
            literal=literal or not set(pattern) & _SIGNS,
            ignore_case=ignore_case,
            context=max(0, min(context, 20)),
            hidden=hidden,
            limit=limit,
            own=self._world.secrets,
        )
        try:
            result = await self._searched(query)
        except ToolError as error:
            if literal or error.code != "bad_arguments":
                raise
            result = await self._searched(replace(query, literal=True))
        names = dict.fromkeys(match.path for match in result.matches)
        denied = {name for name in names if self._denies(os.path.join(query.folder, name))}
        matches = tuple(match for match in result.matches if match.path not in denied)
        await self.mark([os.path.join(query.folder, name) for name in names if name not in denied])
        return Found(matches=matches, more=result.more, searched=result.searched)

    async def _searched(self, query: Query) -> Result:
        program = files_ripgrep.locate(self._world.environ, self._cwd) if query.pattern.isascii() else ""
        if program:
            try:
                return await files_ripgrep.search(program, query)
            except files_ripgrep.CannotRead:
                pass  # Python reads more kinds of expressions, or says what is wrong with this one
        if query.literal:
            return await in_thread(lambda stopped: files_scan.scan(query, stopped))
        try:
            return await in_process(files_scan.scan, query, seconds=SEARCH_SECONDS)
        except TimeoutError:
            raise ToolError("too_large", "The search took too long. Narrow it by path or glob.") from None

    async def file(self, path: str) -> str:
        """Return the real path of a file once the gate lets it be read, for a capability that reads it as a
        whole. Raises ToolError (not_found, no_permission, ...) and Refused.
        """
        real = await self._permitted(path)

        def look(stopped: Stopped) -> None:
            _must_be_file(real, path)
            filesystem.read(real, 1)

        await self._work(look)
        await self.mark([real])
        return real

    def resolve(self, path: str) -> str:
        """Return the real path that a path names. Touches the disk. Raises ToolError."""
        return self._resolve(path)

    def shown(self, real: str) -> str:
        """Return a real path as people read it."""
        return shown(real, self._real_cwd())

    async def mark(self, paths: Sequence[str]) -> None:
        """Mark the call by what the files were made from, as far as the journal knows it."""

        def look(db: sqlite3.Connection) -> list[Mark]:
            return [mark for path in paths for mark in rows.marks_of(db, os.path.realpath(path))]

        if paths:
            self._gate.mark(*await self._world.journal.store.read(look))

    def _denies(self, path: str) -> bool:
        return self._gate.denies(ReadEffect(path=os.path.realpath(path)))

    def _secret_folders(self, root: str) -> Callable[[str], bool]:
        """Return a test for folders below `root`, relative to it, that asks once for each of them.

        The root itself counts as open: who looks there knows of it.
        """
        own = self._world.secrets
        return cache(lambda folder: bool(folder) and is_secret(os.path.join(root, folder), own))

    async def _permitted(self, path: str) -> str:
        """Return the real path once the gate lets it be read. Raises Refused."""
        real = await in_thread(lambda stopped: self._resolve(path))
        if any(Path(real).is_relative_to(folder) for folder in self._world.open):
            return real
        effect = ReadEffect(path=real, secret=is_secret(real, self._world.secrets))
        if not await in_thread(lambda stopped: self._opened(effect)):
            await self._gate.permit(effect)
        return real

    def _opened(self, effect: ReadEffect) -> bool:
        """Whether the file lies in a folder that the person opened to all calls, and no rule forbids it."""
        if effect.secret or Path(effect.path).is_relative_to(self._real_cwd()):
            return False
        folders = self._world.opened(self._cwd)
        return any(Path(effect.path).is_relative_to(one) for one in folders) and not self._gate.denies(effect)

    def _resolve(self, path: str) -> str:
        """Return the real path. Raises ToolError (no_folder) when the working folder is gone."""
        if not os.path.isdir(self._cwd):
            raise ToolError("no_folder", f"The working folder {self._cwd} is gone.", path=self._cwd)
        return resolve(self._cwd, path)

    def _real_cwd(self) -> str:
        return os.path.realpath(self._cwd)

    async def _work(self, work: Callable[[Stopped], T]) -> T:
        try:
            return await in_thread(work)
        except OSError as error:
            raise told(error, "") from error


def _entries(walk: Walk, limit: int, wanted: Callable[[Walked], bool]) -> Found:
    entries: list[Entry] = []
    searched = 0
    for found in walk:
        searched += 1
        if not wanted(found):
            continue
        if len(entries) >= limit:
            return Found(entries=tuple(entries), more=True, searched=searched, unread=walk.unread)
        entries.append(_entry(found))
    return Found(entries=tuple(entries), searched=searched, unread=walk.unread)


def _folder(found: Walked) -> str:
    """Return the folder that it lies in: a secret one may be named itself, what it holds may not."""
    return found.path.rpartition("/")[0]


def _entry(found: Walked) -> Entry:
    try:
        standing = found.entry.stat(follow_symlinks=False)
        target = os.readlink(found.entry.path) if found.link else ""
    except OSError:
        return Entry(found.path, "other")
    if found.link or found.folder:
        return Entry(found.path, "link" if found.link else "folder", 0, standing.st_mtime, target)
    regular = stat.S_ISREG(standing.st_mode)
    return Entry(
        found.path, "file" if regular else "other", standing.st_size if regular else 0, standing.st_mtime
    )


def _must_exist(real: str, named: str) -> filesystem.Kind:
    """Return what stands there. Raises ToolError (not_found) that names what is like it."""
    kind = filesystem.status(real).kind
    if kind != "missing":
        return kind
    folder = os.path.dirname(real)
    while not os.path.isdir(folder):
        folder = os.path.dirname(folder)
    try:
        near = get_close_matches(os.path.basename(real), os.listdir(folder), 3, 0.6)
    except OSError:
        near = []
    hint = f" Near names in {folder}: {', '.join(near)}." if near else ""
    raise ToolError("not_found", f"There is no {named}.{hint}", path=named)


def _must_be_file(real: str, named: str) -> None:
    kind = _must_exist(real, named)
    if kind == "folder":
        raise ToolError("bad_arguments", f"{named} is a folder; list_dir shows what it holds.", path=named)
    if kind != "file":
        raise ToolError("not_text", f"{named} is no regular file but a {kind}.", path=named)


def _must_be_folder(real: str, named: str) -> None:
    """Raise ToolError where it is none, OSError where it cannot be looked into: that is not an empty one."""
    if _must_exist(real, named) != "folder":
        raise ToolError("bad_arguments", f"{named} is no folder.", path=named)
    os.scandir(real).close()


def _must_be_searchable(real: str, named: str) -> None:
    """Raise ToolError or OSError where a search would find nothing because it cannot look."""
    if _must_exist(real, named) == "folder":
        os.scandir(real).close()
        return
    _must_be_file(real, named)
    size = filesystem.status(real).size
    if size > SIZE_CAP:
        raise ToolError("too_large", f"{named} has {size} bytes; files over {SIZE_CAP} are not searched.")
    filesystem.read(real, 1)

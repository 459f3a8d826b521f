"""What front ends and turns can do with the person's own tools: list, show, check, begin, trust, switch."""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from app.changes.diff import file_diff
from app.errors import BrambleError
from app.events import Event, OwnToolsChanged
from app.own_tool_records import Described, OwnTool, OwnToolInfo, Problem, Report
from app.platform import filesystem
from app.platform.paths import Home
from app.platform.processes import began_in_tool
from app.platform.sandbox import seal
from app.platform.sandbox.confinement import Probe
from app.toolbox.foreign import Call
from app.toolbox.here import Here
from app.toolbox.own import outline, places, running, start, trust as trusting
from app.toolbox.own.folder import SUFFIX, Folder, OwnFile, read
from app.toolbox.own.process import Broken
from app.toolbox.own.running import LIMITS, Cell, Limits, Work
from app.toolbox.own.shelf import SOURCE, Entry, clash, entries, tool_of
from app.toolbox.own.trust import Trust, Trusted, TrustFile
from app.toolbox.registry import Registry
from tools import ToolResult

_LINE = re.compile(r" \(line (\d+)\)$")


class OwnTools:
    """Facade over the folder of own tools. A file is run only where exactly its content was trusted, or in a
    room that lets it do nothing, to learn what it says of itself.
    """

    def __init__(
        self,
        home: Home,
        registry: Registry,
        *,
        probe: Callable[[], Awaitable[Probe]],
        environ: Mapping[str, str],
        emit: Callable[[Event], None],
        told: Callable[[], Awaitable[None]],
        clock: Callable[[], float],
        limits: Limits = LIMITS,
    ) -> None:
        """`told` lets other processes look again. The registry gets what is trusted and on."""
        self._folder = Folder(places.folder(home))
        self._file = TrustFile(places.trust(home))
        self._probe = probe
        self._environ = environ
        self._emit = emit
        self._told = told
        self._clock = clock
        self._limits = limits
        self._looking = asyncio.Lock()
        self._entries: tuple[Entry, ...] | None = None
        self._registry = registry

    @property
    def folder(self) -> Path:
        """Where the files lie; it need not exist."""
        return self._folder.path

    # --- what there is -------------------------------------------------------------------------------------

    async def refresh(self) -> tuple[OwnToolInfo, ...]:
        """Look at the folder and let the registry have what is trusted and on; at each turn and listing.

        Reads only what changed since. Never raises for what stands in the folder.
        """
        async with self._looking:
            found = await asyncio.to_thread(self._look)
            before, self._entries = self._entries, found
            infos = tuple(entry.info for entry in found)
            if before is None or infos != tuple(entry.info for entry in before):
                self._offer()
                if before is not None:
                    self._emit(OwnToolsChanged())
            return infos

    async def list(self) -> tuple[OwnToolInfo, ...]:
        """Return all files by name, also those that are broken or wait for trust."""
        return await self.refresh()

    async def show(self, name: str) -> OwnTool:
        """Return one file with its source and what is different from what was trusted. Raises BrambleError
        no_own_tool.
        """
        return await self._shown(await self._entry(name))

    async def check(self, path: str) -> Report:
        """Return what the contract test finds in the file at `path`, wherever it lies.

        Where nothing can hold it, it is not run, and the report is `partly`.
        """
        file = await asyncio.to_thread(lambda: read(os.path.abspath(os.path.expanduser(path))))
        problems = (*clash(file.name, self._taken()), *file.outline.problems)
        if problems:
            return Report(ok=False, problems=problems)
        cell = await self._cell()
        if not _holds(cell.found):
            return Report(ok=True, partly=True)
        found = await self._described(cell, file)
        return Report(ok=isinstance(found, Described), problems=() if isinstance(found, Described) else found)

    # --- what a person does --------------------------------------------------------------------------------

    async def new(self, name: str) -> OwnTool:
        """Write a new tool that works, for the person to change. It waits for trust like any other.

        Raises BrambleError: bad_tool_name, own_tool_exists, no_permission, disk_full.
        """
        name = name.removesuffix(SUFFIX)
        if not outline.is_name(name):
            raise BrambleError("bad_tool_name", f"A tool cannot be named {name!r}.", name=name)
        if clash(name, self._taken()):
            raise BrambleError("own_tool_exists", f"Bramble has a tool named {name} already.", name=name)
        await asyncio.to_thread(start.write, self.folder, name)
        return await self.show(name)

    async def trust(self, name: str, hash: str = "") -> OwnTool:
        """Trust exactly the content with this hash (as it was shown; "" for what stands there now).

        Raises BrambleError: own_approval, no_own_tool, own_tool_changed, bad_own_tool, no_permission,
        disk_full.
        """
        _only_by_a_person()
        entry = await self._entry(name)
        file = entry.file
        if entry.info.problems:
            raise _bad(file, entry.info.problems)
        if hash and hash != file.hash:
            raise BrambleError("own_tool_changed", f"{file.path} is not what was shown.", name=file.name)
        cell = await self._cell()
        held = _holds(cell.found)
        found = await self._described(replace(cell, unsealed=not held), file)
        if not isinstance(found, Described):
            raise _bad(file, found)
        new = Trusted(
            name=file.name, hash=file.hash, source=file.source, described=found, held=held, at=self._clock()
        )
        await self._change(lambda trust: trusting.with_trusted(trust, new))
        return await self.show(name)

    async def forget(self, name: str, hash: str = "") -> bool:
        """Trust nothing of this name any more, or not the content with this hash; false where nothing was.

        The file stays. Raises as `trust`.
        """
        _only_by_a_person()
        before = await asyncio.to_thread(self._file.read)
        await self._change(lambda trust: trusting.without(trust, name, hash))
        return trusting.without(before, name, hash).trusted != before.trusted

    async def enable(self, name: str, on: bool = True) -> None:
        """Offer a trusted tool, or no longer. Raises as `trust`."""
        _only_by_a_person()
        entry = await self._entry(name)
        if on and entry.trusted is None:
            raise BrambleError("own_tool_changed", f"{name} is not trusted as it is.", name=name)
        await self._change(lambda trust: trusting.switched(trust, name, on))

    # --- inside --------------------------------------------------------------------------------------------

    def _look(self) -> tuple[Entry, ...]:
        return entries(self._folder.files(), self._file.read(), self._taken())

    def _taken(self) -> frozenset[str]:
        """Return the names of all other tools."""
        return frozenset(tool.name for tool in self._registry.tools.values() if tool.source != SOURCE)

    def _offer(self) -> None:
        """Let the registry have what is on."""
        found = self._entries or ()
        made = [tool_of(entry, self._call) for entry in found if entry.info.state == "on"]
        if made or self._registry.of(SOURCE):
            self._registry.put(SOURCE, made)
        left = (entry.info for entry in found if entry.info.state != "on")
        self._registry.leave_out(SOURCE, {info.name: _left_out(info) for info in left})

    def _call(self, entry: Entry) -> Call:
        assert entry.trusted is not None
        work = Work(entry.file.name, entry.file.source, entry.trusted.described.reads)
        unsealed = not entry.trusted.held

        async def call(here: Here, arguments: dict[str, Any]) -> ToolResult:
            cell = replace(await self._cell(), unsealed=unsealed)
            return await running.run(cell, work, arguments, here.context, here.cwd, here.progress)

        return call

    async def _cell(self) -> Cell:
        return Cell(await self._probe(), self._environ, self._limits)

    async def _described(self, cell: Cell, file: OwnFile) -> Described | tuple[Problem, ...]:
        try:
            return await running.describe(cell, Work(file.name, file.source))
        except (Broken, OSError) as error:
            text = str(error)
            line = _LINE.search(text)
            message = f"It cannot be loaded: {text[: line.start()] if line else text}."
            return (Problem(line=int(line[1]) if line else 1, message=message),)

    async def _entry(self, name: str) -> Entry:
        await self.refresh()
        wanted = name.removesuffix(SUFFIX)
        for entry in self._entries or ():
            if wanted in (entry.file.name, entry.info.name):
                return entry
        raise BrambleError("no_own_tool", f"There is no tool {name!r} in {self.folder}.", name=name)

    async def _shown(self, entry: Entry) -> OwnTool:
        file = entry.file
        last = (await asyncio.to_thread(self._file.read)).last(file.name)
        diff = None
        if last and last.hash != file.hash and file.source:
            old, new = last.source.encode("utf-8", "replace"), file.source.encode("utf-8", "replace")
            diff = await asyncio.to_thread(file_diff, file.path, f"{file.name}{SUFFIX}", old, new)
        return OwnTool(
            info=entry.info,
            source=file.source,
            description=file.outline.description,
            examples=file.outline.examples,
            diff=diff if diff and diff.hunks else None,
            held=_holds(await self._probe()),
        )

    async def _change(self, change: Callable[[Trust], Trust]) -> None:
        try:
            await asyncio.to_thread(self._file.change, change)
        except OSError as error:
            code = "disk_full" if error.errno in filesystem.FULL else "no_permission"
            path = str(self._file.path)
            raise BrambleError(code, f"{path}: {error}", detail=str(error), path=path) from error
        await self.refresh()
        await self._told()


def _holds(found: Probe) -> bool:
    return found.layer != "none" or seal.available()


def _bad(file: OwnFile, problems: tuple[Problem, ...]) -> BrambleError:
    first = problems[0]
    why = f"line {first.line}: {first.message}" if first.line else first.message
    words = f"{file.name} does not keep the contract: {why}"
    return BrambleError("bad_own_tool", words, name=file.name, why=why)


def _only_by_a_person() -> None:
    if began_in_tool():
        raise BrambleError("own_approval", "A command of a tool cannot trust tools.")


def _left_out(info: OwnToolInfo) -> str:
    """Return what a model is told that calls this tool by its name."""
    why = {
        "off": "they switched it off",
        "waiting": "they have not looked at it and trusted it yet",
        "changed": "its file is not what they trusted",
        "broken": "its file has a fault",
    }
    said = why.get(info.state, info.state)
    name = f"{info.name} is a tool of the person's own"
    return f"{name} that cannot be called now: {said}. Tell them; only they can change that."

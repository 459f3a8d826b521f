"""One run of a tool of the person's own: its child works, what it asks for happens here, behind the gate."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from inspect import BoundArguments, Signature
from typing import Any

from app.own_tool_records import Described, Problem
from app.platform.plain_text import visible
from app.platform.sandbox.confinement import Probe
from app.toolbox.own import process, wire
from app.toolbox.own.capabilities import signature
from app.toolbox.own.process import Broken, Child
from app.toolbox.own.results import Undoable, described, sound
from tools import ReadContext, ToolContext, ToolFailed, ToolResult

LOAD_SECONDS = 10.0
"""How long a module may take to say what it is."""
_PROGRESS_EVERY = 0.05
_PROGRESS = 200
_LARGE = 64 << 10
"""Bytes of a request that is read aside, so that nothing else waits for it."""


@dataclass(frozen=True)
class Limits:
    """What one call of a tool may use."""

    seconds: float = 60.0
    """Of its own work; what its capabilities and the person take does not count."""
    memory: int = 512 << 20
    """Bytes of address space."""
    messages: int = 20_000


LIMITS = Limits()


@dataclass(frozen=True)
class Cell:
    """Where children run: what the machine has to hold them, and what one may use."""

    found: Probe
    environ: Mapping[str, str]
    limits: Limits = LIMITS
    unsealed: bool = False
    """Whether it may also run where nothing at all holds it, since a person said so."""


@dataclass(frozen=True)
class Work:
    """The source of a tool, exactly as it was trusted, or is to be looked at."""

    name: str
    source: str
    reads: bool = False


async def describe(cell: Cell, work: Work) -> Described | tuple[Problem, ...]:
    """Return what a tool says of itself, or what is wrong with it. Raises Broken."""
    seconds = min(cell.limits.seconds, LOAD_SECONDS)  # a person waits for it
    cell = replace(cell, limits=replace(cell.limits, seconds=seconds))
    child = await process.start(cell.found, cell.environ)
    try:
        async with asyncio.timeout(seconds):
            await _begin(child, cell, work, do="describe")
            message = await child.receive()
    except TimeoutError:
        raise Broken(f"it took longer than {seconds:g} s to load") from None
    finally:
        await asyncio.shield(child.end())
    match message:
        case {"kind": "crashed" | "failed", "text": str(text)}:
            raise Broken(visible(text))
    try:
        return described(message)
    except ValueError:
        raise Broken("what it says of itself cannot be used") from None


async def run(
    cell: Cell,
    work: Work,
    arguments: Mapping[str, Any],
    make_context: Callable[[], ReadContext | ToolContext],
    cwd: str,
    progress: Callable[[str], None] = lambda text: None,
) -> ToolResult:
    """Run a tool and return its result. Raises ToolFailed, and what a capability raises, which ends it."""
    try:
        child = await process.start(cell.found, cell.environ)
    except OSError as error:
        raise ToolFailed(f"{work.name} could not be started: {error}") from None
    try:
        talk = _Talk(child, work, make_context, progress, cell.limits)
        await talk.within(_begin(child, cell, work, do="run", arguments=dict(arguments), cwd=cwd))
        return await talk.to_the_end()
    except (Broken, wire.NotUnderstood) as error:
        raise ToolFailed(f"{work.name} failed: {error}.") from None
    finally:
        await asyncio.shield(child.end())


async def _begin(child: Child, cell: Cell, work: Work, **more: Any) -> None:
    limits = cell.limits
    first = {"kind": "begin", "name": work.name, "source": work.source, "reads": work.reads}
    await child.send({**first, "memory": limits.memory, "seconds": int(limits.seconds) + 5, **more})
    ready = await child.receive()
    held = cell.found.layer != "none" or ready.get("sealed") is True
    if ready["kind"] != "ready" or not (held or cell.unsealed):
        raise Broken("nothing on this computer holds it, so it was not run")


class _Talk:
    """The messages of one run, counted and timed."""

    def __init__(
        self,
        child: Child,
        work: Work,
        make_context: Callable[[], ReadContext | ToolContext],
        progress: Callable[[str], None],
        limits: Limits,
    ) -> None:
        self._child = child
        self._work = work
        self._make_context = make_context
        self._context: ReadContext | ToolContext | None = None
        self._progress = progress
        self._limits = limits
        self._left = limits.seconds
        self._said = 0.0
        self._undoable = Undoable()

    async def to_the_end(self) -> ToolResult:
        """Answer until the result comes."""
        for _ in range(self._limits.messages):
            message = await self.within(self._child.receive())
            match message:
                case {"kind": "said", "text": str(text)}:
                    self._say(text)
                case {"kind": "call"}:
                    value = wire.told(await self._act(message))
                    await self.within(self._child.send({"kind": "answer", "value": value}))
                case {"kind": "result", "value": value}:
                    return await asyncio.to_thread(self._result, value)  # it may be megabytes
                case {"kind": "failed", "text": str(text)}:
                    raise ToolFailed(text)
                case {"kind": "crashed", "text": str(text)}:
                    raise Broken(visible(text))
                case _:
                    raise Broken("what came is no message")
        raise Broken(f"it asked for more than {self._limits.messages:,} things")

    async def within(self, work: Any) -> Any:
        """Await what the child takes its time for."""
        loop = asyncio.get_running_loop()
        began = loop.time()
        try:
            async with asyncio.timeout(self._left):
                return await work
        except TimeoutError:
            raise Broken(f"it took longer than {self._limits.seconds:g} s and was ended") from None
        finally:
            self._left = max(0.0, self._left - (loop.time() - began))

    def _say(self, text: str) -> None:
        now = asyncio.get_running_loop().time()
        if now - self._said >= _PROGRESS_EVERY:
            self._said = now
            self._progress(" ".join(visible(text[:_PROGRESS]).split()))

    async def _act(self, message: dict[str, Any]) -> Any:
        """Do what the tool asks a capability for; the capability judges it, asks and journals."""
        where, what = str(message.get("on")), str(message.get("method"))
        known = signature(self._work.reads, where, what)
        if known is None:
            raise Broken(f"it asked for {visible(where[:40])}.{visible(what[:40])}, which it does not have")
        read = partial(_bound, f"{where}.{what}", *known, message.get("args"), message.get("named"))
        bound = await asyncio.to_thread(read) if self._child.size > _LARGE else read()
        if self._context is None:
            self._context = self._make_context()
        capability = getattr(self._context, where)
        if capability is None:
            raise Broken(f"there is no {where} here")
        return self._undoable.seen(await getattr(capability, what)(*bound.args, **bound.kwargs))

    def _result(self, told: object) -> ToolResult:
        value = wire.heard(told)
        if not wire.fits(value, ToolResult):
            raise Broken("its result is none")
        assert isinstance(value, ToolResult)
        return sound(value, self._undoable)


def _bound(
    method: str, shape: Signature, hints: Mapping[str, Any], given: object, named: object
) -> BoundArguments:
    """Return the arguments of a call, each of the type that it wants. Raises Broken, NotUnderstood."""
    if not isinstance(given, list) or not isinstance(named, dict):
        raise Broken("what came is no message")
    try:
        bound = shape.bind(*map(wire.heard, given), **{key: wire.heard(one) for key, one in named.items()})
    except TypeError as error:
        raise Broken(f"it called {method} wrongly: {error}") from None
    for name, value in bound.arguments.items():
        if not wire.fits(value, hints[name]):
            raise Broken(f"it called {method} wrongly: {name} is of another type")
    return bound

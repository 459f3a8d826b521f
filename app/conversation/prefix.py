"""What the requests of a conversation begin with, made once and then kept: prompt, catalogue, skills, tools.

A request that begins otherwise than the one before pays for the whole conversation again (facts: providers
1.5), so nothing of this follows the world: what comes later is told in the newest message (`news`).
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import TypeVar

import msgspec

from app.conversation import remembering
from app.conversation.prompt import system_prompt
from app.memory_records import MemoryItem
from app.models.request import ToolSchema
from app.record import Record
from app.records import Mode
from app.settings import Settings
from app.skill_records import SkillIndex
from app.store import kept
from app.store.columns import unpack
from app.store.database import Store
from app.toolbox.call import Way
from app.toolbox.catalogue import BY_NAME, HEAD, catalogue, is_server
from app.toolbox.finder import schema_line
from app.toolbox.registry import Only, Registry
from app.toolbox.tool import AnyTool

log = logging.getLogger(__name__)

UNLOADED = 400_000
"""Bytes of unloaded tools that go with each request; nobody bills them, but they are sent each time."""

T = TypeVar("T")


class Prefix(Record, kw_only=True, dict=True):
    """The beginning of requests in one mode. `known` are the codes of what it tells (see `codes`)."""

    base: str
    catalogue: str = ""
    skills: str = ""
    memory: str = ""
    """The pinned facts, as they were when this was made."""
    facts: tuple[str, ...] = ()
    """Their codes (see `remembering.codes`)."""
    instructions: str = ""
    """The project's own, last, so that what stands before is the same in every project."""
    tools: tuple[ToolSchema, ...] = ()
    deferred: tuple[ToolSchema, ...] = ()
    """Every further tool that the mode could load when this was made, where the provider can keep it unloaded
    (`native`). What comes later is called through use_tool."""
    known: tuple[str, ...] = ()
    made: float = 0.0

    @cached_property
    def system(self) -> str:
        """The system prompt, whole."""
        return "\n\n".join(
            filter(None, (self.base, self.catalogue, self.skills, self.memory, self.instructions))
        )

    @cached_property
    def offered(self) -> frozenset[str]:
        """The names of the tools."""
        return frozenset(tool.name for tool in self.tools)

    @cached_property
    def unloaded(self) -> frozenset[str]:
        """The names of the deferred tools."""
        return frozenset(tool.name for tool in self.deferred)


def rendered(
    registry: Registry,
    settings: Settings,
    mode: Mode,
    index: SkillIndex,
    skills: Iterable[str],
    instructions: str,
    now: float,
    way: Way = "bridge",
    only: Only = None,
    facts: Sequence[MemoryItem] = (),
) -> Prefix:
    """Return the prefix as it would be made now; `skills` are all that can be loaded."""
    tools = registry.offered(mode, always=settings.always_on, deferred=settings.deferred, only=only)
    loadable = registry.loadable(mode, (tool.name for tool in tools), only)
    return Prefix(
        base=system_prompt(mode),
        catalogue=catalogue(loadable, head=BY_NAME if way == "native" else HEAD),
        skills=index.text,
        memory=remembering.as_prompt(facts),
        facts=remembering.codes(facts),
        instructions=instructions,
        tools=tools,
        deferred=unloaded_of(loadable.values()) if way == "native" else (),
        known=codes(loadable, skills, instructions),
        made=now,
    )


def unloaded_of(tools: Iterable[AnyTool]) -> tuple[ToolSchema, ...]:
    """Return the schemas that go along unloaded, by name: ours, and of the others as many as there is room
    for. The rest is called through use_tool.
    """
    room, found = UNLOADED, list[ToolSchema]()
    for tool in sorted(tools, key=lambda tool: (tool.source != "built in", tool.name)):
        size = len(schema_line(tool.schema).encode("utf-8", "replace"))
        if size <= room:
            room -= size
            found.append(tool.schema)
    return tuple(sorted(found, key=lambda schema: schema.name))


def codes(loadable: Mapping[str, AnyTool], skills: Iterable[str], instructions: str) -> tuple[str, ...]:
    """Return a code for each thing that can come and go while a conversation lasts: servers, tools of the
    person's own, skills, and what the project's instructions say.
    """
    said = hashlib.sha256(instructions.encode("utf-8", "surrogatepass")).hexdigest()[:12]
    servers = {f"server {tool.category}" for tool in loadable.values() if is_server(tool.source)}
    own = {f"tool {tool.name}" for tool in loadable.values() if tool.source == "own"}
    project = {f"instructions {said}"} if instructions else set()
    return tuple(sorted({*servers, *own, *project, *(f"skill {name}" for name in skills)}))


def key(mode: Mode, settings: Settings, way: Way) -> str:
    """Return what a prefix is kept under: another mode or other switches of tools make another one, and so
    does a provider that keeps tools unloaded, or one that does not any more.
    """
    switches = "\n".join([*sorted(settings.always_on), "-", *sorted(settings.deferred)])
    end = " native" if way == "native" else ""
    return f"prefix {mode} {hashlib.sha256(switches.encode()).hexdigest()[:12]}{end}"


async def stored(store: Store, session: str, key: str) -> Prefix | None:
    """Return the prefix that a session has kept."""
    return await kept_as(store, session, key, Prefix) if session else None


async def kept_as(store: Store, session: str, key: str, kind: type[T]) -> T | None:
    """Return what a session has kept; None also for what this version cannot read, which is made anew."""
    found = await store.read(kept.get, session, key)
    try:
        return None if found is None else unpack(found, kind)
    except msgspec.DecodeError as error:
        log.warning("what %s keeps under %r cannot be read: %s", session, key, error)
        return None

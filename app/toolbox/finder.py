"""Answers find_tools: which tools fit plain words, with their schemas, so that they can be called at once."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from app.models import tokens
from app.models.request import ToolSchema
from app.toolbox.call import Scope
from app.toolbox.catalogue import groups
from app.toolbox.registry import FINDING, AnyTool, Registry
from tools import FindTools, ToolTexts

if TYPE_CHECKING:
    from app.toolbox.discovery.entries import Hit
    from app.toolbox.discovery.ranker import Kinships, Ranker, Table

MOST = 4
"""Tools that one answer brings."""
MANY = 200
"""From so many tools on the ranking is made as soon as they come, not by the first question."""
MOST_SEEN = 6_000
"""Tools of others of which it is kept what they are like."""
LONG = 800
"""Tokens of a schema from which only its required arguments come (product.md 2.6)."""
LONGEST = 60_000
"""Characters of a schema that is asked for by its exact name; more would fill the context."""
SERVERS_SECONDS = 3.0
"""How long servers that are still connecting are waited for."""
BY_BRIDGE = "Call with use_tool, such as "
"""Begins the line on how to call what was found, where use_tool is the way for all of it."""
_RANKED = 12
"""Taken from the ranking, since planned ones and those of other modes fall out."""


class Counts(Protocol):
    """Takes down what was searched (product.md 2.8)."""

    async def searched(self, query: str, names: tuple[str, ...], session: str) -> None: ...


async def _all_connected(seconds: float) -> tuple[str, ...]:
    return ()


class Finder:
    """Ranks the tools of a registry, made anew when its tools have changed."""

    def __init__(
        self,
        registry: Registry,
        *,
        connecting: Callable[[float], Awaitable[tuple[str, ...]]] = _all_connected,
        counts: Counts | None = None,
    ) -> None:
        """`connecting` waits at most so many seconds and returns the servers that are still not there."""
        self.registry = registry
        self._connecting = connecting
        self._counts = counts
        self._made: tuple[int, Ranker] | None = None
        self._making = asyncio.Lock()
        self._table: Table | None = None
        self._seen: Kinships = {}
        self._ahead: asyncio.Task[Ranker] | None = None
        registry.subscribe(self._changed)

    def of_call(self, scope: Scope) -> FindTools:
        """Return the search for one call."""

        async def find(query: str) -> ToolTexts:
            return await self.find(query, scope)

        return find

    async def find(self, query: str, scope: Scope) -> ToolTexts:
        """Return what the model is told: schemas, that a tool is there already, or what else there is."""
        if scope.only is None and (why := self.registry.why_not(query.strip())):
            return ToolTexts(why, missed=True)
        exact = self.registry.loadable(scope.mode, only=scope.only).get(query.strip())
        late = () if exact else await self._connecting(SERVERS_SECONDS)
        loadable = self.registry.loadable(scope.mode, only=scope.only)
        hits = [exact.name] if exact else await self.fitting(query, loadable, scope.favour)
        if self._counts is not None and query.strip():
            await self._counts.searched(query, tuple(hits), scope.session)
        if not hits:
            return ToolTexts(self._nothing(query, loadable, scope.offered, late), missed=True)
        lines, whole = [], []
        for name in hits[:MOST]:
            line, brought = _told(loadable[name], scope, exactly=exact is not None)
            lines.append(line)
            whole += [name] if brought else []
        if whole and scope.way == "append":
            lines.append("Call them like your other tools.")
        else:
            lines += _bridged(hits[:MOST], scope)
        return ToolTexts("\n".join([*lines, *_waiting(late)]), tuple(whole))

    async def fitting(
        self, query: str, among: Mapping[str, AnyTool], favour: frozenset[str] = frozenset()
    ) -> list[str]:
        """Return the names of the tools that fit a request, the best first; none when none fits."""
        if not query.strip():
            return []
        hits = (await self._ranker()).rank(query, _RANKED, favour=favour, explained=False)
        return _there(hits, among)[:MOST]

    def _changed(self) -> None:
        """Rank what came ahead of the next question, where there is much of it, or where somebody asks."""
        many = len(self.registry.tools) >= MANY
        if (self._made is None and not many) or (self._ahead is not None and not self._ahead.done()):
            return
        with contextlib.suppress(RuntimeError):  # a registry that is made up outside of a loop
            self._ahead = asyncio.get_running_loop().create_task(self._ranker(), name="rank tools ahead")

    async def close(self) -> None:
        """Leave off what is being ranked ahead."""
        if self._ahead is not None:
            self._ahead.cancel()
            await asyncio.gather(self._ahead, return_exceptions=True)

    async def _ranker(self) -> Ranker:
        async with self._making:
            while self._made is None or self._made[0] != self.registry.generation:
                generation = self.registry.generation
                self._made = (generation, await asyncio.to_thread(self._rank_all))
            return self._made[1]

    def _rank_all(self) -> Ranker:
        """Return a ranker that has nothing left to work out; in a thread, since many tools take time."""
        from app.toolbox.discovery import data
        from app.toolbox.discovery.ranker import Ranker

        if self._table is None:
            self._table = data.table()
        if len(self._seen) > MOST_SEEN:  # servers that came and went
            self._seen = {}
        ranker = Ranker(data.entries(self.registry), self._table, seen=self._seen)
        ranker.prepare()
        return ranker

    def _nothing(
        self, query: str, loadable: Mapping[str, AnyTool], offered: Iterable[str], late: tuple[str, ...]
    ) -> str:
        there = set(offered)
        rest = [tool for name, tool in loadable.items() if name not in there]
        titles = dict.fromkeys(group.title for group in groups(rest))  # a server may be named as one of ours
        kinds = ", ".join([*titles][:40]) or "none"
        if query.strip():
            said = "No tool fits that." if not late else "No tool fits that yet."
        else:
            said = "Say in a few words what is to be done."
        ways = "Try other words, or ask the person"
        if "mcp_search" in loadable:
            ways += "; with their consent mcp_search looks for a server that brings one"
        return "\n".join([f"{said} There are tools for: {kinds}. {ways}.", *_waiting(late)])


def _there(hits: Iterable[Hit], among: Mapping[str, AnyTool]) -> list[str]:
    return [hit.name for hit in hits if not hit.planned and hit.name in among and hit.name not in FINDING]


def _bridged(hits: Sequence[str], scope: Scope) -> list[str]:
    """Return how to call what only use_tool can call, nothing where that is none of these."""
    names = [name for name in hits if name not in scope.offered and name not in scope.deferred]
    if not names:
        return []
    begin = BY_BRIDGE
    if scope.deferred.intersection(hits):
        begin = f"Call {', '.join(names)} with use_tool, such as "
    return [f'{begin}{{"name": "{names[0]}", "arguments": {{...}}}}.']


def _told(tool: AnyTool, scope: Scope, *, exactly: bool) -> tuple[str, bool]:
    """Return the line on one tool, and whether it holds the whole schema."""
    name = tool.name
    if name in scope.offered:
        return f"{name} is already available, call it.", False
    if name in scope.active:
        by_name = scope.way == "append" or name in scope.deferred
        by = "call it" if by_name else "call it with use_tool"
        return f"{name} is already loaded, {by}.", False
    text = schema_line(tool.schema)
    if len(text) <= LONGEST if exactly else tokens.estimate(text) <= LONG:
        return text, True
    return _shortened(tool.schema, exactly=exactly), False


def schema_line(schema: ToolSchema) -> str:
    """Return a whole schema as one line of JSON."""
    return _json({"name": schema.name, "description": schema.description, "parameters": schema.parameters})


def _shortened(schema: ToolSchema, *, exactly: bool) -> str:
    """Return a long schema with its required arguments only, and how to get the rest."""
    properties = schema.parameters.get("properties")
    properties = properties if isinstance(properties, dict) else {}
    required = [name for name in schema.parameters.get("required", ()) if name in properties]
    kept = {name: _kind(properties[name]) for name in required[:_RANKED]}
    left = len(properties) - len(kept)
    note = "its schema is too long to be told whole" if exactly else f"find_tools({schema.name!r}) tells all"
    line = _json(
        {
            "name": schema.name,
            "description": schema.description[:500],
            "parameters": {"type": "object", "properties": kept, "required": required[:_RANKED]},
        }
    )
    return f"{line} [{left} further arguments left out: {note}]"


def _kind(schema: object) -> dict[str, object]:
    if not isinstance(schema, dict):
        return {}
    return {key: schema[key] for key in ("type", "description") if isinstance(schema.get(key), str)}


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _waiting(late: tuple[str, ...]) -> list[str]:
    return [f"Still connecting: {', '.join(late)}. Search again in a moment."] if late else []

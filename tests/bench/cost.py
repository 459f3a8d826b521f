"""`./dev bench --only cost`: what a session of 40 rounds costs by four ways of giving tools to a model.

Assumptions. The tools are ours as they are now (planned ones are left out) and ten servers of 20 tools.
The prompts, the schemas, the answers of find_tools to six requests, and the calls of the rounds with their
results (real calls over this repository, in turn) are measured, in o200k_base. A question comes every
eighth round with an answer before it; their sizes are assumed (QUESTION, ANSWER). What the last request
held is read from the cache at 0.1 of the price of input, all else is written into it at 1.25; nothing
expires. A request that begins otherwise than the one before reads nothing. Output is left out: it is the
same but for the searches, of which append, bridge and native have one a tool, counted with its call, its
result and its request.

- eager: every schema in every request.
- append: the schemas of found tools join the list of tools, before the messages: all is written anew.
- bridge: the found schema is the result of find_tools, a message like any other; calls go through use_tool.
- native: the provider keeps deferred schemas out of the prefix and lays the found ones into the messages
  (their definitions are sent with each request all the same, and cost nothing until they are loaded). Like
  the bridge, without the words of use_tool; the names in the catalogue are the same. In truth use_tool stays
  in the list, for tools that come later: 60 tokens, which the cache holds.
"""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Literal, NamedTuple

from app.conversation.prompt import system_prompt
from app.engine import Engine
from app.models.request import ToolSchema
from app.permissions.policy import Policy
from app.platform.paths import home as home_of
from app.toolbox.call import Scope
from app.toolbox.catalogue import catalogue
from app.toolbox.finder import schema_line
from app.toolbox.mcp.fixture import fixture_of, put
from tests.bench.figures import Number, by_ratio, say

Way = Literal["eager", "append", "bridge", "native"]
WAYS: tuple[Way, ...] = ("eager", "append", "bridge", "native")
ROOT = Path(__file__).resolve().parents[2]
READ, WRITTEN = 0.1, 1.25
ROUNDS = 40
LOADED: Mapping[int, str] = {
    3: "rename a file",
    8: "unpack a zip archive",
    13: "get a github item",
    19: "create a jira item",
    26: "search slack for an item",
    33: "list the running jobs",
}
"""The round before which a tool is needed, and what is searched for."""
SERVERS = ("github", "slack", "notion", "linear", "stripe", "postgres", "sentry", "figma", "jira", "drive")
VERBS = (
    *("get", "list", "create", "update", "delete", "search", "fetch", "send", "read", "export"),
    *("import", "merge", "archive", "assign", "close", "comment", "label", "move", "rename", "watch"),
)


CALLS: Sequence[tuple[str, dict[str, object]]] = (
    ("list_dir", {"path": "app", "depth": 2}),
    ("read_file", {"path": "app/toolbox/registry.py"}),
    ("grep_files", {"pattern": "def offered", "path": "app"}),
    ("find_files", {"pattern": "test_*.py", "path": "tests/toolbox"}),
    ("read_file", {"path": "app/engine.py", "offset": 40, "limit": 80}),
    ("grep_files", {"pattern": "Registry", "path": "app/toolbox", "around": 1}),
    ("read_file", {"path": "README.md"}),
)
QUESTION, ANSWER = 85, 170
"""Tokens, assumed."""
CALL = 20
"""Tokens around the arguments of a call: its id, its name, its result's frame."""
BRIDGED = 12
"""Tokens that a call through use_tool has more than a call by name."""


class Parts(NamedTuple):
    """Real sizes in tokens."""

    system: int
    core: int
    bridge: int
    """The schema of use_tool, which native does without."""
    whole: int
    """The schemas of all tools."""
    rounds: Sequence[int]
    """What the calls and their results have, one after the other."""
    searches: Sequence[tuple[int, int]]
    """For each search: the tokens of its call and result, and of the schemas alone."""


def rows() -> list[dict[str, object]]:
    """Return ten servers of twenty tools, as `--mcp-fixture` takes them."""
    fields = {"id": {"type": "string", "description": "Id of the item"}, "limit": {"type": "integer"}}
    schema = {"type": "object", "properties": fields, "required": ["id"]}
    return [
        {
            "server": server,
            "name": f"{verb}_{server}_item",
            "description": f"{verb.title()} an item in {server}. Say what came of it.",
            "inputSchema": schema,
        }
        for server in SERVERS
        for verb in VERBS
    ]


def counter() -> Callable[[str], int]:
    """Return what counts tokens in o200k_base."""
    from rs_bpe.bpe import openai

    encoder = openai.o200k_base()
    return lambda text: len(encoder.encode(text))


async def measured(folder: Path) -> Parts:
    """Return the real sizes, from an engine with everything installed."""
    count = counter()
    variables = {**os.environ, "BRAMBLE_HOME": str(folder)}
    engine = Engine(home_of(variables), variables)
    await engine.open()
    try:
        means = engine._turns.means
        put(means.calls.registry, fixture_of(rows()))
        core = means.calls.registry.offered("agent")
        loadable = means.calls.registry.loadable("agent", (tool.name for tool in core))
        index = (await means.skills.now("", "agent", str(folder), index=True)).index
        scope = Scope(
            session="",
            turn="",
            cwd=str(folder),
            mode="agent",
            policy=Policy(cwd=str(folder)),
            offered=frozenset(tool.name for tool in core),
        )
        searches = []
        for query in LOADED.values():
            found = await means.finder.find(query, scope)
            assert found.names, query
            call = count(json.dumps({"query": query})) + CALL
            schemas = sum(_sent(count, loadable[name].schema) for name in found.names)
            searches.append((call + count(found.text), schemas))
        called = []
        for name, arguments in CALLS:
            ran = await engine.call_tool(name, json.dumps(arguments), cwd=str(ROOT))
            assert ran.ok, ran.text
            called.append(count(json.dumps(arguments)) + CALL + count(ran.text))
        return Parts(
            rounds=tuple(called),
            system=count("\n\n".join((system_prompt("agent"), catalogue(loadable), index.text))),
            core=sum(_sent(count, tool) for tool in core),
            bridge=sum(_sent(count, tool) for tool in core if tool.name == "use_tool"),
            whole=sum(_sent(count, tool.schema) for tool in means.calls.registry.tools.values()),
            searches=tuple(searches),
        )
    finally:
        await engine.close()


def _sent(count: Callable[[str], int], schema: ToolSchema) -> int:
    return count('{"type":"function","function":' + schema_line(schema) + "}")


def cost(way: Way, parts: Parts) -> float:
    """Return what the input of a whole session costs, in tokens at the full price of input."""
    prefix = parts.system + (parts.whole if way == "eager" else parts.core)
    prefix -= parts.bridge if way in ("eager", "native") else 0
    said, known, spent, active = 0, 0, 0.0, 0
    searches = iter(parts.searches)

    def ask(anew: bool = False) -> None:
        nonlocal known, spent
        cached = 0 if anew else known
        spent += READ * cached + WRITTEN * (prefix + said - cached)
        known = prefix + said

    for number in range(ROUNDS):
        said += QUESTION if number % 8 == 0 else 0
        if number in LOADED and way != "eager":
            result, schemas = next(searches)
            ask()
            said += result if way != "append" else result - schemas + len(LOADED)
            active += 1
            prefix += schemas if way == "append" else 0
            ask(anew=way == "append")
        else:
            ask()
        said += parts.rounds[number % len(parts.rounds)] + (BRIDGED if way == "bridge" and active else 0)
        said += ANSWER if number % 8 == 7 else 0
    return spent


def costs(folder: Path) -> dict[Way, float]:
    """Return what each way costs."""
    parts = asyncio.run(measured(folder))
    say(f"sizes in tokens: {parts}")
    return {way: cost(way, parts) for way in WAYS}


def session_cost(folder: Path, rounds: int) -> list[Number]:
    """Return what our ways cost beside the dearer ones; `rounds` is of no matter, nothing is timed."""
    found = costs(folder)
    dearer = min(found["eager"], found["append"])
    say("\n".join(f"{way:<8}{spent:>12,.0f} tokens at the price of input" for way, spent in found.items()))
    return [
        by_ratio(
            f"40 rounds, tools by {way}", found[way], "tokens", dearer, 1.0, "the cheaper of eager and append"
        )
        for way in ("bridge", "native")
    ]

"""Frozen records about tools and requests: what there is, what was found, what the next request holds."""

from __future__ import annotations

from typing import Literal

from app.record import Record


class ContextPart(Record, kw_only=True):
    """One part of the next request, in the bytes that it adds to the body; `exact` when the provider counted
    its tokens, else they are an estimate.

    Names: frame (what binds the others), system, catalogue, skills, instructions (the project's), tools,
    deferred (sent unloaded, so they count no tokens), memory, conversation, files (attached text), now
    (clock, folder and news of the newest message), tool results.
    """

    name: str
    tokens: int
    bytes: int
    exact: bool = False


Why = Literal["core", "pinned", "words", "found", "called", "joined"]


class LoadedTool(Record, kw_only=True):
    """A tool whose whole schema the next request holds, and why: it is core, the person pinned it, their
    words chose it (preload), find_tools brought it, it was called, or it joined the list of tools (append).
    """

    name: str
    why: Why
    tokens: int = 0
    message: str = ""
    """The id of the message that is the evidence, "" for what is offered."""
    words: str = ""
    """What was searched for, or the turn's request."""


class PrefixUse(Record, kw_only=True):
    """How often the requests of a session began anew, and so paid for all again.

    `why`: first, mode, settings, model, joined (append), words (preload), summary.
    """

    why: str
    count: int


class Caching(Record, kw_only=True):
    """What the provider counted in all requests of a branch. `cached` of `input` tokens were read from its
    cache, `written` into it; `money` is what caching saved in US dollars, None where no price is known.
    """

    requests: int = 0
    input: int = 0
    cached: int = 0
    written: int = 0
    money: float | None = None


class ContextReport(Record, kw_only=True):
    """The next request as it would be sent now. The parts add up, in bytes to the body and in tokens to
    `total_tokens`.
    """

    parts: tuple[ContextPart, ...]
    total_tokens: int
    window: int
    tools: tuple[str, ...]
    body: str = ""
    """The request body as JSON text."""
    counted: int = 0
    """Tokens of the next request that the provider has counted already, in the last one and its answer."""
    loaded: tuple[LoadedTool, ...] = ()
    loadable: int = 0
    """Tools that can be loaded beyond those."""
    caching: Caching = Caching()
    prefixes: tuple[PrefixUse, ...] = ()
    anew: bool = False
    """The next request would begin otherwise than those before."""


ToolState = Literal["always", "needed"]


class ToolInfo(Record, kw_only=True):
    """One line of `tools list`."""

    name: str
    category: str
    summary: str
    core: bool
    read_only: bool
    source: str
    tokens: int = 0
    """About what its schema costs in each request that carries it."""
    state: ToolState = "needed"
    """Sent with every request, or loaded when it is needed."""
    fixed: bool = False
    """It leads to all others, so the person cannot defer it."""


class FixtureFault(Record, kw_only=True):
    """An entry of a file of tools that was left out or changed. `entry` counts from 1, 0 = the whole file.

    `code`: no_object, no_server, no_name, same_name, too_many, clash, schema_broken, schema_large.
    """

    entry: int
    server: str
    name: str
    code: str


class FoundTool(Record, kw_only=True):
    """A tool that fits a request. `score` is between 0 and 1; `why` are short lines for `--explain`."""

    name: str
    score: float
    why: tuple[str, ...] = ()
    planned: bool = False
    """Promised, but not there yet: no model is told of it."""


class MissedSearch(Record, kw_only=True):
    """A search for a tool that found none: the words without keys, how often, and when last."""

    query: str
    times: int
    last: float


class ToolLookups(Record, kw_only=True):
    """How often a search named a tool, and how often it was then called."""

    name: str
    found: int = 0
    called: int = 0


class LookupCounts(Record, kw_only=True):
    """What became of searches for tools on this machine. `missed` of `searched` found nothing."""

    searched: int = 0
    missed: int = 0
    tools: tuple[ToolLookups, ...] = ()
    """The most found first."""


class SearchEngine(Record, kw_only=True):
    """A search engine. It is `ready` when nothing is missing: the key of an `account`, the address of a
    `service` in the settings, both "" where it needs none.
    """

    name: str
    title: str
    host: str
    """Where it is asked, "" where a setting says it."""
    account: str = ""
    service: str = ""
    ready: bool = True


class ServiceAddress(Record, kw_only=True):
    """A service that tools know by name, and its built-in address."""

    name: str
    title: str
    address: str


class PictureModel(Record, kw_only=True):
    """A model that makes pictures. `name` is PROFILE/MODEL; it is `ready` when no key is missing."""

    name: str
    title: str
    ready: bool


class Reachable(Record, kw_only=True):
    """What tools can reach as things are set. `browser` is a path, "" where pages are read without one."""

    engines: tuple[SearchEngine, ...] = ()
    services: tuple[ServiceAddress, ...] = ()
    pictures: tuple[PictureModel, ...] = ()
    browser: str = ""

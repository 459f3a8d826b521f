"""Frozen records about tools and requests: what there is, what was found, what the next request holds."""

from __future__ import annotations

from app.record import Record


class ContextPart(Record, kw_only=True):
    """One part of the next request; `exact` when the tokens were counted with the model's own tokenizer or
    by the provider.
    """

    name: str
    tokens: int
    bytes: int
    exact: bool = False


class ContextReport(Record, kw_only=True):
    """The next request as it would be sent now."""

    parts: tuple[ContextPart, ...]
    total_tokens: int
    window: int
    tools: tuple[str, ...]
    body: str = ""
    """The request body as JSON text."""


class ToolInfo(Record, kw_only=True):
    """One line of `tools list`."""

    name: str
    category: str
    summary: str
    core: bool
    read_only: bool
    source: str


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

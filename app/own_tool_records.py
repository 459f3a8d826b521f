"""Frozen records of the person's own tools, as front ends get them."""

from __future__ import annotations

from typing import Any, Literal

from app.record import Record
from app.records import FileDiff

State = Literal["on", "off", "waiting", "changed", "broken"]
"""`waiting` was never trusted, `changed` was trusted with other content; neither is offered to a model."""


class Problem(Record, kw_only=True):
    """What is wrong with a file; `line` counts from 1 and is 0 where it concerns the file as a whole."""

    line: int
    message: str


class OwnToolInfo(Record, kw_only=True):
    """One file in the folder."""

    name: str
    path: str
    state: State
    hash: str = ""
    """SHA-256 of its bytes, "" where it cannot be read."""
    summary: str = ""
    verb: str = ""
    reads: bool = False
    """Whether it only reads, as it says itself."""
    size: int = 0
    """Bytes."""
    problems: tuple[Problem, ...] = ()


class OwnTool(Record, kw_only=True):
    """One file with all that a person needs to see before they trust it."""

    info: OwnToolInfo
    source: str
    """As it is now, "" where it cannot be read as text."""
    description: str = ""
    examples: tuple[str, ...] = ()
    diff: FileDiff | None = None
    """What is different from the content that was trusted last; None where none was, or nothing is."""
    held: bool = True
    """Whether this computer can keep it from everything but its capabilities."""


class Report(Record, kw_only=True):
    """What the contract test found. `partly` says that only the source was looked at."""

    ok: bool
    problems: tuple[Problem, ...] = ()
    partly: bool = False


class Described(Record, kw_only=True):
    """What a tool says of itself: its schema, and the words of its mark."""

    description: str
    parameters: dict[str, Any]
    reads: bool
    verb: str
    main: str = ""
    keywords: tuple[str, ...] = ()
    examples: tuple[str, ...] = ()

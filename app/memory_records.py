"""Frozen records of what is remembered: facts of the person, notes of projects, to-do items."""

from __future__ import annotations

import re
from typing import Literal

from app.effects import Mark
from app.record import Record

MemoryKind = Literal["fact", "note", "decision", "open_item", "todo"]
PROJECT_KINDS: tuple[MemoryKind, ...] = ("decision", "note", "open_item")
PINNED, PINNED_LENGTH = 12, 160
"""So many pinned facts enter the prompt, each cut to so many characters (product.md section 4)."""

UNDO = "memory-"
"""How the ids of changes of memory begin, to tell them from those of files."""
BEGIN, END = "<memory>", "</memory>"
"""Around what is recalled, in the context of a message."""
_LINE = re.compile(r"^- \[(m\d+)\] (.*)$", re.MULTILINE)


class MemoryItem(Record, kw_only=True):
    """One thing that is remembered. Times are unix seconds."""

    id: str = ""
    """`m` and a number, which is never given twice."""
    kind: MemoryKind = "fact"
    text: str
    topic: str = ""
    """A word or two by which facts are grouped, and the list of a to-do item."""
    project: str = ""
    """Of notes, decisions and open items: the root folder of the project, or a plain name."""
    pinned: bool = False
    made: float = 0.0
    said: float = 0.0
    """When it was last said, confirmed or changed: its age."""
    used: float = 0.0
    """When it was last recalled, 0 for never."""
    times: int = 1
    """How often it was said: the same again is no second one."""
    session: str = ""
    """The conversation that it comes from, "" where the person wrote it here."""
    by: Literal["person", "assistant"] = "assistant"
    confirmed: bool = False
    """The person wrote it, or saw exactly this text and agreed to it."""
    marks: tuple[Mark, ...] = ()
    """The untrusted sources of the conversation that it was made in."""
    conflicts: tuple[str, ...] = ()
    """Ids of those that seem to say something else about the same."""
    done: float = 0.0
    """Of open items and to-do items: when it was ticked off, 0 while it is open."""
    due: str = ""
    """Of to-do items: a day as it was given."""
    revision: int = 0
    """Grows with each change of its words, so that a conversation that was told of it is told anew."""


class Remembered(Record, kw_only=True):
    """What became of something to remember."""

    item: MemoryItem
    merged: bool = False
    """It was known already: only its age is new."""
    conflicts: tuple[MemoryItem, ...] = ()
    undo: str = ""


class Forgotten(Record, kw_only=True):
    """What was forgotten for good, and where it still stands."""

    count: int
    backups: tuple[tuple[str, float], ...] = ()
    """Path and time of each backup that still holds it."""
    conversations: int = 0
    """Conversations whose own words hold it."""


class PastHit(Record, kw_only=True):
    """A message of an earlier conversation that fits a question."""

    session: str
    message: str
    title: str
    said: float
    person: bool
    """The person wrote it."""
    text: str
    marks: tuple[Mark, ...] = ()


class ProjectInfo(Record, kw_only=True):
    """A project that something is remembered of. `key` is its folder or plain name, `name` what people
    call it.
    """

    key: str
    name: str
    items: int
    newest: float


class Brief(Record, kw_only=True):
    """What is known of a project, by how sure it is."""

    project: str
    name: str
    confirmed: tuple[MemoryItem, ...] = ()
    recorded: tuple[MemoryItem, ...] = ()
    """Written down by a model and never confirmed by the person."""
    unknown: tuple[str, ...] = ()
    """Codes of what nobody wrote down or what may no longer hold: no_decision, no_open_item, no_note,
    `stale ID`.
    """


def recalled(context: str) -> tuple[tuple[str, str], ...]:
    """Return id and line of each thing that the context of a message recalled."""
    _before, begin, rest = context.rpartition(f"\n{BEGIN}\n")  # it is the last part of a context
    return tuple(_LINE.findall(rest.partition(END)[0])) if begin else ()

"""What a tool may do with memory: look things up, keep facts, notes of projects and to-do items."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple, Protocol, runtime_checkable

NoteKind = Literal["decision", "note", "open_item"]


class Memo(NamedTuple):
    """One thing that is remembered. `id` names it, `said` is the day it was last said and how long ago."""

    id: str
    kind: str
    """fact, decision, note, open_item or todo."""
    text: str
    topic: str
    said: str
    sure: Literal["person", "confirmed", "recorded", "untrusted"]
    """The person's words, confirmed by them, only noted by a model, or made from text that nobody vouches
    for.
    """
    pinned: bool = False
    done: bool = False
    due: str = ""
    conflicts: tuple[str, ...] = ()


class Kept(NamedTuple):
    """What became of something to keep. `merged` where it was known already; `conflicts` are what it seems to
    contradict; `undo` takes it back; `verified` when it was read back from the store.
    """

    memo: Memo
    merged: bool
    conflicts: tuple[Memo, ...]
    undo: str
    verified: bool


class Past(NamedTuple):
    """What was said in an earlier conversation."""

    session: str
    title: str
    said: str
    person: bool
    text: str


class ProjectBrief(NamedTuple):
    """What is known of a project. `unknown` are sentences on what nobody wrote down."""

    name: str
    confirmed: tuple[Memo, ...]
    recorded: tuple[Memo, ...]
    unknown: tuple[str, ...]


@runtime_checkable
class ReadMemory(Protocol):
    """Memory behind the gate of one call; what was made from text that nobody vouches for marks the call.

    All methods raise ToolError memory_off and memory_private where there is no memory.
    """

    async def find(self, query: str, limit: int) -> tuple[tuple[Memo, ...], tuple[Past, ...]]:
        """Return what fits a question, best first: things remembered, and earlier conversations."""
        ...

    async def brief(self, project: str, since: str) -> ProjectBrief:
        """Return what is known of a project ("" for that of the working folder). Raises ToolError:
        no_project, bad_arguments.
        """
        ...

    async def todos(self, name: str) -> tuple[Memo, ...]:
        """Return a to-do list ("" for all): open items by their day, then those that are done."""
        ...


@runtime_checkable
class ChangeMemory(ReadMemory, Protocol):
    """Memory that can be changed too: shown, undoable, and asked about where untrusted text is here.

    Keeping raises ToolError: looks_like_key, memory_too_long, nothing_to_remember, memory_full.
    """

    async def remember(self, fact: str, topic: str) -> Kept:
        """Keep a fact of the person."""
        ...

    async def note(self, kind: NoteKind, text: str, project: str) -> Kept:
        """Keep a note of a project ("" for that of the working folder). Raises ToolError no_project."""
        ...

    async def forget(self, items: Sequence[str]) -> tuple[int, int, int]:
        """Forget items, by their ids, for good; return how many, and in how many conversations and backups
        they still stand. Raises ToolError no_memory.
        """
        ...

    async def add_todo(self, text: str, name: str, due: str) -> Kept:
        """Put an item on a to-do list."""
        ...

    async def settle_todo(self, item: str, name: str, *, remove: bool) -> Kept:
        """Tick an item off, or take it off its list, by its id or words. Raises ToolError: no_memory,
        not_unique.
        """
        ...

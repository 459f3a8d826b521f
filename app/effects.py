"""Frozen records of what is about to happen, and of what a person says to it: effects, decisions,
questions, answers.
"""

from __future__ import annotations

from typing import Literal

from app.record import Record

DecisionKind = Literal["allow", "ask", "deny"]


class DiffLine(Record, array_like=True):
    """One drawn line. kind: " " both, "-" removed, "+" added. Numbers count from 1, 0 where the side lacks
    the line.
    """

    kind: str
    old: int
    new: int
    text: str


class Hunk(Record, kw_only=True):
    """One piece that can be accepted or rejected. Starts count from 1; counts may be 0."""

    old_start: int
    old_count: int
    new_start: int
    new_count: int
    lines: tuple[DiffLine, ...]


class FileDiff(Record, kw_only=True):
    """What would happen to one file, ready to draw. Binary files have no hunks."""

    path: str
    """Absolute, resolved."""
    shown: str
    """As people read it: relative to the working folder where possible."""
    kind: Literal["new", "changed", "deleted", "renamed"]
    old_path: str = ""
    hunks: tuple[Hunk, ...] = ()
    added: int = 0
    removed: int = 0
    binary: bool = False
    language: str = ""
    """A pygments lexer alias, or "" for plain text."""
    note: str = ""
    """A code of what a person should know (such as `no_final_newline`, `hard_link`); "" for nothing."""
    old_mode: int = 0
    new_mode: int = 0
    """Permission bits before and after where they change, both 0 where they stay."""


class FilesEffect(Record, tag="files", kw_only=True):
    """Change, make or delete files."""

    files: tuple[FileDiff, ...]
    undoable: bool = True


class CommandEffect(Record, tag="command", kw_only=True):
    """Run a shell command. `cwd` absolute. Undoable is false unless the sandbox observed the workspace."""

    command: str
    cwd: str
    undoable: bool = False
    job: str = ""
    """For input to, or the end of, a running job: its id."""


class ReadEffect(Record, tag="read", kw_only=True):
    """Read something outside the workspace, or something secret."""

    path: str
    secret: bool = False


class RequestEffect(Record, tag="request", kw_only=True):
    """Send a web request."""

    method: str
    url: str
    host: str


Effect = FilesEffect | CommandEffect | ReadEffect | RequestEffect


class Decision(Record, kw_only=True):
    """A verdict on one effect and how it came about."""

    decision: DecisionKind
    reason: str
    """A code, worded by `ui/words.py` (such as `workspace_read`, `no_rule`, `rule_allow`, `rule_deny`,
    `secret_path`).
    """
    rule: str = ""
    parts: tuple[str, ...] = ()


class Approval(Record, kw_only=True):
    """A waiting question. It lives in the store; any process may answer, its owner acts."""

    id: str
    session: str
    turn: str
    call: str
    tool: str
    effect: Effect
    asked: float
    reason: str = ""
    """The code of the decision that asked."""
    rule: str = ""
    """The rule that "always" would save, "" when none may be offered."""
    cwd: str = ""


class Answer(Record, kw_only=True):
    """A person's answer to an approval."""

    decision: Literal["allow", "deny"]
    scope: Literal["once", "session", "always"] = "once"
    reason: str = ""
    """For deny: what the model is told."""
    rejected: tuple[tuple[int, int], ...] = ()
    """(file index, hunk index) of the pieces that are not wanted."""
    edited: dict[str, str] = {}
    """Absolute path -> whole new text, where the person edited the proposal."""
    by: str = ""
    """Who answered: window, terminal, approvals, tray, voice, policy."""

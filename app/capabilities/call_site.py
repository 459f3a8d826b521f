"""Where a tool call comes from, and what it may ask for while it runs."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from app.records import Mode
from tools import FindTools


class CallSite(NamedTuple):
    """One call of `tool` in the working folder `cwd`; `session` is "" for a call outside of conversations."""

    session: str
    turn: str
    tool: str
    cwd: str
    reads: bool
    """Whether it only reads: then its context has nothing that changes."""
    progress: Callable[[str], None]
    """Tells the person a line of what it does."""
    mode: Mode = "agent"
    find: FindTools | None = None
    """The search over tools, None where it is none of the call's."""

"""What a project tells an assistant in AGENTS.md and CLAUDE.md, and what the person said to that; also for
ui.
"""

from __future__ import annotations

from typing import Literal

from app.record import Record


class InstructionFile(Record, kw_only=True):
    """One file of the chain. `size` counts the bytes on the disk, `cut` those that were left out."""

    path: str
    text: str = ""
    size: int = 0
    cut: int = 0
    why: str = ""
    """Why it is not read: `link` (out of the project, or to what is changed unasked), `binary`,
    `unreadable`; "" where it is.
    """


class ProjectInstructions(Record, kw_only=True):
    """The files that hold for a working folder, the outermost first: what stands nearer comes later."""

    project: str
    """The folder that the person is asked about."""
    folder: str
    """The working folder whose files these are: an answer to them names it."""
    files: tuple[InstructionFile, ...]
    state: Literal["waiting", "agreed", "refused"] = "waiting"
    print: str = ""
    """A hash of what they say now."""
    changed: bool = False
    """Whether they say something else than when the person last agreed or saw them."""

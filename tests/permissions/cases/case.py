"""One case: a command, the rules that hold, and the right decision."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Case:
    """One input. `source` is its number in the catalogue; `right` the decision, or "no" for any but allow."""

    source: str
    command: str
    allow: tuple[str, ...] = ()
    right: Literal["allow", "ask", "deny", "no"] = "no"
    deny: tuple[str, ...] = ()
    yes: bool = False
    reason: str = ""
    tool: str = "run_command"


LS = ("run_command(ls *)",)
GIT_RULE = ("run_command(git *)",)
ECHO = ("run_command(echo *)",)
ALL = ("run_command(*)",)
NO_RM = ("run_command(rm *)",)
WRITE = ("run_command(echo *)", "write_file(**)")


def many(source: str, commands: tuple[str, ...], allow: tuple[str, ...], **more: object) -> tuple[Case, ...]:
    return tuple(Case(source, command, allow, **more) for command in commands)  # type: ignore[arg-type]

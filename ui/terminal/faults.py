"""What a check found wrong with a file of the person's own, as lines and in the form of the contract."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from ui.terminal.clean import one_line

if TYPE_CHECKING:
    from app.own_tool_records import Problem
    from app.skill_records import Fault


def fault_line(fault: Fault | Problem, path: str = "") -> str:
    """Return `PATH:LINE: what is wrong`; without the line where it concerns the file as a whole."""
    place = ":".join(filter(None, [one_line(path), str(fault.line) if fault.line else ""]))
    return f"{place}: {one_line(fault.message)}" if place else one_line(fault.message)


def fault_forms(faults: Iterable[Fault | Problem]) -> list[dict[str, Any]]:
    """Return what `--json` prints of a check, whose lines count from 1; a whole file is its first."""
    return [{"line": max(1, fault.line), "message": fault.message} for fault in faults]

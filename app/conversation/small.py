"""What small local models need: few tools. Their last answer is asked for anew by their wire."""

from __future__ import annotations

from collections.abc import Sequence

from app.models.request import ToolSchema

OFFERED = frozenset({"run_command", "read_file", "write_file", "list_dir"})
"""With more, and with two that sound alike, they pick the wrong one (voice facts, section 7)."""


def few(tools: Sequence[ToolSchema]) -> tuple[ToolSchema, ...]:
    """Return the tools that a small model is offered."""
    return tuple(tool for tool in tools if tool.name in OFFERED)

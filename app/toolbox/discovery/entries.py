"""What the ranker is given and what it returns."""

from __future__ import annotations

from app.record import Record
from app.records import FoundTool

Hit = FoundTool
OWN = "built in"
"""The source of our own tools, for which aliases were written."""


class Entry(Record):
    """One tool that can be found. Aliases are texts of any language that mean a need for it."""

    name: str
    category: str = ""
    description: str = ""
    parameters: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    examples: tuple[str, ...] = ()
    """Whole requests that must find it."""
    source: str = OWN
    planned: bool = False


class Rule(Record):
    """A negative rule: where `when` (a regular expression over the folded request) is found and `unless` is
    not, the tools keep `factor` of their score. `because` says which collision it ends.
    """

    tools: tuple[str, ...]
    when: str
    because: str
    unless: str = ""
    factor: float = 0.0

"""What a tool may do with the other tools: find some by plain words."""

from __future__ import annotations

from typing import NamedTuple, Protocol


class ToolTexts(NamedTuple):
    """What the model reads, and the tools whose whole schemas it holds. `missed` where nothing fitted."""

    text: str
    names: tuple[str, ...] = ()
    missed: bool = False


class FindTools(Protocol):
    """The search over all tools that the call's mode allows."""

    async def __call__(self, query: str) -> ToolTexts:
        """Return the schemas of at most four that fit, or of the one that is named exactly."""
        ...

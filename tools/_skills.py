"""What a tool may do with skills: get the texts of some, or find one by plain words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol, runtime_checkable


class SkillTexts(NamedTuple):
    """What the model reads, and the skills whose bodies it holds. `ok` is false where it holds no help."""

    text: str
    ok: bool
    names: tuple[str, ...] = ()


@runtime_checkable
class ReadSkills(Protocol):
    """Skills behind the gate of one call, those of its mode and working folder."""

    async def load(self, names: Sequence[str]) -> SkillTexts:
        """Return the bodies of one to three skills; `skill/file` names a file beside one."""
        ...

    async def find(self, query: str) -> SkillTexts:
        """Return the body of the skill that surely fits, else the names of those that may."""
        ...

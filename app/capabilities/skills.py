"""Skills as a tool may read them: those of its mode and folder; what nobody vouches for marks the call."""

from __future__ import annotations

from collections.abc import Awaitable, Sequence
from typing import Protocol

from app.capabilities.files_reading import FileReader
from app.capabilities.gate import Permit
from app.records import Mark, Mode
from tools import SkillTexts


class Found(Protocol):
    """What the folders of skills give for one call."""

    @property
    def text(self) -> str: ...
    @property
    def ok(self) -> bool: ...
    @property
    def names(self) -> tuple[str, ...]: ...
    @property
    def read(self) -> tuple[str, ...]:
        """Real paths of the files that the text holds."""
        ...

    @property
    def foreign(self) -> tuple[str, ...]:
        """Those of `read` that the person never vouched for."""
        ...


class SkillFolders(Protocol):
    """All skills of this machine."""

    def load(
        self, names: Sequence[str] = (), query: str = "", *, mode: Mode, cwd: str = ""
    ) -> Awaitable[Found]:
        """Return up to three skills, or what fits a query."""
        ...

    def readable(self, cwd: str) -> tuple[str, ...]:
        """Return the folders whose skills count in a working folder; it blocks."""
        ...


class SkillReader:
    """The skills of one call. Implements `tools.ReadSkills`."""

    def __init__(
        self, folders: SkillFolders, gate: Permit, files: FileReader, *, mode: Mode, cwd: str
    ) -> None:
        self._folders = folders
        self._gate = gate
        self._files = files
        self._mode = mode
        self._cwd = cwd

    async def load(self, names: Sequence[str]) -> SkillTexts:
        """See ReadSkills."""
        return await self._marked(await self._folders.load(names, mode=self._mode, cwd=self._cwd))

    async def find(self, query: str) -> SkillTexts:
        """See ReadSkills."""
        return await self._marked(await self._folders.load(query=query, mode=self._mode, cwd=self._cwd))

    async def _marked(self, found: Found) -> SkillTexts:
        """Mark the call by files that nobody vouched for, and by what the others were made from."""
        self._gate.mark(*(Mark(kind="file", name=path) for path in found.foreign))
        await self._files.mark(found.read)
        return SkillTexts(text=found.text, ok=found.ok, names=found.names)

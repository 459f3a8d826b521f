"""Completes with Tab what is typed in a conversation: files after an @ or /attach, and slash commands."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Sequence

from ui import slash
from ui.terminal.editor import Editor

MOST = 20
"""Files among which Tab goes."""
_FILE = re.compile(r"(?:^|(?<=\s))@(\S*)\Z|\A/attach (.*)\Z")
_COMMAND = re.compile(r"\A/([a-z]*)\Z")

Find = Callable[[str], Awaitable[Sequence[str]]]
"""Gives the paths below the working folder that go on from what is typed, the best first."""


class Completer:
    """Puts what fits in the place of what is typed, the next one with each further Tab."""

    def __init__(self, editor: Editor, find: Find, changed: Callable[[], None]) -> None:
        """`changed` is called when what is typed or `offered` has become something else."""
        self._editor, self._find, self._changed = editor, find, changed
        self._round: Sequence[str] = ()
        self._at, self._start, self._after = 0, 0, ""
        self._taken: list[str] = []
        self._asking: asyncio.Task[None] | None = None

    @property
    def offered(self) -> Sequence[str]:
        """What fits, the one that stands there now first; () once something else was typed."""
        if len(self._round) < 2 or self._before() != self._after:
            return ()
        return [*self._round[self._at :], *self._round[: self._at]]

    def tab(self) -> None:
        """Complete what stands before the cursor, or put the next in its place."""
        before = self._before()
        if self._round and before == self._after:
            self._put((self._at + 1) % len(self._round))
        elif command := _COMMAND.match(before):
            found = [one.name for one in slash.COMMANDS if one.name.startswith(command[1])]
            self._begin(found, command.start(1))
        elif file := _FILE.search(before):
            self.close()
            self._asking = asyncio.ensure_future(
                self._files(before, file.end() - len(file[1] or file[2] or ""))
            )

    def typed(self) -> None:
        """Take note that something was typed: what was offered may fit no more."""
        if self._round and self._before() != self._after:
            self._round = ()
            self._changed()

    def sent(self, text: str) -> list[str]:
        """Return the paths that were completed behind an @ and stand in a text that is sent."""
        taken, self._taken = self._taken, []
        return [path for path in dict.fromkeys(taken) if f"@{path}" in text]

    def close(self) -> None:
        """Ask no more."""
        if self._asking is not None:
            self._asking.cancel()

    async def _files(self, before: str, start: int) -> None:
        found = [path for path in await self._find(before[start:]) if path.isprintable()]
        if self._before() == before:  # else something was typed meanwhile
            self._begin(found, start)

    def _begin(self, found: Sequence[str], start: int) -> None:
        self._round, self._start = found, start
        if found:
            self._put(0)

    def _put(self, at: int) -> None:
        editor, self._at = self._editor, at
        behind, word = editor.text[editor.cursor :], f"{self._round[at]} "
        if editor.text[self._start - 1 : self._start] == "@":
            self._taken.append(self._round[at])
        editor.text = editor.text[: self._start] + word + behind
        editor.cursor = self._start + len(word)
        self._after = self._before()
        self._changed()

    def _before(self) -> str:
        return self._editor.text[: self._editor.cursor]

"""What a person types in a conversation, as lines: from a prompt, a plain terminal or a pipe."""

from __future__ import annotations

import asyncio
import os
import signal
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Protocol

from ui.terminal.completing import Completer
from ui.terminal.keyboard import SETTLE_SECONDS, Lines
from ui.terminal.keys import Key, Keys
from ui.terminal.screen import Screen


class Source(Protocol):
    """Where lines come from. `read` returns None at the end of the input."""

    async def read(self) -> str | None: ...

    def close(self) -> None: ...

    def away(self) -> AbstractContextManager[None]:
        """Leave the terminal to another program meanwhile."""
        ...


class PipedLines:
    """Lines of a pipe or a file."""

    def __init__(self) -> None:
        mode = os.fstat(sys.stdin.fileno()).st_mode
        self._lines = None if stat.S_ISREG(mode) else Lines()

    async def read(self) -> str | None:
        if self._lines is not None:
            return await self._lines.read()
        line = sys.stdin.buffer.readline()  # a file never keeps one waiting
        return line.decode("utf-8", "surrogateescape").rstrip("\r\n") if line else None

    def close(self) -> None:
        """Nothing was changed that would have to be put back."""

    def away(self) -> AbstractContextManager[None]:
        return nullcontext()


class Prompt:
    """The prompt of a terminal: takes the keys one by one and draws the text that is being typed."""

    def __init__(
        self, screen: Screen, interrupted: Callable[[], None], completer: Completer | None = None
    ) -> None:
        self.screen = screen
        self.interrupted = interrupted
        self.completer = completer
        self._keys = Keys()
        self._sent: asyncio.Queue[str | None] = asyncio.Queue()
        self._number = sys.stdin.fileno()
        self._before = _raw(self._number)
        loop = asyncio.get_running_loop()
        loop.add_reader(self._number, self._readable)
        loop.add_signal_handler(signal.SIGWINCH, screen.draw)
        os.write(sys.stdout.fileno(), b"\x1b[?2004h")  # bracketed paste
        screen.show()

    async def read(self) -> str | None:
        return await self._sent.get()

    def close(self) -> None:
        """Give the terminal back as it was."""
        loop = asyncio.get_running_loop()
        loop.remove_reader(self._number)
        loop.remove_signal_handler(signal.SIGWINCH)
        self.screen.hide()
        os.write(sys.stdout.fileno(), b"\x1b[?2004l")
        _restore(self._number, self._before)

    def _readable(self) -> None:
        try:
            data = os.read(self._number, 65536)
        except OSError:
            data = b""  # the terminal was closed
        if not data:
            asyncio.get_running_loop().remove_reader(self._number)
            self._sent.put_nowait(None)
        for key in self._keys.feed(data):
            self._press(key)
        if self.completer is not None:
            self.completer.typed()
        self.screen.draw()

    def _press(self, key: Key) -> None:
        editor = self.screen.editor
        if key.name == "interrupt":
            self._interrupt()
        elif key.name == "end_of_input" and not editor.text:
            self._sent.put_nowait(None)
        elif key.name == "end_of_input":
            editor.press(Key("delete"))
        elif key.name == "suspend":
            self._suspend()
        elif key.name == "tab":
            self._complete()
        elif (text := editor.press(key)) is not None:
            self._sent.put_nowait(text)

    def _complete(self) -> None:
        if self.completer is not None:
            self.completer.tab()

    def _interrupt(self) -> None:
        if self.screen.editor.text:
            self.screen.editor.clear()
        else:
            self.interrupted()

    @contextmanager
    def away(self) -> Iterator[None]:
        loop = asyncio.get_running_loop()
        loop.remove_reader(self._number)
        self.screen.hide()
        os.write(sys.stdout.fileno(), b"\x1b[?2004l")
        _restore(self._number, self._before)
        try:
            yield
        finally:
            _raw(self._number)
            os.write(sys.stdout.fileno(), b"\x1b[?2004h")
            loop.add_reader(self._number, self._readable)
            self.screen.show()

    def _suspend(self) -> None:
        self.screen.hide()
        _restore(self._number, self._before)
        os.kill(os.getpid(), signal.SIGTSTP)  # returns when the shell brings us back
        _raw(self._number)
        self.screen.show()


class Router:
    """Gives each line to an open question first, else to the conversation."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.lines: asyncio.Queue[str | None] = asyncio.Queue()
        self._question: asyncio.Future[str | None] | None = None
        self._deaf_until = 0.0

    async def run(self) -> None:
        """Pass lines on until the input ends."""
        loop = asyncio.get_running_loop()
        line: str | None = ""
        while line is not None:
            line = await self.source.read()
            if self._question is None or self._question.done():
                if loop.time() >= self._deaf_until or line is None:
                    self.lines.put_nowait(line)
            else:
                self._question.set_result(line)
                if line is None:
                    self.lines.put_nowait(None)

    async def answer(self) -> str | None:
        """Return the next line, for a question."""
        self._question = asyncio.get_running_loop().create_future()
        try:
            return await self._question
        finally:
            self._question = None

    def away(self) -> AbstractContextManager[None]:
        """Leave the terminal to another program meanwhile."""
        return self.source.away()

    async def settle(self) -> None:
        """Throw away what is sent in the next moment: it was typed before the question could be read."""
        self._deaf_until = asyncio.get_running_loop().time() + SETTLE_SECONDS
        await asyncio.sleep(SETTLE_SECONDS)


def _raw(number: int) -> list[object]:
    """Take keys one by one, without echo and signals; return the settings before."""
    import termios

    before = termios.tcgetattr(number)
    settings = termios.tcgetattr(number)
    settings[0] &= ~(termios.ICRNL | termios.IXON)
    settings[3] &= ~(termios.ICANON | termios.ECHO | termios.ISIG | termios.IEXTEN)
    settings[6][termios.VMIN], settings[6][termios.VTIME] = 1, 0
    termios.tcsetattr(number, termios.TCSADRAIN, settings)
    return before


def _restore(number: int, settings: list[object]) -> None:
    import termios

    try:
        termios.tcsetattr(number, termios.TCSADRAIN, settings)  # type: ignore[arg-type]
    except termios.error:
        return  # the terminal is gone

"""Where words go: results to stdout, everything else to stderr, colours only where a person looks."""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Mapping
from io import TextIOWrapper
from typing import TYPE_CHECKING, Any, Literal, TextIO

if TYPE_CHECKING:
    from app.records import Problem

Style = Literal["plain", "muted", "strong", "good", "caution", "danger", "accent"]

# Only the sixteen colours that the person's own terminal theme defines, so that contrast is theirs.
_CODES: dict[str, str] = {
    "plain": "", "muted": "2", "strong": "1", "good": "32", "caution": "33", "danger": "31", "accent": "35"
}  # fmt: skip


def guard_streams() -> None:
    """Make stdin, stdout and stderr usable whatever the caller closed or encodes.

    A closed one becomes the null device, so that no database or socket gets its number; text that the
    encoding lacks is written as an escape instead of ending the program.
    """
    for number in (0, 1, 2):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115
        elif isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


class Channel:
    """One of the two streams: whether a person looks at it, takes colours, and where its line stands."""

    def __init__(self, stream: TextIO, environ: Mapping[str, str]) -> None:
        self.stream = stream
        self.terminal = stream.isatty()
        self.colour = self.terminal and not environ.get("NO_COLOR") and environ.get("TERM", "") != "dumb"
        self.at_start = True
        """Whether the next letter begins a line."""
        self.gone = False
        """Whether nobody reads any more (a broken pipe); further words are dropped."""
        self.lost: OSError | None = None
        """Why words were lost though somebody reads (a full disk)."""

    def write(self, text: str) -> None:
        """Write and flush; never raises: a reader that left sets `gone`, any other failure `lost` as well."""
        if self.gone or not text:
            return
        try:
            self.stream.write(text)
            self.stream.flush()
        except (BrokenPipeError, ConnectionResetError):
            self._leave()
        except OSError as error:
            self.lost = error
            self._leave()
        self.at_start = text.endswith("\n")

    def line(self, text: str = "") -> None:
        """Write a whole line of its own."""
        self.write(("" if self.at_start else "\n") + text + "\n")

    def styled(self, text: str, style: Style) -> str:
        """Return the text in a style, as it is where no colours are welcome."""
        code = _CODES[style]
        return f"\x1b[{code}m{text}\x1b[0m" if self.colour and code and text else text

    @property
    def width(self) -> int:
        """Columns of the terminal, at least 20; 100 where nobody looks."""
        return max(20, shutil.get_terminal_size((80, 24)).columns) if self.terminal else 100

    def _leave(self) -> None:
        self.gone = True
        # What Python still holds for this stream would fail again at exit, with a message.
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, self.stream.fileno())
        os.close(null)


class Terminal:
    """Both streams of one command, and whether its output is JSON."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        self.environ = environ
        self.out = Channel(sys.stdout, environ)
        self.err = Channel(sys.stderr, environ)
        self.json_wanted = False
        self.answered = False
        """Whether the one JSON value was written."""
        self.said: list[Problem] = []
        """The problems that the person was told, so that none is told twice."""
        self.form: Mapping[str, Any] = {}
        """The keys of the JSON value that a failure keeps."""

    @property
    def interactive(self) -> bool:
        """Whether a question can be put here and now: somebody types and sees, in the foreground."""
        if sys.stdin is None or not sys.stdin.isatty() or not self.err.terminal:
            return False
        return not hasattr(os, "tcgetpgrp") or os.tcgetpgrp(sys.stdin.fileno()) == os.getpgrp()

    def note(self, text: str, style: Style = "muted") -> None:
        """Write a line for the person to stderr, after the line that stdout left open on the same screen."""
        if self.out.terminal and not self.out.at_start:
            self.out.write("\n")
        self.err.line(self.err.styled(text, style))

    def json(self, value: Any) -> None:
        """Write one JSON value as one line of ASCII, so that any encoding and any text will do."""
        self.answered = True
        self.out.write(as_json(value) + "\n")


def as_json(value: Any) -> str:
    """Return records, and what is made of them, as one line of JSON; lone surrogates stay, as escapes."""
    import msgspec

    return json.dumps(msgspec.to_builtins(value, str_keys=True), separators=(",", ":"), ensure_ascii=True)

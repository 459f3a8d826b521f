"""Lines of a text, each with its own end, so that nothing ever changes an end that nobody touched.

A line ends at "\\n" (with or without "\\r" before it). Only a text without any "\\n" is split at "\\r", as
old Macs wrote it. Other Unicode line separators are plain characters, so the numbers agree with those of
grep, sed and every editor.
"""

from __future__ import annotations

import re
from io import StringIO

ANY_END = re.compile(r"\r\n|\r|\n")


def split(text: str) -> list[str]:
    """Return the lines with their ends; the last one may lack it. An empty text has no line."""
    end = "\n" if "\n" in text or "\r" not in text else "\r"
    return StringIO(text, newline=end).readlines()


def body(line: str) -> str:
    """Return the line without its end."""
    if line[-2:] == "\r\n":
        return line[:-2]
    return line[:-1] if line[-1:] in ("\n", "\r") else line


def ending(line: str) -> str:
    """Return the end of the line: "\\r\\n", "\\n", "\\r" or ""."""
    if line.endswith("\r\n"):
        return "\r\n"
    return line[-1:] if line.endswith(("\n", "\r")) else ""


def majority(text: str) -> str:
    """Return the line end that most lines have, "\\n" where there is none; the first one wins a draw."""
    both = text.count("\r\n")
    feeds = text.count("\n") - both
    returns = text.count("\r") - both if not both and not feeds else 0
    most = max(both, feeds, returns)
    if not most:
        return "\n"
    leading = {end for end, number in (("\r\n", both), ("\n", feeds), ("\r", returns)) if number == most}
    return next(found[0] for found in ANY_END.finditer(text) if found[0] in leading)


def pieces(text: str) -> list[tuple[str, bool]]:
    """Split at any line end: (text without its end, whether it had one).

    A last piece without an end may be empty and is kept.
    """
    parts = ANY_END.split(text)
    return [(part, number < len(parts) - 1) for number, part in enumerate(parts)]


def number_at(text: str, position: int) -> int:
    """Return the number (from 1) of the line that holds the character at `position`."""
    end = "\n" if "\n" in text or "\r" not in text else "\r"
    return text.count(end, 0, position) + 1

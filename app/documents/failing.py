"""Why a document has no text for us."""

from __future__ import annotations

from typing import Literal
from zipfile import BadZipFile

Why = Literal["locked", "broken", "empty", "too_large", "unknown"]


BROKEN: tuple[type[Exception], ...] = (
    BadZipFile,
    SyntaxError,  # what ElementTree raises for XML that is broken
    AttributeError,
    EOFError,
    IndexError,
    KeyError,
    MemoryError,
    OSError,
    RecursionError,
    TypeError,
    ValueError,
)
"""What the libraries raise for damaged files beside errors of their own."""


class Unreadable(Exception):
    """A document that cannot be read. `detail` is the library's own word."""

    def __init__(self, why: Why, detail: str = "") -> None:
        super().__init__(why, detail)
        self.why = why
        self.detail = detail


def broken(error: Exception) -> Unreadable:
    """Return what a library's error comes to; what needs more memory than it may have is too large."""
    if isinstance(error, MemoryError):
        return Unreadable("too_large", "It takes too much memory.")
    return Unreadable("broken", f"{type(error).__name__}: {error}")

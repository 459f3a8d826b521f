"""What can go wrong between us and a server, and how a person is told."""

from __future__ import annotations

import functools

from app.errors import BrambleError
from app.platform.plain_text import visible
from app.toolbox.mcp.programs import NoProgram

WORDS_CAP = 600
"""Characters of a server's own words that are quoted."""

_UNREAD = (
    "Failed to parse JSON response", "Failed to parse SSE message", "Invalid token response",
    "Invalid registration response",
)  # fmt: skip
"""How the SDK begins to tell of an answer over HTTP that it cannot read."""


class Failed(Exception):
    """A server cannot be used; the text is a plain English sentence."""


@functools.cache
def failures() -> tuple[type[BaseException], ...]:
    """Return what can come out of the SDK and of the way to a server. Imports the SDK."""
    import anyio
    import httpx2
    from mcp.shared.exceptions import MCPError

    return (
        OSError, ValueError, RuntimeError, NoProgram, Failed, BrambleError, ExceptionGroup,
        MCPError, httpx2.HTTPError, anyio.BrokenResourceError, anyio.ClosedResourceError, anyio.EndOfStream,
    )  # fmt: skip


def cause_of(error: BaseException) -> BaseException:
    """Return the first error in a group of them."""
    while isinstance(error, BaseExceptionGroup) and error.exceptions:
        error = error.exceptions[0]
    return error


def is_gone(error: BaseException) -> bool:
    """Whether the way to the server has ended, so that only a new one helps."""
    from mcp.client import InputRequiredRoundsExceededError
    from mcp.shared.exceptions import MCPError
    from mcp_types import CONNECTION_CLOSED, INVALID_REQUEST

    cause = cause_of(error)
    if isinstance(cause, InputRequiredRoundsExceededError):
        return False
    if isinstance(cause, MCPError):
        forgotten = (cause.error.code, cause.error.message) == (INVALID_REQUEST, "Session terminated")
        return cause.error.code == CONNECTION_CLOSED or forgotten
    return not isinstance(cause, ValueError)


def sentence(error: BaseException) -> str:
    """Return what went wrong as a sentence, in the words of the server where they are."""
    cause = cause_of(error)
    if isinstance(cause, ValueError | ArithmeticError) or str(cause).startswith(_UNREAD):  # pages of pydantic
        return "Its answer does not follow the protocol."
    if type(cause).__name__ == "InputRequiredRoundsExceededError":
        return "It asked for something again and again instead of answering."
    if str(cause).startswith("SSE stream "):
        return "Its answer broke off, so nobody knows what became of the call."
    words = visible(" ".join(str(cause).split()))[:WORDS_CAP] or type(cause).__name__
    return words if words.endswith((".", "!", "?")) else f"{words}."

"""The door before a provider whose way in is made for the moment: which address, key and headers a request
gets, and what to do when it is refused.
"""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager
from typing import Protocol

import msgspec

from app.errors import ModelError
from app.models.profile import Profile
from app.models.request import ModelRequest


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """What one request is sent with."""

    request: ModelRequest
    """The request, its profile with the base URL and the wires that hold now."""
    key: str
    headers: dict[str, str] = {}
    """Headers of this one request, over those of the profile."""


class Door(Protocol):
    """Lets requests in, one after the other where the provider wants that."""

    def turn(self) -> AbstractAsyncContextManager[None]:
        """Wait until a request may begin, and hold its place until it has ended."""

    async def enter(self, request: ModelRequest) -> Entry:
        """Return what to send. Raises ModelError, such as no_sign_in."""

    async def again(self, error: ModelError, request: ModelRequest, tried: set[str]) -> ModelRequest | None:
        """Return the request that may succeed now, None where nothing mends the refusal.

        `tried` holds what was tried for this request, and grows: nothing is tried twice.
        """

    def worded(self, error: ModelError, request: ModelRequest) -> ModelError:
        """Return the error with the code that it has at this provider."""


def terms_open(profile: Profile) -> ModelError:
    """Return the error for a profile whose terms nobody has agreed to yet."""
    title = profile.title or profile.name
    return ModelError(
        "terms_open", f"Nobody agreed to the terms of {title}.", profile=profile.name, title=title
    )

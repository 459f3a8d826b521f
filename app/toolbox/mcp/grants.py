"""What sign-ins to servers gave, in the store of keys; one process at a time makes a token new."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import msgspec

from app.errors import BrambleError, StoreError
from app.platform.locking import locked
from app.platform.paths import make_private
from app.record import Record
from app.store.secrets import Secrets

LEEWAY_SECONDS = 30.0
"""A token that ends so soon is made new first."""
LOCK_SECONDS = 45.0


class Grant(Record, kw_only=True):
    """A sign-in. The three objects are those of the SDK, as JSON."""

    url: str
    """The address that it is for: a server that gets another one needs another sign-in."""
    client: dict[str, Any]
    tokens: dict[str, Any]
    authority: dict[str, Any] | None = None
    """The metadata of the server that signs in, without which a restart could only guess where that is."""
    resource: dict[str, Any] | None = None
    expires: float = 0.0
    """Unix seconds, 0 where nobody said."""

    @property
    def token(self) -> str:
        """What a request carries."""
        return str(self.tokens.get("access_token", ""))

    def ends_soon(self, now: float) -> bool:
        """Whether it is over, or nearly."""
        return bool(self.expires) and now > self.expires - LEEWAY_SECONDS


class Grants:
    """All sign-ins of this person."""

    def __init__(self, secrets: Secrets, folder: Path) -> None:
        """`folder` is for locks."""
        self._secrets = secrets
        self._folder = folder

    async def read(self, server: str, url: str, *, fresh: bool = False) -> Grant | None:
        """Return a sign-in to a server at this address, None where there is none; with `fresh` as another
        process may have left it.
        """
        found = await self._secrets.get(_name(server), fresh=fresh)
        if found is None:
            return None
        try:
            grant = msgspec.json.decode(found[0], type=Grant)
        except msgspec.DecodeError:
            return None
        return grant if grant.url == url else None

    async def write(self, server: str, grant: Grant, *, file_consent: bool = False) -> None:
        """Keep a sign-in; in the file only where the person agreed to that, now or before.

        Raises StoreError needs_consent.
        """
        found = await self._secrets.get(_name(server))
        consent = file_consent or (found is not None and found[1] == "file")
        await self._secrets.set(_name(server), msgspec.json.encode(grant).decode(), file_consent=consent)

    async def check_place(self, server: str, *, file_consent: bool) -> None:
        """Look whether a sign-in could be kept, before a person goes through one. Raises StoreError
        needs_consent.
        """
        found = await self._secrets.get(_name(server))
        if file_consent or (found is not None and found[1] == "file"):
            return
        state, why = await self._secrets.state()
        if state != "ok":
            raise StoreError("needs_consent", why, why="no_keyring")

    async def forget(self, server: str) -> None:
        """Forget a sign-in. Raises StoreError needs_consent when the keyring cannot be asked now."""
        await self._secrets.forget(_name(server))

    @contextlib.asynccontextmanager
    async def alone(self, server: str) -> AsyncIterator[None]:
        """Be the only one, of all processes, who makes the token of a server new.

        Raises BrambleError sign_in_failed when another one does not come to an end.
        """
        name = hashlib.sha256(server.encode()).hexdigest()[:16]
        stack = contextlib.ExitStack()
        try:
            await asyncio.to_thread(make_private, self._folder)
            lock = locked(self._folder / f"mcp-{name}.lock", LOCK_SECONDS)
            await asyncio.to_thread(stack.enter_context, lock)
        except TimeoutError as error:
            why = "Another process is still signing in."
            raise BrambleError("sign_in_failed", why, server=server, why=why) from error
        with stack:
            yield


def _name(server: str) -> str:
    return f"mcp-sign-in:{server}"


def now() -> float:
    """Return unix seconds."""
    return time.time()

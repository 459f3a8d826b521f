"""Keys of model profiles: in the system's keyring, else in the environment, else in a file that the person
agreed to.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections.abc import AsyncIterator, Mapping, Sequence
from pathlib import Path
from urllib.parse import quote

from app.errors import StoreError
from app.platform.ids import new_id
from app.platform.locking import locked
from app.platform.paths import NAME, Home, make_private
from app.store.connection import typed_errors
from app.store.keyrings import TIMEOUT, Keyring

_FILE_BYTES = 1 << 20
ALONE_SECONDS = 60.0
"""How long a process waits for another one that renews a token."""
_PAUSE = 0.02


class Secrets:
    """One item a profile, read at most once a start of the program (product.md 6.3): again only after another
    process said that it changed this very key, or where the provider refused it. For one asyncio loop.
    """

    def __init__(self, home: Home, environ: Mapping[str, str], *, timeout: float = TIMEOUT) -> None:
        """Nothing is read yet. `timeout` in seconds for each question to the keyring."""
        # Another BRAMBLE_HOME has its own items, so that a test never meets a person's keys.
        service = f"{NAME} {home.data}" if environ.get("BRAMBLE_HOME") else NAME
        self._environ = environ
        self._folder = home.keys
        self._locks = home.data / "locks"
        self._keyring = Keyring(service, environ, timeout=timeout)
        self._known: dict[str, tuple[str, str] | None] = {}
        self._reading = asyncio.Lock()

    async def get(
        self, profile: str, variables: Sequence[str] = (), *, fresh: bool = False
    ) -> tuple[str, str] | None:
        """Return the key and where it is (keyring, environment, file), None when there is none.

        `variables` are the environment's names for it. With `fresh` the store is asked again, as before a
        refresh of a token that another process may have refreshed.
        """
        async with self._reading:
            if fresh or profile not in self._known:
                found, sure = await self._read(profile, variables)
                if not sure:
                    return found  # a keyring that does not answer now may do so later
                self._known[profile] = found
            return self._known[profile]

    def forget_known(self, profile: str = "") -> None:
        """Ask keyring and file again for a key at the next need, "" for all; another process has changed
        it.
        """
        if profile:
            self._known.pop(profile, None)
        else:
            self._known.clear()

    async def set(self, profile: str, key: str, *, file_consent: bool = False) -> str:
        """Store a key and return where it is now: keyring or file.

        Raises StoreError needs_consent, whose field `why` says what ails the keyring, when only the file is
        left and the person has not agreed to it; the key is then stored nowhere.
        """
        if not key or "\0" in key:
            raise StoreError("bad_arguments", "a key is not empty and holds no NUL")
        async with self._reading:
            try:
                await self._keyring.set(profile, key)
                where = "keyring"
                await asyncio.to_thread(self._file(profile).unlink, missing_ok=True)
            except StoreError as error:
                if error.code != "needs_consent" or not file_consent:
                    raise
                await asyncio.to_thread(self._write_file, profile, key)
                where = "file"
            self._known[profile] = (key, where)
            return where

    async def forget(self, profile: str) -> None:
        """Remove a key from keyring and file. Raises StoreError needs_consent when the keyring cannot be
        asked now.
        """
        async with self._reading:
            self._known.pop(profile, None)
            await asyncio.to_thread(self._file(profile).unlink, missing_ok=True)
            try:
                await self._keyring.delete(profile)
            except StoreError as error:
                if error.problem.fields.get("why") != "no_keyring":
                    raise

    @contextlib.asynccontextmanager
    async def alone(self, profile: str, *, seconds: float = ALONE_SECONDS) -> AsyncIterator[None]:
        """Be the only one of all processes that renews what a profile's key opens: read it with `fresh`
        inside, since the one before may have renewed it.

        The lock goes with its holder, however that ends. Raises StoreError store_locked after `seconds`.
        Where nothing can be written nobody else can renew either, and there is no lock.
        """
        path = self._locks / f"{quote(profile, safe='')}.lock"
        clock = asyncio.get_running_loop().time
        until = clock() + seconds
        with contextlib.ExitStack() as held:
            while True:
                try:
                    make_private(self._locks)
                    held.enter_context(locked(path, 0.0))
                    break
                except TimeoutError as error:  # looked at again and again, so that it can be cancelled
                    if clock() >= until:
                        raise StoreError("store_locked", f"{path}: held by another process") from error
                    await asyncio.sleep(_PAUSE)
                except OSError:
                    break
            yield

    async def state(self) -> tuple[str, str]:
        """Return "ok" or "missing" and a sentence about the keyring, for `doctor`. Asks nothing of the
        person.
        """
        try:
            return "ok", f"Keys are kept in {await self._keyring.probe()}."
        except StoreError as error:
            return "missing", f"Keys cannot be kept in a keyring: {error}."

    async def _read(self, profile: str, variables: Sequence[str]) -> tuple[tuple[str, str] | None, bool]:
        """Return the key with its place, and whether the keyring has really been asked."""
        sure = True
        try:
            key = await self._keyring.get(profile)
            if key:
                return (key, "keyring"), True
        except StoreError as error:
            sure = error.problem.fields.get("why") == "no_keyring"
        for variable in variables:
            if self._environ.get(variable):
                return (self._environ[variable], "environment"), sure
        key = await asyncio.to_thread(self._read_file, profile)
        return ((key, "file") if key else None), sure

    def _file(self, profile: str) -> Path:
        return self._folder / quote(profile, safe="")

    def _read_file(self, profile: str) -> str:
        path = self._file(profile)
        with typed_errors(path):
            try:
                if os.name != "nt" and path.stat().st_mode & 0o077:
                    path.chmod(0o600)
                with open(path, encoding="utf-8", errors="replace") as file:
                    return file.read(_FILE_BYTES).strip()
            except FileNotFoundError:
                return ""

    def _write_file(self, profile: str, key: str) -> None:
        """Write the file whole, 0600 from its first moment."""
        path = self._file(profile)
        unfinished = path.with_name(f"{path.name}.{new_id()}")
        with typed_errors(path):
            make_private(self._folder)
            try:
                with open(
                    os.open(unfinished, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "w", encoding="utf-8"
                ) as file:
                    file.write(key)
                    file.flush()
                    os.fsync(file.fileno())
                os.replace(unfinished, path)
            finally:
                unfinished.unlink(missing_ok=True)

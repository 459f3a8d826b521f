"""The keyring of the system, on a thread of its own, since it may ask the person and block for as long as
they wish.
"""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from typing import Any, TypeVar, cast

from app.errors import StoreError
from app.store import chunks

T = TypeVar("T")

TIMEOUT = 20.0
"""Seconds until a keyring that does not answer counts as missing."""
_UNSAFE = ("keyring.backends.fail", "keyring.backends.null", "keyrings.alt")


class Keyring:
    """Reads and writes one item a name under one service. Raises StoreError needs_consent where it cannot.

    The field `why` of the error is no_keyring, locked, no_answer or failed.
    """

    def __init__(
        self, service: str, environ: Mapping[str, str], *, timeout: float = TIMEOUT, limit: int = 0
    ) -> None:
        """`limit` in UTF-16 units an item, 0 for what this system takes."""
        self._service = service
        self._environ = environ
        self._timeout = timeout
        self._limit = limit or (chunks.LIMIT if sys.platform == "win32" else 0)
        self._turn = asyncio.Lock()
        self._running: asyncio.Future[Any] | None = None
        self._late = False

    async def get(self, name: str) -> str | None:
        """Return the secret, None when there is none."""
        return await self._call(lambda backend: self._get(backend, name))

    async def set(self, name: str, secret: str) -> None:
        """Store the secret and read it back."""
        await self._call(lambda backend: self._set(backend, name, secret))

    async def delete(self, name: str) -> None:
        """Remove the secret; nothing happens when there is none."""
        await self._call(lambda backend: self._delete(backend, name))

    async def probe(self) -> str:
        """Return the name of the keyring in use."""
        return await self._call(lambda backend: str(backend.name))

    async def _call(self, work: Callable[[Any], T]) -> T:
        async with self._turn:
            await self._settle()
            if not bus_in_reach(self._environ):
                raise unavailable("no_keyring", "there is no session bus, so no keyring can be reached")
            self._running = asyncio.wrap_future(_on_daemon_thread(lambda: _guarded(work)))
            self._running.add_done_callback(_look_at)
            await self._wait()
            return cast(T, self._running.result())

    async def _settle(self) -> None:
        """Let the question of a cancelled caller end first; one that did not answer in time is not waited
        for again.
        """
        if self._running is not None and not self._running.done():
            if self._late:
                raise unavailable("no_answer", "the keyring still waits for an answer to an earlier question")
            await self._wait()

    async def _wait(self) -> None:
        assert self._running is not None
        self._late = False
        await asyncio.wait([self._running], timeout=self._timeout)
        if not self._running.done():
            self._late = True
            raise unavailable("no_answer", f"the keyring gave no answer in {self._timeout:.0f} s")

    def _get(self, backend: Any, name: str) -> str | None:
        found: str | None = backend.get_password(self._service, name)
        count = chunks.part_count(found) if found else 0
        if not found or not count:
            return found or None
        parts = [backend.get_password(self._service, f"{name}/{number}") for number in range(count)]
        return chunks.join(found, parts)

    def _set(self, backend: Any, name: str, secret: str) -> None:
        before = chunks.part_count(backend.get_password(self._service, name) or "")
        parts = chunks.split(secret, self._limit) if self._limit else [secret]
        if len(parts) == 1:
            backend.set_password(self._service, name, secret)
        else:
            for number, part in enumerate(parts):
                backend.set_password(self._service, f"{name}/{number}", part)
            backend.set_password(self._service, name, chunks.manifest(parts))
        for number in range(0 if len(parts) == 1 else len(parts), before):
            backend.delete_password(self._service, f"{name}/{number}")
        if self._get(backend, name) != secret:
            raise unavailable("failed", "the keyring took the key but does not give it back")

    def _delete(self, backend: Any, name: str) -> None:
        found = backend.get_password(self._service, name)
        if found is None:
            return
        backend.delete_password(self._service, name)
        for number in range(chunks.part_count(found)):
            backend.delete_password(self._service, f"{name}/{number}")


def bus_in_reach(environ: Mapping[str, str], system: str = sys.platform) -> bool:
    """Whether a keyring can be asked without a bus being started for it (jaraco/keyring#569)."""
    if system in ("win32", "darwin") or environ.get("DBUS_SESSION_BUS_ADDRESS"):
        return True
    runtime = environ.get("XDG_RUNTIME_DIR", "")
    return bool(runtime) and os.path.exists(os.path.join(runtime, "bus"))


def unavailable(why: str, message: str) -> StoreError:
    """Return the error for a keyring that cannot be used: the person may agree to a file instead."""
    return StoreError("needs_consent", message, detail=message, why=why)


def _guarded(work: Callable[[Any], T]) -> T:
    """Run on the keyring's thread; what its many libraries raise becomes one kind of error."""
    import keyring
    from keyring import errors

    try:
        backend = keyring.get_keyring()
        kind = f"{type(backend).__module__}.{type(backend).__qualname__}"
        if kind.startswith(_UNSAFE) or "plaintext" in kind.lower():
            raise unavailable("no_keyring", "this system has no keyring that keeps keys safe")
        return work(backend)
    except errors.NoKeyringError as error:
        raise unavailable("no_keyring", str(error)) from error
    except (errors.KeyringLocked, errors.InitError) as error:
        raise unavailable("locked", str(error)) from error
    except _failures() as error:
        raise unavailable("failed", f"{type(error).__name__}: {error}") from error


def _failures() -> tuple[type[Exception], ...]:
    """What keyring raises, and what it lets through of the back-ends that are loaded."""
    from keyring.errors import KeyringError

    loaded = (
        ("secretstorage.exceptions", "SecretStorageException"),
        ("jeepney", "DBusErrorResponse"),
        ("win32ctypes.pywin32.pywintypes", "error"),
    )
    found = [getattr(sys.modules.get(module), name, None) for module, name in loaded]
    return (KeyringError, OSError, RuntimeError, *(kind for kind in found if kind is not None))


def _look_at(future: asyncio.Future[Any]) -> None:
    """Take note of an answer that nobody waits for any more, so that asyncio does not complain of it."""
    if not future.cancelled():
        future.exception()


def _on_daemon_thread(work: Callable[[], T]) -> Future[T]:
    """Run on a thread that does not keep the program from ending while a question stands open."""
    future: Future[T] = Future()

    def run() -> None:
        try:
            future.set_result(work())
        except StoreError as error:
            future.set_exception(error)
        finally:
            if not future.done():
                future.set_exception(unavailable("failed", "the keyring failed in an unknown way"))

    threading.Thread(target=run, name="keyring", daemon=True).start()
    return future

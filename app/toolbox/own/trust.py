"""What a person trusted: the hash of each content, its text for the next comparison, and what it said of
itself; in one small file that processes share.
"""

from __future__ import annotations

import contextlib
import logging
import os
from collections.abc import Callable
from pathlib import Path

import msgspec

from app.own_tool_records import Described
from app.platform.locking import locked
from app.platform.paths import make_private
from app.record import Record

LOCK_SECONDS = 2.0
KEPT = 10
"""Contents of one name that stay trusted: going back to an earlier one asks nothing."""

log = logging.getLogger(__name__)


class Trusted(Record, kw_only=True):
    """One content that a person trusted. `at` is in seconds since 1970."""

    name: str
    hash: str
    source: str
    described: Described
    held: bool = True
    """Whether the person was told that it runs sealed; it does not run otherwise then."""
    at: float = 0.0


class Trust(Record, kw_only=True):
    """All of them, oldest first, and the names of the tools that are switched off."""

    trusted: tuple[Trusted, ...] = ()
    off: frozenset[str] = frozenset()

    def of(self, name: str, hash: str) -> Trusted | None:
        """Return what is known of exactly this content under this name."""
        return next((one for one in self.trusted if (one.name, one.hash) == (name, hash)), None)

    def last(self, name: str) -> Trusted | None:
        """Return what was trusted last under a name."""
        return next((one for one in reversed(self.trusted) if one.name == name), None)


class TrustFile:
    """The file, read whole and written whole. All methods block; call them in a thread."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._seen: tuple[tuple[int, int, int] | None, Trust] = (None, Trust())

    def read(self) -> Trust:
        """Return what it says. With a damaged file nothing is trusted."""
        stamp = self._stamp()
        if stamp is None or stamp != self._seen[0]:
            self._seen = (stamp, self._read())
        return self._seen[1]

    def _stamp(self) -> tuple[int, int, int] | None:
        try:
            found = os.stat(self.path)
        except OSError:
            return None
        return (found.st_mtime_ns, found.st_size, found.st_ino)

    def _read(self) -> Trust:
        try:
            return msgspec.json.decode(self.path.read_bytes(), type=Trust)
        except FileNotFoundError:
            return Trust()
        except (OSError, msgspec.DecodeError, UnicodeDecodeError) as error:
            log.warning("%s cannot be read, so no tool of the person's own is trusted: %s", self.path, error)
            return Trust()

    def change(self, change: Callable[[Trust], Trust]) -> Trust:
        """Put `change` of what it says in its place. Raises OSError, TimeoutError too."""
        make_private(self.path.parent)
        with locked(self.path.with_name(f".{self.path.name}.lock"), LOCK_SECONDS):
            before = self._read()
            after = change(before)
            if after != before:
                self._write(msgspec.json.encode(after))
            return after

    def _write(self, data: bytes) -> None:
        if self.path.exists():
            try:
                msgspec.json.decode(self.path.read_bytes(), type=Trust)
            except (msgspec.DecodeError, UnicodeDecodeError):
                self.path.replace(self.path.with_name(f"{self.path.name}.damaged"))
        aside = self.path.with_name(f".{self.path.name}.{os.getpid()}")
        try:
            with open(aside, "wb", opener=lambda path, flags: os.open(path, flags, 0o600)) as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            aside.replace(self.path)
        except OSError:
            with contextlib.suppress(OSError):
                aside.unlink()
            raise


def with_trusted(trust: Trust, new: Trusted) -> Trust:
    """Return it with one content more, the newest of its name; the oldest beyond `KEPT` are forgotten."""
    others = [one for one in trust.trusted if (one.name, one.hash) != (new.name, new.hash)]
    same = [one for one in others if one.name == new.name]
    gone = same[: max(0, len(same) + 1 - KEPT)]
    kept = tuple(one for one in others if one not in gone)
    return msgspec.structs.replace(trust, trusted=(*kept, new), off=trust.off - {new.name})


def without(trust: Trust, name: str, hash: str = "") -> Trust:
    """Return it without anything of a name, or without one content of it."""
    kept = tuple(one for one in trust.trusted if one.name != name or hash not in ("", one.hash))
    return msgspec.structs.replace(trust, trusted=kept, off=trust.off - {name})


def switched(trust: Trust, name: str, on: bool) -> Trust:
    """Return it with a tool on or off."""
    return msgspec.structs.replace(trust, off=trust.off - {name} if on else trust.off | {name})

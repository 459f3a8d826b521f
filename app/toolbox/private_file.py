"""A small file of what the person chose or trusted, shared by processes: read whole, written whole, and kept
aside where it is damaged.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable
from pathlib import Path
from typing import Generic, TypeVar

import msgspec

from app.platform import filesystem
from app.platform.ids import new_id
from app.platform.locking import locked
from app.platform.paths import make_private
from app.record import Record

LOCK_SECONDS = 2.0
"""How long a change waits for that of another process."""

log = logging.getLogger(__name__)
R = TypeVar("R", bound=Record)
Stamp = tuple[int, int, int]
"""Time of the last change in ns, size, and the number of the file, which is another one after each change."""


class PrivateFile(Generic[R]):
    """JSON of one record, readable by its owner alone. All methods block; call them in a thread."""

    def __init__(self, path: Path, kind: type[R], lost: str) -> None:
        """`kind` made without fields stands for an empty file; `lost` says in the log what does not hold
        while the file cannot be read.
        """
        self.path = path
        self._kind = kind
        self._lost = lost
        self._seen: tuple[Stamp | None, R] = (None, kind())

    def read(self) -> R:
        """Return what it says. A damaged file counts as empty and is kept beside it at the next change."""
        stamp = self._stamp()
        if stamp is None or stamp != self._seen[0]:
            self._seen = (stamp, self._read())
        return self._seen[1]

    def change(self, change: Callable[[R], R]) -> R:
        """Put `change` of what it says in its place. Raises OSError, TimeoutError too."""
        make_private(self.path.parent)
        with locked(self.path.with_name(f".{self.path.name}.lock"), LOCK_SECONDS):
            before = self._read()
            after = change(before)
            if after != before:
                self._write(msgspec.json.encode(after))
            return after

    def _stamp(self) -> Stamp | None:
        try:
            found = os.stat(self.path)
        except OSError:
            return None
        return (found.st_mtime_ns, found.st_size, found.st_ino)

    def _read(self) -> R:
        try:
            return self._decoded()
        except FileNotFoundError:
            return self._kind()
        except (OSError, msgspec.DecodeError, UnicodeDecodeError) as error:
            log.warning("%s cannot be read, so %s: %s", self.path, self._lost, error)
            return self._kind()

    def _decoded(self) -> R:
        return msgspec.json.decode(self.path.read_bytes(), type=self._kind)

    def _write(self, data: bytes) -> None:
        real = Path(os.path.realpath(self.path))  # a home may lie behind a link
        if real.exists():
            try:
                self._decoded()
            except (msgspec.DecodeError, UnicodeDecodeError):
                real.replace(real.with_name(f"{real.name}.damaged"))
        beginning = f".{real.name}.new-"
        # `like` even where it has several names: written in place it could be torn.
        like = str(real) if real.exists() else ""
        filesystem.prepare(str(real), data, f"{beginning}{new_id()}", mode=0o600, like=like).put()
        filesystem.sweep(str(real.parent), beginning)

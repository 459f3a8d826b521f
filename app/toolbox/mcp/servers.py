"""The file of MCP servers, mcp.json beside the settings: read entry by entry, written whole, nothing in it
lost.

Its shape is the one that other programs use, so that an entry can be pasted:
{"mcpServers": {"ID": {"command": "npx", "args": [...], "env": {...}}}}. Keys that we do not know stay.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from app.errors import BrambleError
from app.platform import filesystem
from app.platform.ids import new_id
from app.platform.locking import locked
from app.platform.paths import make_private
from app.record import Record
from app.toolbox.mcp.places import NAME
from app.toolbox.mcp.spec import (
    OURS,
    ServerSpec as ServerSpec,
    fault_of as fault_of,
    print_of as print_of,
    raw_of,
    secret_name as secret_name,
    spec_of,
)

BYTES_CAP = 4 << 20
LOCK_SECONDS = 2.0
_ROOT = "mcpServers"
_NEW = f".{NAME}.new-"
_FULL = (errno.ENOSPC, errno.EDQUOT) if hasattr(errno, "EDQUOT") else (errno.ENOSPC,)


class Listing(Record, kw_only=True):
    """What the file says. A `fault` is about the file as a whole, which then cannot be changed."""

    specs: tuple[ServerSpec, ...] = ()
    fault: str = ""


class ServerFile:
    """The file, read whole and written whole. All methods block; call them in a thread."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def read(self) -> Listing:
        """Return what it says; a file that is not there says nothing."""
        try:
            found = _entries(self._raw())
        except BrambleError as error:
            return Listing(fault=str(error))
        return Listing(specs=tuple(spec_of(name, value) for name, value in found.items()))

    def put(self, spec: ServerSpec, *, new: bool = False) -> None:
        """Write one entry; keys of it that we do not know stay, and so does every other entry.

        Raises BrambleError: bad_server, server_exists, bad_servers, servers_busy, no_permission, disk_full.
        """
        if fault := fault_of(spec):
            raise BrambleError("bad_server", fault, server=spec.id, why=fault)

        def change(entries: dict[str, Any]) -> None:
            there = entries.get(spec.id)
            if new and there is not None:
                raise BrambleError("server_exists", f"There is a server {spec.id}.", server=spec.id)
            kept = (
                {key: value for key, value in there.items() if key not in OURS}
                if isinstance(there, dict)
                else {}
            )
            entries[spec.id] = {**raw_of(spec), **kept}

        self._change(change)

    def edit(self, server: str, change: Callable[[ServerSpec], ServerSpec]) -> ServerSpec:
        """Put `change` of an entry, as it is now, in its place. Raises as `put`, and no_server."""
        made: list[ServerSpec] = []

        def changed(entries: dict[str, Any]) -> None:
            if server not in entries:
                raise no_server(server)
            spec = spec_of(server, entries[server])
            if spec.fault:
                raise BrambleError("bad_server", spec.fault, server=server, why=spec.fault)
            made.append(change(spec))
            kept = {key: value for key, value in entries[server].items() if key not in OURS}
            entries[server] = {**raw_of(made[0]), **kept}

        self._change(changed)
        return made[0]

    def check(self) -> None:
        """Raise what `put` would where nothing can be written now, by writing what stands there already."""
        self._change(lambda entries: None)

    def remove(self, server: str) -> None:
        """Take an entry out, one with a fault too. Raises as `put`, and no_server."""

        def change(entries: dict[str, Any]) -> None:
            if server not in entries:
                raise no_server(server)
            del entries[server]

        self._change(change)

    def _raw(self) -> dict[str, Any]:
        """Return the file as it is. Raises BrambleError bad_servers."""
        try:
            data = filesystem.read(os.path.realpath(self.path), BYTES_CAP + 1)
        except FileNotFoundError:
            return {}
        except OSError as error:
            raise self._bad(str(error)) from error
        if len(data) > BYTES_CAP:
            raise self._bad("it is too large")
        try:
            raw = json.loads(data.decode("utf-8-sig")) if data.strip() else {}
        except (ValueError, RecursionError) as error:
            raise self._bad(f"it is no JSON: {error}") from error
        if not isinstance(raw, dict) or not isinstance(raw.get(_ROOT, {}), dict):
            raise self._bad(f'it holds no object "{_ROOT}"')
        return raw

    def _bad(self, why: str) -> BrambleError:
        text = f"{self.path} cannot be used: {why}."
        return BrambleError("bad_servers", text, path=str(self.path), why=why)

    def _change(self, change: Callable[[dict[str, Any]], None]) -> None:
        with self._errors():
            make_private(self.path.parent)
            with locked(self.path.with_name(f".{NAME}.lock"), LOCK_SECONDS):
                raw = self._raw()
                entries = raw.setdefault(_ROOT, {})
                change(entries)
                data = json.dumps(raw, indent=2, ensure_ascii=False).encode("utf-8", "replace") + b"\n"
                if len(data) > BYTES_CAP:  # it could not be read again, and no server in it used
                    raise self._bad("it would become too large")
                self._write(data)

    def _write(self, data: bytes) -> None:
        real = Path(os.path.realpath(self.path))  # the file may be a link into a folder of dotfiles
        there = real.exists()
        # `like` even where it has several names: written in place it could be torn.
        made = filesystem.prepare(
            str(real),
            data,
            f"{_NEW}{new_id()}",
            mode=None if there else 0o600,
            like=str(real) if there else "",
        )
        made.put()
        filesystem.sweep(str(real.parent), _NEW)

    @contextlib.contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except TimeoutError as error:
            raise BrambleError("servers_busy", f"{self.path}: {error}", path=str(self.path)) from error
        except OSError as error:
            code = "disk_full" if error.errno in _FULL else "no_permission"
            raise BrambleError(
                code, f"{self.path}: {error}", detail=str(error), path=str(self.path)
            ) from error


def no_server(server: str) -> BrambleError:
    """Return the error for a server that nobody configured."""
    return BrambleError("no_server", f"There is no server {server}.", server=server)


def _entries(raw: dict[str, Any]) -> dict[str, Any]:
    found = raw.get(_ROOT, {})
    assert isinstance(found, dict)
    return found

"""The sandbox of a process: which layer there is, and what one command of a session is held to."""

from __future__ import annotations

import asyncio
import logging
import os
import shutil
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from app.platform.paths import Home, make_private
from app.platform.sandbox import places
from app.platform.sandbox.confinement import Confinement, Probe, covers, guarded
from app.platform.sandbox.probe import probe
from app.records import Layer, Problem, Reach

log = logging.getLogger(__name__)

_ORDER: tuple[Layer, ...] = ("bubblewrap", "landlock", "none")
_KEPT_SECONDS = 3 * 86400.0
"""How long the /tmp of a session stays that nothing has used."""
_OFF = Probe("none", "It is switched off in the settings.", fix='Set sandbox = "auto" in the settings.')


class Sandbox:
    """Where commands run. Used by all calls of a process.

    `layer` is "none" before the first `look`, and while the person has switched it off. The
    decision on a command goes by the layer that its effect names.
    """

    def __init__(
        self,
        home: Home,
        environ: Mapping[str, str],
        *,
        wanted: Callable[[], bool] = lambda: True,
        secret: Callable[[str], bool] = lambda path: False,
        tell: Callable[[Problem], None] = lambda problem: None,
        prober: Callable[[Mapping[str, str]], Probe] = probe,
    ) -> None:
        """`wanted` reads the settings at each use; `secret` says which paths nobody may read.

        `tell` is called where less holds commands than the last time (code less_sandbox).
        """
        self._home = home
        self._environ = environ
        self._wanted = wanted
        self._secret = secret
        self._tell = tell
        self._prober = prober
        self._found: asyncio.Future[Probe] | None = None

    async def look(self) -> Probe:
        """Return what holds commands; `found` where the person has not switched it off."""
        return await self.found() if self._wanted() else _OFF

    async def found(self) -> Probe:
        """Return what works here; starts the layers once, off the loop, and remembers it for the process."""
        if self._found is None:
            self._found = asyncio.ensure_future(self._first())
        return await asyncio.shield(self._found)

    async def close(self) -> None:
        """Wait no longer for a first look that is still on its way."""
        if self._found is not None:
            self._found.cancel()
            await asyncio.gather(self._found, return_exceptions=True)

    async def _first(self) -> Probe:
        found, fallen = await asyncio.to_thread(self._compared)
        if fallen:
            self._tell(Problem(code="less_sandbox", fields={"why": found.why}, detail=found.why))
        return found

    def _compared(self) -> tuple[Probe, bool]:
        """Return what works now and whether it is less than the last time, which is told once."""
        _clear(self._temporaries, time.time() - _KEPT_SECONDS)
        found = self._prober(self._environ)
        note = self._home.data / "sandbox"
        try:
            before = note.read_text(encoding="utf-8").strip() if note.exists() else found.layer
            if before != found.layer or not note.exists():
                make_private(note.parent)
                note.write_text(found.layer, encoding="utf-8")
        except (OSError, ValueError) as error:
            log.warning("the sandbox of the last time cannot be compared: %s", error)
            return found, False
        return found, before in _ORDER and _ORDER.index(found.layer) > _ORDER.index(before)

    @property
    def layer(self) -> Layer:
        """What would hold a command of reach folder or network, as far as it is known now."""
        known = self._found is not None and self._found.done() and not self._found.cancelled()
        return self._found.result().layer if known and self._found and self._wanted() else "none"

    async def confine(
        self, session: str, folder: str, reach: Reach, writable: Sequence[str] = ()
    ) -> Confinement | None:
        """Return what a command is held to, None for no sandbox (reach all, or there is none).

        `folder` is the working folder of the session; `writable` are places outside of it that a person or a
        rule has allowed to be written. What of them does not exist yet is made in its folder, which is then
        writable, unless that is a home, a drive or what holds the working folder.
        """
        found = await self.look()
        if reach == "all" or found.layer == "none":
            return None
        return await asyncio.to_thread(self._confine, found, session, folder, reach == "network", writable)

    def _confine(
        self, found: Probe, session: str, folder: str, network: bool, writable: Sequence[str]
    ) -> Confinement:
        temporary = self._temporaries / (session or "_")
        make_private(temporary)
        os.utime(temporary)
        own = tuple(map(os.path.realpath, self._own()))
        more = filter(None, (_existing(path, (folder, os.path.expanduser("~"))) for path in writable))
        open_to_it = dict.fromkeys(map(os.path.realpath, (folder, *more)))
        folders = tuple(path for path in open_to_it if path not in own)
        hidden = places.hidden(self._environ, own, self._secret)
        spill = os.path.realpath(self._home.spill / (session or "_"))
        return Confinement(
            layer=found.layer,
            temporary=os.path.realpath(temporary),
            writable=folders,
            readable=tuple(filter(os.path.exists, (*places.needed(), spill))),
            masked=tuple(place for place in hidden if place not in folders),
            guarded=guarded(folders),
            network=network,
            program=found.program,
            abi=found.abi,
            root=os.geteuid() == 0,
        )

    @property
    def _temporaries(self) -> Path:
        return self._home.temporaries

    def _own(self) -> tuple[Path, ...]:
        """Return our own folders; those that hold the working folder hide everything beside it."""
        home = self._home
        return (home.settings.parent, home.data, home.cache, home.runtime)


def _existing(path: str, within: tuple[str, ...]) -> str:
    """Return the path where it exists, else the folder to make it in, "" where that is too much to open."""
    if os.path.lexists(path):
        return path
    folder = os.path.dirname(path)
    wide = any(covers(os.path.realpath(folder), os.path.realpath(place)) for place in within)
    return "" if wide or not os.path.isdir(folder) else folder


def _clear(folder: Path, before: float) -> None:
    """Remove what sessions left in their /tmp and have not used since. Links in there are not followed."""
    for place in folder.glob("*"):
        if place.stat(follow_symlinks=False).st_mtime < before:
            shutil.rmtree(place, ignore_errors=True)

"""Owns the child process that runs the model in the app: made ready at the first request, ended when idle
or at the end.
"""

from __future__ import annotations

import asyncio
import importlib.util
import json
import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import msgspec

from app.errors import ModelError
from app.models.local import weights as known_weights
from app.models.local.fetch import Progress, fetch, run_pip
from app.models.local.weights import Weights
from app.models.profile import Profile
from app.platform.children import end_group
from app.records import WeightsInfo

SERVER = Path(__file__).with_name("server.py")
REQUIREMENTS = Path(__file__).resolve().parents[3] / "requirements" / "local.txt"
"""Pinned by hash; the engine is installed from it at the first need."""
START_SECONDS = 120.0
"""Loading weights from a slow disk may take that long."""
IDLE_SECONDS = 600.0
"""After that long without a request the child ends and its memory is free again."""
TAIL_BYTES = 4000
"""Of the child's own words, kept for the case that it fails."""


class LocalEngine:
    """The engine of one process. `ready` may be called for every request; it costs nothing while the child
    runs.
    """

    def __init__(self, folder: Path, environ: Mapping[str, str], idle: float = IDLE_SECONDS) -> None:
        self._folder = folder
        self._environ = environ
        self._idle = idle
        self._lock = asyncio.Lock()
        self._process: asyncio.subprocess.Process | None = None
        self._name = ""
        self._port = 0
        self._tail = b""
        self._reader: asyncio.Task[None] | None = None
        self._timer: asyncio.TimerHandle | None = None

    def infos(self) -> tuple[WeightsInfo, ...]:
        """Return all weights that can be fetched, with what a person agrees to; without the engine none counts
        as installed.
        """
        here = engine_installed()
        infos = (known_weights.info(self._folder, weights) for weights in known_weights.known())
        return tuple(msgspec.structs.replace(info, installed=info.installed and here) for info in infos)

    def installed(self) -> tuple[str, ...]:
        """Return the names of the weights that are here."""
        return tuple(info.name for info in self.infos() if info.installed)

    async def install(self, name: str, progress: Progress) -> None:
        """Fetch engine and weights after a person agreed. Raises ModelError; what has arrived is kept for
        the next try.
        """
        weights = known_weights.named(name)
        if not engine_installed():
            await self._install_engine(progress)
        await fetch(weights, self._folder, progress, self._environ)

    async def ready(self, profile: Profile, model: str) -> Profile:
        """Start the child for `model` if need be and return the profile with its address.

        Raises ModelError: local_missing (not fetched yet), local_failed (with the child's own words).
        """
        weights = known_weights.named(model)
        if not known_weights.is_installed(self._folder, weights) or not engine_installed():
            raise ModelError("local_missing", f"The model {model} is not on this computer yet.", model=model)
        async with self._lock:
            if self._process is None or self._process.returncode is not None or self._name != model:
                await self._end()
                await self._start(weights)
        self._put_off()
        return msgspec.structs.replace(
            profile, base_url=f"http://127.0.0.1:{self._port}/v1", window=weights.window
        )

    async def close(self) -> None:
        """End the child."""
        async with self._lock:
            await self._end()

    async def _install_engine(self, progress: Progress) -> None:
        progress("engine", 0, 0)
        await run_pip(
            ("install", "--no-deps", "--require-hashes", "-r", str(REQUIREMENTS)), self._environ, lambda: None
        )
        importlib.invalidate_caches()

    async def _start(self, weights: Weights) -> None:
        spawn = asyncio.ensure_future(
            asyncio.create_subprocess_exec(
                sys.executable, "-P", str(SERVER), str(known_weights.path_of(self._folder, weights)),
                str(weights.window), str(threads()), "yes" if weights.fenced_calls else "no",
                start_new_session=True,
                stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
            )
        )  # fmt: skip
        self._process = await asyncio.shield(spawn)
        self._name, self._tail = weights.name, b""
        self._reader = asyncio.create_task(
            self._read_errors(self._process), name="words of the model's engine"
        )
        try:
            self._port = await asyncio.wait_for(self._first_line(self._process), START_SECONDS)
        except BaseException:
            await asyncio.shield(self._end())
            raise

    async def _first_line(self, process: asyncio.subprocess.Process) -> int:
        assert process.stdout is not None
        while line := await process.stdout.readline():
            if line.startswith(b"{"):
                said = json.loads(line)
                if "port" in said:
                    return int(said["port"])
                raise ModelError(
                    "local_failed", "The model in the app did not start.", detail=str(said.get("error", ""))
                )
        tail = self._tail.decode(errors="replace").strip()[-500:]
        raise ModelError("local_failed", "The model in the app ended while it started.", detail=tail)

    async def _read_errors(self, process: asyncio.subprocess.Process) -> None:
        assert process.stderr is not None
        while chunk := await process.stderr.read(65_536):
            self._tail = (self._tail + chunk)[-TAIL_BYTES:]

    async def _end(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._process is not None and self._process.returncode is None:
            await end_group(self._process)
        if self._reader is not None:
            await asyncio.gather(self._reader, return_exceptions=True)
        self._process = self._reader = None

    def _put_off(self) -> None:
        """Begin to count the idle time anew."""
        if self._timer is not None:
            self._timer.cancel()
        loop = asyncio.get_running_loop()
        self._timer = loop.call_later(self._idle, lambda: loop.create_task(self.close()))


def engine_installed() -> bool:
    """Whether the engine's package is here."""
    return importlib.util.find_spec("xllamacpp") is not None


def threads(count: Callable[[], int | None] = os.cpu_count) -> int:
    """Return how many threads the engine gets: half the cores, since its waiting threads spin (voice facts,
    section 7).
    """
    return max(1, min(8, (count() or 2) // 2))

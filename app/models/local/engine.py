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
from app.platform.children import end_group, start_child
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
    """Runs one child for each weights in use; `ready` may be called for every request and costs nothing
    then.
    """

    def __init__(self, folder: Path, environ: Mapping[str, str], idle: float = IDLE_SECONDS) -> None:
        self._folder = folder
        self._environ = environ
        self._idle = idle
        self._lock = asyncio.Lock()
        self._children: dict[str, _Child] = {}
        self._sleeper: asyncio.Task[None] | None = None

    def infos(self) -> tuple[WeightsInfo, ...]:
        """Return all weights that can be fetched, with what a person agrees to; without the engine none
        counts
        as installed.
        """
        here = engine_installed()
        infos = (known_weights.info(self._folder, weights) for weights in known_weights.known())
        return tuple(msgspec.structs.replace(info, installed=info.installed and here) for info in infos)

    def installed(self) -> tuple[str, ...]:
        """Return the names of the weights that are here."""
        return tuple(info.name for info in self.infos() if info.installed)

    async def install(self, name: str, progress: Progress) -> None:
        """Fetch engine and weights after a person agreed. Raises ModelError; what has arrived is kept for the
        next try.
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
            child = self._children.get(model)
            if child is None or child.ended:
                child = _Child(known_weights.path_of(self._folder, weights), weights)
                await child.start()
                self._children[model] = child
        self.used(model)
        if self._sleeper is None:
            self._sleeper = asyncio.create_task(self._end_idle(), name="idle models in the app")
        return msgspec.structs.replace(
            profile, base_url=f"http://127.0.0.1:{child.port}/v1", window=weights.window
        )

    def used(self, model: str) -> None:
        """Count the idle time of a model from now; called while its answer streams."""
        if model in self._children:
            self._children[model].used = asyncio.get_running_loop().time()

    async def close(self) -> None:
        """End all children."""
        if self._sleeper is not None:
            self._sleeper.cancel()
            await asyncio.gather(self._sleeper, return_exceptions=True)
        async with self._lock:
            await asyncio.gather(*(child.end() for child in self._children.values()))
            self._children.clear()

    async def _end_idle(self) -> None:
        """End children that nobody has used for a while, so that their memory is free again."""
        while True:
            await asyncio.sleep(self._idle / 4)
            now = asyncio.get_running_loop().time()
            async with self._lock:
                for name, child in list(self._children.items()):
                    if child.ended or now - child.used > self._idle:
                        await child.end()
                        del self._children[name]

    async def _install_engine(self, progress: Progress) -> None:
        progress("engine", 0, 0)
        await run_pip(
            ("install", "--no-deps", "--require-hashes", "-r", str(REQUIREMENTS)), self._environ, lambda: None
        )
        importlib.invalidate_caches()


class _Child:
    """One running engine process. It ends when its input closes, so also when this process is killed."""

    def __init__(self, path: Path, weights: Weights) -> None:
        self.port = 0
        self.used = 0.0
        self._path = path
        self._weights = weights
        self._process: asyncio.subprocess.Process | None = None
        self._tail = b""
        self._reader: asyncio.Task[None] | None = None

    @property
    def ended(self) -> bool:
        """Whether the process is gone."""
        return self._process is None or self._process.returncode is not None

    async def start(self) -> None:
        """Start the process and wait until it serves. Raises ModelError local_failed, and leaves nothing."""
        self._process = await start_child(
            sys.executable, "-P", str(SERVER), str(self._path), str(self._weights.window), str(threads()),
            "yes" if self._weights.fenced_calls else "no",
            stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
        )  # fmt: skip
        self._reader = asyncio.create_task(
            self._read_errors(self._process), name="words of the model's engine"
        )
        try:
            self.port = await asyncio.wait_for(self._first_line(self._process), START_SECONDS)
        except BaseException:
            await asyncio.shield(self.end())
            raise

    async def end(self) -> None:
        """End the process with everything it started."""
        if self._process is not None and self._process.returncode is None:
            await end_group(self._process)
        if self._reader is not None:
            await asyncio.gather(self._reader, return_exceptions=True)
        self._process = self._reader = None

    async def _first_line(self, process: asyncio.subprocess.Process) -> int:
        assert process.stdout is not None
        while line := await process.stdout.readline():
            if line.startswith(b"{"):
                said = json.loads(line)
                if "port" in said:
                    return int(said["port"])
                why = str(said.get("error", ""))
                raise ModelError("local_failed", "The model in the app did not start.", detail=why)
        tail = self._tail.decode(errors="replace").strip()[-500:]
        raise ModelError("local_failed", "The model in the app ended while it started.", detail=tail)

    async def _read_errors(self, process: asyncio.subprocess.Process) -> None:
        assert process.stderr is not None
        while chunk := await process.stderr.read(65_536):
            self._tail = (self._tail + chunk)[-TAIL_BYTES:]


def engine_installed() -> bool:
    """Whether the engine's package is here."""
    return importlib.util.find_spec("xllamacpp") is not None


def threads(count: Callable[[], int | None] = os.cpu_count) -> int:
    """Return how many threads the engine gets: half the cores, since its waiting threads spin (voice facts,
    section 7).
    """
    return max(1, min(8, (count() or 2) // 2))

"""What the sandbox adds to the start of a command: confined and plain ones in turn, from one process."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Mapping
from pathlib import Path

from app.capabilities.sandbox import Sandbox
from app.permissions.places import is_secret
from app.platform import spawning
from app.platform.paths import home
from app.platform.sandbox.confinement import Confinement, Layer
from app.platform.sandbox.probe import probe
from tests.bench.figures import Number, by_value

_LAYERS: tuple[Layer, ...] = ("bubblewrap", "landlock")
_ADDED = 25.0
"""Milliseconds that nobody notices before a command."""


def sandbox_start(folder: Path, rounds: int) -> list[Number]:
    """From the wish to run `true` to its end, everything that is decided for each command included."""
    bash = spawning.find_bash()
    if bash is None:
        raise RuntimeError("there is no bash")
    work = folder / "work"
    work.mkdir()
    found = []
    for layer in _LAYERS:
        seen = probe(os.environ if layer == "bubblewrap" else {"PATH": "/nonexistent"})
        if seen.layer != layer:
            continue
        sandbox = Sandbox(
            home({"BRAMBLE_HOME": str(folder / layer)}),
            os.environ,
            secret=is_secret,
            prober=lambda environ, seen=seen: seen,  # type: ignore[misc]
        )
        held, plain = asyncio.run(_rounds(bash, sandbox, work, rounds))
        name, beside = f"sandbox start, added: {layer}", "the same command without"
        found.append(by_value(name, held - plain, "ms", plain, _ADDED, beside))
    return found


async def _rounds(bash: str, sandbox: Sandbox, work: Path, rounds: int) -> tuple[float, float]:
    environ = spawning.environment(os.environ)
    held, plain = [], []
    for _ in range(rounds):
        plain.append(_run(bash, work, environ, None))
        began = time.perf_counter()
        confinement = await sandbox.confine("bench", str(work), "folder")
        held.append(time.perf_counter() - began + _run(bash, work, environ, confinement))
    # The quickest of each: what else runs on the machine only adds, and adds more to what has more processes.
    return 1000 * min(held), 1000 * min(plain)


def _run(bash: str, work: Path, environ: Mapping[str, str], confinement: Confinement | None) -> float:
    began = time.perf_counter()
    child = spawning.start(bash, "true", str(work), environ, input=False, confinement=confinement)
    spawning.go(child)
    os.close(child.input)
    code = child.process.wait()
    os.close(child.output)
    if code:
        raise RuntimeError(f"true ended with {code}")
    return time.perf_counter() - began

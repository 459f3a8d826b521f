"""Runs the commands that install a package first: a Python server gets an environment of its own, once."""

from __future__ import annotations

import asyncio
import os
import shutil
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path

import msgspec

from app.errors import BrambleError
from app.platform.children import end_group, start_child
from app.platform.paths import make_private
from app.platform.spawning import environment
from app.toolbox.mcp.install import Plan

SECONDS = 600.0
"""For one step: a package with many dependencies over a slow network."""
_TAIL = 2_000
"""Bytes of what a step said that an error shows."""
_PROXIES = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY", "SSL_CERT_FILE", "REQUESTS_CA_BUNDLE")


async def prepare(
    made: Plan, environ: Mapping[str, str], progress: Callable[[str], None] = lambda text: None
) -> Plan:
    """Run the steps of a plan, unless its program is there already; return the plan with the program that was
    installed. It has another command than the one that was shown only where the package has no program of its
    own name; such a command has to be approved again.

    Raises BrambleError install_failed with the end of what a step said; what it made is taken away again.
    """
    if not made.steps:
        return made
    program = Path(made.command[0])
    folder = program.parent.parent
    if not program.exists():
        await asyncio.to_thread(make_private, folder.parent)
        try:
            for step in made.steps:
                progress(" ".join(step))
                await _run(step, str(folder.parent), environ, made.package)
        except BaseException:
            await asyncio.to_thread(shutil.rmtree, folder, True)
            raise
    found = await asyncio.to_thread(_program, program, made.package)
    if not found:
        await asyncio.to_thread(shutil.rmtree, folder, True)
        raise BrambleError(
            "install_failed", f"{made.package} has no program that could be started.", package=made.package
        )
    plan: Plan = msgspec.structs.replace(made, command=(found, *made.command[1:]))
    return plan


async def _run(step: tuple[str, ...], cwd: str, environ: Mapping[str, str], package: str) -> None:
    env = environment(environ)
    for name in _PROXIES:  # a package cannot be fetched where the person's own way out is not taken
        env |= {key: environ[key] for key in (name, name.lower()) if environ.get(key)}
    env |= {key: value for key, value in environ.items() if key.startswith(("PIP_", "UV_"))}
    try:
        process = await start_child(
            *step,
            cwd=cwd,
            env=env,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )
    except OSError as error:
        raise _failed(package, str(error)) from error
    assert process.stdout is not None
    said = bytearray()
    try:
        async with asyncio.timeout(SECONDS):
            while piece := await process.stdout.read(65_536):
                said = (said + piece)[-_TAIL:]
            code = await process.wait()
    except TimeoutError as error:
        raise _failed(package, f"It took longer than {SECONDS / 60:.0f} minutes.") from error
    finally:
        with suppress(ProcessLookupError):
            await asyncio.shield(end_group(process))
    if code:
        raise _failed(package, said.decode("utf-8", "replace").strip() or f"exit {code}")


def _failed(package: str, why: str) -> BrambleError:
    return BrambleError(
        "install_failed", f"{package} could not be installed: {why}", detail=why, package=package
    )


def _program(wanted: Path, package: str) -> str:
    """Return the program of a package: the one of its name, else the likely one that it brings."""
    if wanted.exists() or os.path.exists(f"{wanted}.exe"):
        return str(wanted)
    import importlib.metadata

    folder = wanted.parent.parent
    sites = (
        [str(folder / "Lib" / "site-packages")]
        if sys.platform == "win32"
        else [str(path) for path in folder.glob("lib/python*/site-packages")]
    )
    names = {
        entry.name
        for found in importlib.metadata.distributions(name=package, path=sites)
        for entry in found.entry_points
        if entry.group == "console_scripts"
    }
    likely = sorted(names, key=lambda name: ("mcp" not in name.lower(), name))
    return str(wanted.with_name(likely[0])) if likely and (len(likely) == 1 or "mcp" in likely[0]) else ""

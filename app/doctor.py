"""What works on this machine and what to do about the rest: the checks of `bramble doctor`."""

from __future__ import annotations

import asyncio
import importlib.util
import shutil
import sys
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from app.errors import BrambleError
from app.records import Check

if TYPE_CHECKING:
    from app.engine import Engine


async def checks(engine: Engine) -> tuple[Check, ...]:
    """Run every check, side by side; a check that fails says so and never keeps the others from running."""
    every: tuple[Callable[[Engine], Awaitable[Check]], ...] = (
        _python, _qt, _store, _models, _keyring, _shell, _search, _sandbox, _audio, _scheduler,
    )  # fmt: skip
    return tuple(await asyncio.gather(*(check(engine) for check in every)))


async def _python(engine: Engine) -> Check:
    version = ".".join(map(str, sys.version_info[:3]))
    right = (3, 11) <= sys.version_info[:2] <= (3, 13)
    return Check(
        name="python",
        state="ok" if right else "warn",
        detail=f"Python {version}",
        fix="" if right else "Use Python 3.11, 3.12 or 3.13.",
    )


async def _qt(engine: Engine) -> Check:
    if importlib.util.find_spec("PySide6") is None:
        return Check(name="qt", state="fail", detail="PySide6 is not installed.", fix="Run ./dev run once.")
    code = "from PySide6 import __version__, QtWidgets; QtWidgets.QApplication([]); print(__version__)"
    environ = {**engine.environ, "QT_QPA_PLATFORM": "offscreen"}
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-P", "-c", code, env=environ, stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE
    )  # fmt: skip
    out, err = await process.communicate()
    if process.returncode:
        why = err.decode(errors="replace").strip().splitlines()[-1:]
        return Check(
            name="qt",
            state="fail",
            detail=" ".join(why) or "Qt does not start.",
            fix="Install the system libraries: ./dev run does it.",
        )
    screen = sys.platform in ("darwin", "win32") or any(
        map(engine.environ.get, ("DISPLAY", "WAYLAND_DISPLAY"))
    )
    return Check(
        name="qt",
        state="ok" if screen else "warn",
        detail=f"PySide6 {out.decode().strip()}" + ("" if screen else ", no display here"),
        fix="" if screen else "The window needs a display; the terminal commands work without one.",
    )


async def _store(engine: Engine) -> Check:
    problem = engine.problem
    if problem is None:
        return Check(name="store", state="ok", detail=str(engine.home.database))
    return Check(
        name="store",
        state="fail",
        detail=f"{engine.home.database}: {problem.code} {problem.detail}".strip(),
        fix="Free space, mend the rights, or run: bramble restore FILE",
    )


async def _models(engine: Engine) -> Check:
    try:
        name = await engine.models.current()
        profile, model = engine.models.named(name)
    except BrambleError as error:
        return Check(
            name="models", state="warn", detail=str(error), fix="Run bramble models list, then models use."
        )
    return Check(name="models", state="ok", detail=f"{profile.name}/{model} at {profile.base_url}")


async def _keyring(engine: Engine) -> Check:
    state, detail = await engine.models.keyring_state()
    fix = "" if state == "ok" else "Unlock or install a keyring, or put the key into an environment variable."
    return Check(name="keyring", state="ok" if state == "ok" else "warn", detail=detail, fix=fix)


async def _shell(engine: Engine) -> Check:
    bash = shutil.which("bash")
    if bash is None:
        return Check(name="shell", state="fail", detail="bash was not found.", fix="Install bash.")
    return Check(name="shell", state="ok", detail=bash)


async def _search(engine: Engine) -> Check:
    found = shutil.which("rg")
    detail = f"ripgrep at {found}" if found else "built in (ripgrep would be faster)"
    return Check(name="search", state="ok", detail=detail)


async def _sandbox(engine: Engine) -> Check:
    return Check(
        name="sandbox",
        state="warn",
        detail="Commands run without a sandbox in this version, so each one asks.",
        fix="Read a command before you allow it.",
    )


async def _audio(engine: Engine) -> Check:
    return Check(name="audio", state="warn", detail="This version has no voice yet.")


async def _scheduler(engine: Engine) -> Check:
    return Check(name="scheduler", state="warn", detail="This version has no routines yet.")

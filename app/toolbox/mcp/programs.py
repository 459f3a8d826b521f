"""Find a server's program: on PATH, then on that of the login shell, since a desktop starts us with less."""

from __future__ import annotations

import asyncio
import os
import shutil
import sys
from collections.abc import Mapping
from typing import NamedTuple

from app.platform.children import end_group, start_child
from app.platform.spawning import environment

SHELL_SECONDS = 5.0
_MARK = "BRAMBLE-PATH:"
_SHELLS = ("bash", "zsh", "fish", "sh", "dash", "ksh")
_WINDOWS = ("APPDATA", "LOCALAPPDATA", "PATHEXT", "PROGRAMFILES", "SYSTEMROOT", "TEMP", "USERPROFILE")


class Program(NamedTuple):
    """What is started: its whole path, and the environment that it gets."""

    path: str
    environ: dict[str, str]


class NoProgram(Exception):
    """The program is not there; the text says where it was looked for."""


class Programs:
    """Looks for programs in the environment of this process. The login shell is asked once, at the first
    program that PATH does not have.
    """

    def __init__(self, environ: Mapping[str, str]) -> None:
        self._environ = environ
        self._asking: asyncio.Task[str] | None = None

    async def find(self, program: str) -> Program:
        """Return a program by its name or absolute path. Raises NoProgram."""
        base = self._base()
        place = os.path.expanduser(program)
        if os.path.isabs(place):
            found = await asyncio.to_thread(shutil.which, place)
            if found is None:
                raise NoProgram(f"There is no program {place} that can be started.")
            return Program(found, {**base, "PATH": _joined(os.path.dirname(found), base["PATH"])})
        if found := await asyncio.to_thread(shutil.which, program, path=base["PATH"]):
            return Program(found, base)
        path = _joined(await self._login_path(), base["PATH"])
        if found := await asyncio.to_thread(shutil.which, program, path=path):
            return Program(found, {**base, "PATH": path})
        raise NoProgram(
            f"The program {program} was not found. Looked in: {', '.join(path.split(os.pathsep))}."
        )

    def _base(self) -> dict[str, str]:
        """Return the few variables that a server gets of ours (safety.md 2.7)."""
        if sys.platform != "win32":
            return environment(self._environ)
        kept = {name: self._environ[name] for name in _WINDOWS if name in self._environ}
        return {**kept, "PATH": self._environ.get("PATH", os.defpath)}

    async def _login_path(self) -> str:
        if self._asking is None:
            self._asking = asyncio.create_task(login_path(self._environ), name="path of the login shell")
        return await asyncio.shield(self._asking)


async def login_path(environ: Mapping[str, str], seconds: float = SHELL_SECONDS) -> str:
    """Return PATH as the person's login shell sets it, "" where it does not say in time."""
    shell = environ.get("SHELL", "")
    if sys.platform == "win32" or os.path.basename(shell) not in _SHELLS or not os.path.isabs(shell):
        return ""
    # A child prints it, for fish has a list in $PATH; the mark stands apart from what the shell itself says.
    words = [shell, "-l", "-i", "-c", f"printf '\\n{_MARK}'; printenv PATH"]
    try:
        process = await start_child(
            *words,
            cwd="/",
            env=environment(environ),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
        )
    except OSError:
        return ""
    said = b""
    try:
        async with asyncio.timeout(seconds):
            assert process.stdout
            while _complete(said) is None and (piece := await process.stdout.read(65_536)):
                said += piece
    except TimeoutError:
        pass
    finally:
        await asyncio.shield(end_group(process, 0.1))
    return _complete(said) or ""


def _complete(said: bytes) -> str | None:
    """Return what stands behind the mark once its line has ended."""
    _before, mark, rest = said.decode("utf-8", "replace").rpartition(_MARK)
    line, end, _after = rest.partition("\n")
    places = (place for place in line.split(os.pathsep) if os.path.isabs(place))
    return os.pathsep.join(places) if mark and end else None


def _joined(*paths: str) -> str:
    """Return the folders of several search paths, each once, in this order."""
    return os.pathsep.join(
        dict.fromkeys(place for path in paths for place in path.split(os.pathsep) if place)
    )

"""Start a command so that it can be ended whole: a session of its own, a clean environment, a gate."""

from __future__ import annotations

import asyncio
import os
import subprocess
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass

_KEPT = ("HOME", "LOGNAME", "PATH", "SHELL", "USER", "LANG", "TMPDIR")
"""All that a command gets of our environment (safety.md 2.7): no key, no token, no socket, no PYTHONPATH."""
_SEARCH = "/usr/local/bin:/usr/bin:/bin"
_PLACES = ("/bin/bash", "/usr/bin/bash", "/usr/local/bin/bash", "/opt/homebrew/bin/bash")
_GATE = 'read -r || exit 125; exec "$@"'
"""Waits for one line before it becomes the command; ends when we are gone or do not want it any more."""


@dataclass(frozen=True)
class Child:
    """A command behind its gate: nothing runs before `go`. Both descriptors are ours and never block."""

    process: subprocess.Popen[bytes]
    input: int
    output: int

    @property
    def group(self) -> int:
        """The process group, which is the first process's id."""
        return self.process.pid


def environment(environ: Mapping[str, str]) -> dict[str, str]:
    """Return the environment of a command; relative places leave PATH: a folder may hold a planted `git`."""
    kept = {name: environ[name] for name in _KEPT if environ.get(name)}
    places = [place for place in kept.get("PATH", "").split(":") if place.startswith("/")]
    return {"LANG": "C.UTF-8", **kept, "PATH": ":".join(places) or _SEARCH, "TERM": "dumb"}


def find_bash(places: tuple[str, ...] = _PLACES) -> str | None:
    """Return the path of bash in its usual places, never from PATH, None when there is none."""
    return next((place for place in places if os.access(place, os.X_OK)), None)


def start(bash: str, command: str, cwd: str, environ: Mapping[str, str], *, input: bool) -> Child:
    """Start `bash -c command` behind a gate, stdout and stderr merged.

    `input`: it reads what we write, else /dev/null. Raises OSError when `cwd` is gone or the system refuses.
    Blocks for some milliseconds: call it in a thread.
    """
    plain = [bash, "--noprofile", "--norc", "-c"]
    process = subprocess.Popen(
        [*plain, _GATE if input else f"{_GATE} </dev/null", "bash", *plain, command],
        cwd=cwd,
        env=dict(environ),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        bufsize=0,
        start_new_session=True,
    )
    assert process.stdin and process.stdout
    child = Child(process, os.dup(process.stdin.fileno()), os.dup(process.stdout.fileno()))
    process.stdin.close()
    process.stdout.close()
    os.set_blocking(child.input, False)
    os.set_blocking(child.output, False)
    return child


def go(child: Child) -> None:
    """Open the gate: the command runs."""
    os.write(child.input, b"\n")


def abandon(child: Child) -> None:
    """Let go of a child whose gate was never opened; it ends without having run anything."""
    os.close(child.input)
    os.close(child.output)
    child.process.kill()
    child.process.wait()


def on_exit(child: Child, loop: asyncio.AbstractEventLoop, then: Callable[[int], None]) -> None:
    """Call `then` in the loop with the exit code, once the first process has ended: 128 + n for signal n."""

    def ended() -> None:
        code = child.process.wait()
        then(code if code >= 0 else 128 - code)

    if hasattr(os, "pidfd_open"):
        descriptor = os.pidfd_open(child.process.pid)

        def readable() -> None:
            loop.remove_reader(descriptor)
            os.close(descriptor)
            ended()

        loop.add_reader(descriptor, readable)
    else:
        threading.Thread(target=_wait, args=(child, loop, ended), daemon=True).start()


def _wait(child: Child, loop: asyncio.AbstractEventLoop, ended: Callable[[], None]) -> None:
    child.process.wait()
    if not loop.is_closed():
        loop.call_soon_threadsafe(ended)

"""Start a command so that it can be ended whole: a session of its own, a clean environment, a gate."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import subprocess
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from app.platform.brand import script
from app.platform.processes import MARK, signal_group
from app.platform.sandbox import bubblewrap, landlock
from app.platform.sandbox.confinement import Confinement

_KEPT = ("HOME", "LOGNAME", "PATH", "SHELL", "USER", "LANG", "TMPDIR")
"""All that a command gets of our environment (safety.md 2.7): no key, no token, no socket, no PYTHONPATH."""
_SEARCH = "/usr/local/bin:/usr/bin:/bin"
_PLACES = ("/bin/bash", "/usr/bin/bash", "/usr/local/bin/bash", "/opt/homebrew/bin/bash")
_GATE = 'read -r || exit 125; exec "$@"'
"""Waits for one line before it becomes the command; ends when we are gone or do not want it any more."""
_STANDING = "!"
"""What the gate says on a descriptor of its own once it stands in the sandbox."""


@dataclass(frozen=True)
class Child:
    """A command behind its gate: nothing runs before `go`. Both descriptors are ours and never block."""

    process: subprocess.Popen[bytes]
    """What we started and wait for. With bubblewrap it only waits for the command, outside of the sandbox."""
    input: int
    output: int
    group: int
    """The process group of the command. With bubblewrap its first process is the first of a process space of
    its own, and KILL to the group ends everything in there.
    """

    @property
    def watcher(self) -> int:
        """The process that must live on until the end to tell the exit code, 0 where there is none."""
        return self.process.pid if self.process.pid != self.group else 0


class NotConfined(OSError):
    """The sandbox could not be set up, so nothing was run; `strerror` says why."""


def environment(environ: Mapping[str, str]) -> dict[str, str]:
    """Return the environment of a command; relative places leave PATH: a folder may hold a planted `git`."""
    kept = {name: environ[name] for name in _KEPT if environ.get(name)}
    places = [place for place in kept.get("PATH", "").split(":") if place.startswith("/")]
    return {"LANG": "C.UTF-8", **kept, "PATH": ":".join(places) or _SEARCH, "TERM": "dumb"}


def find_bash(places: tuple[str, ...] = _PLACES) -> str | None:
    """Return the path of bash in its usual places, never from PATH, None when there is none."""
    return next((place for place in places if os.access(place, os.X_OK)), None)


def start(
    bash: str,
    command: str,
    cwd: str,
    environ: Mapping[str, str],
    *,
    input: bool,
    confinement: Confinement | None = None,
) -> Child:
    """Start `bash -c command` behind a gate, stdout and stderr merged, inside of `confinement`.

    `input`: it reads what we write, else /dev/null. Raises OSError when `cwd` is gone or the system refuses,
    NotConfined. Blocks for some milliseconds: call it in a thread.
    """
    plain = [bash, "--noprofile", "--norc", "-c"]
    gate = script(environ.get(MARK, "")) + (_GATE if input else f"{_GATE} </dev/null")
    if confinement is None or confinement.layer == "none":
        process = _popen([*plain, gate, "bash", *plain, command], cwd, environ)
        return _child(process, process.pid)
    with _sandbox(confinement, cwd) as (argv, told, teller, kept):
        said = f'printf "{_STANDING}" >&{teller}; exec {teller}>&-; {gate}'
        own = {**environ, "TMPDIR": confinement.temporary} if confinement.layer == "landlock" else environ
        try:
            process = _popen([*argv, *plain, said, "bash", *plain, command], cwd, own, (teller, *kept))
        finally:
            for descriptor in (teller, *kept):
                os.close(descriptor)
        return _standing(process, told)


@contextlib.contextmanager
def _sandbox(run: Confinement, cwd: str) -> Iterator[tuple[list[str], int, int, list[int]]]:
    """Yield what comes before the command, a pipe from within, and the descriptors that it needs too.

    The caller closes all of these but the reading end.
    """
    told, teller = os.pipe()
    kept: list[int] = []
    try:
        argv: list[str] = []
        if run.layer == "bubblewrap":
            kept.append(os.dup(teller))
            argv = bubblewrap.arguments(run, cwd, kept[0])
        if run.layer == "landlock" or (run.network and run.abi >= landlock.SCOPES):
            rules = landlock.rules(run) if run.layer == "landlock" else landlock.scopes(run)
            kept.append(landlock.handed(rules))
            argv += [*landlock.launcher(), str(kept[-1])]
        yield argv, told, teller, kept
    finally:
        os.close(told)


def _standing(process: subprocess.Popen[bytes], told: int) -> Child:
    """Wait until the gate stands in the sandbox. Raises NotConfined with what was said instead."""
    news = b""
    while not news.endswith(_STANDING.encode()) and (more := os.read(told, 4096)):
        news += more
    if news.endswith(_STANDING.encode()):
        info = news[:-1].strip()
        return _child(process, int(json.loads(info)["child-pid"]) if info else process.pid)
    assert process.stdin and process.stdout
    process.stdin.close()
    said = process.stdout.read(4096).decode(errors="replace").strip()
    process.stdout.close()
    process.wait()
    raise NotConfined(0, said or f"exit {process.returncode}")


def _popen(
    argv: list[str], cwd: str, environ: Mapping[str, str], kept: tuple[int, ...] = ()
) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        argv,
        cwd=cwd,
        env=dict(environ),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        bufsize=0,
        start_new_session=True,
        pass_fds=kept,
    )


def _child(process: subprocess.Popen[bytes], group: int) -> Child:
    assert process.stdin and process.stdout
    child = Child(process, os.dup(process.stdin.fileno()), os.dup(process.stdout.fileno()), group)
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
    signal_group(child.group, signal.SIGKILL)
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

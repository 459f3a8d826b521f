"""The ground of every measurement: clean environments, a display, processes, memory and medians."""

from __future__ import annotations

import os
import select
import shutil
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import psutil

ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).resolve().parent
LAUNCH = (sys.executable, "-P", str(ROOT / "ui" / "launch.py"))


def environment(home: Path, **more: str) -> dict[str, str]:
    """The environment of a measured process: a home of its own, none of the caller's own settings."""
    dropped = ("PYTHONDONTWRITEBYTECODE", "PYTHONUNBUFFERED", "PYTHONPATH", "PYTHONHOME", "WAYLAND_DISPLAY")
    kept = {k: v for k, v in os.environ.items() if k not in dropped and not k.startswith("BRAMBLE_")}
    return kept | {"BRAMBLE_HOME": str(home), "NO_PROXY": "127.0.0.1", "LC_ALL": "C.UTF-8"} | more


@contextmanager
def display(width: int = 1600, height: int = 1000, scale: float = 1) -> Iterator[dict[str, str]]:
    """An X server with a window manager, as variables; Qt's own offscreen one where Xvfb is missing."""
    if not shutil.which("Xvfb"):
        yield {"QT_QPA_PLATFORM": "offscreen"}
        return
    readable, writable = os.pipe()
    screen = f"{int(width * scale)}x{int(height * scale)}x24"
    command = ["Xvfb", "-displayfd", str(writable), "-screen", "0", screen, "-nolisten", "tcp", "-dpi", "96"]
    server = subprocess.Popen(command, pass_fds=[writable], stderr=subprocess.DEVNULL)
    os.close(writable)
    try:
        select.select([readable], [], [], 20)
        number = os.read(readable, 16).decode().strip()
        variables = {"DISPLAY": f":{number}", "QT_QPA_PLATFORM": "xcb"}
        with _window_manager(variables), _session_bus() as bus:
            yield variables | bus
    finally:
        os.close(readable)
        end(server)


@contextmanager
def _window_manager(variables: Mapping[str, str]) -> Iterator[None]:
    if not shutil.which("openbox"):
        yield
        return
    command = ["openbox", "--config-file", str(HERE / "openbox.xml")]
    manager = subprocess.Popen(command, env=os.environ | variables, stderr=subprocess.DEVNULL)
    try:
        yield
    finally:
        end(manager)


@contextmanager
def _session_bus() -> Iterator[dict[str, str]]:
    """The bus that every desktop session has. Without one each window would start a bus of its own when it
    names its first part to screen readers, which no window on a desktop does.
    """
    if not shutil.which("dbus-daemon"):
        yield {}
        return
    command = ["dbus-daemon", "--session", "--nofork", "--nopidfile", "--print-address=1"]
    bus = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        assert bus.stdout is not None
        yield {"DBUS_SESSION_BUS_ADDRESS": bus.stdout.readline().strip()}
    finally:
        end(bus)


def end(process: subprocess.Popen[str] | subprocess.Popen[bytes], patience: float = 5.0) -> None:
    """End a process that we started, and its children."""
    with suppress(psutil.NoSuchProcess):
        children = psutil.Process(process.pid).children(recursive=True)
        process.terminate()
        with suppress(subprocess.TimeoutExpired):
            process.wait(patience)
        for child in [*children, psutil.Process(process.pid)]:
            with suppress(psutil.NoSuchProcess):
                child.kill()
    process.wait()


def read_lines(process: subprocess.Popen[str], until: str, seconds: float = 60.0) -> list[str]:
    """Lines of the process's stderr up to the first that begins with `until`.

    Raises TimeoutError with what came when the process ends first, or is ended after `seconds`.
    """
    assert process.stderr is not None
    watchdog = threading.Timer(seconds, process.kill)
    watchdog.start()
    lines: list[str] = []
    try:
        for line in process.stderr:
            lines.append(line.rstrip("\n"))
            if line.startswith(until):
                return lines
    finally:
        watchdog.cancel()
    raise TimeoutError(f"no line {until!r} within {seconds:g} s; came: {lines[-20:]}")


def memory_mb(pid: int) -> float:
    """Resident memory of a process and all its children, in MB.

    Not the proportional one: that falls when another program happens to use the same libraries. What children
    share with their parent counts again, which only speaks against us.
    """
    total = 0
    root = psutil.Process(pid)
    for process in [root, *root.children(recursive=True)]:
        with suppress(psutil.NoSuchProcess):
            total += process.memory_info().rss
    return total / 2**20


def time_to_end(command: Sequence[str], environ: Mapping[str, str]) -> float:
    """Milliseconds from start to end of a command. Raises CalledProcessError when it fails."""
    none = subprocess.DEVNULL
    began = time.perf_counter()
    subprocess.run(command, env=environ, check=True, timeout=60, stdin=none, stdout=none)
    return (time.perf_counter() - began) * 1000


def medians(rounds: int, measures: Mapping[str, Callable[[], float]]) -> dict[str, float]:
    """Call each measure once a round and return their medians; a first round only warms up."""
    found: dict[str, list[float]] = {name: [] for name in measures}
    for turn in range(rounds + 1):
        for name, measure in measures.items():
            value = measure()
            if turn:
                found[name].append(value)
    return {name: statistics.median(values) for name, values in found.items()}

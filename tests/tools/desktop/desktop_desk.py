"""A real desktop for the tests: a screen by Xvfb, a session bus, programs that run beside a test."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from app.capabilities.desktop.desk import DesktopChanger
from app.capabilities.desktop.surroundings import System
from app.capabilities.gate import Gate
from app.permissions.policy import Policy, policy
from app.records import ActionEffect, Answer, Decision, Effect
from app.toolbox.registry import load_registry
from app.toolbox.schema import validate
from tools import ReadContext, ToolContext, ToolResult

SECONDS = 20.0


@dataclass
class DesktopDesk:
    """Calls the desktop tools with the variables of a desktop, and notes what is asked."""

    environ: Mapping[str, str]
    cwd: str = "/nowhere/at/all"
    kind: System = "linux"
    asked: list[ActionEffect] = field(default_factory=list)
    answer: Answer = Answer(decision="allow", by="test")  # noqa: RUF009 - frozen
    rules: Policy | None = None
    gates: list[Gate] = field(default_factory=list)

    async def call(self, tool: str, arguments: str = "{}", **more: object) -> ToolResult:
        """Call a tool as the app does: by its registry entry and JSON text."""
        entry = load_registry().tools[tool]
        gate = Gate(tool, self.rules or policy(self.cwd), self._ask)
        self.gates.append(gate)
        desktop = DesktopChanger(gate, self.environ, self.cwd, self.kind)
        kind = ReadContext if entry.read_only else ToolContext
        fields = {"files": None, "shell": None, **more}
        return await entry.function(
            kind(cwd=self.cwd, desktop=desktop, **fields),  # type: ignore[arg-type]
            **validate(entry.function, arguments),
        )

    async def _ask(self, effect: Effect, decision: Decision) -> Answer:
        assert isinstance(effect, ActionEffect)
        self.asked.append(effect)
        return self.answer


def needs(*programs: str) -> None:
    """Skip a test where one of these programs is not installed."""
    for program in programs:
        if not shutil.which(program):
            pytest.skip(f"{program} is not installed")


GLIB = "/usr/bin/python3"
"""The system's Python, which has GLib: the services of the tests speak D-Bus by another library than ours."""
SERVICES = Path(__file__).with_name("services.py")


def needs_glib() -> None:
    """Skip a test where the system's Python has no GLib."""
    if subprocess.run([GLIB, "-c", "from gi.repository import Gio"], capture_output=True).returncode:
        pytest.skip("python3-gi is not installed")


def owned(environ: Mapping[str, str], name: str) -> bool:
    """Whether somebody answers for a name on the session bus."""
    words = [
        "dbus-send",
        "--session",
        "--print-reply",
        "--dest=org.freedesktop.DBus",
        "/org/freedesktop/DBus",
    ]
    words += ["org.freedesktop.DBus.NameHasOwner", f"string:{name}"]
    told = subprocess.run(words, env=dict(environ), capture_output=True, text=True)
    return "true" in told.stdout


@contextmanager
def service(environ: Mapping[str, str], name: str, *words: str) -> Iterator[None]:
    """Run one of the services of `services.py` on the session bus."""
    needs_glib()
    needs("dbus-send")
    address = environ["DBUS_SESSION_BUS_ADDRESS"]
    with running(GLIB, str(SERVICES), address, *words, environ=environ):
        until(lambda: owned(environ, name), name)
        yield


def until(condition: Callable[[], object], what: str) -> None:
    """Wait until something holds."""
    end = time.monotonic() + SECONDS
    while not condition():
        assert time.monotonic() < end, f"{what} did not come"
        time.sleep(0.02)


@contextmanager
def running(*words: str, environ: Mapping[str, str]) -> Iterator[subprocess.Popen[bytes]]:
    """Start a program and end it afterwards."""
    process = subprocess.Popen(words, env=dict(environ), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        yield process
    finally:
        process.terminate()
        try:
            process.wait(SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


@contextmanager
def screen(folder: Path) -> Iterator[dict[str, str]]:
    """Yield the variables of a screen of 640 x 480 that nobody sees."""
    needs("Xvfb")
    reader, writer = os.pipe()
    process = subprocess.Popen(
        ["Xvfb", "-displayfd", str(writer), "-screen", "0", "640x480x24", "-nolisten", "tcp"],
        pass_fds=(writer,),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    os.close(writer)
    try:
        with open(reader) as told:
            number = told.readline().strip()
        assert number, "Xvfb did not start"
        yield base(folder) | {"DISPLAY": f":{number}"}
    finally:
        process.terminate()
        process.wait()


def base(folder: Path) -> dict[str, str]:
    """Return variables without any desktop in them."""
    (folder / "run").mkdir(exist_ok=True, mode=0o700)
    return {
        "PATH": os.environ["PATH"],
        "HOME": str(folder),
        "LANG": "C.UTF-8",
        "XDG_RUNTIME_DIR": str(folder / "run"),
        "XDG_DATA_HOME": str(folder / "share"),
        "XDG_DATA_DIRS": str(folder / "shared"),
    }


@contextmanager
def session_bus(environ: Mapping[str, str]) -> Iterator[dict[str, str]]:
    """Yield the variables with a D-Bus of their own."""
    needs("dbus-daemon")
    process = subprocess.Popen(
        ["dbus-daemon", "--session", "--nofork", "--print-address=1"],
        env=dict(environ),
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        assert process.stdout
        yield {**environ, "DBUS_SESSION_BUS_ADDRESS": process.stdout.readline().strip()}
    finally:
        process.terminate()
        process.wait()
        assert process.stdout
        process.stdout.close()

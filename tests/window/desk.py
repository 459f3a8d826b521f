"""A real desk: Xvfb on a free display, openbox, and the keyboard and mouse of xdotool.

The program runs in a process of its own, as a person starts it; nothing of it is imported here.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LAUNCH = (sys.executable, "-P", str(ROOT / "ui" / "launch.py"))
PROGRAMS = ("Xvfb", "openbox", "xdotool", "import")
KEPT = ("PATH", "HOME", "TMPDIR", "PYTHONPYCACHEPREFIX")
PATIENCE = 60.0
"""Seconds that anything may take before a test gives up; a loaded machine is slow, not wrong."""


def until(condition: Callable[[], object], what: str, patience: float = PATIENCE) -> None:
    """Wait until a condition holds, and fail with words when it never does."""
    end = time.monotonic() + patience
    while not condition():
        if time.monotonic() > end:
            pytest.fail(f"waited {patience:.0f} s in vain for {what}")
        time.sleep(0.05)


@dataclass
class Window:
    """One running program, with what it has said on stderr."""

    process: subprocess.Popen[str]
    errors: Path

    def said(self) -> str:
        """Return what it has written on stderr so far."""
        return self.errors.read_text("utf-8", "replace")

    def ready(self) -> Window:
        """Wait until its list is filled and the last conversation drawn."""
        end = time.monotonic() + PATIENCE
        while "start session_ms" not in self.said():
            if self.process.poll() is not None or time.monotonic() > end:
                pytest.fail(f"the window did not get ready ({self.process.poll()}): {self.said()}")
            time.sleep(0.05)
        return self

    def end(self) -> int:
        """End it as the system does; return its exit code."""
        if self.process.poll() is None:
            self.process.terminate()
        return self.process.wait(PATIENCE)


@dataclass
class Desk:
    """Starts programs on its display and acts on them as a person does."""

    display: str
    folder: Path
    running: list[Window] = field(default_factory=list)

    def start(self, home: Path, *argv: str, **environ: str) -> Window:
        """Start Bramble; `environ` adds to an environment that has nothing of the caller's."""
        errors = self.folder / f"errors-{len(list(self.folder.glob('errors-*')))}"
        with errors.open("w") as sink:
            process = subprocess.Popen(
                [*LAUNCH, *argv],
                env=self.environ(home, environ),
                stdin=subprocess.DEVNULL,
                stderr=sink,
                text=True,
            )
        window = Window(process, errors)
        self.running.append(window)
        return window

    def environ(self, home: Path, more: Mapping[str, str]) -> dict[str, str]:
        """Return the environment of a program on this desk."""
        kept = {name: os.environ[name] for name in KEPT if name in os.environ}
        ours = {
            "DISPLAY": self.display,
            "LANG": "C.UTF-8",
            "BRAMBLE_HOME": str(home),
            "NO_PROXY": "127.0.0.1",
        }
        return {
            **kept,
            **ours,
            "BRAMBLE_TRACE_START": f"{time.time():.6f}",
            "QT_QPA_PLATFORM": "xcb",
            **more,
        }

    def close_windows(self) -> None:
        """End all programs that a test started."""
        for window in self.running:
            window.end()
        self.running.clear()

    def xdotool(self, *words: str) -> str:
        """Run xdotool; return what it prints."""
        environ = {**os.environ, "DISPLAY": self.display}
        done = subprocess.run(
            ["xdotool", *words], env=environ, capture_output=True, text=True, timeout=PATIENCE
        )
        return done.stdout.strip()

    def focused(self) -> str:
        """Return the title of the window that has the keyboard."""
        return self.xdotool("getwindowfocus", "getwindowname")

    def wait_for_focus(self, title: str) -> None:
        """Wait until a window whose title holds these words has the keyboard."""
        until(lambda: title in self.focused(), f"the window {title!r} to have the keyboard")

    def type(self, text: str) -> None:
        """Type text."""
        self.xdotool("type", "--delay", "12", text)

    def key(self, *keys: str) -> None:
        """Press keys, such as "Return" or "ctrl+k"."""
        self.xdotool("key", "--delay", "30", *keys)

    def click(self, x: int, y: int) -> None:
        """Click at a place of the screen."""
        self.xdotool("mousemove", str(x), str(y), "click", "1")

    def shot(self, path: Path) -> Path:
        """Take a picture of the whole screen."""
        environ = {**os.environ, "DISPLAY": self.display}
        subprocess.run(["import", "-window", "root", str(path)], env=environ, check=True, timeout=PATIENCE)
        return path


def open_desk(folder: Path, size: str = "1280x800") -> Iterator[Desk]:
    """Start display and window manager, and end them after use."""
    missing = [name for name in PROGRAMS if shutil.which(name) is None]
    if missing:
        pytest.skip(f"no desk to test on: {', '.join(missing)} not installed")
    read, write = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(write), "-screen", "0", f"{size}x24", "-nolisten", "tcp"],
        pass_fds=(write,),
        stderr=subprocess.DEVNULL,
    )
    os.close(write)
    with os.fdopen(read) as number:
        display = f":{number.readline().strip()}"
    manager = subprocess.Popen(
        ["openbox", "--sm-disable"],
        env={**os.environ, "DISPLAY": display},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    made = Desk(display, folder)
    try:
        until(lambda: made.xdotool("get_desktop") == "0", "the window manager")
        yield made
    finally:
        made.close_windows()
        for program in (manager, server):
            program.terminate()
            program.wait(PATIENCE)

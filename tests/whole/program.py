"""The real program as a child process with a home and a folder of its own, for tests of the whole."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

LAUNCH = Path(__file__).resolve().parents[2] / "ui" / "launch.py"
PATIENCE = 90.0
"""Seconds after which a hanging program is a failure."""


@dataclass(frozen=True)
class Ran:
    """What a command left behind."""

    code: int
    out: str
    err: str

    @property
    def value(self) -> Any:
        """The one JSON value on stdout; fails when anything else stands there."""
        return json.loads(self.out)

    def sound(self) -> Ran:
        """Fail when the program shows its inside, or calls a trouble of the outside its own mistake."""
        for sign in ("Traceback", "Exception ignored", "never retrieved", "mistake of its own"):
            assert sign not in self.err + self.out, self.err
        return self


@dataclass(frozen=True)
class Program:
    """Bramble in a folder of its own; `url` is the model server's, "" for none."""

    place: Path
    url: str = ""

    @property
    def home(self) -> Path:
        """Where its data lie."""
        return self.place / "home"

    @property
    def work(self) -> Path:
        """The folder in which it runs."""
        (self.place / "work").mkdir(exist_ok=True)
        return self.place / "work"

    def environment(self, **more: str) -> dict[str, str]:
        """The variables of the child."""
        model = {"BRAMBLE_BASE_URL": self.url, "BRAMBLE_API_KEY": "sk-test", "BRAMBLE_MODEL": "scripted"}
        own = {"BRAMBLE_HOME": str(self.home), "LANGUAGE": "en", "LC_ALL": "C.UTF-8"}
        return {**os.environ, **own, **(model if self.url else {}), **more}

    def start(self, *words: str, **options: Any) -> subprocess.Popen[bytes]:
        """Start a command; its streams are pipes, stdin is empty."""
        pipes = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        command = [sys.executable, "-P", str(LAUNCH), *words]
        return subprocess.Popen(
            command, env=self.environment(), start_new_session=True, **{"cwd": self.work, **pipes, **options}
        )

    def run(self, *words: str, **options: Any) -> Ran:
        """Run a command to its end."""
        return ended(self.start(*words, **options))

    def call(self, tool: str, *options: str, **arguments: Any) -> Ran:
        """Run one tool with every right that `--yes` gives."""
        return self.run("tools", "call", tool, "--args", json.dumps(arguments), "--json", "--yes", *options)


def ended(process: subprocess.Popen[bytes]) -> Ran:
    """Wait for the end of a started command."""
    try:
        out, err = process.communicate(timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        process.kill()
        out, err = process.communicate()
        raise AssertionError(f"did not end: {out!r} {err!r}") from None
    return Ran(process.returncode, out.decode("utf-8", "replace"), err.decode("utf-8", "replace"))


@contextmanager
def killed_after(process: subprocess.Popen[bytes]) -> Iterator[subprocess.Popen[bytes]]:
    """End a started command with its test: it would outlive one that fails."""
    with process:
        try:
            yield process
        finally:
            process.kill()

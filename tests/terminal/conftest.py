"""The real program as a child process, with a home of its own and a model server on a loopback socket."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from tests.servers.aimock import aimock, aimock_process
from tests.servers.llmock import llmock, llmock_process
from tests.terminal.model_server import ModelServer
from tests.whole.program import LAUNCH, Ran, killed_after

__all__ = ["aimock", "aimock_process", "llmock", "llmock_process"]

PATIENCE = 60
"""Seconds after which a hanging program is a failure."""

Bramble = Callable[..., Ran]
Start = Callable[..., subprocess.Popen[bytes]]


@pytest.fixture
def server() -> Iterator[ModelServer]:
    """A running model server without answers yet."""
    with ModelServer().running() as running:
        yield running


@pytest.fixture
def work(tmp_path: Path) -> Path:
    """An empty folder to work in."""
    folder = tmp_path / "work"
    folder.mkdir()
    return folder


def command(*words: str) -> list[str]:
    """Return the command line of the program."""
    return [sys.executable, "-P", str(LAUNCH), *words]


@pytest.fixture
def environment(home: Path, server: ModelServer) -> dict[str, str]:
    """The environment of the program: its home, the model server, English."""
    return {**os.environ, **server.environment(), "LANGUAGE": "en", "LC_ALL": "C.UTF-8"}


@pytest.fixture
def bramble(environment: dict[str, str], work: Path) -> Bramble:
    """Run one command to its end, without a terminal, in the folder `work`."""

    def start(
        *words: str, stdin: str | bytes = b"", env: dict[str, str] | None = None, cwd: Path | None = None
    ) -> Ran:
        given = stdin.encode() if isinstance(stdin, str) else stdin
        ended = subprocess.run(
            command(*words), input=given, capture_output=True, env=environment | (env or {}), cwd=cwd or work,
            timeout=PATIENCE, start_new_session=True,
        )  # fmt: skip
        return Ran(
            ended.returncode, ended.stdout.decode("utf-8", "replace"), ended.stderr.decode("utf-8", "replace")
        )

    return start


@pytest.fixture
def start(environment: dict[str, str], work: Path) -> Iterator[Start]:
    """Start a command in the folder `work`, with pipes; killed after the test, or a failed one would hang."""
    with ExitStack() as stack:

        def begin(*words: str, **options: Any) -> subprocess.Popen[bytes]:
            pipes = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
            process = subprocess.Popen(
                command(*words), env=environment, cwd=work, start_new_session=True, **{**pipes, **options}
            )
            return stack.enter_context(killed_after(process))

        yield begin

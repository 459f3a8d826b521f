"""Stores and records for the tests of the store."""

from __future__ import annotations

import subprocess
import sys
import textwrap
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from app.records import Message, SessionInfo
from app.store.database import Store
from tests.store.filled import Make, MakeMessage, fill

ROOT = Path(__file__).parents[2]


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    """An open, empty store."""
    opened = Store(tmp_path / "data" / "bramble.db")
    await opened.open()
    yield opened
    await opened.close()


@pytest.fixture
def session() -> Callable[..., SessionInfo]:
    """Makes a session record."""

    def make(name: str = "s", **fields: Any) -> SessionInfo:
        defaults: dict[str, Any] = {"title": "Title", "cwd": "/folder", "created": 1.0, "updated": 1.0}
        return SessionInfo(id=name, **{**defaults, **fields})

    return make


@pytest.fixture
def message() -> Callable[..., Message]:
    """Makes a message record."""

    def make(name: str, parent: str | None = None, text: str = "", **fields: Any) -> Message:
        defaults: dict[str, Any] = {"session": "s", "turn": "t", "role": "user", "created": 2.0}
        return Message(id=name, parent=parent, text=text, **{**defaults, **fields})

    return make


@pytest.fixture
def child() -> Iterator[Callable[..., subprocess.Popen[str]]]:
    """Starts Python scripts that can import the program, with pipes; what still runs in the end is ended."""
    started: list[subprocess.Popen[str]] = []

    def start(script: str, *arguments: object, **options: Any) -> subprocess.Popen[str]:
        code = f"import sys; sys.path.insert(0, {str(ROOT)!r})\n" + textwrap.dedent(script)
        command = [sys.executable, "-P", "-c", code, *map(str, arguments)]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        started.append(subprocess.Popen(command, text=True, bufsize=1, cwd=ROOT, **pipes, **options))
        return started[-1]

    yield start
    for process in started:
        with process:  # closes the pipes and waits
            process.kill()


@pytest.fixture
async def filled(tmp_path: Path, session: Make, message: MakeMessage) -> Path:
    """The path of a closed database with one session of fifty messages."""
    await fill(tmp_path / "data" / "bramble.db", session, message)
    return tmp_path / "data" / "bramble.db"


@pytest.fixture
async def opened(filled: Path) -> AsyncIterator[Callable[[], Store]]:
    """Makes stores on the filled database, closed in the end."""
    made: list[Store] = []

    def make() -> Store:
        made.append(Store(filled))
        return made[-1]

    yield make
    for store in made:
        await store.close()

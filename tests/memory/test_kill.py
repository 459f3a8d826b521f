"""A kill in the middle of forgetting: what was said to be forgotten is, and the store is sound."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.memory.conftest import Desk

CHILD = Path(__file__).parent / "forgetting_child.py"


@pytest.mark.proof("memory-kill", small=3, full=40)
async def test_what_was_told_as_forgotten_stands_nowhere_after_a_kill(tmp_path: Path, count: int) -> None:
    for run in range(count):
        home = tmp_path / str(run)
        gone = _killed_after(home, lines=1 + run * 48 // count)
        desk = Desk(home)
        await desk.store.open()
        try:
            assert await desk.store.check() == ""
            left = {item.text.split()[0] for item in await desk.memory.list()}
            assert not left & set(gone) and len(left) >= 50 - len(gone) - 1
            found = await desk.memory.search("quill room", limit=100)
            assert {item.text.split()[0] for item in found} == left, "the index goes with the rows"
            on_disk = desk.bytes_on_disk().lower()
            assert [one for one in gone if one.lower().encode() in on_disk] == []
        finally:
            await desk.store.close()


def _killed_after(home: Path, lines: int) -> list[str]:
    """Let a child forget so many facts, kill it there, and return those it told of."""
    command = [sys.executable, "-P", str(CHILD), str(home)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        told = [child.stdout.readline().strip() for _line in range(lines)]
        child.kill()
        return [*told, *child.stdout.read().split()]

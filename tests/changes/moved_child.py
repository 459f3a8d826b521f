"""A process that makes changes to whole files and folders and kills itself in the last of them, at a given
system call; started by test_proof_kill_moves.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from pathlib import Path
from typing import Any

from app.capabilities.files import Files, FileWorld
from app.changes.journal import Journal
from app.changes.undo import Undo
from app.records import Answer, Effect, Mark
from app.store import journal as rows
from app.store.database import Store
from tests.changes.killed_child import Countdown
from tools import ChangeSet, Copy, MakeFolder, Move, Operation, Pack, Patch, Restore, Trash, Unpack

KINDS: dict[str, Any] = {
    "trash": Trash,
    "move": Move,
    "copy": Copy,
    "folder": MakeFolder,
    "patch": Patch,
    "pack": lambda archive, *paths: Pack(archive, paths),
    "unpack": Unpack,
    "restore": Restore,
}


class Yes:
    """A gate that lets everything pass."""

    origin: tuple[Mark, ...] = ()
    outside: tuple[str, ...] = ()

    async def permit(self, effect: Effect) -> Answer:
        return Answer(decision="allow")

    def denies(self, effect: Effect) -> bool:
        return False

    def mark(self, *found: Mark) -> None:
        """Nothing here brings text into a conversation."""


def operation_of(said: list[Any]) -> Operation:
    made: Operation = KINDS[said[0]](*said[1:])
    return made


async def run(folder: Path, said: list[Any], counting: Countdown) -> None:
    """Do one operation, or ["undo"] of the newest standing change."""
    store = Store(folder / "data" / "bramble.db")
    await store.open()
    journal = Journal(store, folder / "data" / "journal")
    world = FileWorld(journal, lambda event: None, environ=dict(os.environ))
    files = Files(world, Yes(), str(folder / "work"), session="s", turn="t", tool="t")
    counting.armed = counting.last >= 0
    if said == ["undo"]:
        newest = next(one for one in await store.read(rows.changes) if not one.undone)
        await Undo(journal).one(newest.id)
    else:
        await files.change(ChangeSet((operation_of(said),)))
    counting.armed = False
    await store.close()


if __name__ == "__main__":
    given = json.loads(sys.stdin.read())
    for earlier in given["todo"][:-1]:
        asyncio.run(run(Path(given["folder"]), earlier, Countdown(-1)))
    counted = Countdown(given["last"])
    counted.watch()  # a new loop starts threads of its own
    asyncio.run(run(Path(given["folder"]), given["todo"][-1], counted))
    print(counted.count)

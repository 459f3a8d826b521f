"""Conversations and files of a realistic mixture, the same ones in every run."""

from __future__ import annotations

import asyncio
import random
import sqlite3
from pathlib import Path
from typing import Any

from app.platform.ids import new_id
from app.platform.paths import home as find_home
from app.records import Message, SessionInfo, ToolCall
from app.store import messages, sessions
from app.store.database import Store
from tests.bench.prose import WORDS, block, sentence
from ui.window.remembered import Remembered, write

FIRST = 1_700_000_000.0
"""The time of the oldest sample, in unix seconds."""


def long_file(lines: int = 20_000, edits: int = 400, seed: int = 3) -> tuple[bytes, bytes]:
    """A file of code before and after `edits` lines were changed, added or taken out."""
    rng = random.Random(seed)
    old = [
        f"    value_{n} = load({n}, limit={rng.randrange(999)})  # {rng.choice(WORDS)}" for n in range(lines)
    ]
    new: list[str] = []
    chosen = set(rng.sample(range(lines), edits))
    for number, line in enumerate(old):
        if number not in chosen:
            new.append(line)
        elif number % 3:
            new.append(line.replace("load", "read"))
        elif number % 2:
            new += [line, "    check(value)"]
    return "\n".join(old).encode() + b"\n", "\n".join(new).encode() + b"\n"


def conversation(session: str, count: int, seed: int = 7) -> list[Message]:
    """`count` messages of one branch: a question, a call, its result and an answer, again and again."""
    rng = random.Random(seed)
    made: list[Message] = []
    turn = ""
    for number in range(count):
        created = FIRST + number
        turn = new_id(created) if number % 4 == 0 else turn
        parent = made[-1].id if made else None
        place: dict[str, Any] = {
            "id": new_id(created),
            "session": session,
            "parent": parent,
            "created": created,
        }
        made.append(Message(turn=turn, **(place | _content(rng, number))))
    return made


def _content(rng: random.Random, number: int) -> dict[str, Any]:
    step = number % 4
    if step == 0:
        return {"role": "user", "text": sentence(rng, 12)}
    if step == 1:
        call = ToolCall(id=f"call_{number}", name="read_file", arguments='{"path": "notes.txt"}')
        return {"role": "assistant", "text": sentence(rng), "calls": (call,)}
    if step == 2:
        text = "\n".join(sentence(rng) for _ in range(8))
        row = {"tool": "read_file", "verb": "Read file", "subject": "notes.txt", "summary": "8 lines"}
        return {"role": "tool", "text": text, "call": f"call_{number - 1}", **row}
    return {"role": "assistant", "text": "\n\n".join(block(rng) for _ in range(rng.randrange(2, 8)))}


def fill_home(folder: Path, count: int = 60, length: int = 40, longest: int = 0) -> list[str]:
    """Fill a home with `count` sessions of `length` messages; returns them, the newest (`longest`) last."""
    place = find_home({"BRAMBLE_HOME": str(folder)})
    place.make()
    made = asyncio.run(_fill(Store(place.database), folder, count, length, longest or length))
    show_first(folder, made[-1])
    return made


def show_first(folder: Path, session: str) -> None:
    """Make the window of this home begin with `session`."""
    write(find_home({"BRAMBLE_HOME": str(folder)}).data / "window.json", Remembered(session=session))


async def _fill(store: Store, folder: Path, count: int, length: int, longest: int) -> list[str]:
    await store.open()
    made: list[str] = []
    for number in range(count):
        created = FIRST + number * 86_400
        last = number == count - 1
        title = sentence(random.Random(number), 6).replace("*", "").replace("`", "")
        made.append(new_id(created))
        info = SessionInfo(id=made[-1], title=title, cwd=str(folder), created=created, updated=created)
        await store.write(sessions.create, info)
        await store.write(_add_all, conversation(made[-1], longest if last else length, seed=number))
    await store.close()
    return made


def _add_all(db: sqlite3.Connection, made: list[Message]) -> None:
    for message in made:
        messages.add(db, message)

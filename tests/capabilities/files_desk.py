"""A desk for tests of the file capabilities: a folder, a real gate with rules, and a person who answers."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from app.capabilities.files import FileReader, Files, FileWorld
from app.capabilities.gate import Gate, Stance
from app.changes.journal import Journal
from app.changes.undo import Undo
from app.events import Event
from app.permissions.policy import policy
from app.records import Answer, Decision, Effect, FilesEffect
from app.store.database import Store


@dataclass
class Desk:
    """What a test works with. `answer` is called with each question and returns the person's answer."""

    folder: Path
    world: FileWorld
    answer: Callable[[Effect], Answer] = lambda effect: Answer(decision="allow", by="test")
    asked: list[Effect] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)

    def gate(
        self,
        tool: str = "edit_file",
        *,
        allow: Sequence[str] = (),
        deny: Sequence[str] = (),
        yes: bool = False,
        attended: bool = True,
        stance: Stance = "act",
    ) -> Gate:
        async def ask(effect: Effect, decision: Decision) -> Answer:
            self.asked.append(effect)
            return self.answer(effect)

        rules = policy(str(self.folder), allow, deny, yes=yes, attended=attended)
        return Gate(tool=tool, policy=rules, ask=ask, stance=stance)

    def files(self, gate: Gate | None = None) -> Files:
        return Files(
            self.world,
            gate or self.gate(),
            str(self.folder),
            session="s",
            turn="t",
            tool=(gate or self.gate()).tool,
        )

    def reader(self, gate: Gate | None = None) -> FileReader:
        return FileReader(self.world, gate or self.gate("read_file"), str(self.folder))

    def write(self, name: str, content: bytes | str = b"") -> Path:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    @property
    def undo(self) -> Undo:
        return Undo(self.world.journal)

    def shown(self) -> FilesEffect:
        """Return the last question about files."""
        return [effect for effect in self.asked if isinstance(effect, FilesEffect)][-1]


@asynccontextmanager
async def open_desk(tmp_path: Path) -> AsyncIterator[Desk]:
    """A desk over a real store, in a folder without links in its path."""
    root = tmp_path.resolve()
    folder = root / "work"
    folder.mkdir()
    store = Store(root / "data" / "bramble.db")
    await store.open()
    spill = root / "spill"
    spill.mkdir()
    events: list[Event] = []
    world = FileWorld(
        Journal(store, root / "data" / "journal"),
        events.append,
        secrets=(str(root / "data"),),
        open=(str(spill),),
        environ=dict(os.environ),
    )
    try:
        yield Desk(folder, world, events=events)
    finally:
        await store.close()

"""What a front end and tools can do with memory: remember, list, find, change, pin, merge, forget, take back.

Two processes may remember at once: what is compared and what is stored is one transaction.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import msgspec

from app.errors import ToolError
from app.memory import steps
from app.memory.briefs import brief_of
from app.memory.checking import checked, name
from app.memory.projects import name_of, project_of
from app.memory_records import (
    PINNED,
    PROJECT_KINDS,
    UNDO,
    Brief,
    Forgotten,
    MemoryItem,
    PastHit,
    ProjectInfo,
    Remembered,
)
from app.record import Record
from app.store import backup, memory as rows, memory_traces as traces
from app.store.database import Store


class Places(Record, kw_only=True):
    """Where things are: the person's home, our own empty working folders, and the backups."""

    home: Path
    scratch: Path
    backups: Path


class Memory:
    """Facade over what is remembered. Methods raise ToolError: no_memory for an unknown id, StoreError."""

    def __init__(
        self, store: Store, clock: Callable[[], float], tell: Callable[[], None], places: Places
    ) -> None:
        """`tell()` lets windows know that something changed; other processes hear of it from the store."""
        self._store = store
        self._clock = clock
        self._tell = tell
        self._places = places

    # --- remembering ---------------------------------------------------------------------------------------

    async def remember(self, item: MemoryItem) -> Remembered:
        """Keep an item. The same said again only makes the one that is there newer; what seems to say
        otherwise is kept beside it, and both are flagged.

        Raises ToolError: nothing_to_remember, memory_too_long, looks_like_key, memory_full.
        """
        now = self._clock()
        text, topic = checked(item.text), name(item.topic)
        item = msgspec.structs.replace(item, text=text, topic=topic, made=now, said=now)
        kept = await self._store.write(steps.remember, item)
        self._tell()
        return kept

    async def project(self, cwd: str) -> str:
        """Return the project of a working folder, "" for none."""
        return await asyncio.to_thread(project_of, cwd, self._places.home, self._places.scratch)

    async def named_project(self, wanted: str, cwd: str) -> str:
        """Return the project that a name means, or a new one of that name; without a name that of `cwd`.

        Raises ToolError no_project.
        """
        wanted = name(wanted) if "/" not in wanted and "\\" not in wanted else wanted.strip()
        here = await self.project(cwd)
        if not wanted:
            if not here:
                raise ToolError(
                    "no_project", "This conversation works in no project. Name one with `project`."
                )
            return here
        for key in (here, *(one.key for one in await self.projects())):
            if key and wanted.casefold() in (key.casefold(), name_of(key).casefold()):
                return key
        return wanted

    # --- looking -------------------------------------------------------------------------------------------

    async def get(self, identity: str) -> MemoryItem:
        """Return one item."""
        found = await self._store.read(rows.get, identity)
        if found is None:
            raise steps.unknown(identity)
        return found

    async def has(self, identity: str) -> bool:
        """Whether there is an item of that id."""
        return await self._store.read(rows.get, identity) is not None

    async def list(
        self, kinds: Sequence[str] = (), *, project: str | None = None, topic: str | None = None
    ) -> Sequence[MemoryItem]:
        """Return items, the pinned ones first, then the newest."""
        return await self._store.read(rows.listed, kinds, project=project, topic=topic)

    async def search(
        self, text: str, kinds: Sequence[str] = (), limit: int = 50, *, least: float = 0.0
    ) -> Sequence[MemoryItem]:
        """Return the items that fit a text, best first; one that names an id is that item."""
        from app.memory import finding

        return await self._store.read(finding.search, text, kinds, limit, least)

    async def past(self, text: str, current: str, limit: int) -> Sequence[PastHit]:
        """Return what was said about it in other conversations than the `current` one, best first."""
        from app.memory import finding

        return await self._store.read(finding.past, text, current, limit)

    async def fitting(self, text: str, project: str) -> Sequence[MemoryItem]:
        """Return what is to be told with a message that says `text` in a project: what fits it well, best
        first, mostly nothing.
        """
        return await self._store.read(steps.fitting, text, project)

    async def pinned(self) -> Sequence[MemoryItem]:
        """Return the facts that enter the prompt of new conversations."""
        found = await self._store.read(rows.listed, ("fact",), pinned=True, limit=PINNED)
        return [one for one in found if not one.marks]

    async def private(self, session: str) -> bool:
        """Whether a conversation is one without memory."""
        return await self._store.read(traces.is_private, session)

    async def used(self, items: Iterable[MemoryItem]) -> None:
        """Take down that these were recalled, once a day."""
        now = self._clock()
        stale = [one.id for one in items if now - one.used > 86400.0]
        if stale and self._store.problem is None:
            await self._store.write(rows.use, stale, now)

    async def topics(self) -> Sequence[str]:
        """Return the topics of facts, by name."""
        return sorted({one.topic for one in await self.list(("fact",)) if one.topic}, key=str.casefold)

    async def projects(self) -> Sequence[ProjectInfo]:
        """Return the projects that something is remembered of, the newest first."""
        by_key: dict[str, list[MemoryItem]] = {}
        for one in await self.list(PROJECT_KINDS):
            by_key.setdefault(one.project, []).append(one)
        found = [
            ProjectInfo(key=key, name=name_of(key), items=len(items), newest=max(one.said for one in items))
            for key, items in by_key.items()
        ]
        return sorted(found, key=lambda one: -one.newest)

    async def brief(self, project: str, since: float = 0.0) -> Brief:
        """Return what is known of a project, by how sure it is."""
        items = await self.list(PROJECT_KINDS, project=project)
        return brief_of(project, name_of(project), items, self._clock(), since)

    # --- changing ------------------------------------------------------------------------------------------

    async def edit(self, identity: str, text: str, topic: str | None = None, due: str | None = None) -> str:
        """Give an item other words, as the person wrote them: nobody else has to vouch for them. Return the
        id of the change. Raises as `remember`.
        """
        words = checked(text)

        def renewed(item: MemoryItem, now: float) -> MemoryItem:
            return msgspec.structs.replace(
                item,
                text=words,
                topic=item.topic if topic is None else name(topic),
                due=item.due if due is None else name(due),
                said=now,
                by="person",
                confirmed=True,
                marks=(),
            )

        return await self._change(identity, renewed)

    async def confirm(self, identity: str) -> str:
        """Take an item as the person's own word: nobody else vouches for it, and it holds from now."""
        return await self._change(
            identity,
            lambda item, now: msgspec.structs.replace(item, confirmed=True, marks=(), conflicts=(), said=now),
        )

    async def pin(self, identity: str, on: bool = True) -> str:
        """Let a fact go with every new conversation. Raises ToolError: too_many_pinned, not_vouched."""
        if on:
            item, there = await self.get(identity), await self.pinned()
            if item.marks:
                raise ToolError(
                    "not_vouched", "Confirm it first: it comes from text that nobody vouches for."
                )
            if len(there) >= PINNED and not item.pinned:
                raise ToolError("too_many_pinned", f"{PINNED} facts are pinned already.", most=str(PINNED))
        return await self._change(identity, lambda item, now: msgspec.structs.replace(item, pinned=on))

    async def tick(self, identity: str, on: bool = True) -> str:
        """Tick an open item or a to-do item off, or open it again."""
        return await self._change(
            identity, lambda item, now: msgspec.structs.replace(item, done=now if on else 0.0)
        )

    async def remove(self, identity: str) -> str:
        """Take an item out; unlike what is forgotten, it can be taken back. Return the id of the change."""
        undo = await self._store.write(steps.removed, identity)
        self._tell()
        return undo

    async def keep_both(self, identity: str) -> None:
        """Take the flag off an item and off those that it seemed to contradict."""
        for one in (identity, *(await self.get(identity)).conflicts):
            await self._store.write(steps.without_flags, one, None)
        self._tell()

    async def merge(self, keep: str, others: Sequence[str]) -> str:
        """Let one item stand for several: it takes over how often they were said and their pin; the others
        are put away (see `put_away`). Return the id of the change.
        """
        gone = [one for one in others if one != keep]
        merged = [await self.get(one) for one in gone]

        def with_them(item: MemoryItem, now: float) -> MemoryItem:
            marks = dict.fromkeys(mark for one in (item, *merged) for mark in one.marks)
            return msgspec.structs.replace(
                item,
                times=item.times + sum(one.times for one in merged),
                pinned=item.pinned or any(one.pinned for one in merged),
                said=max(one.said for one in (item, *merged)),
                marks=tuple(marks),
                conflicts=tuple(one for one in item.conflicts if one not in gone),
            )

        undo = await self._change(keep, with_them)
        await self.put_away(gone)
        return undo

    async def _change(self, identity: str, how: Callable[[MemoryItem, float], MemoryItem]) -> str:
        undo = await self._store.write(steps.changed, identity, how, self._clock())
        self._tell()
        return undo

    # --- taking back and forgetting ------------------------------------------------------------------------

    async def undo(self, change: str) -> str:
        """Take a change back; return the id that takes this back. Raises ToolError: no_change, taken_back,
        memory_changed.
        """
        digits = change.removeprefix(UNDO)
        number = int(digits) if digits.isascii() and digits.isdecimal() and len(digits) < 18 else -1
        made = await self._store.write(steps.taken_back, number)
        if not made.startswith(UNDO):
            raise steps.not_back(made, change)
        self._tell()
        return made

    async def put_away(self, identities: Sequence[str]) -> int:
        """Take items out of sight and out of use; `bring_back` undoes it until `forget` makes it final."""
        done = await self._store.write(rows.put_away, list(identities), self._clock())
        self._tell()
        return done

    async def bring_back(self, identities: Sequence[str]) -> int:
        """Undo `put_away`."""
        done = await self._store.write(rows.put_away, list(identities), None)
        self._tell()
        return done

    async def forget_put_away(self, before: float | None = None) -> Forgotten:
        """Forget for good what was put away (before that time)."""
        waiting = await self._store.read(rows.put_away_items, 1e18 if before is None else before)
        return await self._erase(waiting) if waiting else Forgotten(count=0)

    async def forget(self, identities: Sequence[str]) -> Forgotten:
        """Forget items for good: rows, index, changes, what was recalled of them in conversations, and the
        pages of the file that held them. Backups and a conversation's own words stay; they are counted.
        """
        found = [await self.get(one) for one in dict.fromkeys(identities)]
        return await self._erase(found)

    async def _erase(self, items: Sequence[MemoryItem]) -> Forgotten:
        count = await self._store.write(steps.erase, [one.id for one in items])
        await self._store.scrub()
        self._tell()
        texts = [one.text for one in items]
        said = await self._store.read(traces.holding, texts)
        copies = await asyncio.to_thread(backup.found, self._places.backups)
        first = min((one.made for one in items), default=0.0)
        held = tuple((str(one.path), one.made) for one in copies if one.made >= first - 1)
        return Forgotten(count=count, backups=held, conversations=said)

    async def upkeep(self) -> None:
        """What is done at night: forget what was put away, and let old changes go."""
        now = self._clock()
        await self.forget_put_away(now - 3600.0)
        await self._store.write(rows.forget_steps, now - rows.STEPS_KEPT)
        await self._store.scrub()  # where a kill, or another process that read, left the log as it was

    async def export(self) -> str:
        """Return everything as JSON, one item a line, for reading and keeping elsewhere."""
        items = [*await self.list()]
        return "[\n" + ",\n".join(msgspec.json.encode(one).decode() for one in items) + "\n]\n"

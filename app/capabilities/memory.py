"""Memory as a tool may use it: what nobody vouches for marks the call, what is kept is judged first, and a
private conversation has none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime

import msgspec

from app.capabilities.gate import Permit
from app.errors import BrambleError, ToolError
from app.memory.ages import age
from app.memory.checking import checked, name
from app.memory.memory import Memory
from app.memory.projects import name_of
from app.memory_records import PROJECT_KINDS, MemoryItem, Remembered
from app.record import Record
from app.records import MemoryEffect
from tools import Kept, Memo, NoteKind, Past, ProjectBrief

_PAST = 5
"""Earlier conversations that one question brings at most."""
_UNKNOWN = {
    "no_decision": "No decision is written down.",
    "no_open_item": "No open item is written down.",
    "no_note": "No note is written down.",
}


class Around(Record):
    """Where a call happens, and whether memory is switched on."""

    session: str
    cwd: str
    on: Callable[[], bool]
    clock: Callable[[], float]


class MemoryDesk(Record):
    """Makes the memory of a call."""

    memory: Memory
    on: Callable[[], bool]
    """Whether the person has memory switched on."""
    clock: Callable[[], float]

    def reader(self, gate: Permit, session: str, cwd: str) -> MemoryReader:
        """Return that of a reading call."""
        return MemoryReader(self.memory, gate, Around(session, cwd, self.on, self.clock))

    def changer(self, gate: Permit, session: str, cwd: str) -> MemoryChanger:
        """Return that of a changing call."""
        return MemoryChanger(self.memory, gate, Around(session, cwd, self.on, self.clock))


class MemoryReader:
    """Implements `tools.ReadMemory`."""

    def __init__(self, memory: Memory, gate: Permit, around: Around) -> None:
        self._memory = memory
        self._gate = gate
        self._around = around

    async def find(self, query: str, limit: int) -> tuple[tuple[Memo, ...], tuple[Past, ...]]:
        """See ReadMemory."""
        await self._open()
        found = await self._memory.search(query, ("fact", *PROJECT_KINDS, "todo"), limit)
        self._mark(found)
        room = min(limit - len(found), _PAST)
        hits = await self._memory.past(query, self._around.session, room) if room > 0 else ()
        self._gate.mark(*(mark for hit in hits for mark in hit.marks))
        await self._memory.used(found)
        now = self._around.clock()
        past = [Past(one.session, one.title, age(one.said, now), one.person, one.text) for one in hits]
        return self._memos(found), tuple(past)

    async def brief(self, project: str, since: str) -> ProjectBrief:
        """See ReadMemory."""
        await self._open()
        key = await self._memory.named_project(project, self._around.cwd)
        known = await self._memory.projects()
        if project and not any(one.key == key for one in known):
            names = ", ".join(one.name for one in known[:10]) or "none"
            raise ToolError("no_project", f"Nothing is known of a project {project!r}. Known: {names}.")
        brief = await self._memory.brief(key, _moment(since))
        self._mark((*brief.confirmed, *brief.recorded))
        unknown = tuple(map(_unknown, brief.unknown))
        return ProjectBrief(brief.name, self._memos(brief.confirmed), self._memos(brief.recorded), unknown)

    async def todos(self, name: str) -> tuple[Memo, ...]:
        """See ReadMemory."""
        await self._open()
        found = [one for one in await self._memory.list(("todo",)) if not name or _same(one.topic, name)]
        self._mark(found)
        ordered = sorted(found, key=lambda one: (bool(one.done), one.due or "~", one.made))
        return self._memos(ordered)

    async def _open(self) -> None:
        """Raise where there is no memory."""
        if not self._around.on():
            raise ToolError("memory_off", "The person has switched memory off. Nothing was kept or read.")
        if await self._memory.private(self._around.session):
            raise ToolError(
                "memory_private", "This conversation is private: it neither uses memory nor adds to it."
            )

    def _mark(self, items: Iterable[MemoryItem]) -> None:
        self._gate.mark(*(mark for item in items for mark in item.marks))

    def _memos(self, items: Iterable[MemoryItem]) -> tuple[Memo, ...]:
        now = self._around.clock()
        return tuple(_memo(item, now) for item in items)


class MemoryChanger(MemoryReader):
    """Implements `tools.ChangeMemory`."""

    async def remember(self, fact: str, topic: str) -> Kept:
        """See ChangeMemory."""
        return await self._keep("remember", MemoryItem(text=fact, topic=topic), name(topic))

    async def note(self, kind: NoteKind, text: str, project: str) -> Kept:
        """See ChangeMemory."""
        await self._open()
        key = await self._memory.named_project(project, self._around.cwd)
        return await self._keep("note", MemoryItem(kind=kind, text=text, project=key), name_of(key))

    async def add_todo(self, text: str, name: str, due: str) -> Kept:
        """See ChangeMemory."""
        item = MemoryItem(kind="todo", text=text, topic=name, due=_due(due, self._around.clock()))
        return await self._keep("todo", item, name, sign="[ ] ")

    async def _keep(self, act: str, item: MemoryItem, place: str, sign: str = "") -> Kept:
        await self._open()
        text = checked(item.text)
        due = f" (due {item.due})" if item.due else ""
        effect = MemoryEffect(act=act, text=f"{sign}{text}{due}", place=place)  # type: ignore[arg-type]
        answer = await self._gate.permit(effect)
        kept = await self._memory.remember(
            msgspec.structs.replace(
                item,
                text=text,
                session=self._around.session,
                confirmed=answer.by != "policy",  # a person saw exactly this text
                marks=self._gate.origin,
            )
        )
        return await self._verified(kept)

    async def settle_todo(self, item: str, name: str, *, remove: bool) -> Kept:
        """See ChangeMemory."""
        await self._open()
        found = await self._todo(item, name, remove=remove)
        self._mark([found])
        sign = "- " if remove else "[x] "
        await self._gate.permit(MemoryEffect(act="todo", text=f"{sign}{found.text}", place=found.topic))
        if remove:
            undo = await self._memory.remove(found.id)
            there = any(one.id == found.id for one in await self._memory.list(("todo",)))
            return Kept(_memo(found, self._around.clock()), False, (), undo, not there)
        undo = await self._memory.tick(found.id)
        done = await self._memory.get(found.id)
        return Kept(_memo(done, self._around.clock()), False, (), undo, bool(done.done))

    async def forget(self, items: Sequence[str]) -> tuple[int, int, int]:
        """See ChangeMemory."""
        await self._open()
        found = [await self._memory.get(one) for one in dict.fromkeys(items)]
        text = "\n".join(one.text for one in found)
        await self._gate.permit(MemoryEffect(act="forget", text=text, undoable=False))
        gone = await self._memory.forget([one.id for one in found])
        left = [one.id for one in found if await self._memory.has(one.id)]
        if left:
            raise BrambleError("internal", f"Still there after forgetting: {', '.join(left)}.")
        return gone.count, gone.conversations, len(gone.backups)

    async def _todo(self, wanted: str, name: str, *, remove: bool) -> MemoryItem:
        every = [one for one in await self._memory.list(("todo",)) if not name or _same(one.topic, name)]
        there = [one for one in every if remove or not one.done]
        exact = [one for one in there if _same(one.id, wanted) or _same(one.text, wanted)]
        ids = {one.id for one in there}
        near = exact or [one for one in await self._memory.search(wanted, ("todo",)) if one.id in ids]
        if len(near) == 1:
            return near[0]
        if not near:
            names = ", ".join(f"{one.id} {one.text[:40]!r}" for one in there[:10]) or "nothing"
            raise ToolError(
                "no_memory", f"No open item fits {wanted[:60]!r}. On the list: {names}.", ref=wanted[:60]
            )
        names = ", ".join(f"{one.id} {one.text[:60]!r}" for one in near[:10])
        raise ToolError("not_unique", f"Several items fit {wanted[:60]!r}: {names}. Give an id.")

    async def _verified(self, kept: Remembered) -> Kept:
        now = self._around.clock()
        verified = (await self._memory.get(kept.item.id)).text == kept.item.text
        return Kept(_memo(kept.item, now), kept.merged, self._memos(kept.conflicts), kept.undo, verified)


def _memo(item: MemoryItem, now: float) -> Memo:
    sure = "person" if item.by == "person" else "confirmed" if item.confirmed else "recorded"
    return Memo(
        id=item.id,
        kind=item.kind,
        text=item.text,
        topic=item.topic,
        said=age(item.said, now),
        sure="untrusted" if item.marks else sure,  # type: ignore[arg-type]
        pinned=item.pinned,
        done=bool(item.done),
        due=item.due,
        conflicts=item.conflicts,
    )


def _unknown(code: str) -> str:
    if code.startswith("stale "):
        return f"Whether {code.removeprefix('stale ')} is still open: nobody spoke of it for a month."
    return _UNKNOWN[code]


def _moment(day: str) -> float:
    if not day.strip():
        return 0.0
    try:
        return datetime.fromisoformat(day.strip()).timestamp()
    except (ValueError, OverflowError, OSError):
        text = f"{day[:40]!r} is no date; write it as 2026-03-01."
        raise ToolError("bad_arguments", text, tool="project_brief") from None


def _due(text: str, now: float) -> str:
    """Return a day, or a day and a time, in words that mean the same tomorrow; "" for none."""
    from app.capabilities.timers import day_of, moment_of

    here = datetime.fromtimestamp(now).astimezone()
    try:
        day = day_of(text, here) if text.strip() else ""
        return str(day) if day is not None else f"{moment_of(text, here):%Y-%m-%d %H:%M}"
    except (ValueError, OverflowError):
        words = f"{text[:40]!r} is no date; write 2026-03-01, tomorrow or friday. Nothing was kept."
        raise ToolError("bad_arguments", words, tool="todo") from None


def _same(one: str, other: str) -> bool:
    return one.casefold().strip() == other.casefold().strip()

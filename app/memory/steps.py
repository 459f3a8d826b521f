"""What changes memory, one transaction each: two processes may do so at once, so what is compared and what is
stored belongs together.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence

import msgspec

from app.errors import ToolError
from app.memory.checking import MOST
from app.memory_records import UNDO, MemoryItem, Remembered
from app.records import Mark
from app.store import memory as rows, memory_traces as traces


def fitting(db: sqlite3.Connection, text: str, project: str) -> Sequence[MemoryItem]:
    """Return what is to be told with a message of a project."""
    if not rows.count(db):
        return ()  # a first request does not load what compares words
    from app.memory import finding

    return finding.fitting(db, text, project)


def remember(db: sqlite3.Connection, item: MemoryItem) -> Remembered:
    """Keep an item, or make the one newer that says the same; see `Memory.remember`."""
    from app.memory import finding
    from app.memory.words import contradicts, same

    near = finding.near(db, item)
    if known := next((one for one in near if same(one.text, item.text)), None):
        newer = msgspec.structs.replace(
            known,
            said=item.said,
            times=known.times + 1,
            topic=item.topic or known.topic,
            due=item.due or known.due,
            done=0.0,
            # One that the person vouches for stays theirs; otherwise both sources count.
            marks=known.marks if known.confirmed and not known.marks else _both(known, item),
            confirmed=known.confirmed or item.confirmed,
        )
        return Remembered(item=newer, merged=True, undo=rows.change(db, newer, _words(newer)))
    if rows.count(db) >= MOST:
        raise ToolError("memory_full", f"Memory holds {MOST:,} items, which is all it can.", most=f"{MOST:,}")
    against = [one for one in near if item.kind != "todo" and contradicts(one.text, item.text)]
    flagged = msgspec.structs.replace(item, conflicts=tuple(one.id for one in against))
    made, undo = rows.add(db, flagged, _words(flagged))
    for one in against:
        other = msgspec.structs.replace(one, conflicts=tuple(dict.fromkeys((*one.conflicts, made.id))))
        rows.change(db, other, noted=False)
    return Remembered(item=made, conflicts=tuple(against), undo=undo)


def _both(one: MemoryItem, other: MemoryItem) -> tuple[Mark, ...]:
    return tuple(dict.fromkeys((*one.marks, *other.marks)))


def changed(
    db: sqlite3.Connection, identity: str, how: Callable[[MemoryItem, float], MemoryItem], now: float
) -> str:
    """Change an item and return the id of the change. Raises ToolError no_memory."""
    found = rows.get(db, identity)
    if found is None:
        raise unknown(identity)
    changed = how(found, now)
    if changed.text != found.text:
        changed = msgspec.structs.replace(changed, revision=found.revision + 1)
    if not changed.conflicts:
        for other in found.conflicts:
            without_flags(db, other, found.id)
    return rows.change(db, changed, _words(changed))


def removed(db: sqlite3.Connection, identity: str) -> str:
    """Take an item out and return the id of the change. Raises ToolError no_memory."""
    if rows.get(db, identity) is None:
        raise unknown(identity)
    return rows.remove(db, identity)


def without_flags(db: sqlite3.Connection, identity: str, against: str | None) -> None:
    """Take the flag off an item that it has against another one, or all its flags."""
    found = rows.get(db, identity)
    if found is not None and found.conflicts:
        left = tuple(one for one in found.conflicts if against is not None and one != against)
        rows.change(db, msgspec.structs.replace(found, conflicts=left), noted=False)


def taken_back(db: sqlite3.Connection, change: int) -> str:
    """Take a change back and return the id of that, or why it cannot be done."""
    found = rows.step(db, change)
    before = found.before if found is not None else None
    done = rows.take_back(db, change, _words(before) if before is not None else "")
    if found is not None and before is None and done.startswith(UNDO):
        for other in found.after.conflicts if found.after is not None else ():
            without_flags(db, other, found.item)
    return done


def erase(db: sqlite3.Connection, identities: Sequence[str]) -> int:
    """Forget items for good, and what was recalled of them; return how many there were."""
    traces.take_out(db, identities)
    return rows.erase(db, identities)


def _words(item: MemoryItem) -> str:
    from app.memory.words import index

    return index(f"{item.text} {item.topic}")


def unknown(identity: str) -> ToolError:
    """Return the error of an id that names nothing."""
    return ToolError("no_memory", f"Nothing is remembered under {identity[:40]!r}.", ref=identity[:40])


def not_back(why: str, change: str) -> ToolError:
    """Return the error of a change that cannot be taken back."""
    if why == "taken_back":
        return ToolError("taken_back", f"The change {change} is taken back already.", change=change)
    if why == "changed":
        return ToolError("memory_changed", "It was changed or forgotten since, so nothing was taken back.")
    return ToolError("no_change", f"There is no change {change}.", change=change)

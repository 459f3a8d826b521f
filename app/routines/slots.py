"""The ledger: each slot is written down once, claimed by one process and ends in one outcome.

Every function is one step for `Store.write`, so it happens whole or not at all; `now` is the clock's unix
time and `here` the IANA name of this computer's zone.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from zoneinfo import ZoneInfo

import msgspec

from app.errors import RoutineError
from app.record import Record
from app.routine_records import Cause, Outcome, RoutineInfo, SlotInfo, SlotReason, SlotState
from app.routines import planning
from app.routines.clock import zone_of
from app.routines.schedule import next_slot
from app.store import leases, routines
from app.store.alive import Process, is_dead, this_process

RUNNER = "runner"
"""The lease of the one process that looks at the clock (product.md 7.7)."""
LATE_SECONDS = 60
"""A run that began later than this after its slot is told to be late."""
BATCH = 250
"""Routines whose slots are written down in one transaction: a quarter of a second after a long sleep."""
FAILURES = 3
"""So many failed runs in a row pause a routine (product.md 7.3)."""


class Finished(Record):
    """What the end of a run came to."""

    line: SlotInfo
    paused: bool = False
    """Whether it was one failure too many."""


# --- routines ----------------------------------------------------------------------------------------------


def add(db: sqlite3.Connection, info: RoutineInfo, now: float, here: str) -> RoutineInfo:
    """Keep a new routine; its first slot is later than now."""
    made = _onward(msgspec.structs.replace(info, created=now, through=int(now)), here)
    routines.add(db, made)
    return made


def edit(db: sqlite3.Connection, info: RoutineInfo, now: float, here: str) -> RoutineInfo:
    """Replace what a person may change; a slot that is due and did not run yet stays due.

    Raises RoutineError no_routine, or routine_changed when somebody changed it since `info` was read.
    """
    old = _there(db, info.id)
    if old.revision != info.revision:
        raise RoutineError("routine_changed", f"{old.name} was changed meanwhile", routine=old.name)
    old = (_settle if old.enabled else _as_paused)(db, old, int(now), here)
    through = max(old.through, int(now))
    new = msgspec.structs.replace(
        info, created=old.created, through=through, failures=old.failures, revision=old.revision + 1
    )
    if not info.enabled:
        _drop_due(db, info.id, "paused", now)
    new = _onward(new, here)
    routines.put(db, new)
    return new


def pause(db: sqlite3.Connection, routine: str, now: float, here: str) -> RoutineInfo:
    """Stop a routine; what is due and did not run yet is skipped."""
    return edit(db, msgspec.structs.replace(_there(db, routine), enabled=False), now, here)


def resume(db: sqlite3.Connection, routine: str, now: float, here: str) -> RoutineInfo:
    """Let a routine go on; its slots of meanwhile are skipped, its failures forgotten."""
    old = msgspec.structs.replace(_there(db, routine), failures=0)
    routines.put(db, old, told=False)
    return edit(db, msgspec.structs.replace(old, enabled=True), now, here)


def remove(db: sqlite3.Connection, routine: str, now: float, here: str) -> None:
    """Take a routine away; a run that is on ends as it ends."""
    old = _there(db, routine)
    (_settle if old.enabled else _as_paused)(db, old, int(now), here)
    _drop_due(db, routine, "removed", now)
    routines.remove(db, routine, now)


def trigger(db: sqlite3.Connection, routine: str, cause: Cause, now: float, detail: str = "") -> SlotInfo:
    """Make a slot that is due now: run by hand, at start-up, by a watch, a file or another routine.

    One that waits already for the same cause stands for both.
    """
    info = _there(db, routine)
    for line in routines.waiting(db, routine):
        if line.cause == cause:
            return line
    at = int(now)
    while routines.slot(db, info.id, at) is not None:
        at += 1
    line = SlotInfo(
        routine=info.id,
        slot=at,
        last=at,
        start=int(now),
        state="due",
        cause=cause,
        decided=now,
        detail=detail,
    )
    routines.write_down(db, [line])
    return line


# --- the runner --------------------------------------------------------------------------------------------


def settle(db: sqlite3.Connection, now: float, here: str, limit: int = BATCH) -> int:
    """Write down every slot that passed, of at most `limit` routines; return of how many. As many as the
    limit: there may be more, which a next step takes, so that others can write in between.
    """
    passed = routines.passed(db, int(now), here, limit)
    for info in passed:
        _settle(db, info, int(now), here)
    return len(passed)


def claim(
    db: sqlite3.Connection, now: float, owner: str, limit: int, who: Process | None = None
) -> list[SlotInfo]:
    """Take upon `owner`, who holds the lease, at most `limit` slots that may start; each belongs to one
    process for good.

    A routine runs once at a time; a slot whose grace ended while it waited is missed.
    """
    if not leases.holds(db, RUNNER, owner):
        return []
    taken: dict[str, SlotInfo] = {}
    for line in routines.startable(db, int(now), limit + BATCH):
        info = routines.get(db, line.routine)
        if info is None or len(taken) >= limit or line.routine in taken:
            continue
        if line.cause == "time" and now - line.slot > info.grace:
            routines.settle(db, line, "missed", "too_late", now)
        elif routines.claim(db, line, now, owner, who or this_process()):
            taken[line.routine] = msgspec.structs.replace(line, state="claimed", decided=now, started=now)
    return list(taken.values())


def finish(
    db: sqlite3.Connection,
    line: SlotInfo,
    owner: str,
    outcome: Outcome,
    now: float,
    *,
    session: str = "",
    detail: str = "",
) -> Finished | None:
    """Write down how a run ended; None when the slot is not `owner`'s any more: nothing is told twice.

    A run that is done but began late is done late. The third failure in a row pauses the routine.
    """
    late = line.started is not None and line.started - line.start > LATE_SECONDS
    state: SlotState = "done_late" if outcome == "done" and late else outcome
    ended = msgspec.structs.replace(
        line, state=state, decided=now, finished=now, session=session or line.session, detail=detail
    )
    if not routines.finish(db, ended, owner):
        return None
    return Finished(ended, _count_failures(db, ended))


def recover(db: sqlite3.Connection, now: float, dead: Callable[[Process], bool] = is_dead) -> list[SlotInfo]:
    """End what dead processes were running as interrupted, for a notice each; it is never run again."""
    found = [(line, owner) for line, owner, who in routines.claimed(db) if dead(who)]
    return [_interrupt(db, line, owner, "killed", now) for line, owner in found]


def abandon(db: sqlite3.Connection, owner: str, now: float) -> list[SlotInfo]:
    """End what `owner` is still running as interrupted, when it closes."""
    found = [line for line, held, _ in routines.claimed(db) if held == owner]
    return [_interrupt(db, line, owner, "closed", now) for line in found]


def _interrupt(
    db: sqlite3.Connection, line: SlotInfo, owner: str, reason: SlotReason, now: float
) -> SlotInfo:
    ended = msgspec.structs.replace(line, state="interrupted", reason=reason, decided=now, finished=now)
    routines.finish(db, ended, owner)
    return ended


def _count_failures(db: sqlite3.Connection, ended: SlotInfo) -> bool:
    """Count failed runs in a row; True when the routine was paused by this one."""
    info = routines.get(db, ended.routine)
    if info is None:
        return False
    failures = info.failures + 1 if ended.state == "failed" else 0
    if failures == info.failures:
        return False
    paused = failures >= FAILURES and info.enabled
    if paused:
        _drop_due(db, info.id, "paused", ended.decided)
    routines.put(db, msgspec.structs.replace(info, failures=failures, enabled=info.enabled and not paused))
    return paused


# --- steps -------------------------------------------------------------------------------------------------


def _there(db: sqlite3.Connection, routine: str) -> RoutineInfo:
    info = routines.get(db, routine)
    if info is None:
        raise RoutineError("no_routine", f"there is no routine {routine}", routine=routine)
    return info


def _settle(db: sqlite3.Connection, info: RoutineInfo, now: int, here: str) -> RoutineInfo:
    """Write down the slots up to now, by the zone they were told in, and look for the next one."""
    info = _set_back(db, info, now)
    taken = routines.taken(db, info.id, info.through, now)
    lines = planning.passed_slots(info, _zone(info), now, taken)
    if lines and lines[-1].state == "due":
        for older in routines.waiting(db, info.id):
            if older.cause == "time":
                routines.settle(db, older, "skipped", "collapsed", now)
    routines.write_down(db, lines)
    moved = _onward(msgspec.structs.replace(info, through=max(info.through, now)), here)
    routines.put(db, moved, told=False)
    return moved


def _set_back(db: sqlite3.Connection, info: RoutineInfo, now: int) -> RoutineInfo:
    """When the clock went back, let what it was ahead by come again, but for what really ran."""
    if info.through <= now:
        return info
    through = routines.withdraw(db, info.id, now)
    return msgspec.structs.replace(info, through=max(through, int(info.created)))


def _as_paused(db: sqlite3.Connection, info: RoutineInfo, now: int, here: str) -> RoutineInfo:
    """Write down the slots of a pause."""
    info = _set_back(db, info, now)
    taken = routines.taken(db, info.id, info.through, now)
    lines = planning.unrun(info, _zone(info), info.through, now, "skipped", "paused", now, taken)
    routines.write_down(db, lines)
    moved = _onward(msgspec.structs.replace(info, through=max(info.through, now)), here)
    routines.put(db, moved, told=False)
    return moved


def _onward(info: RoutineInfo, here: str) -> RoutineInfo:
    """Find the next slot behind what is settled, by the zone that holds now."""
    used = info.zone or here
    coming = next_slot(info.schedule, info.through, zone_of(used))
    return msgspec.structs.replace(info, used_zone=used, next=coming)


def _zone(info: RoutineInfo) -> ZoneInfo:
    return zone_of(info.used_zone)


def _drop_due(db: sqlite3.Connection, routine: str, reason: SlotReason, now: float) -> None:
    for line in routines.waiting(db, routine):
        routines.settle(db, line, "skipped", reason, now)

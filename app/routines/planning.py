"""Which lines the ledger gets for the slots that passed: one runs, the others are told why not. Pure."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from itertools import islice
from zoneinfo import ZoneInfo

from app.routine_records import RoutineInfo, SlotInfo, SlotReason, SlotState
from app.routines.schedule import count_slots, next_slot, previous_slot, slots_between

SINGLY = 100
"""More slots in a row that did not run become one line: a minutely routine misses 43,200 in a month."""


def passed_slots(
    info: RoutineInfo, zone: ZoneInfo, now: int, taken: frozenset[int] = frozenset()
) -> list[SlotInfo]:
    """Return a line for each slot behind `info.through` up to `now`, but for those `taken`.

    The last slot within the grace is due, those before it are skipped as collapsed, older ones are missed
    (product.md 7.2).
    """
    found = list(islice(slots_between(info.schedule, info.through, now, zone), 2 * SINGLY + 1))
    if len(found) > 2 * SINGLY and not taken:
        return _many_passed(info, zone, now)
    if len(found) > 2 * SINGLY:
        found = list(slots_between(info.schedule, info.through, now, zone))
    left = [slot for slot in found if slot not in taken]
    lines = []
    for slot in left:
        if now - slot > info.grace:
            lines.append(_line(info, slot, slot, 1, slot, "missed", "too_late", now))
        elif slot < left[-1]:
            lines.append(_line(info, slot, slot, 1, slot, "skipped", "collapsed", now))
        else:
            lines.append(_line(info, slot, slot, 1, slot + jitter(info, slot, zone), "due", "", now))
    return lines


def _many_passed(info: RoutineInfo, zone: ZoneInfo, now: int) -> list[SlotInfo]:
    """Return the lines of more slots than are worth a line each."""
    last = previous_slot(info.schedule, now, zone)
    edge = max(info.through, now - info.grace - 1)
    if last is None or last <= edge:
        return unrun(info, zone, info.through, now, "missed", "too_late", now)
    lines = unrun(info, zone, info.through, edge, "missed", "too_late", now)
    lines += unrun(info, zone, edge, last - 1, "skipped", "collapsed", now)
    return [*lines, _line(info, last, last, 1, last + jitter(info, last, zone), "due", "", now)]


def unrun(
    info: RoutineInfo,
    zone: ZoneInfo,
    after: int,
    until: int,
    state: SlotState,
    reason: SlotReason,
    now: int,
    taken: frozenset[int] = frozenset(),
) -> list[SlotInfo]:
    """Return lines for the slots between, `until` included, that are not run; many become one line."""
    if until <= after:
        return []
    if taken or count_slots(info.schedule, after, until, zone) <= SINGLY:
        slots: Iterable[int] = slots_between(info.schedule, after, until, zone)
        return [_line(info, one, one, 1, one, state, reason, now) for one in slots if one not in taken]
    first, last = next_slot(info.schedule, after, zone), previous_slot(info.schedule, until, zone)
    assert first is not None and last is not None
    count = count_slots(info.schedule, after, until, zone)
    return [_line(info, first, last, count, first, state, reason, now)]


def jitter(info: RoutineInfo, slot: int, zone: ZoneInfo) -> int:
    """Return the seconds to add to a slot: always the same for it, and never up to the next slot."""
    if not info.jitter:
        return 0
    after = next_slot(info.schedule, slot, zone)
    room = info.jitter if after is None else min(info.jitter, after - slot - 1)
    digest = hashlib.blake2b(f"{info.id} {slot}".encode(), digest_size=8).digest()
    return int.from_bytes(digest) % (room + 1)


def _line(
    info: RoutineInfo,
    first: int,
    last: int,
    count: int,
    start: int,
    state: SlotState,
    reason: SlotReason,
    now: int,
) -> SlotInfo:
    return SlotInfo(
        routine=info.id, slot=first, last=last, count=count, start=start, state=state, reason=reason,
        decided=float(now),
    )  # fmt: skip

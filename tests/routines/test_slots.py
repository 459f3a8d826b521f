"""Each slot ends in one outcome: claims, grace, collapse, edits, pauses, failures, clocks that jump."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any
from zoneinfo import ZoneInfo

import msgspec
import pytest

from app.errors import RoutineError
from app.routine_records import SlotInfo
from app.routines import planning, slots
from app.store import leases, routines
from app.store.alive import Process, this_process
from tests.routines.conftest import BERLIN, Ledger, at, schedule, shown

Make = Callable[[str], Ledger]


async def _finish(ledger: Ledger, line: SlotInfo, outcome: Any = "done") -> slots.Finished | None:
    return await ledger.store.write(slots.finish, line, ledger.owner, outcome, ledger.now)


async def test_a_slot_is_due_claimed_and_done(ledger: Make) -> None:
    book = ledger("2026-11-30 08:00")
    made = await book.add("brief", "every day at 9")
    assert made.next == at("2026-11-30 09:00") and await book.claim() == []
    assert await book.store.read(routines.wake) == made.next
    book.now = at("2026-11-30 09:00") + 0.4
    (line,) = await book.claim()
    assert (line.slot, line.state, line.started) == (made.next, "claimed", book.now)
    assert await book.claim() == [], "nobody gets it twice"
    book.now += 30
    ended = await _finish(book, line)
    assert ended is not None and ended.line.state == "done" and not ended.paused
    assert await _finish(book, line) is None, "nor is it finished twice"
    assert await book.lines() == [("11-30 09:00", "done", "")]
    assert await book.store.read(routines.wake) == at("2026-12-01 09:00")


async def test_one_late_run_after_eight_hours_asleep_c8(ledger: Make) -> None:
    book = ledger("2026-11-30 00:30")
    await book.add("hourly", "0 * * * *")
    book.now = at("2026-11-30 08:20")
    (line,) = await book.claim()
    assert line.slot == at("2026-11-30 08:00")
    ended = await _finish(book, line)
    assert ended is not None and ended.line.state == "done_late"
    assert await book.lines() == [
        *((f"11-30 0{hour}:00", "skipped", "collapsed") for hour in range(1, 8)),
        ("11-30 08:00", "done_late", ""),
    ]


async def test_beyond_the_grace_a_slot_is_missed(ledger: Make) -> None:
    book = ledger("2026-11-30 08:00")
    await book.add("short", "every day at 9", grace=3600)
    book.now = at("2026-11-30 10:00")
    (line,) = await book.claim()
    assert await _finish(book, line) is not None
    book.now = at("2026-12-02 10:01")
    assert await book.claim() == []
    assert await book.lines() == [
        ("11-30 09:00", "done_late", ""),
        ("12-01 09:00", "missed", "too_late"),
        ("12-02 09:00", "missed", "too_late"),
    ]


async def test_a_slot_whose_grace_ends_while_it_waits_is_missed(ledger: Make) -> None:
    book = ledger("2026-11-30 08:59")
    await book.add("one", "every day at 9", grace=600)
    book.now = at("2026-11-30 09:00")
    assert await book.claim(limit=0) == []
    book.now += 601
    assert await book.claim() == []
    assert await book.lines() == [("11-30 09:00", "missed", "too_late")]


async def test_a_month_of_minutes_is_one_line(ledger: Make) -> None:
    book = ledger("2026-11-01 00:00")
    await book.add("often", "* * * * *", grace=600)
    book.now = at("2026-12-01 00:00")
    await book.claim()
    found = await book.store.read(routines.timeline, 0, 2**40)
    assert len(found) < 15 and found[-1].state == "missed" and found[-1].slot == at("2026-11-01 00:01")
    assert sum(line.count for line in found) == 30 * 1440


async def test_a_long_run_lets_later_slots_collapse_and_late_beats_never(ledger: Make) -> None:
    book = ledger("2026-11-30 08:59")
    await book.add("long", "0 * * * *")
    await book.add("other", "30 * * * *")
    book.now = at("2026-11-30 09:00")
    (line,) = await book.claim()
    for clock in ("09:30", "10:00", "10:30", "11:00"):
        book.now = at(f"2026-11-30 {clock}")
        for other in await book.claim():
            assert other.routine == "other", "the long one runs once at a time"
            await _finish(book, other)
    assert await _finish(book, line) is not None
    (late,) = await book.claim()
    assert late.slot == at("2026-11-30 11:00")
    assert await book.lines("long") == [
        ("11-30 09:00", "done", ""), ("11-30 10:00", "skipped", "collapsed"), ("11-30 11:00", "claimed", ""),
    ]  # fmt: skip
    assert [state for _, state, _ in await book.lines("other")] == ["done", "done"]


async def test_an_edit_keeps_a_slot_that_is_due(ledger: Make) -> None:
    book = ledger("2026-11-30 08:00")
    info = await book.add("brief", "every day at 9")
    book.now = at("2026-11-30 09:05")
    moved = msgspec.structs.replace(info, schedule=schedule("every day at 18", int(book.now)))
    new = await book.store.write(slots.edit, moved, book.now, book.here)
    assert new.next == at("2026-11-30 18:00")
    (line,) = await book.claim()
    assert line.slot == at("2026-11-30 09:00")
    with pytest.raises(RoutineError) as caught:
        await book.store.write(slots.edit, moved, book.now, book.here)
    assert caught.value.code == "routine_changed", "what was read before is stale"


async def test_a_pause_skips_and_says_so(ledger: Make) -> None:
    book = ledger("2026-11-30 08:00")
    await book.add("brief", "every day at 9")
    book.now = at("2026-11-30 09:30")
    await book.store.write(slots.pause, "brief", book.now, book.here)
    book.now = at("2026-12-02 08:00")
    assert await book.claim() == []
    await book.store.write(slots.resume, "brief", book.now, book.here)
    book.now = at("2026-12-02 09:00")
    (line,) = await book.claim()
    await _finish(book, line)
    assert await book.lines() == [
        ("11-30 09:00", "skipped", "paused"),
        ("12-01 09:00", "skipped", "paused"),
        ("12-02 09:00", "done", ""),
    ]


async def test_a_paused_routine_that_is_edited_loses_no_slot(ledger: Make) -> None:
    book = ledger("2026-11-30 08:00")
    await book.add("brief", "every day at 9")
    paused = await book.store.write(slots.pause, "brief", book.now, book.here)
    book.now = at("2026-12-01 12:00")
    renamed = msgspec.structs.replace(paused, name="other")
    await book.store.write(slots.edit, renamed, book.now, book.here)
    assert await book.lines() == [
        ("11-30 09:00", "skipped", "paused"),
        ("12-01 09:00", "skipped", "paused"),
    ]


async def test_a_removed_routine_stays_removed(ledger: Make) -> None:
    book = ledger("2026-11-30 08:00")
    info = await book.add("brief", "every day at 9")
    book.now = at("2026-11-30 09:00")
    (line,) = await book.claim()
    await book.store.write(slots.remove, "brief", book.now, book.here)
    for late in (slots.edit, slots.pause):
        with pytest.raises(RoutineError) as caught:
            subject: Any = info if late is slots.edit else "brief"
            await book.store.write(late, subject, book.now, book.here)
        assert caught.value.code == "no_routine"
    assert await _finish(book, line) is not None, "its run ends as it ends"
    book.now = at("2026-12-05 09:00")
    assert await book.claim() == []
    assert await book.lines() == [("11-30 09:00", "done", "")]
    assert await book.store.write(routines.forget, int(book.now)) == 1
    assert await book.store.write(lambda db: db.execute("SELECT count(*) FROM routines").fetchone()[0]) == 0


async def test_three_failures_in_a_row_pause(ledger: Make) -> None:
    book = ledger("2026-11-30 08:00")
    await book.add("brief", "every day at 9")
    told = []
    for day, outcome in enumerate(("failed", "failed", "quiet", "failed", "failed", "failed")):
        book.now = at("2026-11-30 09:00") + day * 86_400
        (line,) = await book.claim()
        ended = await _finish(book, line, outcome)
        assert ended is not None
        told.append(ended.paused)
    assert told == [False] * 5 + [True]
    info = await book.store.read(routines.get, "brief")
    assert info is not None and not info.enabled
    resumed = await book.store.write(slots.resume, "brief", book.now + 5, book.here)
    assert (resumed.enabled, resumed.failures) == (True, 0)


async def test_by_hand_and_by_trigger(ledger: Make) -> None:
    book = ledger("2026-11-30 08:00")
    await book.add("brief", "every day at 9")
    first = await book.store.write(slots.trigger, "brief", "manual", book.now)
    again = await book.store.write(slots.trigger, "brief", "manual", book.now)
    assert first == again, "asked twice, run once"
    other = await book.store.write(slots.trigger, "brief", "file", book.now, "/a/file")
    assert other.slot == first.slot + 1
    (line,) = await book.claim()
    assert line.cause == "manual"
    await _finish(book, line)
    (line,) = await book.claim()
    assert (line.cause, line.detail) == ("file", "/a/file")


async def test_only_the_holder_of_the_lease_claims(ledger: Make) -> None:
    book = ledger("2026-11-30 08:00")
    await book.add("brief", "every day at 9")
    book.now = at("2026-11-30 09:00")
    assert await book.lease()
    await book.store.write(slots.settle, book.now, book.here)
    assert await book.store.write(slots.claim, book.now, "another", 5) == []
    book.now += leases.TTL
    assert await book.store.write(leases.acquire, slots.RUNNER, "another", book.now, leases.TTL, os.getpid())
    assert await book.store.write(slots.claim, book.now, "me", 5) == [], "the late owner learns it"
    assert len(await book.store.write(slots.claim, book.now, "another", 5)) == 1


async def test_what_a_dead_process_ran_is_interrupted_and_not_run_again_c9(ledger: Make) -> None:
    book = ledger("2026-11-30 08:00")
    await book.add("brief", "15 8 * * *")
    book.now = at("2026-11-30 08:15")
    await book.lease()
    await book.store.write(slots.settle, book.now, book.here)
    me = this_process()
    gone = Process(me.pid, me.begun - 1000, me.place)
    (line,) = await book.store.write(slots.claim, book.now, "me", 5, gone)
    book.owner = "another"
    book.now += 40
    (told,) = await book.store.write(slots.recover, book.now)
    assert (told.slot, told.state, told.reason) == (line.slot, "interrupted", "killed")
    assert await book.claim() == [] and await book.store.write(slots.recover, book.now) == []
    assert await book.store.write(slots.finish, line, "me", "done", book.now) is None
    assert await book.lines() == [("11-30 08:15", "interrupted", "killed")]


async def test_closing_ends_what_runs(ledger: Make) -> None:
    book = ledger("2026-11-30 08:59")
    await book.add("brief", "every day at 9")
    book.now = at("2026-11-30 09:00")
    await book.claim()
    assert len(await book.store.write(slots.abandon, "me", book.now)) == 1
    assert await book.lines() == [("11-30 09:00", "interrupted", "closed")]


async def test_a_clock_that_goes_back_runs_nothing_twice(ledger: Make) -> None:
    book = ledger("2026-11-30 08:00")
    await book.add("hourly", "0 * * * *")
    book.now = at("2026-11-30 09:00")
    (line,) = await book.claim()
    await _finish(book, line)
    book.now = at("2026-11-30 08:59")
    assert await book.claim() == []
    book.now = at("2026-11-30 09:00") + 1
    assert await book.claim() == []
    assert await book.lines() == [("11-30 09:00", "done", "")]


async def test_a_clock_that_was_a_year_ahead_takes_nothing_away(ledger: Make) -> None:
    book = ledger("2026-11-30 08:00")
    await book.add("daily", "every day at 9")
    book.now = at("2027-11-30 12:00")
    (line,) = await book.claim()
    await _finish(book, line)
    book.now = at("2026-11-30 08:30")
    assert await book.claim() == []
    assert await book.lines() == [("11-30 09:00", "done_late", "")], "what ran, ran; the rest did not happen"
    for day in range(3):
        book.now = at("2026-11-30 09:00") + day * 86_400
        (line,) = await book.claim()
        await _finish(book, line)
    assert [state for _, state, _ in await book.lines()] == ["done", "done", "done", "done_late"]


async def test_following_this_computer_into_another_zone(ledger: Make) -> None:
    book = ledger("2026-11-30 10:00")
    await book.add("home", "every day at 9")
    await book.add("fixed", "every day at 9", zone="Europe/Berlin")
    book.here = "America/New_York"
    book.now = at("2026-11-30 12:00")
    await book.claim()
    found = {info.name: info.next for info in await book.store.read(routines.listed)}
    assert found == {
        "home": at("2026-11-30 09:00", ZoneInfo("America/New_York")), "fixed": at("2026-12-01 09:00"),
    }  # fmt: skip


async def test_jitter_is_the_same_every_time_and_stays_before_the_next_slot(ledger: Make) -> None:
    book = ledger("2026-11-30 08:59")
    info = await book.add("spread", "0 * * * *", jitter=900)
    slot = at("2026-11-30 09:00")
    spread = [planning.jitter(info, slot + 3600 * hour, BERLIN) for hour in range(200)]
    assert spread == [planning.jitter(info, slot + 3600 * hour, BERLIN) for hour in range(200)]
    assert 0 <= min(spread) < 100 and 800 < max(spread) <= 900 and len(set(spread)) > 100
    wide = msgspec.structs.replace(info, jitter=100_000)
    assert all(planning.jitter(wide, slot + 3600 * hour, BERLIN) < 3600 for hour in range(200))
    book.now = slot
    assert await book.claim() == [] or spread[0] == 0
    book.now = slot + spread[0]
    (line,) = await book.claim()
    assert (line.slot, line.start) == (slot, slot + spread[0])
    ended = await _finish(book, line)
    assert ended is not None and ended.line.state == "done", "its own spread is no lateness"


async def test_a_one_shot_runs_once_and_late_if_need_be(ledger: Make) -> None:
    book = ledger("2026-11-30 08:00")
    await book.add("once", "in 20 minutes")
    book.now = at("2026-11-30 11:00")
    (line,) = await book.claim()
    await _finish(book, line)
    info = await book.store.read(routines.get, "once")
    assert info is not None and info.next is None and await book.store.read(routines.wake) is None
    assert await book.lines() == [("11-30 08:20", "done_late", "")]
    assert shown([line.slot])[0].startswith("2026-11-30 08:20")

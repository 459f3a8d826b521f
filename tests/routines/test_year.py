"""A simulated year: each slot of each routine has exactly one outcome, whatever happens (product.md 7.2)."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import pytest

from app.routine_records import SlotInfo
from app.store import routines
from app.store.connection import transact
from tests.routines.conftest import at
from tests.routines.year import Year

FINAL = {"done", "done_late", "quiet", "failed", "refused", "skipped", "missed", "interrupted"}


@pytest.mark.proof("routines-year", small=8, full=200)
def test_every_slot_has_exactly_one_outcome(
    tmp_path: Path, count: int, seed: int, capsys: pytest.CaptureFixture[str]
) -> None:
    days = 365 if count >= 100 else 45
    year = Year(tmp_path / "bramble.db", random.Random(seed), float(at("2026-09-20 10:00")))
    for number in range(count):
        year.add(number)
    year.run(days)
    year.close()
    outcomes: Counter[str] = Counter()
    for number in range(count):
        lines = transact(year.db, lambda db, name=f"r{number}": routines.timeline(db, 0, 2**40, name, 10**6))
        outcomes += _check(year, f"r{number}", lines)
    assert max(year.started.values()) == 1, "no slot ran twice"
    assert outcomes.keys() >= (FINAL if count >= 100 else {"done"}), (
        "the year was as wild as it is meant to be"
    )
    with capsys.disabled():
        print(f"\n{count} routines, {days} days, {sum(outcomes.values())} slots, seed {seed}")
        for name, number in [*outcomes.most_common(), *sorted(year.seen.items())]:
            print(f"  {name:24} {number:>8}")
    year.db.close()


def _check(year: Year, name: str, lines: list[SlotInfo]) -> Counter[str]:
    """Compare one routine's ledger with the slots that it had; return how they ended."""
    assert {line.state for line in lines} <= FINAL, name
    right = year.expected(name)
    single = {line.slot for line in lines if line.count == 1}
    for line in lines:
        if line.count > 1:
            covered = {slot for slot in right if line.slot <= slot <= line.last}
            assert len(covered) == line.count and not covered & single, (name, line)
            single |= covered
        else:
            assert line.slot == line.last
    ran = {line.slot for line in lines if line.started is not None}
    assert single >= right, (name, year.segments[name], sorted(right - single)[:5])
    # What ran while a clock was ahead stays, even if its day came in another zone or with another schedule.
    assert single - right <= ran and (single == right or year.seen["clock jump"]), (name, single - right)
    assert ran >= {slot for routine, slot in year.started if routine == name}, "what ran stands in the ledger"
    found: Counter[str] = Counter()
    for line in lines:
        found[line.state] += line.count
    return found

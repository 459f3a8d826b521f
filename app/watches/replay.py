"""What a rule would have told over the snapshots that are kept, before a person arms it. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from app.watch_records import NUMERIC, ChartPoint, Condition, Noise, Replayed, Seen, Snapshot
from app.watches.amounts import written
from app.watches.compare import amount, compare, keys, suited

CHARTED = 200
"""Characters of a text whose first number is one for a chart: a longer one is a page, not a value."""


def replay(snapshots: Sequence[Snapshot], condition: Condition, noise: Noise) -> tuple[Replayed, ...]:
    """Return each change that the rule would have seen, in the order of time, with whether it would have been
    told. Failures among the snapshots count as nothing, as they did then. What was not kept then is not seen.
    """
    found: list[Replayed] = []
    before: Seen | None = None
    told = ""
    known: set[str] = set()
    for snapshot in sorted(snapshots, key=lambda one: (one.at, one.id)):
        seen = suited(snapshot.seen, condition, before)
        if seen.state != "ok":
            continue
        if before is not None:
            verdict = compare(before, seen, condition, noise, told=told, known=known)
            if not verdict.changed and not verdict.met:
                continue
            found.append(Replayed(at=snapshot.at, verdict=verdict))
            told = _number(seen, condition) if verdict.met else told
        else:
            told = _number(seen, condition)
        before = seen
        if condition.kind == "new_lines":
            known |= keys(seen, noise)
    return tuple(found)


def points(snapshots: Iterable[Snapshot]) -> tuple[ChartPoint, ...]:
    """Return the numbers of snapshots for a chart, in the order of time; what has none is left out."""
    found = []
    for snapshot in sorted(snapshots, key=lambda one: (one.at, one.id)):
        number = number_of(snapshot.seen)
        if number is not None:
            found.append(ChartPoint(snapshot.at, number))
    return tuple(found)


def number_of(seen: Seen) -> float | None:
    """Return the number of a sight for a chart, None where it is no single value."""
    if seen.state != "ok" or (not seen.value and len(seen.text) > CHARTED):
        return None
    number = amount(seen)
    return None if number is None else float(number)


def _number(seen: Seen, condition: Condition) -> str:
    number = amount(seen) if condition.kind in NUMERIC else None
    return "" if number is None else written(number)

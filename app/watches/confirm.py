"""From one fetch to the next: what becomes the baseline, when a change is believed, what a person is told.

A change counts once a second fetch shows it too, so that a page that is odd once, or different each time,
tells nobody. Failures leave the baseline alone; a person hears once of an outage, and once of its end. Pure.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from app.watch_records import (
    NUMERIC,
    CheckState,
    Condition,
    Difference,
    Noise,
    Seen,
    Standing,
    Told,
    Verdict,
)
from app.watches.amounts import written
from app.watches.compare import amount, compare, same_value, suited
from app.watches.noise import keys_of


class Patience(NamedTuple):
    """How long is waited before anything is believed. `failures` in a row are an outage; after `tries`
    fetches that all differ from each other the page is called restless.
    """

    failures: int = 3
    tries: int = 3
    soonest: float = 30.0
    latest: float = 90.0
    confirm: bool = True
    """Whether a change needs a second fetch; not where a person looks at it anyway."""


class Step(NamedTuple):
    """What one fetch came to. `again` is in how many seconds it must be fetched a second time, None for not
    before its turn. `keep` is what belongs among the snapshots. `restless` are lines that differ each time: a
    person may want to ignore them.
    """

    standing: Standing
    state: CheckState
    verdict: Verdict = Verdict()
    tell: tuple[Told, ...] = ()
    again: float | None = None
    keep: Seen | None = None
    restless: tuple[str, ...] = ()
    failed: Seen | None = None


_PATIENCE = Patience()


def step(
    standing: Standing,
    seen: Seen,
    condition: Condition,
    noise: Noise,
    now: float,
    *,
    chance: float = 0.5,
    known: Collection[str] = (),
    patience: Patience = _PATIENCE,
) -> Step:
    """Return what a fetch at `now` comes to. `chance` (0 to 1) spreads the second fetch."""
    seen = suited(seen, condition, standing.baseline)
    if seen.state != "ok":
        return _failure(standing, seen, now, patience)
    back: tuple[Told, ...] = ("recovery",) if standing.outage_told else ()
    rested = _changed(standing, failures=0, why="", failing_since=0.0, outage_told=False)
    if rested.baseline is None:
        return Step(_based(rested, seen, condition), "baseline", tell=back, keep=seen)
    verdict = compare(rested.baseline, seen, condition, noise, told=rested.told, known=known)
    if not verdict.changed and not verdict.met:
        return Step(_changed(rested, pending=None, tries=0), "same", verdict, back)
    if patience.confirm:
        if rested.pending is None:
            return _again(rested, seen, verdict, back, chance, patience)
        first = compare(rested.baseline, rested.pending, condition, noise, told=rested.told, known=known)
        steady = _steady(first, verdict, rested.pending, seen, condition, noise)
        if steady is None:
            return _unsteady(rested, seen, first, verdict, back, chance, patience, noise)
        restless = _restless(first, verdict, noise)
        return _believed(rested, seen, steady, condition, now, back)._replace(restless=restless)
    return _believed(rested, seen, verdict, condition, now, back)


def _failure(standing: Standing, seen: Seen, now: float, patience: Patience) -> Step:
    failures = standing.failures + 1
    tell: tuple[Told, ...] = ()
    if failures >= patience.failures and not standing.outage_told:
        tell = ("outage",)
    made = _changed(
        standing,
        failures=failures,
        why=seen.why,
        failing_since=standing.failing_since or now,
        outage_told=standing.outage_told or bool(tell),
    )
    state: CheckState = "error" if seen.state == "ok" else seen.state
    return Step(made, state, tell=tell, failed=seen)


def _again(
    standing: Standing,
    seen: Seen,
    verdict: Verdict,
    back: tuple[Told, ...],
    chance: float,
    patience: Patience,
) -> Step:
    wait = patience.soonest + (patience.latest - patience.soonest) * min(max(chance, 0.0), 1.0)
    made = _changed(standing, pending=seen, tries=standing.tries + 1)
    return Step(made, "same", verdict, back, again=wait)


def _unsteady(
    standing: Standing,
    seen: Seen,
    first: Verdict,
    verdict: Verdict,
    back: tuple[Told, ...],
    chance: float,
    patience: Patience,
    noise: Noise,
) -> Step:
    """Two fetches differ from the baseline, and in nothing alike: look again, or leave it for this time."""
    restless = _restless(first, verdict, noise)
    if standing.tries + 1 < patience.tries:
        return _again(standing, seen, verdict, back, chance, patience)._replace(restless=restless)
    return Step(_changed(standing, pending=None, tries=0), "same", verdict, back, restless=restless)


def _believed(
    standing: Standing, seen: Seen, verdict: Verdict, condition: Condition, now: float, back: tuple[Told, ...]
) -> Step:
    made = _changed(standing, baseline=seen, pending=None, tries=0)
    if verdict.met:
        made = _changed(made, told=_number(seen, condition) or made.told, told_at=now)
    tell: tuple[Told, ...] = (*back, "change") if verdict.met else back
    return Step(made, "changed", verdict, tell, keep=seen)


def _based(standing: Standing, seen: Seen, condition: Condition) -> Standing:
    return _changed(standing, baseline=seen, pending=None, tries=0, told=_number(seen, condition))


def _number(seen: Seen, condition: Condition) -> str:
    number = amount(seen) if condition.kind in NUMERIC else None
    return "" if number is None else written(number)


def _steady(
    first: Verdict, second: Verdict, pending: Seen, seen: Seen, condition: Condition, noise: Noise
) -> Verdict | None:
    """Return what both fetches say alike, None where that is nothing."""
    if condition.kind not in ("any", "new_lines"):
        if first.met != second.met:
            return None
        if first.met:
            return second
    if seen.value:
        return second if same_value(pending.value, seen.value) else None
    added = _shared(first.difference.added, second.difference.added, noise)
    removed = _shared(first.difference.removed, second.difference.removed, noise)
    if len(removed) <= len(_restless(first, second, noise)):
        removed = ()  # each went for a line that is another one each time: the place is restless
    if not added and not removed:
        return None
    met = second.met and first.met and (condition.kind != "new_lines" or bool(added))
    return Verdict(
        changed=True,
        met=met,
        difference=Difference(added=added, removed=removed),
        before=second.before,
        value=second.value,
        currency=second.currency,
    )


def _shared(first: tuple[str, ...], second: tuple[str, ...], noise: Noise) -> tuple[str, ...]:
    keys = {key for key, _ in keys_of(first, noise)}
    return tuple(line for key, line in keys_of(second, noise) if key in keys)


def _restless(first: Verdict, second: Verdict, noise: Noise) -> tuple[str, ...]:
    """Return lines of the second fetch that the first did not have."""
    keys = {key for key, _ in keys_of(first.difference.added, noise)}
    return tuple(line for key, line in keys_of(second.difference.added, noise) if key not in keys)


def _changed(standing: Standing, **fields: object) -> Standing:
    import msgspec

    return msgspec.structs.replace(standing, **fields)

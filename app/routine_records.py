"""Frozen records of routines: when they run, and what became of each slot.

Instants are whole unix seconds. Times of a day are minutes after midnight on the wall clock. Weekdays are
numbered as in cron, 0 is Sunday.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from app.record import Record

Outcome = Literal["done", "done_late", "quiet", "failed", "refused", "skipped", "missed", "interrupted"]
"""How a slot ended (product.md 7.2)."""
SlotState: TypeAlias = Literal["due", "claimed"] | Outcome
"""`due` waits for a runner, `claimed` runs; the rest is how it ended."""
Cause = Literal["time", "manual", "startup", "watch", "file", "routine"]
"""What made a slot."""
SlotReason = Literal["", "collapsed", "too_late", "paused", "edited", "removed", "killed", "closed"]
"""Why a slot did not run to its end: one run stands for several that were overdue, the grace was over, the
routine was paused, changed or removed, the program was killed or closed while it ran."""


class Once(Record, tag="once"):
    """One time."""

    at: int


class Every(Record, tag="every"):
    """Every so many real seconds after `anchor`, whatever the clocks on the wall do."""

    seconds: int
    anchor: int


class Calendar(Record, tag="calendar"):
    """Times of the wall clock on certain days.

    A day fits by its place in the month (`days`, `working`) and by its weekday (`weekdays`, `nth`); empty
    lists say nothing. `months` and `step` always hold as well.
    """

    times: tuple[int, ...]
    """Ascending; from 1440 on they fall on the day after, which still counts as this one (22:00 to 02:00)."""
    months: tuple[int, ...] = ()
    days: tuple[int, ...] = ()
    """1 to 31; -1 is the last day of the month, -2 the one before it."""
    working: tuple[int, ...] = ()
    """The first, second, ... day from Monday to Friday of the month; -1 is the last one."""
    weekdays: tuple[int, ...] = ()
    nth: tuple[tuple[int, int], ...] = ()
    """Pairs of a weekday and its number in the month, -1 for the last one."""
    either: bool = False
    """Whether place in the month OR weekday is enough, as cron has it; else both must fit."""
    step: int = 0
    """Every so many `unit`s from `anchor` on; 0 for each."""
    unit: Literal["day", "week", "month"] = "day"
    anchor: int = 0
    """The day counted from, as a number of `date.toordinal`."""
    elapsing: bool = False
    """Whether each real minute counts that shows a fitting time, as cron does for jobs of every hour or
    minute: twice when the clocks go back, never in an hour that is left out. Else a time runs once a day."""


class OnEvent(Record, tag="event"):
    """Not by time: at start-up, or when what `ref` names changed or ended."""

    cause: Literal["startup", "watch", "file", "routine"]
    ref: str = ""


Rule: TypeAlias = Once | Every | Calendar | OnEvent


class ActiveHours(Record):
    """When slots count: from `start` to `end`, both included; over midnight when `end` is before `start`."""

    start: int = 0
    end: int = 1439
    weekdays: tuple[int, ...] = ()
    """Of the day on which the hours began; empty for all."""


class Schedule(Record):
    """When a routine runs, with the words that said so."""

    rule: Rule
    text: str
    active: ActiveHours | None = None


class RoutineInfo(Record, kw_only=True):
    """A routine as far as time is concerned."""

    id: str
    name: str
    schedule: Schedule
    zone: str = ""
    """An IANA name; "" follows this computer."""
    created: float = 0.0
    enabled: bool = True
    grace: int = 43_200
    """Seconds after which a missed slot is not run any more (product.md 7.2: 12 h)."""
    jitter: int = 0
    """At most so many seconds are added to each slot, always the same ones."""
    through: int = 0
    """Up to here every slot stands in the ledger."""
    used_zone: str = ""
    """The zone by which `next` was found: `zone`, or that of this computer at the time."""
    next: int | None = None
    """The next slot behind `through`."""
    failures: int = 0
    """Failed runs in a row."""
    revision: int = 0


class SlotInfo(Record, kw_only=True):
    """One slot and its outcome; or several in a row that were all skipped or missed, as one line."""

    routine: str
    slot: int
    last: int
    """The last slot of this line; `slot` itself for a single one."""
    count: int = 1
    start: int
    """The slot with its jitter: not before."""
    state: SlotState
    reason: SlotReason = ""
    cause: Cause = "time"
    decided: float = 0.0
    """When it got this state."""
    started: float | None = None
    finished: float | None = None
    session: str = ""
    detail: str = ""

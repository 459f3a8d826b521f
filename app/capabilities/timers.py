"""Timers and reminders: kept in the store over a restart, told once by whichever process is there first."""

from __future__ import annotations

import asyncio
import logging
import re
import time
from collections.abc import Callable
from datetime import date, datetime, timedelta

from app.daily_records import TimerInfo
from app.errors import BrambleError, StoreError, ToolError
from app.events import Event, TimerRang, TimersChanged
from app.platform.ids import new_id
from app.store import everyday
from app.store.database import Store
from tools import Timer

log = logging.getLogger(__name__)

LOOK = 30.0
"""Seconds at most between two looks: a clock that jumps, or a sleep, is noticed within them."""
LONGEST = 400 * 86400.0
"""How far ahead a timer may be set, in seconds."""
MOST = 200
LABEL = 200
_UNITS = {
    "s": 1, "sec": 1, "second": 1, "sekunde": 1, "m": 60, "min": 60, "minute": 60, "h": 3600, "hr": 3600,
    "hour": 3600, "std": 3600, "stunde": 3600, "d": 86400, "day": 86400, "tag": 86400, "w": 604800,
    "week": 604800, "woche": 604800,
}  # fmt: skip
_PART = re.compile(r"(\d+(?:[.,]\d+)?)\s*([a-z]+)\s*(?:,|and|und)?\s*")
_CLOCK = re.compile(r"(\d{1,2})(?:[:.](\d{2}))?(?::(\d{2}))?\s*(am|pm|uhr|h)?\Z")
_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")


def seconds_of(text: str) -> float:
    """Return the seconds of a duration such as 90s, 1h30m, 10 minutes, 1:30:00. Raises ValueError."""
    text = text.strip().lower().removeprefix("in ")
    if found := re.fullmatch(r"(\d{1,4}):(\d\d)(?::(\d\d))?", text):
        first, second, third = found.groups()
        return int(first) * 3600 + int(second) * 60 + int(third) if third else int(first) * 60 + int(second)
    total, at = 0.0, 0
    for part in _PART.finditer(text):
        unit = part[2] if part[2] in _UNITS else part[2].removesuffix("s").removesuffix("n")
        if part.start() != at or unit not in _UNITS:
            break
        total, at = total + float(part[1].replace(",", ".")) * _UNITS[unit], part.end()
    if not text or at != len(text) or total <= 0:
        raise ValueError(f"{text!r} is no duration; write 90s, 10 minutes or 1h30m.")
    return total


def moment_of(text: str, now: datetime) -> datetime:
    """Return when a clock time or date is next, in the person's zone. `now` is aware. Raises ValueError.

    A time that a change of clocks leaves out is taken as the clock shows it after the change.
    """
    words = text.strip().lower().removeprefix("at ").removeprefix("um ")
    try:
        stands = datetime.fromisoformat(text.strip())
        if len(text.strip()) > 10 or stands.tzinfo:
            return stands if stands.tzinfo else _here(stands, now)
    except ValueError:
        pass
    no_time = ValueError(f"{text!r} is no time; write 07:30, tomorrow 9:00 or 2026-12-24 18:00.")
    try:
        day, clock = _day_of(words, now)
    except ValueError:  # a day that no calendar has
        raise no_time from None
    found = _CLOCK.match(clock)
    if not found:
        raise no_time
    hour, minute, second = int(found[1]), int(found[2] or 0), int(found[3] or 0)
    if found[4] in ("am", "pm"):
        if not 1 <= hour <= 12:
            raise no_time
        hour = hour % 12 + (12 if found[4] == "pm" else 0)
    if hour > 23 or minute > 59 or second > 59:
        raise no_time
    naive = datetime(now.year, now.month, now.day, hour, minute, second)
    if day is not None:
        return _here(naive + timedelta(days=day), now)
    made = _here(naive, now)
    return made if made > now else _here(naive + timedelta(days=1), now)


def day_of(text: str, now: datetime) -> date | None:
    """Return the day that a text names without a time, None where it names none. Raises ValueError for a day
    that no calendar has.
    """
    words = text.strip().lower()
    if re.fullmatch(r"\d{4}-\d\d-\d\d", words):
        try:
            return date.fromisoformat(words)
        except ValueError:
            raise ValueError(f"{text!r} is no day that a calendar has.") from None
    ahead, rest = _day_of(words, now)
    return None if ahead is None or rest else now.date() + timedelta(days=ahead)


def _here(naive: datetime, now: datetime) -> datetime:
    """Return the time in the zone of `now` on that very day, which may have another offset than today."""
    return naive.replace(tzinfo=now.tzinfo) if hasattr(now.tzinfo, "key") else naive.astimezone()


def _day_of(words: str, now: datetime) -> tuple[int | None, str]:
    """Return how many days ahead is meant, None where no day is named, and the rest of the words."""
    if found := re.match(r"(\d{4})-(\d\d)-(\d\d)[ ,]+", words):
        ahead = datetime(int(found[1]), int(found[2]), int(found[3])).date() - now.date()
        return ahead.days, words[found.end() :]
    named = {"today": 0, "heute": 0, "tomorrow": 1, "morgen": 1}
    named |= {day: (at - now.weekday() - 1) % 7 + 1 for at, day in enumerate(_DAYS)}
    first, _, rest = words.removeprefix("on ").partition(" ")
    if first.rstrip(",") in named:
        return named[first.rstrip(",")], rest.strip().removeprefix("at ").removeprefix("um ")
    return None, words


class TimerClock:
    """Keeps the timers of the person and tells of each once it is due."""

    def __init__(
        self, store: Store, emit: Callable[[Event], None], clock: Callable[[], float] = time.time
    ) -> None:
        self._store = store
        self._emit = emit
        self._clock = clock
        self._moved = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    def begin(self) -> None:
        """Wait for what is due; also for what became due while nothing ran."""
        if self._task is None:
            self._task = asyncio.create_task(self._run(), name="timers")

    async def close(self) -> None:
        """Tell nothing more; what is due then is told at the next start."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    def look(self) -> None:
        """Look again; called when the timers changed, here or in another process."""
        self._moved.set()

    async def _run(self) -> None:
        while True:
            self._moved.clear()
            try:
                wait = await self._ring()
            except StoreError as error:
                log.warning("timers could not be looked at: %s", error)
                wait = LOOK
            try:
                async with asyncio.timeout(wait):
                    await self._moved.wait()
            except TimeoutError:
                continue

    async def _ring(self) -> float:
        """Tell of what is due; return the seconds until the next look."""
        now = self._clock()
        waiting = [timer for timer in await self._store.read(everyday.timers) if not timer.rang]
        if any(timer.due <= now for timer in waiting):
            for timer in await self._store.write(everyday.claim, now):
                self._emit(TimerRang(session=timer.session, timer=timer))
            waiting = [timer for timer in waiting if timer.due > now]
        ahead = min((timer.due - now for timer in waiting), default=LOOK)
        return max(0.01, min(ahead, LOOK))

    async def list(self) -> list[TimerInfo]:
        """Return all that were not put away, the next one first."""
        return await self._store.read(everyday.timers)

    async def set(self, due: float, label: str, session: str = "") -> TimerInfo:
        """Keep a timer. Raises BrambleError bad_arguments, StoreError."""
        now = self._clock()
        if not now < due <= now + LONGEST:
            raise ToolError("bad_arguments", "That time is past." if due <= now else "That is too far ahead.")
        if len(await self.list()) >= MOST:
            raise ToolError("bad_arguments", f"There are {MOST} timers already; cancel some first.")
        label = " ".join(label.split())[:LABEL]
        timer = TimerInfo(id=new_id(now), label=label, due=due, session=session, made=now)
        await self._store.write(everyday.add, timer)
        self.begin()
        self._told()
        return timer

    async def put_away(self, timer: str) -> bool:
        """Take one away, whether it rang or not; false when it is gone."""
        gone = bool(await self._store.write(everyday.remove, timer))
        self._told()
        return gone

    def _told(self) -> None:
        self.look()
        self._emit(TimersChanged())


class TimerReader:
    """Implements `tools.ReadTimers`."""

    def __init__(self, clock: TimerClock, now: Callable[[], float] = time.time) -> None:
        self._clock = clock
        self._now = now

    async def running_timers(self) -> tuple[Timer, ...]:
        """See tools.ReadTimers."""
        return tuple(map(self._shown, await self._clock.list()))

    def _shown(self, timer: TimerInfo) -> Timer:
        when = datetime.fromtimestamp(timer.due).astimezone()
        return Timer(
            timer.id, timer.label, timer.due, f"{when:%a %Y-%m-%d %H:%M:%S %Z}", timer.due - self._now()
        )


class Timers(TimerReader):
    """Implements `tools.Timers` for the calls of one conversation."""

    def __init__(
        self,
        clock: TimerClock,
        session: str,
        now: Callable[[], float] = time.time,
        begin: Callable[[], None] = lambda: None,
    ) -> None:
        """`begin` is called before anything changes; it ends a call that is only judged."""
        super().__init__(clock, now)
        self._session = session
        self._begin = begin

    async def start_timer(self, after: str, at: str, label: str) -> Timer:
        """See tools.Timers."""
        now = self._now()
        try:
            if bool(after.strip()) == bool(at.strip()):
                raise ValueError("Give either after (a duration) or at (a time).")
            if after.strip():
                due = now + seconds_of(after)
            else:
                due = moment_of(at, datetime.fromtimestamp(now).astimezone()).timestamp()
        except (ValueError, OverflowError, OSError) as error:
            raise ToolError("bad_arguments", f"{error} No timer was set.") from None
        self._begin()
        made = await self._clock.set(due, label, self._session)
        kept = {timer.id for timer in await self._clock.list()}
        if made.id not in kept:
            raise BrambleError("internal", "The timer does not read back.")
        return self._shown(made)

    async def cancel_timer(self, which: str) -> tuple[Timer, ...]:
        """See tools.Timers."""
        found = await self._clock.list()
        wanted = " ".join(which.split()).casefold()
        gone = [one for one in found if wanted in ("all", one.id.casefold(), one.label.casefold())]
        self._begin()
        for timer in gone:
            await self._clock.put_away(timer.id)
        return tuple(map(self._shown, gone))

"""A year of routines with a held clock: processes that are killed, sleep and take over from each other,
clocks that stand wrong, travel between zones, edits and pauses.
"""

from __future__ import annotations

import os
import random
import sqlite3
from collections import Counter
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from zoneinfo import ZoneInfo

import msgspec

from app.routine_records import ActiveHours, RoutineInfo, Schedule, SlotInfo
from app.routines import slots
from app.routines.reading import read
from app.routines.schedule import next_slot, slots_between
from app.store import leases, migrations, routines
from app.store.alive import Process
from app.store.connection import connect, transact

ZONES = ("Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kolkata", "America/Santiago")
DAY = 86_400
WORDS = (
    "every day at {hour}:{minute:02}",
    "every day at 2:30",
    "every weekday at {hour}:{minute:02}",
    "every monday and thursday at {hour}:{minute:02}",
    "every {step} hours",
    "every {step} hours between 6 and 21",
    "{minute} */{step} * * *",
    "{minute} {hour} * * 1-5",
    "on the first monday of the month at {hour}:{minute:02}",
    "last day of the month at {hour}:{minute:02}",
    "every {step} days at {hour}:{minute:02}",
    "every 2 hours between 22 and 4",
    "in {step} days",
)


class Killed(BaseException):
    """A process ended in the midst of a transaction."""


@dataclass
class Process_:
    """One process as the store names it."""

    name: str
    who: Process
    alive: bool = True
    asleep_until: float = 0.0


@dataclass
class Year:
    """The world: `time` is what really passes, `off` how wrong the clock stands."""

    path: Path
    dice: random.Random
    time: float
    off: float = 0.0
    here: str = "Europe/Berlin"
    processes: list[Process_] = field(default_factory=list)
    running: list[tuple[float, Process_, SlotInfo]] = field(default_factory=list)
    started: Counter[tuple[str, int]] = field(default_factory=Counter)
    seen: Counter[str] = field(default_factory=Counter)
    segments: dict[str, list[tuple[int, str, Schedule]]] = field(default_factory=dict)
    settled_at: float = 0.0
    """When a zone or a schedule last changed, so that a clock is not set back behind it."""
    off_until: float = 0.0
    noted: str = ""
    """The zone that all routines that follow this computer were seen to have taken over."""

    def __post_init__(self) -> None:
        self.db = connect(self.path, "year", lambda: self.wall)
        self.db.execute("PRAGMA synchronous=OFF")  # a kill here is a rollback, no power cut
        migrations.migrate(self.db, self.path, self.path.parent, "year", lambda: self.wall)
        self.births = 0

    @property
    def wall(self) -> float:
        """What the clock shows."""
        return self.time + self.off

    # --- what people do ------------------------------------------------------------------------------------

    def add(self, number: int) -> None:
        """Keep a random routine."""
        zone = self.dice.choice(("", "", *ZONES))
        info = RoutineInfo(
            id=f"r{number}",
            name=f"routine {number}",
            schedule=self.schedule(zone or self.here),
            zone=zone,
            grace=self.dice.choice((0, 600, 12 * 3600, 3 * DAY)),
            jitter=self.dice.choice((0, 0, 300, 5000)),
        )
        made = transact(self.db, lambda db: slots.add(db, info, self.wall, self.here))
        self.segments[made.id] = [(made.through, made.used_zone, made.schedule)]

    def schedule(self, zone: str) -> Schedule:
        """Return a random schedule, now and then with active hours."""
        numbers = {
            "hour": self.dice.randrange(24),
            "minute": self.dice.randrange(60),
            "step": self.dice.randint(2, 9),
        }
        words = self.dice.choice(WORDS).format(**numbers)
        made = read(words, int(self.wall), ZoneInfo(zone)).schedule
        if words.startswith("every") and self.dice.random() < 0.2:
            wide = msgspec.structs.replace(made, active=ActiveHours(360, 1380))
            return wide if next_slot(wide, int(self.wall), ZoneInfo(zone)) else made
        return made

    def edit(self) -> None:
        """Edit or pause one routine, and let most of the paused ones go on; only while the clock is right."""
        if self.off:
            return
        listed = transact(self.db, routines.listed)
        info = self.dice.choice(listed)
        if self.dice.random() < 0.5:
            new = msgspec.structs.replace(info, schedule=self.schedule(info.zone or self.here))
            self._note(transact(self.db, lambda db: slots.edit(db, new, self.wall, self.here)))
            self.seen["edit"] += 1
        else:
            self._note(transact(self.db, lambda db: slots.pause(db, info.id, self.wall, self.here)))
            self.seen["pause"] += 1
        for other in listed:
            if not other.enabled and self.dice.random() < 0.7:
                name = other.id
                self._note(
                    transact(self.db, lambda db, name=name: slots.resume(db, name, self.wall, self.here))
                )
                self.seen["resume"] += 1

    def _note(self, made: RoutineInfo) -> None:
        """Take down from when on which schedule and zone hold."""
        _, zone, schedule = self.segments[made.id][-1]
        if (zone, schedule) != (made.used_zone, made.schedule):
            self.segments[made.id].append((int(self.wall), made.used_zone, made.schedule))
            self.settled_at = self.time

    def travel(self) -> None:
        """Take this computer to another zone, which a wrong clock would not survive."""
        if not self.off:
            self.here = self.dice.choice(ZONES)
            self.seen["zone change"] += 1

    def jump(self) -> None:
        """Let the clock stand wrong for some hours, by seconds up to a month."""
        listed = transact(self.db, routines.listed)
        waits = any(info.enabled and not info.zone and info.used_zone != self.here for info in listed)
        if self.off or waits or self.time - self.settled_at < 3 * DAY:
            return
        self.off = self.dice.choice((-3, 2, -3600, 3600, -30 * 3600, 9 * 3600, 20 * DAY))
        self.off_until = self.time + self.dice.uniform(60, 10 * 3600)
        self.seen["clock jump"] += 1

    # --- what processes do ---------------------------------------------------------------------------------

    def start(self) -> None:
        """Start one more process."""
        self.births += 1
        self.processes.append(Process_(f"p{self.births}", Process(self.births, 1.0, "here")))

    def kill(self, process: Process_) -> None:
        """End a process with all that it runs."""
        process.alive = False
        self.processes.remove(process)
        self.running = [one for one in self.running if one[1] is not process]
        self.seen["kill"] += 1

    def look(self, process: Process_) -> None:
        """Let a process do what it does at each look at the clock; it may be killed at any point of it."""
        lease = (slots.RUNNER, process.name, self.wall, leases.TTL, os.getpid())
        if not transact(self.db, lambda db: leases.acquire(db, *lease)):
            return
        living = {one.who for one in self.processes}
        for line in (
            self._step(process, lambda db: slots.recover(db, self.wall, lambda who: who not in living)) or ()
        ):
            self.seen[f"told {line.state}"] += 1
        self._step(process, lambda db: slots.settle(db, self.wall, self.here))
        if self.here != self.noted:
            enabled = [info for info in transact(self.db, routines.listed) if info.enabled]
            for info in enabled:
                self._note(info)
            if all(info.used_zone == (info.zone or self.here) for info in enabled):
                self.noted = self.here
        claimed = self._step(
            process,
            lambda db: slots.claim(db, self.wall, process.name, self.dice.randint(1, 12), process.who),
        )
        for line in claimed or ():
            self.started[line.routine, line.slot] += 1
            length = self.dice.choice(
                (3.0, 20.0, 90.0, 600.0, 5000.0, 40_000.0 if self.dice.random() < 0.1 else 5.0)
            )
            self.running.append((self.time + length, process, line))

    def _step(self, process: Process_, work):  # type: ignore[no-untyped-def]
        """Run one transaction; now and then the process dies in the midst of it or right behind it."""
        if not process.alive:
            return None
        fate = self.dice.random()
        try:
            result = transact(self.db, lambda db: self._die_within(db, work) if fate < 0.0005 else work(db))
        except Killed:
            self.kill(process)
            return None
        if fate > 0.9995:
            self.kill(process)
            return result if isinstance(result, list) and not result else None
        return result

    def _die_within(self, db: sqlite3.Connection, work):  # type: ignore[no-untyped-def]
        work(db)
        raise Killed

    def end_runs(self) -> None:
        """Finish what is over."""
        for one in [one for one in self.running if one[0] <= self.time and one[1].asleep_until <= self.time]:
            if one not in self.running:
                continue  # killed by the step before
            self.running.remove(one)
            outcome = self.dice.choices(("done", "quiet", "failed", "refused"), (8, 2, 1, 1))[0]
            line, owner = one[2], one[1].name
            self._step(one[1], lambda db, line=line, owner=owner, outcome=outcome: slots.finish(
                db, line, owner, outcome, self.wall
            ))  # fmt: skip

    # --- the year ------------------------------------------------------------------------------------------

    def run(self, days: int) -> None:
        """Let the days pass."""
        end = self.time + days * DAY
        self.start()
        self.start()
        chaos = self.time + 3600.0
        while self.time < end:
            if self.time >= chaos:
                self.chaos()
                chaos = self.time + self.dice.expovariate(1 / (7 * 3600))
            if self.off and self.time >= self.off_until:
                self.off = 0.0
            self.end_runs()
            for process in self.dice.sample(self.processes, len(self.processes)):
                if process.alive and process.asleep_until <= self.time:
                    self.look(process)
            self.time = max(self.time + 1, min(self.next_look(), chaos, end))

    def next_look(self) -> float:
        """Return when the next thing is due, an hour away at most."""
        wake = transact(self.db, routines.wake)
        coming = [self.time + 3600.0, *(one[0] for one in self.running if one[0] > self.time)]
        if wake is not None:
            # What is due but waits for a lease or for a run of its routine is looked at again like that.
            coming.append(wake - self.off if wake > self.wall else self.time + 600)
        if self.off:
            coming.append(self.off_until)
        return min(coming)

    def chaos(self) -> None:
        """Let something happen."""
        what = self.dice.choices(
            ("kill", "sleep", "start", "jump", "travel", "edit", "suspend", "none"), (8, 4, 8, 9, 1, 1, 6, 6)
        )[0]
        if what == "kill" and self.processes:
            self.kill(self.dice.choice(self.processes))
        elif what == "sleep" and self.processes:
            self.dice.choice(self.processes).asleep_until = self.time + self.dice.uniform(60, 2 * DAY)
            self.seen["one process stopped"] += 1
        elif what == "suspend":
            self.time += self.dice.choice(
                (300.0, 8 * 3600.0, 2 * DAY, 12 * DAY if self.dice.random() < 0.1 else 60.0)
            )
            self.seen["suspend"] += 1
        elif what == "jump":
            self.jump()
        elif what in ("travel", "edit"):
            (self.travel if what == "travel" else self.edit)()
        if not self.processes and self.dice.random() < 0.8:
            self.start()
        if (not self.processes and self.dice.random() < 0.5) or (what == "start" and len(self.processes) < 3):
            self.start()

    def close(self) -> None:
        """End all processes, let one more settle everything at the right time."""
        for process in list(self.processes):
            self.kill(process)
        self.off = 0.0
        # A month that was ahead is over by then, so that all of the ledger lies behind.
        self.time += 40 * DAY
        transact(self.db, lambda db: slots.recover(db, self.wall, lambda who: True))
        for info in transact(self.db, routines.listed):
            if not info.enabled:
                made = transact(
                    self.db, lambda db, name=info.id: slots.resume(db, name, self.wall, self.here)
                )
                self._note(made)
        transact(self.db, lambda db: slots.settle(db, self.wall, self.here))
        for info in transact(self.db, routines.listed):
            self._note(info)
            transact(self.db, lambda db, name=info.id: slots.pause(db, name, self.wall, self.here))

    def expected(self, routine: str) -> set[int]:
        """Return every slot that the routine had, by the zones and schedules that held."""
        found: set[int] = set()
        parts = [*self.segments[routine], (int(self.wall), "", Schedule(msgspec.UNSET, ""))]
        for (begin, zone, schedule), (end, _, _) in pairwise(parts):
            found.update(slots_between(schedule, begin, end, ZoneInfo(zone)))
        return found

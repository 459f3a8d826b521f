"""Zones, clocks and routines for the tests of routines."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from datetime import datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from app.routine_records import RoutineInfo, Schedule
from app.routines import slots
from app.routines.reading import read
from app.store import leases
from app.store.database import Store

BERLIN = ZoneInfo("Europe/Berlin")


def at(text: str, zone: ZoneInfo = BERLIN, fold: int = 0) -> int:
    """Return the instant of "2026-11-30 12:00" on the wall."""
    return int(datetime.fromisoformat(text).replace(tzinfo=zone, fold=fold).timestamp())


def shown(slots: list[int], zone: ZoneInfo = BERLIN) -> list[str]:
    """Return instants as the wall shows them, with their offsets."""
    return [datetime.fromtimestamp(one, zone).strftime("%Y-%m-%d %H:%M %z") for one in slots]


def schedule(text: str, now: int = at("2026-11-30 12:00"), zone: ZoneInfo = BERLIN) -> Schedule:
    """Return what words say."""
    return read(text, now, zone).schedule


class Ledger:
    """One store, one held clock and one process that holds the lease."""

    def __init__(self, store: Store, now: int) -> None:
        self.store = store
        self.now = float(now)
        self.here = "Europe/Berlin"
        self.owner = "me"

    async def add(self, name: str, text: str, **fields: Any) -> RoutineInfo:
        """Keep a routine that runs as the words say."""
        words = schedule(text, int(self.now), ZoneInfo(fields.get("zone") or self.here))
        info = RoutineInfo(id=name, name=name, schedule=words, **fields)
        return await self.store.write(slots.add, info, self.now, self.here)

    async def claim(self, limit: int = 10) -> list[Any]:
        """Settle, and claim what may start."""
        await self.lease()
        await self.store.write(slots.settle, self.now, self.here)
        return await self.store.write(slots.claim, self.now, self.owner, limit)

    async def lease(self) -> bool:
        """Take the lease of the runner."""
        import os

        return await self.store.write(
            leases.acquire, slots.RUNNER, self.owner, self.now, leases.TTL, os.getpid()
        )

    async def lines(self, routine: str | None = None) -> list[tuple[str, str, str]]:
        """Return the ledger, oldest first: time of the day, state and reason."""
        from app.store import routines

        found = await self.store.read(routines.timeline, 0, 2**40, routine)
        return [
            (shown([one.slot], ZoneInfo(self.here))[0][5:16], one.state, one.reason) for one in found[::-1]
        ]


@pytest.fixture
async def ledger(tmp_path: Path) -> AsyncIterator[Callable[[str], Ledger]]:
    """Makes the one ledger of a test, its clock held at a time in Berlin."""
    store = Store(tmp_path / "bramble.db")
    await store.open()
    yield lambda text: Ledger(store, at(text))
    await store.close()

"""What a front end can do with questions of models to the person, and with timers."""

from __future__ import annotations

from collections.abc import Callable

from app.capabilities.inquiries import Inquiries
from app.capabilities.timers import TimerClock
from app.events import Event
from app.store.database import Store


class Daily:
    """Facade over both, of all processes."""

    def __init__(self, store: Store, emit: Callable[[Event], None], clock: Callable[[], float]) -> None:
        self.inquiries = Inquiries(store, emit, clock)
        self.timers = TimerClock(store, emit, clock)

    async def close(self) -> None:
        """End what waits."""
        await self.timers.close()

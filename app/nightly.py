"""Looks every hour, while a window is open, whether the work of a night is due, and does it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import TYPE_CHECKING

from app.errors import RulesError, StoreError
from app.platform.paths import Home

if TYPE_CHECKING:
    from app.assembly import Parts

log = logging.getLogger(__name__)

FIRST_SECONDS, EVERY_SECONDS = 120.0, 3600.0
"""Not while the window is still being drawn."""


async def keep_up(parts: Parts, home: Home, clock: Callable[[], float]) -> None:
    """Make the nightly backup and clear away what is past its time, until cancelled."""
    await asyncio.sleep(FIRST_SECONDS)
    from app.store.upkeep import nightly

    while True:
        try:
            await nightly(parts.store, home, clock())
            await parts.rules.forget_sessions()
            await parts.memory.upkeep()
        except RulesError as error:
            log.warning("the rules of deleted conversations were not taken out: %s", error)
        except StoreError as error:  # the store's own problem is shown already
            log.warning("the nightly work was not done: %s", error)
        await asyncio.sleep(EVERY_SECONDS)

"""Tell that something is waited for, once it takes longer than a moment."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from typing import Any, Literal

from app.models.profile import Profile
from app.models.request import Held

SOON = 0.7
"""Seconds that go by in silence."""


async def told(
    task: asyncio.Future[Any], why: Literal["turn", "way_in"], profile: Profile, soon: float = SOON
) -> AsyncGenerator[Held, None]:
    """Yield `Held` if `task` is not done soon, and end when it is, with a result or an error that stay in it.

    Iterate under `contextlib.aclosing`: a task that nobody waits for any more is cancelled and ends first.
    """
    try:
        done, _ = await asyncio.wait({task}, timeout=soon)
        if not done:
            yield Held(why=why, provider=profile.title or profile.name)
            await asyncio.wait({task})
    finally:
        if not task.done():
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

"""Tell a person that the way in to the model is being made, where that takes longer than a moment."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from app.events import Event, RequestHeld
from app.models.held import SOON


@contextmanager
def told_of(
    resolving: asyncio.Future[Any], emit: Callable[[Event], None], session: str, turn: str
) -> Iterator[None]:
    """While inside, emit RequestHeld once if `resolving` is not done soon: a keyring that asks, a list of
    models, a pass that another process makes.
    """

    def tell() -> None:
        if not resolving.done():
            emit(RequestHeld(session=session, turn=turn, why="way_in", provider=""))

    slow = asyncio.get_running_loop().call_later(SOON, tell)
    try:
        yield
    finally:
        slow.cancel()

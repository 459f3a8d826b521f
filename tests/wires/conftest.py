"""A client whose waits take no time and are written down, and the independent mock servers."""

from __future__ import annotations

from collections.abc import AsyncIterator
from itertools import count as counting
from pathlib import Path

import pytest

from app.models.answer import Bounds, Patience
from app.models.client import ModelClient
from app.models.profile import Profile
from tests.servers.aimock import aimock, aimock_process
from tests.servers.certificates import own_certificate
from tests.servers.llmock import llmock, llmock_process
from tests.wires.asking import Ask, Asking

__all__ = ["aimock", "aimock_process", "llmock", "llmock_process"]


@pytest.fixture
async def asking() -> AsyncIterator[Ask]:
    """Make clients: `asking(key=..., patience=..., bounds=..., now=..., chance=...)`; they are closed at the
    end.
    """
    made: list[ModelClient] = []

    def make(
        key: str = "",
        patience: Patience | None = None,
        bounds: Bounds | None = None,
        now: float = 0.0,
        chance: float = 1.0,
    ) -> Asking:
        async def key_of(profile: Profile) -> str:
            return key

        async def sleep(seconds: float) -> None:
            asking.waits.append(seconds)

        numbers = counting(1)
        client = ModelClient(
            key_of, patience=patience, bounds=bounds, sleep=sleep, now=lambda: now, chance=lambda: chance,
            ids=lambda: f"minted_{next(numbers)}",
        )  # fmt: skip
        asking = Asking(client)
        made.append(client)
        return asking

    yield make
    for client in made:
        await client.close()


@pytest.fixture(scope="session")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A certificate for 127.0.0.1 that nobody vouches for, and its key."""
    return own_certificate(tmp_path_factory.mktemp("tls"))

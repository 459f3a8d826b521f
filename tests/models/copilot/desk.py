"""The models of an engine over a home of the test's own, with a Copilot of our own behind them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from app import settings as settings_file
from app.events import Event
from app.models.models import Models
from app.models.request import Finished, ModelRequest, Reply, Waiting
from app.platform.paths import home as home_of
from app.records import Message
from app.settings import Settings
from tests.servers.copilot import GITHUB_TOKEN, Copilot


@dataclass
class Desk:
    """What a test works with."""

    models: Models
    home: Path
    settings: Settings
    events: list[Event] = field(default_factory=list)
    told: int = 0
    waits: list[float] = field(default_factory=list)

    async def request(
        self, name: str = "copilot/gpt-5-mini", *messages: Message, **fields: Any
    ) -> ModelRequest:
        """A request to a model, as a turn makes it; without messages it asks "Hello"."""
        profile, model = await self.models.resolve(name)
        return ModelRequest(
            profile=profile, model=model, messages=messages or (said("user", "Hello"),), **fields
        )

    async def reply(self, request: ModelRequest) -> Reply:
        """The reply to a request."""
        async with aclosing(self.models.client.stream(request)) as events:
            async for event in events:
                if isinstance(event, Waiting):
                    self.waits.append(event.seconds)
                if isinstance(event, Finished):
                    return event.reply
        raise AssertionError("the stream ended without a reply")

    async def ask(self, name: str = "copilot/gpt-5-mini", *messages: Message, **fields: Any) -> Reply:
        """The reply of a model."""
        return await self.reply(await self.request(name, *messages, **fields))


@asynccontextmanager
async def desk(
    home: Path, copilot: Copilot, *, environ: dict[str, str] | None = None, text: str = ""
) -> AsyncIterator[Desk]:
    """Make the models with the settings of a Copilot server, or `text`; the person's token stands in the
    environment unless `environ` says otherwise.
    """
    given = {"BRAMBLE_HOME": str(home), **(environ if environ is not None else {"GH_TOKEN": GITHUB_TOKEN})}
    place = home_of(given)
    place.make()
    place.settings.write_text(text or copilot.settings(), encoding="utf-8")
    made: Desk

    async def change(**changes: Any) -> Settings:
        made.settings = settings_file.save(place.settings, **changes)
        return made.settings

    async def tell(name: str) -> None:
        made.told += 1

    models = Models(
        place, given, lambda: made.settings, change, lambda event: made.events.append(event), tell
    )
    made = Desk(models, home, settings_file.load(place.settings))

    async def sleep(seconds: float) -> None:
        return None

    models.client._sleep = sleep
    try:
        yield made
    finally:
        await models.close()


def said(role: Any, text: str, **fields: Any) -> Message:
    """A message of a conversation."""
    return Message(id="m", session="s", parent=None, turn="t", role=role, created=0.0, text=text, **fields)

"""What tools can reach as things are set: search engines, services, the browser, models of pictures."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from app.capabilities.browser import program
from app.capabilities.search import OWN_ENGINES
from app.capabilities.search.engines import Engine as SearchData, engines
from app.capabilities.services import built_in
from app.models.models import Models
from app.settings import Settings
from app.tool_records import PictureModel, Reachable, SearchEngine, ServiceAddress

if TYPE_CHECKING:
    from app.engine import Engine

_HAS_KEY = ("environment", "keyring", "file", "not needed")


async def reachable(engine: Engine) -> Reachable:
    """Return what tools can reach now. Nothing is asked over the network. Raises SettingsError for a file of
    engines that cannot be read.
    """
    own = engine.home.settings.with_name(OWN_ENGINES)
    known = await asyncio.to_thread(engines, own)
    browser = await asyncio.to_thread(program.find, engine.settings.browser, engine.environ)
    return Reachable(
        engines=tuple([await _engine(one, engine.models, engine.settings) for one in known.values()]),
        services=tuple(
            ServiceAddress(name=name, title=one.title, address=one.address)
            for name, one in built_in().items()
        ),
        pictures=await _pictures(engine.models),
        browser=browser,
    )


async def _engine(one: SearchData, models: Models, settings: Settings) -> SearchEngine:
    key = (await models.sign_in.accounts.key(one.key))[0] if one.key else ""
    address = settings.services.get(one.address, "") if one.address else ""
    return SearchEngine(
        name=one.id,
        title=one.title,
        host=one.host,
        account=one.key,
        service=one.address,
        ready=bool(key or address) or not one.set_up,
    )


async def _pictures(models: Models) -> tuple[PictureModel, ...]:
    found = []
    for info in await models.profiles():
        profile, _ = models.named(f"{info.name}/-")
        if profile.images is not None and profile.images.model:
            name = f"{info.name}/{profile.images.model}"
            title = f"{info.title}: {profile.images.model}"
            found.append(PictureModel(name=name, title=title, ready=info.key in _HAS_KEY))
    return tuple(found)

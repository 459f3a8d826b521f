"""What tools reach of the web beside plain requests: search engines, services, and pages in a browser.

Each is made for a call when it is first used, since most calls use none and their parts take time to load.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from app.capabilities.files_changing import Files
from app.capabilities.gate import Permit
from app.capabilities.search import OWN_ENGINES
from app.capabilities.web import Web, WebReader
from app.platform.paths import Home
from app.settings import Settings
from tools import (
    ChangeServices,
    MadePicture,
    MakePictures,
    Photographed,
    ReadPages,
    ReadServices,
    Request,
    Response,
    Searched,
    SearchWeb,
    ServiceChange,
    ServiceReply,
    Site,
)

if TYPE_CHECKING:
    from app.capabilities.pages import PageReader
    from app.capabilities.pictures import PictureMaker
    from app.capabilities.search.searching import SearchBook, Searcher
    from app.capabilities.services import ServiceBook, ServiceChanger
    from app.models.models import Models

_NOTHING: Mapping[str, str] = MappingProxyType({})


class Online:
    """What all calls of a process share: the engines, services and keys of the person."""

    def __init__(
        self,
        web: Web,
        home: Home,
        environ: Mapping[str, str],
        settings: Callable[[], Settings],
        models: Models,
        clock: Callable[[], float] = time.time,
    ) -> None:
        """`models` has the keys of accounts too."""
        self.web = web
        self.environ = environ
        self.settings = settings
        self._own_engines = home.settings.with_name(OWN_ENGINES)
        self.models = models
        self._clock = clock

    async def _key(self, name: str) -> tuple[str, str]:
        """Return the key of an account and where it is, both "" for none."""
        return await self.models.sign_in.accounts.key(name)

    @cached_property
    def engines(self) -> SearchBook:
        """The search engines, and what they found lately."""
        from app.capabilities.search.searching import SearchBook

        return SearchBook(
            self._own_engines,
            lambda: self.settings().search_engines,
            lambda: self.settings().services,
            self._key,
            self._clock,
        )

    @cached_property
    def services(self) -> ServiceBook:
        """Where services are, and their keys."""
        from app.capabilities.services import ServiceBook

        return ServiceBook(lambda: self.settings().services, self._key, self._clock)


class Call(NamedTuple):
    """One call of a tool, behind its gate."""

    online: Online
    gate: Permit
    tool: str
    progress: Callable[[str], None]

    def talk(self, gate: Permit) -> Talking:
        """Return the web below a larger question."""
        return Talking(self.online.web, gate, self.tool)


class Talking(WebReader):
    """Implements `settled.Talk`."""

    async def send(self, request: Request) -> Response:
        """See Talk."""
        return await self._response(request)


class _Searching:
    """Implements `tools.SearchWeb`."""

    def __init__(self, call: Call) -> None:
        self._call = call

    @cached_property
    def _made(self) -> Searcher:
        from app.capabilities.search.searching import Searcher

        return Searcher(self._call.online.engines, self._call.gate, self._call.talk)

    async def search(
        self,
        query: str,
        *,
        limit: int = 10,
        recency: Literal["", "day", "week", "month", "year"] = "",
        site: str = "",
    ) -> Searched:
        """See SearchWeb."""
        return await self._made.search(query, limit=limit, recency=recency, site=site)

    async def photos(self, query: str, *, limit: int = 10) -> Photographed:
        """See SearchWeb."""
        return await self._made.photos(query, limit=limit)


class _Services:
    """Implements `tools.ReadServices`."""

    def __init__(self, call: Call) -> None:
        self._call = call

    @cached_property
    def _made(self) -> ServiceChanger:
        from app.capabilities.services import ServiceChanger

        return ServiceChanger(self._call.online.services, self._call.gate, self._call.talk)

    async def get(
        self, service: str, path: str, query: Mapping[str, str] = _NOTHING, *, accept: str = ""
    ) -> ServiceReply:
        """See ReadServices."""
        return await self._made.get(service, path, query, accept=accept)

    async def rows(
        self, service: str, path: str, query: Mapping[str, str] = _NOTHING, *, limit: int = 30
    ) -> ServiceReply:
        """See ReadServices."""
        return await self._made.rows(service, path, query, limit=limit)


class _Changing(_Services):
    """Implements `tools.ChangeServices`."""

    async def send(self, service: str, method: str, path: str, body: Mapping[str, Any]) -> ServiceReply:
        """See ChangeServices."""
        return await self._made.send(service, method, path, body)

    async def send_all(self, service: str, changes: Sequence[ServiceChange]) -> tuple[ServiceReply, ...]:
        """See ChangeServices."""
        return await self._made.send_all(service, changes)


class _Pages:
    """Implements `tools.ReadPages`."""

    def __init__(self, call: Call) -> None:
        self._call = call

    @cached_property
    def _made(self) -> PageReader:
        from app.capabilities.browser.way import Guide
        from app.capabilities.pages import PageReader

        call, online = self._call, self._call.online
        return PageReader(
            call.gate,
            call.talk,
            lambda gate: Guide(online.web.way(), gate),
            lambda: online.settings().browser,
            online.environ,
            call.progress,
        )

    async def scrape(
        self,
        url: str,
        *,
        selector: str = "",
        fields: Sequence[str] = (),
        depth: int = 0,
        wait: float | None = None,
        most: int = 50,
    ) -> Site:
        """See ReadPages."""
        return await self._made.scrape(
            url, selector=selector, fields=fields, depth=depth, wait=wait, most=most
        )


class _Pictures:
    """Implements `tools.MakePictures`."""

    def __init__(self, call: Call, files: Files) -> None:
        self._call = call
        self._files = files

    @cached_property
    def _made(self) -> PictureMaker:
        from app.capabilities.pictures import PictureMaker

        call = self._call
        return PictureMaker(call.online.models, call.online.settings, call.gate, self._files, call.progress)

    async def draw(
        self, prompt: str, *, size: Literal["square", "wide", "tall"] = "square", path: str = ""
    ) -> MadePicture:
        """See MakePictures."""
        return await self._made.draw(prompt, size=size, path=path)

    async def edit(self, prompt: str, picture: str, *, mask: str = "", path: str = "") -> MadePicture:
        """See MakePictures."""
        return await self._made.edit(prompt, picture, mask=mask, path=path)


class Reading(NamedTuple):
    """The capabilities of a call that only reads."""

    search: SearchWeb | None = None
    services: ReadServices | None = None
    pages: ReadPages | None = None


class Acting(NamedTuple):
    """The capabilities of a call that may change something."""

    search: SearchWeb | None = None
    services: ChangeServices | None = None
    pages: ReadPages | None = None
    pictures: MakePictures | None = None


def reading(online: Online | None, gate: Permit, tool: str, progress: Callable[[str], None]) -> Reading:
    """Return what a reading call may use; nothing where there is no web."""
    if online is None:
        return Reading()
    call = Call(online, gate, tool, progress)
    return Reading(_Searching(call), _Services(call), _Pages(call))


def acting(
    online: Online | None, gate: Permit, tool: str, progress: Callable[[str], None], files: Files
) -> Acting:
    """Return what a changing call may use."""
    if online is None:
        return Acting()
    call = Call(online, gate, tool, progress)
    return Acting(_Searching(call), _Changing(call), _Pages(call), _Pictures(call, files))

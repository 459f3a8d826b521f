"""The web as a tool may use it, behind the gate of one call: read, send, and bring files.

What does it is imported at the first request: most calls of tools make none.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from app.errors import ToolError
from tools import Download, Feed, Page, Request, Response

if TYPE_CHECKING:
    from app.capabilities.files_changing import Files
    from app.capabilities.gate import Permit
    from app.capabilities.web_addresses import Target
    from app.capabilities.web_following import Sender, Take
    from app.capabilities.web_sending import Body, Sent, Way

_PAGES = "text/html,application/xhtml+xml,application/pdf,application/json;q=0.9,text/*;q=0.8,*/*;q=0.5"
_FEEDS = "application/atom+xml,application/rss+xml,application/feed+json,application/xml;q=0.9,*/*;q=0.5"


@dataclass(frozen=True)
class Web:
    """What all requests of a process share. `way` is looked at for each, so that a changed setting holds at
    once.
    """

    way: Callable[[], Way]
    clock: Callable[[], float] = field(default=time.monotonic)
    scratch: str = ""
    """A folder of ours for what is not whole yet, "" for the system's."""


class WebReader:
    """Implements `tools.ReadWeb`."""

    def __init__(self, web: Web, gate: Permit, tool: str, permitted: Iterable[str] = ()) -> None:
        """`tool` names the call in rules. `permitted` are public hosts from which it may read without being
        judged again.
        """
        self._web = web
        self._gate = gate
        self._tool = tool
        self._permitted = tuple(permitted)
        self._made: Sender | None = None

    async def get(self, request: Request) -> Response:
        """See ReadWeb."""
        if request.method.upper() not in ("GET", "HEAD"):
            raise ToolError("bad_arguments", f"{request.method} is no request that only reads.")
        return await self._response(request)

    async def page(self, request: Request) -> Page:
        """See ReadWeb."""
        from app.capabilities import web_answers

        async def take(sent: Sent, target: Target) -> Body:
            return await web_answers.take_page(sent, request)

        return await web_answers.page(await self._sender.ask(request, take, accept=_PAGES))

    async def feed(self, request: Request) -> Feed:
        """See ReadWeb."""
        found = await self._feed(request)
        if isinstance(found, str):
            named, found = found, await self._feed(request._replace(url=found, query={}), led=True)
            if isinstance(found, str):
                raise ToolError("wrong_kind", f"{named} is named as a feed and is none.")
        return found

    async def _feed(self, request: Request, *, led: bool = False) -> Feed | str:
        """Return a feed, or the address of the one that a page names."""
        from app.capabilities import web_answers
        from app.capabilities.web_addresses import joined

        answered = await self._sender.ask(request, _taking(request), accept=_FEEDS, led=led)
        if answered.head.status >= 400:
            why = f"HTTP {answered.head.status}"
            raise ToolError("no_answer", f"{answered.target.url} answers with {why}.", why=why)
        found = await web_answers.feed(answered)
        return joined(answered.target, found).url if isinstance(found, str) else found

    async def _response(self, request: Request) -> Response:
        from app.capabilities import web_answers

        return await web_answers.response(await self._sender.ask(request, _taking(request)))

    @property
    def _sender(self) -> Sender:
        if self._made is None:
            from app.capabilities.web_following import Sender

            self._made = Sender(self._web, self._gate, self._tool, self._permitted)
        return self._made


class WebChanger(WebReader):
    """Implements `tools.ChangeWeb`."""

    def __init__(
        self,
        web: Web,
        gate: Permit,
        tool: str,
        files: Files,
        progress: Callable[[str], None] = lambda text: None,
        permitted: Iterable[str] = (),
    ) -> None:
        """`progress` tells how far a download is."""
        super().__init__(web, gate, tool, permitted)
        self._files = files
        self._progress = progress

    async def send(self, request: Request) -> Response:
        """See ChangeWeb."""
        return await self._response(request)

    async def download(self, request: Request, path: str = "", sha256: str = "") -> Download:
        """See ChangeWeb."""
        from app.capabilities.web_saving import download

        return await download(
            request, path, sha256, self._sender, self._files, self._progress, self._web.scratch
        )


def _taking(request: Request) -> Take[Body]:
    from app.capabilities.web_sending import read_body

    async def take(sent: Sent, target: Target) -> Body:
        return await read_body(sent, request.most, cut=request.cut)

    return take

"""The web as a tool may use it, behind the gate of one call: read, send, and bring files."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from app.capabilities import web_answers as answers
from app.capabilities.files_changing import Files
from app.capabilities.gate import Permit
from app.capabilities.web_addresses import Target, joined
from app.capabilities.web_following import Sender, Take, Web
from app.capabilities.web_sending import Body, Sent, read_body
from app.errors import ToolError
from app.permissions.requests import READS
from tools import Download, Feed, Page, Request, Response

__all__ = ["Web", "WebChanger", "WebReader"]

_PAGES = "text/html,application/xhtml+xml,application/pdf,application/json;q=0.9,text/*;q=0.8,*/*;q=0.5"
_FEEDS = "application/atom+xml,application/rss+xml,application/feed+json,application/xml;q=0.9,*/*;q=0.5"


class WebReader:
    """Implements `tools.ReadWeb`."""

    def __init__(self, web: Web, gate: Permit, tool: str, permitted: Iterable[str] = ()) -> None:
        """See `Sender`."""
        self._sender = Sender(web, gate, tool, permitted)

    async def get(self, request: Request) -> Response:
        """See ReadWeb."""
        if request.method.upper() not in READS:
            raise ToolError("bad_arguments", f"{request.method} is no request that only reads.")
        return await self._response(request)

    async def page(self, request: Request) -> Page:
        """See ReadWeb."""

        async def take(sent: Sent, target: Target) -> Body:
            return await answers.take_page(sent, request)

        return await answers.page(await self._sender.ask(request, take, accept=_PAGES))

    async def feed(self, request: Request) -> Feed:
        """See ReadWeb."""
        answered = await self._sender.ask(request, _taking(request), accept=_FEEDS)
        _must_be_good(answered.head.status, answered.target.url)
        found = await answers.feed(answered)
        if not isinstance(found, Feed):
            named = joined(answered.target, found).url
            request = request._replace(url=named, query={})
            answered = await self._sender.ask(request, _taking(request), accept=_FEEDS)
            _must_be_good(answered.head.status, named)
            found = await answers.feed(answered)
        if not isinstance(found, Feed):
            raise ToolError("wrong_kind", f"{answered.target.url} is named as a feed and is none.")
        return found

    async def _response(self, request: Request) -> Response:
        return await answers.response(await self._sender.ask(request, _taking(request)))


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
        self._scratch = web.scratch

    async def send(self, request: Request) -> Response:
        """See ChangeWeb."""
        return await self._response(request)

    async def download(self, request: Request, path: str = "", sha256: str = "") -> Download:
        """See ChangeWeb."""
        from app.capabilities.web_saving import download

        return await download(request, path, sha256, self._sender, self._files, self._progress, self._scratch)


def _taking(request: Request) -> Take[Body]:
    async def take(sent: Sent, target: Target) -> Body:
        return await read_body(sent, request.most, cut=request.cut)

    return take


def _must_be_good(status: int, url: str) -> None:
    if status >= 400:
        raise ToolError("no_answer", f"{url} answers with HTTP {status}.", why=f"HTTP {status}")

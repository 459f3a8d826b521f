"""Pages as a browser shows them, for tools: one or those of a site, each hop judged, what is asked for taken
out in a process of its own.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING
from urllib.parse import urlsplit
from urllib.robotparser import RobotFileParser

from app.capabilities.browser import program
from app.capabilities.browser.way import Guide
from app.capabilities.files_work import in_process
from app.capabilities.gate import Permit
from app.capabilities.page_frontier import Frontier
from app.capabilities.settled import Behind, Settled, Talk
from app.errors import ToolError
from app.platform.plain_text import visible
from tools import Request, Response, Scraped, Site

if TYPE_CHECKING:
    from app.capabilities.browser.rendering import Browser
    from app.documents.fields import Taken

SITE_SECONDS = 180.0
"""After this no further page of a site is begun."""
READ_SECONDS = 20.0
_AGENT = "Bramble"
_CHALLENGES = ("captcha", "cf-chl", "challenge-platform", "are you a robot", "verify you are human")
_MARKUP = ("", "text/html", "application/xhtml+xml", "text/plain")


class PageReader:
    """Implements `tools.ReadPages` for one call."""

    def __init__(
        self,
        gate: Permit,
        web: Behind,
        guide: Callable[[Permit], Guide],
        browser: Callable[[], str],
        environ: Mapping[str, str],
        progress: Callable[[str], None],
    ) -> None:
        """`guide` gives the connections of a browser, `browser` what the setting says of the program."""
        self._gate = gate
        self._web = web
        self._guide = guide
        self._browser = browser
        self._environ = environ
        self._progress = progress

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
        asked = _Asked(selector.strip(), tuple(fields), wait)
        names = await asked.checked()
        first = await self._web(self._gate).get(Request(url))
        host = urlsplit(first.url).hostname or ""
        behind = Settled(self._gate, [host], [first.url] if self._was_opened(first) else [])
        async with self._shown(behind) as (browser, why):
            visit = _Visit(asked, browser, self._web(behind), why)
            return await self._site(visit, first, names, depth, most)

    def _was_opened(self, first: Response) -> bool:
        """Whether the page stands on this computer or in the own network: then it was let through by a rule
        or the person's own words, and its further pages may be read too.
        """
        from app.capabilities.web_addresses import read

        return read(first.url).place == "private"

    @contextlib.asynccontextmanager
    async def _shown(self, gate: Permit) -> AsyncIterator[tuple[Browser | None, str]]:
        found = program.find(self._browser(), self._environ)
        if not found:
            yield (
                None,
                "No browser (Chromium) is installed here, so the pages were read without their scripts.",
            )
            return
        guide = self._guide(gate)
        if guide.proxied:
            yield (
                None,
                "The settings name a proxy, which the browser cannot take; pages were read without scripts.",
            )
            return
        from app.capabilities.browser.rendering import NotRendered, browser

        async with contextlib.AsyncExitStack() as stack:
            why = ""
            try:
                opened = await stack.enter_async_context(browser(found, guide.connect, self._environ))
            except (NotRendered, OSError) as error:
                opened, why = (
                    None,
                    f"The browser could not be used ({error}); pages were read without scripts.",
                )
            yield opened, why

    async def _site(
        self, visit: _Visit, first: Response, names: tuple[str, ...], depth: int, most: int
    ) -> Site:
        frontier = Frontier(first.url, depth, most)
        pages: list[Scraped] = []
        failed: list[tuple[str, str]] = []
        robots = await visit.robots(first.url) if depth else None
        began, why = time.monotonic(), f"{most} pages are the most"
        while (entry := frontier.following()) is not None:
            address, level = entry
            if time.monotonic() - began > SITE_SECONDS:
                frontier.put_back(entry)
                why = f"it took more than {SITE_SECONDS:g} seconds"
                break
            if robots is not None and pages and not robots.can_fetch(_AGENT, address):
                frontier.forbid()
                continue
            self._progress(f"{len(pages) + 1}. {address}")
            try:
                page, links = await visit.read(address, first if not pages and not failed else None)
            except ToolError as error:
                if not pages:
                    raise
                failed.append((address, str(error)))
                continue
            if frontier.is_new(page.url, address):
                pages.append(page)
                frontier.add(links, level + 1)
        refused = visit.browser.refused if visit.browser else ()
        return Site(
            tuple(pages),
            names,
            visit.why,
            tuple(failed),
            frontier.left,
            why if frontier.left else "",
            frontier.forbidden,
            refused,
        )


class _Asked:
    """What is to be taken out of each page."""

    def __init__(self, selector: str, fields: tuple[str, ...], wait: float | None) -> None:
        self.selector = selector
        self.fields = fields
        self.wait = wait

    @property
    def plain(self) -> bool:
        """Whether the text of the page is wanted."""
        return not self.selector and not any(text.strip() for text in self.fields)

    async def checked(self) -> tuple[str, ...]:
        """Return the names of the fields. Raises ToolError bad_expression before anything is fetched."""
        from app.documents.fields import BadExpression, fields_of

        try:
            if self.selector:
                fields_of([self.selector])
            return tuple(field.name for field in fields_of(self.fields))
        except BadExpression as error:
            raise ToolError("bad_expression", str(error), why=str(error)) from None


class _Visit:
    """Reads the pages of one call, through the browser where there is one."""

    def __init__(self, asked: _Asked, browser: Browser | None, web: Talk, why: str) -> None:
        self._asked = asked
        self.browser = browser
        self._web = web
        self.why = why

    async def read(self, url: str, fetched: Response | None) -> tuple[Scraped, tuple[str, ...]]:
        """Return a page and where it leads. `fetched` is what the server sent where that is known already."""
        address, status, html, shown = await self._source(url, fetched)
        taken = await self._taken(html, address)
        text = await self._text(html, address) if self._asked.plain else ""
        note = _note(status, html, taken)
        page = Scraped(
            address,
            status,
            visible(taken.title),
            () if self._asked.plain else taken.rows,
            taken.total,
            text,
            shown,
            note,
        )
        return page, taken.links

    async def _source(self, url: str, fetched: Response | None) -> tuple[str, int, str, bool]:
        if self.browser is not None and (fetched is None or fetched.kind in _MARKUP or fetched.status >= 400):
            from app.capabilities.browser.rendering import NotRendered
            from app.documents.fields import is_xpath

            css = "" if is_xpath(self._asked.selector) else self._asked.selector
            try:
                page = await self.browser.render(url, wait=self._asked.wait, selector=css)
                return page.url, page.status, page.html, True
            except NotRendered as error:
                if fetched is None:
                    raise ToolError(
                        "not_rendered", f"The browser could not show {url}: {error}.", why=str(error)
                    ) from error
                self.why = f"The browser could not show the page ({error}); it was read without its scripts."
        response = fetched or await self._web.get(Request(url))
        if response.kind not in _MARKUP and "xml" not in response.kind:
            why = f"{response.url} is no page but {response.kind}"
            raise ToolError("wrong_kind", f"{why}. web_fetch reads PDF, JSON and feeds.", why=why)
        return response.url, response.status, response.text, False

    async def _taken(self, html: str, url: str) -> Taken:
        from app.documents.fields import BadExpression, take

        try:
            return await in_process(
                take, html, url, self._asked.selector, self._asked.fields, seconds=READ_SECONDS
            )
        except BadExpression as error:
            raise ToolError("bad_expression", str(error), why=str(error)) from None
        except TimeoutError:
            why = f"what was asked for takes more than {READ_SECONDS:g} seconds to find"
            raise ToolError("bad_expression", f"{url}: {why}.", why=why) from None

    async def _text(self, html: str, url: str) -> str:
        from app.documents.failing import Unreadable
        from app.documents.web_pages import Given, read

        given = Given(url, "text/html", "utf-8")
        try:
            return (await in_process(read, html.encode("utf-8", "replace"), given, seconds=READ_SECONDS)).text
        except (Unreadable, TimeoutError):
            return ""

    async def robots(self, url: str) -> RobotFileParser | None:
        """Return what the site asks programs to leave alone, None where it asks nothing."""
        parts = urlsplit(url)
        try:
            answer = await self._web.get(
                Request(f"{parts.scheme}://{parts.netloc}/robots.txt", seconds=10, most=500_000)
            )
        except ToolError:
            return None
        if answer.status != 200:
            return None
        rules = RobotFileParser()
        await asyncio.to_thread(partial(rules.parse, answer.text.splitlines()))
        return rules


def _note(status: int, html: str, taken: Taken) -> str:
    page = html[:200_000].casefold()
    if status in (403, 429, 503) and any(word in page for word in _CHALLENGES):
        return f"HTTP {status}: the site asks whether a person is reading (captcha); this is not its content"
    if status >= 400:
        return f"HTTP {status}"
    return "" if taken.text or taken.rows else "the page is empty"

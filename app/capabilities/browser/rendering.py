"""A browser of its own for the pages of one call: each is opened anew, and read once its scripts have run."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import shutil
import tempfile
import time
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from app.capabilities.browser.process import started
from app.capabilities.browser.proxy import Connect, Proxy
from app.capabilities.browser.remote import BrowserGone, Remote

MOST_BYTES = 60_000_000
"""What the pages of one call may load, pictures and scripts too."""
MOST_TEXT = 5_000_000
"""Characters of a page that are taken."""
START_SECONDS = 20.0
LOAD_SECONDS = 30.0
QUIET_SECONDS = 5.0
"""How long a page that nobody gave a time may go on loading."""
LEFT_SECONDS = 86_400.0
_PREFIX = "bramble-page-"
_POLL = 0.15
_SOURCE = f"document.documentElement ? document.documentElement.outerHTML.slice(0, {MOST_TEXT}) : ''"


class Rendered(NamedTuple):
    """A page after its scripts ran. `status` is that of the document, 0 where none is known."""

    url: str
    status: int
    html: str
    cut: bool


class NotRendered(Exception):
    """The page cannot be shown; the text says why."""


class Browser:
    """A running browser behind its proxy."""

    def __init__(self, remote: Remote, proxy: Proxy, tabs: _Tabs) -> None:
        self._remote = remote
        self._proxy = proxy
        self._tabs = tabs

    @property
    def refused(self) -> tuple[str, ...]:
        """The hosts that pages wanted something from, and were not let to."""
        return tuple(self._proxy.refused)

    @property
    def reached(self) -> tuple[str, ...]:
        """The hosts that pages were connected with."""
        return tuple(self._proxy.reached)

    async def render(self, url: str, *, wait: float | None = None, selector: str = "") -> Rendered:
        """Return a page as it stands after `wait` seconds, or as soon as it has what `selector` (CSS) names;
        without either once it is quiet. Raises NotRendered.
        """
        try:
            async with self._tab() as tab:
                await tab.open(url)
                await tab.settle(wait, selector)
                address, text = await tab.read()
        except (BrowserGone, TimeoutError) as error:
            if self._proxy.spent:
                raise NotRendered(f"it loads more than {MOST_BYTES:,} bytes") from error
            raise NotRendered(str(error) or "it did not load in time") from error
        return Rendered(address, tab.status, text, len(text) >= MOST_TEXT)

    @contextlib.asynccontextmanager
    async def _tab(self) -> AsyncIterator[_Tab]:
        async with asyncio.timeout(START_SECONDS):
            made = await self._remote.call("Target.createTarget", url="about:blank")
            target = str(made["targetId"])
            tab = _Tab(self._remote, target)
            try:
                attached = await self._remote.call("Target.attachToTarget", targetId=target, flatten=True)
                tab.session = self._tabs.session = str(attached["sessionId"])
                self._tabs.tab = tab
                await tab.prepare()
            except BaseException:
                self._tabs.tab = None
                raise
        try:
            yield tab
        finally:
            self._tabs.tab = None
            with contextlib.suppress(BrowserGone, TimeoutError):
                async with asyncio.timeout(_POLL * 10):
                    await self._remote.call("Target.closeTarget", targetId=target)


class _Tabs:
    """Hands events on to the tab that is open."""

    def __init__(self) -> None:
        self.tab: _Tab | None = None
        self.session = ""

    def heard(self, session: str, method: str, said: Mapping[str, Any]) -> None:
        """Take an event of the browser; those of frames and windows that a page opened are nobody's."""
        if self.tab is not None and session == self.session:
            self.tab.heard(method, said)


class _Tab:
    """One page."""

    def __init__(self, remote: Remote, frame: str) -> None:
        """The id of a target is that of its outermost frame."""
        self._remote = remote
        self._frame = frame
        self.session = ""
        self.status = 0
        self._loaded = asyncio.Event()
        self._quiet = asyncio.Event()
        self._dialogs: set[asyncio.Task[None]] = set()

    def heard(self, method: str, said: Mapping[str, Any]) -> None:
        """Take an event of the page."""
        if method == "Page.loadEventFired":
            self._loaded.set()
        elif method == "Page.lifecycleEvent" and said.get("frameId") == self._frame:
            if said.get("name") == "init":
                self._quiet.clear()
            elif said.get("name") == "networkIdle":
                self._quiet.set()
        elif method == "Network.responseReceived" and said.get("type") == "Document":
            if said.get("frameId") == self._frame:
                self.status = int(said.get("response", {}).get("status", 0))
        elif method == "Page.javascriptDialogOpening":  # a page that asks something waits for ever
            task = asyncio.ensure_future(self._dismiss())
            self._dialogs.add(task)
            task.add_done_callback(self._dialogs.discard)

    async def _dismiss(self) -> None:
        with contextlib.suppress(BrowserGone):
            await self._call("Page.handleJavaScriptDialog", accept=False)

    async def _call(self, method: str, **parameters: Any) -> Any:
        return await self._remote.call(method, self.session, **parameters)

    async def prepare(self) -> None:
        """Listen to the page. Raises BrowserGone."""
        for method in ("Page.enable", "Network.enable"):
            await self._call(method)
        await self._call("Page.setLifecycleEventsEnabled", enabled=True)

    async def open(self, url: str) -> None:
        """Go to an address and wait until it is loaded. Raises BrowserGone, TimeoutError."""
        self._loaded.clear()
        self._quiet.clear()
        async with asyncio.timeout(LOAD_SECONDS):
            gone = await self._call("Page.navigate", url=url)
            if gone.get("errorText"):
                raise BrowserGone(f"it cannot be opened ({gone['errorText']})")
            await self._loaded.wait()

    async def settle(self, wait: float | None, selector: str) -> None:
        """Wait for the page's scripts."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(QUIET_SECONDS if wait is None else wait):
                if selector:
                    while not await self._evaluated(f"!!document.querySelector({json.dumps(selector)})"):
                        await asyncio.sleep(_POLL)
                elif wait is None:
                    await self._quiet.wait()
                else:
                    await asyncio.sleep(wait)

    async def read(self) -> tuple[str, str]:
        """Return the address and the source of the page as it stands now. Raises BrowserGone,
        TimeoutError.
        """
        async with asyncio.timeout(LOAD_SECONDS):
            return str(await self._evaluated("location.href")), str(await self._evaluated(_SOURCE))

    async def _evaluated(self, expression: str) -> Any:
        said = await self._call("Runtime.evaluate", expression=expression, returnByValue=True)
        return said.get("result", {}).get("value", "")


def _folder() -> str:
    """Return a new empty folder; what a kill left behind a day ago goes."""
    for left in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*"):
        with contextlib.suppress(OSError):
            found = left.lstat()
            if found.st_uid == os.getuid() and time.time() - found.st_mtime > LEFT_SECONDS:
                shutil.rmtree(left, True)
    return tempfile.mkdtemp(prefix=_PREFIX)


@contextlib.asynccontextmanager
async def browser(program: str, connect: Connect, environ: Mapping[str, str]) -> AsyncIterator[Browser]:
    """Yield a new browser whose only way out is `connect`; nothing of it stays. Raises NotRendered."""
    folder = await asyncio.to_thread(_folder)
    tabs = _Tabs()
    try:
        async with (
            Proxy(connect, MOST_BYTES) as proxy,
            started(program, folder, proxy.port, environ, tabs.heard) as remote,
        ):
            try:
                async with asyncio.timeout(START_SECONDS):
                    await remote.call("Browser.setDownloadBehavior", behavior="deny")
            except (BrowserGone, TimeoutError) as error:
                raise NotRendered(f"{program} does not start") from error
            yield Browser(remote, proxy, tabs)
    finally:
        await asyncio.to_thread(shutil.rmtree, folder, True)

"""Asks the search engines for one call: which ones, all at once behind one question, and what they
come to.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal, NamedTuple, TypeVar
from urllib.parse import urlencode, urlsplit

from app.capabilities.gate import Permit
from app.capabilities.search import photos as photographs
from app.capabilities.search.engines import Engine, Question, can_answer, engines, request
from app.capabilities.search.fusing import fused
from app.capabilities.search.reading import EngineFailed, hits
from app.capabilities.settled import Behind, Settled, Talk
from app.errors import SettingsError, ToolError
from app.records import Mark, RequestEffect
from tools import Failure, Hit, Photo, Photographed, Request, Response, Searched

T = TypeVar("T")
KEPT_SECONDS = 300.0
KEPT = 200
PATIENCE = 2.0
"""How long the rest may still take once two engines have found something."""
ENOUGH = 2
_FAILED = {
    "no_host": "it cannot be found",
    "no_answer": "it cannot be reached",
    "timed_out": "it took too long",
    "private_address": "it is not at a public address",
    "tls_failed": "no safe connection",
    "too_large": "its answer is too large",
    "cut_body": "its answer broke off",
    "too_many_redirects": "its redirects do not end",
    "bad_address": "it sends to another host",
}


class SearchBook:
    """What all searches of a process share: the engines of the person, their keys, and what was found
    lately.
    """

    def __init__(
        self,
        own: Path,
        wanted: Callable[[], Sequence[str]],
        addresses: Callable[[], Mapping[str, str]],
        key: Callable[[str], Awaitable[tuple[str, str]]],
        clock: Callable[[], float] = time.time,
    ) -> None:
        """`own` is the person's file of engines. `wanted` are the names of the only ones to ask, () for all
        that can be; `addresses` those of the settings, `key` gives the key of an account.
        """
        self._own = own
        self._wanted = wanted
        self._addresses = addresses
        self._key = key
        self.clock = clock
        self._kept: dict[tuple[Question, tuple[str, ...]], tuple[float, Searched]] = {}

    async def ways(self, question: Question) -> list[list[Way]]:
        """Return who is asked, in turns: those that the person set up, and where none of these answers the
        ones that need no key. A server of the person's own stays alone: what they look for goes nowhere else.

        Raises SettingsError for a setting that cannot be used, ToolError no_engine.
        """
        known = await asyncio.to_thread(engines, self._own)
        wanted = tuple(self._wanted())
        if unknown := [name for name in wanted if name not in known]:
            raise _bad("search_engines", f"there is no engine {unknown[0]!r}; there are: {', '.join(known)}")
        chosen = [known[name] for name in wanted] if wanted else list(known.values())
        ready = [way for engine in chosen if (way := await self._way(engine, bool(wanted))) is not None]
        able = [way for way in ready if can_answer(way.engine, question)]
        if not able:
            what = "the span of time" if question.recency else "the site"
            raise ToolError("no_engine", f"No search engine that may be asked can keep to {what}.")
        own = [way for way in able if way.engine.set_up]
        free = [way for way in able if not way.engine.set_up]
        if wanted or not own:
            return [able]
        return [own] if any(way.engine.address for way in own) or not free else [own, free]

    async def _way(self, engine: Engine, wanted: bool) -> Way | None:
        base, key = "", ""
        if engine.address:
            base = self._addresses().get(engine.address, "")
            if base and (urlsplit(base).scheme not in ("http", "https") or not urlsplit(base).hostname):
                raise _bad("services", f"{engine.address}: {base!r} is no address of the web")
        if engine.key:
            key, _ = await self._key(engine.key)
        if engine.set_up and not (base or key):
            if wanted:
                raise _bad("search_engines", f"{engine.id} is not set up")
            return None
        return Way(engine, base, key)

    def collections(self) -> list[tuple[photographs.Collection, bool]]:
        """Return the collections of photographs, and whether the person moved each elsewhere."""
        moved = self._addresses()
        return [
            (one._replace(url=moved[one.id]) if moved.get(one.id) else one, bool(moved.get(one.id)))
            for one in photographs.COLLECTIONS
        ]

    def kept(self, question: Question, names: tuple[str, ...]) -> Searched | None:
        """Return what the same engines found for the same question a moment ago."""
        found = self._kept.get((question, names))
        age = self.clock() - found[0] if found else 0.0
        return found[1]._replace(age=age) if found and 0 <= age < KEPT_SECONDS else None

    def keep(self, question: Question, names: tuple[str, ...], found: Searched) -> None:
        """Keep an answer for a while; one in which an engine failed is asked again."""
        if found.failed:
            return
        self._kept.pop((question, names), None)
        self._kept[question, names] = (self.clock(), found)
        while len(self._kept) > KEPT:
            self._kept.pop(next(iter(self._kept)))


class Way(NamedTuple):
    """An engine, the address that the person gave it, and its key."""

    engine: Engine
    base: str = ""
    key: str = ""

    def request(self, question: Question, now: float) -> Request:
        """Return what is asked."""
        today = datetime.fromtimestamp(now, UTC).date()
        return request(self.engine, question, today, base=self.base, key=self.key)

    @property
    def host(self) -> str:
        """The host that is asked."""
        return (urlsplit(self.base).hostname if self.base else self.engine.host) or ""


class Searcher:
    """Implements `tools.SearchWeb` for one call."""

    def __init__(self, book: SearchBook, gate: Permit, web: Behind) -> None:
        self._book = book
        self._gate = gate
        self._web = web

    async def search(
        self,
        query: str,
        *,
        limit: int = 10,
        recency: Literal["", "day", "week", "month", "year"] = "",
        site: str = "",
    ) -> Searched:
        """See SearchWeb."""
        question = Question(" ".join(query.split()), limit, recency, _domain(site))
        found = Searched((), ())
        for ways in await self._book.ways(question):
            turn = await self._turn(question, ways)
            found = turn._replace(asked=(*found.asked, *turn.asked), failed=(*found.failed, *turn.failed))
            if len(turn.failed) < len(turn.asked):
                break
        return found

    async def _turn(self, question: Question, ways: list[Way]) -> Searched:
        now = self._book.clock()
        asked = [(way, way.request(question, now)) for way in ways]
        allowed = [pair for pair in asked if not self._gate.denies(_effect([pair]))] or asked
        await self._gate.permit(_effect(allowed))
        names = tuple(way.engine.title for way, _ in allowed)
        if (kept := self._book.kept(question, names)) is not None:
            self._gate.mark(*(Mark(kind="web", name=way.host) for way, _ in allowed))
            return kept
        behind = Settled(
            self._gate,
            [way.host for way, _ in allowed],
            [sent.url for way, sent in allowed if way.base or not _is_built_in(way.engine)],
            only=True,
        )
        web = self._web(behind)
        got = await _all({way.engine.title: self._hits(web, way, sent) for way, sent in allowed}, bool)
        lists = [(way.engine.weight, got[0].get(way.engine.title, [])) for way, _ in allowed]
        found = Searched(fused(lists, question.limit, question.site), names, got[1])
        self._book.keep(question, names, found)
        return found

    async def _hits(self, web: Talk, way: Way, sent: Request) -> list[Hit]:
        response = await _answer(web, sent)
        return await asyncio.to_thread(hits, way.engine, response)

    async def photos(self, query: str, *, limit: int = 10) -> Photographed:
        """See SearchWeb."""
        words = " ".join(query.split())
        known = self._book.collections()
        asked = [(one, photographs.request(one, words, limit)) for one, _ in known]
        hosts = [urlsplit(sent.url).hostname or "" for _, sent in asked]
        first = asked[0][1]
        await self._gate.permit(
            RequestEffect(
                method="GET",
                url=f"{first.url}?{urlencode(dict(first.query))}",
                host=hosts[0],
                also=tuple(hosts[1:]),
                fixed="web",
            )
        )
        web = self._web(Settled(self._gate, hosts, [one.url for one, moved in known if moved], only=True))

        async def look(one: photographs.Collection, sent: Request) -> list[Photo]:
            return photographs.photos(one, await _answer(web, sent))

        got, failed = await _all({one.title: look(one, sent) for one, sent in asked}, bool)
        found = photographs.mixed([got.get(one.title, []) for one, _ in asked], limit)
        return Photographed(found, tuple(one.title for one, _ in asked), failed)


async def _answer(web: Talk, sent: Request) -> Response:
    try:
        return await (web.get(sent) if sent.method == "GET" else web.send(sent))
    except ToolError as error:
        why = _FAILED.get(error.code)
        if why is None:
            raise
        raise EngineFailed("no_answer", why) from error


async def _all(
    work: Mapping[str, Awaitable[T]], found: Callable[[T], bool]
) -> tuple[dict[str, T], tuple[Failure, ...]]:
    """Return what each came to and who failed. Once ENOUGH have found something the rest has PATIENCE."""
    tasks = {asyncio.ensure_future(one): name for name, one in work.items()}
    waiting, got, failed = set(tasks), dict[str, T](), dict[str, str]()
    try:
        while waiting:
            enough = sum(map(found, got.values())) >= ENOUGH
            done, waiting = await asyncio.wait(
                waiting, timeout=PATIENCE if enough else None, return_when=asyncio.FIRST_COMPLETED
            )
            if not done:
                failed |= {tasks[task]: "it took longer than the others" for task in waiting}
                break
            for task in done:
                try:
                    got[tasks[task]] = task.result()
                except EngineFailed as error:
                    failed[tasks[task]] = error.detail
    finally:
        for task in waiting:
            task.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)
    return got, tuple(Failure(name, failed[name]) for name in work if name in failed)


def _effect(asked: Iterable[tuple[Way, Request]]) -> RequestEffect:
    """Return the one effect of asking them: the first request in full, and the hosts of the others."""
    pairs = list(asked)
    way, sent = pairs[0]
    query = f"?{urlencode(dict(sent.query))}" if sent.query else ""
    hosts = tuple(dict.fromkeys(other.host for other, _ in pairs[1:] if other.host != way.host))
    return RequestEffect(
        method=sent.method,
        url=f"{sent.url}{query}",
        host=way.host,
        body=sent.body,
        also=hosts,
        fixed="web",
        purpose="search",
    )


def _domain(site: str) -> str:
    """Return the domain of what a model gives for a site, which may be a whole address."""
    text = site.strip().lower()
    host = urlsplit(text if "://" in text else f"//{text}").hostname or ""
    return host.removeprefix("www.")


def _is_built_in(engine: Engine) -> bool:
    from app.capabilities.search.engines import built_in

    return built_in().get(engine.id) == engine


def _bad(path: str, why: str) -> SettingsError:
    return SettingsError("bad_settings", f"{path}: {why}", path=path, why=why)

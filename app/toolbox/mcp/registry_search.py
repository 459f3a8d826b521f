"""Searches the official MCP registry by its public REST API (`GET /v0/servers`, schema 2025-12-01).

That search knows substrings of names only. So words that are in no name are looked for one by one, and what
comes back is ranked here by how many of the words stand in name, title and description. An answer that is
empty, and no answer at all, are two different things: the second raises.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterable, Mapping
from urllib.parse import quote, urlencode

from app.errors import BrambleError, ModelError
from app.mcp_offers import Offer
from app.models.connections import Connections
from app.models.refusal import Asked
from app.toolbox.mcp.registry_entries import offers
from app.toolbox.mcp.runners import Runners, find

BASE_URL = "https://registry.modelcontextprotocol.io"
SECONDS = 15.0
"""For a whole answer."""
PAGE = 60
LONGEST_QUERY = 200
_WORDS = 4
"""Single words that are asked for at once where the whole text is in no name."""
_EMPTY = frozenset(
    ("a", "an", "and", "for", "in", "mcp", "my", "of", "on", "or", "server", "the", "to", "with")
)


class RegistryFailed(BrambleError):
    """The registry did not answer as it should (registry_failed), or not at all (registry_unreachable),
    which says nothing of what it holds.
    """


class RegistrySearch:
    """Asks one registry. Close it after use; for one asyncio loop."""

    def __init__(
        self, environ: Mapping[str, str], folder: str, base_url: str = BASE_URL, seconds: float = SECONDS
    ) -> None:
        """`folder` is where packages get environments of their own, see `registry_entries.offers`."""
        self._environ, self._folder = environ, folder
        self._base, self._seconds = base_url.rstrip("/"), seconds
        self._connections = Connections()

    async def search(self, query: str, limit: int = 10) -> tuple[Offer, ...]:
        """Return the servers that fit plain words, best first; empty when the registry has none.

        Raises RegistryFailed.
        """
        query = " ".join(query.split())[:LONGEST_QUERY]
        words = [
            word for word in re.findall(r"\w+", query.lower()) if word not in _EMPTY
        ] or query.lower().split()
        runners = await asyncio.to_thread(find, self._environ)
        found = await self._page({"search": query} if query else {}, runners)
        if not found and words and words != [query.lower()]:
            pages = await asyncio.gather(*(self._page({"search": word}, runners) for word in words[:_WORDS]))
            found = [*found, *(offer for page in pages for offer in page)]
        return _ranked(found, words, limit)

    async def get(self, name: str, version: str = "latest") -> Offer | None:
        """Return one server by its whole name, None when the registry has none. Raises RegistryFailed."""
        runners = await asyncio.to_thread(find, self._environ)
        if version == "latest":
            page = await self._page({"search": name}, runners)
            return next((offer for offer in page if offer.name == name), None)
        path = f"/v0/servers/{quote(name, safe='')}/versions/{quote(version, safe='')}"
        try:
            payload = await self._ask(path)
        except RegistryFailed as error:
            if error.problem.fields.get("status") == "404":
                return None
            raise
        return next(iter(self._read({"servers": [payload]}, runners)), None)

    async def close(self) -> None:
        """Close the connections."""
        await self._connections.close()

    async def _page(self, asked: Mapping[str, str], runners: Runners) -> list[Offer]:
        query = urlencode({**asked, "version": "latest", "limit": str(PAGE)})
        return self._read(await self._ask(f"/v0/servers?{query}"), runners)

    def _read(self, payload: object, runners: Runners) -> list[Offer]:
        try:
            return list(offers(payload, runners, self._folder))
        except ValueError as error:
            raise self._failed(str(error)) from error

    async def _ask(self, path: str) -> object:
        who = Asked(name="registry", title="MCP registry", host=self._base)
        try:
            answer: object = await self._connections.get_json(
                f"{self._base}{path}", who, {"accept": "application/json"}, self._seconds
            )
        except ModelError as error:
            raise self._failed(str(error), error.problem.detail, nobody=error.code == "no_network") from error
        return answer

    def _failed(self, why: str, detail: str = "", *, nobody: bool = False) -> RegistryFailed:
        status = re.search(r"\bHTTP (\d{3})\b", why)
        return RegistryFailed(
            "registry_unreachable" if nobody else "registry_failed",
            f"The MCP registry at {self._base} " + ("cannot be reached." if nobody else f"failed: {why}"),
            detail="" if nobody else detail or why,  # the system's own words name no remedy
            host=self._base,
            status=status.group(1) if status else "",
        )


def _ranked(found: Iterable[Offer], words: list[str], limit: int) -> tuple[Offer, ...]:
    """Return each server once: most words first, then what can be used and is not out of date."""

    def worth(offer: Offer) -> tuple[float, bool, bool, int]:
        name = f"{offer.name} {offer.title}".lower()
        about = offer.description.lower()
        hits = sum(2.0 * (word in name) + 1.0 * (word in about) for word in words)
        return (-hits, not offer.usable, offer.deprecated, len(offer.name))

    once = {offer.name: offer for offer in found}
    return tuple(sorted(once.values(), key=worth)[:limit])

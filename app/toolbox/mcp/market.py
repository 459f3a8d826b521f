"""How servers come and go by hand: out of the registry, by a command or an address, removed and put back."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence

import msgspec

from app.errors import BrambleError
from app.mcp_offers import Offer, Way
from app.platform.paths import Home
from app.records import ServerInfo
from app.toolbox.mcp.facade import Servers
from app.toolbox.mcp.faults import Failed
from app.toolbox.mcp.install import FaultCode, Plan, Values, faults, plan, secrets_of, sketch, spec_of
from app.toolbox.mcp.places import servers_folder
from app.toolbox.mcp.preparing import prepare
from app.toolbox.mcp.registry_search import BASE_URL, RegistrySearch
from app.toolbox.mcp.spec import ServerSpec

VARIABLE = "BRAMBLE_MCP_REGISTRY"
"""The environment's name for another registry, such as that of a company."""
_SECRET = re.compile(r"(?i)(key|token|secret|passw|credential|auth|_pat$|dsn|database_url)")
ReadSecrets = Callable[[ServerSpec], Awaitable[Mapping[str, str]]]


class Market:
    """One registry and the servers of this process. Close it at the end; for one asyncio loop."""

    def __init__(
        self, servers: Servers, read_secrets: ReadSecrets, home: Home, environ: Mapping[str, str]
    ) -> None:
        """`read_secrets` gives the values of a server's secrets, raises Failed where one is missing."""
        self.servers = servers
        self.url = environ.get(VARIABLE) or BASE_URL
        self._read_secrets = read_secrets
        self._environ = environ
        self._folder = str(servers_folder(home) / "packages")
        self._search: RegistrySearch | None = None
        self._removed: dict[str, tuple[ServerSpec, Mapping[str, str]]] = {}

    @property
    def _registry(self) -> RegistrySearch:
        if self._search is None:
            self._search = RegistrySearch(self._environ, self._folder, self.url)
        return self._search

    async def search(self, query: str, limit: int = 10) -> tuple[Offer, ...]:
        """Return the servers that fit plain words, best first; empty when there are none.

        Raises BrambleError registry_failed.
        """
        return await self._registry.search(query, limit)

    async def get(self, name: str, version: str = "latest") -> Offer | None:
        """Return one server by its whole name, None when the registry has none. Raises as `search`."""
        return await self._registry.get(name, version)

    def faults(self, way: Way, values: Values) -> dict[str, FaultCode]:
        """Return what is wrong with values, by the key of their field."""
        return faults(way, values)

    def preview(self, offer: Offer, way: Way, values: Values, id: str = "") -> Plan:
        """Return what these values come to, also while some are missing."""
        return sketch(offer, way, values, id)

    async def install(
        self,
        offer: Offer,
        way: Way,
        values: Values,
        *,
        id: str = "",
        file_consent: bool = False,
        progress: Callable[[str], None] = lambda text: None,
    ) -> ServerInfo:
        """Install what a person has agreed to as `preview` shows it, and return it connected or failed.

        Should its program turn out to have another name, it waits for the person's approval again.
        Raises BrambleError: bad_arguments, install_failed, and as Servers.add.
        """
        made = plan(offer, way, values, id)
        ready = await prepare(await self._named(made, free=not id), self._environ, progress)
        return await self.servers.add(
            spec_of(ready),
            secrets_of(ready),
            approved=ready.command == made.command,
            file_consent=file_consent,
        )

    async def _named(self, made: Plan, *, free: bool) -> Plan:
        """Return the plan under a name that nobody has, before anything is fetched for it."""
        taken = {info.id for info in await self.servers.list()}
        if made.id not in taken:
            return made
        if not free:
            raise BrambleError("server_exists", f"There is a server {made.id}.", server=made.id)
        number = next(number for number in range(2, 1_000) if f"{made.id}-{number}" not in taken)
        renamed: Plan = msgspec.structs.replace(made, id=f"{made.id}-{number}")
        return renamed

    async def check(self, id: str, command: Sequence[str] = (), url: str = "") -> None:
        """Raise what `add` would, before anybody is asked. Raises as Servers.check."""
        await self.servers.check(spec_by_hand(id, command, url, {}))

    async def add(
        self,
        id: str,
        command: Sequence[str] = (),
        url: str = "",
        given: Mapping[str, str] | None = None,
        *,
        secret: Sequence[str] = (),
        approved: bool = False,
        file_consent: bool = False,
    ) -> ServerInfo:
        """Add a server by its exact command, or its address. `given` are variables or headers.

        All headers are kept with the keys, and variables that are named in `secret` or by their name.
        Raises as Servers.add.
        """
        made = spec_by_hand(id, command, url, given or {}, secret)
        kept = {name: (given or {})[name] for name in (*made.secrets, *made.headers)}
        return await self.servers.add(made, kept, approved=approved, file_consent=file_consent)

    async def take_out(self, server: str) -> None:
        """Remove a server so that it can be put back while this process runs. Raises as Servers.remove."""
        spec = await self.servers.spec(server)
        try:
            secrets = await self._read_secrets(spec)
        except Failed:
            secrets = {}
        await self.servers.remove(server)
        self._removed[server] = (spec, secrets)

    async def put_back(self, server: str) -> ServerInfo:
        """Add a server again that was taken out here. Raises BrambleError no_server, and as Servers.add."""
        found = self._removed.pop(server, None)
        if found is None:
            raise BrambleError("no_server", f"No server {server} was removed here.", server=server)
        spec, secrets = found
        # Where its secrets were kept before, the person agreed to then.
        return await self.servers.add(spec, secrets, approved=spec.is_approved, file_consent=True)

    async def close(self) -> None:
        """Close the connections to the registry."""
        if self._search is not None:
            await asyncio.shield(self._search.close())


def spec_by_hand(
    id: str, command: Sequence[str], url: str, given: Mapping[str, str], secret: Sequence[str] = ()
) -> ServerSpec:
    """Return the entry for a command with its variables, or an address with its headers."""
    if url:
        return ServerSpec(id=id, command=tuple(command), url=url, headers=tuple(given))
    hidden = tuple(name for name in given if name in secret or _SECRET.search(name))
    plain = {name: value for name, value in given.items() if name not in hidden}
    return ServerSpec(id=id, command=tuple(command), env=plain, secrets=hidden)


__all__ = ["Market", "spec_by_hand"]

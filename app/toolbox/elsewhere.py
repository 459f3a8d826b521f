"""Tools that are not ours, servers' and the person's own: made at first need, or where there are some."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from functools import cached_property, partial
from typing import TYPE_CHECKING

from app.events import Event, ServersChanged
from app.platform.paths import Home
from app.store import feed
from app.store.database import Store

if TYPE_CHECKING:
    from app.platform.sandbox.confinement import Probe
    from app.toolbox.mcp.desk import ServerDesk
    from app.toolbox.mcp.facade import Servers
    from app.toolbox.mcp.market import Market
    from app.toolbox.own.facade import OwnTools
    from app.toolbox.registry import Registry


class Elsewhere:
    """Makes both facades over one registry. `probe` tells what the sandbox is."""

    def __init__(
        self,
        home: Home,
        environ: Mapping[str, str],
        registry: Callable[[], Registry],
        *,
        probe: Callable[[], Awaitable[Probe]],
        emit: Callable[[Event], None],
        store: Store,
        clock: Callable[[], float],
    ) -> None:
        self._home = home
        self._environ = environ
        self._registry = registry
        self._probe = probe
        self._emit = emit
        self._store = store
        self._clock = clock

    @cached_property
    def own_tools(self) -> OwnTools:
        """The facade over the person's own tools, which the registry has from now on."""
        from app.toolbox.own.facade import OwnTools

        return OwnTools(
            self._home,
            self._registry(),
            probe=self._probe,
            environ=self._environ,
            emit=self._emit,
            told=partial(self._tell, "own_tools"),
            clock=self._clock,
        )

    @cached_property
    def servers(self) -> Servers:
        """The facade over MCP servers."""
        from app.toolbox.mcp.making import servers_of

        told = partial(self._tell, "servers")
        return servers_of(self._home, self._environ, self._registry(), emit=self._emit, told=told)

    @cached_property
    def market(self) -> Market:
        """The registry of servers, and how they come and go by hand."""
        from app.toolbox.mcp.market import Market

        servers = self.servers
        return Market(servers, servers.secrets, self._home, self._environ)

    def desk(self) -> ServerDesk:
        """Return what the tools of a call may do with servers."""
        from app.toolbox.mcp.desk import ServerDesk

        return ServerDesk(self.market)

    async def _tell(self, kind: feed.FeedKind) -> None:
        """Let other processes look again."""
        if self._store.problem is None:
            await self._store.write(feed.append, kind)

    async def look(self) -> None:
        """Let the registry have what there is now; before each turn and single call."""
        await self.look_at_servers()
        await self._look_at_own_tools()

    async def peek(self) -> None:
        """Let the registry have what is known now, for who only looks at a request: nothing is started."""
        if self._has_servers():
            await self.servers.known()
        await self._look_at_own_tools()

    async def _look_at_own_tools(self) -> None:
        from app.toolbox.own.places import folder

        if "own_tools" in self.__dict__ or folder(self._home).is_dir():
            await self.own_tools.refresh()

    async def look_at_servers(self) -> None:
        """Start the servers, where there are any, and let the registry have those of their tools that are
        known.
        """
        if self._has_servers():
            await self.servers.begun()

    def _has_servers(self) -> bool:
        from app.toolbox.mcp.places import servers_path

        return "servers" in self.__dict__ or servers_path(self._home.settings).exists()

    async def connecting(self, seconds: float) -> tuple[str, ...]:
        """Wait for servers that are still connecting; see Finder."""
        return await self.servers.wait_connecting(seconds) if "servers" in self.__dict__ else ()

    async def servers_changed(self) -> None:
        """Take in what another process did with the servers."""
        if "servers" in self.__dict__:
            await self.servers.reload()
        else:
            self._emit(ServersChanged())

    async def close(self) -> None:
        """End the servers of this process."""
        if "market" in self.__dict__:
            await self.market.close()
        if "servers" in self.__dict__:
            await self.servers.close()

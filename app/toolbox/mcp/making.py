"""Put the parts of the MCP servers together."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping

from app.events import Event
from app.platform.paths import Home
from app.store.secrets import Secrets
from app.toolbox.mcp.facade import Servers
from app.toolbox.mcp.fleet import Fleet
from app.toolbox.mcp.house import House
from app.toolbox.mcp.pins import Texts
from app.toolbox.mcp.places import servers_path, texts_folder
from app.toolbox.mcp.servers import ServerFile
from app.toolbox.registry import Registry


def servers_of(
    home: Home,
    environ: Mapping[str, str],
    registry: Registry,
    *,
    emit: Callable[[Event], None],
    told: Callable[[], Awaitable[None]],
) -> Servers:
    """Return the facade; nothing is read or started yet."""
    house = House(home, environ, Secrets(home, environ))
    fleet = Fleet(ServerFile(servers_path(home.settings)), Texts(texts_folder(home)), house, registry, emit)
    return Servers(fleet, emit, told)

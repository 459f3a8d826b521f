"""What front ends, tools and turns can do with MCP servers: list, add, approve, switch, try, sign in.

Servers are started by `begin`, behind whoever called it; neither listing nor reading the file starts one.
"""

from __future__ import annotations

import asyncio
import importlib
from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path

import msgspec

from app.errors import BrambleError
from app.events import Event, ServersChanged, SignInAsked
from app.platform.processes import began_in_tool
from app.records import HeldTool, ServerInfo
from app.toolbox.mcp.definitions import digest
from app.toolbox.mcp.entry import Entry
from app.toolbox.mcp.fleet import Fleet
from app.toolbox.mcp.spec import ServerSpec, fault_of, print_of


class Servers:
    """Facade over the file of servers and those that run in this process. It belongs to one loop."""

    def __init__(
        self, fleet: Fleet, emit: Callable[[Event], None], told: Callable[[], Awaitable[None]]
    ) -> None:
        """`told` lets other processes read the file again."""
        self._fleet = fleet
        self._emit = emit
        self._told = told

    @property
    def path(self) -> Path:
        """Where the file stands; it need not exist."""
        return self._fleet.file.path

    # --- what there is -------------------------------------------------------------------------------------

    def begin(self) -> None:
        """Start the servers that are on and approved, in the background; once."""
        self._fleet.begin()

    async def begun(self) -> None:
        """Begin, and return once the registry has the tools that are known from before."""
        self._fleet.begin()
        await self._fleet.begun()

    async def known(self) -> None:
        """Let the registry have the tools that are known from before. Starts nothing."""
        await self._fleet.offer_known()

    async def wait_connecting(self, seconds: float) -> tuple[str, ...]:
        """Begin, wait at most so long for servers whose tools are not known yet, and return those that are
        still connecting.
        """
        self._fleet.begin()
        return await self._fleet.late(seconds)

    async def list(self) -> tuple[ServerInfo, ...]:
        """Return all servers in the order of the file. Raises BrambleError bad_servers for the whole file."""
        await self._look()
        return tuple(entry.info() for entry in self._fleet.entries.values())

    async def info(self, server: str) -> ServerInfo:
        """Return one server. Raises BrambleError no_server, bad_servers."""
        return (await self._found(server)).info()

    async def spec(self, server: str) -> ServerSpec:
        """Return the entry of a server. Raises BrambleError no_server, bad_servers."""
        return (await self._found(server)).spec

    async def secrets(self, spec: ServerSpec) -> Mapping[str, str]:
        """Return the values of a server's secrets, for who puts it back. Raises Failed without one."""
        return await self._fleet.house.secrets(spec.id, (*spec.secrets, *spec.headers))

    async def reload(self) -> None:
        """Take in what another process has changed."""
        self._fleet.house.forget_known()
        await self._fleet.reload()
        self._emit(ServersChanged())

    # --- what a person does --------------------------------------------------------------------------------

    async def check(self, spec: ServerSpec) -> None:
        """Raise what `add` would, before anybody is asked.

        Raises BrambleError: bad_server, server_exists, bad_servers.
        """
        if fault := fault_of(spec):
            raise BrambleError("bad_server", fault, server=spec.id, why=fault)
        await self._look()
        if spec.id in self._fleet.entries:
            raise BrambleError("server_exists", f"There is a server {spec.id}.", server=spec.id)

    async def add(
        self,
        spec: ServerSpec,
        secrets: Mapping[str, str] | None = None,
        *,
        approved: bool = False,
        file_consent: bool = False,
    ) -> ServerInfo:
        """Add a server with the values of its secret variables and headers; `approved` where the person has
        agreed to its exact command. It is started, and returned once it is ready or failed.

        Raises BrambleError: own_approval, bad_server, server_exists, bad_servers, servers_busy,
        no_permission, disk_full; StoreError needs_consent.
        """
        _only_by_a_person()
        spec = msgspec.structs.replace(spec, approved=print_of(spec) if approved else "", pinned=None)
        await self.check(spec)  # before its secrets take the place of another's
        await asyncio.to_thread(self._fleet.file.check)
        await self._fleet.house.keep(spec.id, secrets or {}, file_consent=file_consent)
        await asyncio.to_thread(self._fleet.file.put, spec, new=True)
        return await self._changed(spec.id)

    async def remove(self, server: str) -> None:
        """Take a server out, with its secrets and its sign-in. Raises as `add`, and no_server.

        The secrets go first: where this is killed in between, the entry is still there to be removed again.
        """
        await self._fleet.reload()
        entry = self._fleet.entries.get(server)
        await asyncio.to_thread(self._fleet.file.check)
        trouble: BrambleError | None = None
        if entry is not None:
            try:
                await self._fleet.house.forget(entry.spec)
            except BrambleError as error:
                trouble = error
        await asyncio.to_thread(self._fleet.file.remove, server)
        await asyncio.to_thread(self._fleet.texts.forget, server)
        await self._tell(server)
        if trouble is not None:
            raise trouble

    async def approve(self, server: str, seen: str = "") -> ServerInfo:
        """Agree to the exact command of a server; `seen` is the `print` that was shown with it.

        It is started, and returned once it is ready or failed; its tools are agreed to as they are then.
        Raises BrambleError: own_approval, server_changed, no_server, and as `add`.
        """
        _only_by_a_person()

        def change(spec: ServerSpec) -> ServerSpec:
            if seen and seen != print_of(spec):
                raise BrambleError("server_changed", f"{server} is not what was shown.", server=server)
            pinned = spec.pinned if spec.is_approved else None
            return msgspec.structs.replace(spec, approved=print_of(spec), enabled=True, pinned=pinned)

        await asyncio.to_thread(self._fleet.file.edit, server, change)
        return await self._changed(server)

    async def approve_definitions(self, server: str, seen: Sequence[HeldTool] = ()) -> ServerInfo:
        """Agree to held-back tools: those that were `seen`, exactly as they were shown, else all.

        Raises BrambleError: own_approval, no_server, and as `add`.
        """
        _only_by_a_person()
        entry = await self._found(server)
        agreed_to = {one.tool: one.new for one in seen or entry.held()}

        def change(spec: ServerSpec) -> ServerSpec:
            pinned = {**(spec.pinned or {}), **{tool: digest(text) for tool, text in agreed_to.items()}}
            return msgspec.structs.replace(spec, pinned=pinned)

        texts = {**entry.texts, **agreed_to}
        await asyncio.to_thread(self._fleet.texts.write, server, texts)
        await asyncio.to_thread(self._fleet.file.edit, server, change)
        return await self._changed(server)

    async def enable(self, server: str) -> ServerInfo:
        """Switch a server on. Raises BrambleError: own_approval, no_server, and as `add`."""
        _only_by_a_person()
        return await self._switch(server, True)

    async def disable(self, server: str) -> ServerInfo:
        """Switch a server off; it ends. Raises BrambleError no_server, and as `add`."""
        return await self._switch(server, False)

    async def _switch(self, server: str, on: bool) -> ServerInfo:
        await asyncio.to_thread(
            self._fleet.file.edit, server, lambda spec: msgspec.structs.replace(spec, enabled=on)
        )
        return await self._changed(server)

    async def restart(self, server: str) -> ServerInfo:
        """End a server and start it anew; return once that is done. Raises BrambleError no_server."""
        entry = await self._found(server)
        if entry.connection is not None:
            await entry.connection.again()
        else:
            self._fleet.start(entry)
            await self._fleet.settled(entry)
        return entry.info()

    async def test(self, server: str) -> ServerInfo:
        """Start a server if it does not run, and return what it says of itself. One that is not approved, or
        off, is not started; its state says so. Raises BrambleError no_server.
        """
        entry = await self._found(server)
        if entry.state != "ready":
            return await self.restart(server)
        return entry.info()

    async def sign_in(self, server: str, *, file_consent: bool = False) -> ServerInfo:
        """Let the person sign in: SignInAsked brings the address for their browser. Cancel it to give up.

        Raises BrambleError: own_approval, no_server, sign_in_failed; StoreError needs_consent.
        """
        _only_by_a_person()
        entry = await self._found(server)
        spec = entry.spec
        if not spec.url or not entry.wanted:
            why = "It has no address." if not spec.url else "It is off, or not approved yet."
            raise BrambleError("sign_in_failed", why, server=server, why=why)
        oauth = await asyncio.to_thread(importlib.import_module, "app.toolbox.mcp.oauth")
        await oauth.sign_in(
            server,
            spec.url,
            await self._fleet.house.secrets(server, spec.headers),
            self._fleet.house.grants,
            lambda url: self._emit(SignInAsked(server=server, url=url)),
            file_consent=file_consent,
        )
        entry.signed_in = True
        return await self.restart(server)

    async def sign_out(self, server: str) -> ServerInfo:
        """Forget the sign-in of a server. Raises BrambleError no_server; StoreError needs_consent."""
        entry = await self._found(server)
        await self._fleet.house.grants.forget(server)
        entry.signed_in = False
        if entry.connection is not None:
            await entry.connection.again()
        await self._tell(server)
        return entry.info()

    async def close(self) -> None:
        """End all servers of this process, with all that they started."""
        await self._fleet.close()

    # --- behind it -----------------------------------------------------------------------------------------

    async def _look(self) -> None:
        await self._fleet.reload()
        if why := self._fleet.fault:
            raise BrambleError("bad_servers", why, path=str(self.path), why=why)
        await self._fleet.look_at_sign_ins()

    async def _found(self, server: str) -> Entry:
        await self._look()
        return self._fleet.entry(server)

    async def _changed(self, server: str) -> ServerInfo:
        """Take in what was just written, start the server if it may be, and tell everybody."""
        await self._tell(server)
        entry = self._fleet.entry(server)
        self._fleet.start(entry)
        await self._fleet.settled(entry)
        return entry.info()

    async def _tell(self, server: str) -> None:
        await self._fleet.reload()
        self._emit(ServersChanged(server=server))
        await self._told()


def _only_by_a_person() -> None:
    if began_in_tool():
        raise BrambleError("own_approval", "A command of a tool cannot change what may happen.")

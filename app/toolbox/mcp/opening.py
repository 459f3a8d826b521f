"""Open the way to a server, over a process or over HTTP, and shake hands."""

from __future__ import annotations

import asyncio
import contextlib
import importlib
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol
from urllib.parse import quote

from app.platform.paths import make_private
from app.platform.plain_text import visible
from app.platform.warden import Warden
from app.toolbox.mcp.child import Child, Tail
from app.toolbox.mcp.definitions import TOOLS_CAP
from app.toolbox.mcp.faults import Failed
from app.toolbox.mcp.programs import Programs
from app.toolbox.mcp.sifting import AS_IT_CAME
from app.toolbox.mcp.spec import ServerSpec

if TYPE_CHECKING:
    import httpx2
    from mcp import Client
    from mcp.client.session import MessageHandlerFnT

PAGES, LIST_BYTES = 100, 16 << 20
"""Pages of tools that are read, and bytes in all: their texts are kept, so that a change can be shown."""
TITLE_CAP = 80


class SignIn(Protocol):
    """Signs requests with what a person's sign-in gave."""

    refused: bool
    """Set once the server wanted another sign-in than there is."""

    @property
    def auth(self) -> httpx2.Auth: ...


class Means(Protocol):
    """What a connection needs of the house."""

    programs: Programs
    folder: Path
    """Where servers that name no working folder get one each: none finds what another has put there."""
    warden: Warden | None

    async def secrets(self, server: str, names: tuple[str, ...]) -> dict[str, str]:
        """Return what the keys hold for these names. Raises BrambleError."""
        ...

    def sign_in(self, spec: ServerSpec) -> SignIn:
        """Return what signs the requests of a server at an address."""
        ...


class Opening:
    """One way to a server. All is closed with the stack it is opened on."""

    def __init__(self, spec: ServerSpec, means: Means, tail: Tail) -> None:
        self.spec = spec
        self.ended: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        """Gets a reason, or "", once the way has ended; whoever sets it ends it."""
        self.exit: int | None = None
        """The exit code of the process once it has ended."""
        self.signs: SignIn | None = None
        self._means = means
        self._tail = tail

    def end(self) -> None:
        """Let the way end."""
        if not self.ended.done():
            self.ended.set_result("")

    @property
    def refused(self) -> bool:
        """Whether the server wants the person to sign in."""
        return self.signs is not None and self.signs.refused

    async def client(
        self, stack: contextlib.AsyncExitStack, heard: MessageHandlerFnT, *, legacy: bool
    ) -> Client:
        """Return the client after its handshake; `heard` gets news. Raises what `faults.failures` names."""
        await asyncio.to_thread(importlib.import_module, "mcp")  # half a second, the first time
        from mcp import Client
        from mcp_types import Implementation

        way = await (self._over_http(stack) if self.spec.url else self._over_process(stack))
        client = Client(
            way,
            mode="legacy" if legacy else "auto",
            message_handler=heard,
            client_info=Implementation(name="bramble", version=version()),
            cache=None,
        )
        await stack.enter_async_context(client)
        _leave_unchecked(client)
        return client

    async def _over_process(self, stack: contextlib.AsyncExitStack) -> Any:
        from app.toolbox.mcp.links import over_process

        spec, means = self.spec, self._means
        program = await means.programs.find(spec.command[0])
        secret = await means.secrets(spec.id, spec.secrets)
        folder = Path(spec.cwd).expanduser() if spec.cwd else means.folder / quote(spec.id, safe="")
        if not spec.cwd:
            await asyncio.to_thread(make_private, folder)
        command = (program.path, *spec.command[1:])
        environ = {**program.environ, **spec.env, **secret}
        child = await Child.begin(command, environ, str(folder), self._tail, means.warden)
        stack.push_async_callback(self._end, child)
        return over_process(child, self.ended)

    async def _end(self, child: Child) -> None:
        await child.end()
        self.exit = child.exit

    async def _over_http(self, stack: contextlib.AsyncExitStack) -> Any:
        from app.toolbox.mcp.addresses import http_client, over_http

        self.signs = self._means.sign_in(self.spec)
        headers = await self._means.secrets(self.spec.id, self.spec.headers)
        client = await stack.enter_async_context(http_client(headers, self.signs.auth))
        return over_http(self.spec.url, client)


def _leave_unchecked(client: Client) -> None:
    """Let no answer be held against the schema that its server promised: its patterns would run here."""

    async def unchecked(name: str, result: Any) -> None:
        return None

    client.session.validate_tool_result = unchecked  # type: ignore[method-assign]


async def tools_of(client: Client) -> list[dict[str, Any]]:
    """Return all tools of a server as it defines them, page by page. Raises Failed for too many bytes."""
    found: list[dict[str, Any]] = []
    size = 0
    cursor: str | None = None
    for _page in range(PAGES):
        page = await client.list_tools(cursor=cursor)
        more = [str((tool.meta or {}).get(AS_IT_CAME, "{}")) for tool in page.tools]
        size += sum(map(len, more))
        if size > LIST_BYTES:
            raise Failed(f"Its list of tools is longer than {LIST_BYTES >> 20} MB.")
        found += await asyncio.to_thread(lambda texts: list(map(json.loads, texts)), more)
        cursor = page.next_cursor
        if cursor is None or len(found) > TOOLS_CAP:
            break
    return found


def version() -> str:
    """Return our own version, as servers are told it."""
    from importlib import metadata

    try:
        return metadata.version("bramble")
    except metadata.PackageNotFoundError:
        return "0"


def title_of(client: Client) -> str:
    """Return what the server calls itself, with its version, "" where it does not say."""
    info = client.server_info
    return visible(f"{info.title or info.name} {info.version or ''}").strip()[:TITLE_CAP] if info else ""

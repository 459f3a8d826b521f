"""A server at an address that wants a sign-in, and plays each part of it as one test says."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any
from urllib.parse import parse_qs, urlsplit

from tests.servers.scripted import Exchange, ScriptedServer, scripted

Part = Callable[[Exchange, str], Awaitable[None]]


class Hostile:
    """The parts by their path; `parts` replaces some of them."""

    def __init__(self, **parts: Part) -> None:
        self.parts = parts
        self.server: ScriptedServer

    @property
    def root(self) -> str:
        return f"http://127.0.0.1:{self.server.port}"

    @property
    def url(self) -> str:
        return f"{self.root}/mcp"

    def asked(self, path: str) -> list[Any]:
        """The requests to a path."""
        return [one for one in self.server.requests if urlsplit(one.path).path == path]

    async def play(self, exchange: Exchange) -> None:
        path = urlsplit(exchange.request.path).path
        names = {
            "/mcp": "mcp",
            "/.well-known/oauth-protected-resource/mcp": "resource",
            "/.well-known/oauth-authorization-server": "authority",
            "/register": "register",
            "/token": "token",
        }
        name = names.get(path, "other")
        part = self.parts.get(name) or getattr(self, f"_{name}")
        await part(exchange, self.root)

    async def _mcp(self, exchange: Exchange, root: str) -> None:
        if "authorization" not in exchange.request.headers:
            where = f'Bearer resource_metadata="{root}/.well-known/oauth-protected-resource/mcp"'
            await exchange.answer(401, {}, {"www-authenticate": where})
            return
        asked = json.loads(exchange.request.body or b"{}")
        if "id" not in asked:
            await exchange.answer(202, b"")
            return
        results: dict[str, Any] = {
            "initialize": {
                "protocolVersion": "2025-06-18",
                "capabilities": {"tools": {}},
                "serverInfo": {"name": "hostile", "version": "1"},
            },
            "tools/list": {"tools": [{"name": "ping", "inputSchema": {"type": "object"}}]},
            "tools/call": {"content": [{"type": "text", "text": exchange.request.headers["authorization"]}]},
        }
        if asked["method"] not in results:
            error = {"code": -32601, "message": "no such method"}
            await exchange.answer(200, {"jsonrpc": "2.0", "id": asked["id"], "error": error})
            return
        await exchange.answer(200, {"jsonrpc": "2.0", "id": asked["id"], "result": results[asked["method"]]})

    async def _resource(self, exchange: Exchange, root: str) -> None:
        await exchange.answer(200, {"resource": f"{root}/mcp", "authorization_servers": [root]})

    async def _authority(self, exchange: Exchange, root: str) -> None:
        await exchange.answer(200, authority(root))

    async def _register(self, exchange: Exchange, root: str) -> None:
        await exchange.answer(201, {**exchange.request.json, "client_id": "c"})

    async def _token(self, exchange: Exchange, root: str) -> None:
        await exchange.answer(200, tokens())

    async def _other(self, exchange: Exchange, root: str) -> None:
        await exchange.answer(404, b"")


def authority(root: str, **fields: Any) -> dict[str, Any]:
    """Return the metadata of who signs in."""
    return {
        "issuer": root,
        "authorization_endpoint": f"{root}/authorize",
        "token_endpoint": f"{root}/token",
        "registration_endpoint": f"{root}/register",
        "response_types_supported": ["code"],
        "code_challenge_methods_supported": ["S256"],
        **fields,
    }


def tokens(**fields: Any) -> dict[str, Any]:
    """Return what a token endpoint gives."""
    return {"access_token": "a", "token_type": "Bearer", "expires_in": 3600, "refresh_token": "r", **fields}


def back(shown: str, **fields: str) -> tuple[str, dict[str, str]]:
    """Return where a browser comes back to after the page that was shown, and with what."""
    asked = {key: values[0] for key, values in parse_qs(urlsplit(shown).query).items()}
    return asked["redirect_uri"], {"code": "code", "state": asked["state"], **fields}


def answers(status: int, body: Any, headers: dict[str, str] | None = None) -> Part:
    """Return a part that says just this; `ROOT` in it stands for the server."""

    async def part(exchange: Exchange, root: str) -> None:
        whole = body if isinstance(body, bytes) else json.dumps(body).encode()
        told = {name: value.replace("ROOT", root) for name, value in (headers or {}).items()}
        await exchange.answer(status, whole.replace(b"ROOT", root.encode()), told)

    return part


@asynccontextmanager
async def hostile(**parts: Part) -> AsyncIterator[Hostile]:
    """Run one."""
    made = Hostile(**parts)
    async with scripted(made.play) as server:
        made.server = server
        yield made

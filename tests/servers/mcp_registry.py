"""An MCP registry on a loopback socket that answers as the official one does: `/v0/servers` with search (a
part of the name), version, limit and cursor, and one version by its name.
"""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

from tests.servers.scripted import Exchange, Script

SCHEMA = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"


def entry(name: str, *, status: str = "active", latest: bool = True, **fields: Any) -> dict[str, Any]:
    """Return a row of the registry; `fields` are those of server.json."""
    server = {
        "$schema": SCHEMA,
        "name": name,
        "description": f"What {name} does",
        "version": "1.2.3",
        **fields,
    }
    official = {
        "status": status,
        "publishedAt": "2026-03-01T10:00:00Z",
        "updatedAt": "2026-03-02T10:00:00Z",
        "isLatest": latest,
    }
    return {"server": server, "_meta": {"io.modelcontextprotocol.registry/official": official}}


def npm(identifier: str, version: str = "1.2.3", **fields: Any) -> dict[str, Any]:
    """Return a package of npm."""
    return {
        "registryType": "npm",
        "registryBaseUrl": "https://registry.npmjs.org",
        "identifier": identifier,
        "version": version,
        "transport": {"type": "stdio"},
        **fields,
    }


def pypi(identifier: str, version: str = "1.2.3", **fields: Any) -> dict[str, Any]:
    """Return a package of PyPI."""
    return {
        **npm(identifier, version, **fields),
        "registryType": "pypi",
        "registryBaseUrl": "https://pypi.org",
    }


def registry(*entries: dict[str, Any]) -> Script:
    """Return a script that answers from these rows, again and again."""

    async def answer(exchange: Exchange) -> None:
        parts = urlsplit(exchange.request.path)
        if parts.path == "/v0/servers":
            await exchange.answer(200, _listed(entries, {k: v[0] for k, v in parse_qs(parts.query).items()}))
            return
        words = [unquote(word) for word in parts.path.split("/")]
        found = [
            row
            for row in entries
            if words[:3] == ["", "v0", "servers"]
            and words[3:] == [row["server"]["name"], "versions", row["server"]["version"]]
        ]
        await (
            exchange.answer(200, found[0]) if found else exchange.answer(404, {"error": "Server not found"})
        )

    return answer


def _listed(entries: tuple[dict[str, Any], ...], asked: dict[str, str]) -> dict[str, Any]:
    found = [row for row in entries if asked.get("search", "").lower() in row["server"]["name"].lower()]
    if asked.get("version") == "latest":
        official = "io.modelcontextprotocol.registry/official"
        found = [row for row in found if row["_meta"][official]["isLatest"]]
    start, limit = int(asked.get("cursor") or 0), int(asked.get("limit") or 30)
    page = found[start : start + limit]
    more = {"nextCursor": str(start + limit)} if start + limit < len(found) else {}
    return {"servers": page, "metadata": {**more, "count": len(page)}}

"""Search of the registry over a real socket: what is found, what is left out, and what failed."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from app.mcp_offers import Offer
from app.toolbox.mcp.registry_search import RegistryFailed, RegistrySearch
from tests.servers.mcp_registry import entry, npm, pypi, registry
from tests.servers.scripted import Exchange, Script, ScriptedServer, fails, scripted


def program(folder: Path, *names: str) -> str:
    """Make programs that can be found and return the PATH that has them alone."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in names:
        path = folder / name
        path.write_text("#!/bin/sh\n")
        path.chmod(0o755)
    return str(folder)


@asynccontextmanager
async def search_of(
    script: Script, path: str, seconds: float = 10
) -> AsyncIterator[tuple[RegistrySearch, ScriptedServer]]:
    async with scripted(script) as server:
        base = server.url.removesuffix("/v1")
        environ = {"PATH": path, "HOME": "/nonexistent", "NO_PROXY": "*"}
        search = RegistrySearch(environ, "/data/servers", base, seconds)
        try:
            yield search, server
        finally:
            await search.close()


@pytest.fixture
def all_runners(tmp_path: Path) -> str:
    return program(tmp_path / "bin", "node", "npx", "uvx")


ROWS = (
    entry("io.github.somebody/weather", packages=[npm("@somebody/weather-mcp")], title="Weather"),
    entry("io.github.other/weather-old", status="deprecated", packages=[pypi("weather-old")]),
    entry("io.github.gone/weather-gone", status="deleted", packages=[npm("weather-gone")]),
    entry(
        "io.github.somebody/weather", latest=False, version="0.9.0", packages=[npm("@somebody/weather-mcp")]
    ),
    entry("io.github.files/pdf-reader", description="Read PDF files", packages=[npm("pdf-reader")]),
    entry(
        "com.example/calendar", remotes=[{"type": "streamable-http", "url": "https://mcp.example.com/mcp"}]
    ),
)


async def test_a_search_finds_the_latest_usable_servers_first(all_runners: str) -> None:
    async with search_of(registry(*ROWS), all_runners) as (search, server):
        found = await search.search("weather")
        assert [offer.name for offer in found] == [
            "io.github.somebody/weather",
            "io.github.other/weather-old",
        ]
        assert (found[0].version, found[0].title, found[1].deprecated) == ("1.2.3", "Weather", True)
        assert "search=weather" in server.requests[0].path and "version=latest" in server.requests[0].path
        assert found[0].ways[0].runner == ("npx", "--yes", "@somebody/weather-mcp@1.2.3")


async def test_words_that_are_in_no_name_together_are_looked_for_one_by_one(all_runners: str) -> None:
    async with search_of(registry(*ROWS), all_runners) as (search, server):
        found = await search.search("a server to read pdf files")
        assert found[0].name == "io.github.files/pdf-reader"
        assert len(server.requests) <= 5


async def test_nothing_found_is_an_answer(all_runners: str) -> None:
    async with search_of(registry(*ROWS), all_runners) as (search, _):
        assert await search.search("zeppelin") == ()
        assert await search.get("io.github.nobody/nothing") is None
        assert await search.get("io.github.nobody/nothing", "1.0.0") is None


async def test_one_server_is_read_by_name_and_version(all_runners: str) -> None:
    async with search_of(registry(*ROWS), all_runners) as (search, _):
        newest = await search.get("io.github.somebody/weather")
        older = await search.get("io.github.somebody/weather", "0.9.0")
        assert isinstance(newest, Offer) and isinstance(older, Offer)
        assert (newest.version, older.version) == ("1.2.3", "0.9.0")


async def hangs(exchange: Exchange) -> None:
    await exchange.gone()


async def floods(exchange: Exchange) -> None:
    await exchange.head(kind="application/json")
    for _ in range(70):
        await exchange.send(b" " * 65_536)
    await exchange.end()


@pytest.mark.parametrize(
    ("script", "says"),
    [
        (fails(500, {"error": "no"}), "HTTP 500"),
        (fails(429, {"error": "slow down"}), "HTTP 429"),
        (fails(200, b"<html>sign in to the hotel</html>"), "is a page"),
        (fails(200, {"ok": True}), "no list of servers"),
        (fails(200, [1, 2]), "no list of servers"),
        (hangs, "in time"),
        (floods, "too long"),
    ],
    ids=["500", "429", "portal", "object", "list", "hangs", "floods"],
)
async def test_a_registry_that_fails_is_not_a_registry_without_an_answer(
    script: Script, says: str, all_runners: str
) -> None:
    async with search_of(script, all_runners, seconds=1 if script is hangs else 20) as (search, _):
        with pytest.raises(RegistryFailed) as failed:
            await search.search("weather")
    assert failed.value.code == "registry_failed" and says in str(failed.value)


async def test_nobody_there_is_a_failure_too(all_runners: str) -> None:
    search = RegistrySearch({"PATH": all_runners}, "/data", "http://127.0.0.1:9", 5)
    with pytest.raises(RegistryFailed) as failed:
        await search.search("weather")
    assert failed.value.code == "registry_unreachable" and failed.value.problem.detail == ""
    assert str(failed.value) == "The MCP registry at http://127.0.0.1:9 cannot be reached.", (
        "no code among words"
    )
    await search.close()


async def test_odd_rows_are_left_out_and_the_rest_stays(all_runners: str) -> None:
    odd: list[Any] = [
        {"server": {"name": "no-slash"}},
        {"server": {"name": "io.github.a/b", "packages": [17, None, {"registryType": []}]}},
        "text",
        {"server": None},
        {"server": {"name": "io.github.\u202ea/b"}},
        {"server": {"name": "io.x/y", "description": "a\x00b\x1b[31m" + "x" * 9000, "title": 5}},
    ]

    async def answer(exchange: Exchange) -> None:
        await exchange.answer(200, {"servers": [*odd, ROWS[0]], "metadata": {}})

    async with search_of(answer, all_runners) as (search, _):
        found = {offer.name: offer for offer in await search.search("weather")}
    assert set(found) == {"io.github.somebody/weather", "io.github.a/b", "io.x/y"}
    assert found["io.x/y"].description.startswith("a b [31m") and len(found["io.x/y"].description) <= 500
    assert not found["io.github.a/b"].usable


Find = Callable[[str], Awaitable[Offer]]


async def test_what_can_start_a_package_decides_what_can_be_used(tmp_path: Path) -> None:
    row = entry("io.github.a/b", packages=[npm("b-npm"), pypi("b-pypi")])

    async def ways(path: str, home: str = "/nonexistent") -> dict[str, Any]:
        async with scripted(registry(row)) as server:
            search = RegistrySearch(
                {"PATH": path, "HOME": home}, "/data/servers", server.url.removesuffix("/v1")
            )
            found = await search.get("io.github.a/b")
            await search.close()
        assert found is not None
        return {way.kind: way for way in found.ways}

    nothing = program(tmp_path / "none", "python3")
    bare = await ways(nothing)
    assert bare["npm"].why == "no_node" and not bare["npm"].usable
    assert bare["pypi"].steps[0] == ("python3", "-m", "venv", os.path.join("/data/servers", "b-pypi-1.2.3"))
    assert bare["pypi"].steps[1][-1] == "b-pypi==1.2.3"
    assert (await ways(program(tmp_path / "uv", "uvx")))["pypi"].runner == (
        "uvx",
        "--from",
        "b-pypi==1.2.3",
        "b-pypi",
    )
    piped = (await ways(program(tmp_path / "px", "pipx")))["pypi"]
    assert piped.runner == ("pipx", "run", "--spec", "b-pypi==1.2.3", "b-pypi")
    for version in ("v9.1.0", "v20.2.0"):
        program(tmp_path / "home" / ".nvm" / "versions" / "node" / version / "bin", "node", "npx")
    own = (await ways(nothing, str(tmp_path / "home")))["npm"]
    folder = str(tmp_path / "home" / ".nvm" / "versions" / "node" / "v20.2.0" / "bin")
    assert own.runner == (f"{folder}/npx", "--yes", "b-npm@1.2.3")

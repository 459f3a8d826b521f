"""The tools for MCP servers through the whole engine: what runs freely, what asks, who enters secrets."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Literal

import pytest

from app.engine import Engine
from app.records import Approval, InstallEffect, TurnOptions
from tests.servers.mcp_registry import entry, npm, registry
from tests.servers.scripted import Script, fails, scripted
from tests.tools.engine_desk import call, engine_in

SCRIPTED = Path(__file__).parents[2] / "toolbox" / "mcp" / "scripted.py"
SERVER = (sys.executable, "-I", str(SCRIPTED))
ROWS = (
    entry("io.github.a/secretive", packages=[npm("b", environmentVariables=[
        {"name": "API_KEY", "isSecret": True, "isRequired": True}])]),
    entry("io.github.a/plain", packages=[npm("plain-mcp", environmentVariables=[{"name": "LEVEL"}])]),
)  # fmt: skip


@asynccontextmanager
async def engine_with(
    home: Path, script: Script, answer: Literal["allow", "deny"] = "allow"
) -> AsyncIterator[tuple[Engine, list[Approval]]]:
    """An open engine whose registry answers by `script`; yields it with what was asked."""
    async with scripted(script) as server:
        registry_url = server.url.removesuffix("/v1")
        async with engine_in(home, answer, BRAMBLE_MCP_REGISTRY=registry_url) as opened:
            yield opened


async def test_listing_and_searching_run_without_a_question(home: Path, tmp_path: Path) -> None:
    async with engine_with(home, registry(*ROWS)) as (engine, asked):
        none = await call(engine, tmp_path, "mcp_list", {})
        assert none.ok and "No MCP server is set up" in none.text
        found = await call(engine, tmp_path, "mcp_search", {"query": "plain"})
        assert found.ok and "io.github.a/plain 1.2.3" in found.text and "takes env.LEVEL" in found.text
        empty = await call(engine, tmp_path, "mcp_search", {"query": "zeppelin"})
        assert empty.ok and "it has nothing for" in empty.text
        assert asked == [] and not (home / "mcp.json").exists()


async def test_a_failed_registry_is_told_as_a_failure(home: Path, tmp_path: Path) -> None:
    async with engine_with(home, fails(503, {"error": "down"})) as (engine, _):
        ran = await call(engine, tmp_path, "mcp_search", {"query": "plain"})
    assert not ran.ok and "failed: HTTP 503" in ran.text


async def test_a_server_is_connected_once_the_person_agreed_to_its_exact_command(
    home: Path, tmp_path: Path
) -> None:
    line = " ".join(SERVER)
    async with engine_with(home, registry()) as (engine, asked):
        given = {"name": "s", "command": line, "env": {"A": 1}}
        ran = await call(engine, tmp_path, "mcp_connect", given)
        assert ran.ok and "Verified: s is connected" in ran.text, ran.text
        assert [one.effect for one in asked] == [
            InstallEffect(server="s", command=SERVER, environment=("A=1",))
        ]
        listed = await call(engine, tmp_path, "mcp_list", {"server": "s"})
        assert "s is connected" in listed.text and "s__echo" in listed.text
        again = await call(engine, tmp_path, "mcp_connect", {"name": "s"})
        assert again.ok and len(asked) == 1, "one that is there is connected without a question"


@pytest.mark.parametrize(
    ("options", "answer"),
    [
        (TurnOptions(), "deny"),
        (TurnOptions(attended=False, yes=True), "allow"),
        (TurnOptions(attended=False, allow=("mcp_connect(*)",)), "allow"),
    ],
    ids=["denied", "unattended with yes", "unattended with a rule"],
)
async def test_nothing_but_a_person_adds_a_server(
    home: Path, tmp_path: Path, options: TurnOptions, answer: str
) -> None:
    line = " ".join(SERVER)
    async with engine_with(home, registry(), answer) as (engine, _):
        ran = await call(engine, tmp_path, "mcp_connect", {"name": "s", "command": line}, options)
    assert not ran.ok and ran.decision in ("deny", "ask") and not (home / "mcp.json").exists()


async def test_a_secret_is_for_the_person_alone(home: Path, tmp_path: Path) -> None:
    async with engine_with(home, registry(*ROWS)) as (engine, asked):
        for values in ({}, {"env.API_KEY": "sk-1"}):
            ran = await call(
                engine, tmp_path, "mcp_install", {"name": "io.github.a/secretive", "values": values}
            )
            assert not ran.ok and "only the person enters" in ran.text
        missing = await call(engine, tmp_path, "mcp_install", {"name": "io.github.a/none"})
        assert not missing.ok and "has no io.github.a/none" in missing.text
        assert asked == []


async def test_an_installation_is_asked_about_with_its_pinned_version(home: Path, tmp_path: Path) -> None:
    async with engine_with(home, registry(*ROWS), "deny") as (engine, asked):
        plain = {"name": "io.github.a/plain"}
        ran = await call(engine, tmp_path, "mcp_install", {**plain, "values": {"env.LEVEL": 3}})
        named = await call(engine, tmp_path, "mcp_connect", {**plain, "env": {"LEVEL": 3}})
    assert not ran.ok and not named.ok
    first, again = (one.effect for one in asked)
    assert first == again and isinstance(first, InstallEffect)
    assert first.command[-1] == "plain-mcp@1.2.3" and first.environment == ("LEVEL=3",)


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"name": "s"}, "no server 's'"),
        ({"name": "s", "command": "x", "url": "https://a.b"}, "not both"),
        ({"name": "s", "command": "'unclosed"}, "cannot be read"),
    ],
)
async def test_wrong_arguments_are_told(home: Path, tmp_path: Path, given: dict[str, str], says: str) -> None:
    async with engine_with(home, registry()) as (engine, asked):
        ran = await call(engine, tmp_path, "mcp_connect", given)
    assert not ran.ok and says in ran.text and asked == []


def _names(found: Sequence[Any]) -> list[str]:
    return [one.id for one in found]


async def test_what_was_removed_comes_back_with_its_secrets(home: Path, tmp_path: Path) -> None:
    async with engine_with(home, registry()) as (engine, _):
        market = engine.mcp_registry
        await market.add("s", SERVER, given={"TOKEN": "t1"}, approved=True, file_consent=True)
        await market.take_out("s")
        assert _names(await engine.mcp.list()) == []
        back = await market.put_back("s")
        spec = await engine.mcp.spec("s")
        assert back.state == "ready" and await engine.mcp.secrets(spec) == {"TOKEN": "t1"}

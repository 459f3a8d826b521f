"""A server by its address: what it has is looked at, and it is kept whole or not at all."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from app.errors import BrambleError, ModelError
from app.models.connections import Connections
from app.models.network import check
from app.models.own_server import look, name_for, spoken, table_of
from tests.models.copilot.desk import desk
from tests.servers import anthropic, responses
from tests.servers.copilot import Copilot
from tests.servers.scripted import Exchange, Script, fails, says, scripted

LIST = {"object": "list", "data": [{"id": "mine"}, {"id": "other"}]}


def at(paths: dict[str, Any], missing: Any = None) -> Script:
    """A script that lists its models below some paths, and has `missing` for every other one."""

    async def script(exchange: Exchange) -> None:
        found = paths.get(exchange.request.path)
        if exchange.request.method == "POST":
            await says("Here.")(exchange)
        elif found is None:
            await exchange.answer(404, b"<html>Nothing here</html>" if missing is None else missing)
        else:
            await fails(200, found)(exchange)

    return script


@pytest.mark.parametrize("written", ["{host}", "http://{host}/", " {host}/v1/chat/completions ", "{host}/v1"])
async def test_an_address_may_be_written_as_it_was_copied(written: str) -> None:
    connections = Connections()
    async with scripted(at({"/v1/models": LIST})) as server:
        found = await look(written.format(host=f"127.0.0.1:{server.port}"), "", connections)
        await connections.close()
    assert found == (server.url, ("mine", "other"))


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        (at({"/models": LIST}), ("", ("mine", "other"))),
        (at({}, {"error": "unknown path"}), ("/v1", ())),
        (at({}), "bad_reply"),
        (at({"/v1/models": {"hello": "world"}}), "bad_reply"),
        (fails(401, {"error": {"message": "no"}}), "no_key"),
        (fails(500, {"error": {"message": "no"}}), "server_error"),
    ],
)
async def test_what_an_address_has(script: Script, expected: Any) -> None:
    connections = Connections()
    async with scripted(script) as server:
        base = server.url.removesuffix("/v1")
        if isinstance(expected, str):
            with pytest.raises(ModelError) as caught:
                await look(base, "", connections)
            assert caught.value.code == expected
        else:
            assert await look(base, "", connections) == (base + expected[0], expected[1])
        await connections.close()


async def test_a_refused_key_is_not_a_missing_one_and_goes_along(home: Path) -> None:
    connections = Connections()
    async with scripted(fails(401, {"error": {"message": "bad key sk-wrong"}})) as server:
        with pytest.raises(ModelError) as caught:
            await look(server.url, "sk-wrong", connections)
        await connections.close()
    assert caught.value.code == "bad_key" and "sk-wrong" not in str(caught.value.problem)
    assert server.requests[0].headers["authorization"] == "Bearer sk-wrong"


def knows(*paths: str, key: str = "", header: str = "authorization") -> Script:
    """A script of a server that knows some paths, refuses empty requests there, and wants a key."""

    async def script(exchange: Exchange) -> None:
        request = exchange.request
        if key and not request.headers.get(header, "").endswith(key):
            await fails(401, {"error": {"message": "no"}})(exchange)
        elif request.path == "/v1/models":
            await fails(200, LIST)(exchange)
        elif request.path in paths:
            await fails(400, {"error": {"message": "messages is required"}})(exchange)
        else:
            await fails(404, {"error": "unknown path"})(exchange)

    return script


async def unexpected(exchange: Exchange) -> None:
    """Answers as LM Studio does, with status 200 for every path."""
    if exchange.request.path == "/v1/chat/completions":
        await fails(400, {"error": "'messages' field is required"})(exchange)
    else:
        await fails(200, {"error": "Unexpected endpoint or method. Returning 200 anyway"})(exchange)


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        (knows("/v1/chat/completions"), ("chat",)),
        (knows("/v1/responses", "/v1/chat/completions"), ("chat", "responses")),
        (knows("/v1/messages"), ("messages",)),
        (knows("/v1/messages", key="sk-own", header="x-api-key"), ("messages",)),
        (fails(403, {"error": "no"}), ("chat", "responses", "messages")),
        (knows(), ()),
        (unexpected, ("chat",)),
        (says("Here."), ("chat",)),
        (anthropic.says("Here."), ("messages",)),
        (responses.says("Here."), ("responses",)),
        (fails(500, {"error": "no"}), ("chat", "responses", "messages")),
    ],
)
async def test_how_a_server_is_talked_to_is_found_out(script: Script, expected: tuple[str, ...]) -> None:
    connections = Connections()
    async with scripted(script) as server:
        assert await spoken(server.url, "sk-own", connections) == expected
        await connections.close()
    assert all(one.body == b"{}" for one in server.requests)


async def test_a_server_that_takes_its_key_as_messages_does_is_found_and_kept(home: Path) -> None:
    async def script(exchange: Exchange) -> None:
        asks = exchange.request.path == "/v1/messages" and b"max_tokens" in exchange.request.body
        shown = exchange.request.headers.get("x-api-key") == "sk-own"
        refuses = knows("/v1/messages", key="sk-own", header="x-api-key")
        await (anthropic.says("Here.") if asks and shown else refuses)(exchange)

    environ = {"PYTHON_KEYRING_BACKEND": "keyring.backends.fail.Keyring"}
    async with (
        scripted(script) as server,
        desk(home, Copilot(), environ=environ, text="font_size = 15\n") as made,
    ):
        servers = made.models.own_servers
        found = await servers.look(f"127.0.0.1:{server.port}", "sk-own")
        assert found.models == ("mine", "other") and "messages" in found.wires
        name = await servers.add(found, "mine", "sk-own", wire="messages", file_consent=True)
        assert (await made.ask(name)).text == "Here."


@pytest.mark.parametrize(
    "written", ["", "   ", "no address at all", "ftp://files.example", "http://", "http://a:99999/"]
)
async def test_what_is_no_address_is_told_and_nobody_is_asked(written: str) -> None:
    with pytest.raises(ModelError) as caught:
        await look(written, "", Connections())
    assert caught.value.code == "bad_reply"


def test_names_are_of_the_host_and_never_those_of_others() -> None:
    own = {"models-example": table_of("https://models.example/v1", "m", False)}
    assert name_for("https://models.example/v1", own) == "models-example", "the same server stays one"
    assert name_for("https://models.example/other/v1", own) == "models-example-2"
    assert name_for("https://openai/v1", {}) == "openai-2" and name_for("http://env/v1", {}) == "env-2"
    assert name_for("http://[::1]:8080/v1", {}) == "1-8080"


async def test_a_server_is_kept_and_answers_with_its_key(home: Path) -> None:
    environ = {"PYTHON_KEYRING_BACKEND": "keyring.backends.fail.Keyring"}
    text = "# mine\nfont_size = 15\n"
    async with (
        scripted(at({"/v1/models": LIST})) as server,
        desk(home, Copilot(), environ=environ, text=text) as made,
    ):
        servers = made.models.own_servers
        found = await servers.look(f"127.0.0.1:{server.port}", "sk-own")
        with pytest.raises(BrambleError) as caught:
            await servers.add(found, "mine", "sk-own")
        assert caught.value.code == "needs_consent" and made.settings.profiles == {}
        name = await servers.add(found, "mine", "sk-own", file_consent=True)
        assert (await made.ask(name)).text == "Here."
        assert (await servers.look(server.url)).profile == found.profile
        listed = [one.name for one in await made.models.list() if one.profile == found.profile]
        assert listed == [name, f"{found.profile}/other"]
    asked = next(one for one in server.requests if b"messages" in one.body)
    assert asked.headers["authorization"] == "Bearer sk-own"
    kept = next((home / "data" / "keys").iterdir())
    assert kept.read_text() == "sk-own" and kept.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"proxy": "nonsense"}, "http://proxy.example:3128"),
        ({"proxy": "ftp://proxy:21"}, "http://proxy.example:3128"),
        ({"proxy": "http://proxy:99999"}, "http://proxy.example:3128"),
        ({"proxy": "http://pro xy:80"}, "http://proxy.example:3128"),
        ({"ca_file": "/nowhere/at/all.pem"}, "No such file"),
        ({"domain": "no domain"}, "no domain"),
    ],
)
def test_settings_of_the_network_that_cannot_be_used(fields: dict[str, str], why: str) -> None:
    with pytest.raises(ModelError) as caught:
        check(**fields)
    assert caught.value.code == "bad_settings" and why in caught.value.problem.fields["why"]


def test_settings_of_the_network_that_can_be_used(tmp_path: Path) -> None:
    empty = tmp_path / "empty.pem"
    empty.write_text("nothing")
    with pytest.raises(ModelError, match="no certificates in it"):
        check(ca_file=str(empty))
    for proxy in ("", "none", "http://proxy.example:3128", "https://user:word@proxy.example"):
        check(proxy=proxy)
    check(domain="octo.ghe.com")

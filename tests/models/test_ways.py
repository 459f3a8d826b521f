"""Ways out of this computer: certificates of one's own, proxies, addresses that can be read on their way."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from app.errors import ModelError
from app.events import Noticed
from app.models.connections import Connections, Ways, is_open
from app.models.refusal import Asked, from_answer
from app.records import Problem
from tests.models.copilot.desk import desk
from tests.servers.certificates import own_certificate, serving
from tests.servers.copilot import copilot_server
from tests.servers.scripted import fails, scripted

ASKED = Asked(name="p", title="P", host="h")


@pytest.fixture(scope="module")
def own_ca(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A certificate that its maker signed alone, and its key."""
    return own_certificate(tmp_path_factory.mktemp("ca"))


async def test_a_certificate_of_ones_own_is_trusted_by_a_file(
    own_ca: tuple[Path, Path], tmp_path: Path
) -> None:
    ways = [Ways()]
    connections = Connections(ways=lambda: ways[0])
    async with scripted(fails(200, {"data": []}), tls=serving(own_ca)) as server:
        url = f"{server.url}/models"
        with pytest.raises(ModelError) as caught:
            await connections.get_json(url, ASKED, {}, 5)
        assert caught.value.code == "tls"
        ways[0] = Ways(ca_file=str(own_ca[0]))
        assert await connections.get_json(url, ASKED, {}, 5) == {"data": []}, (
            "a changed setting holds at once"
        )
        (tmp_path / "no.pem").write_text("nonsense")
        for name in ("no.pem", "missing.pem"):
            ways[0] = Ways(ca_file=str(tmp_path / name))
            with pytest.raises(ModelError) as caught:
                await connections.get_json(url, ASKED, {}, 5)
            assert caught.value.code == "bad_settings" and name in caught.value.problem.fields["why"]
    await connections.close()


async def test_proxies_are_those_of_the_environment_or_of_the_setting(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    far = "http://models.example.invalid/v1/models"
    answers = fails(200, {"data": ["through a proxy"]})
    async with scripted(answers) as environs, scripted(answers) as named, scripted(answers) as near:
        address = [server.url.removesuffix("/v1") for server in (environs, named)]
        monkeypatch.setenv("HTTP_PROXY", address[0])
        monkeypatch.setenv("NO_PROXY", "")
        ways = [Ways()]
        connections = Connections(ways=lambda: ways[0])
        assert await connections.get_json(far, ASKED, {}, 5) == {"data": ["through a proxy"]}
        assert len(environs.requests) == 1 and environs.requests[0].path == far
        ways[0] = Ways(proxy=address[1])
        await connections.get_json(far, ASKED, {}, 5)
        await connections.get_json(f"{near.url}/models", ASKED, {}, 5)
        assert (len(environs.requests), len(named.requests), len(near.requests)) == (1, 1, 1)
        ways[0] = Ways(proxy="none")
        with pytest.raises(ModelError) as caught:
            await connections.get_json(far, ASKED, {}, 5)
        assert caught.value.code == "no_network" and len(environs.requests) == 1
        ways[0] = Ways(proxy="no such://thing")
        with pytest.raises(ModelError) as caught:
            await connections.get_json(far, ASKED, {}, 5)
        assert caught.value.code == "proxy_failed"
        await connections.close()


@pytest.mark.parametrize(
    ("url", "open_"),
    [
        ("http://api.example.com/v1", True),
        ("HTTP://API.EXAMPLE.COM", True),
        ("http://8.8.8.8/v1", True),
        ("http://[2606:4700::1111]/v1", True),
        ("https://api.example.com/v1", False),
        ("http://127.0.0.1:1/v1", False),
        ("http://localhost/v1", False),
        ("http://192.168.1.2/v1", False),
        ("http://10.0.0.2:8000", False),
        ("http://[fd00::1]/v1", False),
        ("http://nas:8000", False),
        ("http://nas.local", False),
        ("http://box.home.arpa", False),
        ("", False),
        ("http://[bad", False),
    ],
)
def test_what_can_be_read_on_its_way(url: str, open_: bool) -> None:
    assert is_open(url) is open_


async def test_it_is_told_once(home: Path) -> None:
    text = '[profiles.mine]\nbase_url = "http://models.example.com/v1"\nmodel = "m"\n'
    with copilot_server() as copilot:
        async with desk(home, copilot, text=text) as at:
            for _ in range(3):
                await at.models.resolve("mine/m")
            told = [event.problem for event in at.events if isinstance(event, Noticed)]
            assert told == [Problem(code="open_address", fields={"host": "models.example.com"})]
            assert (await at.models.info("mine")).open_address
            assert not (await at.models.info("openai")).open_address


ADDRESS = "https://platform.openai.com/api-keys"


@pytest.mark.parametrize(
    "copied",
    [
        "Bearer sk-a=",
        "Authorization: bearer sk-a=",
        '"sk-a="',
        "OPENAI_API_KEY=sk-a=",
        "export X_KEY='sk-a='",
    ],
)
async def test_what_is_copied_along_with_a_key_is_left_off(home: Path, copied: str) -> None:
    with copilot_server() as copilot:
        async with desk(home, copilot, text="keys_in_file = true\n") as at:
            await at.models.set_key("openai", f" {copied}\n")
    assert (home / "data" / "keys" / "openai").read_text() == "sk-a="


@pytest.mark.parametrize(
    "key", ["", "  ", "two\nlines", "two words", "ünïcode", "tab\there", "nul\0", ADDRESS]
)
async def test_what_is_no_key_is_kept_nowhere(home: Path, key: str) -> None:
    with copilot_server() as copilot:
        async with desk(home, copilot, text="keys_in_file = true\n") as at:
            with pytest.raises(ModelError) as caught:
                await at.models.set_key("openai", key)
            assert caught.value.code == "not_a_key"
            assert await at.models.set_key("openai", "  sk-good\n") == "file", "what came along is left off"
    assert (home / "data" / "keys" / "openai").read_text() == "sk-good"


@pytest.mark.parametrize(
    ("path", "said", "code"),
    [
        ("", b"404 page not found", "bad_reply"),
        ("/", {"detail": "Not Found"}, "bad_reply"),
        ("/v1", b"404 page not found", "no_endpoint"),
        ("", {"error": {"message": "model 'm1' not found"}}, "model_gone"),
    ],
)
def test_an_address_that_lacks_its_version_is_named_as_such(path: str, said: Any, code: str) -> None:
    import json

    asked = Asked(name="p", title="P", host="h", path=path, model="m1")
    body = said if isinstance(said, bytes) else json.dumps(said).encode()
    assert from_answer(404, {}, body, asked).code == code

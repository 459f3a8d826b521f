"""`models add`: a server by its address, with the wire, the certificate and the key that it wants."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.servers.certificates import own_certificate, serving
from tests.servers.scripted import Exchange, Script, scripted_in_thread
from tests.terminal.conftest import Bramble
from tests.wires.failing import PATHS, WIRES, answer


@pytest.fixture
def environment(environment: dict[str, str]) -> Iterator[dict[str, str]]:
    """Without a model server of the environment."""
    yield {name: value for name, value in environment.items() if not name.startswith("BRAMBLE_B")}


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A certificate that its maker signed alone, and its key."""
    return own_certificate(tmp_path_factory.mktemp("own"))


def speaking(wire: str, *names: str, key: str = "") -> Script:
    """A server that knows one wire, lists these models, and may want a key."""

    async def script(exchange: Exchange) -> None:
        shown = exchange.request.headers
        given = shown.get("x-api-key") or shown.get("authorization", "").removeprefix("Bearer ")
        if key and given != key:
            await exchange.answer(401, {"error": {"message": "who are you?"}})
        elif exchange.request.path == "/v1/models":
            await exchange.answer(200, {"data": [{"id": name} for name in names]})
        elif exchange.request.path != f"/v1{PATHS[wire]}":
            await exchange.answer(404, {"error": {"message": "no such path"}})
        elif "messages" not in exchange.request.json and "input" not in exchange.request.json:
            await exchange.answer(400, {"error": {"message": "what do you want?"}})
        else:
            await answer(wire, "Hello.")(exchange)

    return script


def saved(home: Path) -> dict[str, Any]:
    return tomllib.loads((home / "settings.toml").read_text())


@pytest.mark.parametrize("wire", WIRES)
def test_it_answers_behind_its_own_certificate_by_its_own_wire(
    bramble: Bramble, home: Path, own: tuple[Path, Path], wire: str
) -> None:
    with scripted_in_thread(speaking(wire, "only", key="k-own"), tls=serving(own)) as server:
        words = ("models", "add", server.url.removesuffix("/v1"), "--key", "-", "--file", "--json")
        refused = bramble(*words, stdin="k-own")
        assert refused.code == 1 and refused.value["error"]["code"] == "tls" and not server.requests
        added = bramble(*words, "--ca-file", str(own[0]), stdin="k-own").sound()
        assert added.code == 0, added.err
        name = added.value["model"]
        profile = name.partition("/")[0]
        assert saved(home)["profiles"][profile].get("wire", "chat") == wire
        assert saved(home)["ca_file"] == str(own[0]) and saved(home)["model"] == name
        ran = bramble("ask", "--json", "Hi").sound()
        assert (ran.code, ran.value["text"]) == (0, "Hello."), ran.err
        assert server.requests[-1].path == f"/v1{PATHS[wire]}"
        assert "k-own" not in (home / "settings.toml").read_text() + added.out + added.err


def test_a_wire_that_was_chosen_counts(bramble: Bramble, home: Path) -> None:
    with scripted_in_thread(speaking("chat", "only")) as server:
        added = bramble("models", "add", server.url, "--wire", "responses", "--json").sound()
        profile = added.value["model"].partition("/")[0]
        assert saved(home)["profiles"][profile]["wire"] == "responses"


def test_one_of_several_models_has_to_be_named(bramble: Bramble, home: Path) -> None:
    with scripted_in_thread(speaking("chat", "first", "second")) as server:
        asked = bramble("models", "add", server.url, "--json")
        assert asked.code == 2 and asked.value == {"ok": False, "model": "", "models": ["first", "second"]}
        assert "--model: first, second" in asked.err
        assert not (home / "settings.toml").exists()
        named = bramble("models", "add", server.url, "--model", "second").sound()
        assert named.code == 0 and named.out.strip().endswith("/second"), named.err
        assert "Chat Completions" in named.err
        assert saved(home)["model"].endswith("/second")


def test_what_does_not_answer_leaves_everything_as_it_was(
    bramble: Bramble, home: Path, own: tuple[Path, Path]
) -> None:
    home.mkdir(exist_ok=True)
    (home / "settings.toml").write_text(f'ca_file = "{own[0]}"\n')
    other = own_certificate(own[0].parent)[0].rename(own[0].parent / "other.pem")
    own[0].write_bytes(other.read_bytes())
    ran = bramble("models", "add", "http://127.0.0.1:9/v1", "--ca-file", str(other), "--json")
    assert ran.code == 1 and ran.value["error"]["code"] == "no_network"
    assert saved(home) == {"ca_file": str(own[0])}
    none = bramble("models", "add", "http://127.0.0.1:9/v1", "--ca-file", str(home / "none.pem"), "--json")
    assert none.value["error"]["code"] == "bad_settings" and saved(home) == {"ca_file": str(own[0])}


def test_a_command_of_a_tool_adds_none(bramble: Bramble, home: Path) -> None:
    with scripted_in_thread(speaking("chat", "only")) as server:
        ran = bramble("models", "add", server.url, env={"BRAMBLE_JOB": "0123456789abcdef"})
        assert ran.code == 3 and not server.requests and not (home / "settings.toml").exists()


def test_a_list_that_could_not_be_had_anew_says_when_and_why(bramble: Bramble, home: Path) -> None:
    """The list of before counts; the JSON stays what it was."""
    refused: list[int] = []

    async def script(exchange: Exchange) -> None:
        if refused:
            await exchange.answer(refused[0], {"error": {"message": "out of order"}})
        else:
            await exchange.answer(200, {"data": [{"id": "listed"}]})

    with scripted_in_thread(script) as server:
        home.mkdir(exist_ok=True)
        (home / "settings.toml").write_text(f'[profiles.openai]\nbase_url = "{server.url}"\nmodels = []\n')
        env = {"OPENAI_API_KEY": "sk-test"}
        assert "could not be brought up to date" not in bramble("models", "list", env=env).sound().err
        (lists,) = (home / "cache" / "lists").glob("openai.json")
        held = json.loads(lists.read_text())
        lists.write_text(json.dumps({**held, "asked": held["asked"] - 3 * 3600 - 60}))
        refused.append(503)
        ran = bramble("models", "list", env=env).sound()
        assert "The list of OpenAI could not be brought up to date at " in ran.err
        assert "It is shown as it was 3 h ago." in ran.err and "openai/listed" in ran.out
        told = bramble("models", "list", "--json", env=env).sound()
        assert "openai/listed" in {one["name"] for one in told.value}
        lists.unlink()
        assert "What Bramble knows of it itself is shown." in bramble("models", "list", env=env).sound().err

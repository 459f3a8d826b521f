"""Whole conversations over networks as people have them: addresses as they were copied, certificates of one's
own, proxies, addresses that others can read.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.servers.certificates import FAR, own_certificate, serving
from tests.servers.scripted import Exchange, Script, ScriptedServer, calls, says, scripted_in_thread
from tests.servers.tunnel import tunnel
from tests.terminal.conftest import Bramble
from tests.wires.failing import PATHS, WIRES, answer

LIST = {"object": "list", "data": [{"id": "first"}, {"id": "second"}, None, {"id": ""}]}


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A certificate that its maker signed alone, and its key."""
    return own_certificate(tmp_path_factory.mktemp("own"))


@pytest.fixture
def settings(home: Path) -> Path:
    """The settings file of this home."""
    home.mkdir(parents=True, exist_ok=True)
    return home / "settings.toml"


@pytest.fixture
def environment(environment: dict[str, str]) -> Iterator[dict[str, str]]:
    """Without a model server and without proxies of the caller."""
    gone = ("bramble_base_url", "bramble_model", "bramble_wire", "http_proxy", "https_proxy", "all_proxy")
    yield {name: value for name, value in environment.items() if name.lower() not in (*gone, "no_proxy")}


def lists(*scripts: Script) -> Script:
    """Answer requests for a list of models, and those to a model with one script after the other."""
    left = list(scripts)

    async def script(exchange: Exchange) -> None:
        if exchange.request.method == "GET":
            await exchange.answer(200, LIST)
        else:
            await (left.pop(0) if len(left) > 1 else left[0])(exchange)

    return script


def table(url: str, more: str = "") -> str:
    """Settings with an own profile of that address."""
    return f'model = "mine/first"\n{more}\n[profiles.mine]\nbase_url = "{url}"\n'


def asked(server: ScriptedServer) -> list[str]:
    """The paths of the requests to a model."""
    return [one.path for one in server.requests if one.method == "POST"]


@pytest.mark.parametrize("wire", WIRES)
def test_a_conversation_and_a_list_behind_an_own_certificate(
    bramble: Bramble, settings: Path, own: tuple[Path, Path], wire: str
) -> None:
    script = lists(answer(wire, "One."), answer(wire, "Two."))
    with scripted_in_thread(script, tls=serving(own)) as server:
        settings.write_text(table(server.url) + f'wire = "{wire}"\n')
        refused = bramble("ask", "--json", "Hello").value["error"]
        assert refused["code"] == "tls" and "ca_file" in refused["detail"]
        assert not server.requests, "nothing was sent to a server that nobody vouches for"
        settings.write_text(table(server.url, f'ca_file = "{own[0]}"') + f'wire = "{wire}"\n')
        listed = bramble("models", "list", "--json").sound().value
        assert {"mine/first", "mine/second"} <= {one["name"] for one in listed}
        first = bramble("ask", "--json", "Hello").sound()
        assert (first.code, first.value["text"]) == (0, "One."), first.err
        second = bramble("ask", "--json", "--session", first.value["session"], "And?").sound()
        assert (second.code, second.value["text"]) == (0, "Two."), second.err
        assert asked(server) == [f"/v1{PATHS[wire]}"] * 2


def test_a_turn_with_tools_through_a_proxy_that_wants_a_password(
    bramble: Bramble, settings: Path, own: tuple[Path, Path], work: Path
) -> None:
    (work / "a.txt").write_text("alpha\n")
    script = lists(calls(("read_file", {"path": "a.txt"})), says("Alpha."))
    with (
        scripted_in_thread(script, tls=serving(own)) as server,
        tunnel(server.port, "anna:s3cret-of-the-proxy") as proxy,
    ):
        far = f"https://{FAR}/v1"
        settings.write_text(table(far, f'ca_file = "{own[0]}"\nproxy = "{proxy.url}"'))
        listed = bramble("models", "list", "--json").sound()
        assert "mine/second" in {one["name"] for one in listed.value}
        ran = bramble("ask", "--json", "What is in a.txt?").sound()
        assert (ran.code, ran.value["text"]) == (0, "Alpha."), ran.err
        assert set(proxy.asked) == {f"{FAR}:443"} and not proxy.refused
        assert "alpha" in server.requests[-1].body.decode()
        wrong = proxy.url.replace("s3cret", "wrong")
        settings.write_text(table(far, f'ca_file = "{own[0]}"\nproxy = "{wrong}"'))
        refused = bramble("ask", "--json", "Hello")
        assert refused.value["error"]["code"] == "proxy_failed" and proxy.refused
        for told in (ran, refused, listed):
            assert "s3cret" not in told.out + told.err and "wrong-of-the-proxy" not in told.out + told.err


def test_the_proxy_of_the_environment_and_hosts_that_are_left_out_of_it(
    bramble: Bramble, settings: Path, own: tuple[Path, Path]
) -> None:
    with (
        scripted_in_thread(lists(says("Here.")), tls=serving(own)) as server,
        tunnel(server.port) as proxy,
    ):
        settings.write_text(table(f"https://{FAR}/v1", f'ca_file = "{own[0]}"'))
        ran = bramble("ask", "--json", "Hello", env={"HTTPS_PROXY": proxy.url}).sound()
        assert (ran.code, ran.value["text"]) == (0, "Here."), ran.err
        assert set(proxy.asked) == {f"{FAR}:443"}
        before = len(proxy.asked)
        without = {"HTTPS_PROXY": proxy.url, "NO_PROXY": FAR}
        assert bramble("ask", "--json", "Hello", env=without).value["error"]["code"] == "no_network"
        assert len(proxy.asked) == before


@pytest.mark.parametrize(("words", "stdin"), [(("ask", "Hello"), ""), (("chat",), "Hello\nAnd again\n")])
def test_an_address_that_others_can_read_is_warned_of_once_and_works(
    bramble: Bramble, settings: Path, words: tuple[str, ...], stdin: str
) -> None:
    with scripted_in_thread(lists(says("Here."))) as proxy:
        root = proxy.url.removesuffix("/v1")
        settings.write_text(table("http://models.example.com/v1", f'proxy = "{root}"'))
        ran = bramble(*words, stdin=stdin).sound()
        assert ran.code == 0 and "Here." in ran.out, ran.err
        assert ran.err.count("can be read on its way") == 1
        assert set(asked(proxy)) == {"http://models.example.com/v1/chat/completions"}


@pytest.mark.parametrize(
    ("written", "path"),
    [
        ("{root}/v1", "/v1/chat/completions"),
        ("{root}/v1/", "/v1/chat/completions"),
        ("  {root}/v1//  ", "/v1/chat/completions"),
        ("'{root}/v1'", "/v1/chat/completions"),
        ("{root}/v1/chat/completions", "/v1/chat/completions"),
        ("{host}/v1", "/v1/chat/completions"),
        ("{root}", "/chat/completions"),
        ("{root}/proxy/openai/v1?team=red", "/proxy/openai/v1/chat/completions?team=red"),
        ("{root}/v1/chat/completions?version=2", "/v1/chat/completions?version=2"),
        ("{root}/proxy/open ai/v1", "/proxy/open%20ai/v1/chat/completions"),
    ],
)
@pytest.mark.parametrize("way", ["settings", "environment"])
def test_an_address_is_taken_as_it_was_written(
    bramble: Bramble, settings: Path, written: str, path: str, way: str
) -> None:
    with scripted_in_thread(lists(says("Here."))) as server:
        root = server.url.removesuffix("/v1")
        address = written.format(root=root, host=root.removeprefix("http://"))
        env = {"BRAMBLE_BASE_URL": address, "BRAMBLE_MODEL": "first"} if way == "environment" else {}
        if way == "settings":
            settings.write_text(table(address))
        ran = bramble("ask", "--json", "Hello", env=env).sound()
        assert (ran.code, ran.value["text"]) == (0, "Here."), ran.out + ran.err
        assert asked(server) == [path]


def test_a_model_that_vanished_is_named_and_another_answers(bramble: Bramble, settings: Path) -> None:
    gone: list[str] = []

    async def script(exchange: Exchange) -> None:
        if exchange.request.method == "GET":
            left = [entry for entry in LIST["data"] if entry and entry["id"] not in ("", *gone)]
            await exchange.answer(200, {"object": "list", "data": left})
        elif (name := exchange.request.json["model"]) in gone:
            said = f"The model `{name}` has been deprecated"
            await exchange.answer(404, {"error": {"message": said, "code": "model_not_found"}})
        else:
            await says(f"I am {name}.")(exchange)

    with scripted_in_thread(script) as server:
        settings.write_text(table(server.url))
        first = bramble("ask", "--json", "Hello").sound().value
        gone.append("first")
        ran = bramble("ask", "--json", "--session", first["session"], "And?")
        error = ran.value["error"]
        assert (ran.code, error["code"]) == (4, "model_gone") and "first" in error["message"]
        other = ("--session", first["session"], "--model", "mine/second")
        again = bramble("ask", "--json", *other, "And now?").sound()
        assert (again.code, again.value["text"]) == (0, "I am second."), again.err
        said = [one["content"] for one in server.requests[-1].json["messages"] if one["role"] == "user"]
        assert ["And?" in words for words in said].count(True) == 1, "what was said is kept"

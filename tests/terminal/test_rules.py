"""`bramble permissions` in all its forms: rules are kept, faults are named, calls are explained."""

from __future__ import annotations

import json
import subprocess
import threading
from pathlib import Path

import pytest

from tests.servers.scripted import says
from tests.terminal.conftest import PATIENCE, Bramble, Start
from tests.terminal.model_server import ModelServer

KEYS = {"id", "decision", "rule", "scope", "place", "line"}


def explain(
    bramble: Bramble, tool: str, arguments: object, *more: str, **options: object
) -> dict[str, object]:
    ran = bramble(
        "permissions", "explain", "--tool", tool, "--args", json.dumps(arguments), "--json", *more, **options
    )
    assert ran.code == 0, ran.err
    assert {"decision", "reason", "rule", "parts"} <= set(ran.value)
    return dict(ran.value)


def test_a_rule_from_its_saving_to_its_end(bramble: Bramble, work: Path, home: Path) -> None:
    ran = bramble("permissions", "add", "run_command(make all)", "--json")
    assert ran.code == 0 and set(ran.value) == KEYS | {"ok"} and ran.value["ok"] is True
    saved = ran.value
    assert bramble("permissions", "list", "--json").value == [{key: saved[key] for key in KEYS}]
    found = explain(bramble, "run_command", {"command": "make all"})
    assert (found["decision"], found["rule"], found["parts"]) == (
        "allow",
        "run_command(make all)",
        ["make all"],
    )
    assert explain(bramble, "run_command", {"command": "make all && make x"})["decision"] == "ask"
    text = bramble("permissions", "list")
    assert saved["id"] in text.out and "run_command(make all)" in text.out
    again = bramble("permissions", "add", "run_command(make all)", "--json").value
    assert again["id"] == saved["id"] and (home / "rules.txt").read_text().count("make all") == 1
    changed = bramble("permissions", "edit", saved["id"], "run_command(make *)", "--json").value
    assert changed["rule"] == "run_command(make *)" and changed["line"] == saved["line"]
    assert bramble("permissions", "remove", saved["id"], "--json").code == 1
    assert bramble("permissions", "remove", changed["id"], "--json").value == {
        "ok": True,
        "id": changed["id"],
    }
    assert bramble("permissions", "list", "--json").value == []


def test_rules_of_each_kind_and_place(bramble: Bramble, work: Path) -> None:
    (work / "sub").mkdir()
    for words, wanted in (
        (["x(a)", "--deny"], ("deny", "always", "")),
        (["x(b)", "--ask", "--project"], ("ask", "project", str(work))),
        (["x(c)", "--project", "sub"], ("allow", "project", str(work / "sub"))),
        (["x(d)", f"--project={work}"], ("allow", "project", str(work))),
        (["--project", "x(f)"], ("allow", "project", str(work))),
        (["--deny", "--project", "sub", "x(g)"], ("deny", "project", str(work / "sub"))),
    ):
        value = bramble("permissions", "add", *words, "--json").value
        assert (value["decision"], value["scope"], value["place"]) == wanted
    assert bramble("permissions", "add", "x(e)").out.startswith("Runs without a question")


def test_a_rule_of_a_conversation(bramble: Bramble, server: ModelServer) -> None:
    server.answers = [says("hello")]
    ran = bramble("permissions", "add", "x(a)", "--session", "nothing", "--json")
    assert (ran.code, ran.value["error"]["code"], ran.value["ok"]) == (1, "no_session", False)
    session = bramble("ask", "hi", "--json").value["session"]
    value = bramble("permissions", "add", "x(a)", "--session", session, "--json").value
    assert (value["scope"], value["place"]) == ("session", session)


def test_explain_as_a_call_of_a_conversation(bramble: Bramble, server: ModelServer, work: Path) -> None:
    server.answers = [says("hello")]
    session = bramble("ask", "hi", "--json").value["session"]
    bramble("permissions", "add", "run_command(make)", "--session", session)
    make = {"command": "make"}
    assert explain(bramble, "run_command", make)["decision"] == "ask"
    elsewhere = work / "elsewhere"
    elsewhere.mkdir()
    found = explain(bramble, "run_command", make, "--session", session, cwd=elsewhere)
    assert (found["decision"], found["rule"]) == ("allow", "run_command(make)")
    lines = [{"tool": "run_command", "args": make}, {"tool": "run_command", "args": make, "session": session}]
    lines += [{**lines[0], "session": "nothing"}, {**lines[0], "session": 1}]
    given = "\n".join(map(json.dumps, lines))
    answers = bramble("permissions", "explain", "--jsonl", stdin=given).out.splitlines()
    assert [json.loads(line)["decision"] for line in answers] == ["ask", "allow", "deny", "deny"]
    assert json.loads(answers[2])["error"]["code"] == "no_session"
    assert json.loads(answers[3])["error"]["code"] == "bad_arguments"
    ran = bramble(
        "permissions", "explain", "--tool", "run_command", "--args", "{}", "--session", "x", "--json"
    )
    assert (ran.code, ran.value["error"]["code"]) == (1, "no_session")


@pytest.mark.parametrize(
    "rule", ["git status", "run_command(", "run_command()", "x(a\nb)", "run_command(a 'b)"]
)
def test_what_is_no_rule(bramble: Bramble, home: Path, rule: str) -> None:
    ran = bramble("permissions", "add", rule, "--json")
    assert (ran.code, ran.value["error"]["code"]) == (2, "bad_rule")
    assert not (home / "rules.txt").exists()


def test_wrong_use(bramble: Bramble) -> None:
    assert bramble("permissions", "add", "x(a)", "--project", ".", "--session", "s").code == 2
    assert (
        bramble("permissions", "add", "x(a)", "--project", "nowhere", "--json").value["error"]["code"]
        == "no_folder"
    )
    for words in (["--project"], ["--project", "sub"], []):
        ran = bramble("permissions", "add", *words)
        assert ran.code == 2 and "permissions add RULE --project [DIR]" in ran.err
    assert bramble("permissions", "explain").code == 2
    assert bramble("permissions", "remove", "0", "--json").value["error"]["code"] == "no_rule"


def test_mistakes_by_hand_are_named_and_the_rest_holds(bramble: Bramble, home: Path) -> None:
    (home / "rules.txt").write_text(
        "[always]\nallow make\nallow run_command(make)\n[projekt x]\nallow x(*)\n"
    )
    ran = bramble("permissions", "list", "--json")
    assert [one["rule"] for one in ran.value] == ["run_command(make)"]
    for words in ("Line 2 does not hold", "Line 4 does not hold", "Line 5 does not hold", "rules.txt"):
        assert words in ran.err
    assert explain(bramble, "run_command", {"command": "make"})["decision"] == "allow"
    checks = {check["name"]: check for check in bramble("doctor", "--json").value["checks"]}
    assert checks["rules"]["state"] == "warn"
    assert "line 2" in checks["rules"]["detail"] and "line 4" in checks["rules"]["detail"]


def test_a_file_that_cannot_be_read(bramble: Bramble, home: Path) -> None:
    (home / "rules.txt").write_bytes(b"\xff\xfea\0")
    ran = bramble("permissions", "list", "--json")
    assert (ran.code, ran.value) == (0, []) and "cannot be read" in ran.err
    ran = bramble("permissions", "add", "x(a)", "--json")
    assert (ran.code, ran.value["error"]["code"]) == (1, "bad_rules")
    assert explain(bramble, "list_dir", {"path": "."})["reason"] == "rules_unreadable"
    checks = {check["name"]: check for check in bramble("doctor", "--json").value["checks"]}
    assert checks["rules"]["state"] == "fail"


def test_the_doctor_counts_rules(bramble: Bramble) -> None:
    bramble("permissions", "add", "x(a)")
    checks = {check["name"]: check for check in bramble("doctor", "--json").value["checks"]}
    assert checks["rules"]["state"] == "ok" and "rules.txt" in checks["rules"]["detail"]


def test_explain_as_if(bramble: Bramble, work: Path) -> None:
    write = {"path": "a", "content": "x\n"}
    asked = explain(bramble, "write_file", write)
    assert (asked["decision"], asked["reason"]) == ("ask", "change")
    assert asked["offers"][0] == [f"write_file({work}/a)"]  # type: ignore[index]
    alone = explain(bramble, "write_file", write, "--unattended")
    assert (alone["decision"], alone["reason"]) == ("deny", "unattended")
    assert (
        explain(bramble, "write_file", write, "--unattended", "--allow", "write_file(**)")["decision"]
        == "allow"
    )
    marked = explain(
        bramble, "write_file", {**write, "path": "GEMINI.md"}, "--untrusted", "--allow", "write_file(**)"
    )
    assert (marked["decision"], marked["reason"]) == ("ask", "untrusted")
    assert marked["marks"] == [{"kind": "other", "name": "--untrusted"}]
    denied = explain(bramble, "write_file", write, "--allow", "write_file(*)", "--deny", "write_file(**)")
    assert (denied["decision"], denied["rule"]) == ("deny", "write_file(**)")
    assert not (work / "a").exists()


def test_explain_many(bramble: Bramble, work: Path) -> None:
    (work / "sub").mkdir()
    questions = [
        {"tool": "run_command", "args": {"command": "make"}, "allow": ["run_command(make)"]},
        {"tool": "run_command", "args": '{"command": "make"}', "deny": ["run_command(*)"]},
        {
            "tool": "write_file",
            "args": {"path": "x", "content": ""},
            "cwd": "sub",
            "allow": ["write_file(x)"],
        },
        {"tool": "write_file", "args": {"path": "x", "content": ""}, "unattended": True},
        {"tool": "no_such_tool"},
        {"tool": "run_command", "args": {"command": "make"}, "allow": ["nonsense"]},
        {"tool": "run_command", "args": {"command": "make"}, "cwd": "/nowhere"},
        {"tool": "run_command", "args": {"command": "make"}, "cwd": "/"},
        {"tool": 1},
        [],
    ]
    lines = [json.dumps(question) for question in questions]
    lines += ["", "{", '{"tool":"run_command","args":{"command":"\\ud800"}}', "[" * 100_000, "\xff"]
    given = "\n".join(lines).encode("latin-1") + b'\n{"tool":"list_dir","args":{"path":"."}}'
    ran = bramble("permissions", "explain", "--jsonl", stdin=given)
    answers = [json.loads(line) for line in ran.out.splitlines()]
    assert ran.code == 0 and len(answers) == len(lines) + 1
    assert all({"decision", "reason", "rule", "parts"} <= set(answer) for answer in answers)
    assert [answer["decision"] for answer in answers[:4]] == ["allow", "deny", "allow", "deny"]
    assert answers[3]["reason"] == "unattended"
    assert all(answer["decision"] == "deny" for answer in answers[4:-1])
    assert answers[5]["error"]["code"] == "bad_rule" and answers[6]["error"]["code"] == "no_folder"
    assert answers[10]["error"]["code"] == "bad_arguments"
    assert (answers[-1]["decision"], answers[-1]["reason"]) == ("allow", "workspace_read")


def test_each_answer_comes_before_the_next_question(start: Start) -> None:
    child = start(
        "permissions", "explain", "--jsonl", "--allow", "run_command(make)", stdin=subprocess.PIPE, bufsize=0
    )
    assert child.stdin and child.stdout
    watchdog = threading.Timer(PATIENCE, child.kill)  # an answer that never comes ends the reading
    watchdog.start()
    try:
        for text, wanted in (("make", "allow"), ("rm x", "ask"), ("make", "allow")):
            line = json.dumps({"tool": "run_command", "args": {"command": text}}) + "\n"
            child.stdin.write(line.encode())
            assert json.loads(child.stdout.readline())["decision"] == wanted
        child.stdin.close()
        assert child.wait(30) == 0
    finally:
        watchdog.cancel()

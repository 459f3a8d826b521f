"""`bramble tools new, check, trust, list --own`: the forms that scripts rely on, and what a person reads."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.platform.processes import MARK
from tests.servers.scripted import calls, says
from tests.terminal.conftest import Bramble, command
from tests.terminal.console import Console
from tests.terminal.model_server import ModelServer


def test_new_and_check_in_their_form(bramble: Bramble, home: Path, work: Path) -> None:
    ran = bramble("tools", "new", "count_words", "--json")
    path = home / "tools" / "count_words.py"
    assert ran.code == 0 and (ran.value["ok"], ran.value["problems"]) == (True, [])
    assert ran.value["path"] == str(path) and path.is_file()
    before = path.read_bytes()
    ran = bramble("tools", "new", "count_words", "--json")
    assert ran.code == 1 and ran.value["error"]["code"] == "own_tool_exists" and not ran.value["ok"]
    assert path.read_bytes() == before
    ran = bramble("tools", "check", str(path), "--json")
    assert (ran.code, ran.value) == (0, {"ok": True, "problems": []})
    bad = work / "bad.py"
    bad.write_text(
        path.read_text().replace("count_words", "bad").replace("import FileText", "import os, FileText")
    )
    bad.write_text(bad.read_text() + "\nimport os\n")
    ran = bramble("tools", "check", "bad.py", "--json")
    assert ran.code == 1 and not ran.value["ok"]
    last = len(bad.read_text().splitlines())
    assert {"line": last, "message": "Import of os is refused."} in ran.value["problems"]


def test_the_next_steps_stand_under_each_other(bramble: Bramble, home: Path) -> None:
    path = home / "tools" / "count_words.py"
    said = bramble("tools", "new", "count_words").err.splitlines()
    assert said[-2:] == [f"  bramble tools check {path}", "  bramble tools trust count_words"]


def test_a_name_that_no_tool_can_have_is_wrong_use(bramble: Bramble, home: Path) -> None:
    ran = bramble("tools", "new", "My Tool", "--json")
    assert ran.code == 2 and ran.value["error"]["code"] == "bad_tool_name"
    assert not (home / "tools").exists()


def test_what_concerns_a_whole_file_names_no_line_to_a_person(
    bramble: Bramble, home: Path, work: Path
) -> None:
    assert bramble("tools", "check", "gone.py").out.startswith("The file cannot be read")
    (work / "late.txt").write_text("x")
    assert bramble("tools", "check", "late.txt").out.startswith("The name of a tool's file")
    (home / "tools").mkdir(parents=True)
    (home / "tools" / "read_file.py").write_text('"""A."""\n')
    listed = bramble("tools", "list", "--own")
    assert f"{home}/tools/read_file.py: Bramble has a tool named read_file" in listed.err
    assert f"Each is a file in the folder {home}/tools." in listed.err


def test_where_nothing_can_be_written_a_command_says_so(bramble: Bramble) -> None:
    there = {"BRAMBLE_HOME": "/proc/nobody/home"}
    ran = bramble("tools", "new", "count_words", env=there)
    assert ran.code == 1 and "does not allow access to /proc/nobody/home/tools/count_words.py" in ran.err
    assert "Errno" not in ran.err
    ran = bramble("tools", "list", "--own", env=there)
    assert ran.code == 0 and "Each will be a file in the folder /proc/nobody/home/tools." in ran.err


@pytest.mark.parametrize(
    ("name", "data", "line"),
    [
        ("gone.py", None, 1),
        ("latin.py", b'"""A."""\n\nx = "\xe4"\n', 3),
        ("syntax.py", b'"""A."""\n\ndef (:\n', 3),
        ("folder.py", "", 1),
    ],
)
def test_check_names_the_line(
    bramble: Bramble, work: Path, name: str, data: bytes | str | None, line: int
) -> None:
    if isinstance(data, bytes):
        (work / name).write_bytes(data)
    elif data is not None:
        (work / name).mkdir()
    ran = bramble("tools", "check", name, "--json")
    assert ran.code == 1 and set(ran.value) == {"ok", "problems"} and not ran.value["ok"]
    assert ran.value["problems"][0]["line"] == line
    assert all(set(one) == {"line", "message"} and one["message"] for one in ran.value["problems"])
    if name == "syntax.py":
        assert bramble("tools", "check", name).out.startswith(f"{line}: ")


def test_check_takes_the_name_of_an_own_tool_too(bramble: Bramble, work: Path) -> None:
    bramble("tools", "new", "count_words")
    assert bramble("tools", "check", "count_words").code == 0
    (work / "count_words").write_text("def (:\n")
    assert bramble("tools", "check", "count_words").code == 1, "a file of this name comes first"


def test_who_calls_a_tool_that_waits_is_told_so(bramble: Bramble) -> None:
    bramble("tools", "new", "count_words")
    ran = bramble("tools", "call", "count_words", "--args", '{"path": "a.txt"}', "--yes")
    assert ran.code == 2 and "Your own tool count_words is left out" in ran.err
    assert "bramble tools trust count_words" in ran.err


def test_trust_is_asked_for_and_never_by_a_tool(bramble: Bramble, home: Path) -> None:
    bramble("tools", "new", "count_words")
    ran = bramble("tools", "trust", "count_words")
    assert ran.code == 3 and "async def count_words" in ran.out and "sealed" in ran.err
    assert bramble("tools", "trust", "count_words", "--yes", "--json", env={MARK: "x"}).code == 3
    ran = bramble("tools", "list")
    assert "count_words is left out: waits for you" in ran.err
    assert bramble("tools", "trust", "count_words", "--yes").code == 0
    listed = {one["name"]: one for one in bramble("tools", "list", "--json").value}
    assert listed["count_words"]["source"] == "own" and listed["count_words"]["category"] == "own"
    file = home / "tools" / "count_words.py"
    file.write_text(file.read_text().replace("words = sum", "words = 1 + sum"))
    own = bramble("tools", "list", "--own", "--json").value
    assert [(one["name"], one["state"]) for one in own] == [("count_words", "changed")]
    ran = bramble("tools", "trust", "count_words")
    assert "+    words = 1 + sum" in ran.out and "@tool(" not in ran.out
    assert bramble("tools", "forget", "count_words", "--json").value == {"ok": True, "name": "count_words"}


def test_a_person_answers_at_a_terminal(environment: dict[str, str], work: Path, bramble: Bramble) -> None:
    bramble("tools", "new", "count_words")
    for answer, words, state in (("n", "left as it was", "waiting"), ("y", "it is on", "on")):
        with Console(command("tools", "trust", "count_words"), environment, str(work)) as console:
            console.expect("Trust count_words?")
            console.expect("> ")
            console.send(f"{answer}\r")
            console.expect(words)
        assert bramble("tools", "list", "--own", "--json").value[0]["state"] == state
    assert bramble("tools", "off", "count_words").code == 0
    assert bramble("tools", "list", "--own", "--json").value[0]["state"] == "off"
    assert "async def" in bramble("tools", "show", "count_words").out


def test_a_model_finds_and_calls_one(bramble: Bramble, server: ModelServer, work: Path) -> None:
    (work / "a.txt").write_text("one two\nthree\n")
    bramble("tools", "new", "count_words")
    bramble("tools", "trust", "count_words", "--yes")
    server.answers = [
        calls(("find_tools", {"query": "count the words of a file"})),
        calls(("use_tool", {"name": "count_words", "arguments": {"path": "a.txt"}})),
        says("It has three words."),
    ]
    ran = bramble("ask", "how many words does a.txt have", "--json")
    assert ran.code == 0 and ran.value["text"] == "It has three words."
    results = [one["content"] for one in server.requests[-1]["messages"] if one["role"] == "tool"]
    assert "count_words" in str(results[0]) and "a.txt: 2 lines, 3 words" in str(results[1])

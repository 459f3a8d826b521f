"""`bramble skills`: the forms that scripts rely on, and what a person reads."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.servers.scripted import calls, says
from tests.terminal.conftest import Bramble, command
from tests.terminal.console import Console
from tests.terminal.model_server import ModelServer


def make(folder: Path, text: str | bytes) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    data = text if isinstance(text, bytes) else text.encode()
    (folder / "SKILL.md").write_bytes(data)
    return folder


GOOD = "---\nname: notes\ndescription: Write notes.\n---\nDo it.\n"


def test_check_in_its_form(bramble: Bramble, work: Path) -> None:
    good = make(work / "notes", GOOD)
    ran = bramble("skills", "check", str(good), "--json")
    assert (ran.code, ran.value) == (0, {"ok": True, "loaded": True, "problems": []})
    assert bramble("skills", "check", "notes/SKILL.md", "--json").value == ran.value
    make(work / "colon", GOOD.replace("Write", "Triggers: write"))
    ran = bramble("skills", "check", "colon", "--json")
    assert ran.code == 0 and ran.value["loaded"] and [one["line"] for one in ran.value["problems"]] == [3]
    assert set(ran.value["problems"][0]) == {"line", "message"}
    make(work / "none", "no block")
    ran = bramble("skills", "check", "none", "--json")
    assert (
        ran.code == 1 and (ran.value["ok"], ran.value["loaded"]) == (False, False) and ran.value["problems"]
    )
    ran = bramble("skills", "check", "nothing", "--json")
    assert ran.code == 1 and set(ran.value) == {"ok", "loaded", "problems"} and ran.value["problems"]


def test_check_for_a_person(bramble: Bramble, work: Path) -> None:
    make(work / "colon", GOOD.replace("Write", "Triggers: \x1b[31mwrite"))
    ran = bramble("skills", "check", "colon")
    assert ran.out.startswith("3: A colon") and "can be used" in ran.err and "\x1b" not in ran.out
    assert bramble("skills", "check", "nothing").out.startswith("There is no SKILL.md at nothing")
    assert "Nothing is wrong" in bramble("skills", "check", str(make(work / "notes", GOOD))).err


def test_list_show_and_find(bramble: Bramble, home: Path) -> None:
    make(home / "skills" / "my-notes", GOOD.replace("notes", "my-notes", 1))
    make(home / "skills" / "broken", b"\xff\xfe\x00")
    make(home / "skills" / "commit-review", GOOD.replace("name: notes", "name: commit-review"))
    found = bramble("skills", "list", "--json").value
    by = {(one["name"], one["source"]): one for one in found}
    assert len(found) == 13 and by["my-notes", "person"]["loaded"] and not by["broken", "person"]["loaded"]
    assert by["commit-review", "bundled"]["hidden_by"] and not by["commit-review", "person"]["hidden_by"]
    text = bramble("skills", "list")
    assert "my-notes\tyours\t\tWrite notes." in text.out and "broken:1:" in text.err
    shown = bramble("skills", "show", "my-notes", "--json").value
    assert shown["body"] == "Do it." and shown["name"] == "my-notes" and shown["files"] == []
    assert "Do it." in bramble("skills", "show", "my-notes").out
    ran = bramble("skills", "show", "nothing", "--json")
    assert ran.code == 1 and ran.value["error"]["code"] == "no_skill"
    assert "Try: bramble skills list" in ran.err
    ran = bramble("skills", "find", "plan", "a", "trip", "to", "Rome", "--json")
    assert ran.value["skills"][0]["name"] == "plan-a-trip" and ran.value["skills"][0]["sure"]
    assert bramble("skills", "find", "qqqq").code == 0


@pytest.mark.parametrize(
    "words",
    [
        ["skills", "check"],
        ["skills", "find"],
        ["skills", "show"],
        ["skills", "nothing"],
        ["skills", "find", " "],
    ],
)
def test_wrong_use(bramble: Bramble, words: list[str]) -> None:
    assert bramble(*words).code == 2


def test_skills_of_a_project_wait_for_the_persons_word(bramble: Bramble, work: Path) -> None:
    make(work / ".agents" / "skills" / "theirs", GOOD.replace("notes", "theirs", 1))
    assert "theirs" not in {one["name"] for one in bramble("skills", "list", "--json").value}


def test_those_of_a_project_wait_are_agreed_to_and_wait_again_when_they_change(
    bramble: Bramble, work: Path
) -> None:
    path = make(work / ".agents" / "skills" / "deploy", GOOD.replace("notes", "deploy", 1)) / "SKILL.md"
    ran = bramble("skills", "list")
    assert "deploy" not in ran.out and "brings 1 skill" in ran.err and "bramble skills agree" in ran.err
    ran = bramble("skills", "agree")
    assert ran.code == 3 and "Do it." in ran.out, "what would be agreed to is shown"
    ran = bramble("skills", "agree", "--json")
    assert ran.code == 3 and ran.value["error"]["code"] == "refused" and ran.value["skills"] == []
    assert "deploy" not in bramble("skills", "list").out
    ran = bramble("skills", "agree", "--yes", "--json")
    assert ran.value == {"project": str(work), "state": "agreed", "skills": ["deploy"]}
    assert bramble("skills", "agree", "--json").value == ran.value, "nothing is left to ask"
    assert "deploy\tthe project's" in bramble("skills", "list", cwd=work).out
    path.write_text(path.read_text() + "More.\n")
    ran = bramble("skills", "list")
    assert "deploy" not in ran.out and "changed since you agreed" in ran.err
    ran = bramble("skills", "refuse")
    assert ran.code == 0 and "left out" in ran.err
    assert "You left them out" in bramble("skills", "list").err
    assert bramble("skills", "agree", "/").code == 1


def test_a_person_agrees_to_the_skills_of_a_project_once_they_saw_them(
    bramble: Bramble, environment: dict[str, str], work: Path
) -> None:
    path = make(work / ".agents" / "skills" / "deploy", GOOD.replace("notes", "deploy", 1)) / "SKILL.md"
    for answer, code in (("n", 3), ("y", 0)):
        with Console(command("skills", "agree"), environment, str(work)) as console:
            console.expect("Do it.")
            console.expect("Use just these?")
            console.expect("> ")
            console.send(f"{answer}\r")
            assert console.wait() == code
    assert "deploy" in bramble("skills", "list").out
    path.write_text(path.read_text() + "More.\n")
    with Console(command("skills", "agree"), environment, str(work)) as console:
        console.expect("Use just these?")
        console.expect("> ")
        path.write_text(path.read_text() + "And more.\n")
        console.send("y\r")
        console.expect("were changed in the meantime")
        assert console.wait() == 1
    assert "deploy" not in bramble("skills", "list").out


def test_a_command_of_a_tool_cannot_agree(bramble: Bramble, work: Path) -> None:
    make(work / ".agents" / "skills" / "deploy", GOOD.replace("notes", "deploy", 1))
    for words in (("agree", "--yes"), ("refuse",)):
        ran = bramble("skills", *words, env={"BRAMBLE_JOB": "0123456789abcdef"})
        assert ran.code == 3 and "deploy" not in bramble("skills", "list").out, ran.err


def test_what_was_done_is_saved_as_a_skill_in_a_conversation(
    server: ModelServer, environment: dict[str, str], home: Path, work: Path
) -> None:
    make(work / ".agents" / "skills" / "deploy", GOOD.replace("notes", "deploy", 1))
    server.answers = [calls(("list_dir", {"path": "."})), says("Nothing but a folder.")]
    with Console(command("chat"), environment, str(work)) as console:
        console.expect("brings 1 skill")
        console.send("l\r")
        console.expect("Do it.")
        console.send("y\r")
        console.expect("used from now on")
        console.send("What lies here?\r")
        console.expect("cost")
        console.send("/skill\r")
        console.expect("Enter keeps it")
        console.send("what-lies-here\r")
        console.expect("What for")
        console.send("\r")
        console.expect("Save it?")
        console.send("y\r")
        console.expect("Saved as what-lies-here")
        console.send("/quit\r")
        console.expect("--session")
    text = (home / "skills" / "what-lies-here" / "SKILL.md").read_text()
    assert 'suggested-tools:\n  - "list_dir"' in text and "1. List folder with `list_dir`: `.`." in text
    assert "deploy" in str(server.requests[0]["messages"])


def test_one_question_says_that_skills_wait_behind_its_answer(
    server: ModelServer, environment: dict[str, str], work: Path
) -> None:
    make(work / ".agents" / "skills" / "deploy", GOOD.replace("notes", "deploy", 1))
    server.answers = [says("Hello.")]
    with Console(command("ask", "hi"), environment, str(work)) as console:
        console.expect("Hello.")
        console.expect("brings 1 skill")
        assert console.wait() == 0

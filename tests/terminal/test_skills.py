"""`bramble skills`: the forms that scripts rely on, and what a person reads."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.terminal.conftest import Bramble


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
    ran = bramble("skills", "find", "plan", "a", "trip", "to", "Rome", "--json")
    assert ran.value["skills"][0]["name"] == "plan-a-trip" and ran.value["skills"][0]["sure"]
    assert bramble("skills", "find", "qqqq").code == 0


@pytest.mark.parametrize(
    "words", [["skills", "check"], ["skills", "find"], ["skills", "show"], ["skills", "nothing"]]
)
def test_wrong_use(bramble: Bramble, words: list[str]) -> None:
    assert bramble(*words).code == 2


def test_skills_of_a_project_wait_for_the_persons_word(bramble: Bramble, work: Path) -> None:
    make(work / ".agents" / "skills" / "theirs", GOOD.replace("notes", "theirs", 1))
    assert "theirs" not in {one["name"] for one in bramble("skills", "list", "--json").value}

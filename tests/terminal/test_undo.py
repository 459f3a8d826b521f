"""`bramble undo` where somebody changed the file since: the three-way difference, a choice for each file."""

from __future__ import annotations

import json
from pathlib import Path

from tests.terminal.conftest import Bramble


def _call(bramble: Bramble, tool: str, **arguments: object) -> dict[str, object]:
    made: dict[str, object] = bramble(
        "tools", "call", tool, "--args", json.dumps(arguments), "--yes", "--json"
    ).value
    assert made["ok"] is True, made
    return made


def test_a_conflict_is_shown_and_settled(bramble: Bramble, work: Path) -> None:
    path = work / "x"
    path.write_text("1\n2\n3\n4\n5\n")
    made = str(_call(bramble, "edit_file", path="x", edits=[{"old": "2", "new": "two"}])["undo"])
    path.write_text("1\ntwo\n3\n4\n5\nmine\n")
    told = bramble("undo", made)
    assert told.code != 0
    shown = [line.strip() for line in (told.out + told.err).splitlines()]
    assert {"-2", "+two", "+mine", "-two", "+2"} <= set(shown) and "--take" in told.out + told.err
    ran = bramble("undo", made, "--json")
    (conflict,) = ran.value["conflicts"]
    assert (ran.value["ok"], ran.value["undo"], conflict["path"]) == (False, None, str(path))
    assert conflict["merged"]["hunks"] and conflict["ours"]["hunks"] and conflict["since"]["hunks"]
    assert bramble("undo", made, "--file", "x=theirs").code == 2
    back = bramble("undo", made, "--file", f"{path}=merged", "--json").value
    assert back["ok"] is True and path.read_text() == "1\n2\n3\n4\n5\nmine\n"
    assert bramble("undo", str(back["undo"]), "--json").value["ok"] is True
    assert path.read_text() == "1\ntwo\n3\n4\n5\nmine\n"
    assert bramble("undo", made, "--take", "before", "--json").value["ok"] is True
    assert path.read_text() == "1\n2\n3\n4\n5\n"


def test_trashed_and_restored_by_tool_and_by_undo(bramble: Bramble, work: Path) -> None:
    (work / "notes").mkdir()
    (work / "notes" / "a").write_text("kept")
    made = str(_call(bramble, "trash_file", path="notes")["undo"])
    assert not (work / "notes").exists()
    assert "notes" in bramble("undo", "show", made).out
    back = bramble("undo", made, "--json").value
    assert back["ok"] is True and (work / "notes" / "a").read_text() == "kept"
    _call(bramble, "trash_file", path="notes")
    _call(bramble, "restore_file", path="notes")
    assert (work / "notes" / "a").read_text() == "kept"
    _call(bramble, "archive", action="create", archive="n.zip", paths=["notes"])
    listed = bramble(
        "tools", "call", "archive", "--args", '{"action":"list","archive":"n.zip"}', "--json"
    ).value
    assert "notes/a" in listed["result"]
    _call(bramble, "archive", action="extract", archive="n.zip", destination="out")
    assert (work / "out" / "notes" / "a").read_text() == "kept"

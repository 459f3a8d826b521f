"""A store that cannot be written: every command says so in plain words, and nothing is half done."""

from __future__ import annotations

from pathlib import Path

from tests.whole.program import Program


def damaged(place: Path) -> Program:
    """A program whose database is noise."""
    program = Program(place)
    (program.home / "data").mkdir(parents=True)
    (program.home / "data" / "bramble.db").write_bytes(b"no database at all " * 500)
    return program


def test_a_change_that_cannot_be_journaled_is_refused_in_plain_words(tmp_path: Path) -> None:
    program = damaged(tmp_path)
    ran = program.call("write_file", path="new.txt", content="x").sound()
    assert ran.code == 1 and ran.value["ok"] is False
    assert "Nothing was changed." in ran.value["result"]
    assert list(program.work.iterdir()) == []

"""A damaged data file at the terminal: what is offered, and that it helps."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.servers.scripted import says
from tests.terminal.conftest import Bramble
from tests.terminal.model_server import ModelServer


@pytest.fixture
def talked(bramble: Bramble, server: ModelServer) -> Bramble:
    """A program with one long conversation."""
    server.answers = [says("remembered " * 40_000)]
    assert bramble("ask", "keep this").code == 0
    return bramble


def damage(home: Path, first_page: int = 60) -> None:
    """Overwrite pages in the middle of the database; with page 0 nothing can be read any more."""
    path = home / "data" / "bramble.db"
    size = path.stat().st_size
    with open(path, "r+b") as file:
        for page in range(first_page, size // 4096, 2):
            file.seek(page * 4096)
            file.write(os.urandom(4096))


def test_the_backup_that_the_store_names_is_offered_and_never_a_damaged_file(
    talked: Bramble, home: Path
) -> None:
    made = Path(talked("backup", "--json").value["file"])
    (made.parent / "store_29991231T000000.damaged").write_bytes(b"not this one")
    damage(home, 0)
    ran = talked("sessions", "list")
    assert f"Try: bramble restore {made}\n" in ran.err and ".damaged" not in ran.err
    assert "The newest backup was made: just now." in ran.err
    assert talked("restore", str(made), "--json").value["ok"] is True
    (session,) = talked("sessions", "list", "--json").value
    assert "remembered" in talked("sessions", "export", session["id"], "--format", "json").out


def test_without_a_backup_what_can_be_read_is_saved(talked: Bramble, home: Path) -> None:
    assert talked("restore").code == 2
    ran = talked("restore", "--salvage")
    assert (ran.code, "nothing to salvage" in ran.err) == (2, True)
    damage(home)
    (session,) = talked("sessions", "list", "--json").value
    ran = talked("sessions", "export", session["id"], "--format", "json")
    assert ran.code == 1 and "Try: bramble restore --salvage\n" in ran.err
    saved = talked("restore", "--salvage", "--json").value
    assert saved["ok"] is True and Path(saved["file"]).name.startswith("salvaged_")
    assert Path(saved["kept"]).suffix == ".damaged"
    assert [one["id"] for one in talked("sessions", "list", "--json").value] == [session["id"]]
    ran = talked("sessions", "export", session["id"], "--format", "json")
    assert ran.code == 0 and "keep this" in ran.out


def test_where_nothing_can_be_read_it_says_what_is_left_to_do(talked: Bramble, home: Path) -> None:
    damage(home, 0)
    ran = talked("restore", "--salvage")
    assert ran.code == 1 and "Move " in ran.err and "--salvage\n" not in ran.err.split("Move ")[1]

"""What a person makes of a proposal, and the answer that says it."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from app.changes.diff import file_diff
from app.changes.preview import preview
from app.records import FileDiff
from ui.window.approvals.editing import uneditable
from ui.window.approvals.proposal import WHOLE, Proposal

OLD = "one\n" + "".join(f"{n}\n" for n in range(30)) + "two\n"
NEW = OLD.replace("one", "first").replace("two", "second")


@pytest.fixture
def file(tmp_path: Path) -> FileDiff:
    path = tmp_path / "notes.md"
    path.write_text(OLD)
    made = file_diff(str(path), "notes.md", OLD.encode(), NEW.encode())
    return msgspec.structs.replace(made, text=NEW)


def test_a_piece_that_was_left_out_stays_out_while_the_text_is_edited(file: FileDiff) -> None:
    proposal = Proposal([file])
    proposal.flip(0, 1, True)
    text = NEW.replace("15\n", "fifteen\n")
    assert proposal.edit(0, text) and not proposal.settled
    assert not proposal.show(0, "another text", file), "an older comparison is not shown"
    assert proposal.show(0, text, preview(file, text)) and proposal.settled
    assert proposal.total == 3 and proposal.rejected() == ((0, 2),), "the piece has another number now"
    answer = proposal.answer()
    assert answer.edited == {file.path: text} and answer.rejected == ((0, 2),)


def test_what_is_left_out_is_not_in_the_text_that_is_edited(file: FileDiff) -> None:
    """Else an edit close to a rejected piece would take that piece in again."""
    proposal = Proposal([file])
    proposal.flip(0, 1, True)
    text = proposal.text(0)
    assert text == NEW.replace("second\n", "two\n")
    assert not proposal.edit(0, text) and not proposal.edited(0), "opening the editor changes nothing"
    near = text.replace("27\n", "mine\n")
    assert proposal.edit(0, near) and proposal.show(0, near, preview(file, near))
    assert proposal.answer().edited == {file.path: near} and proposal.answer().rejected == ()
    proposal.flip(0, 1, True)
    assert proposal.text(0) == text, "pieces of the own text can be left out too"
    proposal.reset(0)
    assert proposal.rejected() == ((0, 1),), "the way back leads to what was left out before"


def test_back_to_the_proposal(file: FileDiff) -> None:
    proposal = Proposal([file])
    assert proposal.edit(0, NEW + "more\n")
    proposal.reset(0)
    assert proposal.settled and proposal.answer().edited == {} and proposal.total == 2
    proposal.edit(0, NEW + "more\n")
    assert not proposal.edit(0, NEW), "typing the proposal again is no edit"
    assert not proposal.edited(0) and proposal.settled


def test_an_edit_that_takes_the_change_back_leaves_no_piece(file: FileDiff) -> None:
    proposal = Proposal([file])
    proposal.edit(0, OLD)
    proposal.show(0, OLD, preview(file, OLD))
    assert proposal.total == 0 and proposal.taken == 0


def test_what_has_no_lines_is_one_piece() -> None:
    folder = FileDiff(path="/w/d", shown="d", kind="deleted", items=3)
    moved = FileDiff(path="/w/b", shown="b", kind="renamed", old_path="/w/a")
    proposal = Proposal([folder, moved])
    proposal.flip(0, WHOLE, True)
    assert proposal.total == 2 and proposal.taken == 1
    assert proposal.answer().rejected == ((0, WHOLE),)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (None, "There is no text"),
        ("a\rb\n", "would change"),
        ("a\u2028b", "would change"),
        ("a\x00b", "would change"),
        ("\udc81", "would change"),
        ("x" * 2_000_001, "too long"),
        ("a\r\nb\r\n", ""),
        ("a\rb\r", ""),
        ("hard\u00a0blank \u202e right to left\n", ""),
    ],
)
def test_what_an_editor_would_change_is_not_edited(file: FileDiff, text: str | None, why: str) -> None:
    found = uneditable(msgspec.structs.replace(file, text=text))
    assert (why in found) if why else found == ""

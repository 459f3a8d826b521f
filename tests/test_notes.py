"""The sentences about a changed file: one for each code that is made, and what they say."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from app.changes.diff import file_diff
from app.records import FileDiff
from ui.notes import NOTES, cautions, without_lines
from ui.terminal.effects import file_lines
from ui.window.kinds import icon_of

ROOT = Path(__file__).resolve().parent.parent
LATIN = b"\xe4\xf6\xfc gr\xfc\xdfe\n"
MAKERS = (
    "app/changes/diff.py",
    "app/changes/arranging.py",
    "app/changes/archives.py",
    "app/capabilities/files_arranging.py",
    "app/capabilities/files_proposal.py",
)


def codes_made() -> set[str]:
    """Every code that a function `_note` of the makers may return, or that is given as `note=`."""
    found: set[str] = set()
    for name in MAKERS:
        for part in ast.walk(ast.parse((ROOT / name).read_text("utf-8"))):
            if isinstance(part, ast.keyword) and part.arg == "note":
                found |= words(part.value)
            elif isinstance(part, ast.FunctionDef) and part.name == "_note":
                returned = [one.value for one in ast.walk(part) if isinstance(one, ast.Return) and one.value]
                found = found.union(*map(words, returned))
    return found


def words(value: ast.expr) -> set[str]:
    """Return the texts in an expression that look like codes."""
    return {
        str(part.value)
        for part in ast.walk(value)
        if isinstance(part, ast.Constant) and re.fullmatch(r"[a-z_]+", str(part.value))
    }


def test_each_code_that_is_made_has_a_sentence_and_no_other() -> None:
    assert set(NOTES) == codes_made()


def plain(text: str, _style: str) -> str:
    return text


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (b"one\n", b"two", "The last line has no line end."),
        (b"one\r\ntwo\r\n", b"one\ntwo\n", "The file's line ends change."),
        (LATIN, LATIN + b"x\n", "The file is not UTF-8; its encoding stays."),
        ("ä\n".encode(), "ä\n".encode("utf-16"), "The file's encoding changes."),
    ],
)
def test_what_the_lines_do_not_show(old: bytes, new: bytes, said: str) -> None:
    file = file_diff("/w/a", "a", old, new)
    assert cautions(file) == (said,)
    assert any(said in line for line in file_lines(file, plain))


def test_a_change_of_permissions_alone() -> None:
    told = file_diff("/w/a", "a", b"x\n", b"x\n", note="mode_changed", modes=(0o644, 0o755))
    assert cautions(told) == ("The file's permissions change from 644 to 755.",)
    assert without_lines(told) == "The file's permissions change from 644 to 755."
    assert [line.strip() for line in file_lines(told, plain)][1:] == list(cautions(told))
    untold = FileDiff(path="/w/a", shown="a", kind="changed", note="mode_changed")
    assert cautions(untold) == ("The file's permissions change.",)


def test_a_link_does_not_hide_permissions() -> None:
    both = file_diff("/w/a", "a", b"x\n", b"y\n", note="hard_link", modes=(0o600, 0o644))
    assert cautions(both) == (NOTES["hard_link"], "The file's permissions change from 600 to 644.")


def test_a_new_archive_is_no_folder() -> None:
    made = FileDiff(path="/w/a.zip", shown="a.zip", kind="new", note="archive", items=2, size=93)
    assert without_lines(made) == "The archive is made."
    assert icon_of(made) == "file-plus"
    folder = FileDiff(path="/w/a", shown="a", kind="new", items=2, size=93)
    assert without_lines(folder) == "The folder is made with everything in it."
    assert icon_of(folder) == "folder"


def test_a_diff_without_lines_says_why() -> None:
    renamed = file_diff("/w/b", "b", b"x\n", b"x\n", old_path="/w/a")
    assert without_lines(renamed) == "The file is renamed; its lines stay."
    assert any("its lines stay" in line for line in file_lines(renamed, plain))
    assert without_lines(file_diff("/w/a", "a", None, b"")) == "The file has no lines."
    assert "not text" in without_lines(file_diff("/w/a", "a", b"\0", b"\0\1"))

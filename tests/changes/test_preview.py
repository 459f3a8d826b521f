"""What the editor of a question shows is what is written, ends of lines and left-out pieces included."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from app.changes.diff import file_diff
from app.changes.plan import Planned, settle
from app.changes.preview import preview
from app.errors import ToolError
from app.records import FileDiff

OLD = b"one\r\n" + b"".join(b"%d\n" % n for n in range(20)) + b"two\r\n"
NEW = OLD.replace(b"one", b"first").replace(b"two", b"second")


def question(path: Path, new: bytes) -> FileDiff:
    old = path.read_bytes() if path.exists() else None
    made = file_diff(str(path), path.name, old, new)
    return msgspec.structs.replace(made, text=new.decode())


def test_an_edit_is_shown_as_it_is_written(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(OLD)
    file = question(path, NEW)
    text = (file.text or "").replace("\r\n", "\n").replace("10\n", "ten\n")
    shown = preview(file, text)
    assert len(shown.hunks) == 3 and shown.text == text and shown.kind == "changed"
    planned = [Planned(str(path), OLD, NEW)]
    (settled,) = settle(planned, {0: {0}}, {str(path): text})
    assert settled.after == OLD.replace(b"10\n", b"ten\n").replace(b"two", b"second"), (
        "the piece at the top is left out"
    )
    again = file_diff(str(path), path.name, OLD, settled.after)
    assert [hunk.lines for hunk in again.hunks] == [hunk.lines for hunk in shown.hunks[1:]]


def test_a_new_file_and_what_cannot_be_edited(tmp_path: Path) -> None:
    file = question(tmp_path / "new.py", b"print()\n")
    assert preview(file, "print(1)\n").added == 1
    with pytest.raises(ToolError) as refused:
        preview(msgspec.structs.replace(file, text=None), "x")
    assert refused.value.code == "no_change"


def test_a_letter_that_the_encoding_lacks_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"caf\xe9 \xe0 la carte, d\xe9j\xe0 vu, na\xefve\n" * 20 + b"\xff\xfe\x81\n")
    file = msgspec.structs.replace(file_diff(str(path), "a.txt", path.read_bytes(), b"x\n"), text="x\n")
    try:
        assert preview(file, "€\n").hunks
    except ToolError as error:
        assert error.code == "encoding"

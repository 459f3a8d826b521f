"""A proposal that a person edits, shown anew: what would be written, as pieces, before anything is."""

from __future__ import annotations

from app.changes import diff
from app.changes.apply import content
from app.changes.text import decode, encode
from app.errors import ToolError
from app.records import FileDiff


def preview(file: FileDiff, text: str) -> FileDiff:
    """Return the question's file as it would be with `text` in place of `file.text`.

    Its pieces are numbered as `Answer.rejected` counts them for an edited file. The file is compared with
    what stands there now; the one that asked looks again before it writes. Raises ToolError: encoding,
    no_change where the file has no text to edit. Reads one file.
    """
    if file.text is None:
        raise ToolError("no_change", f"{file.path} has no text to edit.", path=file.path)
    old = None if file.kind == "new" else content(file.old_path or file.path)
    new = diff.edited(old, _proposal(old, file.text), text)
    modes = (file.old_mode, file.new_mode)
    note = file.note if file.note in ("hard_link", "mode_changed") else ""
    made = diff.file_diff(file.path, file.shown, old, new, old_path=file.old_path, note=note, modes=modes)
    return _kept(made, file, text)


def _proposal(old: bytes | None, text: str) -> bytes:
    """Return the bytes of the proposal, in the encoding of the file where that can hold them."""
    like = decode(old or b"")
    try:
        return like.mark + encode(text, like)
    except ToolError:
        return text.encode("utf-8", "surrogateescape")


def _kept(made: FileDiff, file: FileDiff, text: str) -> FileDiff:
    import msgspec

    return msgspec.structs.replace(made, kind=file.kind, text=text)

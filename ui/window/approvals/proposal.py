"""What a person makes of the files of a question: pieces that are left out, texts of their own."""

from __future__ import annotations

from collections.abc import Sequence

from app.records import Answer, FileDiff, Hunk

WHOLE = -1
"""The one piece of a file that has no lines to take apart: moved, copied, a folder, not text."""


class Proposal:
    """Holds no widget. Files count from 0, pieces as they are shown: of an edited file those of its text."""

    def __init__(self, files: Sequence[FileDiff]) -> None:
        self.files = tuple(files)
        self._shown = dict(enumerate(self.files))
        self._texts: dict[int, str] = {}
        self._stale: set[int] = set()
        self._left: dict[int, frozenset[int]] = {}
        self._set_aside: dict[int, frozenset[int]] = {}
        """What was left out of a proposal when its text was first edited, for the way back to it."""

    def file(self, index: int) -> FileDiff:
        """Return a file as it would be written now."""
        return self._shown[index]

    def pieces(self, index: int) -> tuple[int, ...]:
        """Return the pieces of a file; none where an edit took the change back."""
        file = self._shown[index]
        if file.hunks:
            return tuple(range(len(file.hunks)))
        return () if index in self._texts and file.kind == "changed" else (WHOLE,)

    def left_out(self, index: int) -> frozenset[int]:
        """Return the pieces of a file that are not wanted."""
        return self._left.get(index, frozenset())

    def flip(self, index: int, piece: int, rejected: bool) -> None:
        """Leave a piece out, or take it again."""
        left = self.left_out(index)
        self._left[index] = left | {piece} if rejected else left - {piece}

    @property
    def total(self) -> int:
        """How many pieces there are."""
        return sum(len(self.pieces(index)) for index in self._shown)

    @property
    def taken(self) -> int:
        """How many pieces are wanted."""
        return sum(len(set(self.pieces(index)) - self.left_out(index)) for index in self._shown)

    # --- editing -------------------------------------------------------------------------------------------

    def text(self, index: int) -> str | None:
        """Return the text of a file as it would be written now, without the pieces that are left out; None
        where it cannot be edited.
        """
        text = self._texts.get(index, self.files[index].text)
        return text if text is None or not self._taken_out(index) else _without(text, self._kept_out(index))

    def edited(self, index: int) -> bool:
        """Whether the person changed the text of a file."""
        return index in self._texts

    def edit(self, index: int, text: str) -> bool:
        """Take a person's text; True when what it changes has to be worked out (`show`)."""
        if text == _plain_ends(self.text(index) or ""):
            return False
        if text == _plain_ends(self.files[index].text or ""):
            self.reset(index)
            return False
        if index not in self._texts:
            self._set_aside[index] = self.left_out(index)
        self._texts[index] = text
        self._stale.add(index)
        return True

    def reset(self, index: int) -> None:
        """Go back to the proposal."""
        self._texts.pop(index, None)
        self._stale.discard(index)
        self._replace(index, self.files[index])
        self._left[index] = self._set_aside.pop(index, self.left_out(index))

    def show(self, index: int, text: str, made: FileDiff) -> bool:
        """Take what an edited text changes; False when the text has changed again since."""
        if self._texts.get(index) != text:
            return False
        self._stale.discard(index)
        self._replace(index, made)
        return True

    @property
    def settled(self) -> bool:
        """Whether it is known what all edited texts change."""
        return not self._stale

    def settled_text(self, index: int) -> bool:
        """Whether it is known what the text of a file changes."""
        return index not in self._stale

    def _kept_out(self, index: int) -> list[Hunk]:
        """Return the pieces that are left out, the last first."""
        hunks = self._shown[index].hunks
        return [hunks[at] for at in sorted(self.left_out(index), reverse=True) if 0 <= at < len(hunks)]

    def _taken_out(self, index: int) -> bool:
        """Whether what is left out is missing in the text too; a new or deleted file is left out whole."""
        whole = self._shown[index].kind in ("new", "deleted")
        return index not in self._stale and not whole and bool(self._kept_out(index))

    def _replace(self, index: int, made: FileDiff) -> None:
        """Show a file anew; a piece that was left out and is still there stays left out."""
        before, left = self._shown[index], self.left_out(index)
        unwanted = {_lines(before.hunks[piece]) for piece in left if 0 <= piece < len(before.hunks)}
        kept = {at for at, hunk in enumerate(made.hunks) if _lines(hunk) in unwanted}
        self._shown[index] = made
        self._left[index] = frozenset(kept)

    # --- answering -----------------------------------------------------------------------------------------

    def rejected(self) -> tuple[tuple[int, int], ...]:
        """Return what is left out as an answer says it."""
        return tuple(
            (index, piece)
            for index in self._shown
            for piece in sorted(self.left_out(index) & set(self.pieces(index)))
        )

    def texts(self) -> dict[str, str]:
        """Return the person's own texts by path, as an answer says it."""
        return {self.files[index].path: text for index, text in self._texts.items()}

    def answer(self) -> Answer:
        """Return the answer that allows what is wanted."""
        return Answer(decision="allow", rejected=self.rejected(), edited=self.texts(), by="window")


def _plain_ends(text: str) -> str:
    """Return a text with the line ends that an editor gives it."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _without(text: str, hunks: Sequence[Hunk]) -> str:
    """Return a text with its old lines in place of some pieces, the last of them first."""
    lines = _plain_ends(text).split("\n")
    for hunk in hunks:
        start = hunk.new_start - 1
        lines[start : start + hunk.new_count] = [line.text for line in hunk.lines if line.kind != "+"]
    return "\n".join(lines)


def _lines(hunk: Hunk) -> tuple[tuple[str, str], ...]:
    return tuple((line.kind, line.text) for line in hunk.lines if line.kind != " ")

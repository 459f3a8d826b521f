"""Edits of one file's text.

Exact replacements, line ranges and whole content, each spliced into the original bytes.

All functions are pure. They raise ToolError with words for the model: not_found, not_unique, no_change,
bad_arguments, encoding.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from app.changes import matching, nearby
from app.changes.failures import ContentError
from app.changes.lines import ANY_END, ending, majority, split
from app.changes.matching import Places
from app.changes.rewriting import rewrite
from app.changes.text import Splice, Text, splice
from app.errors import ToolError

_HOW = {
    "trailing": "trailing blanks differed",
    "indentation": "the indentation differed",
}


def replace(source: Text, edits: Sequence[tuple[str, str]], *, every: bool = False) -> tuple[Text, str]:
    """Return the text with all edits made, and a note for the model where something matched only nearly.

    Each old text is looked for in the original; an edit that is not there, or overlaps another, is tried
    again after those before it, so that edits may build on each other.
    """
    for number, (old, new) in enumerate(edits, 1):
        _check(old, new, _label(number, edits))
    placed = [matching.find(source.text, old, every=every) for old, _ in edits]
    if all(places.spans and (every or len(places.spans) == 1) for places in placed):
        taken = sorted(span for places in placed for span in places.spans)
        if all(before[1] <= after[0] for before, after in pairwise(taken)):
            cuts = [
                cut for edit, places in zip(edits, placed, strict=True) for cut in _cuts(source, edit, places)
            ]
            return splice(source, cuts), _note(placed)
    return _one_by_one(source, edits, every)


def _one_by_one(source: Text, edits: Sequence[tuple[str, str]], every: bool) -> tuple[Text, str]:
    now, used = source, []
    for number, edit in enumerate(edits, 1):
        places = matching.find(now.text, edit[0], every=every)
        if not places.spans:
            raise _not_found(now.text, edit[0], _label(number, edits))
        if len(places.spans) > 1 and not every:
            raise ContentError(
                "not_unique",
                f"{_label(number, edits)}The old text stands in {len(places.spans)} places, at lines "
                f"{nearby.line_numbers(now.text, places.spans)}. Add lines around it so that it is unique, "
                "or replace every one of them on purpose. Nothing was changed.",
                count=str(len(places.spans)),
            )
        now = splice(now, _cuts(now, edit, places))
        used.append(places)
    return now, _note(used)


def _cuts(source: Text, edit: tuple[str, str], places: Places) -> list[Splice]:
    old, new = edit
    end = majority(source.text)
    cuts: list[Splice] = []
    for start, stop in places.spans:
        matched = source.text[start:stop]
        if ending(old) and not ending(matched):  # the file's last line lacks its end, and goes on lacking it
            text = rewrite(matched, _chopped(old), _chopped(new), places, end)
        else:
            text = rewrite(matched, old, new, places, end)
        cuts.append(_narrow(source.text, start, stop, text))
    return cuts


def _narrow(text: str, start: int, stop: int, new: str) -> Splice:
    """Leave out what old and new share at both ends, so that only what differs is written."""
    most = min(stop - start, len(new))
    head = next((at for at in range(most) if text[start + at] != new[at]), most)
    most -= head
    tail = next((at for at in range(most) if text[stop - 1 - at] != new[-1 - at]), most)
    return Splice(start + head, stop - tail, new[head : len(new) - tail])


def replace_lines(source: Text, start: int, end: int, text: str) -> Text:
    """Return the text with `text` (whole lines) in place of lines start to end, both included, from 1."""
    lines = split(source.text)
    if not 1 <= start <= end <= len(lines):
        raise ContentError(
            "bad_arguments",
            f"Lines {start} to {end} are outside the file of {len(lines)} lines. Nothing was changed.",
        )
    first = sum(map(len, lines[: start - 1]))
    old = "".join(lines[start - 1 : end])
    if text and not ANY_END.search(text[-1]):
        text += "\n"
    if not ending(old):
        old, text = old + "\n", text or "\n"
        made = rewrite(_chopped(old), _chopped(old), _chopped(text), Places(()), majority(source.text))
    else:
        made = rewrite(old, old, text, Places(()), majority(source.text))
    if made == source.text[first : first + len(old)]:
        raise ContentError("no_change", "These lines say exactly that already. Nothing was changed.")
    return splice(source, [_narrow(source.text, first, first + len("".join(lines[start - 1 : end])), made)])


def _chopped(text: str) -> str:
    return text[: len(text) - len(ending(text))]


def _label(number: int, edits: Sequence[tuple[str, str]]) -> str:
    return f"Edit {number} of {len(edits)}: " if len(edits) > 1 else ""


def _check(old: str, new: str, label: str) -> None:
    if not old:
        raise ToolError(
            "bad_arguments",
            f"{label}The old text is empty. Give the text to be replaced, or write a whole file.",
        )
    if old == new:
        raise ToolError("no_change", f"{label}Old and new text are the same. Nothing was changed.")


def _not_found(text: str, old: str, label: str) -> ToolError:
    bare = nearby.without_numbers(old)
    if bare is not None and matching.find(text, bare).spans:
        why = "It begins with line numbers as read_file shows them; leave them out."
    else:
        why = nearby.nearest(text, old) or "Read the file again and copy the text as it stands."
    return ContentError("not_found", f"{label}The old text is not in the file. {why} Nothing was changed.")


def _note(placed: Sequence[Places]) -> str:
    said = list(dict.fromkeys(_HOW[one.step] for one in placed if one.step in _HOW))
    if any(places.quotes for places in placed):
        said.append("quotes differed")
    return f"Matched although {' and '.join(said)}; the file's own characters were kept." if said else ""

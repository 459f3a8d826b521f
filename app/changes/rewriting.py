"""The new words of an edit in the file's own manner: its line ends, indents, trailing blanks and quotes.

Old and new words are compared line by line. What they share stays as the file has it, character for
character; what is new takes over the file's habits.
"""

from __future__ import annotations

import re
from difflib import SequenceMatcher

from app.changes.lines import pieces
from app.changes.matching import Places, fold_quotes, indent_map, indent_of

_CURLY = {'"': ("\u201c", "\u201d"), "'": ("\u2018", "\u2019")}


def rewrite(matched: str, old: str, new: str, places: Places, end: str) -> str:
    """Return what to write for `matched` (the file's text that was found for `old`) so that it says `new`.

    `end` is the line end of most lines of the file; a line that replaces another one keeps that one's end.
    """
    had, said, says = pieces(matched), pieces(old), pieces(new)
    ends = _ends(matched)
    manner = _Manner(matched, [line for line, _ in said], [line for line, _ in had], places)
    out: list[str] = []
    matcher = SequenceMatcher(None, [one for one, _ in said], [one for one, _ in says], autojunk=False)
    for tag, i1, i2, j1, j2 in matcher.get_opcodes():
        for offset in range(j2 - j1):
            line, ended = says[j1 + offset]
            at = i1 + offset if i1 + offset < i2 else None
            if at is None:
                out.append(manner.fresh(line) + (end if ended else ""))
            else:
                kept = had[at][0] if tag == "equal" else manner.instead(line, at)
                out.append(kept + ((ends[at] or end) if ended else ""))
    return "".join(out)


def _ends(text: str) -> list[str]:
    """Return the line end of each piece of `lines.pieces`, "" for the last one."""
    return [*re.findall(r"\r\n|\r|\n", text), ""]


class _Manner:
    """How the file writes the lines that an edit has found.

    `said` and `had` are the same lines, as told and as they are.
    """

    def __init__(self, matched: str, said: list[str], had: list[str], places: Places) -> None:
        self.said, self.had, self.places = said, had, places
        self.indents = (indent_map(said, had) or {}) if places.step == "indentation" else {}
        self.curly = (
            {sign for sign, pair in _CURLY.items() if set(pair) & set(matched)} if places.quotes else set()
        )

    def fresh(self, line: str) -> str:
        """Return a line that has no counterpart in the file."""
        return self._indented(self._quoted(line))

    def instead(self, line: str, at: int) -> str:
        """Return a line that takes the place of line `at`, with what both sides share as the file has it."""
        said, had = self.said[at], self.had[at]
        if said == had:
            return line
        if self.places.quotes:
            line = self._merged(line, said, had)
        told = said[len(said.rstrip(" \t")) :]
        if line.endswith(told) and line.strip():
            blanks = had[len(had.rstrip(" \t")) :]
            line = line[: len(line) - len(told)].rstrip(" \t") + blanks if told else line + blanks
        return self._indented(line)

    def _indented(self, line: str) -> str:
        if not self.indents or not line.strip():
            return line
        indent = indent_of(line)
        if indent in self.indents:
            return self.indents[indent] + line[len(indent) :]
        known = max((one for one in self.indents if indent.startswith(one)), key=len, default=None)
        if known is None:
            return line
        return self.indents[known] + self._deeper(indent[len(known) :]) + line[len(indent) :]

    def _deeper(self, more: str) -> str:
        """Return further indent in the file's unit, where the lines show how the two units go together."""
        for one, other in self.indents.items():
            if one and other and set(one) != set(other) and len(set(one)) == len(set(other)) == 1:
                units = len(more) * len(other) / len(one)
                if units == int(units) and set(more) <= set(one):
                    return other[0] * int(units)
        return more

    def _merged(self, line: str, said: str, had: str) -> str:
        """Keep the file's own quotes wherever old and new words agree; said and had differ in quotes only."""
        if fold_quotes(said) != fold_quotes(had):
            said, had = said.strip(), had.strip()
            if fold_quotes(said) != fold_quotes(had):
                return self._quoted(line)
        out: list[str] = []
        for tag, i1, i2, j1, j2 in SequenceMatcher(None, said, line, autojunk=False).get_opcodes():
            if tag == "equal":
                out.append(had[i1:i2])
            elif j2 > j1:
                out.append(self._quoted(line[j1:j2], line[j1 - 1 : j1]))
        return "".join(out)

    def _quoted(self, text: str, before: str = "") -> str:
        """Return the text with quotes of the kind that the found lines use."""
        if not self.places.quotes:
            return text
        out: list[str] = []
        for letter in fold_quotes(text):
            if letter in self.curly:
                last = out[-1] if out else before
                opens = not last or last.isspace() or last in "([{<\u2014\u2013-\u201c\u2018"
                out.append(_CURLY[letter][0 if opens else 1])
            else:
                out.append(letter)
        return "".join(out)

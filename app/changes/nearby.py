"""What to tell a model whose old text was not found, or too often, so that its next try is right."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from difflib import SequenceMatcher
from itertools import pairwise

from app.changes.lines import body, number_at, split

_NUMBERED = re.compile(r"\s*(\d+)(?:\t|\s*[|:\u2192]\s?)")
_SHOWN = 160  # characters of a line
_MANY = 12


def line_numbers(text: str, spans: Sequence[tuple[int, int]]) -> str:
    """Return the lines at which the spans begin, as words."""
    numbers = [str(number_at(text, start)) for start, _ in spans[:_MANY]]
    more = f" and {len(spans) - _MANY} more" if len(spans) > _MANY else ""
    return ", ".join(numbers) + more


def without_numbers(needle: str) -> str | None:
    """Return the needle without line numbers that were pasted from read_file; None where it has none."""
    lines = split(needle)
    heads = [_NUMBERED.match(line) for line in lines if line.strip()]
    found = [head for head in heads if head]
    if not found or len(found) < len(heads):
        return None
    numbers = [int(head[1]) for head in found]
    if any(after != before + 1 for before, after in pairwise(numbers)):
        return None
    return "".join(_NUMBERED.sub("", line, count=1) for line in lines)


def nearest(text: str, needle: str) -> str:
    """Return the place that is most like the needle, with the first line that differs, as words.

    "" for none.
    """
    lines = [body(line) for line in split(text)]
    wanted = [body(line) for line in split(needle)]
    place = _by_equal_lines(lines, wanted)
    if place is not None:
        return _difference(lines, wanted, place)
    return _by_likeness(lines, wanted)


def _by_equal_lines(lines: list[str], wanted: list[str]) -> int | None:
    """Return the window in which most lines agree, blanks at both ends aside."""
    places: dict[str, list[int]] = {}
    for number, line in enumerate(lines):
        places.setdefault(line.strip(), []).append(number)
    votes: Counter[int] = Counter()
    for offset, line in enumerate(wanted):
        where = places.get(line.strip(), []) if line.strip() else []
        if len(where) <= 200:  # a line such as "}" says nothing about the place
            votes.update(number - offset for number in where if number >= offset)
    return votes.most_common(1)[0][0] if votes else None


def _difference(lines: list[str], wanted: list[str], place: int) -> str:
    start = f"The nearest place starts at line {place + 1}"
    for offset, line in enumerate(wanted):
        here = lines[place + offset] if place + offset < len(lines) else None
        if here != line:
            number = place + offset + 1
            is_now = f"line {number} is {shown(here)}" if here is not None else "the file ends there"
            return f"{start}, but {is_now} where the old text has {shown(line)}."
    return f"{start}."


def _by_likeness(lines: list[str], wanted: list[str]) -> str:
    """Return up to three lines like the longest line of the needle."""
    probe = max((line.strip() for line in wanted), key=len, default="")[:400]
    words = set(re.findall(r"\w+", probe))
    if not words:
        return ""
    shared = [(len(words & set(re.findall(r"\w+", line[:400]))), number) for number, line in enumerate(lines)]
    best = sorted((one for one in shared if one[0]), key=lambda one: (-one[0], one[1]))[:30]
    rated = sorted(
        ((SequenceMatcher(None, probe, lines[number].strip()[:400]).ratio(), -number) for _, number in best),
        reverse=True,
    )
    near = [f"line {1 - number}: {shown(lines[-number])}" for ratio, number in rated[:3] if ratio >= 0.5]
    return "Similar: " + "; ".join(near) + "." if near else ""


def shown(line: str) -> str:
    """Return the line in quotes with tabs and other blanks made visible, cut when long."""
    cut = line[:_SHOWN] + ("..." if len(line) > _SHOWN else "")
    escaped = "".join(
        letter if letter.isprintable() and letter != "\\" else _escape(letter) for letter in cut
    )
    return f'"{escaped}"'


def _escape(letter: str) -> str:
    return "\\\\" if letter == "\\" else letter.encode("unicode_escape").decode()

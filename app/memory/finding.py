"""What of memory fits some words: by the index first, then one by one; for questions, for a turn, and for
what is to be remembered.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from app.memory import words
from app.memory_records import PROJECT_KINDS, MemoryItem, PastHit
from app.store import memory as rows, memory_traces as traces

AT_ONCE = 8
"""Things that one message tells of at most."""
_PAST = 0.25


def search(
    db: sqlite3.Connection, text: str, kinds: Sequence[str], limit: int, least: float
) -> list[MemoryItem]:
    """Return items that fit a text, best first; an id means that item."""
    named = rows.get(db, text.strip()) if text.strip()[:1] in ("m", "M") else None
    if named is not None and (not kinds or named.kind in kinds):
        return [named]
    found = [item for fit, item in _rated(db, text, kinds) if fit > least]
    return found[:limit]


def fitting(db: sqlite3.Connection, text: str, project: str) -> list[MemoryItem]:
    """Return what fits a message well: facts, and what is known of its project; to-do items stay out."""
    kinds = ("fact", *PROJECT_KINDS) if project else ("fact",)
    rated = _rated(db, text, kinds, words.ONE_WORD)
    here = [one for fit, one in rated if fit >= words.FITS and (one.kind == "fact" or one.project == project)]
    return [one for one in here if not one.done][:AT_ONCE]


def past(db: sqlite3.Connection, text: str, current: str, limit: int) -> list[PastHit]:
    """Return messages of other conversations that fit a question."""
    asked = words.roots(text)[: words.MOST]
    spaced = [word for word in asked if not words.unspaced(word[0])]
    pieces = [word for word in asked if words.unspaced(word[0]) and len(word) > 1][:4]
    if not asked:
        return []

    def rate(said: str) -> float:
        there = words.roots(said)
        hits = sum(any(words.alike(word, other) for other in there) for word in asked)
        return hits / len(asked) if hits / len(asked) > _PAST else 0.0

    match = " OR ".join(words.match_each(spaced))
    return traces.past(db, match, pieces, current, rate, limit)


def near(db: sqlite3.Connection, item: MemoryItem) -> list[MemoryItem]:
    """Return items of the same kind and place that share words with one."""
    asked = words.roots(item.text)[: words.MOST]
    if not asked:
        return []
    found = [one for one, _words in rows.matching(db, " OR ".join(words.match_each(asked)), (item.kind,))]
    if item.kind == "todo":
        return [one for one in found if one.topic == item.topic and not one.done]
    return [one for one in found if one.project == item.project]


def _rated(
    db: sqlite3.Connection, text: str, kinds: Sequence[str], one_word: float = 0.0
) -> list[tuple[float, MemoryItem]]:
    asked = words.roots(text)[: words.MOST]
    if not asked:
        return []
    matches = words.match_each(asked)
    found = rows.matching(db, " OR ".join(matches), kinds)
    if not found:
        return []
    counts = dict(zip(asked, rows.frequencies(db, matches), strict=True))
    weight = words.weigher(counts, rows.count(db))
    rated = [(words.fit(asked, said, weight, one_word=one_word), one) for one, said in found]
    return sorted(rated, key=lambda pair: (-pair[0], -pair[1].said))

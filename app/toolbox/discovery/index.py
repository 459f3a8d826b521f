"""An inverted index over the fields of all entries: stems, ordered pairs, and letters for words misspelt."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from app.toolbox.discovery.entries import Entry
from app.toolbox.discovery.text import letters, pairs, stem, stems
from app.toolbox.discovery.word_lists import ALIKE, STOP, WEAK

WEIGHTS = {"name": 3.0, "description": 1.6, "category": 1.0, "parameters": 0.5, "aliases": 1.5}
_SATURATION = 1.2
_PAIR_SHARE = 0.35
"""What an ordered pair adds, as a share of the weights of its two words."""
_ALIKE = 0.6
"""Share of letter pieces that a misspelt word must have in common with a known one (Dice)."""
_MOST_GUESSES = 3
_WEAK = frozenset(stem(word) for word in WEAK)
_WEAK_SHARE = 0.25
_OTHERS: dict[str, list[str]] = {}
for _group in ALIKE:
    _stems = list(dict.fromkeys(map(stem, _group)))
    for _name in _stems:
        _OTHERS.setdefault(_name, []).extend(other for other in _stems if other != _name)
_OTHER_WORD = 0.4
"""What another word for the same thing is worth beside the word itself."""


Matches = Mapping[str, tuple[float, Sequence[tuple[str, float]]]]


class Index:
    """Built once from the entries, then only read."""

    def __init__(self, entries: Sequence[Entry]) -> None:
        self.entries = entries
        counts = [_counts(entry) for entry in entries]
        mean = sum(sum(count.values()) for count in counts) / max(1, len(counts))
        postings: dict[str, list[tuple[int, float]]] = defaultdict(list)
        for number, count in enumerate(counts):
            # A long entry is no better than a short one that holds the same word.
            slack = _SATURATION * (0.4 + 0.6 * sum(count.values()) / max(1.0, mean))
            for token, weight in count.items():
                postings[token].append((number, weight / (weight + slack)))
        self._postings = dict(postings)
        self._rarity = {
            token: math.log(1 + (len(entries) - len(found) + 0.5) / (len(found) + 0.5))
            for token, found in self._postings.items()
        }
        self._unknown = math.log(1 + (len(entries) + 0.5) / 0.5)
        self._letters: dict[str, list[str]] = {}
        self._mixed: dict[str, list[str]] = {}

    def matches(self, found: Sequence[str]) -> Matches:
        """Return stem -> its weight and the tokens that it may mean, each with a share, for folded words."""
        return {name: self._matches(name) for name in dict.fromkeys(_told(found))}

    def scores(self, found: Sequence[str], known: Matches | None = None) -> dict[int, float]:
        """Return number of entry -> share of the request's weight that it explains, for the folded words.

        `known` are their `matches`, where somebody has asked for them.
        """
        told = _told(found)
        scores: dict[int, float] = defaultdict(float)
        whole = 0.0
        for name, (rarity, matches) in (self.matches(found) if known is None else known).items():
            rarity *= _WEAK_SHARE if name in _WEAK else 1.0
            whole += rarity
            for token, share in matches:
                worth = rarity * share
                for number, weight in self._postings[token]:
                    scores[number] += worth * weight
        for first, second in pairs(told):
            token = f"{first} {second}"
            if token in self._postings:
                worth = _PAIR_SHARE * self._rarity[token]
                for number, weight in self._postings[token]:
                    scores[number] += worth * weight
        return {number: min(1.0, score / whole) for number, score in scores.items()}

    def explain(self, found: Sequence[str], known: Matches, number: int) -> list[str]:
        """Return the words and ordered pairs of a request that speak for an entry."""
        told = _told(found)
        spoken = {stem(word): word for word in reversed(found)}
        why = [
            spoken[name] if token == name else f"{spoken[name]} ~ {token}"
            for name, (_, tokens) in known.items()
            for token, _ in tokens
            if self._holds(token, number)
        ]
        for first, second in pairs(told):
            if self._holds(f"{first} {second}", number):
                why.append(f"{spoken[first]} ... {spoken[second]}")
        return list(dict.fromkeys(why))  # a text may say the same words again and again

    def _holds(self, token: str, number: int) -> bool:
        held = self._postings.get(token, [])
        at = bisect_left(held, (number, 0.0))
        return at < len(held) and held[at][0] == number

    def _matches(self, name: str) -> tuple[float, list[tuple[str, float]]]:
        """Return the weight of a word and the tokens that it may mean, each with a share."""
        other = [(token, _OTHER_WORD) for token in _OTHERS.get(name, ()) if token in self._rarity]
        if name in self._rarity:
            return self._rarity[name], [(name, 1.0), *other]
        if other:
            return max(self._rarity[token] for token, _ in other), other
        guesses = self._guesses(name) if len(name) > 3 and name.isalpha() else []
        return (self._rarity[guesses[0][0]] if guesses else 0.7 * self._unknown), guesses

    def _guesses(self, name: str) -> list[tuple[str, float]]:
        """Return known words with nearly the same letters, the likest first."""
        if not self._letters:
            self._spell()
        mixed = [(token, 0.8) for token in self._mixed.get("".join(sorted(name)), ()) if token[0] == name[0]]
        own = set(letters(name))
        shared: dict[str, int] = defaultdict(int)
        for piece in own:
            for token in self._letters.get(piece, ()):
                shared[token] += 1
        alike = [(token, 2 * count / (len(own) + len(token))) for token, count in shared.items() if count > 1]
        near = [(token, share * 0.8) for token, share in alike if share >= _ALIKE]
        return sorted(mixed + near, key=lambda one: (-one[1], one[0]))[:_MOST_GUESSES]

    def _spell(self) -> None:
        """Index the letters of all words; only the first misspelt word needs it."""
        by_letters: dict[str, list[str]] = defaultdict(list)
        mixed: dict[str, list[str]] = defaultdict(list)
        for token in self._postings:
            if len(token) > 3 and " " not in token and token.isalpha():
                mixed["".join(sorted(token))].append(token)
                for piece in set(letters(token)):
                    by_letters[piece].append(token)
        self._letters, self._mixed = dict(by_letters), dict(mixed)


def _told(found: Sequence[str]) -> list[str]:
    return [stem(word) for word in found if word not in STOP]


def _counts(entry: Entry) -> dict[str, float]:
    count: dict[str, float] = defaultdict(float)
    for field, texts in _fields(entry):
        for text in texts:
            found = stems(text)
            for token in found:
                count[token] += WEIGHTS[field]
            for first, second in pairs(found):
                count[f"{first} {second}"] += WEIGHTS[field]
    return count


def _fields(entry: Entry) -> Iterable[tuple[str, Iterable[str]]]:
    yield "name", (entry.name,)
    yield "description", (entry.description,)
    yield "category", (entry.category,)
    yield "parameters", entry.parameters
    yield "aliases", (*entry.aliases, *entry.examples)

"""The ranking of find_tools: words, trained layer and rules made into one list, cut where nothing fits."""

from __future__ import annotations

import re
from collections.abc import Sequence

from app.record import Record
from app.toolbox.discovery.entries import Entry, Hit, Rule
from app.toolbox.discovery.hints import hints
from app.toolbox.discovery.index import Index
from app.toolbox.discovery.layer import NOTHING, Layer, chances
from app.toolbox.discovery.text import LONGEST_QUERY, words

MOST = 4


class Table(Record):
    """What was learned and written by hand: the trained layer, if any, and the negative rules."""

    layer: Layer | None = None
    rules: tuple[Rule, ...] = ()


class Cut(Record):
    """Where a list ends. Chosen on the training part of the requests by `./dev keywords --train`."""

    trained: float = 0.14
    """The least score of a tool that the layer knows ..."""
    beside: float = 0.22
    """... and its least share of the best score."""
    foreign: float = 0.34
    """The least score of a tool that nobody wrote aliases for ..."""
    foreign_beside: float = 0.6


class Ranker:
    """Made once for a set of entries; asking it changes nothing that can be seen."""

    def __init__(self, entries: Sequence[Entry], table: Table = Table(), cut: Cut = Cut()) -> None:
        self._entries = tuple(entries)
        self._layer = table.layer
        self._cut = cut
        self._index = Index(self._entries)
        self._names = {" ".join(words(entry.name)): number for number, entry in enumerate(self._entries)}
        self._numbers = {entry.name: number for number, entry in enumerate(self._entries)}
        self._rules = tuple(
            (rule, re.compile(rule.when), re.compile(rule.unless) if rule.unless else None)
            for rule in table.rules
        )

    def rank(self, query: str, limit: int = MOST) -> tuple[Hit, ...]:
        """Return the tools that fit a request, the best first; none when none fits."""
        query = query[:LONGEST_QUERY]
        exact = self._named(query)
        if exact is not None:
            return (self._hit(exact, 1.0, ["its name"]),)
        scores, why = self._scores(query)
        self._deny(query, scores, why)
        order = sorted(scores, key=lambda number: (-scores[number], self._entries[number].name))
        kept = self._kept(order, scores)[: max(0, limit)]
        shapes = [f"shape: {', '.join(found)}"] if (found := hints(query)) else []
        return tuple(self._hit(number, scores[number], why.get(number, []) + shapes) for number in kept)

    def _named(self, query: str) -> int | None:
        """Return the tool that a query names exactly, as a whole or as `its_name` among other words."""
        found = self._names.get(" ".join(words(query)))
        if found is not None and (query.strip() == self._entries[found].name or " " in query.strip()):
            return found
        named = [
            self._numbers[word] for word in re.findall(r"\w+", query) if "_" in word and word in self._numbers
        ]
        return named[0] if len(set(named)) == 1 else None

    def _scores(self, query: str) -> tuple[dict[int, float], dict[int, list[str]]]:
        found = self._index.scores(query)
        scores = {number: share for number, (share, _) in found.items()}
        why = {number: [f"words: {', '.join(dict.fromkeys(names))}"] for number, (_, names) in found.items()}
        if self._layer is None:
            return scores, why
        likely = chances(self._layer, query)
        for name, chance in likely.items():
            number = self._numbers.get(name)
            if number is None or not self._trained(number):
                continue
            scores[number] = blend(chance, scores.get(number, 0.0))
            if chance >= 0.02:
                why.setdefault(number, []).append(f"layer: {chance:.2f}")
        for number in scores:
            if not self._trained(number):
                # Where the layer is sure of one of ours, or that no tool is meant, words alone count for less.
                scores[number] *= 1 - 0.5 * likely.get(NOTHING, 0.0)
        return scores, why

    def _trained(self, number: int) -> bool:
        entry = self._entries[number]
        return self._layer is not None and bool(entry.aliases) and entry.name in self._layer.columns

    def _deny(self, query: str, scores: dict[int, float], why: dict[int, list[str]]) -> None:
        text = " ".join(words(query))
        for rule, when, unless in self._rules:
            if when.search(text) and not (unless and unless.search(text)):
                for name in rule.tools:
                    number = self._numbers.get(name)
                    if number in scores:
                        scores[number] *= rule.factor
                        why.setdefault(number, []).append(f"rule: {rule.because}")

    def _kept(self, order: list[int], scores: dict[int, float]) -> list[int]:
        if not order:
            return []
        best = scores[order[0]]
        return [number for number in order[:50] if self._fits(number, scores[number], best)]

    def _fits(self, number: int, score: float, best: float) -> bool:
        cut = self._cut
        if self._trained(number):
            return score >= max(cut.trained, cut.beside * best)
        return score >= max(cut.foreign, cut.foreign_beside * best)

    def _hit(self, number: int, score: float, why: list[str]) -> Hit:
        entry = self._entries[number]
        return Hit(name=entry.name, score=round(min(1.0, score), 4), why=tuple(why), planned=entry.planned)


def blend(chance: float, share: float) -> float:
    """Return one score of what the layer says and of what the words say, both between 0 and 1."""
    return 0.85 * chance + 0.15 * share * min(1.0, 4 * chance + 0.1)

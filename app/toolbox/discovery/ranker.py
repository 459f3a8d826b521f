"""The ranking of find_tools: words, trained layer and rules made into one list, cut where nothing fits."""

from __future__ import annotations

import heapq
import re
from collections.abc import Mapping, Sequence

from app.record import Record
from app.toolbox.discovery.entries import OWN, Entry, Hit, Rule
from app.toolbox.discovery.hints import hints
from app.toolbox.discovery.index import Index
from app.toolbox.discovery.layer import NOTHING, Layer, chances, is_known, mended
from app.toolbox.discovery.text import LONGEST_QUERY, clauses, words

MOST = 4

_LEAST_KIN = 0.08
"""A tool of another is like one of ours from this chance on."""
_KIN_SHARE = 0.6
_MOST_KIN = 1_500
"""Of more tools than these only the words decide, or the first answer would be slow."""

_SAME = 0.15
"""From this chance on a tool of another does about what one of ours does ..."""
_FITS, _SURE = 0.3, 0.6
"""... and from the first of these on ours fits: then it goes first, since what it does can be undone. From
the second on it goes before all tools of others.
"""
_BEHIND = 0.95
"""Share of our score that is left to the other."""

_FAVOURED = 1.5
"""How much more a favoured tool that fits counts."""

_CLEAR = 0.15
"""A clause says clearly what it wants from this chance on; whole, it counts for a little less."""
_CLAUSE_SHARE = 0.9


Kinships = dict[str, tuple[tuple[str, float], ...]]
"""Text of a tool of others -> what it is like."""


class Table(Record):
    """What was learned and written by hand: the trained layer, if any, and the negative rules."""

    layer: Layer | None = None
    rules: tuple[Rule, ...] = ()


class Cut(Record):
    """Where a list ends. The numbers were chosen on the training part of the requests."""

    least: float = 0.02
    """The least score of a tool ..."""
    beside: float = 0.12
    """... and its least share of the best score, ..."""
    tail: float = 0.25
    """... from the third on this one: two may be wanted, more are guesses."""
    silence: float = 4.0
    """Nothing is named where "no tool" is so many times likelier than the best tool is good."""
    best: float = 0.062
    """The least best score of ours: below it nothing is named. It was 0.07 with 76 tools."""
    strange: float = 0.1
    """The least best score where not one word was ever seen."""
    foreign: float = 0.05
    """The least score of a tool that nobody wrote aliases for ..."""
    foreign_beside: float = 0.5


class Ranker:
    """Made once for a set of entries; asking it changes nothing that can be seen."""

    def __init__(
        self,
        entries: Sequence[Entry],
        table: Table | None = None,
        cut: Cut | None = None,
        seen: Kinships | None = None,
    ) -> None:
        """`seen` keeps what tools of others are like, by their text, for the next ranker over nearly the same
        ones.
        """
        table = table or Table()
        self._entries = tuple(entries)
        self._layer = table.layer
        self._cut = cut or Cut()
        self._index = Index(self._entries)
        self._names = {" ".join(words(entry.name)): number for number, entry in enumerate(self._entries)}
        self._numbers = {entry.name: number for number, entry in enumerate(self._entries)}
        taught = set(table.layer.columns) if table.layer else set()
        self._taught = {
            entry.name: number
            for number, entry in enumerate(self._entries)
            if entry.source == OWN and entry.name in taught
        }
        self._trained = frozenset(self._taught.values())
        self._seen: Kinships = {} if seen is None else seen
        self._kin: dict[str, list[tuple[int, float]]] | None = None
        self._rules = tuple(
            (
                rule,
                [self._taught[name] for name in rule.tools if name in self._taught],
                re.compile(rule.when),
                re.compile(rule.unless) if rule.unless else None,
            )
            for rule in table.rules
        )

    def rank(
        self,
        query: str,
        limit: int = MOST,
        *,
        favour: frozenset[str] = frozenset(),
        explained: bool = True,
    ) -> tuple[Hit, ...]:
        """Return the tools that fit a request, the best first; none when none fits.

        Those to `favour` (which a loaded skill suggests) go before others that fit about as well; one that
        does not fit stays out. Not `explained`, they come without their reasons, which take their time too.
        """
        query = query[:LONGEST_QUERY]
        found = words(query)
        found = mended(self._layer, found) if self._layer else found
        exact = self._named(query, found)
        if exact is not None and not self._stands_in_the_way(exact):
            return (self._hit(exact, 1.0, ("its name",)),)
        shapes = hints(query)
        known = self._index.matches(found)
        scores = self._index.scores(found, known)
        likely = self._learned(query, shapes, found, scores)
        denied = self._deny(found, scores)
        self._put_ours_first(found, scores, likely)
        first = max(scores, key=lambda number: scores[number], default=0)
        top = scores.get(first, 0.0)
        if not top or likely.get(NOTHING, 0.0) > self._cut.silence * top:
            return ()
        if top < self._cut.best and first in self._trained:
            return ()
        if top < self._cut.strange and not self._understood(found):
            return ()
        fitting = self._fitting(scores, top)

        def place(number: int) -> tuple[float, str]:
            name = self._entries[number].name
            return -scores[number] * (_FAVOURED if name in favour else 1.0), name

        kept = heapq.nsmallest(max(0, limit), fitting, key=place)
        kept = [*kept[:2], *(number for number in kept[2:] if scores[number] >= self._cut.tail * top)]
        if not explained:
            return tuple(self._hit(number, scores[number], ()) for number in kept)
        return tuple(
            self._hit(number, scores[number], self._why(number, shapes, told, likely, denied))
            for number, told in ((number, self._index.explain(found, known, number)) for number in kept)
        )

    def _understood(self, found: Sequence[str]) -> bool:
        layer = self._layer
        return layer is None or any(is_known(layer, word) for word in found)

    def _named(self, query: str, found: Sequence[str]) -> int | None:
        """Return the tool that a query names, as a whole or as `its_name` among other words."""
        whole = self._names.get(" ".join(found))
        if whole is not None and self._entries[whole].name in (query.strip(), "_".join(found)):
            return whole
        if "_" not in query:
            return None
        spoken = (word for word in re.findall(r"\w+", query) if "_" in word)
        named = {self._numbers[word] for word in spoken if word in self._numbers}
        return named.pop() if len(named) == 1 else None

    def _stands_in_the_way(self, number: int) -> bool:
        """Whether a tool is only planned while others could do what its name says, such as a server's."""
        return self._entries[number].planned and len(self._trained) < len(self._entries)

    def _learned(
        self, query: str, shapes: Sequence[str], found: Sequence[str], scores: dict[int, float]
    ) -> dict[str, float]:
        """Put what was learned into the scores of the words; return the chance of each column."""
        if self._layer is None or not found:
            return {}
        likely = chances(self._layer, shapes, found)
        for name, chance in self._of_clauses(query).items():
            likely[name] = max(likely[name], chance)
        for name, number in self._taught.items():
            chance = likely[name]
            said = scores.get(number)
            score = 0.85 * chance
            if said:
                # The words count as far as the layer does not speak against them.
                score += 0.15 * said * (4 * chance + 0.1 if chance < 0.225 else 1.0)
            scores[number] = score
        if len(self._trained) < len(self._entries):
            self._add_kin(scores, likely)
        return likely

    def _of_clauses(self, query: str) -> dict[str, float]:
        """Return what single clauses clearly ask for, where several things are wanted at once."""
        assert self._layer is not None
        best: dict[str, float] = {}
        for clause in clauses(query):
            likely = chances(self._layer, hints(clause), words(clause))
            name = max(likely, key=lambda one: likely[one])
            if name != NOTHING and likely[name] >= _CLEAR:
                best[name] = max(best.get(name, 0.0), _CLAUSE_SHARE * likely[name])
        return best

    def _add_kin(self, scores: dict[int, float], likely: dict[str, float]) -> None:
        """Raise tools of others that are like one of ours: what was learned for the one leads to both.

        A server's `send_message` reads much like our `email_draft`, and people ask for it in any language.
        """
        kin = self.prepare()
        # Where the layer is sure that no tool is meant, words alone count for less.
        share = 1 - 0.5 * likely[NOTHING]
        for number, score in scores.items():
            if number not in self._trained:
                scores[number] = score * share
        for name, chance in likely.items():
            if chance >= _LEAST_KIN:
                for number, alike in kin.get(name, ()):
                    scores[number] = scores.get(number, 0.0) + _KIN_SHARE * chance * alike

    def _put_ours_first(
        self, found: Sequence[str], scores: dict[int, float], likely: dict[str, float]
    ) -> None:
        """Let a tool of ours go before those of others that do the same, unless their server is named, or a
        word of their own name that no text of ours ever says: then nothing was learned of what is meant.
        """
        if not likely or len(self._trained) == len(self._entries):
            return
        spoken = set(found)
        strange = {word for word in spoken if self._layer and word not in self._layer.spoken}
        kin = self.prepare()
        for name, ours in self._taught.items():
            if likely[name] < _FITS or self._entries[ours].planned:
                continue
            most = _BEHIND * scores[ours]
            same = {number for number, alike in kin.get(name, ()) if alike >= _SAME}
            for number, score in scores.items():
                if score <= most or number in self._trained:
                    continue
                theirs = self._entries[number]
                behind = number in same or likely[name] >= _SURE
                meant = spoken.intersection(words(theirs.category))
                if behind and not meant and not strange.intersection(words(theirs.name)):
                    scores[number] = most

    def prepare(self) -> Mapping[str, Sequence[tuple[int, float]]]:
        """Return name of ours -> the numbers of others that are like it, each with how much.

        Worked out once, by the first question or before it: some tenths of a millisecond for each of them.
        """
        if self._kin is None:
            self._kin = self._kinships()
        return self._kin

    def _kinships(self) -> dict[str, list[tuple[int, float]]]:
        kin: dict[str, list[tuple[int, float]]] = {}
        others = [number for number in range(len(self._entries)) if number not in self._trained]
        if self._layer is None or len(self._entries) > _MOST_KIN:
            return kin
        for number in others:
            text = f"{self._entries[number].name} {self._entries[number].description}"
            if text not in self._seen:
                self._seen[text] = self._like(text)
            for name, chance in self._seen[text]:
                kin.setdefault(name, []).append((number, chance))
        return kin

    def _like(self, text: str) -> tuple[tuple[str, float], ...]:
        """Return the names of ours that a text is like."""
        assert self._layer is not None
        likely = chances(self._layer, hints(text), words(text))
        return tuple(
            (name, chance) for name, chance in likely.items() if chance >= _LEAST_KIN and name != NOTHING
        )

    def _deny(self, found: Sequence[str], scores: dict[int, float]) -> dict[int, str]:
        text = " ".join(found)
        denied: dict[int, str] = {}
        least = self._cut.least
        for rule, numbers, when, unless in self._rules:
            # A tool that is out anyway needs no rule.
            held = [number for number in numbers if scores.get(number, 0.0) >= least]
            if held and when.search(text) and not (unless and unless.search(text)):
                for number in held:
                    scores[number] *= rule.factor
                    denied[number] = rule.because
        return denied

    def _fitting(self, scores: dict[int, float], best: float) -> list[int]:
        cut = self._cut
        ours, theirs = max(cut.least, cut.beside * best), max(cut.foreign, cut.foreign_beside * best)
        least = min(ours, theirs)
        return [
            number
            for number, score in scores.items()
            if score >= least and score >= (ours if number in self._trained else theirs)
        ]

    def _why(
        self,
        number: int,
        shapes: Sequence[str],
        told: Sequence[str],
        likely: dict[str, float],
        denied: dict[int, str],
    ) -> tuple[str, ...]:
        why = []
        if told:
            why.append(f"words: {', '.join(told)}")
        if number in self._trained:
            why.append(f"learned: {likely[self._entries[number].name]:.2f}")
        if shapes:
            why.append(f"shape: {', '.join(shapes)}")
        if number in denied:
            why.append(f"held back: {denied[number]}")
        return tuple(why)

    def _hit(self, number: int, score: float, why: tuple[str, ...]) -> Hit:
        entry = self._entries[number]
        return Hit(name=entry.name, score=round(min(1.0, score), 4), why=why, planned=entry.planned)

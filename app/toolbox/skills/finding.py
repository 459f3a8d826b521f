"""Ranks skills for a request in plain words: rare words count more, a whole trigger or name counts most."""

from __future__ import annotations

import math
from collections.abc import Sequence

from app.skill_records import FoundSkill, Skill
from app.toolbox.discovery.text import stem, words
from app.toolbox.discovery.word_lists import STOP

MOST = 5
_WEIGHTS = {"name": 3.0, "triggers": 2.0, "description": 1.0}
_SATURATION = 1.2
_LEAST = 0.12
"""The score below which nothing fits."""
_BESIDE = 0.45
"""The least share of the best score."""
_SURE, _AHEAD, _WORDS = 0.5, 1.25, 3
"""A skill is sure with this score, so far ahead of the next one, by a trigger or by so many words."""
_TRIGGER, _TRIGGER_WORDS, _TRIGGER_MOST = 0.5, 0.08, 0.9
"""What a trigger in the request is worth: at least, more by the weight of its words, and at most."""
_GAP = 3
"""Other words that may stand between those of a trigger."""
_ASKING = frozenset(
    {
        "what", "how", "who", "which", "when", "where", "why", "was", "wie", "wer", "welche", "wann", "wo",
        "warum", "que", "como", "quien", "cual", "cuando", "donde", "quoi", "comment", "qui", "quel",
        "quand", "quem", "qual", "quando", "onde", "one", "up", "out", "get", "make", "do", "use", "about",
        "also", "please", "need", "want",
    }
)  # fmt: skip
"""Words of any request; they tell no skill from another, but may be part of a trigger."""

Phrase = tuple[tuple[str, ...], str]


class Finder:
    """Made once for a set of skills, then only asked."""

    def __init__(self, skills: Sequence[Skill]) -> None:
        self._skills = tuple(skills)
        self._counts = [_counts(skill) for skill in skills]
        self._phrases = [_phrases(skill) for skill in skills]
        held: dict[str, int] = {}
        for token in (token for count in self._counts for token in count):
            held[token] = held.get(token, 0) + 1
        every = len(self._skills)
        self._rarity = {
            token: math.log(1 + (every - number + 0.5) / (number + 0.5)) for token, number in held.items()
        }
        self._unknown = 0.4 * math.log(1 + (every + 0.5) / 0.5)
        self._mean = sum(sum(count.values()) for count in self._counts) / max(1, every)

    def find(self, query: str, limit: int = MOST) -> tuple[FoundSkill, ...]:
        """Return the skills that fit, the best first; none where none does."""
        said = words(query)
        asked = tuple(dict.fromkeys(stem(word) for word in said if word not in STOP and word not in _ASKING))
        ranked = [self._judged(number, said, asked) for number in range(len(self._skills))]
        ranked = sorted((one for one in ranked if one[0] >= _LEAST), key=lambda one: (-one[0], one[2]))
        if not ranked:
            return ()
        best, second = ranked[0][0], ranked[1][0] if len(ranked) > 1 else 0.0
        sure = best >= _SURE and best >= second * _AHEAD and ranked[0][3]
        return tuple(
            FoundSkill(
                name=self._skills[number].name,
                score=round(min(1.0, score), 4),
                description=self._skills[number].description,
                why=why,
                sure=sure and place == 0,
            )
            for place, (score, why, number, _) in enumerate(ranked[: max(0, limit)])
            if score >= best * _BESIDE
        )

    def _judged(
        self, number: int, said: Sequence[str], asked: Sequence[str]
    ) -> tuple[float, tuple[str, ...], int, bool]:
        """Return score, why, number of a skill and whether it may be sure. The score is the share of the
        request's weight that it explains, and more where a trigger stands in the request.
        """
        count = self._counts[number]
        slack = _SATURATION * (0.5 + 0.5 * sum(count.values()) / max(1.0, self._mean))
        whole = sum(self._rarity.get(token, self._unknown) for token in asked)
        shared = [token for token in asked if token in count]
        found = sum(self._rarity[token] * count[token] / (count[token] + slack) for token in shared)
        score = found / whole if whole else 0.0
        why = [f"words: {', '.join(shared)}"] if shared else []
        stood = [phrase for phrase in self._phrases[number] if stands(phrase[0], said)]
        if stood:
            weight, text = max((self._weight(phrase), text) for phrase, text in stood)
            score = 0.5 * score + min(_TRIGGER_MOST, _TRIGGER + _TRIGGER_WORDS * weight)
            why.append(f"trigger: {text}")
        return score, tuple(why), number, bool(stood) or len(shared) >= _WORDS

    def _weight(self, phrase: Sequence[str]) -> float:
        return sum(self._rarity.get(stem(word), 0.0) for word in phrase)


def stands(phrase: Sequence[str], said: Sequence[str]) -> bool:
    """Whether the words of a phrase stand near each other in what was said, whatever their order and endings.

    Of a phrase with less than two telling words ("is it true that") all must stand there as they are.
    """
    telling = {stem(word) for word in phrase if word not in STOP and word not in _ASKING}
    if not telling and len(phrase) < 3:
        return False
    if len(telling) < 2 and len(phrase) > 1:
        return any(tuple(said[at : at + len(phrase)]) == tuple(phrase) for at in range(len(said)))
    found = [stem(word) for word in said]
    reach = len(phrase) + _GAP
    return any(telling <= set(found[at : at + reach]) for at, token in enumerate(found) if token in telling)


def _counts(skill: Skill) -> dict[str, float]:
    count: dict[str, float] = {}
    fields = {"name": (skill.name,), "triggers": skill.triggers, "description": (skill.description,)}
    for field, texts in fields.items():
        for token in {stem(word) for text in texts for word in words(text) if word not in STOP | _ASKING}:
            count[token] = count.get(token, 0.0) + _WEIGHTS[field]
    return count


def _phrases(skill: Skill) -> tuple[Phrase, ...]:
    """Return what of a skill selects it when it stands in a request: its name and its triggers."""
    texts = (skill.name.replace("-", " ").replace("_", " "), *skill.triggers)
    return tuple((tuple(words(text)), text) for text in texts)

"""Ranks skills for a request in plain words: rare words count more, a whole trigger or name counts most."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from app.toolbox.discovery.text import stems
from app.toolbox.skills.records import FoundSkill, Skill

MOST = 5
_WEIGHTS = {"name": 3.0, "triggers": 2.0, "description": 1.0}
_SATURATION = 1.2
_LEAST = 0.16
"""The score below which nothing fits."""
_BESIDE = 0.45
"""The least share of the best score."""
_SURE, _AHEAD = 0.5, 1.25
"""A skill is sure with this score, and so far ahead of the next one."""
_TRIGGER = 0.5
"""What a whole trigger or name in the request is worth at least."""


class Finder:
    """Made once for a set of skills, then only asked."""

    def __init__(self, skills: Sequence[Skill]) -> None:
        self._skills = tuple(skills)
        self._counts = [_counts(skill) for skill in skills]
        self._phrases = [_phrases(skill) for skill in skills]
        held = Counter(token for count in self._counts for token in count)
        self._rarity = {
            token: math.log(1 + (len(skills) - number + 0.5) / (number + 0.5))
            for token, number in held.items()
        }
        self._mean = sum(sum(count.values()) for count in self._counts) / max(1, len(skills))

    def find(self, query: str, limit: int = MOST) -> tuple[FoundSkill, ...]:
        """Return the skills that fit, the best first; none where none does."""
        asked = tuple(dict.fromkeys(stems(query)))
        if not asked:
            return ()
        ranked = [self._judged(number, asked) for number in range(len(self._skills))]
        ranked = sorted((one for one in ranked if one[0] >= _LEAST), key=lambda one: (-one[0], one[2]))
        if not ranked:
            return ()
        best, second = ranked[0][0], ranked[1][0] if len(ranked) > 1 else 0.0
        sure = best >= _SURE and best >= second * _AHEAD
        return tuple(
            FoundSkill(
                name=self._skills[number].name,
                score=round(min(1.0, score), 4),
                description=self._skills[number].description,
                why=why,
                sure=sure and place == 0,
            )
            for place, (score, why, number) in enumerate(ranked[: max(0, limit)])
            if score >= best * _BESIDE
        )

    def _judged(self, number: int, asked: tuple[str, ...]) -> tuple[float, tuple[str, ...], int]:
        """Return score, why and number of a skill: the share of the request's weight that it explains, and
        more where a whole trigger stands in the request.
        """
        count = self._counts[number]
        slack = _SATURATION * (0.5 + 0.5 * sum(count.values()) / max(1.0, self._mean))
        unknown = math.log(1 + (len(self._skills) + 0.5) / 0.5) * 0.5
        whole = sum(self._rarity.get(token, unknown) for token in asked)
        shared = [token for token in asked if token in count]
        found = sum(self._rarity[token] * count[token] / (count[token] + slack) for token in shared)
        score = found / whole if whole else 0.0
        why = [f"words: {', '.join(shared)}"] if shared else []
        there = set(asked)
        phrases = [
            (phrase, text) for phrase, text in self._phrases[number].items() if phrase and phrase <= there
        ]
        if phrases:
            longest, text = max(phrases, key=lambda one: (self._weight(one[0]), one[1]))
            score = score * 0.5 + min(0.9, _TRIGGER + 0.08 * self._weight(longest))
            why.append(f"trigger: {text}")
        return score, tuple(why), number

    def _weight(self, phrase: frozenset[str]) -> float:
        return sum(self._rarity.get(token, 0.0) for token in phrase)


def _counts(skill: Skill) -> Counter[str]:
    count: Counter[str] = Counter()
    fields = {"name": (skill.name,), "triggers": skill.triggers, "description": (skill.description,)}
    for field, texts in fields.items():
        for token in {token for text in texts for token in stems(text)}:
            count[token] += _WEIGHTS[field]  # type: ignore[assignment]
    return count


def _phrases(skill: Skill) -> dict[frozenset[str], str]:
    """Return what of a skill selects it when it stands in a request as a whole: its name and its triggers."""
    texts = (skill.name.replace("-", " ").replace("_", " "), *skill.triggers)
    return {frozenset(stems(text)): text for text in texts}

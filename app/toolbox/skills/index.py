"""The index of skills for the prompt: names with as much of each description as fits into its tokens."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from app.models import tokens
from app.skill_records import Skill, SkillIndex
from app.toolbox.skills.choices import Choices

BUDGET = 250
"""Tokens of the whole index (product.md 3.2)."""
MARGIN = 0.95
"""Share of the budget that is filled, since tokens are an estimate here."""
LEAST = 24
"""Characters of a description that a name comes with; more names are left out rather than told bare."""
_MOST = 60
"""More never fit: each takes four tokens at least."""
HEAD = "Skills, instructions for a kind of work. Load one with load_skill before such work:"
MORE = "More are found with load_skill(query)."

_DEARER = (
    (r"[\u0080-\u036f\u1e00-\u1eff]", 0.4),  # Latin letters with marks
    (r"[\u0370-\u0eff\u1000-\u10ff]", 0.06),
    (r"[\u0f00-\u0fff\u1100-\u1dff]", 1.9),  # Tibetan, Ethiopic, Khmer, ...: nearly a token a byte
    (r"[\u2010-\u2fff]", 1.5),
    (r"[\u3000-\uffff]", 0.15),
    (r"[\U00010000-\U0010ffff]", 1.5),  # emoji
    (r"(?<=[A-Za-z]{7})[A-Za-z]", 0.2),  # long words, of languages that the tokens know less
    (r"(?:[b-df-hj-np-tv-xz]{3,}|[0-9])", 1.2),  # letters and digits that make no words
)
"""What characters cost beyond `tokens.estimate`, which is right for whole conversations and low for short odd
texts; measured against o200k_base (tests/toolbox/skills/test_index.py)."""

_FAMILIAR = (
    r"(?i)\b(?:the|and|or|of|to|for|from|with|in|on|it|is|as|by|der|die|das|und|oder|für|mit|von|den|des"
    r"|el|la|los|las|del|de|en|con|y|para|por|le|les|et|ou|un|une|du|dans|o|os|as|em|com|da|do)\b"
)
_KNOWN, _STRANGE = 0.12, 0.5
"""Where fewer of the words are familiar, tokens know the language less: each word costs so much more."""

Count = Callable[[str], int]


def careful(text: str) -> int:
    """Return how many tokens a short text has at most, in nearly all languages."""
    dearer = sum(len(re.findall(letters, text)) * more for letters, more in _DEARER)
    words = len(re.findall(r"\b[A-Za-z]{2,}\b", text))
    if len(re.findall(_FAMILIAR, text)) < words * _KNOWN:
        dearer += words * _STRANGE
    return tokens.estimate(text) + round(dearer)


def ordered(skills: Sequence[Skill], choices: Choices) -> tuple[Skill, ...]:
    """Return skills as the index prefers them: pinned, last used, the project's, the person's, ours."""
    pins = {name: place for place, name in enumerate(choices.pinned)}
    sources = {"project": 0, "person": 1, "bundled": 2}

    def worth(skill: Skill) -> tuple[int, float, int, str]:
        pin = pins.get(skill.name, len(pins))
        return (pin, -choices.used.get(skill.name, 0.0), sources[skill.source], skill.name)

    return tuple(sorted(skills, key=worth))


def index_of(skills: Sequence[Skill], count: Count = careful, budget: int = BUDGET) -> SkillIndex:
    """Return the index of skills in the order of `ordered`; the same skills give the same bytes."""
    if not skills:
        return SkillIndex()
    room = int(budget * MARGIN)
    number = _most(min(len(skills), _MOST), lambda number: count(_text(skills, number, LEAST)) <= room)
    if not number:
        return SkillIndex(left_out=tuple(skill.name for skill in skills))
    longest = max(len(skill.description) for skill in skills[:number])
    length = LEAST + _most(
        max(0, longest - LEAST), lambda more: count(_text(skills, number, LEAST + more)) <= room
    )
    text = _text(skills, number, length)
    return SkillIndex(
        text=text,
        tokens=count(text),
        named=tuple(skill.name for skill in skills[:number]),
        cut=tuple(
            skill.name
            for skill in skills[:number]
            if shortened(skill.description, length) != skill.description
        ),
        left_out=tuple(skill.name for skill in skills[number:]),
    )


def _text(skills: Sequence[Skill], number: int, length: int) -> str:
    lines = [
        f"- {skill.name}: {shortened(skill.description, length)}".rstrip(": ") for skill in skills[:number]
    ]
    return "\n".join([HEAD, *lines, *([MORE] if number < len(skills) else [])])


def shortened(text: str, length: int) -> str:
    """Return the text within `length` characters, cut behind a word where one ends near, with an ellipsis."""
    if len(text) <= length:
        return text
    cut = text[: length - 1]
    space = cut.rfind(" ")
    return (cut[:space] if space > length // 2 else cut).rstrip(" ,;:.-") + "…"


def _most(highest: int, fits: Callable[[int], bool]) -> int:
    """Return the largest number up to `highest` that fits, by halving; what fits a number fits all below."""
    low = 0
    while low < highest:
        middle = (low + highest + 1) // 2
        if fits(middle):
            low = middle
        else:
            highest = middle - 1
    return low

"""The index of skills for the prompt: names with as much of each description as fits into its tokens."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from app.models import tokens
from app.toolbox.skills.choices import Choices
from app.toolbox.skills.records import Skill, SkillIndex

BUDGET = 250
"""Tokens of the whole index (product.md 3.2)."""
MARGIN = 0.92
"""Share of the budget that is filled, since tokens are an estimate here."""
LEAST = 24
"""Characters of a description that a name comes with; more names are left out rather than told bare."""
HEAD = "Skills, instructions for a kind of work. Load one with load_skill before such work:"
MORE = "More are found with load_skill(query)."

Count = Callable[[str], int]


def ordered(skills: Sequence[Skill], choices: Choices) -> tuple[Skill, ...]:
    """Return skills as the index prefers them: pinned, last used, the project's, the person's, ours."""
    pins = {name: place for place, name in enumerate(choices.pinned)}
    sources = {"project": 0, "person": 1, "bundled": 2}

    def worth(skill: Skill) -> tuple[int, float, int, str]:
        pin = pins.get(skill.name, len(pins))
        return (pin, -choices.used.get(skill.name, 0.0), sources[skill.source], skill.name)

    return tuple(sorted(skills, key=worth))


def index_of(skills: Sequence[Skill], count: Count = tokens.estimate, budget: int = BUDGET) -> SkillIndex:
    """Return the index of skills in the order of `ordered`; the same skills give the same bytes."""
    if not skills:
        return SkillIndex()
    room = int(budget * MARGIN)
    number = _most(len(skills), lambda number: count(_text(skills, number, LEAST)) <= room)
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

"""The answer of the tool load_skill: bodies by name, a file beside one, or what fits a query."""

from __future__ import annotations

import os
from collections.abc import Sequence

from app.records import Mode
from app.skill_records import Loaded, Skill
from app.toolbox.skills import loading
from app.toolbox.skills.folder import FILE
from app.toolbox.skills.shelf import Shelf, finder

LONGEST_QUERY = 4_000
"""Characters of a query that are looked at."""


def answer(shelf: Shelf, names: Sequence[str], query: str, mode: Mode, cwd: str) -> Loaded:
    """Return what a model gets for its call; names count where both are given."""
    usable = shelf.usable(cwd, None)
    if names:
        return _by_name(shelf, tuple(dict.fromkeys(names)), usable, mode, cwd)
    if not query.strip():
        return Loaded(text="Give names (one to three) or a query.", ok=False)
    return _by_query(query, [skill for skill in usable if mode in skill.modes], shelf)


def _by_query(query: str, usable: Sequence[Skill], shelf: Shelf) -> Loaded:
    """Load the one that surely fits, so that no second call is needed; else name those that may."""
    found = finder(usable).find(query[:LONGEST_QUERY])
    if not found or not found[0].sure:
        return Loaded(text=loading.found_text(found), ok=bool(found))
    skill = next(one for one in usable if one.name == found[0].name)
    others = ", ".join(one.name for one in found[1:])
    also = f"\nMay fit too: {others}." if others else ""
    file = os.path.join(skill.folder, FILE)
    return _loaded(loading.body_text(skill, shelf.person) + also, [(skill, file)], shelf)


def _loaded(text: str, given: Sequence[tuple[Skill, str]], shelf: Shelf) -> Loaded:
    """Return an answer that holds these files of these skills."""
    skills = {skill.name: skill for skill, _ in given}
    return Loaded(
        text=text,
        ok=bool(given),
        names=tuple(skills),
        tools=tuple(dict.fromkeys(tool for skill in skills.values() for tool in skill.tools)),
        read=tuple(os.path.realpath(path) for _, path in given),
        foreign=tuple(os.path.realpath(path) for skill, path in given if shelf.is_foreign(skill)),
    )


def _by_name(shelf: Shelf, names: tuple[str, ...], usable: Sequence[Skill], mode: Mode, cwd: str) -> Loaded:
    if len(names) > loading.MOST_NAMES:
        return Loaded(text=f"At most {loading.MOST_NAMES} names at once.", ok=False)
    by_name = {skill.name: skill for skill in usable}
    texts, given = [], []
    for name in names:
        text, skill, path = _one(shelf, name, by_name, mode, cwd)
        texts.append(text)
        if skill is not None:
            given.append((skill, path))
    return _loaded("\n\n".join(texts), given, shelf)


def _one(
    shelf: Shelf, name: str, by_name: dict[str, Skill], mode: Mode, cwd: str
) -> tuple[str, Skill | None, str]:
    """Return the text for one name, the skill that it gave (None where it gave none), and its file."""
    wanted, file = loading.plain(name)
    skill = by_name.get(wanted)
    if skill is None:
        return _refused(shelf, name, by_name, cwd), None, ""
    if mode not in skill.modes:
        return f"The skill {wanted} is for other modes: {', '.join(skill.modes)}.", None, ""
    if not file:
        return loading.body_text(skill, shelf.person), skill, os.path.join(skill.folder, FILE)
    text, given = loading.file_text(skill, file)
    return text, skill if given else None, os.path.join(skill.folder, file.replace("\\", "/"))


def _refused(shelf: Shelf, name: str, by_name: dict[str, Skill], cwd: str) -> str:
    """Say why there is no such skill."""
    wanted, _ = loading.plain(name)
    if wanted in shelf.file.read().off:
        return f"The person switched the skill {wanted} off."
    waiting = shelf.project(cwd)
    if waiting is not None and any(skill.name == wanted for skill in waiting.skills):
        return f"The skill {wanted} is one of this project, and the person did not agree to those yet."
    return loading.not_there(name, list(by_name))

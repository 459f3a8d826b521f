"""The answer of the tool load_skill: bodies by name, a file beside one, or what fits a query."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from app.records import Mode
from app.toolbox.skills import loading
from app.toolbox.skills.records import Loaded, Skill
from app.toolbox.skills.shelf import Shelf, finder


def answer(shelf: Shelf, names: Sequence[str], query: str, mode: Mode, cwd: str) -> Loaded:
    """Return what a model gets for its call; names count where both are given."""
    usable = shelf.usable(cwd, None)
    if names:
        return _by_name(shelf, tuple(dict.fromkeys(names)), usable, mode)
    if not query.strip():
        return Loaded(text="Give names (one to three) or a query.", ok=False)
    return _by_query(query, [skill for skill in usable if mode in skill.modes], shelf.person)


def _by_query(query: str, usable: Sequence[Skill], person: Path) -> Loaded:
    """Load the one that surely fits, so that no second call is needed; else name those that may."""
    found = finder(usable).find(query)
    if not found or not found[0].sure:
        return Loaded(text=loading.found_text(found), ok=bool(found))
    skill = next(one for one in usable if one.name == found[0].name)
    others = ", ".join(one.name for one in found[1:])
    also = f"\nMay fit too: {others}." if others else ""
    return Loaded(
        text=loading.body_text(skill, person) + also, ok=True, names=(skill.name,), tools=skill.tools
    )


def _by_name(shelf: Shelf, names: tuple[str, ...], usable: Sequence[Skill], mode: Mode) -> Loaded:
    if len(names) > loading.MOST_NAMES:
        return Loaded(text=f"At most {loading.MOST_NAMES} names at once.", ok=False)
    by_name = {skill.name: skill for skill in usable}
    parts = [_one(shelf, name, by_name, mode) for name in names]
    loaded = tuple(dict.fromkeys(skill.name for _, skill in parts if skill))
    tools = dict.fromkeys(tool for name in loaded for tool in by_name[name].tools)
    text = "\n\n".join(text for text, _ in parts)
    return Loaded(text=text, ok=bool(loaded), names=loaded, tools=tuple(tools))


def _one(shelf: Shelf, name: str, by_name: dict[str, Skill], mode: Mode) -> tuple[str, Skill | None]:
    """Return the text for one name, and the skill that it gave, None where it gave none."""
    wanted, file = loading.plain(name)
    skill = by_name.get(wanted)
    if skill is None and wanted in shelf.file.read().off:
        return f"The person switched the skill {wanted} off.", None
    if skill is None:
        return loading.not_there(name, list(by_name)), None
    if mode not in skill.modes:
        return f"The skill {wanted} is for other modes: {', '.join(skill.modes)}.", None
    if not file:
        return loading.body_text(skill, shelf.person), skill
    text, given = loading.file_text(skill, file)
    return text, skill if given else None

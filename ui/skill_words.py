"""Words about skills for both front ends: whose one is, its state, what a project asks."""

from __future__ import annotations

from app.skill_records import Fault, ProjectSkills, SkillInfo
from ui.language import _, plural

NAMED = 4
"""Skills of a project that a question names; the others are counted."""


def place_text(source: str) -> str:
    """Return whose a skill is."""
    words = {"bundled": _("Bramble's"), "person": _("yours"), "project": _("the project's")}
    return words.get(source, source)


def state_text(*, loaded: bool, broken: bool, on: bool, hidden: bool) -> str:
    """Return what a person should know of a skill at a glance, "" where all is well."""
    if hidden:
        return _("hidden")
    if not loaded:
        return _("broken")
    if not on:
        return _("off")
    return _("has a fault") if broken else ""


def state_of(info: SkillInfo) -> str:
    """Return the same for a line of the list."""
    return state_text(
        loaded=info.loaded,
        broken=not info.loaded or bool(info.problems),
        on=info.enabled,
        hidden=bool(info.hidden_by),
    )


def fault_text(fault: Fault) -> str:
    """Return a fault with its line, where it has one."""
    if not fault.line:
        return fault.message
    return _("Line {line}: {why}").replace("{line}", str(fault.line)).replace("{why}", fault.message)


def project_title(found: ProjectSkills) -> str:
    """Return what a project brings, in one sentence."""
    number = len(found.skills)
    if found.state == "changed":
        return _("The skills of this project were changed since you agreed to them.")
    return plural("This project brings {n} skill.", "This project brings {n} skills.", number)


def project_text(found: ProjectSkills) -> str:
    """Return what the person said to them, or what is asked."""
    names = ", ".join(skill.name for skill in found.skills[:NAMED])
    more = len(found.skills) - NAMED
    if more > 0:
        names = _("{names} and {n} more").replace("{names}", names).replace("{n}", str(more))
    if found.too_large:
        return _("They are too many or too large to be looked after, so they are left out: {names}.").replace(
            "{names}", names
        )
    words = {
        "waiting": _(
            "A skill tells Bramble how to do something. Use these only if you trust the project: {names}."
        ),
        "changed": _("Until you agree again they are left out: {names}."),
        "agreed": _("You agreed to them; when they change you are asked again: {names}."),
        "refused": _("You left them out: {names}."),
    }
    return words[found.state].replace("{names}", names)


def list_text(infos: tuple[SkillInfo, ...]) -> str:
    """Return what there is, in one sentence."""
    counting = [info for info in infos if not info.hidden_by]
    words = plural("{n} skill", "{n} skills", len(counting))
    off = sum(not info.enabled for info in counting)
    faults = sum(bool(info.problems) for info in infos)
    parts = [_("{skills}. A model reads one when your request fits it.").replace("{skills}", words)]
    if off:
        parts.append(plural("{n} is off.", "{n} are off.", off))
    if faults:
        parts.append(plural("{n} has a fault.", "{n} have a fault.", faults))
    return " ".join(parts)

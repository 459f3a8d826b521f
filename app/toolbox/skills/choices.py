"""What a person chose about skills and when each was last used, in one small file that processes share."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import msgspec

from app.record import Record
from app.toolbox.private_file import PrivateFile

NAME = "skills.json"
MOST_USED = 200
"""Names whose last use is remembered."""


class Agreement(Record, kw_only=True):
    """What the person said to the skills of one project, and to which files: hashes by folder of a skill."""

    agreed: bool
    prints: Mapping[str, str] = msgspec.field(default_factory=dict)
    when: float = 0.0


class Choices(Record, kw_only=True):
    """By name of the skill. `used` are seconds since 1970."""

    off: frozenset[str] = frozenset()
    pinned: tuple[str, ...] = ()
    used: Mapping[str, float] = msgspec.field(default_factory=dict)
    projects: Mapping[str, Agreement] = msgspec.field(default_factory=dict)
    """By the real path of the project."""


class ChoiceFile(PrivateFile[Choices]):
    """The file. With a damaged one no choice counts."""

    def __init__(self, path: Path) -> None:
        super().__init__(path, Choices, "no choice of skills counts")


def switched(choices: Choices, name: str, on: bool) -> Choices:
    """Return the choices with a skill on or off."""
    off = choices.off - {name} if on else choices.off | {name}
    return msgspec.structs.replace(choices, off=off)


def pinned(choices: Choices, name: str, pin: bool) -> Choices:
    """Return the choices with a skill pinned, behind those that are, or not."""
    rest = tuple(one for one in choices.pinned if one != name)
    if pin and name in choices.pinned:
        return choices
    return msgspec.structs.replace(choices, pinned=(*rest, name) if pin else rest)


def noted(choices: Choices, names: tuple[str, ...], now: float) -> Choices:
    """Return the choices with these skills used now; the oldest uses are forgotten."""
    used = {**choices.used, **dict.fromkeys(names, now)}
    newest = sorted(used, key=lambda name: (-used[name], name))[:MOST_USED]
    return msgspec.structs.replace(choices, used={name: used[name] for name in newest})


def answered(choices: Choices, project: str, answer: Agreement | None) -> Choices:
    """Return the choices with what the person said to a project, None to be asked again."""
    rest = {path: one for path, one in choices.projects.items() if path != project}
    if answer is not None:
        rest[project] = answer
    return msgspec.structs.replace(choices, projects=rest)

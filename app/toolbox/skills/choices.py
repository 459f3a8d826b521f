"""What a person chose about skills and when each was last used, in one small file that processes share."""

from __future__ import annotations

import contextlib
import logging
import os
from collections.abc import Callable, Mapping
from pathlib import Path

import msgspec

from app.platform.locking import locked
from app.platform.paths import make_private
from app.record import Record

NAME = "skills.json"
LOCK_SECONDS = 2.0
MOST_USED = 200
"""Names whose last use is remembered."""

log = logging.getLogger(__name__)


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


class ChoiceFile:
    """The file, read whole and written whole. All methods block; call them in a thread."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def read(self) -> Choices:
        """Return what it says. A damaged file counts as empty and is kept beside it at the next change."""
        try:
            return msgspec.json.decode(self.path.read_bytes(), type=Choices)
        except FileNotFoundError:
            return Choices()
        except (OSError, msgspec.DecodeError, UnicodeDecodeError) as error:
            log.warning("%s cannot be read, so no choice of skills counts: %s", self.path, error)
            return Choices()

    def change(self, change: Callable[[Choices], Choices]) -> Choices:
        """Put `change` of what it says in its place. Raises OSError, TimeoutError too."""
        make_private(self.path.parent)
        with locked(self.path.with_name(f".{NAME}.lock"), LOCK_SECONDS):
            before = self.read()
            after = change(before)
            if after != before:
                self._write(msgspec.json.encode(after))
            return after

    def _write(self, data: bytes) -> None:
        if self.path.exists():
            try:
                msgspec.json.decode(self.path.read_bytes(), type=Choices)
            except (msgspec.DecodeError, UnicodeDecodeError):
                self.path.replace(self.path.with_name(f"{NAME}.damaged"))
        aside = self.path.with_name(f".{NAME}.{os.getpid()}")
        try:
            with open(aside, "wb", opener=lambda path, flags: os.open(path, flags, 0o600)) as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            aside.replace(self.path)
        except OSError:
            with contextlib.suppress(OSError):
                aside.unlink()
            raise


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

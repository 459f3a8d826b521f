"""What a person trusted: the hash of each content, its text for the next comparison, and what it said of
itself; in one small file that processes share.
"""

from __future__ import annotations

from pathlib import Path

import msgspec

from app.own_tool_records import Described
from app.record import Record
from app.toolbox.private_file import PrivateFile

KEPT = 10
"""Contents of one name that stay trusted: going back to an earlier one asks nothing."""


class Trusted(Record, kw_only=True):
    """One content that a person trusted. `at` is in seconds since 1970."""

    name: str
    hash: str
    source: str
    described: Described
    held: bool = True
    """Whether the person was told that it runs sealed; it does not run otherwise then."""
    at: float = 0.0


class Trust(Record, kw_only=True):
    """All of them, oldest first, and the names of the tools that are switched off."""

    trusted: tuple[Trusted, ...] = ()
    off: frozenset[str] = frozenset()

    def of(self, name: str, hash: str) -> Trusted | None:
        """Return what is known of exactly this content under this name."""
        return next((one for one in self.trusted if (one.name, one.hash) == (name, hash)), None)

    def last(self, name: str) -> Trusted | None:
        """Return what was trusted last under a name."""
        return next((one for one in reversed(self.trusted) if one.name == name), None)


class TrustFile(PrivateFile[Trust]):
    """The file. With a damaged one nothing is trusted."""

    def __init__(self, path: Path) -> None:
        super().__init__(path, Trust, "no tool of the person's own is trusted")


def with_trusted(trust: Trust, new: Trusted) -> Trust:
    """Return it with one content more, the newest of its name; the oldest beyond `KEPT` are forgotten."""
    others = [one for one in trust.trusted if (one.name, one.hash) != (new.name, new.hash)]
    same = [one for one in others if one.name == new.name]
    gone = same[: max(0, len(same) + 1 - KEPT)]
    kept = tuple(one for one in others if one not in gone)
    return msgspec.structs.replace(trust, trusted=(*kept, new), off=trust.off - {new.name})


def without(trust: Trust, name: str, hash: str = "") -> Trust:
    """Return it without anything of a name, or without one content of it."""
    kept = tuple(one for one in trust.trusted if one.name != name or hash not in ("", one.hash))
    return msgspec.structs.replace(trust, trusted=kept, off=trust.off - {name})


def switched(trust: Trust, name: str, on: bool) -> Trust:
    """Return it with a tool on or off."""
    return msgspec.structs.replace(trust, off=trust.off - {name} if on else trust.off | {name})

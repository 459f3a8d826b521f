"""The one file of saved rules, `rules.txt` beside the settings: read anew when it changed, written whole.

There is no other store of rules and no other reader. A rule that any process saved, or that the person wrote
with an editor, counts from the next call on.
"""

from __future__ import annotations

import contextlib
import errno
import os
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from app.errors import RulesError
from app.permissions import page as pages
from app.permissions.page import Page
from app.platform import filesystem
from app.platform.ids import new_id
from app.platform.locking import locked
from app.platform.paths import make_private
from app.records import DecisionKind, RuleInfo, Scope

NAME = "rules.txt"
LOCK_SECONDS = 5.0
"""A writer holds the lock for milliseconds; who waits so long is told that another one hangs."""
_SETTLED = 50_000_000
"""Nanoseconds after which a file's time tells a later change apart; clocks of file systems tick coarsely."""
_FULL = frozenset({errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC)})

_Stamp = tuple[int, ...]


class Book:
    """The file of rules at `path`. Reading is cheap (one look at the file's stamp); writing blocks."""

    def __init__(self, path: Path, *, wait: float = LOCK_SECONDS) -> None:
        self.path = path
        self._wait = wait
        self._known: tuple[_Stamp | None, Page] | None = None

    def page(self) -> Page:
        """Return the rules as they stand in the file now; what cannot be read is a fault of the page."""
        known = self._known
        try:
            stamp = _stamp(self.path)
        except OSError as error:
            return pages.unreadable(f"The file cannot be read: {error.strerror or error}.")
        if known is not None and known[0] == stamp:
            return known[1]
        try:
            found = self._read() if stamp else Page()
        except OSError as error:
            return pages.unreadable(f"The file cannot be read: {error.strerror or error}.")
        settled = stamp is None or time.time_ns() - stamp[0] > _SETTLED
        self._known = (stamp, found) if settled else None
        return found

    def add(self, wanted: Sequence[RuleInfo]) -> tuple[RuleInfo, ...]:
        """Save rules, all or none, and return them with their lines; those that stand there are not doubled.

        Raises RulesError (bad_rules, rules_busy, no_permission, disk_full) and BrambleError (bad_rule).
        """
        found = {one.id: one for one in self._change(lambda page: pages.added(page, wanted))}
        return tuple(found[one.id] for one in wanted)

    def remove(self, gone: Callable[[RuleInfo], bool]) -> tuple[RuleInfo, ...]:
        """Take rules out and return them; their sections too where those then hold nothing."""
        before = [entry.info for entry in self.page().entries]
        if not any(map(gone, before)):
            return ()
        left = {one.id for one in self._change(lambda page: pages.without(page, gone))}
        return tuple(one for one in before if gone(one) and one.id not in left)

    def edit(self, id: str, rule: str) -> RuleInfo:
        """Give a rule other words, in its place. Raises RulesError no_rule too, and as `add`."""
        new = pages.checked_rule(rule)

        def change(page: Page) -> bytes:
            if not any(entry.info.id == id for entry in page.entries):
                raise RulesError("no_rule", f"There is no rule {id}.", id=id)
            return pages.edited(page, id, new)

        old = {entry.info.id: entry.info for entry in self.page().entries}.get(id)
        found = self._change(change)
        for one in found:
            if old and (one.rule, one.decision, one.scope, one.place) == (
                new.text,
                old.decision,
                old.scope,
                old.place,
            ):
                return one
        raise RulesError("no_rule", f"There is no rule {id}.", id=id)

    def _change(self, change: Callable[[Page], bytes]) -> list[RuleInfo]:
        """Read, change and write under the lock; return the rules that stand there then."""
        with self._errors():
            make_private(self.path.parent)
            with locked(self.path.with_name(f".{NAME}.lock"), self._wait):
                page = self._read() if _stamp(self.path) else Page()
                if page.blind:
                    raise RulesError(
                        "bad_rules", f"{self.path}: {page.faults[0].why}", path=str(self.path),
                        why=page.faults[0].why,
                    )  # fmt: skip
                data = change(page)
                if len(data) > pages.BYTES_CAP:
                    raise RulesError("bad_rules", "The rules grow too large.", path=str(self.path))
                if data != page.mark + "".join(page.lines).encode("utf-8", "surrogateescape"):
                    self._write(data)
                return [entry.info for entry in pages.read_page(data).entries]

    def _read(self) -> Page:
        return pages.read_page(filesystem.read(os.path.realpath(self.path), pages.BYTES_CAP + 1))

    def _write(self, data: bytes) -> None:
        """Put the new file in the place of the old one; what a killed writer left beside it goes."""
        real = Path(os.path.realpath(self.path))  # the file may be a link into a folder of dotfiles
        beside = f".{NAME}.new-"
        for name in os.listdir(real.parent):
            if name.startswith(beside):
                (real.parent / name).unlink(missing_ok=True)
        mode = None if real.exists() else 0o600
        filesystem.prepare(str(real), data, beside + new_id(), mode=mode).put()

    @contextlib.contextmanager
    def _errors(self) -> Iterator[None]:
        """Turn what the system refuses into typed errors; the old file stands in each case."""
        try:
            yield
        except TimeoutError as error:
            raise RulesError("rules_busy", f"{self.path}: {error}", path=str(self.path)) from error
        except OSError as error:
            code = "disk_full" if error.errno in _FULL else "no_permission"
            raise RulesError(code, f"{self.path}: {error}", detail=str(error), path=str(self.path)) from error


def rules_path(settings: Path) -> Path:
    """Return where the rules stand, for the place of the settings file."""
    return settings.with_name(NAME)


def wanted(decision: DecisionKind, rule: str, scope: Scope, place: str = "") -> RuleInfo:
    """Return a rule as it is to be saved. Raises BrambleError (bad_rule)."""
    text = pages.checked_rule(rule).text
    return RuleInfo(
        id=pages.rule_id(decision, text, scope, place), decision=decision, rule=text, scope=scope, place=place
    )


def _stamp(path: Path) -> _Stamp | None:
    """Return what changes with the file, None where there is none. Raises OSError."""
    try:
        found = os.stat(path)
    except FileNotFoundError:
        return None
    return (found.st_mtime_ns, found.st_ctime_ns, found.st_size, found.st_ino, found.st_dev)

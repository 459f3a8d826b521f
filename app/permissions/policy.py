"""What may happen in one call: the rules that hold, and what else a decision depends on.

Frozen: a policy is made anew for each call, so that a rule that was saved a moment ago counts. `Rights` makes
all of them; there is no other place that puts rules together.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import PurePath

from app.permissions import rules
from app.permissions.book import Book
from app.permissions.page import Entry
from app.permissions.rules import Rule
from app.records import Mark, Problem, Record, RuleFault, RuleInfo, TurnOptions


class Policy(Record):
    """What may happen in one call. `yes` approves all but what is always asked; `attended` is false where
    nobody can answer.
    """

    cwd: str
    """The working folder of the session, absolute and resolved."""
    allow: tuple[Rule, ...] = ()
    ask: tuple[Rule, ...] = ()
    deny: tuple[Rule, ...] = ()
    yes: bool = False
    attended: bool = True
    own: tuple[str, ...] = ()
    """Folders of our own data; changing below them is always asked."""
    steering: tuple[str, ...] = ()
    """What tells this app what to do, by name and resolved; a change of it, or of what holds it, asks."""
    marks: tuple[Mark, ...] = ()
    """The untrusted sources in the effective context; with any, rules no longer open ways out (5.4)."""
    named_hosts: frozenset[str] = frozenset()
    """Hosts that the person named in their own words, in lower case."""
    found_hosts: frozenset[str] = frozenset()
    """Hosts that web_search found in this turn, in lower case."""
    free_reading: bool = False
    """The person let commands that only read run in the sandbox without a question (5.3)."""
    blind: bool = False
    """The saved rules cannot be read, a deny among them perhaps: what would run without a question asks."""


class Rights:
    """Makes the policy of each call from the saved rules and the options of its turn."""

    def __init__(
        self,
        book: Book,
        own: Sequence[str],
        free_reading: Callable[[], bool] = lambda: False,
        steering: Sequence[str] = (),
    ) -> None:
        """`free_reading` tells what the settings say now; `steering` are absolute paths, not resolved: what a
        person links elsewhere is followed at each call.
        """
        self.book = book
        self.own = tuple(own)
        self.steering = tuple(steering)
        self._free_reading = free_reading
        self._told: tuple[RuleFault, ...] = ()

    def news(self) -> Problem | None:
        """Return what is wrong with the file of rules, once for each set of faults."""
        page = self.book.page()
        if page.faults == self._told:
            return None
        self._told = page.faults
        if not page.faults:
            return None
        first = page.faults[0]
        fields = {"path": str(self.book.path), "line": str(first.line), "why": first.why}
        return Problem(code="bad_rules" if page.blind else "rule_faults", fields=fields)

    def policy(
        self,
        session: str,
        cwd: str,
        options: TurnOptions,
        *,
        marks: Sequence[Mark] = (),
        named_hosts: frozenset[str] = frozenset(),
        found_hosts: frozenset[str] = frozenset(),
    ) -> Policy:
        """Return what may happen now in a session ("" for none) that works in `cwd`, a resolved path.

        Raises BrambleError (bad_rule) for a rule of the options.
        """
        page = self.book.page()
        saved = _holding(page.entries, session, cwd)
        return Policy(
            cwd=cwd,
            allow=(*_of("allow", saved), *map(rules.parse, options.allow)),
            ask=_of("ask", saved),
            deny=(*_of("deny", saved), *map(rules.parse, options.deny)),
            yes=options.yes,
            attended=options.attended,
            own=self.own,
            steering=followed(self.steering),
            marks=(*marks, *options.marks),
            named_hosts=named_hosts,
            found_hosts=found_hosts,
            free_reading=self._free_reading(),
            blind=page.blind,
        )


def followed(places: Sequence[str]) -> tuple[str, ...]:
    """Return absolute paths as they are named, in their real folder, and where they lead to."""
    named = (os.path.join(os.path.realpath(os.path.dirname(path)), os.path.basename(path)) for path in places)
    return tuple(dict.fromkeys((*named, *map(os.path.realpath, places))))


def _of(decision: str, saved: Sequence[Entry]) -> tuple[Rule, ...]:
    return tuple(entry.rule for entry in saved if entry.info.decision == decision)


def _holding(entries: Sequence[Entry], session: str, cwd: str) -> list[Entry]:
    """Return the saved rules that hold: those for always, of this session, and of a folder that is the
    working folder or one above it.
    """
    above = _Above(cwd)
    return [entry for entry in entries if _holds(entry.info, session, above)]


def _holds(info: RuleInfo, session: str, above: _Above) -> bool:
    if info.scope == "session":
        return bool(session) and info.place == session
    return info.scope == "always" or (info.scope == "project" and above.holds(info.place))


class _Above:
    """The working folder and all folders above it; whole names are compared, so /w/proj-evil is not in
    /w/proj.
    """

    def __init__(self, cwd: str) -> None:
        self._cwd = cwd
        self._answers: dict[str, bool] = {}
        self._identities: set[tuple[int, int]] | None = None

    def holds(self, folder: str) -> bool:
        """Whether `folder`, which may lead over links, is one of them."""
        if folder not in self._answers:
            self._answers[folder] = self._named(folder) or self._same(folder)
        return self._answers[folder]

    def _named(self, folder: str) -> bool:
        # The working folder is resolved, and so is every beginning of it.
        return self._cwd == folder or self._cwd.startswith(folder.rstrip("/") + "/")

    def _same(self, folder: str) -> bool:
        if self._identities is None:
            places = [self._cwd, *map(str, PurePath(self._cwd).parents)]
            self._identities = {found for place in places if (found := _identity(place))}
        return _identity(folder) in self._identities


def _identity(path: str) -> tuple[int, int] | None:
    try:
        found = os.stat(path)
    except (OSError, ValueError):
        return None
    return found.st_dev, found.st_ino


def policy(
    cwd: str,
    allow: Sequence[str] = (),
    deny: Sequence[str] = (),
    *,
    yes: bool = False,
    attended: bool = True,
    own: Sequence[str] = (),
    steering: Sequence[str] = (),
) -> Policy:
    """Return a policy from rules as text. Raises BrambleError (bad_rule)."""
    return Policy(
        cwd=cwd,
        allow=tuple(map(rules.parse, allow)),
        deny=tuple(map(rules.parse, deny)),
        yes=yes,
        attended=attended,
        own=tuple(own),
        steering=tuple(steering),
    )

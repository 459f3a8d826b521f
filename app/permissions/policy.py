"""What may happen in one turn: the rules that hold, and what else a decision depends on.

Frozen: a policy is made anew for each call, so that a rule that was saved a moment ago counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from app.permissions import rules
from app.permissions.rules import Rule
from app.records import Layer, Mark


@dataclass(frozen=True)
class Policy:
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
    marks: tuple[Mark, ...] = ()
    """The untrusted sources in the effective context; with any, rules no longer open ways out (5.4)."""
    named_hosts: frozenset[str] = frozenset()
    """Hosts that the person named in their own words, in lower case."""
    layer: Layer = "none"
    """The sandbox that commands run in."""
    free_reading: bool = False
    """The person let commands that only read run in the sandbox without a question (5.3)."""


def policy(
    cwd: str,
    allow: Sequence[str] = (),
    deny: Sequence[str] = (),
    *,
    yes: bool = False,
    attended: bool = True,
    own: Sequence[str] = (),
) -> Policy:
    """Return a policy from rules as text. Raises BrambleError (bad_rule)."""
    return Policy(
        cwd=cwd,
        allow=tuple(map(rules.parse, allow)),
        deny=tuple(map(rules.parse, deny)),
        yes=yes,
        attended=attended,
        own=tuple(own),
    )

"""The decision on what is to be remembered or forgotten: it outlives its conversation, and others follow it.

In the person's own conversation it happens, is shown and can be taken back. While text that nobody vouches
for is in the context, it is asked about whatever was allowed, since an instruction of that text would stay.
"""

from __future__ import annotations

from collections.abc import Sequence

from app.permissions.policy import Policy
from app.permissions.rules import Rule
from app.records import Decision, DecisionKind, MemoryEffect


def decide_memory(effect: MemoryEffect, tool: str, policy: Policy) -> Decision:
    """Return the verdict. A rule speaks of every call of one tool; one that denies or asks does so whatever
    its pattern is.
    """

    def verdict(kind: DecisionKind, reason: str, rule: Rule | None = None) -> Decision:
        parts = tuple(effect.text.split("\n"))
        return Decision(decision=kind, reason=reason, rule=rule.text if rule else "", parts=parts)

    if rule := _first(policy.deny, tool):
        return verdict("deny", "rule_deny", rule)
    if rule := _first(policy.ask, tool):
        return verdict("ask", "rule_ask", rule)
    if policy.marks:
        return verdict("ask", "untrusted")
    if rule := _first([one for one in policy.allow if one.pattern == "*"], tool):
        return verdict("allow", "rule_allow", rule)
    if effect.act == "forget":
        return verdict("allow", "yes") if policy.yes else verdict("ask", "forget")
    return verdict("allow", "own_words")


def _first(candidates: Sequence[Rule], tool: str) -> Rule | None:
    return next((rule for rule in candidates if rule.tool == tool), None)

"""The decision on a command: every simple command of the line is judged, and what cannot be read asks."""

from __future__ import annotations

from app.permissions import rules
from app.permissions.policy import Policy
from app.records import CommandEffect, Decision


def decide_command(effect: CommandEffect, tool: str, policy: Policy) -> Decision:
    """Return the verdict on a command."""
    parts = (effect.command,)
    for rule in policy.deny:
        if rules.speaks_of(rule, tool, writes=False) and rules.command_denied(rule, effect.command):
            return Decision(decision="deny", reason="rule_deny", rule=rule.text, parts=parts)
    if rules.is_always_asked(effect.command):
        return Decision(decision="ask", reason="protected", parts=parts)
    for rule in policy.allow:
        if rules.speaks_of(rule, tool, writes=False) and rules.command_allowed(rule, effect.command):
            return Decision(decision="allow", reason="rule_allow", rule=rule.text, parts=parts)
    if policy.yes:
        return Decision(decision="allow", reason="yes", parts=parts)
    return Decision(decision="ask", reason="command", parts=parts)

"""The decision on one effect: deny before ask before allow, by rules first and by the place it touches
otherwise.

Pure but for resolving paths; the caller resolves them. Without a rule (product 5.0): reading in the
workspace runs; reading elsewhere, every
request, change and command asks; reading secrets asks everywhere, and an allow rule does not silence that.
"""

from __future__ import annotations

from pathlib import Path

from app.permissions import rules
from app.permissions.commands import decide_command
from app.permissions.policy import Policy
from app.permissions.protected import is_protected
from app.permissions.rules import Rule
from app.records import CommandEffect, Decision, Effect, FilesEffect, ReadEffect, RequestEffect


def decide(effect: Effect, tool: str, policy: Policy) -> Decision:
    """Return the verdict on `effect`, with the rule and every part that was judged."""
    match effect:
        case CommandEffect():
            return decide_command(effect, tool, policy)
        case FilesEffect():
            return _paths(
                [file.path for file in effect.files] + [f.old_path for f in effect.files if f.old_path],
                tool,
                policy,
            )
        case ReadEffect():
            return _read(effect, tool, policy)
        case RequestEffect():
            return _request(effect, tool, policy)


def _paths(paths: list[str], tool: str, policy: Policy) -> Decision:
    parts = tuple(paths)
    covering = [_covering(path, tool, policy.deny, policy.cwd) for path in paths]
    if any(covering):
        return Decision(
            decision="deny", reason="rule_deny", rule=next(r.text for r in covering if r), parts=parts
        )
    if any(is_protected(path, policy.own) for path in paths):
        return Decision(decision="ask", reason="protected", parts=parts)
    covering = [_covering(path, tool, policy.allow, policy.cwd) for path in paths]
    if paths and all(covering):
        return Decision(
            decision="allow", reason="rule_allow", rule=next(r.text for r in covering if r), parts=parts
        )
    return _asked("change", parts, policy)


def _covering(path: str, tool: str, candidates: tuple[Rule, ...], cwd: str) -> Rule | None:
    return next(
        (r for r in candidates if rules.speaks_of(r, tool, writes=True) and rules.path_matches(r, path, cwd)),
        None,
    )


def _read(effect: ReadEffect, tool: str, policy: Policy) -> Decision:
    parts = (effect.path,)
    for rule in policy.deny:
        if rule.tool in (tool, "read_file") and rules.path_matches(rule, effect.path, policy.cwd):
            return Decision(decision="deny", reason="rule_deny", rule=rule.text, parts=parts)
    if effect.secret:
        return Decision(decision="ask", reason="secret_path", parts=parts)
    if Path(effect.path).is_relative_to(policy.cwd):
        return Decision(decision="allow", reason="workspace_read", parts=parts)
    for rule in policy.allow:
        if rule.tool in (tool, "read_file") and rules.path_matches(rule, effect.path, policy.cwd):
            return Decision(decision="allow", reason="rule_allow", rule=rule.text, parts=parts)
    return _asked("outside", parts, policy)


def _request(effect: RequestEffect, tool: str, policy: Policy) -> Decision:
    parts = (f"{effect.method} {effect.url}",)
    for verdict, candidates in (("deny", policy.deny), ("allow", policy.allow)):
        for rule in candidates:
            if rules.speaks_of(rule, tool, writes=False) and rules.host_matches(rule, effect.host):
                kind = Decision(decision="deny", reason="rule_deny", rule=rule.text, parts=parts)
                return (
                    kind
                    if verdict == "deny"
                    else Decision(decision="allow", reason="rule_allow", rule=rule.text, parts=parts)
                )
    return _asked("request", parts, policy)


def _asked(reason: str, parts: tuple[str, ...], policy: Policy) -> Decision:
    if policy.yes:
        return Decision(decision="allow", reason="yes", parts=parts)
    return Decision(decision="ask", reason=reason, parts=parts)

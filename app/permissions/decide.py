"""The decision on one effect: deny before ask before allow, by rules first and by the place it touches
otherwise.

Pure but for resolving paths; the caller resolves them. Without a rule (product 5.0): reading in the
workspace runs; reading elsewhere, every
request, change and command asks; reading secrets asks everywhere, and an allow rule does not silence that.
While untrusted text is in the context (5.4) rules open no way out, and neither they nor a yes to everything
let a file be written that assistants take as instructions. What steers this app itself is asked about always.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import msgspec

from app.permissions import rules
from app.permissions.actions import decide_action
from app.permissions.commands import decide_command
from app.permissions.losses import MANY
from app.permissions.marks import persists_instructions
from app.permissions.policy import Policy
from app.permissions.protected import is_within, protection
from app.permissions.remembering import decide_memory
from app.permissions.requests import decide_request
from app.permissions.rules import Rule
from app.records import (
    ActionEffect,
    CommandEffect,
    Decision,
    DecisionKind,
    Effect,
    FilesEffect,
    InstallEffect,
    Loss,
    Mark,
    MemoryEffect,
    ReadEffect,
    RequestEffect,
    ServerEffect,
)

Covers = Callable[[Rule, str], bool]
"""Whether a rule speaks about one path or host."""
_STRICT = ("allow", "ask", "deny")
_GUARDS = ("steering", "protected")
"""Why a place is asked about always, the most telling first."""
_GRAVE = (*_GUARDS, "destructive", "secret_path")
"""Reasons that a person is told before that of a request."""


def decide(effect: Effect, tool: str, policy: Policy) -> Decision:
    """Return the verdict on `effect`, with the rule and every part that was judged.

    A question says which untrusted sources are in the context, whatever it asks for.
    """
    decision = _decide(effect, tool, policy)
    if policy.blind and decision.decision == "allow":
        return _verdict("ask", "rules_unreadable", decision.parts)
    if decision.decision == "ask" and policy.marks:
        return msgspec.structs.replace(decision, marks=policy.marks)
    return decision


def _decide(effect: Effect, tool: str, policy: Policy) -> Decision:
    match effect:
        case CommandEffect():
            return decide_command(effect, tool, policy)
        case FilesEffect():
            return _change(effect, tool, policy)
        case ReadEffect():
            return _read(effect, tool, policy)
        case RequestEffect():
            return _request(effect, tool, policy)
        case ServerEffect():
            return _server(effect, tool, policy)
        case InstallEffect():
            return _install(effect, tool, policy)
        case ActionEffect():
            return decide_action(effect, tool, policy)
        case MemoryEffect():
            return decide_memory(effect, tool, policy)


def _change(effect: FilesEffect, tool: str, policy: Policy) -> Decision:
    paths = [file.path for file in effect.files]
    paths += [file.old_path for file in effect.files if file.old_path and file.kind != "copied"]

    def covers(rule: Rule, path: str) -> bool:
        return rules.speaks_of(rule, tool, writes=True) and rules.path_matches(rule, path, policy.cwd)

    if rule := _any(policy.deny, paths, covers):
        return _verdict("deny", "rule_deny", paths, rule)
    if codes := {_guard(path, policy) for path in paths} - {""}:
        return _verdict("ask", min(codes, key=_GUARDS.index), paths)
    if _destroys(effect.losses):
        return msgspec.structs.replace(_verdict("ask", "destructive", paths), losses=effect.losses)
    if any(file.note == "secret_source" for file in effect.files):
        return _verdict("ask", "secret_path", paths)
    if rule := _any(policy.ask, paths, covers):
        return _verdict("ask", "rule_ask", paths, rule)
    if any(file.note == "outside_source" for file in effect.files):
        return _asked("outside", paths, policy)  # a rule on writing says nothing about what is read
    allow = tuple(rule for rule in policy.allow if rules.lets_delete(rule, tool))
    rule = _all(allow, paths, covers)
    if (rule or policy.yes) and policy.marks and any(map(persists_instructions, paths)):
        return _verdict("ask", "untrusted", paths)
    return _verdict("allow", "rule_allow", paths, rule) if rule else _asked("change", paths, policy)


def _guard(path: str, policy: Policy) -> str:
    """Return why a change of a path is asked about always; a folder that would hold what steers us counts."""
    holds = any(is_within(place, path) for place in policy.steering)
    return "steering" if holds else protection(path, policy.own, policy.steering)


def _destroys(losses: Sequence[Loss]) -> bool:
    """Whether a loss is asked about always: a whole place, many files, or several that no repository holds.

    One file goes by the rules: the trash and undo bring it back. One that its own repository does not know
    does not, since everybody takes what lies in a repository for kept.
    """
    if any(loss.whole for loss in losses) or sum(loss.items for loss in losses) > MANY:
        return True
    return sum(loss.untracked for loss in losses) > 1 or any(
        loss.untracked and loss.repository for loss in losses
    )


def _read(effect: ReadEffect, tool: str, policy: Policy) -> Decision:
    paths = [effect.path]

    def covers(rule: Rule, path: str) -> bool:
        return rule.tool in (tool, "read_file") and rules.path_matches(rule, path, policy.cwd)

    if rule := _any(policy.deny, paths, covers):
        return _verdict("deny", "rule_deny", paths, rule)
    if effect.secret:
        return _verdict("ask", "secret_path", paths)
    if rule := _any(policy.ask, paths, covers):
        return _verdict("ask", "rule_ask", paths, rule)
    if Path(effect.path).is_relative_to(policy.cwd):
        return _verdict("allow", "workspace_read", paths)
    rule = _all(policy.allow, paths, covers)
    return _verdict("allow", "rule_allow", paths, rule) if rule else _asked("outside", paths, policy)


def _request(effect: RequestEffect, tool: str, policy: Policy) -> Decision:
    """Judge a request together with what it would write: the stricter of both counts."""
    decision = decide_request(effect, tool, policy)
    if effect.saves is None:
        return decision
    written = _change(effect.saves, tool, policy)
    stricter = max(decision, written, key=lambda one: (_STRICT.index(one.decision), one.reason in _GRAVE))
    parts = (*decision.parts, *written.parts)
    return msgspec.structs.replace(stricter, parts=parts, losses=written.losses)


def _server(effect: ServerEffect, tool: str, policy: Policy) -> Decision:
    """Judge a call of a server, which is a way out: what came from elsewhere silences a rule that allows.

    What the same server said before does not, since it learns nothing that it did not know. A rule speaks of
    every call of one tool; one that denies or asks does so whatever its pattern is.
    """
    parts = [f"{effect.server}: {effect.tool}"]

    def covers(rule: Rule, name: str) -> bool:
        return rule.tool == name

    if rule := _any(policy.deny, [tool], covers):
        return _verdict("deny", "rule_deny", parts, rule)
    if rule := _any(policy.ask, [tool], covers):
        return _verdict("ask", "rule_ask", parts, rule)
    rule = _all([one for one in policy.allow if one.pattern == "*"], [tool], covers)
    if rule and any(mark != Mark(kind="mcp", name=effect.server) for mark in policy.marks):
        return _verdict("ask", "untrusted", parts)
    return _verdict("allow", "rule_allow", parts, rule) if rule else _asked("server", parts, policy)


def _install(effect: InstallEffect, tool: str, policy: Policy) -> Decision:
    """Judge a new server: no rule and no blanket yes can allow it, since it is a program that stays."""
    parts = [" ".join(effect.command) or effect.url]
    if rule := _any(policy.deny, [tool], lambda rule, name: rule.tool == name):
        return _verdict("deny", "rule_deny", parts, rule)
    return _verdict("ask", "install", parts)


def _any(candidates: Iterable[Rule], things: Iterable[str], covers: Covers) -> Rule | None:
    """Return the first rule that speaks about any of the things."""
    things = list(things)
    return next((rule for rule in candidates if any(covers(rule, thing) for thing in things)), None)


def _all(candidates: Iterable[Rule], things: Iterable[str], covers: Covers) -> Rule | None:
    """Return the first of the rules that together speak about all of the things; None where one is left."""
    candidates = list(candidates)
    found = [next((rule for rule in candidates if covers(rule, thing)), None) for thing in things]
    return found[0] if found and all(found) else None


def _verdict(kind: DecisionKind, reason: str, parts: Iterable[str], rule: Rule | None = None) -> Decision:
    return Decision(decision=kind, reason=reason, rule=rule.text if rule else "", parts=tuple(parts))


def _asked(reason: str, parts: Iterable[str], policy: Policy) -> Decision:
    return _verdict("allow", "yes", parts) if policy.yes else _verdict("ask", reason, parts)

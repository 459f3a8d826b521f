"""The decision on an action: a command of Git, the end of a process, something on the desktop.

A rule speaks of one by TOOL(SUBJECT), TOOL(BEGINNING *), TOOL(HOST) or TOOL(*). Where an action runs a
program, rules for commands that name its words count too, and so do those that forbid writing a file. What
runs programs of a repository, or loses what nothing brings back, is asked about whatever was allowed.
"""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from app.permissions import rules
from app.permissions.policy import Policy
from app.permissions.protected import is_within, protection
from app.permissions.rules import Rule
from app.permissions.shell.covering import command_rule
from app.records import ActionEffect, Decision, DecisionKind

_Verdict = tuple[DecisionKind, str, Rule | None]
_HARMLESS = frozenset({"notify"})
"""Only shows the person something."""


def decide_action(effect: ActionEffect, tool: str, policy: Policy) -> Decision:
    """Return the verdict on an action of `tool`. Pure but for the links of paths that rules name."""
    decision, reason, rule = _refused(effect, tool, policy) or _allowed(effect, tool, policy)
    parts = (shlex.join(effect.words) if effect.words else effect.subject,)
    return Decision(decision=decision, reason=reason, rule=rule.text if rule else "", parts=parts)


def _refused(effect: ActionEffect, tool: str, policy: Policy) -> _Verdict | None:
    """Return the verdict on what no rule may allow, None where the rules have the word."""
    if rule := _first(policy.deny, effect, tool, policy.cwd):
        return "deny", "rule_deny", rule
    if effect.runs:
        return "ask", "repository_programs", None
    if effect.loses:
        return "ask", "loses", None
    guards = (protection(path, policy.own, policy.steering) for path in effect.paths)
    if code := next(filter(None, guards), ""):
        return "ask", code, None
    if rule := _first(policy.ask, effect, tool, policy.cwd):
        return "ask", "rule_ask", rule
    return None


def _allowed(effect: ActionEffect, tool: str, policy: Policy) -> _Verdict:
    if effect.kind in _HARMLESS:
        return "allow", "harmless", None
    rule = next((one for one in policy.allow if _names(one, effect, tool)), None)
    if rule is None and effect.words:
        rule = command_rule(policy.allow, "run_command", effect.words, alone=True)
    if rule and not all(is_within(path, policy.cwd) for path in effect.paths):
        return "ask", "outside", None
    if rule and policy.marks and _leads_out(effect, policy):
        return "ask", "untrusted", None
    if rule:
        return "allow", "rule_allow", rule
    return ("allow", "yes", None) if policy.yes else ("ask", "action", None)


def action_offers(effect: ActionEffect, tool: str) -> list[tuple[str, ...]]:
    """Return the rules that would allow just this, narrowest first; none that lets every process be ended."""
    name = effect.subject
    offers: list[tuple[str, ...]] = []
    if name == name.strip() and name.isprintable() and "*" not in name:
        offers = [(f"{tool}({name})",)]
    if effect.kind == "open_url" and effect.host:
        offers = [(f"{tool}({effect.host.casefold()})",)]
    return offers if effect.kind in ("end_process", "open_url", "open_app") else [*offers, (f"{tool}(*)",)]


def _first(candidates: Sequence[Rule], effect: ActionEffect, tool: str, cwd: str) -> Rule | None:
    """Return the first rule that speaks about the action in any way: for those that forbid and that ask."""
    for rule in candidates:
        if _names(rule, effect, tool):
            return rule
        if effect.words and rule.tool == "run_command" and rules.command_matches(rule, effect.words):
            return rule
        if rule.tool == "write_file" and any(rules.path_matches(rule, path, cwd) for path in effect.paths):
            return rule
    return None


def _names(rule: Rule, effect: ActionEffect, tool: str) -> bool:
    """Whether a rule names this tool and what it is done to."""
    if rule.tool != tool:
        return False
    pattern = rule.pattern
    if pattern.endswith(" *") and f"{effect.subject} ".startswith(pattern[:-1]):
        return True
    return pattern in ("*", effect.subject) or bool(effect.host and rules.host_matches(rule, effect.host))


def _leads_out(effect: ActionEffect, policy: Policy) -> bool:
    """Whether it carries something to a computer that the person did not name, or to the model."""
    return effect.discloses or bool(effect.host and effect.host.casefold() not in policy.named_hosts)

"""The decision on a command: every simple command of the line is judged, and what cannot be read asks.

Deny before ask before allow (product 5.1). In order: a rule that forbids, anywhere in it; what is always
asked; a rule that says to ask; what the person allows: reading in the sandbox, rules for each part,
everything. Looks at file names and counts on the disk, runs nothing but the second opinion, and that only
before it allows.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass

import msgspec

from app.effects import Loss
from app.permissions.marks import persists_instructions
from app.permissions.policy import Policy
from app.permissions.rules import Rule
from app.permissions.shell import covering, second
from app.permissions.shell.denying import forbidden
from app.permissions.shell.findings import always, destructive
from app.permissions.shell.programs import is_network
from app.permissions.shell.readers import only_reading
from app.permissions.shell.reading import read_line
from app.permissions.shell.records import Reading
from app.permissions.shell.scene import Scene, scene
from app.permissions.shell.shadow import shadowed
from app.permissions.shell.survey import Survey, survey
from app.permissions.shell.writing import written
from app.records import CommandEffect, Decision, DecisionKind

Agrees = Callable[[str], bool]


@dataclass(frozen=True)
class _Case:
    """One line with all that is known of it."""

    effect: CommandEffect
    tool: str
    policy: Policy
    reading: Reading
    found: Survey
    at: Scene
    agrees: Agrees

    def verdict(
        self, decision: DecisionKind, reason: str, rule: str = "", losses: tuple[Loss, ...] = ()
    ) -> Decision:
        """Return the decision with everything that was judged."""
        return Decision(
            decision=decision,
            reason=reason,
            rule=rule,
            parts=tuple(command.text for command in self.reading.commands) or (self.effect.command,),
            outside=covering.outside(self.found.commands, self.found.redirects, self.at),
            losses=losses,
        )


def decide_command(
    effect: CommandEffect, tool: str, policy: Policy, agrees: Agrees = second.agrees
) -> Decision:
    """Return the verdict on a command. Blocks for some milliseconds where `agrees` is asked.

    `outside` of a decision that allows by rules for the words holds only what a rule for files, or one for
    exactly these words, lets it write.
    """
    reading = read_line(effect.command)
    found = survey(reading)
    folders = scene(policy.cwd, effect.cwd, policy.own, found.certain, policy.steering)
    case = _Case(effect, tool, policy, reading, found, folders, agrees)
    if effect.job and tool == "job_stop":
        return _ending(case)
    return _refused(case) or _allowed(case)


def _ending(case: _Case) -> Decision:
    """Return whether a job may be ended: its command has been judged when it began."""
    for kind, candidates in (
        ("deny", case.policy.deny),
        ("ask", case.policy.ask),
        ("allow", case.policy.allow),
    ):
        for rule in candidates:
            if rule.tool == case.tool and rule.pattern == "*":
                return case.verdict(kind, f"rule_{kind}", rule.text)  # type: ignore[arg-type]
    return case.verdict("allow", "yes") if case.policy.yes else case.verdict("ask", "command")


def _refused(case: _Case) -> Decision | None:
    """Return the decision of what no rule may allow, None when the rules have the word."""
    look = (case.tool, case.effect.command, case.reading, case.found, case.at)
    sure, perhaps = forbidden(case.policy.deny, *look)
    if sure is not None:
        return case.verdict("deny", "rule_deny", sure.text)
    if case.reading.odd in ("too_long", "too_many"):  # not looked at any further
        return case.verdict("ask", case.reading.odd)
    hits, losses = destructive(case.found, case.reading, case.at)
    if code := always(case.effect.command, case.reading, case.found, case.at):
        return case.verdict("ask", code, losses=losses)
    if hits:
        return case.verdict("ask", "destructive", losses=losses)
    if perhaps is not None:
        return case.verdict("ask", "denied_inside", perhaps.text)
    asked, maybe = forbidden(case.policy.ask, *look)
    if rule := asked or maybe:
        return case.verdict("ask", "rule_ask", rule.text)
    return None


def _allowed(case: _Case) -> Decision:
    """Return what the person's own words make of a line that nothing speaks against."""
    policy, effect, found = case.policy, case.effect, case.found
    if policy.marks and _teaches(case):
        return case.verdict("ask", "untrusted")
    if policy.free_reading and effect.layer != "none" and effect.reach == "folder":
        plain = not case.reading.odd
        if plain and only_reading(found, case.at) and _is_sure(case):
            return case.verdict("allow", "sandboxed_read")
    ruled = _by_words(case)
    if ruled.decision != "allow":
        whole = next((rule for rule in policy.allow if rule.tool == case.tool and rule.pattern == "*"), None)
        if whole is not None:
            ruled = _held(case, _inside(case, case.verdict("allow", "rule_allow", whole.text)))
        if ruled.decision != "allow" and policy.yes:
            return case.verdict("allow", "yes")
    if (
        ruled.decision != "allow" and found.starters and ruled.reason in ("command", "not_plain")
    ):  # the more telling of two reasons
        return case.verdict("ask", "starter")
    return ruled


def _by_words(case: _Case) -> Decision:
    """Return the decision by rules for words and paths: each part has to be covered."""
    allow, found, at = case.policy.allow, case.found, case.at
    if case.reading.odd:
        return case.verdict("ask", "starter" if found.starters else "not_plain")
    used: list[Rule] = []
    exact = True
    for place, words in enumerate(found.certain):
        rule = covering.command_rule(allow, case.tool, words, alone=len(found.certain) == 1)
        if rule is None:
            return case.verdict("ask", "starter" if place in found.starters else "command")
        used.append(rule)
        exact = exact and not rule.pattern.endswith("*")
    for redirect in found.redirects:
        more = covering.redirect_rules(allow, redirect, at)
        if more is None:
            return case.verdict("ask", "redirect")
        used += more
    decision = case.verdict("allow", "rule_allow", ", ".join(dict.fromkeys(rule.text for rule in used)))
    if not exact and decision != _inside(case, decision):
        return case.verdict("ask", "outside")
    if case.effect.reach == "all":
        return case.verdict("ask", "reach_all")
    if any(shadowed(words, os.environ.get("PATH", ""), at.workspace) for words in found.certain):
        return case.verdict("ask", "shadowed")
    decision = _held(case, decision)
    if decision.decision == "allow" and not _is_sure(case):
        return case.verdict("ask", "second_opinion")
    return decision


def _inside(case: _Case, decision: Decision) -> Decision:
    """Return the decision with only those paths outside that a rule for files covers."""
    allow, workspace = case.policy.allow, case.at.workspace
    kept = (path for path in decision.outside if covering.file_rule(allow, "write_file", path, workspace))
    return msgspec.structs.replace(decision, outside=tuple(kept))


def _held(case: _Case, decision: Decision) -> Decision:
    """Return the decision, or a question where untrusted text is in the context and there is a way out."""
    policy = case.policy
    held = case.effect.reach == "folder" and case.effect.layer != "none"
    if not policy.marks or (held and not any(map(is_network, case.found.commands))):
        return decision
    return msgspec.structs.replace(decision, decision="ask", reason="untrusted", marks=policy.marks)


def _teaches(case: _Case) -> bool:
    """Whether a line writes a file that assistants take as instructions."""
    words = [redirect.target or "" for redirect in case.found.redirects if redirect.direction != "read"]
    words += [word for one in case.found.commands for word in written(one, case.at.folders[0])]
    return any(persists_instructions(path) for word in words for path in case.at.paths(word))


def _is_sure(case: _Case) -> bool:
    return case.reading.obvious or case.agrees(case.effect.command)

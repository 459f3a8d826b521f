"""The decision on a web request: by method, host and port, and by where the host stands.

A rule reads `TOOL(HOST)`, and more exactly `TOOL(METHOD private HOST:PORT)`, where all but the host may be
left out. One that allows means what it says and no more: without a method GET and HEAD, without a port the
usual ones (80 and 443), and never more than its host; `*` stands for any method or port, and alone for any
call of public hosts at usual ports. This computer and the own network are opened by a rule that names their
host (for a name that could be a public one, with the word `private`), or by a person who names host and port
in their own words; a blanket yes does not. One that denies or asks speaks of every method and port that it
does not name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

import msgspec

from app.permissions.policy import Policy
from app.permissions.rules import Rule
from app.records import Decision, DecisionKind, RequestEffect

_STRICT = ("allow", "ask", "deny")
READS = frozenset({"GET", "HEAD"})
SEARCHED = "searched"
"""The pattern of a rule for the hosts that web_search found in the same turn (product 5.0)."""
USUAL = frozenset({0, 80, 443})
_HOST = re.compile(r"[A-Za-z0-9._:\[\]-]+\Z")
_METHOD = re.compile(r"[A-Z]+\Z|\*\Z")


class Pattern(NamedTuple):
    """A rule's pattern taken apart; "" for what it does not name."""

    method: str
    private: bool
    host: str
    port: str


@lru_cache(maxsize=1024)
def pattern_of(text: str) -> Pattern:
    """Return what a pattern names. Words that cannot be read make a host that no request has."""
    *words, authority = text.split()
    method = words.pop(0) if words and _METHOD.match(words[0]) else ""
    private = words == ["private"]
    if words and not private:
        return Pattern("", False, text, "")
    host, port = authority, ""
    if authority.startswith("["):
        host, _, port = authority[1:].partition("]")
        port = port.removeprefix(":")
    elif authority.count(":") == 1:
        host, port = authority.split(":")
    return Pattern(method, private, host.casefold(), port)


def each(effect: RequestEffect) -> list[RequestEffect]:
    """Return the request to each of its hosts by itself."""
    others = [
        msgspec.structs.replace(effect, host=host, url=f"https://{host}/", port=0, private="", also=())
        for host in effect.also
    ]
    return [msgspec.structs.replace(effect, also=()), *others]


def decide_request(effect: RequestEffect, tool: str, policy: Policy) -> Decision:
    """Return the verdict on a request of `tool`, the strictest of all its hosts; what it would write is
    judged elsewhere.
    """
    verdicts = [_decide(one, _without_own_marks(effect, policy), tool) for one in each(effect)]
    strictest = max(verdicts, key=lambda one: _STRICT.index(one.decision))
    return msgspec.structs.replace(strictest, parts=tuple(part for one in verdicts for part in one.parts))


def _without_own_marks(effect: RequestEffect, policy: Policy) -> Policy:
    """Leave out what the hosts of a fixed request said before, where it only reads: they are no choice of
    that text, and nobody else sees what they learn.
    """
    if not effect.fixed or not (effect.method in READS or effect.purpose == "search"):
        return policy
    own = {effect.host, *effect.also}
    kept = tuple(mark for mark in policy.marks if mark.kind != effect.fixed or mark.name not in own)
    return msgspec.structs.replace(policy, marks=kept)


def _decide(effect: RequestEffect, policy: Policy, tool: str) -> Decision:
    def verdict(kind: DecisionKind, reason: str, rule: Rule | None = None) -> Decision:
        parts = (f"{effect.method} {effect.url}",)
        return Decision(decision=kind, reason=reason, rule=rule.text if rule else "", parts=parts)

    if rule := _first(policy.deny, effect, tool, wide=True) or _searched(policy.deny, effect, tool, policy):
        return verdict("deny", "rule_deny", rule)
    if rule := _first(policy.ask, effect, tool, wide=True) or _searched(policy.ask, effect, tool, policy):
        return verdict("ask", "rule_ask", rule)
    if effect.private and not opened(effect, tool, policy):
        return verdict("ask", "private_host")
    if rule := _searched(policy.allow, effect, tool, policy):  # the person knew that a search had found them
        return verdict("allow", "rule_allow", rule)
    rule = _first(policy.allow, effect, tool, wide=False)
    if rule and policy.marks and effect.host.casefold() not in policy.named_hosts:
        return verdict("ask", "untrusted")
    if rule:
        return verdict("allow", "rule_allow", rule)
    if effect.purpose == "search" and not policy.yes:  # product 5.0
        return verdict("ask", "untrusted") if policy.marks else verdict("allow", "search")
    return verdict("allow", "yes") if policy.yes else verdict("ask", "request")


def was_found(effect: RequestEffect, policy: Policy) -> bool:
    """Whether a request only reads from a public host that web_search found in this turn."""
    plain = effect.method in READS and effect.port in USUAL and not effect.private
    return plain and effect.host.casefold().removeprefix("www.") in policy.found_hosts


def _searched(rules: Iterable[Rule], effect: RequestEffect, tool: str, policy: Policy) -> Rule | None:
    if not was_found(effect, policy):
        return None
    return next((rule for rule in rules if rule.tool == tool and rule.pattern == SEARCHED), None)


def opened(effect: RequestEffect, tool: str, policy: Policy) -> bool:
    """Whether the person opened a private host: by a rule that allows this request, or by naming the host
    with its port in their own words.
    """
    return _is_named(effect, policy) or any(
        rule.pattern != "*" and _names(rule, effect, tool, wide=False) for rule in policy.allow
    )


def request_offers(effect: RequestEffect, tool: str) -> list[str]:
    """Return the rule that would allow just such a request, in a list; none for a host that no rule names."""
    if not _HOST.match(effect.host) or not effect.method.isalpha():
        return []
    host = effect.host.casefold()
    if effect.port not in USUAL:
        host = f"[{host}]:{effect.port}" if ":" in host else f"{host}:{effect.port}"
    words = [effect.method] if effect.method not in READS else []
    words += ["private"] if effect.private == "found" else []
    return [f"{tool}({' '.join((*words, host))})"]


def _is_named(effect: RequestEffect, policy: Policy) -> bool:
    """Whether the person named host and port; a host without any port means the usual ones."""
    host, port = effect.host.casefold(), effect.port or (443 if effect.url.startswith("https:") else 80)
    if f"{host}:{port}" in policy.named_hosts:
        return True
    with_ports = any(name.startswith(f"{host}:") for name in policy.named_hosts)
    return host in policy.named_hosts and not with_ports and port in USUAL


def _first(candidates: Iterable[Rule], effect: RequestEffect, tool: str, *, wide: bool) -> Rule | None:
    return next((rule for rule in candidates if _names(rule, effect, tool, wide=wide)), None)


def _names(rule: Rule, effect: RequestEffect, tool: str, *, wide: bool) -> bool:
    """Whether a rule speaks of a request; `wide` for rules that deny or ask."""
    if rule.tool != tool:
        return False
    if rule.pattern == "*":
        return wide or effect.port in USUAL
    named = pattern_of(rule.pattern)
    if named.host != effect.host.casefold() and not (wide and named.host == "*"):
        return False
    if named.port not in ("", "*") and named.port != str(effect.port or ""):
        usual = effect.port == 0 and named.port == ("443" if effect.url.startswith("https:") else "80")
        if not usual:
            return False
    if named.method not in ("", "*") and named.method != effect.method:
        return False
    if wide:
        return True
    return (
        (named.method != "" or effect.method in READS)
        and (named.port != "" or effect.port in USUAL)
        and (effect.private != "found" or named.private)
    )

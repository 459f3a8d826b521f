"""Decisions on calls of MCP servers: a way out for whatever the conversation holds from elsewhere."""

from __future__ import annotations

import pytest

from app.permissions.decide import decide
from app.permissions.marks import sources
from app.permissions.offers import with_offers
from app.permissions.policy import policy
from app.permissions.rules import parse
from app.records import Decision, InstallEffect, Mark, ServerEffect

TOOL = "time__get_time"
CALL = ServerEffect(server="time", tool="get_time", arguments='{\n  "zone": "UTC"\n}', says="reads")


def judged(*, ask: tuple[str, ...] = (), marks: tuple[Mark, ...] = (), **rules: object) -> Decision:
    import msgspec

    made = policy("/w", **rules)  # type: ignore[arg-type]
    made = msgspec.structs.replace(made, ask=tuple(map(parse, ask)), marks=marks)
    return with_offers(CALL, TOOL, made, decide(CALL, TOOL, made))


def test_without_a_rule_it_asks_whatever_the_tool_says_of_itself() -> None:
    found = judged()
    assert (found.decision, found.reason, found.parts) == ("ask", "server", ("time: get_time",))
    assert found.offers == ((f"{TOOL}(*)",),)
    assert judged(yes=True).decision == "allow"


def test_deny_before_ask_before_allow() -> None:
    every = f"{TOOL}(*)"
    assert judged(allow=[every]).decision == "allow"
    assert judged(allow=[every], ask=(every,)).reason == "rule_ask"
    assert judged(allow=[every], deny=[every], ask=(every,)).reason == "rule_deny"


@pytest.mark.parametrize("rule", ["time__other(*)", "time__get_time(UTC)", "run_command(*)", "time(*)"])
def test_a_rule_allows_the_calls_of_one_tool_and_no_other(rule: str) -> None:
    assert judged(allow=[rule]).decision == "ask"


def test_a_rule_that_denies_is_never_silent() -> None:
    assert judged(deny=[f"{TOOL}(UTC)"]).decision == "deny"


def test_text_from_elsewhere_closes_the_way_out() -> None:
    every = f"{TOOL}(*)"
    page, other = Mark(kind="web", name="a.org"), Mark(kind="mcp", name="mail")
    for mark in (page, other, Mark(kind="file", name="time")):
        found = judged(allow=[every], marks=(mark,))
        assert (found.decision, found.reason, found.offers) == ("ask", "untrusted", ())
    own = Mark(kind="mcp", name="time")
    assert judged(allow=[every], marks=(own,)).decision == "allow"
    assert judged(allow=[every], marks=(own, page)).decision == "ask"


def test_its_answer_is_marked_by_its_name() -> None:
    assert sources(CALL, "/w") == (Mark(kind="mcp", name="time"),)


ADDED = InstallEffect(server="time", command=("npx", "--yes", "time-mcp@1.2.3"), environment=("KEY",))


def test_a_new_server_is_always_asked_about_and_no_rule_can_be_saved() -> None:
    for made in (policy("/w"), policy("/w", yes=True), policy("/w", allow=["mcp_install(*)"])):
        found = with_offers(ADDED, "mcp_install", made, decide(ADDED, "mcp_install", made))
        assert (found.decision, found.reason, found.offers) == ("ask", "install", ())
    denied = decide(ADDED, "mcp_install", policy("/w", deny=["mcp_install(*)"]))
    assert denied.reason == "rule_deny"

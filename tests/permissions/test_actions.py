"""Actions are judged by what they are done to: rules name that, the words of a program, or its host."""

from __future__ import annotations

import msgspec
import pytest

from app.permissions.decide import decide
from app.permissions.offers import allows, with_offers
from app.permissions.policy import policy
from app.records import ActionEffect, Decision, Mark

COMMIT = ActionEffect(
    kind="git",
    subject="commit",
    words=("git", "commit", "-m", "x"),
    cwd="/w",
    paths=("/w/a.py",),
)
LINK = ActionEffect(kind="open_url", subject="https://Example.org/x?q=1", host="Example.org")
END = ActionEffect(kind="end_process", subject="node", details="pid 7  node server.js")
READ = ActionEffect(kind="read_clipboard", subject="read", discloses=True)
MARKS = (Mark(kind="web", name="evil.example"),)


def judged(effect: ActionEffect, tool: str, *rules: str, **more: object) -> Decision:
    allow = [rule for rule in rules if not rule.startswith("!")]
    deny = [rule[1:] for rule in rules if rule.startswith("!")]
    held = policy("/w", allow, deny)
    return decide(effect, tool, msgspec.structs.replace(held, **more))


@pytest.mark.parametrize(
    ("effect", "tool", "rules", "decision", "reason"),
    [
        (COMMIT, "git_commit", [], "ask", "action"),
        (COMMIT, "git_commit", ["git_commit(*)"], "allow", "rule_allow"),
        (COMMIT, "git_commit", ["git_commit(commit)"], "allow", "rule_allow"),
        (COMMIT, "git_commit", ["run_command(git commit *)"], "allow", "rule_allow"),
        (COMMIT, "git_commit", ["run_command(git comm *)", "git_sync(*)"], "ask", "action"),
        (COMMIT, "git_commit", ["git_commit(*)", "!run_command(git *)"], "deny", "rule_deny"),
        (COMMIT, "git_commit", ["git_commit(*)", "!write_file(**)"], "deny", "rule_deny"),
        (LINK, "open_url", ["open_url(example.org)"], "allow", "rule_allow"),
        (LINK, "open_url", ["open_url(example.or)"], "ask", "action"),
        (END, "kill_process", ["kill_process(node)"], "allow", "rule_allow"),
        (END, "kill_process", ["kill_process(nod *)"], "ask", "action"),
        (ActionEffect(kind="notify", subject="hello"), "notify", [], "allow", "harmless"),
        (ActionEffect(kind="notify", subject="hello"), "notify", ["!notify(*)"], "deny", "rule_deny"),
    ],
)
def test_rules_speak_of_an_action(
    effect: ActionEffect, tool: str, rules: list[str], decision: str, reason: str
) -> None:
    found = judged(effect, tool, *rules)
    assert (found.decision, found.reason) == (decision, reason)


def test_what_runs_programs_of_a_repository_or_loses_work_asks_whatever_was_allowed() -> None:
    hooked = msgspec.structs.replace(COMMIT, runs=("pre-commit",))
    lossy = msgspec.structs.replace(COMMIT, loses=True)
    for effect, reason in ((hooked, "repository_programs"), (lossy, "loses")):
        found = judged(effect, "git_commit", "git_commit(*)", yes=True)
        assert (found.decision, found.reason) == ("ask", reason)
        assert with_offers(effect, "git_commit", policy("/w"), found).offers == ()


def test_text_of_strangers_closes_the_ways_out() -> None:
    assert judged(COMMIT, "git_commit", "git_commit(*)", marks=MARKS).decision == "allow"
    push = msgspec.structs.replace(COMMIT, subject="push", host="git.example")
    assert judged(push, "git_sync", "git_sync(*)", marks=MARKS).reason == "untrusted"
    assert judged(READ, "clipboard", "clipboard(read)", marks=MARKS).reason == "untrusted"
    assert judged(READ, "clipboard", "clipboard(read)").decision == "allow"
    named = judged(LINK, "open_url", "open_url(*)", marks=MARKS, named_hosts=frozenset({"example.org"}))
    assert named.decision == "allow"


@pytest.mark.parametrize(
    ("effect", "tool", "offers"),
    [
        (COMMIT, "git_commit", (("git_commit(commit)",), ("git_commit(*)",))),
        (LINK, "open_url", (("open_url(example.org)",),)),
        (END, "kill_process", (("kill_process(node)",),)),
        (ActionEffect(kind="set_volume", subject="40 %"), "set_volume",
         (("set_volume(40 %)",), ("set_volume(*)",))),
        (ActionEffect(kind="end_process", subject="a*b\n"), "kill_process", ()),
    ],
)  # fmt: skip
def test_each_rule_that_is_offered_would_allow_it(
    effect: ActionEffect, tool: str, offers: tuple[tuple[str, ...], ...]
) -> None:
    found = with_offers(effect, tool, policy("/w"), decide(effect, tool, policy("/w")))
    assert found.offers == offers
    assert all(allows(effect, tool, policy("/w"), offer) for offer in offers)

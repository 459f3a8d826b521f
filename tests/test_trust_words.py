"""The sentences about rules, sandboxes, losses and sources."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.records import CommandEffect, Loss, Mark
from ui.trust import covers, layer_text, loss_sample, loss_text, marks_text, reach_text, rule_parts, rule_text


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        ("run_command(git status)", "exactly the command git status, with no other words"),
        ("run_command(npm run *)", "every command that begins with npm run"),
        ("run_command(*)", "every command, whatever it does"),
        ("write_file(docs/**)", "every change below docs"),
        ("write_file(**)", "every change below the folder of the conversation"),
        ("edit_file(a.md)", "every change of a.md"),
        ("web_fetch(example.org)", "every request that only reads from example.org, and from no other host"),
        ("http_request(POST a.org:9)", "every POST request to a.org:9, and to no other host"),
        ("http_request(* a.org)", "every request of any kind to a.org, and to no other host"),
        (
            "web_fetch(private a.org)",
            "every request that only reads from a.org, and from no other host "
            "(also where it stands in your own network)",
        ),
        (
            "web_fetch(searched)",
            "every request that only reads from a host that web_search found in the same turn",
        ),
        ("read_file(/etc/**)", "read_file on everything below /etc"),
        ("job_list(*)", "every call of job_list"),
        ("git_commit(commit)", "git_commit where it does just this: commit"),
        ("git_branch(delete old)", "git_branch where it does just this: delete old"),
        ("git_status(/w/**)", "git_status on everything below /w"),
    ],
)
def test_what_a_rule_covers(rule: str, said: str) -> None:
    assert covers(rule) == said


def test_what_a_rule_does() -> None:
    assert rule_text("allow", "run_command(ls)").startswith("Runs without a question: exactly")
    assert rule_text("deny", "web_fetch(*)") == "Never happens: every request of web_fetch."
    assert rule_parts("run_command( git  status ) ") == ("run_command", "git  status")
    for broken in ("run_command", "run_command()", "(x)", "", "a b(c)"):
        assert rule_parts(broken) is None and "TOOL(PATTERN)" in covers(broken)


def test_what_would_be_lost() -> None:
    many = Loss(path="/w/old", items=2229, untracked=2229, size=48_000_000, sample=("a",))
    assert loss_text(many) == "2,229 files (48 MB) below /w/old; no Git repository has any of them"
    some = Loss(path="/w/old", items=10, untracked=1, sample=("a",))
    assert loss_text(some) == "10 files below /w/old; 1 of them is in no Git repository"
    assert loss_text(Loss(path="/w/a", items=1, untracked=1)) == "/w/a; no Git repository has it"
    one = Loss(path="/w/a", items=1, untracked=1, size=4, sample=("a",))
    assert loss_text(one) == "/w/a; no Git repository has it" and loss_sample(one) == ()
    assert loss_sample(many) == ("a",)
    home = Loss(path=str(Path.home()), items=5, whole=True)
    assert loss_text(home) == "all of ~, 5 files"


@pytest.mark.parametrize("reach", ["folder", "network", "all"])
@pytest.mark.parametrize("layer", ["bubblewrap", "landlock", "none"])
def test_every_layer_and_reach_has_words(layer: str, reach: str) -> None:
    effect = CommandEffect(command="x", cwd="/w", layer=layer, reach=reach)  # type: ignore[arg-type]
    words = reach_text(effect)
    loose = layer == "none" or reach == "all"
    assert ("without" in words and "whatever you can change" in words) is loose
    assert ("/w" in words) is not loose
    assert layer_text(layer)  # type: ignore[arg-type]


def test_all_sources_are_named() -> None:
    marks = [Mark(kind="web", name=f"host{n}.example") for n in range(9)]
    assert all(mark.name in marks_text(marks) for mark in marks)

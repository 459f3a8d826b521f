"""Proof: no line that a shell would run as a second command is ever allowed by a rule for the first.

Generated lines are judged, and run by the real bash in a throw-away folder that notes every program, every
builtin that runs something, and every file that changes. Whatever was allowed must have run only what a rule
names, with exactly the words that were read, and written only where a rule lets it.
"""

from __future__ import annotations

from random import Random

import pytest

from app.permissions.commands import decide_command
from app.permissions.policy import policy
from app.permissions.shell.reading import read_line
from app.records import CommandEffect
from tests.permissions.shell import lines, traced

BATCH = 500


@pytest.mark.proof("shell second command", small=300, full=20_000)
def test_an_allowed_line_runs_and_writes_nothing_but_what_rules_name(tmp_path, count, seed, record_property):
    by = Random(seed)
    for name in ("d/.git", "out", ".git"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "in.txt").write_text("in\n")
    rules = policy(str(tmp_path.resolve()), lines.RULES)
    allowed = second = 0
    while count > 0:
        made = [lines.line(by) for _ in range(min(BATCH, count))]
        count -= len(made)
        for text, seen in zip(made, traced.run(made, lines.NAMES, tmp_path), strict=True):
            verdict = decide_command(CommandEffect(command=text, cwd=rules.cwd), "run_command", rules)
            faults = [words for words in seen["ran"] if not _named(words)]
            second += bool(faults)
            if verdict.decision != "allow":
                continue
            allowed += 1
            read = [list(command.known) for command in read_line(text).commands]
            assert not faults, (text, verdict, seen)
            assert all(words in read or _inner(words, read) for words in seen["ran"]), (text, read, seen)
            assert all(_writable(path) for path in seen["files"]), (text, verdict, seen)
    record_property("allowed", allowed)
    print(f"\n{allowed} lines allowed; {second} ran what no rule names, none of them allowed")
    assert allowed and second


def _named(words: list[str]) -> bool:
    """Whether a rule of `lines.RULES` names these words, told apart without the code that is proved."""
    exact = [["bb", "one"], ["git", "status"], ["cat", "in.txt"], ["cd", "d"], ["true"]]
    open_end = [
        ["aa"],
        ["bb", "two words"],
        ["git", "log"],
        ["npm", "run"],
        ["echo"],
        ["printf"],
        ["timeout", "5", "aa"],
    ]
    return (
        words in exact
        or any(words[: len(start)] == start for start in open_end)
        or (words[0] == "timeout" and bool(words[2:]) and _named(words[2:]))
    )


def _inner(words: list[str], read: list[list[str]]) -> bool:
    """Whether a wrapper that is part of the line names these words as what it starts."""
    return any(outer[0] == "timeout" and outer[2:] == words for outer in read)


def _writable(path: str) -> bool:
    return path.startswith("out/") or path == "new.txt"

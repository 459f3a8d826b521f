"""Ways round a rule that are no second command: planted programs, files behind folders, instructions."""

from __future__ import annotations

import os

import pytest
from msgspec.structs import replace

from app.permissions.decide import decide
from app.permissions.policy import policy
from app.permissions.shell.shadow import shadowed
from app.records import CommandEffect, Mark


def judged(folder, text, allow=(), deny=(), layer="none", **more):
    rules = replace(policy(str(folder), allow, deny, yes=more.pop("yes", False)), **more)
    return decide(CommandEffect(command=text, cwd=str(folder), layer=layer), "run_command", rules)


def planted(folder, name):
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text("#!/bin/sh\n")
    (folder / name).chmod(0o755)
    return folder


def test_a_program_in_front_of_the_real_one_is_noticed(tmp_path, monkeypatch):
    work, system = tmp_path / "w", tmp_path / "usr"
    for name in ("git", "python3", "tool"):
        planted(work / "bin", name)
    for name in ("git", "python3"):
        planted(system, name)
    order = os.pathsep.join([str(work / "bin"), str(system)])
    assert shadowed(("git", "status"), order, str(work))
    assert not shadowed(("git", "status"), str(system), str(work))
    assert not shadowed(("tool",), order, str(work))  # there is no other that is meant
    assert not shadowed(("python3", "x.py"), order, str(work))
    assert not shadowed(("./git",), order, str(work)) and not shadowed(("nowhere",), order, str(work))
    monkeypatch.chdir(work / "bin")
    assert shadowed(("git",), f"{os.pathsep}{system}", str(tmp_path / "other"))
    system.chmod(0o1777)
    assert shadowed(("git",), str(system), str(work))


def test_a_planted_program_is_asked_about_under_its_rule(tmp_path, monkeypatch):
    work = tmp_path / "w"
    planted(work / "bin", "git")
    system = planted(tmp_path / "usr", "git")
    rule = ["run_command(git status)"]
    monkeypatch.setenv("PATH", f"{work / 'bin'}{os.pathsep}{system}")
    assert judged(work, "git status", rule).reason == "shadowed"
    monkeypatch.setenv("PATH", str(system))
    assert judged(work, "git status", rule).decision == "allow"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("cat secret/key", "deny"),
        ("cat < secret/key", "deny"),
        ("grep -r x secret", "ask"),
        ("grep -r x .", "ask"),
        ("tar cf a.tar .", "ask"),
        ("cat $F", "ask"),
        ("cat secret/*", "ask"),
        ("cp secret/key x", "ask"),
        ("echo secret/key", "ask"),
        ("ls .", "allow"),
        ("cat docs/x", "allow"),
    ],
)
def test_a_file_that_may_not_be_read_is_looked_for_in_what_a_command_reads(tmp_path, text, expected):
    for name in ("secret", "docs"):
        (tmp_path / name).mkdir()
    assert judged(tmp_path, text, deny=["read_file(secret/**)"], yes=True).decision == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("echo a > docs/x", "deny"),
        ("tee docs/x", "deny"),
        ("cp x docs/y", "deny"),
        ("touch docs/x", "deny"),
        ("python3 x.py docs/x", "ask"),
        ("echo a > $F", "ask"),
        ("cat docs/x", "allow"),
        ("touch other", "allow"),
    ],
)
def test_a_file_that_may_not_be_written_is_looked_for_in_what_a_command_writes(tmp_path, text, expected):
    (tmp_path / "docs").mkdir()
    assert judged(tmp_path, text, deny=["write_file(docs/**)"], yes=True).decision == expected


def test_while_marked_no_rule_lets_instructions_be_written(tmp_path):
    rules = ["run_command(echo *)", "run_command(cp *)", "write_file(**)"]
    held = {"marks": (Mark(kind="web", name="h"),), "layer": "bubblewrap"}
    assert judged(tmp_path, "echo a > notes.md", rules, **held).decision == "allow"
    assert judged(tmp_path, "echo a > .cursorrules", rules, **held).reason == "untrusted"
    assert judged(tmp_path, "cp notes.md GEMINI.md", rules, **held).reason == "untrusted"


def test_asking_where_a_command_is_starts_nothing(tmp_path):
    assert judged(tmp_path, "command -v node", ["run_command(command -v *)"]).decision == "allow"
    assert judged(tmp_path, "command node", ["run_command(command *)"]).reason == "starter"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("cat .env.local", "deny"),
        ("cat sub/deep/.env.local", "deny"),
        ("grep -r KEY sub", "ask"),
        ("cat < sub/.env.local", "deny"),
        ("cat sub/env.local", "allow"),
        ("ls sub", "allow"),
    ],
)
def test_a_file_forbidden_by_its_name_alone_is_forbidden_everywhere(tmp_path, text, expected):
    (tmp_path / "sub" / "deep").mkdir(parents=True)
    assert judged(tmp_path, text, deny=["read_file(**/.env.local)"], yes=True).decision == expected

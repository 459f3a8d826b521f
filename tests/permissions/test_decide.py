"""Decisions on effects, with and without rules."""

from __future__ import annotations

import pytest

from app.errors import BrambleError
from app.permissions.decide import decide
from app.permissions.policy import policy
from app.permissions.rules import parse
from app.records import CommandEffect, FileDiff, FilesEffect, ReadEffect, RequestEffect


def verdict(effect, tool, allow=(), deny=(), cwd="/w", **kw):
    return decide(effect, tool, policy(cwd, allow, deny, **kw)).decision


def command(text):
    return CommandEffect(command=text, cwd="/w")


def change(*paths):
    return FilesEffect(files=tuple(FileDiff(path=path, shown=path, kind="changed") for path in paths))


def test_without_a_rule_reading_the_workspace_runs_and_all_else_asks():
    assert verdict(ReadEffect(path="/w/a.txt"), "read_file") == "allow"
    assert verdict(ReadEffect(path="/etc/passwd"), "read_file") == "ask"
    assert verdict(ReadEffect(path="/w-evil/a"), "read_file") == "ask"
    assert verdict(ReadEffect(path="/w/.env", secret=True), "read_file", ["read_file(/w/**)"]) == "ask"
    assert verdict(command("ls"), "run_command") == "ask"
    assert verdict(change("/w/a"), "write_file") == "ask"
    assert verdict(RequestEffect(method="GET", url="https://a.b/", host="a.b"), "web_fetch") == "ask"


@pytest.mark.parametrize(
    ("rule", "text", "expected"),
    [
        ("git status", "git status", "allow"),
        ("git status", "git 'status'", "allow"),
        ("git status", "git status -s", "ask"),
        ("git *", "git log -3", "allow"),
        ("git *", "git", "allow"),
        ("git *", "gitx", "ask"),
        ("ls *", "./ls", "ask"),
        ("git *", "git status && rm -rf x", "ask"),
        ("git *", "git status; rm x", "ask"),
        ("git *", "git status\nrm x", "ask"),
        ("git *", "git status $(touch x)", "ask"),
        ("git *", "git status `touch x`", "ask"),
        ("git *", "git status | sh", "ask"),
        ("git *", "git status & rm x", "ask"),
        ("git *", "git status > /etc/x", "ask"),
        ("git *", "git status <(rm x)", "ask"),
        ("git *", "git status #", "ask"),
        ("echo *", "echo y > f", "ask"),
        ("$C x", "C=rm; $C x", "ask"),
        ("git *", "git st{at,us}", "ask"),
        ("git *", "git *", "ask"),
        ("git *", "git \\\nstatus", "ask"),
        ("git *", "git status\r rm x", "ask"),
        ("git *", "A=1 git status", "ask"),
        ("git *", "git 'status", "ask"),
    ],
)
def test_an_allow_rule_covers_one_simple_command_only(rule, text, expected):
    assert verdict(command(text), "run_command", [f"run_command({rule})"]) == expected


@pytest.mark.parametrize(
    "text", ["rm x", "git status && rm x", "git status; rm -rf x", "git status\nrm x", "ls | rm x", "'rm' x"]
)
def test_a_deny_rule_speaks_about_every_part(text):
    assert verdict(command(text), "run_command", ["run_command(*)"], ["run_command(rm *)"]) == "deny"


def test_paths_are_judged_whole_and_by_the_working_folder():
    assert verdict(change("/w/docs/a"), "write_file", ["write_file(docs/**)"]) == "allow"
    assert verdict(change("/w/docs/a"), "edit_file", ["write_file(docs/**)"]) == "allow"
    assert verdict(change("/w/docs/a", "/w/b"), "apply_patch", ["write_file(docs/**)"]) == "ask"
    assert verdict(change("/w/docs-evil/a"), "write_file", ["write_file(docs/**)"]) == "ask"
    assert verdict(change("/w/docs/a"), "write_file", ["write_file(*)"], ["write_file(/w/docs/**)"]) == "deny"


@pytest.mark.parametrize(
    "path",
    ["/w/.git/config", "/home/p/.bashrc", "/home/p/.ssh/authorized_keys", "/w/a\u202eb", "/w/.GIT/hooks/x"],
)
def test_protected_paths_are_asked_under_a_rule_and_with_yes(path):
    assert verdict(change(path), "write_file", ["write_file(*)"]) == "ask"
    assert verdict(change(path), "write_file", yes=True) == "ask"


def test_our_own_data_is_protected():
    assert verdict(change("/data/settings.toml"), "write_file", ["write_file(*)"], own=["/data"]) == "ask"


def test_yes_approves_the_rest_and_deny_still_wins():
    assert verdict(command("make"), "run_command", yes=True) == "allow"
    assert verdict(command("make"), "run_command", (), ["run_command(make)"], yes=True) == "deny"
    assert verdict(ReadEffect(path="/w/id_rsa", secret=True), "read_file", yes=True) == "ask"


def test_hosts_are_compared_exactly_without_case():
    effect = RequestEffect(method="GET", url="https://Example.org/", host="Example.org")
    assert verdict(effect, "web_fetch", ["web_fetch(example.ORG)"]) == "allow"
    other = RequestEffect(method="GET", url="https://example.org.evil/", host="example.org.evil")
    assert verdict(other, "web_fetch", ["web_fetch(example.org)"]) == "ask"
    assert verdict(effect, "web_fetch", ["web_fetch(*)"], ["web_fetch(example.org)"]) == "deny"


@pytest.mark.parametrize(
    "text", ["", "git", "run_command", "run_command()", "run_command(git", "(x)", "a b(x)"]
)
def test_a_text_that_is_no_rule_is_refused_with_the_form(text):
    with pytest.raises(BrambleError) as caught:
        parse(text)
    assert caught.value.code == "bad_rule" and "TOOL(PATTERN)" in str(caught.value)


@pytest.mark.parametrize(
    "text",
    [
        "git -c core.pager=/tmp/x log",
        "git clean -fdx",
        "git diff --output=x",
        "git grep -O/tmp/x y",
        "env rm -rf x",
        "sh -c 'rm x'",
        "find . | xargs rm",
        "timeout 5 rm x",
        "echo x > .git/config",
        "echo x >> ~/.bashrc",
        "cp a .ssh/authorized_keys",
    ],
)
def test_some_commands_are_asked_about_whatever_is_allowed(text):
    assert verdict(command(text), "run_command", ["run_command(*)"]) == "ask"
    assert verdict(command(text), "run_command", yes=True) == "ask"
    assert verdict(command(text), "run_command", ["run_command(*)"], ["run_command(*)"]) == "deny"


@pytest.mark.parametrize(
    "text",
    ["git status", "git log --oneline -3", "make environment", "echo clean", "ls -c", "python3 build.py"],
)
def test_plain_commands_are_left_to_the_rules(text):
    assert verdict(command(text), "run_command", ["run_command(*)"]) == "allow"


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("/w/a", "allow"),
        ("/w/sub/deep/a", "allow"),
        ("/w2/a", "ask"),
        ("/x", "ask"),
        ("/w/.git/config", "ask"),
    ],
)
def test_two_stars_alone_are_all_below_the_working_folder(path, expected):
    assert verdict(change(path), "write_file", ["write_file(**)"]) == expected
    denied = "deny" if path.startswith("/w/") else "ask"
    assert verdict(change(path), "write_file", deny=["write_file(**)"]) == denied


@pytest.mark.parametrize(
    ("pattern", "path", "expected"),
    [
        ("**/.env", "/w/.env", True),
        ("**/.env", "/w/a/b/.env", True),
        ("**/.env", "/w/a.env", False),
        ("**/.env", "/x/.env", False),
        ("/w/**/.env", "/w/a/.env", True),
        ("/w/**/.env", "/w-evil/.env", False),
        ("docs/*.md", "/w/docs/a.md", True),
        ("docs/*.md", "/w/docs/sub/a.md", False),
        ("docs/*.md", "/w/docs/a.md.exe", False),
        ("docs/*/x/**", "/w/docs/a/x/deep/file", True),
        ("docs/*/x/**", "/w/docs/a/x", False),
        ("src/[id]/*.tsx", "/w/src/[id]/page.tsx", True),
        ("src/[id]/*.tsx", "/w/src/i/page.tsx", False),
        ("/**", "/anything", True),
        ("**", "/w/a", True),
        ("**", "/x/a", False),
        ("*.py", "/w/a.py", True),
        ("*.py", "/w/a/b.py", False),
        ("a.b", "/w/aXb", False),
    ],
)
def test_stars_in_a_rule_about_files(pattern, path, expected):
    assert (verdict(change(path), "write_file", [f"write_file({pattern})"]) == "allow") is expected
    assert (
        verdict(change(path), "edit_file", ["write_file(*)"], [f"write_file({pattern})"]) == "deny"
    ) is expected

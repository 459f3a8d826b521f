"""The decision on a command: parts, files, marks, reach, the sandbox, losses and what may be offered."""

from __future__ import annotations

import os
import subprocess

import pytest
from msgspec.structs import replace

from app.permissions.commands import decide_command
from app.permissions.decide import decide
from app.permissions.losses import counted, counted_whole
from app.permissions.offers import with_offers
from app.permissions.policy import policy
from app.permissions.rules import parse
from app.permissions.tracked import tracked_files
from app.records import CommandEffect, Mark

WEB = Mark(kind="web", name="example.org")


@pytest.fixture
def work(tmp_path):
    folder = tmp_path / "w"
    for name in ("docs", "sub"):
        (folder / name).mkdir(parents=True)
    (folder / "a.txt").write_text("a\n")
    return folder


def judged(work, text, allow=(), deny=(), **more):
    held = {name: more.pop(name) for name in ("marks", "free_reading", "ask") if name in more}
    effect = CommandEffect(
        command=text,
        cwd=more.pop("cwd", str(work)),
        **{k: more.pop(k) for k in ("reach", "job", "layer") if k in more},
    )
    rules = replace(policy(str(work), allow, deny, **more), **held)
    return with_offers(effect, "run_command", rules, decide(effect, "run_command", rules))


def test_all_parts_and_the_rules_that_cover_them_are_named(work):
    found = judged(
        work,
        "npm run build && echo 'a b' > docs/x",
        ["run_command(npm run *)", "run_command(echo *)", "write_file(docs/**)"],
    )
    assert found.decision == "allow"
    assert found.parts == ("npm run build", "echo 'a b' > docs/x")
    assert found.rule == "run_command(npm run *), run_command(echo *), write_file(docs/**)"


def test_a_rule_to_ask_stands_before_one_that_allows_and_before_yes(work):
    ask = (parse("run_command(git push *)"),)
    assert judged(work, "git push origin", ["run_command(git *)"], ask=ask).reason == "rule_ask"
    assert judged(work, "git push origin", yes=True, ask=ask).reason == "rule_ask"
    assert judged(work, "git status", ["run_command(git *)"], ask=ask).decision == "allow"


def test_without_the_second_opinion_nothing_that_needs_it_is_allowed(work):
    rules = policy(str(work), ["run_command(echo *)"])

    def never(text):
        return False

    def line(text):
        return decide_command(
            CommandEffect(command=text, cwd=str(work)), "run_command", rules, never
        ).decision

    assert line("echo 'a'") == "ask" and line("echo a && echo b") == "ask" and line("echo a") == "allow"


def test_while_marked_a_rule_counts_in_the_sandbox_without_network_only(work):
    rules = ["run_command(npm test)", "run_command(curl *)", "run_command(git *)"]
    assert judged(work, "npm test", rules, marks=(WEB,)).reason == "untrusted"
    assert judged(work, "npm test", rules, marks=(WEB,)).marks == (WEB,)
    assert judged(work, "npm test", rules, marks=(WEB,), layer="bubblewrap").decision == "allow"
    assert (
        judged(work, "npm test", rules, marks=(WEB,), layer="bubblewrap", reach="network").reason
        == "untrusted"
    )
    for text in ("curl h", "git push origin", "git status && git fetch"):
        assert judged(work, text, rules, marks=(WEB,), layer="bubblewrap").reason == "untrusted"
    assert judged(work, "curl h", ["run_command(*)"], marks=(WEB,), layer="bubblewrap").reason == "untrusted"
    assert judged(work, "npm test", rules).decision == "allow"


def test_without_the_sandbox_only_a_rule_for_everything_counts(work):
    assert judged(work, "npm test", ["run_command(npm test)"], reach="network").decision == "allow"
    assert judged(work, "npm test", ["run_command(npm test)"], reach="all").reason == "reach_all"
    assert judged(work, "npm test", ["run_command(*)"], reach="all").decision == "allow"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ls -la docs", True),
        ("cat a.txt | head -n 3", True),
        ("grep -n a a.txt", True),
        ("rg -n a", False),  # it searches the folder, and with -uu what is hidden too
        ("rg -uu KEY", False),
        ("diff a.txt a.txt", True),
        ("diff -N . sub", False),  # it would show .env
        ("jq . a.txt", True),
        ('jq -n \'import "x" as $d {search:"/"}; $d\'', False),
        ("wc -l < a.txt", True),
        ("sed -n 1,3p a.txt", True),
        ("ls 2>/dev/null", True),
        ("cat /etc/hostname", False),
        ("ls ..", False),
        ("git status", False),
        ("grep -r a .", False),
        ("find . -delete", False),
        ("find .", False),
        ("sort a.txt", False),
        ("less a.txt", False),
        ("awk 1 a.txt", False),
        ("env", False),
        ("xargs ls", False),
        ("rg --pre x a", False),
        ("rg -z a", False),
        ("sed -i s/a/b/ a.txt", False),
        ("cat a.txt > b", False),
        ("ls; rm a.txt", False),
        ("ls $x", False),
        ("base64 -o x a.txt", False),
        ("cat .env", False),
        ("./ls", False),
        ("diff --to-file=x a.txt", False),
        ("rg --hidden a", False),
        ("file -C -m x", False),
        ("cat ~/x", False),
    ],
)
def test_commands_that_only_read_run_in_the_sandbox_where_the_person_allows_it(work, text, expected):
    (work / ".env").write_text("KEY=1")
    found = judged(work, text, free_reading=True, layer="landlock")
    assert (found.decision == "allow", found.reason == "sandboxed_read") == (expected, expected)
    assert judged(work, text, free_reading=True, layer="none").decision == "ask"
    assert judged(work, text, free_reading=True, layer="bubblewrap", reach="network").decision == "ask"
    assert judged(work, text, layer="bubblewrap").decision == "ask"


def test_what_it_writes_outside_is_told_and_needs_a_rule_for_files(work, tmp_path):
    there = str(tmp_path / "out" / "x")
    assert judged(work, f"cp a.txt {there}", ["run_command(cp *)"]).reason == "outside"
    assert judged(work, f"cp a.txt {there}", ["run_command(cp *)"]).outside == (there,)
    both = judged(work, f"cp a.txt {there}", ["run_command(cp *)", f"write_file({tmp_path}/out/**)"])
    assert both.decision == "allow" and both.outside == (there,)
    exact = judged(work, f"cp a.txt {there}", [f"run_command(cp a.txt {there})"])
    assert exact.decision == "allow" and exact.outside == (there,)
    everything = judged(work, f"cp a.txt {there}", ["run_command(*)"])
    assert everything.decision == "allow" and everything.outside == ()


def test_a_folder_that_the_line_goes_to_counts_for_its_files(work):
    rules = ["run_command(cd *)", "run_command(echo *)", "write_file(docs/**)"]
    assert judged(work, "cd docs && echo a > x", rules).decision == "ask"  # it may stay where it is
    assert judged(work, "cd docs && echo a > x", [*rules, "write_file(**)"]).decision == "allow"
    assert judged(work, "cd .. && echo a > docs/x", [*rules, "write_file(**)"]).decision == "ask"
    assert judged(work, "cd - && echo a > x", [*rules, "write_file(**)"]).reason == "lost_folder"
    assert judged(work, "cd docs && cp a ../.git/config", ["run_command(*)"]).reason == "protected"


def test_links_lead_where_they_lead(work, tmp_path):
    (tmp_path / "secret").mkdir()
    (work / "docs" / "away").symlink_to(tmp_path / "secret")
    rules = ["run_command(echo *)", "run_command(ln *)", "write_file(docs/**)"]
    assert judged(work, "echo a > docs/away/new", rules).decision == "ask"
    assert judged(work, "ln -s /etc docs/l && echo a > docs/l/passwd", rules).reason == "lost_folder"


def test_what_goes_to_a_job_is_judged_by_rules_for_that_tool(work):
    rules = policy(str(work), ["run_command(*)"], ["run_command(rm *)"])
    effect = CommandEffect(command="rm -rf x", cwd=str(work), job="job-1")
    assert decide(effect, "job_input", rules).decision == "deny"
    assert (
        decide(CommandEffect(command="y", cwd=str(work), job="job-1"), "job_input", rules).decision == "ask"
    )
    assert decide(effect, "job_stop", rules).decision == "ask"
    assert decide(effect, "job_stop", policy(str(work), yes=True)).decision == "allow"


# --- losses ---------------------------------------------------------------


def git(folder, *words):
    subprocess.run(
        ["git", "-c", "user.name=a", "-c", "user.email=a@b", *words],
        cwd=folder,
        check=True,
        capture_output=True,
    )


@pytest.mark.parametrize("version", ["2", "4"])
def test_what_git_holds_unchanged_may_be_deleted_by_a_rule(work, version):
    git(work, "init", "-q")
    for number in range(12):
        (work / "docs" / f"{number}.txt").write_text("x")
    git(work, "add", ".")
    git(work, "update-index", "--index-version", version)
    assert tracked_files(str(work / "a.txt")) == {str(work / "a.txt")}
    rule = ["run_command(rm *)"]
    assert judged(work, "rm a.txt", rule).decision == "allow"
    assert judged(work, "rm docs/1.txt docs/2.txt", rule).decision == "allow"
    many = judged(work, "rm -r docs", rule)
    assert (many.reason, many.losses[0].items, many.losses[0].untracked) == ("destructive", 12, 0)
    (work / "a.txt").write_text("changed since")
    assert judged(work, "rm a.txt", rule).losses[0].untracked == 1
    (work / "new.txt").write_text("x")
    assert judged(work, "rm new.txt", rule).reason == "destructive"
    assert judged(work, "rm new.txt", yes=True).reason == "destructive"
    assert judged(work, "rm gone.txt", rule).decision == "allow"


def test_losses_are_counted_with_a_sample(work):
    for number in range(700):
        (work / "sub" / f"{number}").write_text("xx")
    os.symlink("/", work / "sub" / "root")
    found = judged(work, "rm -rf sub", yes=True)
    assert found.decision == "ask" and not found.offers
    whole = counted_whole(found, str(work)).losses[0]
    assert (whole.items, whole.untracked, whole.whole, len(whole.sample)) == (701, 701, False, 8)
    assert counted(str(work), str(work)).whole
    home = judged(work, "rm -rf ~/", yes=True)
    assert home.losses[0].whole and home.losses[0].path == os.path.realpath(os.path.expanduser("~"))


def test_a_broken_index_holds_nothing(work):
    git(work, "init", "-q")
    (work / ".git" / "index").write_bytes(b"DIRC\0\0\0\2\0\0\0\5broken")
    assert tracked_files(str(work / "a.txt")) == frozenset()


# --- offers ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "offers"),
    [
        ("npm run build", [("run_command(npm run build)",), ("run_command(npm run *)",)]),
        ("git status -s", [("run_command(git status -s)",)]),
        (
            "make all && npm test",
            [
                ("run_command(make all)", "run_command(npm test)"),
                ("run_command(make all)", "run_command(npm test *)"),
            ],
        ),
        (
            "grep 'a b' x | wc -l",
            [
                ("run_command(grep 'a b' x)", "run_command(wc -l)"),
                ("run_command(grep *)", "run_command(wc *)"),
            ],
        ),
        (
            "echo a > docs/x",
            [
                ("run_command(echo a)", "write_file(WORK/docs/x)"),
                ("run_command(echo *)", "write_file(WORK/docs/x)"),
            ],
        ),
        ("find . -name '*'", [("run_command(find . -name '*')",)]),
        (
            "python3 -m pytest -q",
            [("run_command(python3 -m pytest -q)",), ("run_command(python3 -m pytest *)",)],
        ),
        ("python3 build.py", [("run_command(python3 build.py)",)]),
        ("cp a.txt b.txt", [("run_command(cp a.txt b.txt)",)]),
        ("rm a.txt", []),
        ("rm -rf docs", []),
        ("mv a.txt b", []),
        ("chmod -R 777 .", []),
        ("sh -c 'ls'", []),
        ("timeout 5 ls", []),
        ("echo $x", []),
        ("git -c a=b log", []),
        ("git push -f", []),
        ("cat .env", []),
        ("echo a > .git/config", []),
        ("curl h", [("run_command(curl h)",)]),
        ("echo 'a\nb'", []),
        ("python3 -c 'x'", []),
        ("bramble ask x", []),
    ],
)
def test_offers_are_narrow_first_and_each_of_them_works(work, text, offers):
    (work / ".env").write_text("x")
    found = judged(work, text)
    wanted = [tuple(rule.replace("WORK", str(work)) for rule in offer) for offer in offers]
    assert found.decision == "ask" and list(found.offers) == wanted
    for offer in found.offers:
        assert judged(work, text, offer).decision == "allow"


def test_an_offer_for_exact_words_means_just_them(work):
    (offer,) = judged(work, "find . -name '*'").offers
    assert judged(work, "find . -name '*'", offer).decision == "allow"
    assert judged(work, "find . -name x", offer).decision == "ask"


def test_an_offer_for_a_redirection_means_one_file_whatever_the_folder(work, tmp_path):
    other = tmp_path / "other"
    other.mkdir()
    for text, offer in (
        ("echo a > log.txt", ("run_command(echo a)", f"write_file({work}/log.txt)")),
        ("cd sub && wc -l < ../a.txt", None),
        ("wc -l < a.txt", ("run_command(wc -l)", f"read_file({work}/a.txt)")),
        ("echo a > '~x'", ("run_command(echo a)", f"write_file({work}/~x)")),
    ):
        found = judged(work, text).offers
        assert found[:1] == ((offer,) if offer else ()), text
        if offer:
            assert judged(work, text, offer).decision == "allow"
    kept = judged(work, "echo a > log.txt").offers[0]
    assert judged(other, "echo a > log.txt", kept).decision == "ask"


def test_nothing_is_offered_while_a_rule_would_not_count(work):
    assert judged(work, "npm test", marks=(WEB,)).offers == ()
    assert judged(work, "npm test", marks=(WEB,), layer="bubblewrap").offers

"""What counts as a plain line, and what is found in one that does not."""

from __future__ import annotations

import subprocess
import time

import pytest

from app.permissions.shell import second
from app.permissions.shell.reading import read_line


def words(text):
    return [list(command.known) for command in read_line(text).commands]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("git status -s", [["git", "status", "-s"]]),
        ("a 'b c' \"d e\" f'g'\"h\"", [["a", "b c", "d e", "fgh"]]),
        ("a '' \"\"", [["a", "", ""]]),
        ('a "x\\"y\\\\z\\n\\$"', [["a", 'x"y\\z\\n$']]),
        ("a && b || c; d | e\nf\n", [["a"], ["b"], ["c"], ["d"], ["e"], ["f"]]),
        ("a &&\n b |\n\n c", [["a"], ["b"], ["c"]]),
        ("a > f b 2>&1", [["a", "b"]]),
        ("a HEAD~1 stash@{0} {} x=y a#b é 'ü'", [["a", "HEAD~1", "stash@{0}", "{}", "x=y", "a#b", "é", "ü"]]),
        ("a 'one\ntwo'", [["a", "one\ntwo"]]),
        ("a 1>f 2>> g <h &>i &>>j >|k", [["a"]]),
    ],
)
def test_a_plain_line_is_read_word_for_word(text, expected):
    reading = read_line(text)
    assert reading.odd == "" and words(text) == expected
    assert second.agrees(text)


def test_redirections_are_told_apart_by_what_they_do():
    found = [
        (one.direction, one.target) for one in read_line("a 1>f 2>> g <h &>i &>>j >|'k k' 2>&1").redirects
    ]
    assert found == [
        ("write", "f"), ("append", "g"), ("read", "h"), ("write", "i"), ("append", "j"), ("write", "k k"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("a $x", "expansion"),
        ("a ${x@P}", "expansion"),
        ("a $(b)", "substitution"),
        ("a `b`", "substitution"),
        ('a "$(b)"', "substitution"),
        ("a <(b)", "substitution"),
        ("a $((1))", "arithmetic"),
        ("a <<E\nx\nE", "heredoc"),
        ("a <<< b", "heredoc"),
        ("(a)", "subshell"),
        ("{ a; }", "group"),
        ("f() { a; }", "function"),
        ("a & b", "background"),
        ("A=1 a", "assignment"),
        ("A=1", "assignment"),
        ("time a", "keyword"),
        ("coproc a", "keyword"),
        ("! a", "negation"),
        ("[[ a ]]", "test"),
        ("[ a ]", "test"),
        ("a $'b'", "ansi_quotes"),
        ("a \\\nb", "escape"),
        ("a \\b", "escape"),
        ("a # b", "comment"),
        ("a *", "glob"),
        ("a ?", "glob"),
        ("a [b]", "glob"),
        ("a ~", "tilde"),
        ("a x=~/b", "tilde"),
        ("a {b,c}", "brace"),
        ("a {1..3}", "brace"),
        ("a |& b", "operator"),
        ("a ;; b", "operator"),
        ("> f", "redirect"),
        ("> f a", "redirect"),
        ("a 12> f", "redirect"),
        ("a {x}> f", "redirect"),
        ("a >& f", "redirect"),
        ("a >&-", "redirect"),
        ("export A='1'", "declaration"),
        ("if a; then b; fi", "keyword"),
        ("for a in b; do c; done", "keyword"),
        ("a '", "unclosed"),
        ('a "', "unclosed"),
        ("", "empty"),
        (" \n ", "empty"),
        ("a\n&& b", "operator"),
        ("a &&", "operator"),
        ("a\r", "control"),
        ("a\x00", "control"),
        ("a\x1b[0m", "control"),
        ("a\x7f", "control"),
        ("a\x85", "control"),
        ("a \u202eb", "invisible"),
        ("a \u200bb", "invisible"),
        ("a \ufeff", "invisible"),
        ("a \u2028b", "invisible"),
        ("a \udcff", "surrogate"),
        ("a\u00a0b", "character"),
        ("%1 a", "word"),
        ("a !b", "history"),
        ("a; " * 60, "too_many"),
        ("a" * 10_001, "too_long"),
    ],
)
def test_everything_else_is_not_plain_and_says_why(text, code):
    assert read_line(text).odd == code


@pytest.mark.parametrize(
    ("text", "hidden"),
    [
        ("echo $(rm x)", ["rm", "x"]),
        ("echo `rm x`", ["rm", "x"]),
        ("cat <<E\n$(rm x)\nE", ["rm", "x"]),
        ('echo "${a:-$(rm x)}"', ["rm", "x"]),
        ("if a; then rm x; fi", ["rm", "x"]),
        ("f() { rm x; }", ["rm", "x"]),
        ("a <(rm x)", ["rm", "x"]),
        ("case a in b) rm x;; esac", ["rm", "x"]),
        ("r''m x $y", ["rm", "x", ""]),
        ("$'\\x72\\155' x", ["rm", "x"]),
        ("\\rm x", ["rm", "x"]),
        ("a & rm x", ["rm", "x"]),
        ("echo $(( $(rm x) ))", ["rm", "x"]),
    ],
)
def test_commands_that_hide_are_found(text, hidden):
    assert hidden in words(text)


@pytest.mark.parametrize(
    "text", ["a & b", "a # b", "export a", "a $x", "a <(b)", "(a)", "A=1 b", "a |& b", "! a"]
)
def test_the_second_opinion_agrees_to_plain_lines_only(text):
    assert not second.agrees(text)


def test_the_second_opinion_is_none_without_its_program(monkeypatch):
    monkeypatch.setattr(second, "find", lambda: None)
    assert not second.agrees("a 'b'")


def test_the_second_opinion_is_ours_whatever_stands_on_the_path(monkeypatch, tmp_path):
    fake = tmp_path / "shfmt"
    fake.write_text("#!/bin/sh\nexit 0\n")
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert second.find() not in (None, fake)


@pytest.mark.parametrize(
    "piece",
    [
        "(",
        "$(",
        "`",
        "((",
        "<(",
        "a=( ",
        "'",
        '"',
        "a && ",
        "x ",
        "timeout ",
        "env a=b ",
        "> f ",
        "<<E\n",
        ";",
        "a;",
        "find -exec ",
        "eval ",
        "é",
        "~/",
        "/a/b/../",
        "$'\\x61",
        "sh -c 'a' ",
    ],
)
def test_ten_thousand_characters_are_judged_in_bounded_time(piece, tmp_path):
    from app.permissions.commands import decide_command
    from app.permissions.policy import policy
    from app.records import CommandEffect

    rules = policy(str(tmp_path), ["run_command(git *)"], ["run_command(rm *)"])
    start = time.process_time()
    effect = CommandEffect(command=(piece * 10_000)[:9_990], cwd=str(tmp_path))
    assert decide_command(effect, "run_command", rules).decision != "allow"
    assert time.process_time() - start < 3.0


def test_bash_reads_plain_lines_as_we_do(tmp_path):
    """A few by hand; the proof does it by the thousand."""
    line = "printf '<%s>' a 'b c' \"d\\\"e\" f'g' HEAD~1 {} x=y a#b '' é"
    seen = subprocess.run(
        ["bash", "--noprofile", "--norc", "-c", line], capture_output=True, text=True, check=True
    )
    assert seen.stdout == "".join(f"<{word}>" for word in words(line)[0][2:])

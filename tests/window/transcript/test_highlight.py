"""Colours of code: made by a real process that comes when needed and goes when it idles."""

from __future__ import annotations

import os
import signal

import psutil
import pytest
from pytestqt.qtbot import QtBot

from ui.window.transcript.highlight import LONGEST, Highlighter
from ui.window.transcript.lexing import spans

CODE = 'for x in sorted(y):\n    print("hi")  # note'


def roles(code: str, found: list[tuple[int, int, str]]) -> dict[str, str]:
    return {code[start : start + length]: role for start, length, role in found}


def test_roles_of_python() -> None:
    found = roles(CODE, spans(CODE, "python"))
    assert found["for"] == "keyword"
    assert found["sorted"] == "function"
    assert found['"hi"'] == "string"
    assert found["# note"] == "comment"
    assert roles("a.run(b)", spans("a.run(b)", "python")) == {"run": "function"}


def test_unknown_language_has_no_colours() -> None:
    assert spans("x", "no-such-language") == []


def test_colours_come_from_a_process_and_are_kept(qtbot: QtBot) -> None:
    highlighter = Highlighter()
    assert highlighter.colours("x", "") == []
    assert highlighter.colours("x" * (LONGEST + 1), "python") == []
    assert highlighter.process_id == 0
    with qtbot.waitSignal(highlighter.ready, timeout=20_000):
        assert highlighter.colours(CODE, "python") is None
    assert highlighter.process_id not in (0, os.getpid())
    assert highlighter.colours(CODE, "python") == spans(CODE, "python")
    highlighter.close()
    assert highlighter.process_id == 0
    assert highlighter.colours(CODE, "python") == spans(CODE, "python")


def test_the_newest_wish_comes_first(qtbot: QtBot) -> None:
    highlighter = Highlighter()
    for number in range(4):
        highlighter.colours(f"x = {number}", "python")
    known = []
    for _ in range(4):
        with qtbot.waitSignal(highlighter.ready, timeout=20_000):
            pass
        known.append(
            next(n for n in (3, 2, 1, 0) if n not in known and highlighter.colours(f"x = {n}", "python"))
        )
    assert known == [3, 2, 1, 0]
    highlighter.close()


def test_the_process_goes_when_it_idles(qtbot: QtBot) -> None:
    highlighter = Highlighter(idle_ms=50)
    with qtbot.waitSignal(highlighter.ready, timeout=20_000):
        highlighter.colours(CODE, "python")
    qtbot.waitUntil(lambda: highlighter.process_id == 0, timeout=5_000)
    children = [child.cmdline() for child in psutil.Process().children() if child.status() != "zombie"]
    assert not any("lexing" in " ".join(words) for words in children)


@pytest.mark.skipif(os.name != "posix", reason="sends a POSIX signal")
def test_a_killed_process_leaves_code_plain_and_is_started_again(qtbot: QtBot) -> None:
    highlighter = Highlighter()
    with qtbot.waitSignal(highlighter.ready, timeout=20_000):
        highlighter.colours(CODE, "python")
    kill_at_work(highlighter, "x = 1", qtbot)
    qtbot.waitUntil(lambda: highlighter.process_id == 0, timeout=20_000)
    assert highlighter.colours("x = 1", "python") == []
    with qtbot.waitSignal(highlighter.ready, timeout=20_000):
        highlighter.colours("y = 2", "python")
    assert highlighter.colours("y = 2", "python")
    highlighter.close()


@pytest.mark.skipif(os.name != "posix", reason="sends a POSIX signal")
def test_what_waited_behind_a_killed_process_is_done_by_the_next(qtbot: QtBot) -> None:
    highlighter = Highlighter()
    with qtbot.waitSignal(highlighter.ready, timeout=20_000):
        highlighter.colours(CODE, "python")
    with qtbot.waitSignal(highlighter.ready, timeout=20_000):
        kill_at_work(highlighter, "x = 1", qtbot, waits="y = 2")
    assert highlighter.colours("x = 1", "python") == []
    assert highlighter.colours("y = 2", "python")
    highlighter.close()


def kill_at_work(highlighter: Highlighter, code: str, qtbot: QtBot, waits: str = "") -> None:
    """Kill the process while it has `code` at hand, and `waits` comes after it."""
    os.kill(highlighter.process_id, signal.SIGSTOP)
    assert highlighter.colours(code, "python") is None
    qtbot.waitUntil(lambda: highlighter.at_work, timeout=20_000)
    if waits:
        assert highlighter.colours(waits, "python") is None
    os.kill(highlighter.process_id, signal.SIGKILL)

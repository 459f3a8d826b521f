"""Results of tools that a person calls: in columns and colours for eyes, word for word for programs."""

from __future__ import annotations

import io
from typing import Any

import pytest

from app.events import ToolFinished
from app.records import View
from ui.terminal.clean import cells
from ui.terminal.output import Channel
from ui.terminal.results import write_result

PATCH = "1 file\n\ndiff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1 +1 @@\n-x\n+y\n\\ No newline"


class Screen(io.StringIO):
    """A stream that says whether it is a terminal."""

    def __init__(self, terminal: bool) -> None:
        super().__init__()
        self._terminal = terminal

    def isatty(self) -> bool:
        return self._terminal


def shown(text: str, kind: Any, data: dict[str, Any], *, terminal: bool = True, colour: bool = False) -> str:
    screen = Screen(terminal)
    out = Channel(screen, {} if colour else {"NO_COLOR": "1"})
    result = ToolFinished(
        session="", turn="", call="c", tool="t", ok=True, summary="", text=text, seconds=0.0,
        view=View(kind=kind, data=data),
    )  # fmt: skip
    write_result(out, result)
    return screen.getvalue()


def test_a_table_stands_in_columns_whatever_the_width_of_its_letters(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    rows = [["1", "東京", "x"], ["22", "a very long cell that has no room at all here", "\x1b[31my\x1b[0m"]]
    told = shown("text\n[There is more]", "table", {"columns": ["id", "city\n", "z"], "rows": rows})
    lines = told.splitlines()
    assert lines[0].split() == ["id", "city", "z"] and lines[-1] == "[There is more]"
    assert lines[1].startswith("1   東京 ") and "…" in lines[2] and "\x1b" not in told
    assert max(map(cells, lines)) <= 40
    assert cells(lines[1][: lines[1].rindex("x")]) == cells(lines[2][: lines[2].rindex("y")])


def test_a_pipe_gets_the_text_as_it_is() -> None:
    data = {"columns": ["a"], "rows": [["1"]]}
    assert shown("a text\n\x1b[1mb\n", "table", data, terminal=False) == "a text\nb\n"
    assert shown(PATCH, "diff", {"listed": []}, terminal=False) == PATCH + "\n"


def test_differences_have_colours_and_keep_their_signs() -> None:
    assert shown(PATCH, "diff", {"listed": []}) == PATCH + "\n"
    told = shown(PATCH, "diff", {"listed": []}, colour=True)
    assert "\x1b[31m-x\x1b[0m\n\x1b[32m+y\x1b[0m" in told and "\x1b[1m+++ b/a\x1b[0m" in told


@pytest.mark.parametrize("data", [{}, {"columns": 3}, {"columns": ["a"], "rows": []}])
def test_a_view_without_rows_leaves_the_text(data: dict[str, Any]) -> None:
    assert shown("only text", "table", data) == "only text\n"

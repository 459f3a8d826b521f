"""Anything may happen in any order: nothing raises, and the screen always shows what a fresh paint would."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from app.events import (
    ApprovalAnswered,
    ApprovalAsked,
    CallStreamed,
    MessageStored,
    ReasoningStreamed,
    RequestSent,
    RetryWaited,
    TextStreamed,
    ToolFinished,
    ToolProgressed,
    ToolStarted,
    TurnEnded,
    TurnStarted,
)
from app.records import Answer, Problem, Stop, Usage
from tests.window.transcript.conftest import Show
from tests.window.transcript.stage import (
    RICH,
    approval,
    call,
    click,
    differences,
    drag,
    message,
    on_screen,
    picture,
)
from ui.window.theme import make_theme
from ui.window.transcript.view import TranscriptView

TEXTS = (
    RICH,
    "word " * 900,
    "```py\nx = 1\n" * 9,
    "| a | b |\n|---|---|\n" + "| 1 | 2 |\n" * 60,
    "- a\n" * 50,
    "\x00\ud800\u202e",
    "> q\n" * 20,
    "\u05e9\u05dc\u05d5\u05dd " * 40,
    "1. x\n\n   ```\n   y\n",
    "\n\n*`#$a$ \\(b\\)",
)


class Storm:
    """Does one random thing at a time to a view."""

    def __init__(self, view: TranscriptView, rng: random.Random) -> None:
        self.view, self.rng = view, rng
        self.turn = self.answer = 0

    def point(self) -> QPoint:
        return QPoint(self.rng.randrange(-5, self.view.width()), self.rng.randrange(-5, self.view.height()))

    def ids(self) -> dict[str, Any]:
        return {"session": "s", "turn": f"t{self.turn}"}

    def key(self) -> str:
        return f"answer{self.answer}"

    def text(self) -> str:
        whole = self.rng.choice(TEXTS)
        start = self.rng.randrange(len(whole))
        return whole[start : start + self.rng.randrange(1, 900)]

    def begin(self) -> None:
        self.turn += 1
        self.answer += 1
        self.view.apply(MessageStored(session="s", message=message("user", self.text(), f"t{self.turn}")))
        self.view.apply(TurnStarted(**self.ids()))
        self.view.apply(RequestSent(round=1, message=self.key(), model="m", **self.ids()))

    def stream(self) -> None:
        self.view.apply(TextStreamed(message=self.key(), text=self.text(), **self.ids()))

    def think(self) -> None:
        self.view.apply(ReasoningStreamed(message=self.key(), text=self.text(), **self.ids()))

    def store(self) -> None:
        row = next((row for row in self.view.story.rows if row.key == self.key()), None)
        text = row.text if row is not None and self.rng.random() < 0.7 else self.text()
        calls = tuple(call(f"{self.key()}c{number}") for number in range(self.rng.randrange(3)))
        state = self.rng.choice(["complete", "streaming", "stopped", "failed"])
        stored = message("assistant", text, f"t{self.turn}", id=self.key(), calls=calls, state=state)
        self.view.apply(MessageStored(session="s", message=stored))

    def tool(self) -> None:
        of = call(f"{self.key()}c{self.rng.randrange(3)}")
        view, ids = self.view, self.ids()
        what = self.rng.randrange(7)
        if what == 0:
            view.apply(CallStreamed(message=self.key(), index=0, name="x", size=9, **ids))
        elif what == 1:
            view.apply(ToolStarted(message=self.key(), call=of, verb="Do", subject=self.text()[:40], **ids))
        elif what == 2:
            view.apply(ToolProgressed(call=of.id, text=self.text(), **ids))
        elif what == 3:
            view.apply(ApprovalAsked(session="s", approval=approval(f"q{of.id}", of.id)))
        elif what == 4:
            answer = Answer(decision="allow") if self.rng.random() < 0.5 else None
            view.apply(ApprovalAnswered(session="s", approval=f"q{of.id}", answer=answer))
        elif what == 5:
            problem = Problem(code="rate_limit")
            view.apply(RetryWaited(problem=problem, seconds=4.0, attempt=1, **ids))
        else:
            ok, undo = self.rng.random() < 0.5, self.rng.choice(["", "u"])
            ended: dict[str, Any] = {"tool": "x", "ok": ok, "summary": "s", "text": self.text(), "undo": undo}
            view.apply(ToolFinished(call=of.id, seconds=1.0, **ended, **ids))

    def end(self) -> None:
        stops: tuple[Stop, ...] = ("done", "stopped", "rounds", "failed")
        self.view.apply(TurnEnded(stop=self.rng.choice(stops), rounds=1, usage=Usage(input=9), **self.ids()))

    def scroll(self) -> None:
        bar = self.view.verticalScrollBar()
        bar.setValue(bar.value() + self.rng.choice([-3000, -400, -120, -7, 11, 150, 900, 100_000]))

    def resize(self) -> None:
        self.view.resize(self.rng.randrange(120, 1100), self.rng.randrange(80, 800))

    def restyle(self) -> None:
        self.view.set_theme(make_theme(self.rng.choice(["light", "dark"]), self.rng.randrange(10, 22)))
        self.view.setLayoutDirection(self.rng.choice(list(Qt.LayoutDirection)[:2]))

    def prepend(self) -> None:
        self.view.prepend([message("user", self.text(), "old"), message("assistant", self.text(), "old")])

    def point_at(self) -> None:
        click(self.view, self.point(), shift=self.rng.random() < 0.2)

    def select(self) -> None:
        drag(self.view, self.point(), self.point())
        self.view.selected_text(marks=self.rng.random() < 0.5).encode()

    def type(self) -> None:
        keys = [Qt.Key.Key_Tab, Qt.Key.Key_Backtab, Qt.Key.Key_Return, Qt.Key.Key_Up, Qt.Key.Key_PageUp]
        self.view.setFocus()
        QTest.keyClick(self.view, self.rng.choice([*keys, Qt.Key.Key_End, Qt.Key.Key_Home, Qt.Key.Key_Right]))

    def find(self) -> None:
        self.view.find(self.rng.choice(["a", "word", "x = 1", "", "zzz"]))
        self.view.find_next(backward=self.rng.random() < 0.5)

    def load(self) -> None:
        self.view.load(
            [message("assistant", self.text(), f"l{number}") for number in range(self.rng.randrange(9))]
        )


@pytest.mark.proof("transcript storms", small=250, full=30_000)
def test_storm(show: Show, count: int, seed: int) -> None:
    view = show([])
    view.sheet.highlighter.colours = lambda code, language: []  # type: ignore[method-assign]
    storm = Storm(view, random.Random(seed))
    storm.begin()
    often: list[Callable[[], None]] = (
        [storm.stream] * 6 + [storm.tool] * 4 + [storm.scroll] * 4 + [storm.store] * 2
    )
    seldom = [storm.begin, storm.think, storm.end, storm.resize, storm.restyle, storm.prepend, storm.find]
    person = [storm.point_at, storm.point_at, storm.select, storm.type, storm.type]
    for step in range(count):
        act = storm.rng.choice([*often, *seldom, *person]) if step % 200 else storm.load
        act()
        view.flush()
        if step % 5 == 0:
            assert differences(on_screen(view), picture(view)) == [], f"step {step}: {act.__name__}"

"""A view on an offscreen screen."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import pytest
from pytestqt.qtbot import QtBot

from app.records import Message
from ui.window.theme import Theme, make_theme
from ui.window.transcript.view import TranscriptView

Show = Callable[[Sequence[Message]], TranscriptView]


class Clock:
    """A clock that a test moves."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def theme(qtbot: QtBot) -> Theme:
    return make_theme("light")


@pytest.fixture
def view(qtbot: QtBot, theme: Theme, clock: Clock) -> Iterator[TranscriptView]:
    made = TranscriptView(theme, clock=clock)
    qtbot.addWidget(made)
    made.resize(700, 600)
    made.show()
    yield made
    made.sheet.highlighter.close()


@pytest.fixture
def show(view: TranscriptView, qtbot: QtBot) -> Show:
    """Load messages and wait until they are painted."""

    def load(messages: Sequence[Message]) -> TranscriptView:
        view.load(messages)
        qtbot.waitExposed(view)
        view.viewport().repaint()
        return view

    return load

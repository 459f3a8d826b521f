"""Fixtures of the window tests: a desk with a real display, and the whole window in this process."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.window.desk import Desk, open_desk
from tests.window.furnished import Furnished


@pytest.fixture(scope="session")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    """A display of its own with a window manager, shared by the tests of a run."""
    yield from open_desk(tmp_path_factory.mktemp("desk"))


@pytest.fixture
def furnished(qapp: QApplication, qtbot: QtBot, home: Path) -> Iterator[Furnished]:
    """The whole window with its engine in this process, without a display; opened by `open`."""
    made = Furnished(qapp, qtbot, os.environ)
    yield made
    made.close()
    QApplication.clipboard().clear()  # Qt's own end comes after that of what still lies there

"""Everything that can be done in the window, each with a name and keys: for the palette, the shortcuts
page and the keyboard."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QWidget

from ui.window.picker import Entry


class Act(NamedTuple):
    """One thing to do. `keys` in Qt's portable form, several parted by blanks; the first is shown."""

    name: str
    group: str
    words: str
    run: Callable[[], object]
    keys: str = ""
    icon: str = ""
    more_keys: tuple[str, ...] = ()


def add_to(window: QWidget, acts: Iterable[Act]) -> None:
    """Make the keys work anywhere in the window."""
    for act in acts:
        action = QAction(act.words, window)
        action.setObjectName(act.name)
        keys = [QKeySequence(key) for key in (act.keys, *act.more_keys) if key]
        action.setShortcuts(keys)
        action.setShortcutContext(Qt.ShortcutContext.WindowShortcut)
        action.triggered.connect(lambda checked=False, run=act.run: run())
        window.addAction(action)


def entries(acts: Iterable[Act]) -> list[Entry]:
    """Return them as the palette shows them."""
    return [Entry(act.name, act.words, "", act.keys, act.icon, words=act.group) for act in acts]

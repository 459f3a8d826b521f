"""What a person can see of a part of the window, and press.

A page that draws itself anew keeps its old parts, hidden, until the event loop frees them; a test that looks
at all children may press one of these, and lose the keyboard with it.
"""

from __future__ import annotations

from PySide6.QtWidgets import QAbstractButton, QLabel, QWidget


def buttons(part: QWidget) -> list[QAbstractButton]:
    """Return the buttons that are seen when the part is."""
    return [one for one in part.findChildren(QAbstractButton) if one.isVisibleTo(part)]


def button(part: QWidget, name: str) -> QAbstractButton:
    """Return the first button that is seen with this text, or this accessible name."""
    return next(one for one in buttons(part) if name in (one.text(), one.accessibleName()))


def press(part: QWidget, name: str) -> None:
    """Click that button."""
    button(part, name).click()


def words(part: QWidget) -> str:
    """Return the words of all labels that are seen."""
    return " ".join(one.text() for one in part.findChildren(QLabel) if one.isVisibleTo(part)).replace(
        "\u200b", ""
    )

"""A viewport that Python knows, for the views that paint themselves."""

from __future__ import annotations

from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QAbstractScrollArea, QWidget


def own_viewport(area: QAbstractScrollArea) -> QWidget:
    """Give a view a viewport of our making, and return it.

    Asked for one of Qt's own making, PySide looks for its class among all that there are, and so makes
    all of them: 60 enumerations, and more time than the start has for the rest of the transcript. The
    name and the ground are what Qt gives its own; its style sheets go by the name.
    """
    made = QWidget()
    made.setObjectName("qt_scrollarea_viewport")
    made.setBackgroundRole(QPalette.ColorRole.Base)
    made.setAutoFillBackground(True)
    area.setViewport(made)
    return made

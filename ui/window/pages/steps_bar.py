"""The three steps of the first start as one quiet line: which are done, which one is open."""

from __future__ import annotations

from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget

from ui.language import _
from ui.window.parts import label
from ui.window.theme import Theme


class StepsBar(QWidget):
    """Shows where the person is; nothing here can be clicked."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._names = (_("Who answers"), _("Folder"), _("Try it"))
        self._parts: list[QLabel] = [label(name, "caption") for name in self._names]
        self._row = QHBoxLayout(self)
        for part in self._parts:
            self._row.addWidget(part)
        self._row.addStretch(1)
        self.set_theme(theme)
        self.show_step(0)

    def show_step(self, at: int) -> None:
        """Mark step `at`, counted from 0, as the open one."""
        for number, (name, part) in enumerate(zip(self._names, self._parts, strict=True)):
            sign = "\u2713" if number < at else str(number + 1)
            part.setText(f"{sign}\u2002{name}")
            part.setProperty("tone", "step" if number == at else "caption")
            part.style().unpolish(part)
            part.style().polish(part)
        words = _("Step {n} of {all}: {name}").replace("{n}", str(at + 1))
        words = words.replace("{all}", str(len(self._names))).replace("{name}", self._names[at])
        self.setAccessibleName(words)

    def set_theme(self, theme: Theme) -> None:
        """Take the theme's room."""
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(theme.s20)
        self.setFixedHeight(theme.px(34))  # that of the buttons beside it, which come and go

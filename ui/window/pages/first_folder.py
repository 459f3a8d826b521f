"""The second step of the first start: the folder to work in, or none."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLabel

from ui.language import _
from ui.places import tilde
from ui.window.pages.page import Card
from ui.window.parts import box, button
from ui.window.theme import Theme


class FirstFolder(Card):
    """`taken` carries the folder, "" for none; `pick_asked` wants a dialog."""

    taken = Signal(str)
    pick_asked = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__(
            theme,
            "",
            _("Reading in this folder just happens. Every change is shown to you first, and asks."),
        )
        self._folder = ""
        self.pick = button(_("Choose…"), "", self.pick_asked.emit)
        self.pick.setAccessibleName(_("Choose a folder"))
        self.none = button(_("Go on without"), "", lambda: self.taken.emit(""))
        self.use = button(_("Work here"), "main", lambda: self.taken.emit(self._folder))
        self._here = self.add_row("", self.use)
        self._rule = box("rule")
        self.rows.addWidget(self._rule)
        self.add_row(
            _("A folder of yours"), self.pick, note=_("Such as the one with your papers or a project.")
        )
        self.add_rule()
        self.add_row(_("No folder"), self.none, note=_("Each conversation gets an empty folder of its own."))
        self.show_folder("")

    def show_folder(self, folder: str) -> None:
        """Offer the folder that is chosen already, if one is; what has the keyboard keeps it."""
        self._folder = folder
        name = self._here.findChild(QLabel)
        assert isinstance(name, QLabel)
        name.setText(tilde(folder))
        self.use.setAccessibleName(_("Work in {path}").replace("{path}", tilde(folder)))
        self._here.setVisible(bool(folder))
        self._rule.setVisible(bool(folder))

    def begin(self) -> None:
        """Put the keyboard where most go on."""
        (self.use if self._folder else self.pick).setFocus()

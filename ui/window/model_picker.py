"""The list of models, with how much the chosen one reasons below it."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from app.records import Effort
from ui.compaction_words import effort_text, effort_word
from ui.language import _
from ui.window.parts import Segments, label
from ui.window.picker import Picker
from ui.window.theme import Theme


class ModelPicker(Picker):
    """A picker whose foot chooses the effort, where the model takes one. Tab goes there."""

    effort_chosen = Signal(str)

    def __init__(self, parent: QWidget, theme: Theme) -> None:
        super().__init__(parent, theme, _("Choose a model"))
        self.efforts: Segments | None = None
        unit = label(_("US dollars for a million tokens, in / out"), "caption")
        unit.setAlignment(Qt.AlignmentFlag.AlignTrailing)
        unit.setContentsMargins(0, 0, theme.px(22), 0)
        self.column.insertWidget(1, unit)

    def show_efforts(self, taken: tuple[Effort, ...], effort: Effort) -> None:
        """Offer the efforts that the model takes, beside its own measure; none hides them."""
        if not taken or self.efforts is not None:
            return
        choices = [(one or "own", effort_word(one), effort_text(one)) for one in ("", *taken)]
        self.efforts = Segments(_("Reasoning"), choices)
        self.efforts.choose(effort or "own")
        self.efforts.chosen.connect(lambda one: self.effort_chosen.emit("" if one == "own" else one))
        foot = QHBoxLayout()
        foot.setContentsMargins(self._theme.s12, 0, self._theme.s4, 0)
        foot.addWidget(label(_("Reasoning"), "caption"))
        foot.addStretch(1)
        foot.addWidget(self.efforts)
        self.column.addLayout(foot)

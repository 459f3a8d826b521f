"""The model in the app: what it is and where it comes from, agreed to before it is fetched, with progress
and Stop."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFormLayout, QHBoxLayout, QProgressBar, QVBoxLayout, QWidget

from app.events import DownloadProgressed
from app.records import Problem, WeightsInfo
from ui.language import _
from ui.window.bridge import Bridge, Ticket
from ui.window.parts import button, label
from ui.window.theme import Theme
from ui.words import problem_text, size


class LocalModel(QWidget):
    """One set of weights. `ready` carries PROFILE/MODEL when it can be talked to."""

    ready = Signal(str)

    def __init__(self, weights: WeightsInfo, bridge: Bridge, theme: Theme) -> None:
        super().__init__()
        self._weights, self._bridge = weights, bridge
        self._ticket: Ticket | None = None
        self._bar = QProgressBar()
        self._bar.setTextVisible(False)
        self._bar.setAccessibleName(_("Progress"))
        self._step = label("", "caption")
        self._word = label("", "danger", wrap=True)
        self._get = button(_("Agree and fetch"), "", self._fetch)
        self._get.setAccessibleName(_("Agree and fetch {name}").replace("{name}", weights.title))
        self._use = button(_("Use this"), "main", lambda: self.ready.emit(f"local/{weights.name}"))
        self._use.setAccessibleName(_("Use {name}").replace("{name}", weights.title))
        self._stop = button(_("Stop"), "", self._halt)
        self._column = column = QVBoxLayout(self)
        head = QHBoxLayout()
        head.addWidget(label(weights.title, "strong"), 1)
        for part in (self._get, self._use, self._stop):
            head.addWidget(part)
        column.addLayout(head)
        column.addWidget(label(_(weights.note), "small", wrap=True))
        self._hash = label("", "muted", wrap=True)
        self._table = self._facts()
        column.addLayout(self._table)
        column.addWidget(self._bar)
        column.addWidget(self._step)
        column.addWidget(self._word)
        self.set_theme(theme)
        self._show_state(fetching=False, installed=weights.installed)

    def set_theme(self, theme: Theme) -> None:
        """Take the theme's room."""
        self._column.setContentsMargins(0, theme.s8, 0, theme.s8)
        self._column.setSpacing(theme.s8)
        self._table.setHorizontalSpacing(theme.s16)
        self._table.setVerticalSpacing(theme.s4)
        self._hash.setFont(theme.font(11, mono=True))

    def apply(self, event: DownloadProgressed) -> None:
        """Show how far the fetching is."""
        if event.name != self._weights.name or self._ticket is None:
            return
        self._bar.setRange(0, 1000 if event.total else 0)
        if event.total:
            self._bar.setValue(round(1000 * event.done / event.total))
        steps = {"fetch": _("Fetching"), "join": _("Putting it together"), "check": _("Checking the SHA-256")}
        words = steps.get(event.step, _("Nearly done"))
        if event.total and event.step == "fetch":
            part = (
                _("{done} of {total}")
                .replace("{done}", size(event.done))
                .replace("{total}", size(event.total))
            )
            words = f"{words}: {part}"
        self._step.setText(words)

    def _facts(self) -> QFormLayout:
        """Return what a person agrees to: size, licence, source, hash."""
        facts = QFormLayout()
        weights = self._weights
        for name, words in (
            (_("Size"), size(weights.size)),
            (_("Licence"), weights.license),
            (_("From"), weights.source),
            (_("SHA-256"), f"{weights.sha256[:32]}\u200b{weights.sha256[32:]}"),
        ):
            value = self._hash if name == _("SHA-256") else label("", "caption", wrap=True)
            value.setText(words)
            value.setTextInteractionFlags(
                value.textInteractionFlags() | value.textInteractionFlags().TextSelectableByMouse
            )
            facts.addRow(label(name, "caption"), value)
        return facts

    def _fetch(self) -> None:
        name = self._weights.name
        self._word.hide()
        self._step.setText(_("Starting"))
        self._bar.setRange(0, 0)
        self._show_state(fetching=True, installed=False)
        self._ticket = self._bridge.call(
            lambda engine: engine.models.install(name), lambda done: self._fetched(), self._refused
        )

    def _halt(self) -> None:
        if self._ticket is not None:
            self._ticket.cancel()
            self._ticket = None
        self._show_state(fetching=False, installed=False)
        self._word.setProperty("tone", "small")
        self._word.setText(_("Stopped. What was fetched is kept, and it goes on from there."))
        self._word.show()

    def _fetched(self) -> None:
        self._ticket = None
        self._show_state(fetching=False, installed=True)
        self.ready.emit(f"local/{self._weights.name}")

    def _refused(self, problem: Problem) -> None:
        if self._ticket is None:
            return
        self._ticket = None
        self._show_state(fetching=False, installed=False)
        words = problem_text(problem)
        self._word.setText(f"{words.title} {words.detail}")
        self._word.show()

    def _show_state(self, *, fetching: bool, installed: bool) -> None:
        self._get.setVisible(not fetching and not installed)
        self._use.setVisible(installed)
        self._stop.setVisible(fetching)
        self._bar.setVisible(fetching)
        self._step.setVisible(fetching)
        self._word.setVisible(False)

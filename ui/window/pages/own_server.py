"""Enter the address of a server: what it has is looked at first, then one of its models is taken."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from app.records import LocalServer, Problem
from ui.language import _, plural
from ui.model_words import wire_names
from ui.sign_in_words import key_in_file_text
from ui.window.bridge import Bridge, Ticket
from ui.window.pages.said import Said
from ui.window.parts import Choice, button, label
from ui.window.theme import Theme

if TYPE_CHECKING:
    from app.engine import Engine


class OwnServer(QWidget):
    """`ready` carries PROFILE/MODEL of a server that is kept."""

    ready = Signal(str)
    certificates_asked = Signal()
    """A file of certificates is to be chosen, which `take_certificates` gets."""

    def __init__(self, bridge: Bridge, theme: Theme) -> None:
        super().__init__()
        self._bridge = bridge
        self._ticket: Ticket | None = None
        self._found: LocalServer | None = None
        self.address = _field(_("Address of the server"), "https://models.example/v1")
        self.key = _field(_("Key, where it wants one"), _("Key, where it wants one"))
        self.key.setEchoMode(QLineEdit.EchoMode.Password)
        self.look = button(_("Look at it"), "main", self._look)
        self.cancel = button(_("Cancel"), "", self._halt)
        self.model = Choice(theme, _("Model"))
        self.model.setEditable(False)
        self.name = _field(_("Name of the model"), _("Name of the model"))
        self.wire = Choice(theme, _("How it is talked to"))
        self._how = QWidget()
        self._certificates = button(_("Choose its certificate…"), "", self.certificates_asked.emit)
        self.use = button(_("Use this"), "main", self._use)
        self.agree = button(_("Keep the key in a file"), "", lambda: self._keep(file_consent=True))
        self._word = Said()
        self._first, self._second = QHBoxLayout(), QHBoxLayout()
        self._first.addWidget(self.key, 1)
        self._first.addWidget(self.look)
        self._first.addWidget(self.cancel)
        for part in (self.model, self.name):
            self._second.addWidget(part, 1)
        self._second.addWidget(self.use)
        self._column = QVBoxLayout(self)
        self._column.addWidget(self.address)
        self._column.addLayout(self._first)
        self._column.addWidget(self._word)
        self._column.addWidget(self._make_how())
        self._column.addLayout(self._second)
        for made in (self.agree, self._certificates):
            self._column.addWidget(made, 0, Qt.AlignmentFlag.AlignLeading)
        for field in (self.address, self.key):
            field.textChanged.connect(lambda text: self._changed())
            field.returnPressed.connect(self._look)
        self.name.returnPressed.connect(self._use)
        self.name.textChanged.connect(lambda text: self._ready())
        self.set_theme(theme)
        self._word.hide()
        self._changed()

    def set_theme(self, theme: Theme) -> None:
        """Take the theme's room."""
        self._column.setContentsMargins(0, 0, 0, 0)
        for layout in (self._column, self._first, self._second, self._third):
            layout.setSpacing(theme.s8)
        for choice in (self.model, self.wire):
            choice.set_theme(theme)

    def _make_how(self) -> QWidget:
        """Make the line that says how it is talked to: found out, and to be chosen otherwise."""
        self._third = QHBoxLayout(self._how)
        self._third.setContentsMargins(0, 0, 0, 0)
        self._third.addWidget(label(_("How it is talked to"), "caption"))
        self._third.addWidget(self.wire)
        self._third.addStretch(1)
        return self._how

    def _show_wires(self, found: Sequence[str]) -> None:
        """Offer all ways to talk to it, the one that was found first; those that it did not know say so."""
        self.wire.clear()
        for name, title in wire_names().items():
            unknown = _("{name}, which it did not answer to").replace("{name}", title)
            self.wire.addItem(title if name in found or not found else unknown, name)
        self.wire.setCurrentIndex(max(0, self.wire.findData(found[0]) if found else 0))

    def _changed(self) -> None:
        """What was found belongs to another address now."""
        self._found = None
        self._show(looking=False)

    def _show(self, *, looking: bool) -> None:
        found = self._found
        self.look.setVisible(not looking and found is None)
        self.look.setEnabled(bool(self.address.text().strip()))
        self.cancel.setVisible(looking)
        self.model.setVisible(bool(found and found.models))
        self.name.setVisible(bool(found and not found.models))
        self.use.setVisible(found is not None)
        self._how.setVisible(found is not None)
        self.agree.hide()
        self._certificates.hide()
        self._ready()

    def _ready(self) -> None:
        found = self._found
        self.use.setEnabled(bool(found and (found.models or self.name.text().strip())))

    def _look(self) -> None:
        url, key = self.address.text().strip(), self.key.text().strip()
        if not url or self._ticket is not None:
            return
        self._found = None
        self._show(looking=True)
        self._word.say(_("Looking at what it has…"), "small")
        self.cancel.setFocus()
        self._ticket = self._bridge.call(
            lambda engine: engine.models.own_servers.look(url, key), self._show_found, self._refused
        )

    def _halt(self) -> None:
        if self._ticket is not None:
            self._ticket.cancel()
            self._ticket = None
        self._show(looking=False)
        self._word.say(_("Stopped. Nothing was kept."), "small")
        self.address.setFocus()

    def _show_found(self, found: LocalServer) -> None:
        if self._ticket is None:
            return
        self._ticket, self._found = None, found
        self.model.clear()
        self.model.addItems(list(found.models))
        self._show_wires(found.wires)
        self._show(looking=False)
        if found.models:
            words = plural(
                "It answers, and has {n} model.", "It answers, and has {n} models.", len(found.models)
            )
            self._word.say(words, "good")
            self.model.setFocus()
        else:
            self._word.say(
                _("It answers, and does not say what it has. Enter the name of a model."), "caution"
            )
            self.name.setFocus()

    def _use(self) -> None:
        if self.use.isVisible() and self.use.isEnabled():
            self._keep(file_consent=False)

    def _keep(self, *, file_consent: bool) -> None:
        found, key = self._found, self.key.text().strip()
        if found is None:
            return
        model = self.model.currentText() if found.models else self.name.text().strip()
        wire = self.wire.currentData()
        self.use.setEnabled(False)
        self._bridge.call(
            lambda engine: engine.models.own_servers.add(
                found, model, key, wire=wire, file_consent=file_consent
            ),
            self._kept,
            self._not_kept,
        )

    def _kept(self, name: str) -> None:
        self.key.clear()
        self._word.hide()
        self.ready.emit(name)

    def _not_kept(self, problem: Problem) -> None:
        """Keep what was typed. Without a keyring, say so and offer a file."""
        self._ready()
        if problem.code != "needs_consent":
            self._word.tell(problem)
            return
        self.agree.show()
        self._word.say(key_in_file_text(), "caution")

    def _refused(self, problem: Problem) -> None:
        if self._ticket is None:
            return
        self._ticket = None
        self._show(looking=False)
        if problem.code == "no_key":
            self._word.say(_("It answers, and wants a key. Enter the key, then look again."), "caution")
            self.key.setFocus()
            return
        self._word.tell(problem)
        if problem.code == "tls":
            self._certificates.show()
            self._certificates.setFocus()
        else:
            self.address.setFocus()

    def take_certificates(self, path: str) -> None:
        """Trust a file of certificates beside those of the system, once it is known to hold some, and look
        again.
        """

        async def trust(engine: Engine) -> None:
            await engine.models.check_network(ca_file=path)
            await engine.change_settings(ca_file=path)

        self._bridge.call(trust, lambda done: self._look(), self._not_trusted)

    def _not_trusted(self, problem: Problem) -> None:
        words = _("This file cannot be used ({why}).").replace("{why}", problem.fields.get("why", ""))
        self._word.say(words, "danger")
        self._certificates.show()
        self._certificates.setFocus()


def _field(name: str, hint: str) -> QLineEdit:
    made = QLineEdit()
    made.setAccessibleName(name)
    made.setPlaceholderText(hint)
    return made

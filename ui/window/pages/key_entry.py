"""Enter a key for a provider: which one, the key itself, what is sent where, and where the key is kept."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, QUrl, Signal
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from app.records import Problem, ProfileInfo
from ui.language import _
from ui.sign_in_words import key_in_file_text
from ui.window.bridge import Bridge
from ui.window.pages.said import Said
from ui.window.parts import Choice, button, label
from ui.window.theme import Theme


class KeyEntry(QWidget):
    """`kept` carries the profile whose key was stored."""

    kept = Signal(str)

    def __init__(self, bridge: Bridge, theme: Theme) -> None:
        super().__init__()
        self._bridge = bridge
        self._profiles: tuple[ProfileInfo, ...] = ()
        self.provider = Choice(theme, _("Provider"))
        self.provider.currentIndexChanged.connect(lambda at: self._show_provider())
        self.field = QLineEdit()
        self.field.setEchoMode(QLineEdit.EchoMode.Password)
        self.field.setAccessibleName(_("Key"))
        self.field.setPlaceholderText(_("Paste the key here"))
        self.field.textChanged.connect(lambda text: self._ready())
        self.field.returnPressed.connect(self._keep)
        self._save = button(_("Save the key"), "main", self._keep)
        self._agree = button(_("Keep it in a file"), "", self._keep_in_file)
        self._agree.hide()
        self._page = button(_("Get a key"), "link", self._open_page)
        self._page.hide()
        self._sends = label("", "caption", wrap=True)
        self._word = Said()
        self._row = row = QHBoxLayout()
        row.addWidget(self.provider)
        row.addWidget(self.field, 1)
        row.addWidget(self._save)
        self._column = column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addLayout(row)
        column.addWidget(self._page, 0, Qt.AlignmentFlag.AlignLeading)
        column.addWidget(self._sends)
        column.addWidget(self._word)
        column.addWidget(self._agree)
        self.set_theme(theme)
        self._ready()

    def set_theme(self, theme: Theme) -> None:
        """Take the theme's room."""
        self._page.setIcon(theme.icon("external-link", "accent"))
        self._page.setIconSize(QSize(theme.px(14), theme.px(14)))
        self._row.setSpacing(theme.s8)
        self._column.setSpacing(theme.s8)

    def show_profiles(self, profiles: Sequence[ProfileInfo]) -> None:
        """Offer the providers that need a key; the chosen one stays chosen."""
        chosen = self.provider.currentData()
        self._profiles = tuple(
            one for one in profiles if one.key != "not needed" and one.name != "env" and one.sign_in == "key"
        )
        self.provider.blockSignals(True)
        self.provider.clear()
        for profile in self._profiles:
            self.provider.addItem(profile.title, profile.name)
        at = self.provider.findData(chosen or "openai")
        self.provider.setCurrentIndex(max(0, at))
        self.provider.blockSignals(False)
        self._show_provider()

    def choose(self, profile: str) -> None:
        """Choose a provider, and put the caret into the field."""
        at = self.provider.findData(profile)
        if at >= 0:
            self.provider.setCurrentIndex(at)
        self.field.setFocus()

    def _profile(self) -> ProfileInfo | None:
        return next((one for one in self._profiles if one.name == self.provider.currentData()), None)

    def _show_provider(self) -> None:
        profile = self._profile()
        self._sends.setText(_(profile.sends) if profile else "")
        page = profile.keys_page if profile else ""
        words = _("Get a key at {host}").replace("{host}", QUrl(page).host())
        self._page.setText(words)
        self._page.setAccessibleName(words)
        self._page.setToolTip(page)
        self._page.setVisible(bool(page))
        self._ready()

    def _open_page(self) -> None:
        profile = self._profile()
        if profile is not None and profile.keys_page:
            QDesktopServices.openUrl(QUrl(profile.keys_page))

    def _ready(self) -> None:
        self._save.setEnabled(bool(self.field.text().strip()) and self._profile() is not None)

    def _keep(self) -> None:
        self._store(file_consent=False)

    def _keep_in_file(self) -> None:
        self._store(file_consent=True)

    def _store(self, *, file_consent: bool) -> None:
        profile, key = self._profile(), self.field.text().strip()
        if profile is None or not key:
            return
        self._save.setEnabled(False)
        self._bridge.call(
            lambda engine: engine.models.set_key(profile.name, key, file_consent=file_consent),
            lambda where: self._stored(profile.name, where),
            self._refused,
        )

    def _stored(self, profile: str, where: str) -> None:
        self.field.clear()
        self._agree.hide()
        words = {
            "keyring": _("Saved in the keyring of this computer."),
            "file": _("Saved in a file that only you can read."),
        }
        self._word.say(words.get(where, _("Saved.")), "good")
        self.kept.emit(profile)

    def _refused(self, problem: Problem) -> None:
        """Keep what was typed. Without a keyring, say so and offer a file."""
        self._ready()
        if problem.code == "needs_consent":
            self._agree.show()
            self._word.say(key_in_file_text(), "caution")
            return
        self._word.tell(problem)

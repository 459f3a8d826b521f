"""The accounts whose keys tools use without ever seeing them: sign in with a key, sign out."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QSize, Qt, QUrl, Signal
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from app.records import AccountInfo, Problem
from ui.language import _, later
from ui.sign_in_words import key_in_file_text
from ui.window.bridge import Bridge
from ui.window.pages.page import Card, clear
from ui.window.pages.said import Said
from ui.window.parts import button, label
from ui.window.theme import Theme

_PLACES = {
    "keyring": later("in the keyring"),
    "file": later("in a file"),
    "environment": later("from the environment"),
    "gh": later("from GitHub's own program gh"),
}
_FORGOTTEN = ("keyring", "file")
"""Where a key can be taken away from here; the others are not ours."""


class AccountsCard(Card):
    """One row an account; below it, where one signs in, the field for its key."""

    changed = Signal()
    """A key was kept or forgotten."""

    def __init__(self, bridge: Bridge, theme: Theme) -> None:
        super().__init__(
            theme,
            _("Accounts for tools"),
            _("Their keys go to these services alone. No model and no tool ever sees them."),
        )
        self._bridge, self._accounts = bridge, tuple[AccountInfo, ...]()
        self.entry = AccountKey(bridge, theme)
        self.entry.kept.connect(self._kept_one)
        self.entry.left.connect(self._draw)
        self.word = Said()
        self._kept = self.rows.count()
        self._open = ""

    def read(self) -> None:
        """Read which accounts there are and where their keys are."""

        async def find(engine: object) -> Sequence[AccountInfo]:
            accounts = engine.models.sign_in.accounts  # type: ignore[attr-defined]
            return [await accounts.info(name) for name in accounts.names]

        self._bridge.call(find, self._show)

    def sign_in(self, name: str) -> None:
        """Show the field for the key of an account and put the caret there."""
        self.word.hide()
        self._open = name
        self.entry.set_theme(self.theme)
        self._draw()
        self.entry.field.setFocus()

    def _show(self, accounts: Sequence[AccountInfo]) -> None:
        self._accounts = tuple(accounts)
        self._draw()

    def _draw(self) -> None:
        self.entry.setParent(None)
        self.word.setParent(None)
        clear(self.rows, self._kept)
        for at, account in enumerate(self._accounts):
            if at:
                self.add_rule()
            self.add_row(account.title, *self._controls(account), note=_(account.about))
            if account.name == self._open:
                self.entry.ask(account)
                self.rows.addWidget(self.entry)
                self.entry.show()
        self.rows.addWidget(self.word)

    def _controls(self, account: AccountInfo) -> list[QWidget]:
        words = _(_PLACES[account.key]) if account.key in _PLACES else _("not signed in")
        sign_in = button(
            _("Another key…") if account.key else _("Sign in…"), "", partial(self.sign_in, account.name)
        )
        sign_in.setAccessibleName(f"{account.title}: {sign_in.text()}")
        controls: list[QWidget] = [label(words, "caption"), sign_in]
        if account.key in _FORGOTTEN:
            leave = button(_("Sign out"), "quiet", partial(self._forget, account.name))
            leave.setAccessibleName(_("Sign out of {name}").replace("{name}", account.title))
            controls.append(leave)
        return controls

    def _kept_one(self, words: str) -> None:
        self._open = ""
        self.word.say(words, "good")
        self._changed()

    def _forget(self, name: str) -> None:
        words = _("Signed out. The key was deleted here; it is still valid at the provider.")
        self._bridge.call(
            lambda engine: engine.models.sign_in.accounts.forget(name),
            lambda done: self._forgotten(words),
            self._refused,
        )

    def _forgotten(self, words: str) -> None:
        self.word.say(words)
        self._changed()

    def _refused(self, problem: Problem) -> None:
        self.word.tell(problem)

    def _changed(self) -> None:
        self.read()
        self.changed.emit()


class AccountKey(QWidget):
    """The field for the key of one account: it is looked at before it is kept, and never shown."""

    kept = Signal(str)
    """Carries what is to be said of it."""
    left = Signal()

    def __init__(self, bridge: Bridge, theme: Theme) -> None:
        super().__init__()
        self._bridge = bridge
        self._account: AccountInfo | None = None
        self.field = QLineEdit()
        self.field.setEchoMode(QLineEdit.EchoMode.Password)
        self.field.setPlaceholderText(_("Paste the key here"))
        self.save = button(_("Sign in"), "main", lambda: self._keep(in_file=False))
        self.field.textChanged.connect(lambda text: self.save.setEnabled(bool(text.strip())))
        self.field.returnPressed.connect(lambda: self._keep(in_file=False))
        self.agree = button(_("Keep it in a file"), "", lambda: self._keep(in_file=True))
        self._page = button(_("Get a key"), "link", self._open_page)
        self.word = Said()
        self._row = row = QHBoxLayout()
        row.addWidget(self.field, 1)
        row.addWidget(self.save)
        self._column = column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addLayout(row)
        column.addWidget(self._page, 0, Qt.AlignmentFlag.AlignLeading)
        column.addWidget(self.word)
        column.addWidget(self.agree, 0, Qt.AlignmentFlag.AlignLeading)
        self.set_theme(theme)

    def set_theme(self, theme: Theme) -> None:
        """Take the theme's room."""
        self._page.setIcon(theme.icon("external-link", "accent"))
        self._page.setIconSize(QSize(theme.px(14), theme.px(14)))
        self._row.setSpacing(theme.s8)
        self._column.setSpacing(theme.s8)

    def ask(self, account: AccountInfo) -> None:
        """Ask for the key of this account; what is typed for the same one stays."""
        if self._account is None or self._account.name != account.name:
            self.field.clear()
            self.word.hide()
            self.agree.hide()
        self._account = account
        self.field.setAccessibleName(_("Key of {name}").replace("{name}", account.title))
        words = _("Get a key at {host}").replace("{host}", QUrl(account.page).host())
        self._page.setText(words)
        self._page.setToolTip(account.page)
        self._page.setVisible(bool(account.page))
        self.save.setEnabled(bool(self.field.text().strip()))

    def _open_page(self) -> None:
        if self._account is not None:
            QDesktopServices.openUrl(QUrl(self._account.page))

    def _keep(self, *, in_file: bool) -> None:
        account, key = self._account, self.field.text().strip()
        if account is None or not key or not self.save.isEnabled():
            return
        self.save.setEnabled(False)
        self.word.say(_("Looking at it"))

        async def work(engine: object) -> tuple[str, str]:
            accounts = engine.models.sign_in.accounts  # type: ignore[attr-defined]
            whose = await accounts.check(account.name, key)
            return whose, await accounts.set(account.name, key, file_consent=in_file)

        self._bridge.call(work, self._stored, self._refused)

    def _stored(self, found: tuple[str, str]) -> None:
        whose, place = found
        self.field.clear()
        self.word.hide()
        self.agree.hide()
        where = {
            "keyring": _("Saved in the keyring of this computer."),
            "file": _("Saved in a file that only you can read."),
        }.get(place, _("Saved."))
        hello = _("Signed in as {name}.").replace("{name}", whose) if whose else _("Signed in.")
        self.kept.emit(f"{hello} {where}")

    def _refused(self, problem: Problem) -> None:
        """Keep what was typed. Without a keyring, say so and offer a file."""
        self.save.setEnabled(True)
        if problem.code == "needs_consent":
            self.agree.show()
            self.word.say(key_in_file_text(), "caution")
        else:
            self.word.tell(problem)

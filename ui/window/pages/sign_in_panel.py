"""Sign in to GitHub Copilot: what it means, the ways there are, the code while it waits, and what is left of
the plan.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QSize, Qt, QUrl, Signal
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from app.records import Problem, Quota, SignedIn, SignInCode, SignInWay
from ui.language import _, plural
from ui.sign_in_words import client_id_words, quota_line, sign_in_in_file_text
from ui.window.bridge import Bridge, Then, Ticket, Work
from ui.window.pages.page import Row, clear
from ui.window.pages.said import Said
from ui.window.pages.sign_in_code import CodeView
from ui.window.parts import button, label
from ui.window.theme import Theme

if TYPE_CHECKING:
    from app.engine import Engine


class SignInPanel(QWidget):
    """`used` carries the profile that the person wants to talk to; `changed` says that a sign-in came or
    went.
    """

    used = Signal(str)
    changed = Signal()

    def __init__(self, bridge: Bridge, theme: Theme, profile: str = "copilot") -> None:
        super().__init__()
        self._bridge, self._theme, self._profile = bridge, theme, profile
        self._way: SignInWay | None = None
        self._ticket: Ticket | None = None
        self._waiting = ""
        self._sends = label("", "caption", wrap=True)
        self._terms = label("", "small", wrap=True)
        self.agree = button(_("I have read this, go on"), "main", self._agree)
        self._entry = self._make_entry()
        self._ways = QWidget()
        self._ways_column = QVBoxLayout(self._ways)
        self.code = CodeView(theme)
        self.code.cancelled.connect(self._stop)
        self._word = Said()
        self._work: Callable[[Any, bool], Coroutine[Any, Any, SignedIn]] | None = None
        self.keep = button(_("Keep it in a file"), "", lambda: self._take(True))
        self._column = QVBoxLayout(self)
        for part in (
            self._terms,
            self._sends,
            self.agree,
            self._ways,
            self._entry,
            self.code,
            self._word,
            self.keep,
        ):
            at_start = (
                Qt.AlignmentFlag.AlignLeading if part in (self.agree, self.keep) else Qt.AlignmentFlag(0)
            )
            self._column.addWidget(part, 0, at_start)
        for hidden in (self.agree, self._ways, self._entry, self.keep):
            hidden.hide()
        self.set_theme(theme)

    def set_theme(self, theme: Theme) -> None:
        """Take the theme's room."""
        self._theme = theme
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(theme.s8)
        self._ways_column.setContentsMargins(0, 0, 0, 0)
        self._ways_column.setSpacing(theme.s8)
        self._entry_row.setSpacing(theme.s8)
        if self._way is not None:
            self._show_way(self._way)

    def look(self) -> None:
        """Read again which ways there are."""
        self._bridge.call(
            lambda engine: engine.models.sign_in.way(self._profile), self._show_way, self._refused
        )

    # --- what is shown -------------------------------------------------------------------------------------

    def _show_way(self, way: SignInWay) -> None:
        self._way = way
        self._sends.setText(_(way.sends))
        self._terms.setText(_(way.terms))
        self._terms.setVisible(not way.agreed)
        self.agree.setVisible(not way.agreed)
        clear(self._ways_column)
        if not self.field.text():
            self.field.setText(way.client_id)
        signed_in = way.kept not in ("", "environment")
        if signed_in:
            self._show_signed_in(way)
        else:
            self._show_ways(way)
        self._ways.setVisible(way.agreed and not self._waiting)
        self._entry.setVisible(way.agreed and not self._waiting and not signed_in)
        self._ready()

    def _make_entry(self) -> QWidget:
        """Make the field for the client id, which keeps what is typed, and its button."""
        self.field = QLineEdit()
        self.field.setAccessibleName(_("Client ID of your OAuth App"))
        self.field.setPlaceholderText(_("Client ID of your OAuth App"))
        self.field.textChanged.connect(lambda text: self._ready())
        self.field.returnPressed.connect(self._begin)
        self.begin = button(_("Sign in at GitHub"), "main", self._begin)
        line = QWidget()
        self._entry_row = QHBoxLayout(line)
        self._entry_row.setContentsMargins(0, 0, 0, 0)
        self._entry_row.addWidget(self.field, 1)
        self._entry_row.addWidget(self.begin)
        self._ready()
        return line

    def _show_signed_in(self, way: SignInWay) -> None:
        places = {
            "keyring": _("Signed in. Kept in the keyring of this computer."),
            "file": _("Signed in. Kept in a file that only you can read."),
        }
        use = button(_("Use this"), "main", lambda: self.used.emit(self._profile))
        use.setAccessibleName(_("Use {name}").replace("{name}", way.title))
        left = button(_("What is left of the plan"), "quiet", self._ask_quota)
        out = button(_("Sign out"), "quiet", self._sign_out)
        self._ways_column.addWidget(
            Row(self._theme, places.get(way.kept, _("Signed in.")), [left, out, use], "")
        )

    def _show_ways(self, way: SignInWay) -> None:
        if way.variable:
            words = _("The variable {name} holds a token.").replace("{name}", way.variable)
            use = button(_("Use it"), "", self._take_environment)
            self._ways_column.addWidget(Row(self._theme, words, [use], ""))
        if way.gh:
            take = button(_("Use the sign-in of gh"), "", self._take_gh)
            self._ways_column.addWidget(Row(self._theme, _("GitHub's own program gh is here."), [take], ""))
        if not way.client_id:
            for sentence in client_id_words(way):
                self._ways_column.addWidget(label(sentence, "small", wrap=True))
            apps = button(_("Open the page of OAuth Apps"), "link", partial(self._open, way.apps_page))
            apps.setIcon(self._theme.icon("external-link", "accent"))
            apps.setIconSize(QSize(self._theme.px(14), self._theme.px(14)))
            self._ways_column.addWidget(apps, 0, Qt.AlignmentFlag.AlignLeading)

    def _ready(self) -> None:
        text = self.field.text().strip()
        self.begin.setEnabled(bool(text) and text.isascii() and text.isprintable() and " " not in text)

    def _open(self, page: str) -> None:
        QDesktopServices.openUrl(QUrl(page))

    # --- what is done --------------------------------------------------------------------------------------

    def _agree(self) -> None:
        self.agree.setEnabled(False)
        self._call(lambda engine: engine.models.sign_in.agree(self._profile), lambda done: self._agreed())

    def _agreed(self) -> None:
        self.agree.setEnabled(True)
        self.look()

    def _begin(self) -> None:
        client_id = self.field.text().strip()
        if not self.begin.isEnabled():
            return
        self.begin.setEnabled(False)

        async def begin(engine: Engine) -> SignInCode:
            if client_id != engine.settings.copilot_client_id:
                await engine.change_settings(copilot_client_id=client_id)
            return await engine.models.sign_in.begin(self._profile)

        self._call(begin, self._begun)

    def _begun(self, begun: SignInCode) -> None:
        self._waiting = begun.id
        self._ways.hide()
        self._entry.hide()
        self.code.show_code(begun)
        self._work = lambda engine, consent: engine.models.sign_in.finish(begun.id, file_consent=consent)
        self._take()

    def _take(self, file_consent: bool = False) -> None:
        """Do the work that brings a token, or do it again after the person agreed to a file."""
        work = self._work
        if work is None:
            return
        self.keep.hide()
        self._word.hide()
        self._ticket = self._bridge.call(lambda engine: work(engine, file_consent), self._done, self._ended)

    def _stop(self) -> None:
        """End the wait; the code is worth nothing then."""
        if self._ticket is not None:
            self._ticket.cancel()
        self._end()
        self._word.say(_("Stopped. Nothing was kept."), "small")

    def _take_gh(self) -> None:
        self._work = lambda engine, consent: engine.models.sign_in.take_gh(
            self._profile, file_consent=consent
        )
        self._take()

    def _take_environment(self) -> None:
        """Look whether the environment's token opens anything, and talk with it if so."""
        self._call(
            lambda engine: engine.models.sign_in.take_environment(self._profile),
            lambda done: self.used.emit(self._profile),
        )

    def _sign_out(self) -> None:
        self._call(lambda engine: engine.models.forget_key(self._profile), lambda done: self._signed_out())

    def _signed_out(self) -> None:
        self._word.say(
            _("Signed out. The sign-in was deleted here; GitHub's page of apps takes it back."), "small"
        )
        self.changed.emit()
        self.look()

    def _ask_quota(self) -> None:
        self._call(lambda engine: engine.models.sign_in.quota(self._profile), self._show_quota)

    def _show_quota(self, quota: Quota) -> None:
        lines = [_("Plan: {plan}").replace("{plan}", quota.plan or _("not said"))]
        lines += [quota_line(row) for row in quota.rows]
        if quota.resets:
            lines.append(_("It begins anew on {date}.").replace("{date}", quota.resets))
        self._word.say("\n".join(lines), "small")

    def _call(self, work: Work, then: Then) -> None:
        self._word.hide()
        self._bridge.call(work, then, self._refused)

    def _done(self, done: SignedIn) -> None:
        self._end()
        words = plural("It opens {n} model.", "It opens {n} models.", done.models)
        self._word.say(words if done.models else _("Signed in."), "good")
        self.changed.emit()

    def _ended(self, problem: Problem) -> None:
        """Tell why a sign-in came to nothing; without a keyring, offer a file and lose nothing."""
        if problem.code == "needs_consent":
            self.code.clear()
            self.keep.show()
            self._word.say(sign_in_in_file_text(), "caution")
            return
        self._end()
        self._refused(problem)

    def _end(self) -> None:
        self._ticket, self._work, self._waiting = None, None, ""
        self.code.clear()
        self.keep.hide()
        self.look()

    def _refused(self, problem: Problem) -> None:
        self.agree.setEnabled(True)
        self._ready()
        self._word.tell(problem)

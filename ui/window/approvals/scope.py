"""How long an answer holds: once, or as a rule that is shown word for word before it is saved."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QSize, Qt, Signal
from PySide6.QtGui import QActionGroup, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QMenu, QPushButton, QVBoxLayout, QWidget

from app.records import Approval, Scope
from ui.places import tilde
from ui.trust import covers
from ui.window.approvals.facts import wrapping
from ui.window.parts import Choice, box, label
from ui.window.theme import Theme
from ui.window.transcript.legible import legible
from ui.words import _, plural

SCOPES: tuple[Scope, ...] = ("once", "session", "project", "always")


def scope_word(scope: Scope) -> str:
    """Return the words of a scope as a button has them."""
    return {
        "once": _("Only this time"),
        "session": _("For this conversation"),
        "project": _("In this folder"),
        "always": _("Always"),
    }[scope]


class ScopeButton(QPushButton):
    """Opens the list of scopes; disabled where no answer can be kept."""

    chosen = Signal(str)

    def __init__(self, theme: Theme, folder: str) -> None:
        super().__init__()
        self.scope: Scope = "once"
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAutoDefault(False)
        self.setProperty("side", "menu")
        self._folder = folder
        self._menu: QMenu | None = None
        self.clicked.connect(self.open)
        self._show()
        self.set_theme(theme)

    def open(self) -> None:
        """Open the list over the button."""
        if self._menu is None:
            self._menu = self._made()
        size = self._menu.sizeHint()
        corner = self.mapToGlobal(QPoint(self.width() - size.width(), -size.height() - self._theme.s4))
        if self.isRightToLeft():
            corner = self.mapToGlobal(QPoint(0, -size.height() - self._theme.s4))
        self._menu.popup(corner)

    def _made(self) -> QMenu:
        menu = QMenu(self)
        group = QActionGroup(menu)
        for scope in SCOPES:
            words = scope_word(scope)
            if scope == "project" and self._folder:
                words = _("In this folder ({folder})").replace("{folder}", legible(tilde(self._folder)))
            action = menu.addAction(words.replace("&", "&&"))
            action.setCheckable(True)
            action.setChecked(scope == self.scope)
            action.triggered.connect(lambda checked=False, scope=scope: self._take(scope))
            group.addAction(action)
        return menu

    def keyPressEvent(self, event: object) -> None:
        key = event.key()  # type: ignore[attr-defined]
        if key in (Qt.Key.Key_Down, Qt.Key.Key_Up):
            self.open()
        else:
            super().keyPressEvent(event)  # type: ignore[arg-type]

    def _take(self, scope: Scope) -> None:
        self.scope = scope
        self._show()
        self.chosen.emit(scope)

    def _show(self) -> None:
        self.setText(scope_word(self.scope))
        self.setAccessibleName(_("How long: {words}").replace("{words}", scope_word(self.scope)))
        self.updateGeometry()

    def set_theme(self, theme: Theme) -> None:
        """Draw with another theme."""
        self._theme = theme
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        return super().sizeHint() + QSize(self._theme.px(20), 0)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        theme, side = self._theme, self._theme.px(14)
        left = theme.px(12) if self.isRightToLeft() else self.width() - side - theme.px(12)
        role = "muted" if self.isEnabled() else "line"
        arrow = theme.pixmap("chevron-down", role, 14, self.devicePixelRatioF())
        QPainter(self).drawPixmap(left, (self.height() - side) // 2, arrow)


class RuleStrip(QWidget):
    """Shows what would be saved, word for word, and what it covers; several offers can be picked from."""

    changed = Signal()

    def __init__(self, theme: Theme, approval: Approval) -> None:
        super().__init__()
        self._offers = approval.offers
        self._theme = theme
        self._frame = box("saved")
        self._column = QVBoxLayout(self._frame)
        head = QHBoxLayout()
        self._says = label("", "caption", wrap=True)
        head.addWidget(self._says, 1)
        self._pick = Choice(theme, _("Which rule"))
        for at, offer in enumerate(self._offers):
            self._pick.addItem(_name(at, len(self._offers), offer), at)
        if len(self._offers) < 2:
            self._pick.hide()
        self._pick.currentIndexChanged.connect(lambda at: self._draw())
        head.addWidget(self._pick)
        self._column.addLayout(head)
        self._rules = QVBoxLayout()
        self._column.addLayout(self._rules)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(self._frame)
        self._scope: Scope = "once"
        self.set_theme(theme)
        self.show_scope("once")

    def rules(self) -> tuple[str, ...]:
        """Return the rules that would be saved, none for an answer that holds once."""
        return self._offers[self._pick.currentIndex()] if self._scope != "once" and self._offers else ()

    def show_scope(self, scope: Scope) -> None:
        """Show what would be saved for a scope; for "once" nothing."""
        self._scope = scope
        self.setVisible(scope != "once" and bool(self._offers))
        self._draw()

    def set_theme(self, theme: Theme) -> None:
        """Draw with another theme."""
        self._theme = theme
        self._column.setContentsMargins(theme.s12, theme.s8, theme.s12, theme.s8)
        self._column.setSpacing(theme.s4)
        self._rules.setSpacing(theme.px(2))
        self._pick.set_theme(theme)
        self._draw()

    def _draw(self) -> None:
        while self._rules.count():
            item = self._rules.takeAt(0)
            widget = item.widget() if item else None
            if widget is not None:
                widget.deleteLater()
        rules = self.rules()
        self._says.setText(_head(self._scope, len(rules)))
        for at, rule in enumerate(rules):
            row = wrapping(rule, "", mono=True)
            row.setContentsMargins(0, self._theme.s4 if at else 0, 0, 0)
            for part in (row, wrapping(_("Covers {what}.").replace("{what}", covers(rule)), "caption")):
                self._rules.addWidget(part)
                part.show()  # a part that is shown later is not in the height that the dialog asks for now
        self.setAccessibleName(self._says.text())
        self.setAccessibleDescription(" ".join(f"{rule}: {covers(rule)}." for rule in rules))
        self.changed.emit()


def _name(at: int, count: int, offer: tuple[str, ...]) -> str:
    """Return the words of an offer in the list: how wide it is, and the rule where it is a single one."""
    wide = _("Exactly this") if at == 0 else _("Wider") if at < count - 1 or count == 2 else _("Widest")
    return f"{wide}: {legible(offer[0])[:48]}" if len(offer) == 1 else f"{wide} ({len(offer)})"


def _head(scope: Scope, count: int) -> str:
    words = plural("Saves this rule for {place}:", "Saves these rules for {place}:", count)
    places = {"session": _("this conversation"), "project": _("this folder"), "always": _("every folder")}
    return words.replace("{place}", places[scope]) if scope in places else ""

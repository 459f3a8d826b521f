"""The card that adds a server: from the registry, by its command, or by its address."""

from __future__ import annotations

import re
import shlex
from typing import NamedTuple

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QPlainTextEdit, QVBoxLayout, QWidget

from ui.window.approvals.facts import wrapping
from ui.window.bridge import Bridge
from ui.window.pages.page import Card
from ui.window.pages.server_search import RegistrySearch
from ui.window.parts import Segments, button, label
from ui.window.theme import Theme
from ui.words import _

LONGEST = 4_000
EXAMPLE = "npx --yes @modelcontextprotocol/server-everything@2026.8.31"
"""A command that can be tried, in a pinned version."""


class NewServer(NamedTuple):
    """What a person typed: a command or an address, and what it is given."""

    id: str
    command: tuple[str, ...]
    url: str
    given: dict[str, str]
    """Variables of a command, headers of an address."""


class AddServer(Card):
    """Hidden until it is asked for. Esc puts it away."""

    wanted = Signal(object)
    """A NewServer."""
    install_wanted = Signal(object, object, object)
    """Offer, way and values."""

    def __init__(self, theme: Theme, bridge: Bridge) -> None:
        super().__init__(theme, _("Add a server"))
        self._ways = Segments(
            _("Where it comes from"),
            (
                ("registry", _("Registry"), _("Search the official list of servers")),
                ("command", _("Command"), _("A program on this computer")),
                ("address", _("Address"), _("A server on the web")),
            ),
        )
        self._ways.chosen.connect(self.show_way)
        top = QWidget()
        self._top = QHBoxLayout(top)
        self._top.setContentsMargins(0, 0, 0, 0)
        self._top.addWidget(self._ways)
        self._top.addStretch(1)
        self._top.addWidget(button(_("Leave it"), "", self.close_form))
        self.rows.addWidget(top)
        self.search = RegistrySearch(theme, bridge)
        self.search.wanted.connect(self.install_wanted)
        self.command = ByHand(theme, remote=False)
        self.address = ByHand(theme, remote=True)
        self._stack: dict[str, RegistrySearch | ByHand] = {
            "registry": self.search,
            "command": self.command,
            "address": self.address,
        }
        for part in self._stack.values():
            part.hide()
            self.rows.addWidget(part)
        for form in (self.command, self.address):
            form.wanted.connect(self.wanted)
        self.hide()
        self.set_theme(theme)

    def open_form(self, way: str = "registry") -> None:
        """Show the form."""
        self.show()
        self._ways.choose(way)
        self.show_way(way)

    def close_form(self) -> None:
        """Hide the form; what was typed is gone."""
        for form in (self.command, self.address):
            form.empty()
        self.search.empty()
        self.hide()

    def show_way(self, way: str) -> None:
        """Show the fields of one way to add a server."""
        for name, part in self._stack.items():
            part.setVisible(name == way)
        self._stack[way].start()

    def refuse(self, words: str) -> None:
        """Say why the server could not be added, where the person is."""
        for part in self._stack.values():
            if part.isVisible():
                part.refuse(words)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.close_form()
        else:
            super().keyPressEvent(event)

    def set_theme(self, theme: Theme) -> None:
        """Take the theme's room."""
        super().set_theme(theme)
        if hasattr(self, "_stack"):
            self._top.setSpacing(theme.s8)
            for part in self._stack.values():
                part.set_theme(theme)


class ByHand(QWidget):
    """The fields for a command, or for an address."""

    wanted = Signal(object)

    def __init__(self, theme: Theme, *, remote: bool) -> None:
        super().__init__()
        self._remote = remote
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self.target = self._field(
            _("Address") if remote else _("Command"),
            "https://mcp.example.com/mcp" if remote else EXAMPLE,
        )
        self.name = self._field(_("Name"), _("Short, such as files or calendar"))
        words = _("Headers, one to a line") if remote else _("Variables, one to a line")
        self._column.addWidget(wrapping(words, "body"))
        self.given = QPlainTextEdit()
        self.given.setProperty("box", "field")
        self.given.setProperty("mono", True)
        self.given.setAccessibleName(words)
        self.given.setPlaceholderText("Authorization: Bearer ..." if remote else "API_KEY=...")
        self.given.setTabChangesFocus(True)
        self.given.textChanged.connect(self._explain)
        self._column.addWidget(self.given)
        self._says = wrapping("", "small")
        self._column.addWidget(self._says)
        self._wrong = label("", "danger", wrap=True)
        self._column.addWidget(self._wrong)
        foot = QHBoxLayout()
        foot.addStretch(1)
        self._add = button(_("Add and connect") if remote else _("Add and start"), "main", self._press)
        foot.addWidget(self._add)
        self._column.addLayout(foot)
        self._explain()
        self.set_theme(theme)

    def _field(self, name: str, hint: str) -> QLineEdit:
        self._column.addWidget(wrapping(name, "body"))
        made = QLineEdit()
        made.setMaxLength(LONGEST)
        made.setAccessibleName(name)
        made.setPlaceholderText(hint)
        made.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        made.textChanged.connect(lambda text: self._explain())
        made.returnPressed.connect(self._press)
        self._column.addWidget(made)
        return made

    def start(self) -> None:
        """Give the keyboard to the first field."""
        self.target.setFocus()

    def empty(self) -> None:
        """Forget what was typed."""
        for field in (self.target, self.name):
            field.clear()
        self.given.clear()

    def refuse(self, words: str) -> None:
        """Say why it could not be added."""
        self._wrong.setText(words)
        self._wrong.setVisible(bool(words))

    def read(self) -> NewServer | None:
        """Return what was typed, None while it is no server yet."""
        text = self.target.text().strip()
        try:
            words = () if self._remote else tuple(shlex.split(text))
        except ValueError:
            return None
        given = _pairs(self.given.toPlainText(), ":" if self._remote else "=")
        if not text or given is None or (self._remote and "://" not in text):
            return None
        name = self.name.text().strip() or suggested(text if self._remote else " ".join(words))
        return NewServer(name, words, text if self._remote else "", given) if name else None

    def _explain(self) -> None:
        made, text = self.read(), self.target.text().strip()
        self.refuse("")
        if not text:
            words = (
                _("The values of headers are kept with your keys. Where it asks for it, you can sign in.")
                if self._remote
                else _("The program is started as it is written, without a shell, with your rights.")
            )
        elif made is None:
            words = _("This cannot be read yet.")
        elif self._remote:
            words = _("It is called {name}.").replace("{name}", made.id)
        else:
            shown = "  ".join(made.command)
            words = (
                _("It is called {name} and starts: {words}")
                .replace("{name}", made.id)
                .replace("{words}", shown)
            )
        self._says.setText(words)
        self._add.setEnabled(made is not None)
        usual = _("Short, such as files or calendar")
        self.name.setPlaceholderText(suggested(text) or usual if text else usual)

    def _press(self) -> None:
        made = self.read()
        if made is not None:
            self.wanted.emit(made)

    def set_theme(self, theme: Theme) -> None:
        """Take the theme's room."""
        self._column.setSpacing(theme.s8)
        self.given.setFixedHeight(theme.px(64))


def suggested(text: str) -> str:
    """Return a short name from a command or an address: that of the package, or of the host."""
    host = re.match(r"https?://(?:mcp\.|www\.|api\.)*([^/:.]+)", text)
    if host:
        return host[1].lower()
    words = [word for word in text.split() if not word.startswith("-")]
    likely = next((word for word in words if "mcp" in word.lower() or "server" in word.lower()), "")
    bare = re.sub(r"(==|(?<=.)@)[^/@=]*$", "", likely or (words[1] if len(words) > 1 else "".join(words[:1])))
    last = re.split(r"[/\\]", bare)[-1].lower()
    name = re.sub(r"[^a-z0-9]+", "-", re.sub(r"\.(py|js|mjs|ts|exe)$", "", last))
    return (
        re.sub(r"^(mcp-server-|server-|mcp-)|(-mcp-server|-server|-mcp)$", "", name).strip("-")[:32]
        or name[:32]
    )


def _pairs(text: str, between: str) -> dict[str, str] | None:
    """Return lines of NAME=value or Name: value, None for a line that is neither."""
    found = {}
    for line in text.split("\n"):
        if not line.strip():
            continue
        name, mark, value = line.partition(between)
        if not mark or not name.strip():
            return None
        found[name.strip()] = value.strip()
    return found


__all__ = ["EXAMPLE", "AddServer", "ByHand", "NewServer", "suggested"]

"""One MCP server on its page: its state, what waits for the person, and on demand all that is known of it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from app.records import HeldTool, ServerInfo, ServerTool
from ui.server_words import (
    changed_lines,
    held_text,
    package_text,
    state_look,
    state_text,
    target_text,
    tool_notes,
    tools_text,
    trouble_text,
)
from ui.window.approvals.facts import wrapping
from ui.window.approvals.plain import Exact
from ui.window.pages.long_list import LongList
from ui.window.parts import SWITCH_HEIGHT, SWITCH_WIDTH, Elided, IconButton, Switch, button, label
from ui.window.theme import Theme
from ui.window.transcript.legible import legible
from ui.words import _, plural


class ServerCard(QFrame):
    """Signals carry what the person wants of the server; who hears them acts and shows the server again."""

    wanted = Signal(str, object)
    """One of enable, disable, restart, remove, approve, agree, sign_in, leave (the sign-in), sign_out, and
    the ServerInfo.
    """
    opened = Signal(str, bool)

    def __init__(self, theme: Theme, info: ServerInfo, *, open: bool = False, signing: bool = False) -> None:
        """`signing` while the person signs in to it in their browser."""
        super().__init__()
        self.setProperty("box", "card")
        self.info, self._theme, self.signing = info, theme, signing
        self.setAccessibleName(f"{legible(info.id)}: {state_text(info)}")
        self._rows = QVBoxLayout(self)
        self._rows.addLayout(self._head())
        self._spaced: list[QVBoxLayout | QHBoxLayout] = []
        if info.state == "approval" and not info.fault:
            self._rows.addWidget(self._approval())
        if trouble_text(info):
            said = trouble_text(info).partition("\n")[0]  # the rest stands in the details
            self._rows.addWidget(wrapping(said, "danger" if info.fault else "small"))
        for row in self._asks():
            self._rows.addLayout(row)
        if info.held:
            self._rows.addWidget(self._held())
        self._details: QWidget | None = None
        self.set_theme(theme)
        if open:
            self.open_details(True)

    # --- its parts -----------------------------------------------------------------------------------------

    def _head(self) -> QHBoxLayout:
        info, name = self.info, legible(self.info.id)
        self._line = line = QHBoxLayout()
        self._fold = IconButton(
            self._theme, "chevron-right", _("Show more of {name}").replace("{name}", name), px=16
        )
        self._fold.clicked.connect(lambda: self.open_details(self._details is None))
        line.addWidget(self._fold)
        title = Elided("strong")
        title.setText(name)
        line.addWidget(title)
        self._icon = QLabel()
        line.addWidget(self._icon)
        tone = state_look(info)[1]
        line.addWidget(label(state_text(info), "small" if tone == "muted" else tone))
        about = Elided("caption")
        about.setText(legible(" · ".join(filter(None, (tools_text(info), package_text(info) or info.url)))))
        line.addWidget(about, 1)
        if info.state in ("ready", "connecting") and not info.fault:
            again = IconButton(
                self._theme, "refresh-cw", _("Start {name} again").replace("{name}", name), px=16
            )
            again.clicked.connect(lambda: self._want("restart"))
            line.addWidget(again)
        drop = IconButton(self._theme, "trash-2", _("Remove {name}").replace("{name}", name), px=16)
        drop.clicked.connect(lambda: self._want("remove"))
        line.addWidget(drop)
        if info.fault:
            room = QWidget()
            room.setFixedSize(self._theme.px(SWITCH_WIDTH), self._theme.px(SWITCH_HEIGHT))
            line.addWidget(room)
        else:
            self.switch = Switch(self._theme, _("{name} is on").replace("{name}", name))
            self.switch.setChecked(info.enabled)
            self.switch.clicked.connect(lambda on: self._want("enable" if on else "disable"))
            line.addWidget(self.switch)
        return line

    def _approval(self) -> QWidget:
        words = (
            _("Nothing was started yet. It would run just this, outside of the sandbox, with your rights:")
            if self.info.command
            else _("Nothing was sent yet. It would be reached at this address:")
        )
        return self._block(words, target_text(self.info), _("Command") if self.info.command else _("Address"))

    def _asks(self) -> Sequence[QHBoxLayout]:
        """Return a row with the one button that helps, where the server waits for the person."""
        asked = {
            "approval": (_("Approve and start"), "approve"),
            "sign_in": (_("Sign in"), "sign_in"),
            "failed": (_("Run again"), "restart"),
        }.get(self.info.state)
        if self.signing:
            asked = (_("Give up the sign-in"), "leave")
        if asked is None or self.info.fault:
            return ()
        row = QHBoxLayout()
        kind = "" if self.signing or self.info.state == "failed" else "main"
        made = button(asked[0], kind, lambda: self._want(asked[1]))
        made.setAccessibleName(f"{asked[0]}: {legible(self.info.id)}")
        row.addWidget(made)
        if self.signing:
            row.addWidget(label(_("Your browser shows where to sign in."), "caption"))
        row.addStretch(1)
        return (row,)

    def _held(self) -> QWidget:
        count = len(self.info.held)
        whole = QWidget()
        column = QVBoxLayout(whole)
        column.setContentsMargins(0, 0, 0, 0)
        words = plural(
            "{n} tool is no longer what you agreed to, so it cannot be called.",
            "{n} tools are no longer what you agreed to, so they cannot be called.",
            count,
        )
        column.addWidget(wrapping(words, "caution"))
        rows = LongList(self._theme)
        rows.fill([partial(HeldRow, self._theme, held) for held in self.info.held])
        column.addWidget(rows)
        row = QHBoxLayout()
        made = button(_("Agree to what they say now"), "main", lambda: self._want("agree"))
        made.setAccessibleName(f"{made.text()}: {legible(self.info.id)}")
        row.addWidget(made)
        row.addStretch(1)
        column.addLayout(row)
        return whole

    def _block(self, words: str, text: str, name: str) -> QWidget:
        whole = QWidget()
        column = QVBoxLayout(whole)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(wrapping(words, "small"))
        column.addWidget(Exact(name, text))
        return whole

    # --- details -------------------------------------------------------------------------------------------

    def open_details(self, open: bool) -> None:
        """Show or hide all that is known of the server."""
        if open == (self._details is not None):
            return
        if self._details is not None:
            self._details.hide()
            self._details.deleteLater()
            self._details = None
        else:
            self._details = self._made_details()
            self._rows.addWidget(self._details)
            self.set_theme(self._theme)
        self._fold.show_icon(self._theme, "chevron-down" if open else "chevron-right")
        name = legible(self.info.id)
        self._fold.rename(
            (_("Show less of {name}") if open else _("Show more of {name}")).replace("{name}", name)
        )
        self.opened.emit(self.info.id, open)

    def _made_details(self) -> QWidget:
        info = self.info
        whole = QWidget()
        column = QVBoxLayout(whole)
        column.setContentsMargins(0, 0, 0, 0)
        if info.state != "approval" and target_text(info):
            name = _("Command") if info.command else _("Address")
            column.addWidget(self._block(name, target_text(info), name))
        given = (*info.environment, *info.headers)
        facts = [
            (_("Calls itself"), info.title),
            (_("Is given"), ", ".join(given)),
            (_("Waits for an answer"), _("{n} s").replace("{n}", f"{info.seconds:g}")),
        ]
        for name, text in facts:
            if text:
                column.addWidget(wrapping(f"{name}: {text}", "caption"))
        if info.signed_in:
            row = QHBoxLayout()
            row.addWidget(button(_("Sign out"), "", lambda: self._want("sign_out")))
            row.addStretch(1)
            column.addLayout(row)
        if info.tools:
            tools = LongList(self._theme)
            tools.fill([partial(ToolRow, self._theme, tool) for tool in info.tools])
            column.addWidget(tools)
        if info.stderr.strip():
            column.addWidget(wrapping(_("The end of what its program said"), "caption"))
            column.addWidget(Exact(_("The end of what its program said"), _tail(info.stderr)))
        return whole

    def take_keyboard(self) -> None:
        """Give the keyboard to the first control of the card."""
        self._fold.setFocus()

    def _want(self, deed: str) -> None:
        self.wanted.emit(deed, self.info)

    def set_theme(self, theme: Theme) -> None:
        """Draw with another theme."""
        self._theme = theme
        icon, role = state_look(self.info)
        self._icon.setPixmap(theme.pixmap(icon, role, 14, self.devicePixelRatioF()))
        self._rows.setContentsMargins(theme.s16, theme.s8, theme.s16, theme.s8)
        self._rows.setSpacing(theme.s8)
        self._line.setSpacing(theme.s8)
        for part in self.findChildren(QWidget):
            inner = part.layout()
            if isinstance(inner, QVBoxLayout) and not isinstance(part, HeldRow | ToolRow | LongList):
                inner.setSpacing(theme.s8)
            if isinstance(part, IconButton | Exact | Switch | HeldRow | ToolRow | LongList):
                part.set_theme(theme)


class ToolRow(QWidget):
    """What a server says of one of its tools."""

    def __init__(self, theme: Theme, tool: ServerTool) -> None:
        super().__init__()
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.addWidget(wrapping(tool.title or tool.tool or tool.name, "body"))
        if tool.description:
            self._column.addWidget(wrapping(" ".join(tool.description.split())[:400], "caption"))
        for words in tool_notes(tool):
            self._column.addWidget(wrapping(words, "caution"))
        self.set_theme(theme)

    def set_theme(self, theme: Theme) -> None:
        """Take the theme's room."""
        self._column.setSpacing(theme.px(2))


class HeldRow(QWidget):
    """A tool that is held back, and on demand what changed in its definition."""

    def __init__(self, theme: Theme, held: HeldTool) -> None:
        super().__init__()
        self._theme, self._held = theme, held
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        line = QHBoxLayout()
        line.addWidget(wrapping(held_text(held), "body"), 1)
        self._look = button(_("What changed"), "quiet", self.turn)
        self._look.setAccessibleName(f"{_('What changed')}: {legible(held.tool)}")
        line.addWidget(self._look)
        self._column.addLayout(line)
        self._text: Exact | None = None
        self.set_theme(theme)

    def turn(self) -> None:
        """Show or hide the lines."""
        if self._text is None:
            self._text = Exact(_("What changed"), "\n".join(changed_lines(self._held)))
            self._text.set_theme(self._theme)
            self._column.addWidget(self._text)
            self._text.show()
        else:
            self._text.setVisible(not self._text.isVisible())
        self._look.setText(_("Hide it") if self._text.isVisibleTo(self) else _("What changed"))

    def set_theme(self, theme: Theme) -> None:
        """Draw with another theme."""
        self._theme = theme
        self._column.setSpacing(theme.s4)
        if self._text is not None:
            self._text.set_theme(theme)


def _tail(text: str) -> str:
    """Return the end of what a program wrote, without what would move a terminal."""
    lines = text.replace("\r\n", "\n").rstrip("\n").split("\n")[-40:]
    return "\n".join(line.split("\r")[-1][:500] for line in lines)


__all__ = ["HeldRow", "ServerCard", "ToolRow"]

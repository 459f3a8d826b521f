"""The card of the sandbox: what holds commands here, what it leaves open, and the two choices about it."""

from __future__ import annotations

from collections.abc import Callable

from app.records import SandboxInfo
from app.settings import Settings
from ui.window.approvals.facts import Facts
from ui.window.approvals.wording import sandbox_facts
from ui.window.bridge import Bridge
from ui.window.pages.page import Card, clear
from ui.window.parts import Switch
from ui.window.theme import Theme
from ui.words import _


class SandboxCard(Card):
    """Reads the state when it is shown and after a change."""

    def __init__(self, bridge: Bridge, theme: Theme, change: Callable[..., None]) -> None:
        """`change(**fields)` writes settings."""
        super().__init__(theme, _("Sandbox"), _("What holds the commands that run here."))
        self._bridge, self._showing = bridge, False
        self._on = Switch(theme, _("Hold commands in a sandbox"))
        self._on.toggled.connect(lambda on: self._set(change, sandbox="auto" if on else "off"))
        self.add_row(_("Hold commands in a sandbox"), self._on)
        self._free = Switch(theme, _("Commands that only read may run without asking"))
        self._free.toggled.connect(lambda on: self._set(change, free_reading=on))
        self.add_row(
            _("Commands that only read may run without asking"),
            self._free,
            note=_("Only in the sandbox, and not while a conversation holds text that nobody vouches for."),
        )
        self._kept = self.rows.count()

    def show_settings(self, settings: Settings) -> None:
        """Show what is set, and read again what holds."""
        self._showing = True
        self._on.setChecked(settings.sandbox == "auto")
        self._free.setChecked(settings.free_reading)
        self._showing = False
        self._bridge.call(lambda engine: engine.sandbox(), self.show_state)

    def show_state(self, found: SandboxInfo) -> None:
        """Show what holds commands now."""
        self._free.setEnabled(found.layer != "none")
        clear(self.rows, self._kept)
        self.add_rule()
        self.rows.addWidget(Facts(self.theme, sandbox_facts(found)))

    def _set(self, change: Callable[..., None], **fields: object) -> None:
        if not self._showing:
            change(**fields)

"""Setting up: the ways to get an answer, settings, keys, backups, and what goes into a report of a
problem."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtGui import QGuiApplication

from ui.language import _
from ui.places import tilde
from ui.window import dialogs
from ui.window.remedies import open_folder
from ui.window.rescue import rescue, show_restored

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from ui.window.deeds import Deeds
    from ui.window.furniture import Furniture
    from ui.window.life import Life


class SettingUp(QObject):
    """What a person does now and then, on pages that are made when they are first asked for."""

    def __init__(self, life: Life, rest: Furniture, deeds: Deeds) -> None:
        super().__init__()
        self._life, self._rest, self._deeds, self._window = life, rest, deeds, life.window
        self._window.add_page("settings", self._make_settings)
        self._window.add_page("keys", self._make_shortcuts)

    def show_first_run(self, way: str = "") -> None:
        """Show the ways to get an answer in place of the transcript, or the screen of one of them."""
        self._window.show_page("chat")
        self._rest.first.choose_model(way)

    def show_way_of(self, model: str) -> None:
        """Show the screen on which PROFILE/MODEL gets what it lacks, or all ways for ""."""
        self._window.show_page("chat")
        self._rest.first.choose_model(model=model)

    def show_sign_in(self) -> None:
        """Show the screen on which one signs in to what answers here, or agrees to what it means."""
        self.show_way_of(self._life.model())

    def show_key_field(self) -> None:
        """Show the settings with the caret in the field for a key."""
        self._window.show_page("settings")
        page = self._rest.settings_page
        if page is not None:
            page.show_key_field(self._life.profile())

    def _make_settings(self) -> QWidget:
        from ui.window.pages.settings import SettingsPage

        life = self._life
        page = SettingsPage(life.bridge, self._window.theme, life.home, life.change_settings)
        page.show_settings(life.settings, life.models.title(life.models.current or ""))
        page.model_asked.connect(lambda: self.show_first_run())
        page.local_asked.connect(lambda: self.show_first_run("app"))
        page.folder_asked.connect(self._pick_usual_folder)
        page.open_asked.connect(open_folder)
        page.backup_asked.connect(self.back_up)
        page.page_asked.connect(self._window.show_page)
        page.restore_asked.connect(self.restore)
        page.certificates_asked.connect(
            lambda: dialogs.pick_certificates(self._window, life.settings.ca_file, page.network.take_file)
        )
        page.calendars.folder_asked.connect(
            lambda: dialogs.pick_folder(self._window, "", page.calendars.take)
        )
        page.calendars.file_asked.connect(
            lambda: dialogs.pick_file(
                self._window, _("Choose a calendar"), "", _("Calendars (*.ics *.ical)"), page.calendars.take
            )
        )
        self._rest.settings_page = page
        return page

    def _make_shortcuts(self) -> QWidget:
        from ui.window.pages.shortcuts import ShortcutsPage

        return ShortcutsPage(self._window.theme, self._deeds.acts)

    def _pick_usual_folder(self) -> None:
        life = self._life
        dialogs.pick_folder(
            self._window, life.settings.folder, lambda path: life.change_settings(folder=path)
        )

    # --- the store ------------------------------------------------------------

    def back_up(self) -> None:
        """Copy all conversations into one file."""
        life = self._life

        def write(path: str) -> None:
            life.bridge.call(
                lambda engine: engine.copies.make(path),
                lambda made: self._rest.toast.say(
                    _("Backed up to {path}.").replace("{path}", tilde(str(made)))
                ),
                life.show_problem,
            )

        dialogs.pick_new_file(
            self._window,
            _("Back up"),
            f"bramble-{time.strftime('%Y-%m-%d-%H%M')}.db",
            _("Backup (*.db)"),
            write,
        )

    def restore(self) -> None:
        """Put a backup in the place of all conversations, after asking."""
        backups = str(self._life.home.backups)
        dialogs.pick_file(self._window, _("Restore a backup"), backups, _("Backup (*.db)"), self._ask_restore)

    def _ask_restore(self, path: str) -> None:
        words = _(
            "All conversations become those of {name}. What is here now is kept as a backup of its own."
        ).replace("{name}", tilde(path))
        dialogs.ask(self._window, _("Restore a backup"), words, _("Restore"), lambda: self._restore(path))

    def _restore(self, path: str) -> None:
        life = self._life
        life.bridge.call(
            lambda engine: engine.copies.restore(path), lambda done: self._restored(), life.show_problem
        )

    def rescue(self) -> None:
        """Put the newest backup, or what can still be read, in the place of a damaged store."""
        rescue(self._life, self._rest)

    def _restored(self) -> None:
        show_restored(self._life, self._rest)
        self._rest.toast.say(_("The backup is in place."))

    def copy_report(self) -> None:
        """Put what went wrong last on the clipboard, to be pasted into a report. Nothing is sent."""
        import platform
        import sys

        from PySide6 import __version__ as qt

        problem = self._rest.notice.problem
        if problem is not None:
            parts = [
                f"Bramble, Python {sys.version.split()[0]}, PySide6 {qt}, {platform.platform()}",
                problem.code,
            ]
            parts += [f"{key}: {value}" for key, value in problem.fields.items()]
            QGuiApplication.clipboard().setText("\n".join([*parts, problem.detail]))
            self._rest.toast.say(_("What happened is on the clipboard, to be pasted into a report."))

"""What a person can do with keys, the palette and buttons: one method for each deed."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPoint, Qt
from PySide6.QtGui import QGuiApplication

from app.records import Mode, SessionInfo
from ui import slash
from ui.language import _
from ui.window import dialogs
from ui.window.actions import add_to, entries
from ui.window.acts import all_acts
from ui.window.picker import Entry, Picker
from ui.window.remedies import Remedies, open_folder, open_link
from ui.window.slash_commands import run_slash
from ui.window.title_bar import tilde

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from ui.window.life import Life
    from ui.window.pages.first_run import FirstRunPage


class Deeds(QObject):
    """Carries out what is asked for; holds no state but the list of what can be done."""

    def __init__(self, life: Life) -> None:
        super().__init__()
        self._life, self._window = life, life.window
        self.acts = all_acts(life, self)
        self.remedies = Remedies(self._list_remedies())
        add_to(self._window, self.acts)
        self._connect()

    def _connect(self) -> None:
        life, page = self._life, self._window.chat
        life.list.new_asked.connect(self.new)
        life.list.exported.connect(self.export)
        page.composer.sent.connect(self.send)
        page.composer.steered.connect(life.outbox.steer)
        page.composer.stopped.connect(life.conversation.stop)
        page.composer.mode_chosen.connect(life.conversation.set_mode)
        page.composer.model_asked.connect(life.models.pick)
        page.title_bar.folder_asked.connect(self.pick_folder)
        page.title_bar.context_asked.connect(self.show_context)
        life.models.picked.connect(self.use_model)
        life.models.set_up_asked.connect(self.show_first_run)
        transcript = life.transcript
        transcript.review_requested.connect(life.questions.review)
        transcript.deny_requested.connect(life.questions.deny)
        transcript.undo_requested.connect(life.work.undo)
        transcript.link_activated.connect(self.open_link)
        transcript.remedy_requested.connect(self.remedy)
        transcript.edit_requested.connect(self.edit)
        life.work.undone.connect(self._undone)
        self._window.add_page("settings", self._make_settings)
        self._window.add_page("keys", self._make_shortcuts)

    # --- the conversation ------------------------------------------------------------

    def send(self, text: str) -> None:
        """Send a text, or run it when it is a slash command."""
        command = slash.split(text)
        if command is not None and run_slash(self._life, self, *command):
            return
        self._life.outbox.send(text)

    def new(self) -> None:
        """Show a new conversation in the same folder."""
        life = self._life
        self._window.show_page("chat")
        shown = life.conversation.info
        if shown is not None:
            life.remembered.folder = "" if shown.cwd.startswith(str(life.home.scratch)) else shown.cwd
        life.conversation.show_new()
        self.write()

    def open(self, info: SessionInfo, message: str) -> None:
        """Show a conversation, and in it the message that was found."""
        self._window.show_page("chat")
        self._life.conversation.open(info)
        self.write()
        if message:
            self._life.conversation.read_older()
            self._life.find_bar.open(self._life.list.search.text())

    def step(self, by: int) -> None:
        """Show the conversation above or below in the list."""
        info = self._life.list.info(self._life.list.neighbour(by))
        if info is not None:
            self.open(info, "")

    def set_mode(self, mode: Mode) -> None:
        """Choose the mode."""
        self._life.conversation.set_mode(mode)

    def use_model(self, name: str) -> None:
        """Answer with this model: here, and in new conversations when none was set or none is stored yet."""
        life = self._life
        life.conversation.set_model(name)
        if not life.models.current or not life.conversation.session:
            life.bridge.call(lambda engine: engine.models.use(name), life.take_settings, life.show_problem)
            life.models.read()
        if self._window.page() != "settings":
            self._window.show_page("chat")
            self.write()

    def again(self) -> None:
        """Send the last message once more."""
        text = self._window.chat.composer.editor.newest()
        if text:
            self._life.outbox.send(text)

    def edit(self, message: str) -> None:
        """Put the text of an earlier message into the field, to be sent anew."""
        self._window.chat.composer.editor.replace(self._life.conversation.texts.get(message, ""))
        self.write()

    def try_example(self, text: str) -> None:
        """Write an example into the field."""
        self._window.chat.composer.editor.replace(text)
        self.write()

    def write(self) -> None:
        """Put the caret into the field."""
        self._window.show_page("chat")
        self._window.chat.composer.editor.setFocus(Qt.FocusReason.OtherFocusReason)

    def pick_folder(self) -> None:
        """Let the person choose the folder of this conversation."""
        conversation = self._life.conversation
        dialogs.pick_folder(self._window, conversation.folder(), conversation.set_folder)

    def rename(self) -> None:
        """Rename the conversation in the list."""
        page = self._window.chat
        if page.list_side.isHidden():
            page.toggle(page.list_side)
        self._life.list.rename_shown()

    def pin(self) -> None:
        """Pin the conversation, or no longer."""
        info = self._life.conversation.info
        if info is not None:
            self._life.sessions.pin(info.id, not info.pinned)

    def delete(self) -> None:
        """Delete the conversation; the toast brings it back."""
        if self._life.conversation.session:
            self._life.sessions.delete(self._life.conversation.session)

    def export_shown(self) -> None:
        """Save the conversation as a file."""
        if self._life.conversation.session:
            self.export(self._life.conversation.session)

    def export(self, session: str) -> None:
        """Save a conversation as Markdown, HTML or JSON, by the ending of the name."""
        info = self._life.list.info(session)
        name = "".join(c if c.isalnum() or c in " -_" else "_" for c in (info.title if info else ""))[
            :60
        ].strip()

        def save(path: str) -> None:
            ending = path.rpartition(".")[2].lower()
            form = {"html": "html", "htm": "html", "json": "json"}.get(ending, "md")
            self._life.sessions.export(session, form, path)

        kinds = "Markdown (*.md);;HTML (*.html);;JSON (*.json)"
        dialogs.pick_new_file(
            self._window, _("Export this conversation"), f"{name or 'conversation'}.md", kinds, save
        )

    def undo_last(self) -> None:
        """Take the newest change of the conversation back."""
        change = self._life.panel.changes.newest()
        if change:
            self._life.work.undo(change)
        else:
            self._life.toast.say(_("Nothing was changed here yet."))

    def _undone(self, back: str) -> None:
        self._life.toast.say(_("Taken back"), lambda: self._life.work.undo(back) if back else None)

    # --- going places ------------------------------------------------------------

    def palette(self) -> None:
        """Open the list of everything that can be done and every conversation."""
        window, theme = self._window, self._window.theme
        picker = Picker(window, theme, _("Find what can be done, or a conversation"))
        places = [
            Entry(
                f"session:{info.id}", info.title or _("New conversation"), info.summary, icon="message-square"
            )
            for info in self._life.list.all()
        ]
        picker.show_entries([*entries(act for act in self.acts if act.name != "palette"), *places])
        picker.taken.connect(self._take)
        width = min(theme.px(560), window.width() - theme.s40)
        corner = window.mapToGlobal(QPoint((window.width() - width) // 2, theme.px(72)))
        picker.open_at(corner, width, min(theme.px(460), window.height() - theme.px(120)))

    def _take(self, value: str) -> None:
        if value.startswith("session:"):
            info = self._life.list.info(value.removeprefix("session:"))
            if info is not None:
                self.open(info, "")
            return
        next(act.run for act in self.acts if act.name == value)()

    def find(self) -> None:
        """Open the field that finds words in this conversation."""
        self._window.show_page("chat")
        self._life.conversation.read_older()
        self._life.find_bar.open()

    def search(self) -> None:
        """Put the caret into the search of conversations."""
        page = self._window.chat
        self._window.show_page("chat")
        if page.list_side.isHidden():
            page.toggle(page.list_side)
        self._life.list.search.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self._life.list.search.selectAll()

    def show_context(self) -> None:
        """Show what the next request holds."""
        page = self._window.chat
        if page.panel_side.isHidden():
            page.toggle(page.panel_side)
        self._life.panel.show_tab("context")

    def open_data(self) -> None:
        """Show the data folder in the file manager."""
        open_folder(str(self._life.home.data))

    def open_link(self, url: str) -> None:
        """Open a link of an answer."""
        open_link(
            url, self._life.toast, _("This kind of link is not opened: {url}").replace("{url}", url[:80])
        )

    # --- setting up ------------------------------------------------------------

    def first_run_page(self) -> FirstRunPage:
        """Return the page with the ways to get an answer, made at the first time."""
        life = self._life
        if life.first_run is None:
            from ui.window.pages.first_run import FirstRunPage

            life.first_run = FirstRunPage(life.bridge, self._window.theme)
            life.first_run.chosen.connect(self.use_model)
            life.first_run.look()
        return life.first_run

    def show_first_run(self) -> None:
        """Show the ways to get an answer in place of the transcript."""
        self._window.show_page("chat")
        page = self.first_run_page()
        page.look()
        self._window.chat.show_in_middle(page)

    def show_key_field(self) -> None:
        """Show the settings with the caret in the field for a key."""
        self._window.show_page("settings")
        page = self._life.settings_page
        if page is not None:
            page.show_key_field(self._life.profile())

    def _make_settings(self) -> QWidget:
        from ui.window.pages.settings import SettingsPage

        life = self._life
        page = SettingsPage(life.bridge, self._window.theme, life.home, life.change_settings)
        page.show_settings(life.settings, life.models.title(life.settings.model))
        page.model_asked.connect(self.show_first_run)
        page.local_asked.connect(self.show_first_run)
        page.folder_asked.connect(self._pick_usual_folder)
        page.open_asked.connect(open_folder)
        page.backup_asked.connect(self.back_up)
        page.restore_asked.connect(self.restore)
        life.settings_page = page
        return page

    def _make_shortcuts(self) -> QWidget:
        from ui.window.pages.shortcuts import ShortcutsPage

        return ShortcutsPage(self._window.theme, self.acts)

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
                lambda engine: engine.backup(path),
                lambda made: life.toast.say(_("Backed up to {path}").replace("{path}", tilde(str(made)))),
                life.show_problem,
            )

        dialogs.pick_new_file(self._window, _("Back up"), "bramble-backup.db", _("Backup (*.db)"), write)

    def restore(self) -> None:
        """Put a backup in the place of all conversations, after asking."""
        dialogs.pick_file(self._window, _("Restore a backup"), _("Backup (*.db)"), self._ask_restore)

    def _ask_restore(self, path: str) -> None:
        words = _(
            "All conversations become those of {name}. What is here now is kept as a backup of its own."
        ).replace("{name}", tilde(path))
        dialogs.ask(self._window, _("Restore a backup"), words, _("Restore"), lambda: self._restore(path))

    def _restore(self, path: str) -> None:
        life = self._life
        life.bridge.call(
            lambda engine: engine.restore(path), lambda done: self._restored(), life.show_problem
        )

    def _restored(self) -> None:
        life = self._life
        life.notice.hide()
        life.conversation.show_new()
        life.sessions.read()
        life.questions.read()
        life.toast.say(_("The backup is in place."))

    def remedy(self, action: str) -> None:
        """Do what the button of a problem promises."""
        self.remedies.act(action)

    def _list_remedies(self) -> dict[str, Callable[[], object]]:
        life = self._life
        return {
            "open_settings_key": self.show_key_field,
            "open_settings": lambda: self._window.show_page("settings"),
            "pick_model": self._pick_or_set_up,
            "pick_folder": self.pick_folder,
            "run_again": self.again,
            "restore_store": self.restore,
            "open_data_folder": self.open_data,
            "install_local": self.show_first_run,
            "new_session": self.new,
            "show_change": lambda: life.panel.show_tab("changes"),
            "report": self.copy_report,
        }

    def copy_report(self) -> None:
        """Put what went wrong last on the clipboard, to be pasted into a report. Nothing is sent."""
        import platform
        import sys

        from PySide6 import __version__ as qt

        problem = self._life.notice.problem
        if problem is not None:
            parts = [
                f"Bramble, Python {sys.version.split()[0]}, PySide6 {qt}, {platform.platform()}",
                problem.code,
            ]
            parts += [f"{key}: {value}" for key, value in problem.fields.items()]
            QGuiApplication.clipboard().setText("\n".join([*parts, problem.detail]))
            self._life.toast.say(_("What happened is on the clipboard, to be pasted into a report."))

    def _pick_or_set_up(self) -> None:
        if self._life.models.current:
            self._life.models.pick()
        else:
            self.show_first_run()

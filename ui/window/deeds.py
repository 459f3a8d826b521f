"""What a person can do with keys, the palette and buttons: one method for each deed."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPoint, Qt

from app.attachment_records import attachments_of, own_words
from app.records import Effort, Mode, SessionInfo
from ui import slash
from ui.language import _
from ui.window import dialogs
from ui.window.actions import add_to, entries
from ui.window.acts import all_acts
from ui.window.bringing import Bringing
from ui.window.local_files import local_path, openable
from ui.window.picker import Entry, Picker
from ui.window.remedies import Remedies, open_file, open_folder, open_link
from ui.window.setting_up import SettingUp
from ui.window.slash_commands import run_slash

if TYPE_CHECKING:
    from app.engine import Engine
    from ui.window.furniture import Furniture
    from ui.window.life import Life


class Deeds(QObject):
    """Carries out what is asked for; holds no state but the list of what can be done."""

    def __init__(self, life: Life, rest: Furniture) -> None:
        super().__init__()
        self._life, self._rest, self._window = life, rest, life.window
        self.setting_up = SettingUp(life, rest, self)
        self.files = Bringing(life, rest)
        self.acts = all_acts(life, rest, self)
        self.remedies = Remedies(self._list_remedies())
        add_to(self._window, self.acts)
        self._connect()

    def _connect(self) -> None:
        life, rest, page = self._life, self._rest, self._window.chat
        life.list.new_asked.connect(self.new)
        life.list.exported.connect(self.export)
        page.composer.sent.connect(self.send)
        page.composer.steered.connect(lambda text: rest.attaching.send(text, steer=True))
        page.composer.stopped.connect(life.conversation.stop)
        page.composer.mode_chosen.connect(life.conversation.set_mode)
        page.composer.model_asked.connect(life.models.pick)
        page.title_bar.folder_asked.connect(self.pick_folder)
        life.models.picked.connect(self.use_model)
        life.models.effort_picked.connect(self.use_effort)
        life.models.holds = self._holds
        life.conversation.changed.connect(life.models.show_effort)
        life.models.set_up_asked.connect(self.setting_up.show_way_of)
        transcript = life.transcript
        transcript.review_requested.connect(life.questions.review)
        transcript.deny_requested.connect(life.questions.deny)
        transcript.undo_requested.connect(rest.work.undo)
        transcript.link_activated.connect(self.open_link)
        transcript.remedy_requested.connect(self.remedy)
        transcript.edit_requested.connect(self.edit)
        transcript.attachment_requested.connect(self.files.show_attachment)
        transcript.pin_requested.connect(self.pin_message)
        rest.back.done.connect(self._undone)
        life.conversation.sought.connect(self._mark_found)

    # --- the conversation ------------------------------------------------------------

    def send(self, text: str) -> None:
        """Send a text, or run it when it is a slash command."""
        self._rest.first.let_go()
        command = slash.split(text)
        if command is None:
            self._rest.attaching.send(text.removeprefix("/") if text.startswith("//") else text)
        elif not run_slash(self._life, self._rest, self, *command):
            self._window.chat.composer.editor.replace(text)
            self._rest.toast.say(_("There is no command /{name}.").replace("{name}", command[0]))

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
        self._life.conversation.open(info, message)
        self.write()

    def _mark_found(self, message: str) -> None:
        """Mark the words of the search in the message that it led to."""
        text = self._life.list.search.text().strip()
        if text and self._life.transcript.says(message, text):
            self._rest.find_bar.open(text, message)

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
        self._rest.first.let_go()
        life.conversation.set_model(name)
        if not life.models.current or not life.conversation.session:
            life.bridge.call(lambda engine: engine.models.use(name), life.take_settings, life.show_problem)
            life.models.read()
        self._life.models.show_effort()
        if self._window.page() != "settings":
            self._window.show_page("chat")
            self.write()

    def use_effort(self, effort: Effort) -> None:
        """Let the model reason so much, from the next turn on."""
        self._life.conversation.set_effort(effort)
        self._life.models.show_effort()

    def _holds(self) -> tuple[str, Effort]:
        info = self._life.conversation.info
        return (info.model if info else self._life.outbox.model), self._life.conversation.effort()

    def again(self) -> None:
        """Send the last message once more."""
        if self._rest.helping.refuses():
            return
        texts = self._life.conversation.texts
        text = next(reversed(texts.values()), "") or self._window.chat.composer.editor.newest()
        if text:
            self._life.outbox.send(text)

    def answer_otherwise(self) -> None:
        """Let the fall-back model of the settings answer here, and send the last message once more."""
        if self._rest.helping.refuses():
            return
        session = self._life.conversation.session

        async def use(engine: Engine) -> bool:
            name = engine.settings.fallback_model
            if name:  # before the message is sent, or the model that asked to wait would get it
                await engine.sessions.configure(session, model=name)
            return bool(name)

        self._life.bridge.call(use, lambda chosen: self.again() if chosen else None, self._life.show_problem)

    def edit(self, message: str) -> None:
        """Put the text of an earlier message into the field, to be sent anew with what it brought."""
        if self._rest.helping.refuses():
            return
        text = self._life.conversation.texts.get(message, "")
        self._window.chat.composer.editor.replace(own_words(text))
        self._rest.attaching.replace([one.part for one in attachments_of(text)])
        self.write()

    def try_example(self, text: str) -> None:
        """Write an example into the field."""
        self._window.chat.composer.editor.replace(text)
        self.write()

    def write(self) -> None:
        """Put the caret into the field; where there is none, the keyboard reads the conversation."""
        self._window.show_page("chat")
        composer = self._window.chat.composer
        place = self._life.transcript if composer.isHidden() else composer.editor
        place.setFocus(Qt.FocusReason.OtherFocusReason)

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
        if info is not None and not self._rest.helping.refuses():
            self._life.sessions.pin(info.id, not info.pinned)

    def pin_message(self, message: str) -> None:
        """Pin what a message says, for the model."""
        if not self._rest.helping.refuses():
            self._rest.notes.pin(message=message)

    def compact(self) -> None:
        """Summarise the earlier messages of the conversation."""
        if not self._rest.helping.refuses():
            self._life.conversation.compact()

    def delete(self) -> None:
        """Delete the conversation; the toast brings it back."""
        if self._life.conversation.session and not self._rest.helping.refuses():
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

    def bring_in(self) -> None:
        """Bring conversations in from a file of ours, of ChatGPT or of Claude."""
        bring = self._life.sessions.bring
        dialogs.pick_file(self._window, _("Import conversations"), "", _("JSON (*.json)"), bring)

    def undo_last(self) -> None:
        """Take the newest change of the conversation back."""
        change = self._rest.panel.changes.newest()
        if change:
            self._rest.work.undo(change)
        else:
            self._rest.toast.say(_("Nothing was changed here yet."))

    def _undone(self, back: str, again: bool) -> None:
        words = _("It stands again.") if again else _("Taken back.")
        self._rest.toast.say(words, lambda: self._rest.back.undo(back))

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
        self._rest.find_bar.open()

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
        self._rest.inspecting.show()

    def show_tab(self, name: str) -> None:
        """Show the work panel with a tab (changes, jobs, context) in front."""
        page = self._window.chat
        self._window.show_page("chat")
        if page.panel_side.isHidden():
            page.toggle(page.panel_side)
        self._rest.panel.show_tab(name)

    def open_data(self) -> None:
        """Show the data folder in the file manager."""
        open_folder(str(self._life.home.data))

    def open_link(self, url: str) -> None:
        """Open a link of an answer: a page, or a file that lies where the conversation works."""
        refused = _("This kind of link is not opened: {url}").replace("{url}", url[:80])
        folder, spill = self._life.conversation.folder(), str(self._life.home.spill)
        path = local_path(url, folder)
        if not path:
            open_link(url, self._rest.toast, refused)
            return

        async def find(engine: object) -> str:
            return await asyncio.to_thread(openable, path, (folder, spill))

        self._life.bridge.call(find, lambda real: open_file(real) if real else self._rest.toast.say(refused))

    def remedy(self, action: str) -> None:
        """Do what the button of a problem promises."""
        self.remedies.act(action)

    def _list_remedies(self) -> dict[str, Callable[[], object]]:
        return {
            "open_settings_key": self.setting_up.show_key_field,
            "open_settings": lambda: self._window.show_page("settings"),
            "pick_model": self._pick_or_set_up,
            "pick_folder": self.pick_folder,
            "run_again": self.again,
            "use_fallback": self.answer_otherwise,
            "switch_model": self._life.conversation.switch_model,
            "restore_store": self.setting_up.rescue,
            "open_data_folder": self.open_data,
            "install_local": lambda: self.setting_up.show_first_run("app"),
            "sign_in": self.setting_up.show_sign_in,
            "new_session": self.new,
            "show_change": lambda: self.show_tab("changes"),
            "show_rules": lambda: self._window.show_page("permissions"),
            "show_servers": lambda: self._rest.toolbox.show("servers"),
            "show_skills": lambda: self._rest.toolbox.show("skills"),
            "show_tools": lambda: self._rest.toolbox.show("tools"),
            "show_own_tools": lambda: self._rest.toolbox.show("own"),
            "report": self.setting_up.copy_report,
        }

    def _pick_or_set_up(self) -> None:
        if self._life.models.current:
            self._life.models.pick()
        else:
            self.setting_up.show_first_run()

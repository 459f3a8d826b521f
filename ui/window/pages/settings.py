"""The settings page: what answers, keys, folder, look, limits, data, and what is sent where."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from app.records import ProfileInfo
from app.settings import Settings
from ui.language import _, languages
from ui.places import tilde
from ui.window.bridge import Bridge
from ui.window.look import LARGEST, SMALLEST
from ui.window.pages.accounts_card import AccountsCard
from ui.window.pages.calendars_card import CalendarsCard
from ui.window.pages.fall_back import FallBackRows
from ui.window.pages.key_entry import KeyEntry
from ui.window.pages.limits import NumberField, limit_rows
from ui.window.pages.network_card import NetworkCard
from ui.window.pages.page import Card, Page, clear, give_room
from ui.window.pages.reach_card import ReachCard
from ui.window.pages.sign_in_panel import SignInPanel
from ui.window.parts import Choice, Elided, IconButton, Segments, Switch, button, label
from ui.window.theme import Theme

if TYPE_CHECKING:
    from app.platform.paths import Home

_LANGUAGES = {"en": "English", "de": "Deutsch", "es": "Español", "fr": "Français", "hi": "हिन्दी"}
"""Names of languages in their own words."""


class SettingsPage(Page):
    """Every change is written at once; there is no button to save."""

    model_asked = Signal()
    local_asked = Signal()
    folder_asked = Signal()
    open_asked = Signal(str)
    """A folder is to be shown in the file manager."""
    backup_asked = Signal()
    page_asked = Signal(str)
    """A page that has more to choose (permissions, changed)."""
    restore_asked = Signal()
    certificates_asked = Signal()

    def __init__(self, bridge: Bridge, theme: Theme, home: Home, change: Callable[..., None]) -> None:
        """`change(**fields)` writes settings."""
        super().__init__(theme, _("Settings"), _("Changes hold at once."), width=680)
        self._bridge, self._home, self._change = bridge, home, change
        self._settings = Settings()
        self._showing = False
        self.entry = KeyEntry(bridge, theme)
        self.entry.kept.connect(lambda profile: self.read_profiles())
        for card in (
            self._answers(),
            self._keys(),
            self._copilot(),
            self._tools_accounts(),
            self._tools_reach(),
            self._calendars(),
            self._network(),
            self._work(),
            self._memory(),
            self._look(),
            self._limits(),
            self._data(),
            self._sent(),
        ):
            self.column.addWidget(card)
        self.column.addStretch(1)
        self.read_profiles()

    def show_settings(self, settings: Settings, model: str) -> None:
        """Show what is set; `model` is what answers now."""
        if settings.copilot_domain != self._settings.copilot_domain:
            self.sign_in.look()  # each domain has a sign-in of its own
        self._settings, self._showing = settings, True
        self._model.setText(model or _("none yet"))
        self._folder.setText(
            tilde(settings.folder) if settings.folder else _("an empty one for each conversation")
        )
        self._theme_choice.choose(settings.theme)
        self._size.set_value(settings.font_size)
        self._calm.setChecked(settings.reduced_motion)
        self._mode.choose(settings.mode)
        self._memory_on.setChecked(settings.memory)
        self.fall_back.show(settings)
        self.network.show_settings(settings)
        self.reach.show_settings(settings)
        self.calendars.show_settings(settings)
        self._enter.setChecked(settings.enter_sends)
        self._in_file.setChecked(settings.keys_in_file)
        self._in_file_row.setVisible(settings.keys_in_file)
        self._language.setCurrentIndex(max(0, self._language.findData(settings.language)))
        for name, field in self._limit_fields.items():
            field.set_value(getattr(settings.limits, name))
        self._showing = False

    def show_key_field(self, profile: str = "") -> None:
        """Bring the field for a key into sight and put the caret there."""
        self.area.ensureWidgetVisible(self._keys_card)
        self.entry.choose(profile)

    def read_profiles(self) -> None:
        """Read which providers there are and where their keys are."""
        self._bridge.call(lambda engine: engine.models.profiles(), self._show_profiles)
        self.sign_in.look()
        self.fall_back.read()
        self.accounts.read()

    # --- cards ---------------------------------------------------------------------------------------------

    def _answers(self) -> QWidget:
        card = Card(self.theme, _("What answers"))
        self._model = Elided("muted", at_end=True)
        give_room(self._model, self.theme, 240)
        card.add_row(
            _("Model of new conversations"), self._model, button(_("Choose…"), "", self.model_asked.emit)
        )
        self.fall_back = FallBackRows(self._bridge, card, self._set)
        card.add_row(_("A small model in the app"), button(_("Look at it"), "", self.local_asked.emit))
        self._mode = Segments(
            _("Mode of new conversations"),
            (("agent", _("Agent"), ""), ("plan", _("Plan"), ""), ("chat", _("Chat"), "")),
        )
        self._mode.chosen.connect(lambda mode: self._set(mode=mode))
        card.add_row(_("Mode of new conversations"), self._mode)
        return card

    def _keys(self) -> QWidget:
        self._keys_card = Card(
            self.theme,
            _("Keys"),
            _("Kept in the keyring of this computer, read once, and never written into logs or exports."),
        )
        self._in_file = Switch(self.theme, _("Keys may stand in a file"))
        self._in_file.toggled.connect(lambda on: self._set(keys_in_file=on))
        self._in_file_row = self._keys_card.add_row(
            _("Keys may stand in a file"),
            self._in_file,
            note=_("Only you can read it. You agreed to this where no keyring answered."),
        )
        self._keys_card.rows.addWidget(self.entry)
        self._keys_kept = self._keys_card.rows.count()
        return self._keys_card

    def _copilot(self) -> QWidget:
        card = Card(self.theme, _("GitHub Copilot"), _("With the plan of your GitHub account."))
        self.sign_in = SignInPanel(self._bridge, self.theme)
        self.sign_in.changed.connect(self.read_profiles)
        self.sign_in.used.connect(lambda profile: self.model_asked.emit())
        card.rows.addWidget(self.sign_in)
        return card

    def _tools_accounts(self) -> QWidget:
        self.accounts = AccountsCard(self._bridge, self.theme)
        self.accounts.changed.connect(lambda: self.reach.read())
        return self.accounts

    def _tools_reach(self) -> QWidget:
        self.reach = ReachCard(self._bridge, self.theme, self._set)
        return self.reach

    def _calendars(self) -> QWidget:
        self.calendars = CalendarsCard(self.theme, self._set)
        return self.calendars

    def _network(self) -> QWidget:
        self.network = NetworkCard(self._bridge, self.theme, self._set)
        self.network.file_asked.connect(self.certificates_asked)
        return self.network

    def _work(self) -> QWidget:
        card = Card(
            self.theme, _("Folder"), _("Bramble works in one folder at a time, and asks before it leaves it.")
        )
        self._folder = Elided("muted", at_end=True)
        give_room(self._folder, self.theme, 240)
        forget = button(_("None"), "quiet", lambda: self._set(folder=""))
        forget.setToolTip(_("Give each new conversation an empty folder"))
        card.add_row(
            _("Folder of new conversations"),
            self._folder,
            button(_("Choose…"), "", self.folder_asked.emit),
            forget,
        )
        rules = button(_("Look at them"), "", lambda: self.page_asked.emit("permissions"))
        card.add_row(_("Rules and the sandbox"), rules)
        changed = button(_("Look at it"), "", lambda: self.page_asked.emit("changed"))
        card.add_row(_("What was changed in files"), changed)
        return card

    def _memory(self) -> QWidget:
        card = Card(
            self.theme,
            _("Memory"),
            _("What you asked Bramble to remember is told to the model that you chose, where it fits."),
        )
        self._memory_on = Switch(self.theme, _("Use memory"))
        self._memory_on.toggled.connect(lambda on: self._set(memory=on))
        look = button(_("Look at it"), "", lambda: self.page_asked.emit("memory"))
        look.setAccessibleName(_("Look at what is remembered"))
        card.add_row(_("Use memory"), self._memory_on, look)
        return card

    def _look(self) -> QWidget:
        card = Card(self.theme, _("Look"))
        self._theme_choice = Segments(
            _("Colours"), (("system", _("System"), ""), ("light", _("Light"), ""), ("dark", _("Dark"), ""))
        )
        self._theme_choice.chosen.connect(lambda theme: self._set(theme=theme))
        card.add_row(_("Colours"), self._theme_choice)
        self._size = NumberField(SMALLEST, LARGEST, 1)
        give_room(self._size, self.theme, 60)
        smaller = IconButton(self.theme, "minus", _("Smaller text"), keys="Ctrl+-")
        larger = IconButton(self.theme, "plus", _("Larger text"), keys="Ctrl++")
        smaller.clicked.connect(lambda: self._size.step(-1))
        larger.clicked.connect(lambda: self._size.step(1))
        self._size.changed.connect(lambda size: self._set(font_size=int(size)))
        card.add_row(_("Size of the text"), smaller, self._size, larger)
        self._calm = Switch(self.theme, _("Without motion"))
        self._calm.toggled.connect(lambda on: self._set(reduced_motion=on))
        card.add_row(_("Without motion"), self._calm)
        self._enter = Switch(self.theme, _("Enter sends a message"))
        self._enter.toggled.connect(lambda on: self._set(enter_sends=on))
        card.add_row(
            _("Enter sends a message"),
            self._enter,
            note=_("Otherwise it begins a new line, and Ctrl+Enter sends."),
        )
        self._language = Choice(self.theme, _("Language"))
        self._language.addItem(_("System"), "")
        for code in languages():
            self._language.addItem(_LANGUAGES.get(code, code), code)
        self._language.activated.connect(lambda at: self._set(language=self._language.itemData(at)))
        card.add_row(_("Language"), self._language, note=_("Holds from the next start on."))
        return card

    def _limits(self) -> QWidget:
        card = Card(
            self.theme,
            _("Limits"),
            _("A turn ends by itself when it reaches one of these. 0 means no limit."),
        )
        self._limit_fields = limit_rows(card, self._set_limit)
        return card

    def _data(self) -> QWidget:
        card = Card(
            self.theme, _("Your data"), _("Everything Bramble keeps is in these places, and nowhere else.")
        )
        for words, path in (
            (_("Conversations and changes"), self._home.data),
            (_("Settings"), self._home.settings.parent),
        ):
            where = Elided("muted", at_end=True)
            where.setText(tilde(str(path)))
            give_room(where, self.theme, 240)
            show = button(_("Open"), "", partial(self.open_asked.emit, str(path)))
            show.setAccessibleName(_("Open the folder: {name}").replace("{name}", words))
            card.add_row(words, where, show)
        card.add_row(
            _("Backup of all conversations"),
            button(_("Back up…"), "", self.backup_asked.emit),
            button(_("Restore…"), "", self.restore_asked.emit),
        )
        return card

    def _sent(self) -> QWidget:
        self._sent_card = Card(
            self.theme,
            _("What is sent where"),
            _("Only the model that you chose is talked to. Nothing is sent to the makers of Bramble."),
        )
        self._sent_kept = self._sent_card.rows.count()
        return self._sent_card

    # --- filling -------------------------------------------------------------------------------------------

    def _show_profiles(self, profiles: Sequence[ProfileInfo]) -> None:
        self.entry.show_profiles(profiles)
        clear(self._keys_card.rows, self._keys_kept)
        clear(self._sent_card.rows, self._sent_kept)
        where = {
            "keyring": _("in the keyring"),
            "file": _("in a file"),
            "environment": _("from the environment"),
        }
        for profile in profiles:
            if profile.key in where and profile.sign_in == "key":
                controls: list[QWidget] = [label(where[profile.key], "caption")]
                if profile.key != "environment":
                    forget = button(_("Forget"), "quiet", partial(self._forget, profile.name))
                    forget.setAccessibleName(_("Forget the key of {name}").replace("{name}", profile.title))
                    controls.append(forget)
                self._keys_card.add_row(profile.title, *controls)
            note = _(profile.sends)
            if profile.open_address:
                note += " " + _("Its address begins with http: what is sent can be read on its way.")
            if note:
                self._sent_card.add_row(profile.title, note=note)

    def _forget(self, profile: str) -> None:
        self._bridge.call(lambda engine: engine.models.forget_key(profile), lambda done: self.read_profiles())

    def _set(self, **fields: Any) -> None:
        if not self._showing:
            self._change(**fields)

    def _set_limit(self, name: str, value: float) -> None:
        import msgspec

        whole = isinstance(getattr(self._settings.limits, name), int)
        limits = msgspec.structs.replace(self._settings.limits, **{name: int(value) if whole else value})
        self._change(limits=limits)

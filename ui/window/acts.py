"""The list of everything that can be done, in the words and with the keys that people see."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ui.language import _
from ui.window.actions import Act

if TYPE_CHECKING:
    from ui.window.deeds import Deeds
    from ui.window.furniture import Furniture
    from ui.window.life import Life


def all_acts(life: Life, rest: Furniture, do: Deeds) -> tuple[Act, ...]:
    """Return the acts of the window, in the order of the palette."""
    return (*talk_acts(life, rest, do), *go_acts(life, do), *look_acts(life))


def talk_acts(life: Life, rest: Furniture, do: Deeds) -> tuple[Act, ...]:
    """Return what can be done in and with a conversation."""
    group = _("Conversation")
    return (
        Act("new", group, _("New conversation"), do.new, "Ctrl+N", "plus"),
        Act("stop", group, _("Stop the answer"), life.conversation.stop, "Ctrl+.", "stop"),
        Act(
            "review",
            group,
            _("Review what waits for you"),
            life.questions.review_next,
            "Ctrl+R",
            "shield-question-mark",
        ),
        Act("undo", group, _("Undo the last change"), do.undo_last, "Ctrl+Shift+U", "undo-2"),
        Act(
            "take_back",
            group,
            _("Take back what was just done"),
            rest.toast.undo,
            "Ctrl+Shift+Z",
            "rotate-ccw",
        ),
        Act("again", group, _("Run again"), do.again, "Ctrl+Shift+R", "refresh-cw"),
        Act("find", group, _("Find in this conversation"), do.find, "Ctrl+F", "search"),
        Act("folder", group, _("Choose the folder"), do.pick_folder, "Ctrl+O", "folder"),
        Act("model", group, _("Choose the model"), life.models.pick, "Ctrl+M", "cpu"),
        Act("agent", group, _("Mode: Agent"), lambda: do.set_mode("agent"), "Ctrl+Shift+1", "play"),
        Act("plan", group, _("Mode: Plan"), lambda: do.set_mode("plan"), "Ctrl+Shift+2", "list-checks"),
        Act("talk", group, _("Mode: Chat"), lambda: do.set_mode("chat"), "Ctrl+Shift+3", "message-square"),
        Act("rename", group, _("Rename this conversation"), do.rename, "F2", "pencil"),
        Act("pin", group, _("Pin or unpin this conversation"), do.pin, "Ctrl+Shift+P", "pin"),
        Act("export", group, _("Export this conversation"), do.export_shown, "Ctrl+Shift+E", "download"),
        Act("delete", group, _("Delete this conversation"), do.delete, "Ctrl+Shift+Backspace", "trash-2"),
    )


def go_acts(life: Life, do: Deeds) -> tuple[Act, ...]:
    """Return the places that can be gone to."""
    window = life.window
    group = _("Go to")
    return (
        Act("palette", group, _("Find what can be done"), do.palette, "Ctrl+K", "command"),
        Act("search", group, _("Search conversations"), do.search, "Ctrl+Shift+F", "search"),
        Act("write", group, _("The message field"), do.write, "Ctrl+L", "pencil"),
        Act("above", group, _("The conversation above"), lambda: do.step(-1), "Ctrl+PgUp", "chevron-up"),
        Act("below", group, _("The conversation below"), lambda: do.step(1), "Ctrl+PgDown", "chevron-down"),
        Act("chat", group, _("Chat"), lambda: window.show_page("chat"), "Ctrl+1", "message-square"),
        Act("settings", group, _("Settings"), lambda: window.show_page("settings"), "Ctrl+,", "settings"),
        Act("keys", group, _("Keys"), lambda: window.show_page("keys"), "F1", "keyboard", ("Ctrl+/",)),
        Act("data", group, _("Open the data folder"), do.open_data, "", "hard-drive"),
        Act("setup", group, _("Ways to get an answer"), do.setting_up.show_first_run, "", "key-round"),
        Act("quit", group, _("Quit"), window.close, "Ctrl+Q", "x"),
    )


def look_acts(life: Life) -> tuple[Act, ...]:
    """Return what changes how the window looks."""
    page = life.window.chat
    group = _("Look")
    return (
        Act(
            "list",
            group,
            _("Show or hide conversations"),
            lambda: page.toggle(page.list_side),
            "Ctrl+B",
            "panel-left",
        ),
        Act(
            "panel",
            group,
            _("Show or hide changes and jobs"),
            lambda: page.toggle(page.panel_side),
            "Ctrl+J",
            "panel-right",
        ),
        Act("light", group, _("Light colours"), lambda: life.look.choose("light"), "", "sun"),
        Act("dark", group, _("Dark colours"), lambda: life.look.choose("dark"), "", "moon"),
        Act("system", group, _("The system's colours"), lambda: life.look.choose("system"), "", "monitor"),
        Act("larger", group, _("Larger text"), lambda: life.look.larger(1), "Ctrl++", "plus", ("Ctrl+=",)),
        Act("smaller", group, _("Smaller text"), lambda: life.look.larger(-1), "Ctrl+-", "minus"),
        Act(
            "usual", group, _("Usual size of the text"), lambda: life.look.larger(0), "Ctrl+0", "circle-slash"
        ),
    )

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
    window, page = life.window, life.window.chat
    talk, look, go = _("Conversation"), _("Look"), _("Go to")
    return (
        Act("new", talk, _("New conversation"), do.new, "Ctrl+N", "plus"),
        Act("stop", talk, _("Stop the answer"), life.conversation.stop, "Ctrl+.", "stop"),
        Act(
            "review",
            talk,
            _("Review what waits for you"),
            life.questions.review_next,
            "Ctrl+R",
            "shield-question-mark",
        ),
        Act("undo", talk, _("Undo the last change"), do.undo_last, "Ctrl+Shift+U", "undo-2"),
        Act(
            "take_back",
            talk,
            _("Take back what was just done"),
            rest.toast.undo,
            "Ctrl+Shift+Z",
            "rotate-ccw",
        ),
        Act("again", talk, _("Run again"), do.again, "Ctrl+Shift+R", "refresh-cw"),
        Act("find", talk, _("Find in this conversation"), do.find, "Ctrl+F", "search"),
        Act("folder", talk, _("Choose the folder"), do.pick_folder, "Ctrl+O", "folder"),
        Act("model", talk, _("Choose the model"), life.models.pick, "Ctrl+M", "cpu"),
        Act("agent", talk, _("Mode: Agent"), lambda: do.set_mode("agent"), "Ctrl+Shift+1", "play"),
        Act("plan", talk, _("Mode: Plan"), lambda: do.set_mode("plan"), "Ctrl+Shift+2", "list-checks"),
        Act("talk", talk, _("Mode: Chat"), lambda: do.set_mode("chat"), "Ctrl+Shift+3", "message-square"),
        Act("rename", talk, _("Rename this conversation"), do.rename, "F2", "pencil"),
        Act("pin", talk, _("Pin or unpin this conversation"), do.pin, "Ctrl+Shift+P", "pin"),
        Act("export", talk, _("Export this conversation"), do.export_shown, "Ctrl+Shift+E", "download"),
        Act("delete", talk, _("Delete this conversation"), do.delete, "Ctrl+Shift+Backspace", "trash-2"),
        Act("palette", go, _("Find what can be done"), do.palette, "Ctrl+K", "command"),
        Act("search", go, _("Search conversations"), do.search, "Ctrl+Shift+F", "search"),
        Act("write", go, _("The message field"), do.write, "Ctrl+L", "pencil"),
        Act("above", go, _("The conversation above"), lambda: do.step(-1), "Ctrl+PgUp", "chevron-up"),
        Act("below", go, _("The conversation below"), lambda: do.step(1), "Ctrl+PgDown", "chevron-down"),
        Act("chat", go, _("Chat"), lambda: window.show_page("chat"), "Ctrl+1", "message-square"),
        Act("settings", go, _("Settings"), lambda: window.show_page("settings"), "Ctrl+,", "settings"),
        Act("keys", go, _("Keys"), lambda: window.show_page("keys"), "F1", "keyboard", ("Ctrl+/",)),
        Act("data", go, _("Open the data folder"), do.open_data, "", "hard-drive"),
        Act("setup", go, _("Ways to get an answer"), do.setting_up.show_first_run, "", "key-round"),
        Act(
            "list",
            look,
            _("Show or hide conversations"),
            lambda: page.toggle(page.list_side),
            "Ctrl+B",
            "panel-left",
        ),
        Act(
            "panel",
            look,
            _("Show or hide changes and jobs"),
            lambda: page.toggle(page.panel_side),
            "Ctrl+J",
            "panel-right",
        ),
        Act("light", look, _("Light colours"), lambda: life.look.choose("light"), "", "sun"),
        Act("dark", look, _("Dark colours"), lambda: life.look.choose("dark"), "", "moon"),
        Act("system", look, _("The system's colours"), lambda: life.look.choose("system"), "", "monitor"),
        Act("larger", look, _("Larger text"), lambda: life.look.larger(1), "Ctrl++", "plus", ("Ctrl+=",)),
        Act("smaller", look, _("Smaller text"), lambda: life.look.larger(-1), "Ctrl+-", "minus"),
        Act(
            "usual", look, _("Usual size of the text"), lambda: life.look.larger(0), "Ctrl+0", "circle-slash"
        ),
        Act("quit", go, _("Quit"), window.close, "Ctrl+Q", "x"),
    )

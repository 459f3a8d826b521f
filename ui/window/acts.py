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
    return (*_talking(life, rest, do), *_keeping(rest, do), *_going(life, rest, do), *_looking(life))


def _talking(life: Life, rest: Furniture, do: Deeds) -> tuple[Act, ...]:
    """What is done in a conversation."""
    talk, review, back = _("Conversation"), life.questions.review_next, rest.toast.undo

    def private() -> None:
        rest.memory.new_private()  # it is made after the acts

    return (
        Act("new", talk, _("New conversation"), do.new, "Ctrl+N", "plus"),
        Act("private", talk, _("New private conversation"), private, "Ctrl+Shift+N", "circle-slash"),
        Act("stop", talk, _("Stop the answer"), life.conversation.stop, "Ctrl+.", "stop"),
        Act("review", talk, _("Review what waits for you"), review, "Ctrl+R", "shield-question-mark"),
        Act("undo", talk, _("Undo the last change"), do.undo_last, "Ctrl+Shift+U", "undo-2"),
        Act("take_back", talk, _("Take back what was just done"), back, "Ctrl+Shift+Z", "rotate-ccw"),
        Act("again", talk, _("Run again"), do.again, "Ctrl+Shift+R", "refresh-cw"),
        Act("find", talk, _("Find in this conversation"), do.find, "Ctrl+F", "search"),
        Act("attach", talk, _("Attach files"), do.files.pick, "Ctrl+U", "paperclip"),
        Act("attach_folder", talk, _("Attach a folder"), do.files.pick_folder, "", "folder-plus"),
        Act("folder", talk, _("Choose the folder"), do.pick_folder, "Ctrl+O", "folder"),
        Act("model", talk, _("Choose the model"), life.models.pick, "Ctrl+M", "cpu"),
        Act("agent", talk, _("Mode: Agent"), lambda: do.set_mode("agent"), "Ctrl+Shift+1", "play"),
        Act("plan", talk, _("Mode: Plan"), lambda: do.set_mode("plan"), "Ctrl+Shift+2", "list-checks"),
        Act("talk", talk, _("Mode: Chat"), lambda: do.set_mode("chat"), "Ctrl+Shift+3", "message-square"),
    )


def _keeping(rest: Furniture, do: Deeds) -> tuple[Act, ...]:
    """What is done with a conversation as a whole."""
    talk = _("Conversation")
    return (
        Act("rename", talk, _("Rename this conversation"), do.rename, "F2", "pencil"),
        Act("pin", talk, _("Pin or unpin this conversation"), do.pin, "Ctrl+Shift+P", "pin"),
        Act("new_skill", talk, _("New skill"), lambda: rest.toolbox.new_skill(), "", "plus"),
        Act(
            "skill",
            talk,
            _("Save what we just did as a skill"),
            lambda: rest.toolbox.save_as_skill(),
            "",
            "lightbulb",
        ),
        Act("compact", talk, _("Summarise the earlier messages"), do.compact, "", "file-text"),
        Act("export", talk, _("Export this conversation"), do.export_shown, "Ctrl+Shift+E", "download"),
        Act("import", talk, _("Import conversations"), do.bring_in, "", "file-plus"),
        Act("delete", talk, _("Delete this conversation"), do.delete, "Ctrl+Shift+Backspace", "trash-2"),
    )


def _going(life: Life, rest: Furniture, do: Deeds) -> tuple[Act, ...]:
    """Where one can go, and out."""
    go, show = _("Go to"), life.window.show_page
    return (
        Act("palette", go, _("Find what can be done"), do.palette, "Ctrl+K", "command"),
        Act("search", go, _("Search conversations"), do.search, "Ctrl+Shift+F", "search"),
        Act("write", go, _("The message field"), do.write, "Ctrl+L", "pencil"),
        Act("above", go, _("The conversation above"), lambda: do.step(-1), "Ctrl+PgUp", "chevron-up"),
        Act("below", go, _("The conversation below"), lambda: do.step(1), "Ctrl+PgDown", "chevron-down"),
        Act("chat", go, _("Chat"), lambda: show("chat"), "Ctrl+1", "message-square"),
        Act("inbox", go, _("Inbox: what waits for you"), lambda: show("inbox"), "Ctrl+2", "inbox"),
        Act("changed", go, _("Changes made to files"), lambda: show("changed"), "Ctrl+3", "history"),
        Act(
            "permissions",
            go,
            _("Rules: permissions and the sandbox"),
            lambda: show("permissions"),
            "Ctrl+4",
            "shield-check",
        ),
        Act("context", go, _("What the next request holds"), do.show_context, "Ctrl+Shift+I", "list-checks"),
        Act("tools", go, _("Tools"), lambda: show("tools"), "Ctrl+5", "wrench"),
        *_toolbox(rest),
        Act("memory", go, _("Memory: what Bramble remembers"), lambda: show("memory"), "Ctrl+6", "brain"),
        Act("settings", go, _("Settings"), lambda: show("settings"), "Ctrl+,", "settings"),
        Act("keys", go, _("Keys and commands"), lambda: show("keys"), "F1", "keyboard", ("Ctrl+/",)),
        Act("data", go, _("Open the data folder"), do.open_data, "", "hard-drive"),
        Act("setup", go, _("Ways to get an answer"), do.setting_up.show_first_run, "", "key-round"),
        Act("quit", go, _("Quit"), life.window.close, "Ctrl+Q", "x"),
    )


def _toolbox(rest: Furniture) -> tuple[Act, ...]:
    """The tabs beside that of the tools."""
    go = _("Go to")

    def show(tab: str) -> None:
        rest.toolbox.show(tab)  # it is made after the acts

    return (
        Act("skills", go, _("Skills"), lambda: show("skills"), "", "lightbulb"),
        Act("servers", go, _("Servers: tools of others over MCP"), lambda: show("servers"), "", "hard-drive"),
        Act("own_tools", go, _("Own tools"), lambda: show("own"), "", "wrench"),
        Act("misses", go, _("Misses: what no tool was found for"), lambda: show("misses"), "", "search"),
    )


def _looking(life: Life) -> tuple[Act, ...]:
    """How the window looks."""
    look, page, choose, larger = _("Look"), life.window.chat, life.look.choose, life.look.larger
    lists, panel = _("Show or hide conversations"), _("Show or hide changes and jobs")
    return (
        Act("list", look, lists, lambda: page.toggle(page.list_side), "Ctrl+B", "panel-left"),
        Act("panel", look, panel, lambda: page.toggle(page.panel_side), "Ctrl+J", "panel-right"),
        Act("light", look, _("Light colours"), lambda: choose("light"), "", "sun"),
        Act("dark", look, _("Dark colours"), lambda: choose("dark"), "", "moon"),
        Act("system", look, _("The system's colours"), lambda: choose("system"), "", "monitor"),
        Act("larger", look, _("Larger text"), lambda: larger(1), "Ctrl++", "plus", ("Ctrl+=",)),
        Act("smaller", look, _("Smaller text"), lambda: larger(-1), "Ctrl+-", "minus"),
        Act("usual", look, _("Usual size of the text"), lambda: larger(0), "Ctrl+0", "circle-slash"),
    )

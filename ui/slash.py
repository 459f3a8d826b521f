"""The slash commands of a conversation, the same in the window and in the terminal."""

from __future__ import annotations

from typing import NamedTuple

from ui.language import later as L


class Slash(NamedTuple):
    """One command: `argument` is "" when it takes none, in brackets when it may be left out."""

    name: str
    argument: str
    description: str

    @property
    def needs_argument(self) -> bool:
        """Whether it does nothing without one."""
        return bool(self.argument) and not self.argument.startswith("[")


COMMANDS = (
    Slash("help", "", L("show these commands")),
    Slash("mode", L("[agent | plan | chat]"), L("agent acts, plan and chat only read")),
    Slash("model", L("[PROFILE/MODEL]"), L("show the models, or choose one for this conversation")),
    Slash("accept", L("[edit]"), L("carry out the plan, or change it first in your editor")),
    Slash("reject", L("TEXT"), L("say what the plan should do otherwise")),
    Slash("new", "", L("start a new conversation in this folder")),
    Slash("private", "", L("start a new conversation without memory")),
    Slash("memory", L("[TEXT]"), L("show what is remembered, or find something in it")),
    Slash("sessions", "", L("show the newest conversations")),
    Slash("open", L("NUMBER or ID"), L("go on with another conversation")),
    Slash("search", L("TEXT"), L("find messages in all conversations")),
    Slash("rename", L("TITLE"), L("give this conversation another title")),
    Slash("folder", L("[DIR]"), L("show the working folder, or choose another one")),
    Slash("changes", "", L("show what was changed in this conversation")),
    Slash("undo", L("[ID]"), L("take the last turn's changes back, or one change")),
    Slash("permissions", "", L("show the saved rules")),
    Slash("attach", L("[PATH]"), L("let a file or folder go with the next message")),
    Slash("stop", "", L("stop the running turn")),
    Slash("queue", L("[TEXT]"), L("say something after the running turn, or show what waits")),
    Slash("edit", L("NUMBER TEXT"), L("change what waits")),
    Slash("drop", L("NUMBER"), L("take out what waits")),
    Slash("context", "", L("show what the next request holds")),
    Slash("compact", "", L("summarise the earlier messages now")),
    Slash("pin", L("[TEXT]"), L("keep a note word for word, or show the notes")),
    Slash("unpin", L("NUMBER"), L("let a note go")),
    Slash("switch", "", L("let the fall-back model answer while a provider is waited for")),
    Slash("effort", L("[own | off | low | medium | high]"), L("show or choose how much the model reasons")),
    Slash("cost", "", L("show what this conversation and today cost, and the limits")),
    Slash("tools", "", L("show the tools")),
    Slash("skill", "", L("save what we just did as a skill")),
    Slash("skills", "", L("show the skills")),
    Slash("quit", "", L("leave; the conversation is kept")),
)


def split(text: str) -> tuple[str, str] | None:
    """Return name and argument of a text that is a slash command, None when it is something to say.

    A path such as "/etc/hosts is wrong" and a text that begins with "//" are things to say.
    """
    if not text.startswith("/"):
        return None
    name, _blank, argument = text[1:].partition(" ")
    name = name.strip()
    return (name, argument.strip()) if name and name.isalpha() and "\n" not in name else None

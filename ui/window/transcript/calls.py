"""What is known of one tool call while it arrives, runs, waits for a person and ends, and its words."""

from __future__ import annotations

import json
from typing import Literal

import msgspec

from app.events import ToolFinished, ToolStarted
from app.records import (
    ActionEffect,
    Approval,
    CommandEffect,
    Effect,
    FileDiff,
    FilesEffect,
    InstallEffect,
    MemoryEffect,
    Message,
    Picture,
    ReadEffect,
    ServerEffect,
    ToolCall,
    View,
)
from ui.actions import action_outcome, action_text, action_title
from ui.memory_words import effect_outcome, effect_title
from ui.notes import amounts
from ui.places import tilde
from ui.requests import request_title, shown_arguments
from ui.window.transcript.helpers_seen import HelperSeen, delegates
from ui.window.transcript.legible import legible
from ui.words import _, duration, plural, size, summary, verb

CallState = Literal["arriving", "waiting", "running", "asking", "done", "failed", "broken"]
KEPT_OUTPUT = 200_000
"""Characters of live output that are kept of a running tool; the result replaces them."""


class Call(msgspec.Struct):
    """One call of a batch; its owner changes it as events come."""

    key: str
    name: str
    arguments: str = ""
    verb: str = ""
    subject: str = ""
    state: CallState = "waiting"
    size: int = 0
    """Characters of arguments that have arrived."""
    summary: str = ""
    output: str = ""
    seconds: float = 0.0
    undo: str = ""
    view: View = msgspec.field(default_factory=View)
    pictures: tuple[Picture, ...] = ()
    """What it gave to be seen, kept by the store."""
    listed: bool = False
    """Its steps are the newest, so that they are shown before anybody opens it."""
    helpers: tuple[HelperSeen, ...] = ()
    """What is known of its helpers while it runs, or of a call that broke off; else its view tells them."""

    @property
    def open(self) -> bool:
        """Whether it has not ended, as far as is known."""
        return self.state not in ("done", "failed")

    @property
    def title(self) -> str:
        """The plain words of its row."""
        if self.verb:
            return verb(self.verb)
        words = self.name.replace("_", " ")
        return words[:1].upper() + words[1:]

    @property
    def argument(self) -> str:
        """What its row says of its arguments, "" where rows of their own tell them: steps, helpers."""
        told = self.view.kind in ("steps", "helpers") or delegates(self.name, self.arguments)
        return "" if told else self.subject

    def started(self, event: ToolStarted) -> None:
        """It runs now; the event names the tool that use_tool stands for."""
        self.name, self.arguments = event.call.name, event.call.arguments
        self.verb, self.subject = event.verb, event.subject
        self.state = "asking" if self.name == "ask_user" else "running"

    def progressed(self, text: str) -> None:
        """More output has come."""
        self.output = (self.output + text)[-KEPT_OUTPUT:]

    def finished(self, end: ToolFinished | Message) -> None:
        """It has ended, as its event or its stored message tells."""
        self.state = "done" if end.ok else "failed"
        self.summary, self.output, self.seconds = end.summary, end.text, end.seconds
        self.undo, self.view = end.undo, end.view
        if isinstance(end, Message):
            self.verb, self.subject = end.verb or self.verb, end.subject or self.subject
            self.name = end.tool or self.name
            self.arguments, self.pictures = end.arguments or self.arguments, end.pictures

    def result(self) -> str:
        """Return the words at the right of its row."""
        if self.state == "asking":
            return _("needs you")
        if self.state == "broken":
            return summary("interrupted")
        if self.state == "arriving":
            return size(self.size) if self.size else ""
        if self.state in ("waiting", "running"):
            return ""
        return summary(self.summary) if self.summary else (_("done") if self.state == "done" else _("failed"))

    def time(self) -> str:
        """Return how long it took, "" when that is too short to say."""
        return duration(self.seconds) if self.seconds >= 0.05 else ""

    def arguments_text(self) -> str:
        """Return the arguments, one to a line where they are sound JSON of a size that people read."""
        if len(self.arguments) > 100_000:
            return self.arguments
        try:
            value = shown_arguments(json.loads(self.arguments or "{}"))
        except (ValueError, RecursionError):
            return self.arguments
        return json.dumps(value, indent=2, ensure_ascii=False) if value != {} else ""

    def markdown(self) -> str:
        """Return the row as a line of Markdown."""
        subject = f" `{self.argument}`" if self.argument else ""
        result = f" ({self.result()})" if self.result() else ""
        return f"- {self.title}{subject}{result}"


def declared(call: ToolCall) -> Call:
    """Return a call as its stored message declares it."""
    return Call(key=call.id, name=call.name, arguments=call.arguments)


def question(effect: Effect) -> str:
    """Return what Bramble wants to do, as the title of a waiting card."""
    if isinstance(effect, FilesEffect):
        return _files_title(effect)
    if isinstance(effect, CommandEffect):
        return (
            _("Bramble wants to run a command")
            if not effect.job
            else _("Bramble wants to act on a running job")
        )
    if isinstance(effect, ReadEffect):
        return (
            _("Bramble wants to read a secret file") if effect.secret else _("Bramble wants to read a file")
        )
    if isinstance(effect, ServerEffect):
        words = _("Bramble wants to call {tool} of the server {server}")
        return words.replace("{tool}", legible(effect.tool)).replace("{server}", effect.server)
    if isinstance(effect, InstallEffect):
        return _("Bramble wants to add the server {server}").replace("{server}", legible(effect.server))
    if isinstance(effect, ActionEffect):
        return action_title(effect, legible)
    if isinstance(effect, MemoryEffect):
        return effect_title(effect)
    return request_title(effect, legible(effect.host))


def _files_title(effect: FilesEffect) -> str:
    kinds, count = {file.kind for file in effect.files}, len(effect.files)
    folders = bool(effect.files) and all(file.items or file.kind == "folder" for file in effect.files)
    if kinds == {"deleted"} and folders:
        return plural("Bramble wants to delete {n} folder", "Bramble wants to delete {n} folders", count)
    if kinds == {"deleted"}:
        return plural("Bramble wants to delete {n} file", "Bramble wants to delete {n} files", count)
    if kinds == {"folder"}:
        return plural("Bramble wants to make {n} folder", "Bramble wants to make {n} folders", count)
    if kinds == {"renamed"}:
        return plural("Bramble wants to move {n} item", "Bramble wants to move {n} items", count)
    if kinds == {"copied"}:
        return plural("Bramble wants to copy {n} item", "Bramble wants to copy {n} items", count)
    if kinds == {"new"}:
        return plural("Bramble wants to make {n} file", "Bramble wants to make {n} files", count)
    return plural("Bramble wants to change {n} file", "Bramble wants to change {n} files", count)


def consequence(approval: Approval) -> str:
    """Return the details of a waiting card: what it touches, and whether it can be taken back."""
    effect = approval.effect
    if isinstance(effect, FilesEffect):
        to_trash = approval.tool == "trash_file"
        parts = [_file_words(file, to_trash) for file in effect.files[:2]]
        if len(effect.files) > 2:
            parts.append(plural("{n} more", "{n} more", len(effect.files) - 2))
        return f"{', '.join(parts)}. {_undoable(effect.undoable, len(effect.files))}"
    if isinstance(effect, CommandEffect):
        line = " ".join(effect.command.split())
        shown = line if len(line) <= 160 else line[:159] + "\u2026"
        return f"{shown}\n{_undoable(effect.undoable, 1)}"
    if isinstance(effect, ReadEffect):
        return f"{effect.path}\n{_('Nothing is read until you allow it.')}"
    if isinstance(effect, ServerEffect):
        return f"{' '.join(effect.arguments.split())[:160]}\n{_('Cannot be undone.')}"
    if isinstance(effect, InstallEffect):
        return f"{(' '.join(effect.command) or effect.url)[:160]}\n{_('It can be removed again.')}"
    if isinstance(effect, ActionEffect):
        return f"{' '.join(action_text(effect).split())[:160]}\n{action_outcome(effect)}".rstrip()
    if isinstance(effect, MemoryEffect):
        return f"{legible(' '.join(effect.text.split())[:160])}\n{effect_outcome(effect)}"
    return f"{effect.method} {effect.url[:160]}\n{_('Cannot be undone.')}"


def _undoable(undoable: bool, count: int) -> str:
    if not undoable:
        return _("Cannot be undone.")
    return {1: _("Can be undone."), 2: _("Both can be undone.")}.get(count, _("All of it can be undone."))


def _file_words(file: FileDiff, to_trash: bool) -> str:
    """Return what happens to a file or a whole folder, and how much that is."""
    lines = 0 if file.binary or file.items else max(file.added, file.removed)
    words = {
        "new": _("{file} is new"),
        "changed": plural("{file} changes {n} line", "{file} changes {n} lines", lines)
        if lines
        else _("{file} changes"),
        "deleted": _("{file} goes to the trash") if to_trash else _("{file} is deleted"),
        "renamed": _("{file} is moved from {old}"),
        "copied": _("{file} is copied from {old}"),
        "folder": _("{file} is a new folder"),
    }[file.kind]
    said = words.replace("{old}", tilde(file.old_path)).replace("{file}", file.shown)
    return f"{said} ({', '.join(amounts(file))})" if amounts(file) else said

"""The slash commands in the window: the same names as in the terminal, each carried out by what the window
has for it."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING, get_args

from app.records import Effort, Mode
from ui.compaction_words import effort_text
from ui.language import _
from ui.model_words import effort_hint
from ui.words import mode_text

if TYPE_CHECKING:
    from ui.window.deeds import Deeds
    from ui.window.furniture import Furniture
    from ui.window.life import Life


def run_slash(life: Life, rest: Furniture, do: Deeds, name: str, argument: str) -> bool:
    """Run a slash command of the window; False when there is none of this name, and the text is to be
    sent."""
    commands: dict[str, Callable[[], object]] = {
        "help": lambda: life.window.show_page("keys"),
        "mode": lambda: _mode(life, rest, do, argument),
        "model": lambda: do.use_model(argument) if "/" in argument else life.models.pick(),
        "accept": lambda: rest.planning.answer(argument),
        "reject": lambda: rest.planning.reject(argument),
        "new": do.new,
        "private": rest.memory.new_private,
        "memory": lambda: rest.memory.show(argument),
        "sessions": lambda: life.list.view.setFocus(),
        "open": lambda: _open(life, rest, do, argument),
        "search": lambda: _search(life, rest, do, argument),
        "rename": lambda: _rename(life, rest, do, argument),
        "folder": lambda: _folder(life, rest, do, argument),
        "changes": lambda: rest.trust.show_changed(life.conversation.session),
        "permissions": lambda: life.window.show_page("permissions"),
        "undo": lambda: rest.work.undo(argument) if argument else do.undo_last(),
        "attach": lambda: do.files.attach_below(argument) if argument else do.files.pick(),
        "stop": life.conversation.stop,
        "queue": lambda: life.outbox.queue(argument) if argument else _queued(rest),
        "context": do.show_context,
        "compact": do.compact,
        "pin": lambda: _pin(rest, argument),
        "unpin": lambda: _unpin(rest, argument),
        "switch": life.conversation.switch_model,
        "effort": lambda: _effort(life, rest, argument),
        "cost": lambda: rest.work.tell_costs(rest.toast.say),
        "tools": lambda: life.window.show_page("tools"),
        "skills": lambda: rest.toolbox.show("skills"),
        "skill": rest.toolbox.save_as_skill,
        "edit": lambda: _queued(rest),
        "drop": lambda: _queued(rest),
        "quit": life.window.close,
    }
    command = commands.get(name)
    if command is None:
        return False
    command()
    return True


def _mode(life: Life, rest: Furniture, do: Deeds, argument: str) -> None:
    """Choose a mode; say which there are when it is none of them, with what was typed back in the field."""
    if argument in get_args(Mode):
        do.set_mode(argument)  # type: ignore[arg-type]
        return
    now = mode_text(life.conversation.mode())
    if argument:
        life.window.chat.composer.editor.replace(f"/mode {argument}")
        words = _("There is no mode {name}: it is agent, plan or chat. Now: {mode}.")
    else:
        words = _("Say /mode agent, /mode plan or /mode chat. Now: {mode}.")
    rest.toast.say(words.replace("{name}", argument[:40]).replace("{mode}", now))


def _open(life: Life, rest: Furniture, do: Deeds, argument: str) -> None:
    shown = life.list.all()
    at = int(argument) - 1 if argument.isdecimal() else -1
    info = shown[at] if 0 <= at < len(shown) else life.list.info(argument)
    if info is None:
        rest.toast.say(_("There is no such conversation."))
    else:
        do.open(info, "")


def _search(life: Life, rest: Furniture, do: Deeds, argument: str) -> None:
    do.search()
    life.list.search.setText(argument)


def _rename(life: Life, rest: Furniture, do: Deeds, argument: str) -> None:
    if argument and life.conversation.session:
        life.sessions.rename(life.conversation.session, argument)
    else:
        do.rename()


def _folder(life: Life, rest: Furniture, do: Deeds, argument: str) -> None:
    if argument:
        life.conversation.set_folder(os.path.abspath(os.path.expanduser(argument)))
    else:
        do.pick_folder()


def _pin(rest: Furniture, argument: str) -> None:
    if argument:
        rest.notes.pin(argument)
    elif not rest.notes.notes:
        rest.toast.say(_("Nothing is pinned. Pin a note with /pin TEXT."))
    elif not rest.notes.opened:
        rest.notes.toggle()


def _unpin(rest: Furniture, argument: str) -> None:
    number, notes = int(argument) if argument.isdecimal() else 0, rest.notes.notes
    if 0 < number <= len(notes):
        rest.notes.unpin(notes[number - 1])
    else:
        rest.toast.say(_("There is no note of this number. /pin shows them."))


def _effort(life: Life, rest: Furniture, argument: str) -> None:
    """Choose how much the model reasons; say how much it is when it takes no such measure."""
    wanted: Effort = "" if argument == "own" else argument  # type: ignore[assignment]
    name = life.models.holds()[0]

    def choose(taken: tuple[Effort, ...]) -> None:
        if argument and wanted in ("", *taken):
            rest.deeds.use_effort(wanted)
            words = _("Reasoning: {effort}, from the next turn on.")
            rest.toast.say(words.replace("{effort}", effort_text(wanted)))
        else:
            rest.toast.say(effort_hint(life.conversation.effort(), taken))

    life.bridge.call(lambda engine: engine.models.efforts(name), choose, life.show_problem)


def _queued(rest: Furniture) -> None:
    """What waits stands above the field, each with its own buttons."""
    if not rest.queue.queued():
        rest.toast.say(_("Nothing waits."))
    else:
        rest.queue.setFocus()
        rest.queue.focusNextChild()

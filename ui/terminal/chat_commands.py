"""The slash commands of `bramble chat`, a small function each; names and words stand in `ui/slash.py`."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from app.records import Mode, Queued
from ui import slash
from ui.terminal import notes, plans
from ui.terminal.attaching import attach, edited, waiting_line
from ui.terminal.clean import one_line
from ui.terminal.table import write_table
from ui.words import _, ago, mode_text, tokens

if TYPE_CHECKING:
    from ui.terminal.chat import Talk

NEWEST = 15
"""Conversations that /sessions shows."""


async def command(talk: Talk, name: str, argument: str) -> None:
    """Run one slash command; an unknown name is answered with the nearest ones."""
    if name in COMMANDS:
        await COMMANDS[name](talk, argument)
        return
    near = [one.name for one in slash.COMMANDS if one.name.startswith(name[:1])]
    hint = ", ".join("/" + one for one in near) or "/help"
    talk.terminal.note(
        _("There is no command /{name}. Try: {hint}").replace("{name}", name).replace("{hint}", hint)
    )


async def _help(talk: Talk, argument: str) -> None:
    rows = [[f"/{one.name} {_(one.argument)}".strip(), _(one.description)] for one in slash.COMMANDS]
    write_table(talk.terminal.out, rows, whole=True)
    talk.terminal.note(
        _("Alt+Enter or a \\ at the end begins a new line. What you type while a turn runs steers it.")
    )


async def _mode(talk: Talk, argument: str) -> None:
    if argument not in ("agent", "plan", "chat"):
        talk.terminal.note(
            _("Mode: {mode}. Choose agent, plan or chat.").replace("{mode}", mode_text(talk.info.mode))
        )
        return
    mode: Mode = argument  # type: ignore[assignment]
    talk.set_mode(mode)
    talk.info = await talk.engine.sessions.configure(talk.info.id, mode=mode)
    talk.terminal.note(_("Mode: {mode}, from the next turn on.").replace("{mode}", mode_text(mode)))


async def _model(talk: Talk, argument: str) -> None:
    if argument:
        talk.engine.models.named(
            argument
        )  # a name that no provider has is refused here, not by the next turn
        talk.set_model(argument)
        talk.info = await talk.engine.sessions.configure(talk.info.id, model=argument)
        talk.terminal.note(_("{model} answers from the next turn on.").replace("{model}", one_line(argument)))
        return
    from ui.terminal.models import tell_lists, write_models

    current = await talk.engine.models.current(talk.info.model)
    write_models(talk.terminal, await talk.engine.models.list(), current)
    tell_lists(talk.terminal, talk.engine)
    talk.terminal.note(_("Choose one with /model PROFILE/MODEL."))


async def _new(talk: Talk, argument: str) -> None:
    await talk.stop_here()
    await talk.open(
        await talk.engine.sessions.create(cwd=talk.info.cwd, mode=talk.info.mode, model=talk.info.model)
    )


async def _private(talk: Talk, argument: str) -> None:
    await talk.stop_here()
    info = talk.info
    await talk.open(
        await talk.engine.sessions.create(cwd=info.cwd, mode=info.mode, model=info.model, private=True)
    )


async def _memory(talk: Talk, argument: str) -> None:
    from ui.terminal.memory import write_items

    found = await (talk.engine.memory.search(argument) if argument else talk.engine.memory.list())
    write_items(talk.terminal, found[:NEWEST])
    talk.terminal.note(_("bramble memory shows all of it, changes it and forgets it."))


async def _sessions(talk: Talk, argument: str) -> None:
    found = await talk.engine.sessions.list()
    talk.listed = list(found[:NEWEST])
    now = time.time()
    rows = [
        [str(n), ago(one.updated, now), one.title or _("New conversation")]
        for n, one in enumerate(talk.listed, 1)
    ]
    write_table(talk.terminal.out, rows)
    talk.terminal.note(_("Go on with one by /open NUMBER."))


async def _open(talk: Talk, argument: str) -> None:
    number = int(argument) if argument.isdecimal() else 0
    known = 0 < number <= len(talk.listed)
    identity = talk.listed[number - 1].id if known else argument
    info = await talk.engine.sessions.get(identity)
    await talk.stop_here()
    await talk.open(info)


async def _search(talk: Talk, argument: str) -> None:
    hits = await talk.engine.sessions.search(argument) if argument else []
    for hit in hits[:NEWEST]:
        talk.terminal.out.line(
            one_line(f"{hit.session} · {hit.title} · {hit.snippet}", talk.terminal.out.width)
        )
    if not hits:
        talk.terminal.note(_("Nothing found."))


async def _rename(talk: Talk, argument: str) -> None:
    await talk.engine.sessions.rename(talk.info.id, argument)
    talk.terminal.note(_("Renamed."))


async def _folder(talk: Talk, argument: str) -> None:
    if argument:
        talk.info = await talk.engine.sessions.configure(talk.info.id, cwd=argument)
    talk.terminal.note(one_line(talk.info.cwd))


async def _permissions(talk: Talk, argument: str) -> None:
    from ui.terminal.permissions import fault_text, place_text

    rules, faults = await talk.engine.rules.list()
    rows = [[one.id, one.decision, one_line(one.rule), place_text(one)] for one in rules]
    if rows:
        write_table(talk.terminal.out, rows)
        talk.terminal.note(_("To take one out: bramble permissions remove ID"))
    else:
        talk.terminal.note(_("There are no rules yet."))
    for fault in faults:
        talk.terminal.note(fault_text(fault), "caution")


async def _changes(talk: Talk, argument: str) -> None:
    from ui.terminal.effects import counted

    found = list(await talk.engine.changes.list(session=talk.info.id))
    for change in found:
        names = ", ".join(map(counted, change.files))
        state = " · " + _("taken back") if change.undone else ""
        talk.terminal.out.line(one_line(f"{change.id} · {names}{state}", talk.terminal.out.width))
    if found:
        talk.terminal.note(_("To take one back: /undo ID"))
    else:
        talk.terminal.note(_("Nothing was changed in this conversation."))


async def _undo(talk: Talk, argument: str) -> None:
    if argument:
        back = await talk.engine.changes.undo(argument)
    else:
        found = [one for one in await talk.engine.changes.list(session=talk.info.id) if not one.undone]
        newest = max(found, key=lambda one: one.made, default=None)
        back = await talk.engine.changes.undo_turn(newest.turn) if newest else ""
    if back:
        talk.terminal.note(_("Taken back. To bring it back: /undo {id}").replace("{id}", back))
    else:
        talk.terminal.note(_("There is nothing to take back."))


async def _stop(talk: Talk, argument: str) -> None:
    if talk.running:
        await talk.engine.stop(talk.info.id)
    else:
        talk.terminal.note(_("Nothing runs."))


async def _queue(talk: Talk, argument: str) -> None:
    if argument and talk.running:
        await talk.engine.queue(talk.info.id, argument)
        talk.terminal.note(_("It waits for the end of this turn."))
    elif argument:
        await talk.say(argument)
    else:
        for number, item in enumerate(await talk.engine.queued(talk.info.id), 1):
            talk.terminal.out.line(f"{number}. {waiting_line(item)}")


async def _edit(talk: Talk, argument: str) -> None:
    number, _blank, text = argument.partition(" ")
    item = await _waiting(talk, number)
    if item and text.strip():
        kept = await talk.engine.edit_queued(item.id, edited(item, text.strip()))
        talk.terminal.note(_("Changed.") if kept else _("It has already gone out."))


async def _drop(talk: Talk, argument: str) -> None:
    if item := await _waiting(talk, argument):
        kept = await talk.engine.remove_queued(item.id)
        talk.terminal.note(_("Taken out.") if kept else _("It has already gone out."))


async def _waiting(talk: Talk, number: str) -> Queued | None:
    waiting = await talk.engine.queued(talk.info.id)
    place = int(number) if number.isdecimal() else 0
    if 0 < place <= len(waiting):
        return waiting[place - 1]
    talk.terminal.note(_("Nothing waits with this number. /queue shows what waits."))
    return None


async def _context(talk: Talk, argument: str) -> None:
    report = await talk.engine.context(session=talk.info.id)
    from ui.context_words import part_name

    rows = [[part_name(part.name), tokens(part.tokens)] for part in report.parts if part.bytes]
    write_table(talk.terminal.out, [*rows, [_("in all"), tokens(report.total_tokens)]])


async def _tools(talk: Talk, argument: str) -> None:
    write_table(talk.terminal.out, [[tool.name, tool.summary] for tool in talk.engine.tools()])


async def _skills(talk: Talk, argument: str) -> None:
    from ui.skill_words import place_text, state_of

    found = await talk.engine.skills.list(talk.info.cwd)
    rows = [[one.name, place_text(one.source), state_of(one), one.description] for one in found]
    write_table(talk.terminal.out, rows)
    talk.terminal.note(_("To read one: bramble skills show NAME"))


async def _skill(talk: Talk, argument: str) -> None:
    from ui.terminal.skill_asking import save_as_skill

    await save_as_skill(talk.terminal, talk.engine, talk.info.id, talk.next_line, talk.away)


async def _quit(talk: Talk, argument: str) -> None:
    talk.leaving = True


COMMANDS: dict[str, Callable[[Talk, str], Awaitable[None]]] = {
    "help": _help,
    "mode": _mode,
    "model": _model,
    "accept": plans.accept,
    "reject": plans.reject,
    "new": _new,
    "private": _private,
    "memory": _memory,
    "sessions": _sessions,
    "open": _open,
    "search": _search,
    "rename": _rename,
    "folder": _folder,
    "changes": _changes,
    "undo": _undo,
    "permissions": _permissions,
    "attach": attach,
    "stop": _stop,
    "queue": _queue,
    "edit": _edit,
    "drop": _drop,
    "context": _context,
    "compact": notes.compact,
    "pin": notes.pin,
    "unpin": notes.unpin,
    "switch": notes.switch,
    "effort": notes.effort,
    "cost": notes.cost,
    "tools": _tools,
    "skill": _skill,
    "skills": _skills,
    "quit": _quit,
}

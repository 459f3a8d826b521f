"""`bramble memory`: what is remembered: see, add, find, change, pin, merge, confirm, forget, take along."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, Any

import click

from ui.memory_words import (
    age_text,
    forgotten_text,
    kind_text,
    source_text,
    state_text,
    sum_text,
    unknown_text,
)
from ui.terminal import exits
from ui.terminal.clean import one_line
from ui.terminal.commands import cwd_option, json_option
from ui.terminal.confirming import confirmed
from ui.terminal.output import Terminal
from ui.terminal.session import argument_text, only_by_a_person, run, working_folder
from ui.terminal.table import write_table
from ui.words import _

if TYPE_CHECKING:
    from app.engine import Engine
    from app.memory_records import MemoryItem

KINDS = ("fact", "decision", "note", "open_item", "todo")
_kind_option = click.option("--kind", type=click.Choice(KINDS), default=None, help="Only these.")


@click.group(invoke_without_command=True)
@click.pass_context
def memory(context: click.Context) -> int:
    """See and change what is remembered over conversations."""
    if context.invoked_subcommand is None:
        context.invoke(list_memory, kind=None, topic=None, project=None)
    return exits.DONE


@memory.command("list")
@_kind_option
@click.option("--topic", default=None, help="Only facts of this topic.")
@click.option("--project", default=None, metavar="NAME", help="Only what is noted of this project.")
@json_option
@click.pass_obj
def list_memory(terminal: Terminal, kind: str | None, topic: str | None, project: str | None) -> int:
    """List everything that is remembered, pinned facts first."""

    async def work(engine: Engine) -> int:
        key = await engine.memory.named_project(project, "") if project else None
        kinds = (kind,) if kind else ()
        found = await engine.memory.list(kinds, project=key, topic=topic)
        _write(terminal, found, empty=_("Nothing is remembered yet."))
        if not terminal.json_wanted and not kinds and key is None and topic is None:
            terminal.note(sum_text([one for one in found if one.kind == "fact"]))
            if not engine.settings.memory:
                terminal.note(_("Memory is switched off: nothing is told and nothing is added."), "caution")
        return exits.DONE

    return run(terminal, work)


@memory.command()
@click.argument("text", nargs=-1, required=True)
@_kind_option
@click.option("--limit", type=click.IntRange(1, 200), default=50, help="At most so many.")
@json_option
@click.pass_obj
def search(terminal: Terminal, text: tuple[str, ...], kind: str | None, limit: int) -> int:
    """Find what fits some words, best first."""

    async def work(engine: Engine) -> int:
        found = await engine.memory.search(" ".join(text), (kind,) if kind else (), limit)
        _write(terminal, found, empty=_("Nothing found."))
        return exits.DONE

    return run(terminal, work)


@memory.command()
@click.argument("text", nargs=-1, required=True)
@click.option("--topic", default="", help="A word by which facts are grouped, or the name of a to-do list.")
@click.option("--kind", type=click.Choice(KINDS), default="fact", help="What it is.")
@click.option("--project", default="", metavar="NAME", help="The project that it is noted of.")
@click.option("--due", default="", metavar="DAY", help="When a to-do item is due.")
@cwd_option
@json_option
@click.pass_obj
def add(
    terminal: Terminal, text: tuple[str, ...], topic: str, kind: str, project: str, due: str, cwd: str | None
) -> int:
    """Remember something. TEXT is what you say; - stands for what comes on stdin."""
    said = " ".join(map(argument_text, text))

    async def work(engine: Engine) -> int:
        from app.memory_records import PROJECT_KINDS, MemoryItem

        only_by_a_person(True)
        key = ""
        if kind in PROJECT_KINDS:
            key = await engine.memory.named_project(project, working_folder(cwd))
        item = MemoryItem(
            kind=kind,  # type: ignore[arg-type]
            text=said, topic=topic, project=key, due=due, by="person", confirmed=True,
        )  # fmt: skip
        kept = await engine.memory.remember(item)
        if terminal.json_wanted:
            terminal.json({**_form(kept.item), "merged": kept.merged, "undo": kept.undo,
                           "conflicts": [one.id for one in kept.conflicts]})  # fmt: skip
            return exits.DONE
        words = _("Known already as {id}.") if kept.merged else _("Remembered as {id}.")
        terminal.note(words.replace("{id}", kept.item.id), "good")
        for other in kept.conflicts:
            words = _("It seems to speak against {id}: {text}")
            terminal.note(one_line(words.replace("{id}", other.id).replace("{text}", other.text)), "caution")
        return exits.DONE

    return run(terminal, work)


@memory.command()
@click.argument("id")
@click.argument("text", nargs=-1, required=True)
@click.option("--topic", default=None, help="Another topic.")
@json_option
@click.pass_obj
def edit(terminal: Terminal, id: str, text: tuple[str, ...], topic: str | None) -> int:
    """Give an item other words. They are yours then, whoever wrote it first."""
    said = " ".join(map(argument_text, text))
    return _change(terminal, id, lambda engine: engine.memory.edit(id, said, topic))


@memory.command()
@click.argument("id")
@json_option
@click.pass_obj
def pin(terminal: Terminal, id: str) -> int:
    """Tell a fact to every new conversation."""
    return _change(terminal, id, lambda engine: engine.memory.pin(id))


@memory.command()
@click.argument("id")
@json_option
@click.pass_obj
def unpin(terminal: Terminal, id: str) -> int:
    """Tell a fact only where it fits."""
    return _change(terminal, id, lambda engine: engine.memory.pin(id, on=False))


@memory.command()
@click.argument("id")
@json_option
@click.pass_obj
def confirm(terminal: Terminal, id: str) -> int:
    """Vouch for an item as it stands."""
    return _change(terminal, id, lambda engine: engine.memory.confirm(id))


@memory.command()
@click.argument("id")
@json_option
@click.pass_obj
def done(terminal: Terminal, id: str) -> int:
    """Tick an open item or a to-do item off."""
    return _change(terminal, id, lambda engine: engine.memory.tick(id))


@memory.command()
@click.argument("keep")
@click.argument("others", nargs=-1, required=True)
@json_option
@click.pass_obj
def merge(terminal: Terminal, keep: str, others: tuple[str, ...]) -> int:
    """Let the item KEEP stand for the OTHERS, which are forgotten."""

    async def both(engine: Engine) -> str:
        undo = await engine.memory.merge(keep, others)
        await engine.memory.forget_put_away()
        return undo

    return _change(terminal, keep, both)


@memory.command()
@click.argument("ids", nargs=-1, required=True)
@click.option("--yes", is_flag=True, help="Ask nothing.")
@json_option
@click.pass_obj
def forget(terminal: Terminal, ids: tuple[str, ...], yes: bool) -> int:
    """Forget items for good: it cannot be undone."""

    async def work(engine: Engine) -> int:
        only_by_a_person(True)
        found = [await engine.memory.get(one) for one in ids]
        if not yes:
            for one in found:
                terminal.note(one_line(f"{one.id}  {one.text}"), "plain")
            if not await confirmed(terminal, _("Forget this for good? y forgets it.")):
                return exits.FAILED
        gone = await engine.memory.forget(ids)
        if terminal.json_wanted:
            terminal.json({"forgotten": gone.count, "conversations": gone.conversations,
                           "backups": [path for path, _made in gone.backups]})  # fmt: skip
        else:
            terminal.note(forgotten_text(gone, time.time()), "good")
        return exits.DONE

    return run(terminal, work)


@memory.command()
@click.argument("project", required=False, default="")
@cwd_option
@json_option
@click.pass_obj
def brief(terminal: Terminal, project: str, cwd: str | None) -> int:
    """Show what is known of a project: confirmed, recorded, unknown."""

    async def work(engine: Engine) -> int:
        known = await engine.memory.brief(await engine.memory.named_project(project, working_folder(cwd)))
        if terminal.json_wanted:
            terminal.json({"project": known.project, "name": known.name, "unknown": known.unknown,
                           "confirmed": list(map(_form, known.confirmed)),
                           "recorded": list(map(_form, known.recorded))})  # fmt: skip
            return exits.DONE
        terminal.out.line(terminal.out.styled(one_line(known.name), "strong"))
        for heading, items in ((_("Confirmed"), known.confirmed), (_("Recorded"), known.recorded)):
            terminal.out.line(terminal.out.styled(heading, "muted"))
            _rows(terminal, items) if items else terminal.out.line("  " + _("nothing"))
        terminal.out.line(terminal.out.styled(_("Unknown"), "muted"))
        for code in known.unknown:
            terminal.out.line("  " + one_line(unknown_text(code)))
        if not known.unknown:
            terminal.out.line("  " + _("nothing"))
        return exits.DONE

    return run(terminal, work)


@memory.command()
@json_option
@click.pass_obj
def export(terminal: Terminal) -> int:
    """Print everything as JSON, to keep it elsewhere."""

    async def work(engine: Engine) -> int:
        terminal.out.write(await engine.memory.export())
        return exits.DONE

    return run(terminal, work)


def _change(terminal: Terminal, id: str, change: Callable[[Engine], Awaitable[str]]) -> int:
    async def work(engine: Engine) -> int:
        only_by_a_person(True)
        undo = await change(engine)
        item = await engine.memory.get(id)
        if terminal.json_wanted:
            terminal.json({**_form(item), "undo": undo})
            return exits.DONE
        terminal.note(one_line(f"{item.id}  {item.text}"), "good")
        terminal.note(_("To take it back: bramble undo {id}").replace("{id}", undo))
        return exits.DONE

    return run(terminal, work)


def write_items(terminal: Terminal, items: Sequence[MemoryItem]) -> None:
    """Write items as a table, in a conversation."""
    _rows(terminal, items) if items else terminal.note(_("Nothing found."))


def _write(terminal: Terminal, items: Sequence[MemoryItem], empty: str) -> None:
    if terminal.json_wanted:
        terminal.json(list(map(_form, items)))
    elif items:
        _rows(terminal, items)
    else:
        terminal.note(empty)


def _rows(terminal: Terminal, items: Sequence[MemoryItem]) -> None:
    now = time.time()
    rows = [
        [
            item.id,
            kind_text(item),
            item.text,
            item.topic or item.project,
            age_text(item, now),
            " · ".join(
                filter(None, [_("pinned") if item.pinned else "", source_text(item), state_text(item)])
            ),
        ]
        for item in items
    ]
    head = ["", _("what"), _("text"), _("topic"), _("said"), _("whose")]
    write_table(terminal.out, rows, head, whole=True, kept=1)


def _form(item: MemoryItem) -> dict[str, Any]:
    import msgspec

    fields: dict[str, Any] = msgspec.to_builtins(item)
    return fields

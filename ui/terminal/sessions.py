"""`bramble sessions`: list, read, search, export, import, rename, delete and bring back conversations."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Literal

import click

from app.attachment_records import own_words
from app.records import Message, SearchHit, SessionInfo
from ui.attachment_words import attached_line
from ui.compaction_words import summarised_text
from ui.terminal import exits
from ui.terminal.clean import clean, one_line
from ui.terminal.commands import json_option
from ui.terminal.helpers import helpers_of, untold, write_helpers
from ui.terminal.output import Channel, Terminal
from ui.terminal.session import Trouble, run
from ui.terminal.table import write_table
from ui.words import _, ago, brought_text, problem_text, summary, verb

if TYPE_CHECKING:
    from app.engine import Engine


@click.group()
def sessions() -> None:
    """List, read, search, export and tidy conversations."""


@sessions.command("list")
@click.option("--deleted", is_flag=True, help="Those that were deleted and can be restored.")
@json_option
@click.pass_obj
def list_sessions(terminal: Terminal, deleted: bool) -> int:
    """List conversations, newest first."""

    async def work(engine: Engine) -> int:
        found = await engine.sessions.list(deleted=deleted)
        if terminal.json_wanted:
            terminal.json(found)
            return exits.DONE
        rows = [[one.id, ago(one.updated, time.time()), title(one), one.summary] for one in found]
        if rows:
            write_table(terminal.out, rows, ["id", _("last"), _("title"), _("what it came to")])
        else:
            terminal.note(_('No conversations yet. Start one with: bramble ask "what is in this folder"'))
        return exits.DONE

    return run(terminal, work)


def title(info: SessionInfo) -> str:
    """Return the title that a person sees."""
    return info.title or _("New conversation")


@sessions.command()
@click.argument("session", metavar="ID")
@json_option
@click.pass_obj
def show(terminal: Terminal, session: str) -> int:
    """Show a conversation."""

    async def work(engine: Engine) -> int:
        info = await engine.sessions.get(session)
        found = await engine.sessions.messages(session)
        helpers = await engine.sessions.helpers(session)
        if terminal.json_wanted:
            terminal.json({"session": info, "messages": found, "helpers": helpers})
        else:
            terminal.out.line(terminal.out.styled(one_line(title(info)), "strong"))
            for message in found:
                write_message(terminal.out, message)
            if left := untold(helpers, found):
                terminal.out.line()
                terminal.out.line(terminal.out.styled(_("Helpers whose call did not end:"), "muted"))
                write_helpers(terminal.out, left)
        return exits.DONE

    return run(terminal, work, {"session": None, "messages": []})


def write_message(out: Channel, message: Message) -> None:
    """Write one message as people read a conversation: who, then what."""
    if message.role == "tool":
        words = " ".join(filter(None, [verb(message.verb) or message.tool, message.subject]))
        result = summary(message.summary) or one_line(message.text, 60)
        out.line(out.styled("  " + one_line(f"{words} · {result}", out.width - 2), "muted"))
        write_helpers(out, helpers_of(message.view))
        return
    if not message.text.strip() and message.problem is None:
        return
    if message.role == "summary":
        out.line()
        out.line(out.styled(summarised_text(message), "muted"))
        return
    who = _("You") if message.role == "user" else "Bramble"
    out.line()
    out.line(out.styled(who, "accent"))
    words = own_words(message.text) if message.role == "user" else message.text
    if words.strip():
        out.line(clean(words).rstrip("\n"))
    brings = attached_line(message.text) if message.role == "user" else ""
    if brings:
        out.line(out.styled(one_line(brings), "muted"))
    if message.problem is not None:
        out.line(out.styled(one_line(problem_text(message.problem).title), "caution"))
    elif message.state in BROKEN_OFF:
        out.line(out.styled(_("The answer broke off here."), "caution"))


BROKEN_OFF = ("stopped", "failed")


@sessions.command()
@click.argument("text", nargs=-1, required=True)
@json_option
@click.pass_obj
def search(terminal: Terminal, text: tuple[str, ...]) -> int:
    """Find messages that hold the words."""

    async def work(engine: Engine) -> int:
        found = await engine.sessions.search(" ".join(text))
        if terminal.json_wanted:
            terminal.json([{**_plain(hit), "snippet": unmarked(hit.snippet)} for hit in found])
        elif found:
            rows = [[hit.session, one_line(hit.title), unmarked(hit.snippet)] for hit in found]
            write_table(terminal.out, rows, ["id", _("title"), _("where")])
        else:
            terminal.note(_("Nothing found."))
        return exits.DONE

    return run(terminal, work)


def _plain(hit: SearchHit) -> dict[str, object]:
    return {"session": hit.session, "message": hit.message, "title": hit.title, "created": hit.created}


def unmarked(snippet: str) -> str:
    """Return a snippet without the marks around the words that were found."""
    return snippet.replace("\u2068", "").replace("\u2069", "")


@sessions.command()
@click.argument("session", metavar="ID")
@click.option(
    "--format", "form", type=click.Choice(["md", "html", "json"]), default="md", help="What to write."
)
@json_option
@click.pass_obj
def export(terminal: Terminal, session: str, form: Literal["md", "html", "json"]) -> int:
    """Write a conversation to stdout."""

    async def work(engine: Engine) -> int:
        text: str = await engine.sessions.export(session, form)
        if terminal.json_wanted and form != "json":
            terminal.json({"id": session, "format": form, "text": text})
        else:
            terminal.out.line((clean(text) if terminal.out.terminal else text).rstrip("\n"))
        return exits.DONE

    return run(terminal, work, {"id": session, "format": form, "text": ""})


@sessions.command("import", short_help="Read conversations that were exported.")
@click.argument("file", metavar="FILE")
@json_option
@click.pass_obj
def import_session(terminal: Terminal, file: str) -> int:
    """Read conversations that were exported, here or elsewhere; - reads stdin."""

    async def work(engine: Engine) -> int:
        made = await engine.sessions.import_all(_file_text(file))
        return _done(terminal, made[0].id, one_line(brought_text(made)))

    return run(terminal, work, {"ok": False, "id": ""})


def _file_text(name: str) -> str:
    from pathlib import Path

    from ui.terminal.session import stdin_text

    if name == "-":
        return stdin_text()
    try:
        return Path(name).read_bytes().removeprefix(b"\xef\xbb\xbf").decode("utf-8", "surrogateescape")
    except OSError as error:
        raise Trouble("not_found", detail=str(error), exit=exits.WRONG_USE, path=name) from error


def _done(terminal: Terminal, session: str, words: str) -> int:
    if terminal.json_wanted:
        terminal.json({"ok": True, "id": session})
    else:
        terminal.out.line(f"{session}\t{words}" if not terminal.out.terminal else f"{words} ({session})")
    return exits.DONE


@sessions.command()
@click.argument("session", metavar="ID")
@click.argument("title", nargs=-1, required=True)
@json_option
@click.pass_obj
def rename(terminal: Terminal, session: str, title: tuple[str, ...]) -> int:
    """Give a conversation another title."""

    async def work(engine: Engine) -> int:
        await engine.sessions.rename(session, " ".join(title))
        return _done(terminal, session, _("Renamed."))

    return run(terminal, work, {"ok": False, "id": session})


@sessions.command()
@click.argument("session", metavar="ID")
@json_option
@click.pass_obj
def delete(terminal: Terminal, session: str) -> int:
    """Delete a conversation; `restore` brings it back."""

    async def work(engine: Engine) -> int:
        await engine.sessions.delete(session)
        words = _("Deleted. Bring it back with: bramble sessions restore {id}").replace("{id}", session)
        return _done(terminal, session, words)

    return run(terminal, work, {"ok": False, "id": session})


@sessions.command()
@click.argument("session", metavar="ID")
@json_option
@click.pass_obj
def restore(terminal: Terminal, session: str) -> int:
    """Bring a deleted conversation back."""

    async def work(engine: Engine) -> int:
        await engine.sessions.restore(session)
        return _done(terminal, session, _("Restored."))

    return run(terminal, work, {"ok": False, "id": session})

"""`bramble tools`: list all, find one by plain words, run one through the normal permission check."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import click

from app.daily_records import Inquiry
from app.events import ToolFinished
from app.records import Approval, TurnOptions
from ui.terminal import exits
from ui.terminal.clean import one_line
from ui.terminal.commands import cwd_option, fixture_option, json_option, rights_options
from ui.terminal.fixtures import add_fixture
from ui.terminal.output import Terminal
from ui.terminal.session import argument_text, attended, only_by_a_person, run, working_folder
from ui.terminal.table import write_table
from ui.words import _

if TYPE_CHECKING:
    from app.engine import Engine


SERVERS_SECONDS = 5.0
"""How long a listing waits for servers that are not connected yet."""


@click.group()
def tools() -> None:
    """List the tools, find one, or run one."""


@tools.command("list")
@fixture_option
@click.option("--own", is_flag=True, help="Only your own one-file tools, also those that are not on.")
@json_option
@click.pass_obj
def list_tools(terminal: Terminal, own: bool, fixture: str) -> int:
    """List all tools."""
    from ui.terminal import own_tools

    async def work(engine: Engine) -> int:
        if own:
            return await own_tools.show_list(terminal, engine)
        await _look(terminal, engine, fixture)
        found = engine.tools()
        if terminal.json_wanted:
            terminal.json(list(found))
        else:
            rows = [
                [
                    tool.name,
                    tool.category,
                    _("reads") if tool.read_only else _("changes"),
                    _("always on") if tool.state == "always" else _("when needed"),
                    str(tool.tokens),
                    tool.summary,
                ]
                for tool in found
            ]
            write_table(
                terminal.out, rows, [_("name"), _("category"), "", _("sent"), _("tokens"), _("what it does")]
            )
            await own_tools.remind(terminal, engine)
        return exits.DONE

    return run(terminal, work)


async def _look(terminal: Terminal, engine: Engine, fixture: str) -> None:
    """Take in the tools that are not ours, and say which servers were not there in time."""
    late = await engine.look_for_tools(SERVERS_SECONDS)
    await add_fixture(terminal, engine, fixture)
    if late:
        words = _("These servers are still connecting, and their tools are left out: {names}")
        terminal.note(one_line(words.replace("{names}", ", ".join(late))), "caution")


@tools.command("find")
@click.argument("query", nargs=-1)
@click.option("--explain", is_flag=True, help="Say why each tool was found.")
@click.option("--jsonl", is_flag=True, help='Read {"query": ...} lines from stdin, answer one line each.')
@fixture_option
@click.option("--catalogue", metavar="FILE", help="Rank over a JSON list of name, description, category.")
@json_option
@click.pass_obj
def find_tools(
    terminal: Terminal,
    query: tuple[str, ...],
    explain: bool,
    jsonl: bool,
    catalogue: str | None,
    fixture: str,
) -> int:
    """Find the tools that fit plain words, in any language."""
    from ui.terminal import finding

    if not query and not jsonl:
        raise click.UsageError(_("Say what you need, or give queries with --jsonl."))
    if query and jsonl:
        raise click.UsageError(_("With --jsonl the queries come from stdin."))

    rows = None if catalogue is None else finding.read_catalogue(catalogue)

    async def work(engine: Engine) -> int:
        if rows is None:
            await _look(terminal, engine, fixture)
        find = engine.tool_finder(rows)
        if jsonl:
            return await finding.answer_queries(find, terminal, explain=explain)
        return finding.show(terminal, find(" ".join(query)), explain=explain)

    return run(terminal, work, {"tools": []})


@tools.command("misses")
@click.option("--clear", is_flag=True, help="Forget all counts and misses.")
@json_option
@click.pass_obj
def misses(terminal: Terminal, clear: bool) -> int:
    """List what was searched for and not found."""
    from ui.terminal import misses as lines

    async def work(engine: Engine) -> int:
        return await (lines.clear if clear else lines.show)(engine, terminal)

    return run(terminal, work)


@tools.command()
@click.argument("name")
@json_option
@click.pass_obj
def new(terminal: Terminal, name: str) -> int:
    """Write a one-file tool of your own, for you to change."""
    from ui.terminal import own_tools

    return run(terminal, lambda engine: own_tools.new(terminal, engine, name), {"ok": False, "problems": []})


@tools.command()
@click.argument("path", metavar="PATH")
@json_option
@click.pass_obj
def check(terminal: Terminal, path: str) -> int:
    """Check a one-file tool, and name each fault with its line."""
    from ui.terminal import own_tools

    return run(
        terminal, lambda engine: own_tools.check(terminal, engine, path), {"ok": False, "problems": []}
    )


@tools.command()
@click.argument("name")
@json_option
@click.pass_obj
def show(terminal: Terminal, name: str) -> int:
    """Show what a tool does and takes; of a tool of your own its source."""
    from ui.terminal import own_tools, tool_page

    async def work(engine: Engine) -> int:
        await _look(terminal, engine, "")
        if any(one.name == name for one in await engine.own_tools.list()):
            return await own_tools.show(terminal, engine, name)
        if tool_page.show(terminal, engine, name):
            return exits.DONE
        return await own_tools.show(terminal, engine, name)

    return run(terminal, work)


@tools.command()
@click.argument("name")
@click.option("--yes", is_flag=True, help="Trust it as it is without being asked.")
@json_option
@click.pass_obj
def trust(terminal: Terminal, name: str, yes: bool) -> int:
    """Let models call a tool of your own, exactly as its file is now."""
    from ui.terminal import own_tools

    return run(
        terminal,
        lambda engine: own_tools.trust(terminal, engine, name, yes=yes),
        {"ok": False, "name": name, "hash": ""},
    )


@tools.command()
@click.argument("name")
@json_option
@click.pass_obj
def forget(terminal: Terminal, name: str) -> int:
    """Trust a tool of your own no longer. Its file stays."""
    from ui.terminal import own_tools

    return run(terminal, lambda engine: own_tools.forget(terminal, engine, name), {"ok": False, "name": name})


def _switch(word: str, words: str) -> None:
    """Make the command that switches an own tool on or off."""

    @click.argument("name")
    @json_option
    @click.pass_obj
    def act(terminal: Terminal, name: str) -> int:
        from ui.terminal import own_tools

        on = word == "on"
        return run(terminal, lambda engine: own_tools.switch(terminal, engine, name, on=on), {"ok": False})

    tools.command(word, help=words)(act)


_switch("on", "Offer a tool of your own that you trust to models again.")
_switch("off", "Offer a tool of your own no longer; it stays trusted.")


@tools.command("call")
@click.argument("tool")
@click.option(
    "--args",
    "arguments",
    metavar="JSON",
    default="{}",
    help="The arguments as JSON; - reads them from stdin.",
)
@cwd_option
@rights_options
@json_option
@click.pass_obj
def call(
    terminal: Terminal,
    tool: str,
    arguments: str,
    cwd: str | None,
    yes: bool,
    allow: tuple[str, ...],
    deny: tuple[str, ...],
) -> int:
    """Run one tool, asking first where a rule does not allow it."""
    from ui.terminal import own_tools, tool_page
    from ui.terminal.results import write_result

    text = argument_text(arguments)
    options = TurnOptions(yes=yes, allow=allow, deny=deny, attended=attended(terminal))

    async def work(engine: Engine) -> int:
        only_by_a_person(bool(yes or allow))
        finished = await _call(engine, terminal, tool, text, working_folder(cwd, needed=True), options)
        if terminal.json_wanted:
            terminal.json(form(finished))
        else:
            write_result(terminal.out, finished)
        await own_tools.remind(terminal, engine, only=tool)
        if finished.decision == "ask" and not finished.ok:
            folder = working_folder(cwd, needed=True)
            await tool_page.say_what_would_allow(terminal, engine, (tool, text, folder), options)
        return exit_of(finished)

    return run(terminal, work, {"ok": False, "result": "", "decision": "", "undo": None})


async def _call(
    engine: Engine, terminal: Terminal, tool: str, text: str, folder: str, options: TurnOptions
) -> ToolFinished:
    """Run the tool, with the person at hand where there is a terminal."""
    from ui.terminal.approving import AnswerLines, Asker
    from ui.terminal.signals import interrupts

    def mine(one: Approval | Inquiry) -> bool:
        """Whether a question is one of this call, which belongs to no conversation."""
        return one.session == "" and (isinstance(one, Inquiry) or (one.tool, one.cwd) == (tool, folder))

    asker = Asker(terminal, engine, AnswerLines(terminal), mine)
    unsubscribe = engine.subscribe(asker.take)
    asking = asyncio.create_task(asker.run())
    calling: asyncio.Task[Any] = asyncio.create_task(
        engine.call_tool(tool, text, cwd=folder, options=options)
    )

    def cancel() -> None:
        calling.cancel()

    try:
        with interrupts(cancel):
            finished: ToolFinished = await calling
            return finished
    except asyncio.CancelledError:
        raise KeyboardInterrupt from None
    finally:
        unsubscribe()
        asking.cancel()
        await asyncio.gather(asking, return_exceptions=True)


def form(finished: ToolFinished) -> dict[str, Any]:
    """Return the result of a call as the contract has it."""
    return {
        "ok": finished.ok,
        "result": finished.text,
        "decision": finished.decision,
        "undo": finished.undo or None,
        "seconds": round(finished.seconds, 3),
    }


def exit_of(finished: ToolFinished) -> int:
    """Return the exit code of a call."""
    if finished.ok:
        return exits.DONE
    if finished.decision == "ask":
        return exits.NO_APPROVAL
    return exits.of_problem(finished.code)

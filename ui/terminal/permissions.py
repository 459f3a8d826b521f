"""`bramble permissions`: the saved rules, and the decision on a call and why, running nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from app.records import Decision, DecisionKind, Mark, RuleFault, RuleInfo, Scope, TurnOptions
from ui.places import tilde
from ui.terminal import exits
from ui.terminal.clean import visible
from ui.terminal.commands import cwd_option, json_option
from ui.terminal.output import Terminal
from ui.terminal.session import Trouble, argument_text, only_by_a_person, run, working_folder
from ui.terminal.table import write_table
from ui.trust import rule_text
from ui.words import _, reason_text

if TYPE_CHECKING:
    from app.engine import Engine

UNTRUSTED = Mark(kind="other", name="--untrusted")
"""What --untrusted puts into the context."""
_NO_RULE = {"ok": False, "id": ""}


@click.group()
def permissions() -> None:
    """See and change what may happen without asking, and why."""


@permissions.command("list", short_help="List the saved rules.")
@json_option
@click.pass_obj
def list_rules(terminal: Terminal) -> int:
    """List the saved rules, and on stderr the lines of their file that cannot be used."""

    async def work(engine: Engine) -> int:
        rules, faults = await engine.rules.list()
        if terminal.json_wanted:
            terminal.json(list(rules))
        elif rules:
            rows = [[one.id, one.decision, visible(one.rule, lines=False), place_text(one)] for one in rules]
            write_table(terminal.out, rows, ["id", _("does"), _("rule"), _("where")])
        else:
            terminal.note(_("There are no rules yet."))
        for fault in faults:
            terminal.note(fault_text(fault), "caution")
        if faults or not terminal.json_wanted:
            terminal.note(visible(str(engine.rules.path), lines=False))
        return exits.DONE

    return run(terminal, work)


def place_text(rule: RuleInfo) -> str:
    """Return where a rule holds, in a few words."""
    words = {
        "project": _("in {place} and below"),
        "session": _("in the conversation {place}"),
    }.get(rule.scope, _("always"))
    return words.replace("{place}", visible(tilde(rule.place), lines=False))


def fault_text(fault: RuleFault) -> str:
    """Return what is wrong with a line of the file, or with all of it."""
    if not fault.line:
        return _("The rules cannot be read: {why}").replace("{why}", visible(fault.why, lines=False))
    words = _("Line {line} does not hold: {why}").replace("{line}", str(fault.line))
    return f"{words.replace('{why}', visible(fault.why, lines=False))} [{visible(fault.text, lines=False)}]"


@permissions.command()
@click.argument("rule", required=False, metavar="RULE")
@click.option("--deny", "decision", flag_value="deny", help="It never happens.")
@click.option("--ask", "decision", flag_value="ask", help="It is asked about each time.")
@click.option(
    "--project",
    is_flag=False,
    flag_value=".",
    metavar="[DIR]",
    help="Only in this folder (or DIR).",
)
@click.option("--session", metavar="ID", help="Only in this conversation.")
@json_option
@click.pass_obj
def add(
    terminal: Terminal, rule: str | None, decision: str | None, project: str | None, session: str | None
) -> int:
    """Save a rule. RULE reads TOOL(PATTERN), such as 'run_command(git status)' or 'write_file(docs/**)'."""
    rule, project = _rule_and_folder(rule, project)
    if project is not None and session is not None:
        raise click.UsageError(_("--project and --session do not go together."))
    kind: DecisionKind = decision or "allow"  # type: ignore[assignment]
    scope: Scope = "project" if project is not None else "session" if session is not None else "always"

    async def work(engine: Engine) -> int:
        only_by_a_person(True)
        saved = await engine.rules.add(kind, rule, scope, project or session or "")
        _say_saved(terminal, saved)
        if not any(one.name == rule.partition("(")[0].strip() for one in engine.tools()):
            terminal.note(_("No tool of this name is here now, so it holds for nothing yet."))
        return exits.DONE

    return run(terminal, work, _NO_RULE)


def _rule_and_folder(rule: str | None, project: str | None) -> tuple[str, str | None]:
    """Return both as they were meant: `--project RULE` takes the rule for its folder. Raises UsageError."""
    if rule is not None:
        return rule, project
    if project is None or not project.endswith(")"):
        raise click.UsageError(_("Name the rule: bramble permissions add RULE --project [DIR]"))
    return project, "."


@permissions.command()
@click.argument("id", metavar="ID")
@json_option
@click.pass_obj
def remove(terminal: Terminal, id: str) -> int:
    """Take a rule out again."""

    async def work(engine: Engine) -> int:
        only_by_a_person(True)
        if not await engine.rules.remove(id):
            raise Trouble("no_rule", id=id)
        if terminal.json_wanted:
            terminal.json({"ok": True, "id": id})
        else:
            terminal.out.line(_("Taken out."))
        return exits.DONE

    return run(terminal, work, {"ok": False, "id": id})


@permissions.command()
@click.argument("id", metavar="ID")
@click.argument("rule")
@json_option
@click.pass_obj
def edit(terminal: Terminal, id: str, rule: str) -> int:
    """Give a rule other words, in its place."""

    async def work(engine: Engine) -> int:
        only_by_a_person(True)
        _say_saved(terminal, await engine.rules.edit(id, rule))
        return exits.DONE

    return run(terminal, work, {"ok": False, "id": id})


def _say_saved(terminal: Terminal, saved: RuleInfo) -> None:
    if terminal.json_wanted:
        terminal.json({"ok": True, **rule_form(saved)})
        return
    terminal.out.line(f"{rule_text(saved.decision, saved.rule)} ({place_text(saved)})")
    terminal.note(saved_text(saved))


def saved_text(saved: RuleInfo) -> str:
    """Return how to take a saved rule back, on one line."""
    words = _("Saved: {rule}. To take it back: bramble permissions remove {id}")
    return words.replace("{rule}", visible(saved.rule, lines=False)).replace("{id}", saved.id)


def rule_form(rule: RuleInfo) -> dict[str, Any]:
    """Return a rule as JSON has it."""
    return {
        "id": rule.id,
        "decision": rule.decision,
        "rule": rule.rule,
        "scope": rule.scope,
        "place": rule.place,
        "line": rule.line,
    }


@permissions.command()
@click.option("--tool", metavar="TOOL", help="The tool that would be called.")
@click.option(
    "--args",
    "arguments",
    metavar="JSON",
    default="{}",
    help="Its arguments as JSON; - reads them from stdin.",
)
@cwd_option
@click.option("--session", metavar="ID", default="", help="As a call of this conversation, in its folder.")
@click.option("--allow", multiple=True, metavar="RULE", help="Add an allowing rule for this question.")
@click.option("--deny", multiple=True, metavar="RULE", help="Add a refusing rule for this question.")
@click.option("--unattended", is_flag=True, help="As if nobody were there to answer.")
@click.option("--untrusted", is_flag=True, help="As if the conversation held text from strangers.")
@click.option(
    "--jsonl",
    is_flag=True,
    help='Answer one question a line from stdin: {"tool","args","cwd","session","allow":[],"deny":[]}.',
)
@json_option
@click.pass_obj
def explain(
    terminal: Terminal,
    tool: str | None,
    arguments: str,
    cwd: str | None,
    session: str,
    allow: tuple[str, ...],
    deny: tuple[str, ...],
    unattended: bool,
    untrusted: bool,
    jsonl: bool,
) -> int:
    """Show the decision on a call. Nothing is run."""
    marks = (UNTRUSTED,) if untrusted else ()
    options = TurnOptions(allow=allow, deny=deny, attended=not unattended, marks=marks)
    if jsonl:
        from ui.terminal.explaining import answer_lines

        return run(terminal, lambda engine: answer_lines(engine, terminal, cwd, session, options))
    if tool is None:
        raise click.UsageError(_("Name the tool with --tool, or give questions with --jsonl."))
    text = argument_text(arguments)

    async def work(engine: Engine) -> int:
        folder = await folder_of(engine, cwd, session)
        found: Decision = await engine.explain(tool, text, cwd=folder, options=options, session=session)
        if terminal.json_wanted:
            terminal.json(decision_form(found))
        else:
            _write(terminal, found)
        return exits.DONE

    return run(terminal, work, {"decision": "ask", "reason": "", "rule": "", "parts": []})


async def folder_of(engine: Engine, cwd: str | None, session: str) -> str:
    """Return the folder of a call: the one that was given, else that of its conversation, else this one.

    Raises Trouble (no_folder, bad_folder) and BrambleError (no_session).
    """
    if cwd is None and session:
        return (await engine.sessions.get(session)).cwd
    return working_folder(cwd, needed=True)


def decision_form(found: Decision) -> dict[str, Any]:
    """Return a decision as the contract has it; what is seldom there only where it is."""
    form: dict[str, Any] = {
        "decision": found.decision,
        "reason": found.reason,
        "rule": found.rule,
        "parts": found.parts,
    }
    for name in ("outside", "losses", "offers", "marks"):
        if value := getattr(found, name):
            form[name] = value
    return form


def _write(terminal: Terminal, found: Decision) -> None:
    words = {"allow": _("It would run"), "ask": _("Bramble would ask"), "deny": _("It would be refused")}
    out = terminal.out
    out.line(f"{words[found.decision]}: {reason_text(found.reason)}.")
    if found.rule:
        out.line(_("Rule: {rule}").replace("{rule}", visible(found.rule, lines=False)))
    for part in found.parts:
        out.line("  " + visible(part, lines=False))
    for path in found.outside:
        out.line(_("Outside of the folder: {path}").replace("{path}", visible(path, lines=False)))
    for offer in found.offers:
        words_of_offer = visible(" + ".join(offer), lines=False)
        out.line(_("Would be allowed by: {rule}").replace("{rule}", words_of_offer))

"""Word the result of a command for the model and for the row, the same for all shell tools."""

from __future__ import annotations

from tools import CommandResult, ToolResult

_NAMED = 5
"""Paths in the line about what cannot be undone."""


def report(result: CommandResult, command: str = "") -> ToolResult:
    """Return output and state of a command; `ok` unless it failed or ran out of time."""
    output = result.output.rstrip("\n")
    state = _state(result)
    text = f"{output}\n[{state}]" if output else f"[no output; {state}]"
    return ToolResult(
        text="\n".join(filter(None, (text, _held(result), _not_kept(result)))),
        summary=_summary(result),
        ok=result.ended_by != "timeout" and (result.exit in (None, 0) or result.ended_by == "stop"),
        view="command",
        data={
            "command": command,
            "cwd": result.cwd,
            "exit": result.exit,
            "job": result.job,
            "whole": result.whole,
            "size": result.cursor,
            "layer": result.layer,
            "reach": result.reach,
            "not_kept": list(result.not_kept),
        },
        undo=result.undo,
    )


def _held(result: CommandResult) -> str:
    """Say to a command that failed what the sandbox held back, since that may be why."""
    if result.layer == "none" or result.exit in (None, 0) or result.ended_by:
        return ""
    if ".git/" in result.output and "Read-only file system" in result.output:
        return "[Ran in the sandbox: .git is writable only for a line in which nothing but git runs.]"
    if result.reach == "network":
        return "[Ran in the sandbox: it can write only in the folder. If that is why, use reach all.]"
    return (
        "[Ran in the sandbox: it can write only in the folder, without network. If that is why, use reach "
        "network or all.]"
    )


def _not_kept(result: CommandResult) -> str:
    """Name a few of the changes that cannot be taken back, so that nobody promises it."""
    if not result.not_kept:
        return ""
    more = len(result.not_kept) - _NAMED
    named = ", ".join(result.not_kept[:_NAMED])
    return f"[Changed, and cannot be undone: {named}{f', and {more} more' if more > 0 else ''}]"


def _state(result: CommandResult) -> str:
    where = f"in {result.cwd}, {result.seconds:.1f} s"
    next_read = f"job_output with job {result.job!r} and cursor {result.cursor} reads on"
    if result.exit is None and not result.ended_by:
        return f"still running as job {result.job}; {next_read}; {where}"
    if result.ended_by:
        how = "ended by its timeout" if result.ended_by == "timeout" else "stopped"
        return f"being {how} as job {result.job}; {next_read}; {where}" if result.job else f"{how}; {where}"
    if result.job:
        return f"exit {result.exit}, but it left processes running as job {result.job}; {next_read}; {where}"
    return f"exit {result.exit}; {where}"


def _summary(result: CommandResult) -> str:
    if result.ended_by:
        return "timed out" if result.ended_by == "timeout" else "stopped"
    if result.exit is None:
        return f"running as {result.job}"
    return f"exit {result.exit}"

"""What holds a call and what a rule covers, in plain sentences for both front ends: sandbox, reach, losses,
untrusted sources, rules.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import PurePath

from app.records import (
    IMPORTED,
    CommandEffect,
    DecisionKind,
    InstallEffect,
    Layer,
    Loss,
    Mark,
    ServerEffect,
)
from ui.amounts import size
from ui.language import _, later, plural
from ui.places import tilde
from ui.requests import request_rule

_FORM = re.compile(r"(?P<tool>[A-Za-z][A-Za-z0-9_.-]*)\((?P<pattern>.*)\)\Z", re.DOTALL)
_WRITERS = ("write_file", "edit_file", "edit_lines", "apply_patch")
_COMMANDS = ("run_command", "start_job")
_REQUESTING = ("web_", "http_request", "download_file", "rss_read", "weather", "github_", "photo_search")
"""Beginnings of the names of tools whose rules name a host."""
_HERE = {
    Mark(kind="other", name="clipboard"): later("the clipboard"),
    Mark(kind="other", name="screen"): later("the screen"),
}


def layer_name(layer: Layer) -> str:
    """Return the name of a sandbox for a sign, "" for none."""
    return {"bubblewrap": "bubblewrap", "landlock": "Landlock"}.get(layer, "")


def layer_text(layer: Layer) -> str:
    """Return what a sandbox holds back, in one or two sentences."""
    if layer == "bubblewrap":
        return _(
            "Commands have no network, write only in the folder of the conversation, and see neither keys "
            "nor the sockets of other programs."
        )
    if layer == "landlock":
        return _(
            "Commands write only in the folder of the conversation. This weaker sandbox cannot hide the "
            "sockets of other programs."
        )
    return _("Commands can change what you can change, and reach the network. Each one is asked about.")


def reach_text(effect: CommandEffect) -> str:
    """Return where a command would run and what it would reach."""
    if effect.layer == "none":
        return _("Runs without a sandbox: it can change whatever you can change, and it reaches the network.")
    if effect.reach == "all":
        return _(
            "Asks to run without the sandbox: it can change whatever you can change, and it reaches the "
            "network."
        )
    folder = tilde(effect.cwd)
    words = {
        ("bubblewrap", "folder"): _("Runs in the sandbox: no network, writes only in {folder}."),
        ("bubblewrap", "network"): _("Runs in the sandbox with the network, writes only in {folder}."),
        ("landlock", "folder"): _("Runs in a weaker sandbox (Landlock): writes only in {folder}."),
        ("landlock", "network"): _(
            "Runs in a weaker sandbox (Landlock) with the network, writes only in {folder}."
        ),
    }[effect.layer, effect.reach]
    return words.replace("{folder}", folder)


def install_text(effect: InstallEffect) -> str:
    """Return what a new server would start or reach, a line each: what installs it, its command or address,
    and what it would be given.
    """
    from shlex import join

    given = [f"{_('given')}: {entry}" for entry in effect.environment]
    return "\n".join(
        [*map(join, effect.steps), join(effect.command) if effect.command else effect.url, *given]
    )


def says_text(effect: ServerEffect) -> str:
    """Return what a server's tool says of itself, "" for nothing; nobody vouches for it."""
    words = {
        "reads": _("The server says that it only reads. Nobody has checked that."),
        "destroys": _("The server says that it may delete or overwrite."),
    }
    return words.get(effect.says, "")


def loss_text(loss: Loss) -> str:
    """Return what would be lost below one path: how much, and how much of it nobody else has."""
    if loss.whole:
        whole = _("all of {path}").replace("{path}", tilde(loss.path))
        return f"{whole}, {_amount(loss)}{_untracked(loss)}" if loss.items else whole
    if loss.items <= 1 and not loss_sample(loss):
        return f"{tilde(loss.path)}{_untracked(loss)}"
    return f"{_amount(loss)} {_('below {path}').replace('{path}', tilde(loss.path))}{_untracked(loss)}"


def loss_sample(loss: Loss) -> tuple[str, ...]:
    """Return the names to show under `loss_text`; none where it names the one file itself."""
    return () if loss.sample == (PurePath(loss.path).name,) else loss.sample


def _amount(loss: Loss) -> str:
    words = plural("{n} file", "{n} files", loss.items).replace(str(loss.items), f"{loss.items:,}")
    return f"{words} ({size(loss.size)})" if loss.size else words


def _untracked(loss: Loss) -> str:
    if not loss.untracked:
        return ""
    if loss.untracked >= loss.items:
        words = _("no Git repository has it") if loss.items <= 1 else _("no Git repository has any of them")
    else:
        words = plural(
            "{n} of them is in no Git repository", "{n} of them are in no Git repository", loss.untracked
        ).replace(str(loss.untracked), f"{loss.untracked:,}")
    return f"; {words}"


def mark_name(mark: Mark) -> str:
    """Return where text came from, as short as a sign needs it."""
    if mark == IMPORTED:
        return _("an imported conversation")
    if mark in _HERE:
        return _(_HERE[mark])
    return tilde(mark.name) if mark.kind in ("file", "memory") else mark.name


def marks_line(marks: Sequence[Mark], most: int = 3) -> str:
    """Return the names of the sources, "and 2 more" behind the first `most`."""
    names = list(dict.fromkeys(mark_name(mark) for mark in marks))
    if len(names) > most:
        return ", ".join(names[:most]) + " " + plural("and {n} more", "and {n} more", len(names) - most)
    return ", ".join(names)


def marks_text(marks: Sequence[Mark]) -> str:
    """Return what the untrusted sources of a conversation switch off; all of them are named."""
    words = _(
        "This conversation holds text from {sources}, which nobody vouches for. So no rule answers for you "
        "here: what leaves this computer, and what gives later instructions, is asked about."
    )
    return words.replace("{sources}", marks_line(marks, len(marks)))


def rule_parts(rule: str) -> tuple[str, str] | None:
    """Return tool and pattern of a rule, None where it is not TOOL(PATTERN)."""
    found = _FORM.match(rule.strip())
    if not found or not found["pattern"].strip():
        return None
    return found["tool"], found["pattern"].strip()


def covers(rule: str) -> str:
    """Return what a rule speaks of, as the end of a sentence: "commands that begin with npm run"."""
    parts = rule_parts(rule)
    if parts is None:
        return _("nothing: a rule reads TOOL(PATTERN), such as run_command(git status)")
    tool, pattern = parts
    if tool in _COMMANDS:
        return _command(pattern)
    if tool in _WRITERS:
        one, below, every = (
            _("every change of {path}"),
            _("every change below {path}"),
            _("every change of a file"),
        )
        return _place(pattern, one, below, every)
    if tool.startswith(_REQUESTING):
        return request_rule(tool, pattern)
    if pattern == "*":
        return _("every call of {tool}").replace("{tool}", tool)
    if tool.startswith("git_") and not pattern.startswith(("/", "~", "*")):  # what Git would do, no path
        words = _("{tool} where it does just this: {what}")
        return words.replace("{tool}", tool).replace("{what}", pattern)
    one, below = _("{tool} on {path}"), _("{tool} on everything below {path}")
    return _place(pattern, one, below, _("every call of {tool}")).replace("{tool}", tool)


def _command(pattern: str) -> str:
    if pattern == "*":
        return _("every command, whatever it does")
    if pattern.endswith(" *"):
        return _("every command that begins with {words}").replace("{words}", pattern[:-2].strip())
    return _("exactly the command {words}, with no other words").replace("{words}", pattern)


def _place(pattern: str, one: str, below: str, every: str) -> str:
    if pattern == "*":
        return every
    if pattern in ("**", "./**"):
        return below.replace("{path}", _("the folder of the conversation"))
    if pattern.endswith("/**"):
        return below.replace("{path}", tilde(pattern[:-3] or "/"))
    return one.replace("{path}", tilde(pattern))


def rule_text(decision: DecisionKind, rule: str) -> str:
    """Return what a rule does, as a sentence."""
    words = {
        "allow": _("Runs without a question: {what}."),
        "ask": _("Is asked about each time: {what}."),
        "deny": _("Never happens: {what}."),
    }[decision]
    return words.replace("{what}", covers(rule))

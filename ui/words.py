"""Words for people, for both front ends: problems, reasons, verbs in plain sentences, and the one `_()`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from app.records import Problem, SessionInfo
from ui.amounts import ago, clock, day, duration, money, size, tokens, wait
from ui.language import _, as_called, language, languages, later, plural, use_language

__all__ = [
    "ProblemText",
    "_",
    "ago",
    "as_called",
    "clock",
    "day",
    "duration",
    "language",
    "languages",
    "later",
    "mode_text",
    "money",
    "plural",
    "problem_text",
    "reason_text",
    "size",
    "state_text",
    "stop_text",
    "summary",
    "tokens",
    "use_language",
    "verb",
    "wait",
]


class ProblemText(NamedTuple):
    """A problem for a person's eye: what happened, what to do, and the one button that helps.

    `action` is one of `ui.problems.ACTIONS` (such as open_settings_key, pick_folder, run_again, pick_model,
    wait, restore_store, none); `action_label` is "" for none.
    """

    title: str
    detail: str
    action: str
    action_label: str


_ERRNO = re.compile(r"\[(?:Errno -?\d+|WinError -?\d+|SSL: \w+)\] | \(_ssl\.c:\d+\)")
"""How Python surrounds the system's own words; the number tells a person nothing."""


def problem_text(problem: Problem) -> ProblemText:
    """Return the words for a problem; `detail` ends with the provider's or system's own text."""
    from ui.problems import ACTIONS, PROBLEMS

    row = PROBLEMS.get(problem.code, PROBLEMS["internal"])
    title = _filled(_(row.fuller), _with_time(problem.fields)) or _(row.title)
    if problem.code == "budget":
        from ui.spending_words import budget_title

        title = budget_title(problem.fields) or title
    own = _ERRNO.sub("", " ".join(problem.detail.split()))
    return ProblemText(title, f"{_(row.advice)} {own}".strip(), row.action, _(ACTIONS[row.action]))


def _with_time(fields: dict[str, str]) -> dict[str, str]:
    """Return the fields with `time`, which is `seconds` as people say it."""
    seconds = fields.get("seconds", "")
    return {**fields, "time": wait(float(seconds))} if seconds.isdecimal() else fields


def _filled(sentence: str, fields: dict[str, str]) -> str:
    """Return the sentence with its fields, "" when one is missing, empty or no name that a person knows."""
    names = re.findall(r"\{(\w+)\}", sentence)
    if "profile" in names and fields.get("profile") == "env":  # the server of BRAMBLE_BASE_URL
        return ""
    if not names or not all(fields.get(name) for name in names):
        return ""
    return re.sub(r"\{(\w+)\}", lambda match: str(fields[match[1]]), sentence)


_REASONS = {
    "workspace_read": later("reading in the working folder is always allowed"),
    "question": later("it asks you something, which allows nothing"),
    "timer": later("a timer touches nothing and can be put away"),
    "own_model": later("it goes to the model of the conversation itself"),
    "own_data": later("this only concerns Bramble itself"),
    "reading": later("it only reads"),
    "no_rule": later("no rule allows it yet"),
    "rule_allow": later("a rule allows it"),
    "rule_deny": later("a rule forbids it"),
    "rule_ask": later("a rule says to ask"),
    "allow_once": later("you allowed it once"),
    "allow_session": later("you allowed it for this conversation"),
    "person": later("you decided"),
    "yes": later("you said yes to everything beforehand"),
    "unattended": later("nobody was there to ask"),
    "secret_path": later("the file may hold secrets"),
    "outside": later("it lies outside the working folder"),
    "outside_read": later("it reads outside the working folder"),
    "outside_workspace": later("it lies outside the working folder"),
    "no_workspace": later("no folder was chosen to work in"),
    "change": later("it changes files"),
    "command": later("it runs a command"),
    "request": later("it sends a request to another computer"),
    "search": later("it only asks search engines"),
    "private_host": later("it reaches this computer or your own network"),
    "server": later("it calls a program that is not part of Bramble"),
    "install": later("it adds a program of somebody else that stays"),
    "action": later("it does something to this computer"),
    "repository_programs": later("it runs programs that the repository brings"),
    "loses": later("it may throw away what nothing brings back"),
    "own_words": later("it keeps what you said, and can be taken back"),
    "forget": later("what is forgotten cannot be brought back"),
    "harmless": later("it only shows you something"),
    "bad_call": later("the tool cannot be called like this"),
    "always_ask": later("this is asked about every time, whatever the rules say"),
    "protected": later("this place is protected"),
    "steering": later("this file tells Bramble what to do"),
    "device": later("this is no ordinary file"),
    "control_characters": later("the command holds control characters"),
    "hidden_characters": later("a name holds characters that cannot be seen"),
    "destructive": later("it deletes or overwrites a lot"),
    "not_plain": later("the command is more than plain words"),
    "starter": later("it starts another command or evaluates text"),
    "redirect": later("it opens a file that no rule covers"),
    "sandboxed_read": later("it only reads, and the sandbox holds it"),
    "own_program": later("it concerns Bramble's own commands or data"),
    "git_option": later("it lets Git run other programs or write files"),
    "other_shell": later("it reads like PowerShell or cmd, which cannot be checked"),
    "dynamic": later("only the shell knows what it would run or write"),
    "lost_folder": later("it writes in a folder that only the shell knows"),
    "network_file": later("it sends or receives over the network"),
    "shadowed": later("another program may stand behind that name"),
    "hard_link": later("the file has another name somewhere else"),
    "too_long": later("it is too long to be checked"),
    "too_many": later("it has too many parts to be checked"),
    "denied_inside": later("it may run what a rule forbids"),
    "reach_all": later("it wants to run without the sandbox"),
    "second_opinion": later("two readers of the command do not agree"),
    "mode_forbids": later("this mode only reads"),
    "not_among": later("it is not among the tools of this helper"),
    "rules_unreadable": later("your rules cannot be read"),
    "untrusted": later("the conversation holds text from strangers"),
}


def reason_text(code: str) -> str:
    """Return why a decision came out as it did, as the end of a sentence; an unknown code as it is."""
    return _(_REASONS[code]) if code in _REASONS else code.replace("_", " ")


_STOPS = {
    "done": later("done"),
    "stopped": later("stopped"),
    "rounds": later("ended: the limit of model requests was reached"),
    "repeat": later("ended: the same call came back with the same result three times"),
    "budget": later("ended: the spending limit was reached"),
    "length": later("ended: the answer reached the model's length limit"),
    "cut": later("ended: the answer broke off"),
    "refused": later("ended: the model declined to answer"),
    "failed": later("failed"),
    "approval": later("ended: it needed an approval that nobody gave"),
}


def stop_text(stop: str) -> str:
    """Return how a turn ended, for a `Stop`."""
    return _(_STOPS.get(stop, stop))


def brought_text(made: Sequence[SessionInfo]) -> str:
    """Return what an import brought in."""
    if len(made) == 1:
        return _("Imported: {title}").replace("{title}", made[0].title or _("New conversation"))
    return plural("Imported {n} conversation.", "Imported {n} conversations.", len(made))


_STATES = {
    "streaming": later("being written"),
    "complete": later("complete"),
    "stopped": later("stopped"),
    "failed": later("failed"),
    "running": later("running"),
    "ended": later("ended"),
    "ok": later("works"),
    "warn": later("look at this"),
    "fail": later("does not work"),
}


def state_text(state: str) -> str:
    """Return the word for the state of a message, a job or a check."""
    return _(_STATES.get(state, state))


_MODES = {"agent": later("Agent"), "plan": later("Plan"), "chat": later("Chat")}


def mode_text(mode: str) -> str:
    """Return the name of a mode as a person sees it."""
    return _(_MODES.get(mode, mode))


def verb(text: str) -> str:
    """Return a tool's plain words ("Read file") in the person's language."""
    return _(text)


def summary(text: str) -> str:
    """Return a tool's short result ("48 files") in the person's language; numbers stay as they are."""
    numbers = re.findall(r"\d[\d,.]*", text)
    pattern = re.sub(r"\d[\d,.]*", "{n}", text)
    translated = _(pattern)
    if translated == pattern or translated.count("{n}") != len(numbers):
        return text
    for number in numbers:
        translated = translated.replace("{n}", number, 1)
    return translated

"""What a person may let happen from now on: rules for just this effect, narrowest first, each tried before it
is offered.

For commands see `shell.offers`. Nothing is offered for what a rule cannot silence, nor for deletions, since
they are to be looked at each time.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec

from app.errors import BrambleError
from app.permissions.actions import action_offers
from app.permissions.decide import decide
from app.permissions.page import checked_rule
from app.permissions.policy import Policy
from app.permissions.protected import protection
from app.permissions.requests import SEARCHED, each, request_offers, was_found
from app.permissions.shell.offers import command_offers
from app.records import (
    ActionEffect,
    CommandEffect,
    Decision,
    Effect,
    FilesEffect,
    InstallEffect,
    MemoryEffect,
    ReadEffect,
    RequestEffect,
    ServerEffect,
)

FILES_CAP = 20
"""Files of one change for which rules are offered one by one; a longer list is not read by anybody."""
_WRITERS = ("write_file", "edit_file", "edit_lines", "apply_patch")
_SAVERS = ("download_file", "image_generate", "image_edit")
_KINDS = ("new", "changed", "renamed", "copied", "folder")
_NEVER = ("steering", "protected", "secret_path", "rules_unreadable", "rule_ask", "destructive", "install")
Offer = tuple[str, ...]


def with_offers(effect: Effect, tool: str, policy: Policy, decision: Decision) -> Decision:
    """Return a decision that asks with the rules that would answer it from now on."""
    if decision.decision != "ask" or decision.offers or decision.reason in _NEVER:
        return decision
    made = [offer for offer in _made(effect, tool, policy) if allows(effect, tool, policy, offer)]
    return msgspec.structs.replace(decision, offers=tuple(dict.fromkeys(made)))


def allows(effect: Effect, tool: str, policy: Policy, rules: Sequence[str]) -> bool:
    """Whether these rules, beside those that hold, let this very effect happen without a question."""
    try:
        more = tuple(map(checked_rule, rules))
    except BrambleError:
        return False
    trial = msgspec.structs.replace(policy, allow=(*policy.allow, *more), yes=False)
    return bool(rules) and decide(effect, tool, trial).decision == "allow"


def _made(effect: Effect, tool: str, policy: Policy) -> list[Offer]:
    match effect:
        case CommandEffect(command=command, cwd=cwd, job=job):
            return [] if job or tool != "run_command" else command_offers(command, cwd, policy.cwd)
        case FilesEffect():
            return _files(effect, "write_file" if tool in _WRITERS else tool)
        case ReadEffect(path=path, secret=secret):
            return [] if secret else _read(path)
        case RequestEffect():
            return _request(effect, tool, policy)
        case ServerEffect() | MemoryEffect():
            return [(f"{tool}(*)",)]
        case InstallEffect():
            return []
        case ActionEffect(runs=runs, loses=loses):
            return [] if runs or loses else action_offers(effect, tool)


def _files(effect: FilesEffect, name: str) -> list[Offer]:
    paths = [file.path for file in effect.files]
    paths += [file.old_path for file in effect.files if file.old_path and file.kind != "copied"]
    small = all(file.kind in _KINDS and not file.items for file in effect.files)
    if not small or effect.losses or len(paths) > FILES_CAP or not all(map(_writable, paths)):
        return []
    paths = list(dict.fromkeys(paths))
    return [tuple(f"{name}({path})" for path in paths), *_below(name, paths)]


def _request(effect: RequestEffect, tool: str, policy: Policy) -> list[Offer]:
    """Return the rule for such a request, with those for the file that its answer would be written to, and
    the one for all hosts that a search found in this turn.
    """
    made = [request_offers(one, tool) for one in each(effect)]
    to_host: list[Offer] = [tuple(rule for rules in made for rule in rules)] if all(made) else []
    if not effect.also and was_found(effect, policy):
        to_host.append((f"{tool}({SEARCHED})",))
    if effect.saves is None:
        return to_host
    name = "write_file" if tool in _SAVERS else tool
    return [(*one, *other) for one in to_host for other in _files(effect.saves, name)]


def _read(path: str) -> list[Offer]:
    if not _writable(path) or protection(path):
        return []
    if os.path.isdir(path):
        whole = _below("read_file", [os.path.join(path, "x")])
        return [(f"read_file({path})",), *((f"read_file({path})", *offer) for offer in whole)]
    return [(f"read_file({path})",), *_below("read_file", [path])]


def _below(name: str, paths: Iterable[str]) -> list[Offer]:
    """Return the rule for all below the folder that holds the paths; none for home, for what holds it, and
    for a whole system.
    """
    folder = os.path.commonpath([os.path.dirname(path) for path in paths])
    home = str(Path.home().resolve())
    wide = home == folder or home.startswith(folder.rstrip("/") + "/") or len(Path(folder).parts) < 3
    return [] if wide or not _writable(folder) else [(f"{name}({folder}/**)",)]


def _writable(path: str) -> bool:
    """Whether a rule can name the path so that it means that one path and nothing else."""
    return path == path.strip() and "*" not in path and path.isprintable()

"""Fit the arguments that a model gave to a tool's parameters, reading its usual slips as they were meant."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

import msgspec

from app.errors import ToolError
from app.toolbox.complaints import quoted, shown, wanted_of, wrong
from app.toolbox.signature import (
    NOTHING,
    Parameter,
    choices,
    fields,
    item_type,
    options,
    takes_none,
    value_type,
)

_YES_NO = {"yes": True, "no": False, "on": True, "off": False, "true": True, "false": False}


def fit(
    tool: str,
    entries: tuple[Parameter, ...],
    accepts: Mapping[str, str],
    given: Mapping[str, Any],
    tail: str = "",
) -> dict[str, Any]:
    """Return `given` as the parameters want it, defaults filled in.

    `accepts` maps other spellings to names, or to LIST.FIELD, which makes one item at the end of that list.
    Raises ToolError `bad_arguments`, which names every fault and ends with `tail`.
    """
    slips = _Slips(accepts)
    values: dict[str, Any] = {}
    try:
        named = slips.named(entries, given)
        if unknown := named.keys() - {entry.name for entry in entries}:
            takes = ", ".join(entry.name for entry in entries) or "no arguments"
            slips.faults.append(f"There is no argument {quoted(unknown)}; {tool} takes {takes}.")
        values = {entry.name: _argument(entry, named.get(entry.name, NOTHING), slips) for entry in entries}
    except RecursionError:
        slips.faults.append("They are nested too deeply.")
    if slips.faults:
        text = f"The arguments of {tool} are wrong. {' '.join(slips.faults)}{tail}"
        raise ToolError("bad_arguments", text, tool=tool)
    return values


def _argument(entry: Parameter, value: Any, slips: _Slips) -> Any:
    if value is None and not takes_none(entry.type):
        value = NOTHING  # models send null for what they leave out
    if value is NOTHING:
        if entry.required:
            slips.faults.append(f"Argument `{entry.name}` is missing; it must be {wanted_of(entry.type)}.")
        return entry.default
    try:
        return msgspec.convert(slips.loose(value, entry.type, entry.name), entry.type, strict=False)
    except msgspec.ValidationError as error:
        slips.faults.append(wrong(entry, value, str(error)))
    return None


class _Slips:
    """One reading of what a model meant; what stays wrong is left for msgspec, or goes into `faults`."""

    def __init__(self, accepts: Mapping[str, str]) -> None:
        self.accepts = accepts
        self.flat = {name: target.rpartition(".")[2] for name, target in accepts.items()}
        self.faults: list[str] = []

    def named(self, entries: tuple[Parameter, ...], given: Mapping[str, Any]) -> dict[str, Any]:
        """Return the arguments under the names of the signature."""
        known = {entry.name for entry in entries}
        plain, pair = dict(given), dict[str, dict[str, Any]]()
        for name in given.keys() - known:
            target = self.accepts.get(name, self.accepts.get(_snake(name), _snake(name)))
            holder, _, field = target.partition(".")
            if field and holder in known:
                pair.setdefault(holder, {})[field] = plain.pop(name)
        for holder, item in pair.items():
            before = plain.get(holder)
            before = _from_text(before) if isinstance(before, str) else before
            plain[holder] = [*(before if isinstance(before, list) else [before] if before else []), item]
        return self.renamed(plain, known, self.accepts, "")

    def renamed(
        self, given: Mapping[str, Any], known: set[str], accepts: Mapping[str, str], path: str
    ) -> dict[str, Any]:
        """Return `given` with other spellings of known names put right."""
        named = {name: value for name, value in given.items() if name in known}
        for name, value in given.items():
            if name in known:
                continue
            target = accepts.get(name, accepts.get(_snake(name), _snake(name)))
            if target in named and named[target] != value:
                self.faults.append(
                    f"`{path}{shown(name)}` says the same as `{target}`; send only `{target}`."
                )
            else:
                named[target if target in known else name] = value
        return named

    def loose(self, value: Any, hint: Any, path: str) -> Any:
        """Return `value` as it was meant for the type `hint`."""
        members = options(hint)
        if value is None or len(members) != 1:
            return value
        kind = members[0]
        if isinstance(value, str):
            value = _loose_text(value, kind)
        elif kind is str:
            return json.dumps(value) if isinstance(value, (bool, int, float)) else value
        item = item_type(kind)
        if item is not NOTHING:
            many = value if isinstance(value, (list, tuple)) else [value]
            return [self.loose(entry, item, f"{path}[{index}]") for index, entry in enumerate(many)]
        return self.loose_object(value, kind, path) if isinstance(value, dict) else value

    def loose_object(self, value: dict[str, Any], kind: Any, path: str) -> Any:
        """Return an object with its fields put right."""
        known = {entry.name: entry.type for entry in fields(kind)}
        if not known:
            free = value_type(kind)
            keep = free is NOTHING or free is Any
            return value if keep else {key: self.loose(each, free, path) for key, each in value.items()}
        named = self.renamed(value, set(known), self.flat, f"{path}.")
        if unknown := named.keys() - known.keys():
            self.faults.append(f"`{path}` has no field {quoted(unknown)}; it takes {', '.join(known)}.")
        return {
            name: self.loose(each, known[name], f"{path}.{name}")
            for name, each in named.items()
            if name in known and (each is not None or takes_none(known[name]))
        }


def _loose_text(value: str, kind: Any) -> Any:
    if kind is bool:
        return _YES_NO.get(value.strip().lower(), value)
    if kind in (int, float):
        return value.strip()
    if named := choices(kind):
        same = [choice for choice in named if str(choice).lower() == value.strip().lower()]
        return same[0] if len(same) == 1 else value
    if item_type(kind) is not NOTHING or value_type(kind) is not NOTHING or fields(kind):
        return _from_text(value)
    return value


def _from_text(value: str) -> Any:
    """Return the list or object that stands as JSON in a text, else the text."""
    if value.lstrip()[:1] not in ("[", "{"):
        return value
    try:
        found = json.loads(value, strict=False)
    except (ValueError, RecursionError):
        return value
    return found if isinstance(found, (list, dict)) else value


def _snake(name: str) -> str:
    """Return timeoutS and timeout-s as timeout_s."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).replace("-", "_").lower()

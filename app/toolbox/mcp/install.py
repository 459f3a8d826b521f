"""Turns an offer of the registry and typed values into what is saved and run: an exact command without a
shell, or an address, with secrets kept apart.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Literal

import msgspec

from app.errors import ToolError
from app.mcp_offers import Field, Offer, Slot, Way
from app.record import Record
from app.toolbox.mcp.spec import START_SECONDS, ServerSpec

Values = Mapping[str, str | Sequence[str]]
"""Key of a field -> its value, or several where the field is repeated. "" counts as not given."""
FaultCode = Literal["required", "not_number", "not_boolean", "not_choice", "not_plain", "one_only", "unknown"]
LONGEST_VALUE = 8_000
FETCHING_SECONDS = 180.0
"""For a start: at the first one the runner fetches the package, over a slow network too."""
_IN_BRACES = re.compile(r"\{([^{}]{1,80})\}")
_NUMBER = re.compile(r"-?\d+(\.\d+)?")
_TRUE, _FALSE = ("true", "yes", "on", "1"), ("false", "no", "off", "0")


class Plan(Record, kw_only=True):
    """What an installation would do. Nothing has happened yet; a person sees `command` and `steps` first."""

    id: str
    origin: str
    """Registry name and version, such as io.github.somebody/weather@1.2.3."""
    command: tuple[str, ...] = ()
    env: dict[str, str] = msgspec.field(default_factory=dict)
    secret_env: dict[str, str] = msgspec.field(default_factory=dict)
    """For the store of secrets, never for a file that is shown."""
    url: str = ""
    headers: dict[str, str] = msgspec.field(default_factory=dict)
    secret_headers: dict[str, str] = msgspec.field(default_factory=dict)
    steps: tuple[tuple[str, ...], ...] = ()
    """Commands that install it first, see `preparing`."""
    package: str = ""
    version: str = ""


def pick(offer: Offer, way: str = "") -> Way:
    """Return a way by its id, the best one without. Raises ToolError bad_arguments, unsupported."""
    if way:
        found = next((one for one in offer.ways if one.id == way), None)
        if found is None:
            known = ", ".join(one.id for one in offer.ways) or "none"
            raise ToolError(
                "bad_arguments", f"{offer.name} has no way {way!r}. There are: {known}.", tool=way
            )
    else:
        found = next(iter(offer.ways), None)
    if found is None or not found.usable:
        why = f": {found.why.replace('_', ' ')}" if found else ""
        raise ToolError("unsupported", f"{offer.name} cannot be used here{why}.", title=offer.name)
    return found


def faults(way: Way, values: Values) -> dict[str, FaultCode]:
    """Return what is wrong with the values, by the key of their field; empty when all is well."""
    known = {field.key: field for field in way.fields}
    found: dict[str, FaultCode] = {key: "unknown" for key in values if key not in known}
    for field in way.fields:
        code = _fault(field, values)
        if code:
            found[field.key] = code
    return found


def _fault(field: Field, values: Values) -> FaultCode | None:
    given = _given(field, values)
    if not given:
        return "required" if field.required else None
    if len(given) > 1 and not field.repeated:
        return "one_only"
    for value in given:
        if len(value) > LONGEST_VALUE or not _plain(value, lines=field.place == "env"):
            return "not_plain"
        if field.choices and value not in field.choices:
            return "not_choice"
        if field.kind == "number" and not _NUMBER.fullmatch(value):
            return "not_number"
        if field.kind == "boolean" and value.lower() not in _TRUE + _FALSE:
            return "not_boolean"
    return None


def _plain(value: str, *, lines: bool) -> bool:
    return all(letter.isprintable() or (lines and letter in "\n\t") for letter in value)


def _given(field: Field, values: Values) -> list[str]:
    """Return the values of a field, its default where none was given, without pasted blanks."""
    value = values.get(field.key, "")
    several = [value] if isinstance(value, str) else list(value)
    return [one.strip() for one in several if one.strip()] or ([field.default] if field.default else [])


def plan(offer: Offer, way: Way, values: Values, id: str = "") -> Plan:
    """Return what installing this way with these values would do. Raises ToolError bad_arguments."""
    wrong = faults(way, values)
    if wrong:
        listed = "; ".join(f"{key}: {code.replace('_', ' ')}" for key, code in wrong.items())
        raise ToolError("bad_arguments", f"The values do not fit: {listed}.", tool=offer.name)
    return sketch(offer, way, values, id)


def sketch(offer: Offer, way: Way, values: Values, id: str = "") -> Plan:
    """Return what these values come to, also while some are missing or wrong: to be shown, not to be done."""
    given = {field.key: _given(field, values) for field in way.fields}
    arguments: list[str] = []
    env, headers = dict[str, str](), dict[str, str]()
    secret: dict[str, dict[str, str]] = {"env": {}, "header": {}}
    url = ""
    for slot in way.slots:
        filled = _filled(slot, given)
        if slot.place == "argument":
            arguments += [word for value in filled for word in _words(slot, value)]
        elif filled and slot.place == "url":
            url = filled[0]
        elif filled and slot.secret:
            secret[slot.place][slot.name] = filled[0]
        elif filled:
            (env if slot.place == "env" else headers)[slot.name] = filled[0]
    return Plan(
        id=id or offer.short,
        origin=f"{offer.name}@{offer.version}",
        command=(*way.runner, *arguments) if way.runner else (),
        env=env,
        secret_env=secret["env"],
        url=url,
        headers=headers,
        secret_headers=secret["header"],
        steps=way.steps,
        package=way.what if way.runner else "",
        version=way.version,
    )


def spec_of(made: Plan) -> ServerSpec:
    """Return the entry of the file that a plan comes to, not approved yet. All headers count as secrets."""
    return ServerSpec(
        id=made.id,
        command=made.command,
        env=made.env,
        secrets=tuple(made.secret_env),
        url=made.url,
        headers=(*made.headers, *made.secret_headers),
        package=made.package,
        version=made.version,
        start_seconds=FETCHING_SECONDS if made.command else START_SECONDS,
    )


def secrets_of(made: Plan) -> dict[str, str]:
    """Return what goes into the store of secrets: variable or header -> value."""
    return {**made.secret_env, **made.headers, **made.secret_headers}


def _filled(slot: Slot, given: Mapping[str, Sequence[str]]) -> list[str]:
    """Return what goes into a place: nothing where a field, or a name in the template, has no value."""
    if not slot.template:
        return list(given.get(slot.field, ()))
    values = {name: given.get(key, ()) for name, key in slot.variables.items()}
    if any(not value for value in values.values()):
        return []

    def value_of(match: re.Match[str]) -> str:
        name = match.group(1)
        value = values[name][0] if name in values else match.group(0)
        return _in_address(value) if slot.place == "url" and name in values else value

    return [_IN_BRACES.sub(value_of, slot.template)]


def _in_address(value: str) -> str:
    """Return a value so that it stays in its part of the address: no other path or host comes of it."""
    from urllib.parse import quote

    return quote(value, safe="")


def _words(slot: Slot, value: str) -> tuple[str, ...]:
    """Return an argument as words: --flag=value, -f value, a flag that is on alone, or the value itself."""
    if not slot.name:
        return (value,)
    if slot.kind == "boolean":
        return (slot.name,) if value.lower() in _TRUE else ()
    return (f"{slot.name}={value}",) if slot.name.startswith("--") else (slot.name, value)

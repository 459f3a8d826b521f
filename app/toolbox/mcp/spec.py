"""One MCP server as it is configured: read from an entry of the file, checked, and written again."""

from __future__ import annotations

import hashlib
import json
import math
import os
import re
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlsplit

import msgspec

from app.record import Record

CALL_SECONDS, START_SECONDS = 60.0, 30.0
"""How long a call and a start may take, where the entry names no other time."""
LONGEST_SECONDS = 3600.0
OURS = (
    "command", "args", "env", "secrets", "cwd", "url", "headers", "enabled", "timeout", "startTimeout",
    "package", "version", "approved", "pinned",
)  # fmt: skip
"""Keys of an entry that we read and write; others are other programs'."""
_ID_CAP = 64
_HEADER = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+")  # a token of RFC 9110


class ServerSpec(Record, kw_only=True):
    """One entry: a program (`command`) or an address (`url`). With a `fault` nothing else of it counts."""

    id: str
    command: tuple[str, ...] = ()
    """The program and its arguments, word for word; there is never a shell."""
    env: Mapping[str, str] = msgspec.field(default_factory=dict)
    secrets: tuple[str, ...] = ()
    """Names of variables whose values are kept with the keys; see `secret_name`."""
    cwd: str = ""
    """Absolute; "" for an empty folder of ours."""
    url: str = ""
    headers: tuple[str, ...] = ()
    """Names of headers whose values are kept with the keys."""
    enabled: bool = True
    seconds: float = CALL_SECONDS
    """How long one call may take."""
    start_seconds: float = START_SECONDS
    """How long it may take until it is ready."""
    package: str = ""
    version: str = ""
    approved: str = ""
    """The print of what the person approved, "" for nothing yet."""
    pinned: Mapping[str, str] | None = None
    """Tool -> print of its definition, as the person agreed to it; None until it was first connected."""
    fault: str = ""

    @property
    def is_approved(self) -> bool:
        """Whether just this command, with this environment, was approved."""
        return bool(self.approved) and self.approved == print_of(self)


def print_of(spec: ServerSpec) -> str:
    """Return the print of all that decides what is started, or where it is reached and with which secrets."""
    told = [list(spec.command), dict(spec.env), spec.secrets, spec.cwd, spec.url, spec.headers, spec.version]
    return hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()


def secret_name(server: str, name: str) -> str:
    """Return under which name the keys hold the value of a variable or header of a server."""
    return f"mcp:{server}:{name}"


def spec_of(server: str, raw: Any) -> ServerSpec:
    """Return an entry as it is used; what is wrong with it stands in `fault`."""
    try:
        spec = _read(server, raw)
    except _Fault as error:
        return ServerSpec(id=server, enabled=False, fault=str(error))
    fault = fault_of(spec)
    return ServerSpec(id=server, enabled=False, fault=fault) if fault else spec


class _Fault(Exception):
    """What is wrong with an entry, as a plain English sentence."""


def _read(server: str, raw: Any) -> ServerSpec:
    if not isinstance(raw, dict):
        raise _Fault("The entry is no object.")
    command = _text(raw, "command")
    words = _texts(raw, "args")
    headers = raw.get("headers", [])
    if isinstance(headers, dict):
        raise _Fault('"headers" is a list of names; their values are kept with the keys.')
    return ServerSpec(
        id=server,
        command=(command, *words) if command else (),
        env=_pairs(raw, "env"),
        secrets=_texts(raw, "secrets"),
        cwd=_text(raw, "cwd"),
        url=_text(raw, "url"),
        headers=_texts(raw, "headers"),
        enabled=_flag(raw, "enabled", not _flag(raw, "disabled", False)),
        seconds=_seconds(raw, "timeout", CALL_SECONDS),
        start_seconds=_seconds(raw, "startTimeout", START_SECONDS),
        package=_text(raw, "package"),
        version=_text(raw, "version"),
        approved=_text(raw, "approved"),
        pinned=_pairs(raw, "pinned") if "pinned" in raw else None,
    )


def raw_of(spec: ServerSpec) -> dict[str, Any]:
    """Return the entry as it is written: only what says something."""
    raw: dict[str, Any] = {
        "command": spec.command[0] if spec.command else "",
        "args": list(spec.command[1:]),
        "env": dict(spec.env),
        "secrets": list(spec.secrets),
        "cwd": spec.cwd,
        "url": spec.url,
        "headers": list(spec.headers),
        "package": spec.package,
        "version": spec.version,
        "approved": spec.approved,
    }
    raw = {key: value for key, value in raw.items() if value}
    raw |= {} if spec.enabled else {"enabled": False}
    raw |= {} if spec.seconds == CALL_SECONDS else {"timeout": spec.seconds}
    raw |= {} if spec.start_seconds == START_SECONDS else {"startTimeout": spec.start_seconds}
    return raw if spec.pinned is None else raw | {"pinned": dict(spec.pinned)}


def fault_of(spec: ServerSpec) -> str:
    """Return what makes an entry unusable, as a plain English sentence, "" for nothing."""
    if not spec.id or len(spec.id) > _ID_CAP or not spec.id.isprintable() or spec.id != spec.id.strip():
        return f"The name of a server is 1 to {_ID_CAP} visible characters."
    if not spec.id.strip("."):  # it is a name of folders too
        return "The name of a server is more than dots."
    if bool(spec.command) == bool(spec.url):
        return "A server has either a command or a url."
    texts = [*spec.command, *spec.env, *spec.env.values(), *spec.secrets, spec.cwd, spec.url, *spec.headers]
    if any("\0" in text or not _encodes(text) for text in texts):
        return "It holds a NUL or half of a character."
    if any(not name or "=" in name for name in (*spec.env, *spec.secrets)):
        return "The name of a variable is empty or holds an equals sign."
    if not all(map(_HEADER.fullmatch, spec.headers)):
        return "The name of a header is not one that can be sent."
    return _place_fault(spec)


def _place_fault(spec: ServerSpec) -> str:
    if (
        spec.command
        and os.sep in (program := spec.command[0])
        and not os.path.isabs(os.path.expanduser(program))
    ):
        return "The command is neither a plain name nor an absolute path."
    if spec.cwd and not os.path.isabs(os.path.expanduser(spec.cwd)):
        return '"cwd" is no absolute path.'
    if spec.url:
        try:
            parts = urlsplit(spec.url)
            good = parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port or 1) > 0
        except ValueError:
            good = False
        if not good or not spec.url.isprintable():
            return "The url is no http or https address."
        if parts.username or parts.password:
            return "The url holds a password; such things are kept with the keys, as a header."
    return ""


def _encodes(text: str) -> bool:
    return not any("\ud800" <= letter <= "\udfff" for letter in text)


def _text(raw: Mapping[str, Any], key: str) -> str:
    value = raw.get(key, "")
    if value is None:
        return ""
    if not isinstance(value, str):
        raise _Fault(f'"{key}" is no text.')
    return value


def _texts(raw: Mapping[str, Any], key: str) -> tuple[str, ...]:
    value = raw.get(key) or []
    if (
        not isinstance(value, Sequence)
        or not all(isinstance(one, str) for one in value)
        or isinstance(value, str)
    ):
        raise _Fault(f'"{key}" is no list of texts.')
    return tuple(value)


def _pairs(raw: Mapping[str, Any], key: str) -> dict[str, str]:
    value = raw.get(key) or {}
    if not isinstance(value, dict) or not all(isinstance(one, str) for one in value.values()):
        raise _Fault(f'"{key}" is no object of texts.')
    return dict(value)


def _flag(raw: Mapping[str, Any], key: str, otherwise: bool) -> bool:
    value = raw.get(key, otherwise)
    if not isinstance(value, bool):
        raise _Fault(f'"{key}" is neither true nor false.')
    return value


def _seconds(raw: Mapping[str, Any], key: str, otherwise: float) -> float:
    value = raw.get(key, otherwise)
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise _Fault(f'"{key}" is no number of seconds.')
    if not 0 < value <= LONGEST_SECONDS:
        raise _Fault(f'"{key}" is a number of seconds up to {LONGEST_SECONDS:.0f}.')
    return float(value)

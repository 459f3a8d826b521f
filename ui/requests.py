"""What a web request would send, and where its answer would go, in plain words for both front ends."""

from __future__ import annotations

import json
from typing import Any

from app.records import CREDENTIAL_PARTS, SERVER_NAMES, RequestEffect
from ui.language import _
from ui.places import tilde


def request_title(effect: RequestEffect, host: str) -> str:
    """Return who wants to do what, without a full stop. `host` is the host as it may be shown."""
    if effect.saves is not None:
        words = _("Bramble wants to bring a file from {host}")
    elif effect.purpose == "search":
        words = _("Bramble wants to search the web with {host}")
    elif effect.method in ("GET", "HEAD"):
        words = _("Bramble wants to read from {host}")
    else:
        words = _("Bramble wants to send something to {host}")
    return words.replace("{host}", host)


def request_text(effect: RequestEffect) -> str:
    """Return all of what would be sent, as far as the caller sets it: address, headers, body. Values of
    headers that are credentials are masked already.
    """
    others = [_("and the same to {host}").replace("{host}", host) for host in effect.also]
    text = "\n".join((f"{effect.method} {effect.url}", *others, *effect.headers))
    return f"{text}\n\n{effect.body}" if effect.body else text


def request_cautions(effect: RequestEffect) -> list[str]:
    """Return what a person should look at before they answer."""
    if not effect.private:
        return []
    words = (
        _("{host} is this computer or one of your own network, which others cannot see.")
        if effect.private == "named"
        else _("{host} sounds like a public host, but stands on this computer or in your own network.")
    )
    return [words.replace("{host}", effect.host)]


def saves_text(effect: RequestEffect) -> str:
    """Return where the answer would be written, "" where it goes to the model alone."""
    if effect.saves is None:
        return ""
    made = [file for file in effect.saves.files if file.kind in ("new", "changed")]
    words = _("What it brings is written to {path}.")
    if any(file.kind == "changed" for file in made):
        words = _("What it brings is written to {path}; what stands there goes to the trash.")
    elif any(file.note == SERVER_NAMES for file in made):
        words = _("What it brings is written to {path}, or beside it under the name that the server gives.")
    return words.replace("{path}", ", ".join(tilde(file.path) for file in made))


def request_rule(tool: str, pattern: str) -> str:
    """Return what a rule about requests of a tool speaks of, as the end of a sentence."""
    if pattern == "searched":
        return _("every request that only reads from a host that web_search found in the same turn")
    *words, host = pattern.split()
    if pattern == "*":
        return _("every request of {tool}").replace("{tool}", tool)
    method = next((word for word in words if word != "private"), "")
    sentence = {
        "": _("every request that only reads from {host}, and from no other host"),
        "*": _("every request of any kind to {host}, and to no other host"),
    }.get(method) or _("every {method} request to {host}, and to no other host")
    if "private" in words:
        sentence = f"{sentence} {_('(also where it stands in your own network)')}"
    return sentence.replace("{method}", method).replace("{host}", host)


def shown_arguments(value: Any) -> Any:
    """Return the arguments of a call as anybody may see them: headers that are credentials are masked, also
    in a call that another one carries.
    """
    if not isinstance(value, dict):
        return value
    made = dict(value)
    if isinstance(headers := made.get("headers"), dict):
        made["headers"] = {name: _masked(name, one) for name, one in headers.items()}
    inner = made.get("arguments")
    if isinstance(inner, dict):
        made["arguments"] = shown_arguments(inner)
    elif isinstance(inner, str) and "headers" in inner:
        try:
            made["arguments"] = json.dumps(shown_arguments(json.loads(inner)), ensure_ascii=False)
        except (ValueError, RecursionError):
            return made
    return made


def _masked(name: str, value: Any) -> Any:
    return "***" if any(part in name.lower() for part in CREDENTIAL_PARTS) else value

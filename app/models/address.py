"""The address of a server as a person writes or pastes it, made into the base of its requests."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from app.models.connections import is_open

_PATHS = ("/chat/completions", "/completions", "/responses", "/messages", "/models")
_AROUND = " \t\r\n\"'<>`"


def plain_base(given: str, *, versioned: bool = False) -> str:
    """Return the base URL without what came along when it was copied: blanks, quotes, a slash at the end, the
    path of a request. Without a scheme it is http on this computer and in the own network, else https.

    `versioned` adds /v1 where no version ends it, for a protocol whose clients are given the address before
    that. What is no address is returned as it is: the first request says so.
    """
    base, mark, query = given.strip(_AROUND).split("#")[0].partition("?")
    if base and "://" not in base and re.match(r"[\w.\[\]:-]+(/|$)", base):
        base = f"{'https' if is_open(f'http://{base}') else 'http'}://{base}"
    base = base.rstrip("/")
    for path in _PATHS:
        base = base.removesuffix(path).rstrip("/")
    if versioned and base and not re.search(r"/v\d\w*$", base):
        base += "/v1"
    return f"{base}{mark}{query}" if query else base


def below(base: str, path: str) -> str:
    """Return the address of a path below a base URL. What stands there behind a question mark stays at the
    end: gateways take versions and teams so.
    """
    root, mark, query = base.partition("?")
    return f"{root}{path}{mark}{query}"


def host_of(base: str) -> str:
    """Return the host of a base URL with its port, "" for what is no address of a server."""
    try:
        parts = urlsplit(base)
        _ = parts.port
    except ValueError:
        return ""
    return parts.netloc.rpartition("@")[2] if parts.scheme in ("http", "https") and parts.hostname else ""

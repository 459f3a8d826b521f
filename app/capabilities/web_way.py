"""How web requests leave this computer, as the settings say now: what they trust, through which proxy."""

from __future__ import annotations

import ssl
from collections.abc import Callable
from typing import TYPE_CHECKING

from app.capabilities.web import Web

if TYPE_CHECKING:
    from app.capabilities.web_sending import Way
    from app.settings import Settings


def web_of(settings: Callable[[], Settings], scratch: str) -> Web:
    """Return what all web requests of a process share. Certificates are read at the first https, and again
    when the person names another file of them. Only a proxy of the settings is taken: one of the environment
    would see every address that is asked for, and nobody here chose it for that.
    """
    known: dict[str, ssl.SSLContext] = {}

    def trust() -> ssl.SSLContext:
        from app.models.connections import trusted

        file = settings().ca_file
        if file not in known:
            known.clear()
            known[file] = trusted(file)
        return known[file]

    def way() -> Way:
        from app.capabilities.web_addresses import resolve
        from app.capabilities.web_sending import Way

        proxy = settings().proxy
        return Way(resolve, trust, proxy if proxy.startswith(("http://", "https://")) else "")

    return Web(way, scratch=scratch)

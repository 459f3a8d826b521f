"""Check what a person set for the network before a request meets it: certificates, a proxy, a domain."""

from __future__ import annotations

import re
import ssl
from urllib.parse import urlsplit

from app.errors import ModelError
from app.models.copilot.place import place_of
from app.models.profile import Profile

_PROXIES = ("http", "https", "socks5", "socks5h")


def check(ca_file: str = "", proxy: str = "", domain: str = "") -> None:
    """Look whether these settings can be used; "" is always fine. Reads the file.

    Raises ModelError bad_settings whose `path` names the setting.
    """
    if ca_file:
        _check_certificates(ca_file)
    if proxy not in ("", "none"):
        _check_proxy(proxy)
    if domain:
        place_of(Profile(name="copilot"), domain)


def _check_certificates(ca_file: str) -> None:
    try:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.load_verify_locations(cafile=ca_file)
    except ssl.SSLError as error:
        raise _bad("ca_file", ca_file, "no certificates in it") from error
    except (OSError, ValueError) as error:
        raise _bad("ca_file", ca_file, getattr(error, "strerror", None) or str(error)) from error


def _check_proxy(proxy: str) -> None:
    try:
        parts = urlsplit(proxy)
        whole = parts.scheme in _PROXIES and parts.hostname and (parts.port or True)
    except ValueError:
        whole = False
    if not whole or re.search(r"\s", proxy):
        raise _bad("proxy", proxy, "not an address such as http://proxy.example:3128")
    if parts.scheme.startswith("socks"):
        _check_socks(proxy)


def _check_socks(proxy: str) -> None:
    from importlib.util import find_spec

    if find_spec("socksio") is None:
        raise _bad("proxy", proxy, "SOCKS is not built in; http:// and https:// are")


def _bad(name: str, value: str, why: str) -> ModelError:
    return ModelError("bad_settings", f"{name}: {value!r}: {why}", path=name, why=f"{value}: {why}")

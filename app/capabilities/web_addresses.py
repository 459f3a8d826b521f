"""Web addresses read once and for all, and what kind of place an address of a computer is.

Everything that judges or connects takes the parts that are read here, so that no two readers can mean two
hosts by one text.
"""

from __future__ import annotations

import asyncio
import re
import socket
import unicodedata
from collections.abc import Awaitable, Callable, Mapping, Sequence
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from typing import Literal, NamedTuple
from urllib.parse import quote, urlencode, urljoin, urlsplit

from app.errors import ToolError

Place = Literal["public", "private", "never"]
"""private: this computer or a network of its own, which an explicit rule opens. never: no host of a page."""
STANDARD = {"http": 80, "https": 443}
"""The ports that need no word of their own."""
LONGEST = 8_000
"""Characters of an address."""

_PRIVATE: tuple[IPv4Network | IPv6Network, ...] = (
    IPv4Network("127.0.0.0/8"),
    IPv4Network("10.0.0.0/8"),
    IPv4Network("172.16.0.0/12"),
    IPv4Network("192.168.0.0/16"),
    IPv4Network("100.64.0.0/10"),  # of a provider's own network; neither private nor global in Python
    IPv4Network("198.18.0.0/15"),  # what local proxies give out
    IPv6Network("::1/128"),
    IPv6Network("fc00::/7"),
)
_ANY = (IPv4Address("0.0.0.0"), IPv6Address("::"))
"""A server says that it listens there; a connection to it reaches this computer."""
_METADATA = frozenset(
    map(ip_address, ("100.100.100.200", "168.63.129.16", "fd00:ec2::254", "fd20:ce::254", "192.0.0.192"))
)
"""Where clouds give their machines keys, besides the link-local address that all have."""
_NAT64 = IPv6Network("64:ff9b::/96")
_OWN_NAT64 = IPv6Network("64:ff9b:1::/48")
"""Of one's own network (RFC 8215); where in it the other address stands is up to who runs it."""
_DOCUMENTED = IPv6Network("3fff::/20")
"""For examples alone (RFC 9637), which Python does not know yet."""
_COMPATIBLE = IPv6Network("::/96")
_LOCAL_ENDINGS = (".localhost", ".local", ".lan", ".internal", ".intranet", ".home.arpa", ".home", ".test")
"""Endings that no public host has (RFC 6761, 6762, 8375, and what home routers give out)."""
_LABEL = re.compile(r"(?!-)[a-z0-9_-]{1,63}(?<!-)\Z")
_NUMBER = re.compile(r"(?:0x[0-9a-f]*|[0-9]+)\Z")
_BARE = re.compile(r"[\w.-]+(?::[0-9]{1,5})?(?:[/?#]|\Z)|\[[0-9A-Fa-f:.]+\]")
_SAFE = "!$%&'()*+,/:;=@[]~"


class Places(NamedTuple):
    """Which places may be connected, and the error where none of a host's addresses may."""

    allowed: Callable[[Place], bool]
    refused: Callable[[str], ToolError]


Resolve = Callable[[str, int], Awaitable[Sequence[str]]]
"""Returns the addresses of a name, the best first. Raises OSError."""


class Target(NamedTuple):
    """Where a request goes. `host` is ASCII in lower case, an IPv6 address without brackets; `path` holds
    the query too.
    """

    scheme: str
    host: str
    port: int
    path: str
    place: Place
    """What the host is by its form alone; what it resolves to is looked at when it is connected."""

    @property
    def authority(self) -> str:
        """The host as it stands in an address, with a port that is not the usual one."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if STANDARD[self.scheme] == self.port else f"{host}:{self.port}"

    @property
    def url(self) -> str:
        """The whole address, in the one form that is asked about, sent and told."""
        return f"{self.scheme}://{self.authority}{self.path}"

    @property
    def origin(self) -> tuple[str, str, int]:
        """What must stay the same for credentials to be sent on."""
        return self.scheme, self.host, self.port


def read(url: str, query: Mapping[str, str] | None = None) -> Target:
    """Return the parts of an address; without a scheme it is https, in the own network http.

    Raises ToolError bad_address, which says what is wrong with it.
    """
    text = url.strip().strip("<>\"'`")
    if not text or len(text) > LONGEST:
        raise _bad(url, "it is empty" if not text else f"it is longer than {LONGEST} characters")
    if re.search(r"[\x00-\x1f\x7f]", text):  # urlsplit would drop some of them without a word
        raise _bad(url, "it holds a control character")
    if "://" not in text and _BARE.match(text):
        text = f"{_guessed(text)}://{text}"
    try:
        parts = urlsplit(text)
    except ValueError as error:
        raise _bad(url, str(error)) from None
    scheme = parts.scheme.lower()
    if scheme not in STANDARD:
        raise _bad(url, f"{scheme or 'an address without http or https'} is not taken; http and https are")
    host, port = _authority(url, parts.netloc, scheme)
    path = _path(parts.path, parts.query, query)
    return Target(scheme, host, port, path, place_by_form(host))


def joined(base: Target, location: str) -> Target:
    """Return where a redirect leads. Raises ToolError bad_address."""
    try:
        return read(urljoin(base.url, location.strip()))
    except ValueError as error:
        raise _bad(location, str(error)) from None


def place_by_form(host: str) -> Place:
    """Return what a host is as far as its name tells."""
    try:
        return place_of(ip_address(host))
    except ValueError:
        pass
    if host == "localhost" or "." not in host or host.endswith(_LOCAL_ENDINGS):
        return "private"
    return "public"


def place_of(address: IPv4Address | IPv6Address) -> Place:
    """Return what kind of place an address is; one within another is looked at as well (safety.md 2.6)."""
    if address in _METADATA:
        return "never"
    if isinstance(address, IPv6Address) and address in _OWN_NAT64:
        return "never" if "never" in map(place_of, _embedded(address)) else "private"
    if isinstance(address, IPv6Address) and (inner := _inner(address)) is not None:
        return place_of(inner)
    if address in _ANY or any(
        address in network for network in _PRIVATE if network.version == address.version
    ):
        return "private"
    site_local = isinstance(address, IPv6Address) and address.is_site_local
    special = address.is_multicast or address.is_reserved or address.is_link_local or site_local
    special = special or (isinstance(address, IPv6Address) and address in _DOCUMENTED)
    return "public" if address.is_global and not special else "never"


async def resolve(host: str, port: int) -> list[str]:
    """Return the addresses of a host as the system knows them. Raises OSError."""
    loop = asyncio.get_running_loop()
    found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return [str(entry[4][0]) for entry in found]


def _inner(address: IPv6Address) -> IPv4Address | None:
    """Return the IPv4 address that this one leads to, None where it is one of its own."""
    if address.ipv4_mapped is not None:
        return address.ipv4_mapped
    if address.sixtofour is not None:
        return address.sixtofour
    if address.teredo is not None:
        return address.teredo[1]
    if address in _NAT64 or (address in _COMPATIBLE and int(address) > 1):
        return IPv4Address(int(address) & 0xFFFFFFFF)
    return None


def _embedded(address: IPv6Address) -> tuple[IPv4Address, IPv4Address]:
    """Return what stands in an address of a translator by RFC 6052, 2.2, with a prefix of 48 and of 96 bits;
    bits 64 to 71 hold nothing.
    """
    bits = int(address)
    behind = ((bits >> 64) & 0xFFFF) << 16 | (bits >> 40) & 0xFFFF
    return IPv4Address(behind), IPv4Address(bits & 0xFFFFFFFF)


def _guessed(text: str) -> str:
    host = re.split(r"[:/?#]", text, maxsplit=1)[0] if not text.startswith("[") else "::1"
    return "http" if place_by_form(host.lower()) == "private" else "https"


def _authority(url: str, netloc: str, scheme: str) -> tuple[str, int]:
    if "@" in netloc:
        raise _bad(url, "a name and password in it are not sent; give an Authorization header")
    bracketed = re.fullmatch(r"\[([0-9A-Fa-f:.]+)\](?::([0-9]*))?", netloc)
    plain = re.fullmatch(r"([^:\[\]]+)(?::([0-9]*))?", netloc)
    found = bracketed or plain
    if found is None:
        raise _bad(url, "its host cannot be read")
    port = int(found[2] or STANDARD[scheme])
    if not 0 < port < 65_536:
        raise _bad(url, f"there is no port {port}")
    if bracketed:
        try:
            return str(IPv6Address(bracketed[1])), port
        except ValueError:
            raise _bad(url, f"{bracketed[1]} is no IPv6 address") from None
    return _host(url, found[1]), port


def _host(url: str, given: str) -> str:
    """Return a name or IPv4 address in its one form; odd ways to write numbers mean what the system takes
    them for, 0177.0.0.1 and 2130706433 too.
    """
    text = unicodedata.normalize("NFKC", given).lower().replace("\u3002", ".").removesuffix(".")
    if not text.isascii():
        text = _ascii(url, text)
    labels = text.split(".")
    if _NUMBER.match(labels[-1]):
        try:
            return socket.inet_ntoa(socket.inet_aton(text))
        except OSError:
            raise _bad(url, f"{given} is no address") from None
    if len(text) > 253 or not all(_LABEL.match(label) for label in labels):
        raise _bad(url, f"{given[:80]!r} is no name of a host")
    return text


def _ascii(url: str, text: str) -> str:
    import idna

    try:
        return idna.encode(text, uts46=True, transitional=False).decode("ascii")
    except (idna.IDNAError, UnicodeError):
        raise _bad(url, f"{text[:80]!r} is no name of a host") from None


def _path(path: str, query: str, more: Mapping[str, str] | None) -> str:
    """Return path and query in ASCII; what is encoded already stays as it is."""
    parts = "&".join(filter(None, (query, urlencode(dict(more)) if more else "")))
    made = quote(path or "/", safe=_SAFE)
    made = made if made.startswith("/") else f"/{made}"
    return f"{made}?{quote(parts, safe=_SAFE + '?')}" if parts else made


def _bad(url: str, why: str) -> ToolError:
    return ToolError("bad_address", f"{url[:200]!r} cannot be fetched: {why}.", why=why)

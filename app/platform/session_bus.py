"""One call over D-Bus, and one signal that answers it; nothing is kept open in between. Linux.

jeepney (MIT) speaks the protocol in pure Python, and comes along for the keyring already.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import Any, Literal, NamedTuple

_SECONDS = 5.0
_SYSTEM = "unix:path=/run/dbus/system_bus_socket"


class NoBus(Exception):
    """There is no bus, nobody answers on it, or the answer is an error; the text says which."""


class Member(NamedTuple):
    """What is called: a method of an object of a service."""

    service: str
    path: str
    interface: str
    name: str


def address(environ: Mapping[str, str], which: Literal["session", "system"] = "session") -> str:
    """Return the address of a bus, "" where there is none."""
    if which == "system":
        return environ.get("DBUS_SYSTEM_BUS_ADDRESS") or _SYSTEM
    runtime = environ.get("XDG_RUNTIME_DIR", "")
    return environ.get("DBUS_SESSION_BUS_ADDRESS") or (f"unix:path={runtime}/bus" if runtime else "")


async def call(
    bus: str, member: Member, signature: str = "", values: tuple[Any, ...] = (), seconds: float = _SECONDS
) -> tuple[Any, ...]:
    """Return what a method answers. Raises NoBus."""
    from jeepney.io.asyncio import open_dbus_router

    if not bus:
        raise NoBus("There is no D-Bus in this session.")
    try:
        async with asyncio.timeout(seconds), open_dbus_router(bus) as router:
            return _body(await router.send_and_get_reply(_message(member, signature, values)))
    except (OSError, EOFError, RuntimeError, ValueError, KeyError) as error:
        raise NoBus(f"D-Bus cannot be reached: {error}") from error
    except TimeoutError:
        raise NoBus(f"{member.service} did not answer within {seconds:.0f} seconds.") from None


async def request(
    bus: str, member: Member, signature: str, make: Callable[[str], tuple[Any, ...]], seconds: float
) -> tuple[int, dict[str, Any]]:
    """Call a method of a desktop portal, which answers later by a signal: its code and its results.

    `make` gives the arguments by the token that names the answer. Raises NoBus.
    """
    import secrets

    from jeepney import MatchRule
    from jeepney.bus_messages import message_bus
    from jeepney.io.asyncio import Proxy, open_dbus_router

    if not bus:
        raise NoBus("There is no D-Bus in this session.")
    token = f"bramble{secrets.token_hex(8)}"
    try:
        async with asyncio.timeout(seconds), open_dbus_router(bus) as router:
            sender = (router.unique_name or "").lstrip(":").replace(".", "_")
            path = f"/org/freedesktop/portal/desktop/request/{sender}/{token}"
            rule = MatchRule(
                type="signal", interface="org.freedesktop.portal.Request", member="Response", path=path
            )
            with router.filter(rule) as answers:  # before the call, or the answer could come too soon
                await Proxy(message_bus, router).AddMatch(rule)
                _body(await router.send_and_get_reply(_message(member, signature, make(token))))
                code, results = (await answers.get()).body
                return int(code), {name: value for name, (_, value) in results.items()}
    except (OSError, EOFError, RuntimeError, ValueError, KeyError) as error:
        raise NoBus(f"D-Bus cannot be reached: {error}") from error
    except TimeoutError:
        raise NoBus(f"{member.service} did not answer within {seconds:.0f} seconds.") from None


def _message(member: Member, signature: str, values: tuple[Any, ...]) -> Any:
    from jeepney import DBusAddress, new_method_call

    target = DBusAddress(member.path, bus_name=member.service, interface=member.interface)
    return new_method_call(target, member.name, signature or None, values)


def _body(reply: Any) -> tuple[Any, ...]:
    from jeepney import MessageType

    if reply.header.message_type is MessageType.error:
        said = reply.body[0] if reply.body else "it answered with an error"
        raise NoBus(str(said))
    return tuple(reply.body)

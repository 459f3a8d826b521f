"""The words of MCP servers, for both front ends: states, why something cannot be used, what is wrong."""

from __future__ import annotations

import difflib
import shlex
from collections.abc import Iterator, Sequence

from app.mcp_offers import Field, Offer, Way
from app.records import HeldTool, ServerInfo, ServerTool
from ui.language import _, later as L, plural

_STATES = {
    "off": L("Off"),
    "connecting": L("Connecting…"),
    "ready": L("Connected"),
    "failed": L("Not connected"),
    "sign_in": L("Waits for you to sign in"),
    "approval": L("Waits for your approval"),
}
_LOOKS = {
    "off": ("circle-slash", "muted"),
    "connecting": ("loader-circle", "muted"),
    "ready": ("check", "good"),
    "failed": ("triangle-alert", "danger"),
    "sign_in": ("key-round", "caution"),
    "approval": ("shield-question-mark", "caution"),
}
_WHY_NOT = {
    "container": L("It comes as a container, which Bramble does not start."),
    "bundle": L("It comes as a bundle that Bramble does not open."),
    "other_kind": L("It comes in a form that Bramble does not know."),
    "other_registry": L("Its package lies in another place than the usual one."),
    "no_node": L("It needs Node.js, which was not found on this computer."),
    "no_python": L("It needs Python or uv, which was not found on this computer."),
    "no_version": L("It names no exact version."),
    "bad_name": L("Its package or one of its options has no proper name."),
    "old_transport": L("It only speaks an old way (SSE) that Bramble does not."),
    "own_port": L("Its program opens a port of its own, which Bramble does not look after."),
    "insecure": L("Its address is not secure (https)."),
    "runtime_arguments": L("It asks for options that could start another program."),
    "odd_variable": L("It sets variables that decide what is started or trusted."),
    "secret_argument": L("It wants a secret where other programs could see it."),
    "too_much": L("It wants more values than anybody would fill in."),
}
_FAULTS = {
    "required": L("This is needed."),
    "not_number": L("This is no number."),
    "not_boolean": L("This is neither yes nor no."),
    "not_choice": L("This is none of the choices."),
    "not_plain": L("This holds characters that cannot be used, or is too long."),
    "one_only": L("Only one value fits here."),
    "unknown": L("There is no such value."),
}
_NOTES = {
    "name_changed": L("Its own name cannot be used as it is, so models and rules know it as {name}."),
    "schema_broken": L("What it says of the values it takes cannot be used, so models are told of none."),
    "schema_large": L("What it says of the values it takes is too long, so models get it shortened."),
    "description_cut": L("Its description is too long, so models get the beginning."),
}
_DIFF_LINES = 400


def state_text(info: ServerInfo) -> str:
    """Return the state of a server in a few words."""
    return _("Cannot be used") if info.fault else _(_STATES[info.state])


def state_look(info: ServerInfo) -> tuple[str, str]:
    """Return icon and role of a state; the words beside them carry the meaning."""
    return ("triangle-alert", "danger") if info.fault else _LOOKS[info.state]


def tools_text(info: ServerInfo) -> str:
    """Return how many tools it has, and how many are held back; "" where none are known."""
    parts = [plural("{n} tool", "{n} tools", len(info.tools))] if info.tools or info.state == "ready" else []
    if info.held:
        parts.append(plural("{n} held back", "{n} held back", len(info.held)))
    return ", ".join(parts)


def target_text(info: ServerInfo) -> str:
    """Return what is started, word for word, or the address that is reached."""
    return shlex.join(info.command) if info.command else info.url


def sent_text(url: str) -> str:
    """Return where what is sent to an address goes: a loopback one is a program on this very computer."""
    if _is_here(url):
        return _("What is sent to it goes to a program on this computer.")
    return _("What is sent to it leaves this computer.")


def _is_here(url: str) -> bool:
    from ipaddress import ip_address
    from urllib.parse import urlsplit

    try:
        host = (urlsplit(url).hostname or "").rstrip(".").casefold()
        return host == "localhost" or host.endswith(".localhost") or ip_address(host).is_loopback
    except ValueError:  # another name, or an address that is none
        return False


def package_text(info: ServerInfo) -> str:
    """Return the package with its version, "" for none."""
    return f"{info.package} {info.version}".strip()


def trouble_text(info: ServerInfo) -> str:
    """Return what is the matter, in the server's own words where it said some; "" for nothing."""
    return _(info.fault or info.reason)


def why_not_text(way: Way | None) -> str:
    """Return why a way cannot be used here, "" where it can."""
    if way is None:
        return _("It names no way to run it.")
    return "" if way.usable else _(_WHY_NOT.get(way.why, _WHY_NOT["other_kind"]))


def fault_text(code: str) -> str:
    """Return what is wrong with a value."""
    return _(_FAULTS[code])


def way_text(way: Way) -> str:
    """Return how a server would run, in a few words."""
    if way.kind == "remote":
        return _("On the web, at {address}").replace("{address}", way.what)
    kinds = {"npm": _("On this computer, from npm"), "pypi": _("On this computer, from PyPI")}
    return f"{kinds.get(way.kind, _('On this computer'))}: {way.what} {way.version}".strip()


def offer_text(offer: Offer) -> str:
    """Return the name that people know a server by."""
    return offer.title or offer.name


def field_text(field: Field) -> str:
    """Return the label of a field: its name, and that it may stay empty."""
    return (
        field.name
        if field.required or field.kind == "boolean"
        else _("{name} (may stay empty)").replace("{name}", field.name)
    )


def changed_lines(held: HeldTool) -> Iterator[str]:
    """Yield what became of a tool's definition: lines with "- ", "+ " or two blanks before them."""
    old, new = _lines(held.old), _lines(held.new)
    for number, line in enumerate(difflib.ndiff(old, new)):
        if number >= _DIFF_LINES:
            yield "  …"
            return
        if not line.startswith("?"):
            yield line


def held_text(held: HeldTool) -> str:
    """Return in a few words what became of a tool."""
    if not held.old:
        return _("{tool} is new").replace("{tool}", held.tool)
    words = _("{tool} says something else now") if held.new else _("{tool} is gone")
    return words.replace("{tool}", held.tool)


def tool_notes(tool: ServerTool) -> Sequence[str]:
    """Return a sentence on each thing of a tool that could not be taken as its server says it."""
    return [_(_NOTES[code]).replace("{name}", tool.name) for code in tool.notes]


def _lines(text: str) -> Sequence[str]:
    return [line[:2_000] for line in text.splitlines()[:_DIFF_LINES]]


def summary_text(servers: Sequence[ServerInfo]) -> str:
    """Return one sentence on all servers."""
    if not servers:
        return _("Servers bring tools of other programs: calendars, databases, design files.")
    ready = sum(info.state == "ready" for info in servers)
    words = plural("{n} server", "{n} servers", len(servers))
    tools = plural("{n} tool", "{n} tools", sum(len(info.tools) for info in servers if info.state == "ready"))
    parts = _("{servers}, {ready} connected, {tools}.")
    parts = parts.replace("{servers}", words).replace("{ready}", str(ready)).replace("{tools}", tools)
    waiting = sum(info.state in ("approval", "sign_in") or bool(info.held) for info in servers)
    more = plural("{n} waits for you.", "{n} wait for you.", waiting) if waiting else ""
    return f"{parts} {more}".strip()

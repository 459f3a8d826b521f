"""Frozen records of MCP servers, as front ends see them."""

from __future__ import annotations

from typing import Literal

from app.record import Record

ServerState = Literal["off", "connecting", "ready", "failed", "sign_in", "approval"]
"""`failed` says why in `ServerInfo.reason`; `sign_in` and `approval` wait for the person."""


class ServerTool(Record, kw_only=True):
    """A tool of a server. Everything in it but `name` is what the server says."""

    name: str
    """Our name of it, by which models and rules know it: SERVER__TOOL."""
    tool: str
    """The server's own name."""
    title: str = ""
    description: str = ""
    says: Literal["", "reads", "destroys"] = ""
    """What it says of itself: a hint for the eye, no grant."""
    notes: tuple[str, ...] = ()
    """Codes: `name_changed`, `schema_broken`, `description_cut`, `schema_large`."""


class HeldTool(Record, kw_only=True):
    """A tool that is held back, since its definition is no longer the one that the person agreed to."""

    tool: str
    old: str
    """The definition as it was agreed to, as text; "" for a tool that was not there."""
    new: str


class ServerInfo(Record, kw_only=True):
    """One configured server. An entry that cannot be used has only its `id` and `fault`."""

    id: str
    state: ServerState = "off"
    reason: str = ""
    """Why it failed, in the server's own words where it said some; a plain English sentence."""
    fault: str = ""
    """What is wrong with its entry in the file, "" for nothing."""
    command: tuple[str, ...] = ()
    """The exact words that are started; empty for a server that is reached by `url`."""
    url: str = ""
    environment: tuple[str, ...] = ()
    """Names of the variables that it gets beside the usual few."""
    headers: tuple[str, ...] = ()
    """Names of the headers that carry a secret."""
    enabled: bool = True
    package: str = ""
    version: str = ""
    seconds: float = 60.0
    """How long one call may take."""
    tools: tuple[ServerTool, ...] = ()
    """Those that can be called now; before it was first connected here, those that were agreed to."""
    held: tuple[HeldTool, ...] = ()
    title: str = ""
    """What the server calls itself, with its version."""
    stderr: str = ""
    """The end of what it wrote there."""
    signed_in: bool = False
    print: str = ""
    """Changes with all that decides what is started; `approve` takes it, so that what was seen counts."""

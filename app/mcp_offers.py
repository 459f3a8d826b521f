"""What the registry of MCP servers offers, as records: a server, each way to run it, and its typed fields."""

from __future__ import annotations

from typing import Literal

import msgspec

from app.record import Record

FieldKind = Literal["text", "number", "boolean", "file"]
FieldPlace = Literal["env", "header", "argument", "url"]
WayKind = Literal["npm", "pypi", "remote", "other"]
WhyNot = Literal[
    "container",
    "bundle",
    "other_kind",
    "other_registry",
    "no_node",
    "no_python",
    "no_version",
    "bad_name",
    "old_transport",
    "own_port",
    "insecure",
    "runtime_arguments",
    "odd_variable",
    "secret_argument",
    "too_much",
]
"""Why a way cannot be used here."""


class Field(Record, kw_only=True):
    """One value that a person gives. `key` names it in the values for `install.plan`."""

    key: str
    place: FieldPlace
    name: str
    """The variable, header, flag, or what the server calls the argument."""
    description: str = ""
    kind: FieldKind = "text"
    required: bool = False
    secret: bool = False
    repeated: bool = False
    """Several values may be given."""
    default: str = ""
    placeholder: str = ""
    choices: tuple[str, ...] = ()


class Slot(Record, kw_only=True):
    """One place that a value goes to: an argument, a variable, a header or the address.

    `template` is the fixed text with {names} of `variables`; "" when the value is the field's own.
    """

    place: FieldPlace
    name: str = ""
    """The flag of a named argument, the variable, the header; "" for a positional argument or the address."""
    template: str = ""
    field: str = ""
    """The key of the field whose value it is, where there is no template."""
    variables: dict[str, str] = msgspec.field(default_factory=dict)
    """Name in the template -> key of its field."""
    kind: FieldKind = "text"
    secret: bool = False


class Way(Record, kw_only=True):
    """One way to run or reach a server. `id` tells it from the server's other ways."""

    id: str
    kind: WayKind
    what: str
    """The package or the address, as the registry has it."""
    version: str = ""
    """The exact version of the package; "" for an address."""
    usable: bool = True
    why: WhyNot | Literal[""] = ""
    runner: tuple[str, ...] = ()
    """What starts the package, without the server's own arguments."""
    steps: tuple[tuple[str, ...], ...] = ()
    """Commands that install it first, where the runner does not do so itself."""
    fields: tuple[Field, ...] = ()
    slots: tuple[Slot, ...] = ()


class Offer(Record, kw_only=True):
    """A server of the registry in its latest version."""

    name: str
    """Reverse-DNS name with one slash, such as io.github.somebody/weather."""
    title: str = ""
    description: str = ""
    version: str = ""
    repository: str = ""
    website: str = ""
    deprecated: bool = False
    ways: tuple[Way, ...] = ()

    @property
    def usable(self) -> tuple[Way, ...]:
        """The ways that can be used here, best first."""
        return tuple(way for way in self.ways if way.usable)

    @property
    def short(self) -> str:
        """The name as an id of ours: what stands after the slash, made plain."""
        kept = [
            letter if letter.isascii() and letter.isalnum() else "-"
            for letter in self.name.rpartition("/")[2]
        ]
        return "-".join(part for part in "".join(kept).lower().split("-") if part)[:32] or "server"

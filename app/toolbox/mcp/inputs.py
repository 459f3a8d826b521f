"""Reads the inputs of a registry entry: arguments, variables, headers and the address become typed fields and
the places that their values go to.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from app.mcp_offers import Field, FieldKind, FieldPlace, Slot, WhyNot

_FIELDS = 40
_CHOICES = 60
_IN_BRACES = re.compile(r"\{([^{}]{1,80})\}")
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,99}")
_HEADER = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}")
_KINDS: dict[str, FieldKind] = {"number": "number", "boolean": "boolean", "filepath": "file"}
_LEADING = re.compile(
    r"(?i)(LD_.*|DYLD_.*|GLIBC_.*|MALLOC_.*|GCONV_PATH|LOCPATH|PATH|PATHEXT|COMSPEC|SYSTEMROOT|WINDIR"
    r"|HOME|USERPROFILE|APPDATA|LOCALAPPDATA|XDG_.*|TMPDIR|TEMP|TMP|BRAMBLE_.*"
    r"|IFS|SHELL|BASH.*|SHELLOPTS|PS4|PROMPT_COMMAND|EDITOR|VISUAL|PAGER"
    r"|PYTHON(PATH|HOME|STARTUP|BREAKPOINT|EXECUTABLE|INSPECT|USERBASE|PLATLIBDIR|PYCACHEPREFIX|WARNINGS"
    r"|CASEOK)|VIRTUAL_ENV|CONDA_.*|PIP_.*|PIPX_.*|UV_.*"
    r"|NODE_(OPTIONS|PATH|REPL_.*|EXTRA_CA_CERTS|TLS_REJECT_UNAUTHORIZED)|NPM_CONFIG_.*|COREPACK_.*|YARN_.*"
    r"|PNPM_.*|PERL5.*|RUBY(OPT|LIB)|GEM_.*|BUNDLE_.*|(_JAVA|JAVA_TOOL|JDK_JAVA)_OPTIONS|CLASSPATH"
    r"|DOTNET_STARTUP_HOOKS|CORECLR_.*|GIT_(SSH.*|EXEC.*|EXTERNAL.*|PAGER|ASKPASS|CONFIG.*|EDITOR|PROXY.*"
    r"|SEQUENCE_EDITOR|TEMPLATE_DIR|DIR|SSL_.*)|SSH_ASKPASS|OPENSSL_(CONF|MODULES|ENGINES)|SSL_CERT_.*"
    r"|(CURL|REQUESTS)_CA_BUNDLE|(HTTPS?|ALL|FTP|NO)_PROXY)"
)
"""Variables that decide which program runs, or whom it trusts; no entry of a registry may set them."""
_FIXED_HEADERS = frozenset({"host", "content-length", "transfer-encoding", "connection", "cookie"})


class Unusable(Exception):
    """An entry asks for something that cannot be done here."""

    def __init__(self, why: WhyNot) -> None:
        super().__init__(why)
        self.why: WhyNot = why


def text(value: Any, longest: int) -> str:
    """Return a text on one line without control characters, at most so long; "" for what is none."""
    if not isinstance(value, str):
        return ""
    line = "".join(letter if letter.isprintable() else " " for letter in value[: longest * 2])
    return " ".join(line.split())[:longest]


class Inputs:
    """Collects fields and slots of one way, in the order of the entry."""

    def __init__(self) -> None:
        self.fields: list[Field] = []
        self.slots: list[Slot] = []
        self._names: set[str] = set()

    def argument(self, row: Mapping[str, Any]) -> None:
        """Take an argument of the package. Raises Unusable for a required secret: all could see it."""
        named = row.get("type") == "named"
        flag = text(row.get("name"), 100) if named else ""
        label = flag or text(row.get("valueHint") or row.get("value_hint"), 100) or "argument"
        if row.get("isSecret"):
            if row.get("isRequired"):
                raise Unusable("secret_argument")
            return
        if flag and not flag.isprintable():
            raise Unusable("bad_name")
        self._take(row, "argument", flag, label)

    def variable(self, row: Mapping[str, Any]) -> None:
        """Take an environment variable."""
        name = text(row.get("name"), 120)
        if not _VARIABLE.fullmatch(name) or _LEADING.fullmatch(name):
            if row.get("isRequired") or row.get("value"):
                raise Unusable("odd_variable")
            return
        self._take(row, "env", name, name)

    def header(self, row: Mapping[str, Any]) -> None:
        """Take a header of the requests to an address."""
        name = text(row.get("name"), 120)
        if not _HEADER.fullmatch(name) or name.lower() in _FIXED_HEADERS:
            raise Unusable("odd_variable")
        self._take(row, "header", name, name)

    def address(self, template: str, variables: Any) -> None:
        """Take the variables of an address."""
        known = variables if isinstance(variables, dict) else {}
        used = [
            name for name in dict.fromkeys(_IN_BRACES.findall(template)) if isinstance(known.get(name), dict)
        ]
        for name in used:
            if known[name].get("isSecret"):
                raise Unusable("secret_argument")
        keys = {name: self._field(known[name], f"url.{name}", "url", name) for name in used}
        self.slots.append(Slot(place="url", template=template, variables=keys))

    def _take(self, row: Mapping[str, Any], place: FieldPlace, name: str, label: str) -> None:
        template, secret = _template(row.get("value")), bool(row.get("isSecret"))
        key = self._free(f"{place}.{label}")
        kind = _kind(row)
        if not template:
            field = self._field(row, key, place, label)
            self.slots.append(Slot(place=place, name=name, field=field, kind=kind, secret=secret))
            return
        known = row.get("variables") if isinstance(row.get("variables"), dict) else {}
        assert isinstance(known, dict)
        used = [
            one for one in dict.fromkeys(_IN_BRACES.findall(template)) if isinstance(known.get(one), dict)
        ]
        keys = {one: self._field(known[one], f"{key}.{one}", place, one) for one in used}
        secret = secret or any(bool(known[one].get("isSecret")) for one in used)
        if secret and place == "argument":
            raise Unusable("secret_argument")
        self.slots.append(
            Slot(place=place, name=name, template=template, variables=keys, kind="text", secret=secret)
        )

    def _field(self, row: Mapping[str, Any], key: str, place: FieldPlace, name: str) -> str:
        if len(self.fields) >= _FIELDS:
            raise Unusable("too_much")
        choices = row.get("choices")
        listed = (
            [text(one, 200) for one in choices if isinstance(one, str)] if isinstance(choices, list) else []
        )
        self.fields.append(
            Field(
                key=key,
                place=place,
                name=name,
                description=text(row.get("description"), 500),
                kind=_kind(row),
                required=bool(row.get("isRequired")),
                secret=bool(row.get("isSecret")),
                repeated=bool(row.get("isRepeated")),
                default="" if row.get("isSecret") else text(row.get("default"), 500),
                placeholder=text(row.get("placeholder"), 200),
                choices=tuple(dict.fromkeys(one for one in listed if one))[:_CHOICES],
            )
        )
        return key

    def _free(self, key: str) -> str:
        """Return the key, with a number where two inputs have one name."""
        number, free = 2, key
        while free in self._names:
            free, number = f"{key}.{number}", number + 1
        self._names.add(free)
        return free


def _template(value: Any) -> str:
    """Return a fixed value as it is; unlike what people read it is not cut, but dropped when it is absurd."""
    if not isinstance(value, str) or not value:
        return ""
    if len(value) > 4_000 or any(not (letter.isprintable() or letter in "\n\t") for letter in value):
        raise Unusable("odd_variable")
    return value


def _kind(row: Mapping[str, Any]) -> FieldKind:
    return _KINDS.get(text(row.get("format"), 20), "text")

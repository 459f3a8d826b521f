"""Reads the entries of the official MCP registry (server.json, schema 2025-12-11): what it offers, and which
of that can be used here.

Whatever stands in an entry was written by somebody unknown: texts are cut, names have to look like names, and
what could lead elsewhere than to the named package in the named version is not used.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import urlsplit

import msgspec

from app.mcp_offers import Offer, Way, WayKind, WhyNot
from app.toolbox.mcp.inputs import Inputs, Unusable, text
from app.toolbox.mcp.runners import Runners

_OFFICIAL = "io.modelcontextprotocol.registry/official"
_NAME = re.compile(r"[a-zA-Z0-9.-]{1,120}/[a-zA-Z0-9._-]{1,120}")
_NPM = re.compile(r"(@[a-z0-9~][a-z0-9._~-]*/)?[a-z0-9~][a-z0-9._~-]*", re.IGNORECASE)
_PYPI = re.compile(r"[a-z0-9]([a-z0-9._-]*[a-z0-9])?", re.IGNORECASE)
_VERSIONS = {
    "npm": re.compile(r"v?[0-9]+\.[0-9]+\.[0-9]+([-+][0-9a-zA-Z.+-]+)?"),
    "pypi": re.compile(r"v?[0-9][0-9a-zA-Z.+_-]*"),
}
"""For npm all three numbers: 1, 1.2 or 1.x are ranges there, which mean another package tomorrow."""
_HOMES = {
    "npm": ("https://registry.npmjs.org", "https://registry.npmjs.com"),
    "pypi": ("https://pypi.org", "https://pypi.org/simple"),
}
_OTHERS: dict[str, WhyNot] = {"oci": "container", "docker": "container", "mcpb": "bundle"}
_WAYS, _INPUTS = 12, 100
_BEST = {"remote": 2, "npm": 0, "pypi": 0, "other": 3}


def offers(payload: Any, runners: Runners, folder: str) -> Iterator[Offer]:
    """Yield what an answer of `/v0/servers` holds, entry by entry; bad ones are left out, deleted ones too.

    `folder` is where packages get environments of their own. Raises ValueError when it is no such answer.
    """
    rows = payload.get("servers") if isinstance(payload, dict) else None
    if not isinstance(rows, list):
        raise ValueError("the answer holds no list of servers")
    for row in rows:
        if isinstance(row, dict) and (found := _offer(row, runners, folder)) is not None:
            yield found


def _offer(row: Mapping[str, Any], runners: Runners, folder: str) -> Offer | None:
    server = row.get("server") if isinstance(row.get("server"), dict) else row
    assert isinstance(server, Mapping)
    name = text(server.get("name"), 200)
    meta = row.get("_meta")
    official = meta.get(_OFFICIAL) if isinstance(meta, dict) else None
    status = text(official.get("status") if isinstance(official, dict) else server.get("status"), 20)
    if not _NAME.fullmatch(name) or status == "deleted":
        return None
    ways = [_package(one, runners, folder) for one in _rows(server.get("packages"), _WAYS)]
    ways += [_remote(one) for one in _rows(server.get("remotes"), _WAYS)]
    repository = server.get("repository")
    return Offer(
        name=name,
        title=text(server.get("title"), 100),
        description=text(server.get("description"), 500),
        version=text(server.get("version"), 255),
        repository=_link(repository.get("url") if isinstance(repository, dict) else ""),
        website=_link(server.get("websiteUrl")),
        deprecated=status == "deprecated",
        ways=tuple(sorted(ways, key=lambda way: (not way.usable, _BEST[way.kind]))),
    )


def _rows(value: Any, most: int = _INPUTS) -> list[Mapping[str, Any]]:
    rows = value if isinstance(value, list) else []
    return [one for one in rows[:most] if isinstance(one, dict)]


def _link(value: Any) -> str:
    address = text(value, 255)
    return address if address.lower().startswith("https://") else ""


# --- packages -----------------------------------------------------------------------------------------------


def _package(one: Mapping[str, Any], runners: Runners, folder: str) -> Way:
    kind = text(one.get("registryType") or one.get("registry_type"), 20).lower()
    what = text(one.get("identifier"), 255)
    version = text(one.get("version"), 100)
    plain: WayKind = "npm" if kind == "npm" else "pypi" if kind == "pypi" else "other"
    way = Way(id=f"{kind or 'other'}:{what}", kind=plain, what=what, version=version)
    if plain == "other":
        return _unusable(way, _OTHERS.get(kind, "other_kind"))
    try:
        _check_package(way, one)
        inputs = Inputs()
        for argument in _rows(one.get("packageArguments")):
            inputs.argument(argument)
        for variable in _rows(one.get("environmentVariables")):
            inputs.variable(variable)
        return _with_runner(_with_inputs(way, inputs), runners, folder)
    except Unusable as error:
        return _unusable(way, error.why)


def _check_package(way: Way, one: Mapping[str, Any]) -> None:
    pattern = _NPM if way.kind == "npm" else _PYPI
    if not pattern.fullmatch(way.what):
        raise Unusable("bad_name")
    if not _VERSIONS[way.kind].fullmatch(way.version):
        raise Unusable("no_version")
    base = text(one.get("registryBaseUrl"), 255).rstrip("/")
    if base and base not in _HOMES[way.kind]:
        raise Unusable("other_registry")
    transport = one.get("transport")
    if isinstance(transport, dict) and text(transport.get("type"), 30) not in ("", "stdio"):
        raise Unusable("own_port")
    if any(not _harmless(argument) for argument in _rows(one.get("runtimeArguments"))):
        raise Unusable("runtime_arguments")


def _harmless(argument: Mapping[str, Any]) -> bool:
    """Whether the runner does without this argument: all others could lead to another package."""
    word = text(argument.get("name") or argument.get("value"), 60)
    return word in ("-y", "--yes") and not argument.get("variables")


def _with_runner(way: Way, runners: Runners, folder: str) -> Way:
    if way.kind == "npm":
        if not runners.npx:
            raise Unusable("no_node")
        return _started(way, (runners.npx, "--yes", f"{way.what}@{way.version.removeprefix('v')}"))
    exact = f"{way.what}=={way.version.removeprefix('v')}"
    if runners.uvx:
        return _started(way, (runners.uvx, "--from", exact, way.what))
    if runners.pipx:
        return _started(way, (runners.pipx, "run", "--spec", exact, way.what))
    if not runners.python:
        raise Unusable("no_python")
    return _own_environment(way, exact, runners.python, folder)


def _started(way: Way, runner: tuple[str, ...], steps: tuple[tuple[str, ...], ...] = ()) -> Way:
    made: Way = msgspec.structs.replace(way, runner=runner, steps=steps)
    return made


def _own_environment(way: Way, exact: str, python: str, folder: str) -> Way:
    place = os.path.join(folder, f"{way.what.lower()}-{way.version}")
    scripts = os.path.join(place, "Scripts" if os.name == "nt" else "bin")
    steps = (
        (python, "-m", "venv", place),
        (
            os.path.join(scripts, "python"),
            "-m",
            "pip",
            "install",
            "--no-input",
            "--disable-pip-version-check",
            exact,
        ),
    )
    return _started(way, (os.path.join(scripts, way.what),), steps)


# --- addresses ----------------------------------------------------------------------------------------------


def _remote(one: Mapping[str, Any]) -> Way:
    kind = text(one.get("type") or one.get("transport_type"), 30)
    address = text(one.get("url"), 500)
    way = Way(id=f"remote:{address}", kind="remote", what=address)
    if kind != "streamable-http":
        return _unusable(way, "old_transport" if kind == "sse" else "other_kind")
    try:
        parts = urlsplit(address)
        if parts.scheme != "https" or not parts.hostname or "{" in parts.netloc or "@" in parts.netloc:
            raise Unusable("insecure")
        inputs = Inputs()
        inputs.address(address, one.get("variables"))
        for header in _rows(one.get("headers")):
            inputs.header(header)
        return _with_inputs(way, inputs)
    except ValueError:
        return _unusable(way, "insecure")
    except Unusable as error:
        return _unusable(way, error.why)


def _with_inputs(way: Way, inputs: Inputs) -> Way:
    made: Way = msgspec.structs.replace(way, fields=tuple(inputs.fields), slots=tuple(inputs.slots))
    return made


def _unusable(way: Way, why: WhyNot) -> Way:
    made: Way = msgspec.structs.replace(way, usable=False, why=why, fields=(), slots=())
    return made

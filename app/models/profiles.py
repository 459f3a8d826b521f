"""Loads the profiles: built-in ones from `profiles/*.toml`, the person's own over them, and `env` from the
environment.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import msgspec

from app.errors import ModelError
from app.models.address import plain_base
from app.models.profile import ModelData, Profile, Quirks, WireName

_FOLDER = Path(__file__).resolve().parent / "profiles"

ENVIRONMENT = "env"
"""The profile that the variables BRAMBLE_BASE_URL, BRAMBLE_API_KEY, BRAMBLE_MODEL and BRAMBLE_WIRE make; it
wins over settings.
"""

_VARIABLES = "BRAMBLE_BASE_URL, BRAMBLE_MODEL, BRAMBLE_WIRE"

_DEFERRING: tuple[WireName, ...] = ("messages", "responses")
"""The wires that can carry tools unloaded."""

_WIRES: Mapping[str, Mapping[str, Any]] = {
    "messages": {
        "key_header": "x-api-key",
        "key_prefix": "",
        "headers": {"anthropic-version": "2023-06-01"},
        "quirks": {"cache_marks": True},
    },
    # Its streams begin at once, and are then silent while the model thinks without telling what.
    "responses": {"quirks": {"effort": "reasoning_effort"}, "between": 300},
}
"""What every profile of a wire has that does not say otherwise (facts: providers 1.3, 1.4)."""

Own = Mapping[str, Mapping[str, Any]]
"""The person's own profiles, as `settings.profiles` holds them. `like` names the built-in one that a new one
begins as.
"""


def profile_names(own: Own, environ: Mapping[str, str], *, hidden: bool = False) -> tuple[str, ...]:
    """Return the names of all profiles, `env` first when its variables are set, the person's own next.

    Those that cannot be used yet are left out unless `hidden`.
    """
    built_in = sorted(path.stem for path in _FOLDER.glob("*.toml") if path.stem != ENVIRONMENT)
    first = (ENVIRONMENT,) if environ.get("BRAMBLE_BASE_URL") else ()
    names = (*first, *(name for name in own if name not in built_in), *built_in)
    return names if hidden else tuple(name for name in names if not _is_hidden(name, own))


def _is_hidden(name: str, own: Own) -> bool:
    path = _FOLDER / f"{name}.toml"
    table = tomllib.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    return bool({**table, **own.get(name, {})}.get("hidden"))


def offered(name: str, own: Own, environ: Mapping[str, str]) -> Profile:
    """Return a profile that a person may use. Raises ModelError no_profile, also for a hidden one."""
    profile = load_profile(name, own, environ)
    if profile.hidden:
        raise ModelError("no_profile", f"{profile.title or name} cannot be used yet.", profile=name)
    return profile


def load_profile(name: str, own: Own, environ: Mapping[str, str]) -> Profile:
    """Return a profile by name. Raises ModelError no_profile, or bad_settings with the key that does not
    fit.
    """
    table = _table(name, own)
    if name == ENVIRONMENT:
        table = _merged(table, _from_environment(environ))
    table = _merged(_WIRES.get(str(table.get("wire")), {}), table)
    try:
        loaded = msgspec.convert({**table, "name": name}, Profile)
        # The address that the clients of Messages are given ends before the version.
        base = plain_base(loaded.base_url, versioned=loaded.wire == "messages")
        return msgspec.structs.replace(loaded, base_url=base)
    except msgspec.ValidationError as error:
        where = _VARIABLES if name == ENVIRONMENT else f"[profiles.{name}]"
        raise ModelError(
            "bad_settings", f"profile {name}: {error}", profile=name, path=where, why=str(error)
        ) from error


def quirks_of(profile: Profile, model: str) -> Quirks:
    """Return the profile's quirks with those of the model over them, as far as its wire can do them."""
    found: dict[str, Any] = {}
    for entry in _entries(profile, model):
        found.update(entry.quirks)
    quirks = profile.quirks
    if found:
        quirks = msgspec.convert({**msgspec.to_builtins(quirks), **found}, Quirks)
    if quirks.calling == "native" and wire_for(profile, model) not in _DEFERRING:
        return msgspec.structs.replace(quirks, calling="bridge")
    return quirks


def model_data(profile: Profile, model: str) -> ModelData:
    """Return what is known of a model: its own entry, else the last pattern that fits, else only its id."""
    entries = _entries(profile, model)
    return msgspec.structs.replace(entries[-1], id=model) if entries else ModelData(id=model)


def wire_for(profile: Profile, model: str) -> WireName:
    """Return the wire that a model is reached by: the one of its own entry, of the last pattern that fits and
    names one, else the profile's.
    """
    named = [entry.wire for entry in _entries(profile, model) if entry.wire]
    return named[-1] if named else profile.wire


def environment_key(profile: Profile, environ: Mapping[str, str]) -> tuple[str, str]:
    """Return the key that the environment holds for a profile and the variable's name, both "" when there is
    none.
    """
    for name in profile.key_names:
        if value := environ.get(name, "").strip():
            return value, name
    return "", ""


def kept_under(profile: Profile, domain: str) -> tuple[Profile, str]:
    """Return the profile with the variables that count for it, and the name that its key is kept under.

    A token of one GitHub is never sent to another one: each `domain` has an item of its own, and variables
    that other programs set for github.com count for its own domains alone.
    """
    domain = domain.strip().lower()
    if profile.sign_in != "copilot" or domain in ("", "github.com"):
        return profile, profile.name
    if not domain.endswith(".ghe.com"):
        profile = msgspec.structs.replace(profile, key_names=profile.key_names[:1])
    return profile, f"{profile.name}@{domain}"


def _entries(profile: Profile, model: str) -> list[ModelData]:
    """Entries that fit a model, patterns before the exact one."""
    patterns = [entry for entry in profile.models if "*" in entry.id and fnmatchcase(model, entry.id)]
    return patterns + [entry for entry in profile.models if entry.id == model]


def _table(name: str, own: Own) -> dict[str, Any]:
    changes = dict(own.get(name, {}))
    like = str(changes.pop("like", "custom"))
    base = name if (_FOLDER / f"{name}.toml").is_file() and name.isidentifier() else like
    path = _FOLDER / f"{base}.toml"
    if (base != name and name not in own) or not base.isidentifier() or not path.is_file():
        raise ModelError("no_profile", f"There is no profile {name!r}.", profile=name)
    return _merged(tomllib.loads(path.read_text(encoding="utf-8")), changes)


def _merged(base: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """Return `base` with `changes` over it: tables are merged, models by their id, everything else is
    replaced.
    """
    merged = dict(base)
    for key, value in changes.items():
        old = merged.get(key)
        if key == "models" and isinstance(old, list) and isinstance(value, list):
            by_id = {entry["id"]: entry for entry in old if isinstance(entry, dict) and "id" in entry}
            for entry in value:
                if isinstance(entry, dict) and "id" in entry:
                    by_id[entry["id"]] = _merged(by_id.get(entry["id"], {}), entry)
            merged[key] = list(by_id.values())
        elif isinstance(old, Mapping) and isinstance(value, Mapping):
            merged[key] = _merged(old, value)
        else:
            merged[key] = value
    return merged


def _from_environment(environ: Mapping[str, str]) -> dict[str, Any]:
    found = {
        "base_url": environ.get("BRAMBLE_BASE_URL", "").strip(),  # a file read into a variable ends a line
        "model": environ.get("BRAMBLE_MODEL", "").strip(),
        "wire": environ.get("BRAMBLE_WIRE", "").strip() or "chat",
    }
    if not found["base_url"]:
        raise ModelError("no_profile", "BRAMBLE_BASE_URL is not set.", profile=ENVIRONMENT)
    return found

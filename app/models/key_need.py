"""Whether a server that may do without a key has one: only then one is looked for, as a keyring may ask."""

from __future__ import annotations

from collections.abc import Mapping

from app.models.profiles import Own, load_profile, profile_names


def with_need(own: Own, environ: Mapping[str, str], name: str, *, has_key: bool) -> Own | None:
    """Return the own profiles after a key of one was kept or removed, None where nothing changes.

    A table that the person wrote is not told that it needs none: its server may well want one.
    """
    table = dict(own.get(name, {}))
    needs = load_profile(name, own, environ).needs_key
    if has_key and not needs:
        return {**own, name: {**table, "needs_key": True}}
    if has_key or name not in profile_names({}, {}, hidden=True) or not table.pop("needs_key", False):
        return None
    rest = {**own, name: table}
    return None if load_profile(name, rest, environ).needs_key else rest

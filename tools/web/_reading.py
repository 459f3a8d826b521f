"""Takes values out of JSON that may hold anything."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def records(value: Any, key: str = "") -> list[Mapping[str, Any]]:
    """Return the objects of a list, or of the list under `key`; [] for anything else."""
    rows = value.get(key) if key and isinstance(value, dict) else value
    return [row for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []


def words(row: Mapping[str, Any], key: str) -> str:
    """Return a text, "" for anything else."""
    value = row.get(key)
    return value if isinstance(value, str) else ""


def number(row: Mapping[str, Any], key: str) -> str:
    """Return a number as text, "?" for anything else."""
    value = row.get(key)
    return f"{value:g}" if isinstance(value, int | float) and not isinstance(value, bool) else "?"

"""Cells as numbers, dates and texts: what a person would take the written form for."""

from __future__ import annotations

import re
from datetime import date, datetime, time, timedelta
from functools import lru_cache
from typing import Any

_PLAIN = re.compile(r"[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?\Z")
_ENGLISH = re.compile(r"[-+]?\d{1,3}(?:,\d{3})+(?:\.\d+)?\Z")
_COMMA = re.compile(r"[-+]?(?:\d{1,3}(?:[. \u00a0\u202f]\d{3})+|\d+)(?:,\d+)?\Z")
_MONEY = "$€£¥₹ \u00a0\u202f"
_DATE = re.compile(
    r"(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.\d+)?)?)?(?:Z|[+-]\d\d:?\d\d)?\Z"
)
_DOTTED = re.compile(r"(\d{1,2})\.(\d{1,2})\.(\d{4})(?: (\d\d):(\d\d)(?::(\d\d))?)?\Z")
ERRORS = frozenset(
    {"#DIV/0!", "#N/A", "#NAME?", "#NULL!", "#NUM!", "#REF!", "#VALUE!", "#SPILL!", "#CALC!", "Err:502"}
)
"""What a workbook shows where a formula failed (ECMA-376 part 1, 18.17.3, and later ones)."""
_DIGITS = 300
"""Characters of the longest number; longer ones are texts."""


@lru_cache(maxsize=8192)
def number(text: str, *, comma: bool = False) -> float | None:
    """Return the number that a cell shows, None for anything else. With `comma` a comma stands before the
    decimals and dots or blanks part thousands, as in files that are parted by semicolons.
    """
    text = text.strip()
    if not text or len(text) > _DIGITS or not (text[0].isascii() or text[0] in _MONEY):
        return None
    if _PLAIN.match(text) and not (comma and re.fullmatch(r"[-+]?\d{1,3}(?:\.\d{3})+", text)):
        return float(text)
    factor = 1.0
    if text.endswith("%"):
        text, factor = text[:-1].strip(), 0.01
    text = text.strip(_MONEY)
    if text.startswith(("-", "+")):
        text = text[0] + text[1:].strip(_MONEY)
    if comma and _COMMA.match(text):
        return float(re.sub("[. \u00a0\u202f]", "", text).replace(",", ".")) * factor
    if _PLAIN.match(text):
        return float(text) * factor
    if _ENGLISH.match(text):
        return float(text.replace(",", "")) * factor
    return None


@lru_cache(maxsize=8192)
def moment(text: str) -> datetime | None:
    """Return the date or time of an ISO or dotted (day.month.year) form, None for others: what 3/4/2026
    means depends on who wrote it.
    """
    text = text.strip()
    if not 8 <= len(text) <= 32 or not text[0].isdigit():
        return None
    found = _DATE.match(text)
    try:
        if found:
            year, month, day, hour, minute, second = (int(part or 0) for part in found.groups())
            return datetime(year, month, day, hour, minute, second)
        if found := _DOTTED.match(text):
            day, month, year, hour, minute, second = (int(part or 0) for part in found.groups())
            return datetime(year, month, day, hour, minute, second)
    except ValueError:
        return None
    return None


def shown(value: Any) -> str:
    """Return a cell's value as a person reads it."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, datetime):
        text = value.isoformat(" ")
        return text.removesuffix(" 00:00:00")
    if isinstance(value, (date, time)):
        return value.isoformat()
    if isinstance(value, timedelta):
        return str(value)
    return f"{value:.15g}" if isinstance(value, float) else str(value)

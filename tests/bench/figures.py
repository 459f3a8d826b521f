"""A measured number beside the machine's own reference and the limit it must keep; a table of all."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass


@dataclass(frozen=True)
class Number:
    """`value` and `reference` have one unit and come from one run; `limit` is the promise in words."""

    name: str
    value: float
    unit: str
    reference: float
    ratio: float
    limit: str
    holds: bool
    beside: str = ""
    """What the reference is."""


def by_ratio(name: str, value: float, unit: str, reference: float, most: float, beside: str) -> Number:
    """A number whose promise is a multiple of its reference."""
    ratio = _ratio(value, reference)
    return Number(
        name, _short(value), unit, _short(reference), ratio, f"<= {most:g} x", ratio <= most, beside
    )


def by_value(name: str, value: float, unit: str, reference: float, below: float, beside: str) -> Number:
    """A number whose promise is absolute; the ratio says how this machine compares."""
    ratio = _ratio(value, reference)
    return Number(
        name, _short(value), unit, _short(reference), ratio, f"< {below:g} {unit}", value < below, beside
    )


def _ratio(value: float, reference: float) -> float:
    return round(value / reference, 2) if reference > 0 else 0.0


def _short(value: float) -> float:
    return round(value, 2 if value < 10 else 1)


def as_json(numbers: Sequence[Number]) -> str:
    """The list that `./dev bench --json` prints."""
    return json.dumps([asdict(number) for number in numbers], indent=1)


def as_table(numbers: Iterable[Number]) -> str:
    """The same as a table of text, one line a number."""
    head = ("what", "value", "reference", "ratio", "must", "", "reference is")
    rows = [head, *(_row(number) for number in numbers)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(head))]
    lines = [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows
    ]
    return "\n".join(lines)


def _row(number: Number) -> tuple[str, ...]:
    unit = number.unit
    return (
        number.name,
        f"{number.value:g} {unit}",
        f"{number.reference:g} {unit}",
        f"{number.ratio:g} x",
        number.limit,
        "holds" if number.holds else "MISSES",
        number.beside,
    )


def say(text: str) -> None:
    """Progress, on stderr."""
    print(text, file=sys.stderr, flush=True)

"""Frozen records of page watches: what is looked at, when a person is told, and what was seen. Times are unix
seconds; amounts are decimal numbers as text, with a dot and without marks of thousands.
"""

from __future__ import annotations

from typing import Literal

from app.record import Record

LookKind = Literal["text", "css", "xpath", "regex", "json_path", "price", "stock", "feed"]
SeenState = Literal["ok", "error", "blocked", "empty"]
SeenWhy = Literal[
    "",
    "no_answer",
    "bad_status",
    "too_many_requests",
    "server_error",
    "gone",
    "maintenance",
    "too_large",
    "wrong_kind",
    "unreadable",
    "no_match",
    "bad_expression",
    "no_price",
    "no_number",
    "other_currency",
    "bot_wall",
    "captcha",
    "login",
    "consent",
    "needs_script",
    "empty",
]
"""Why there is nothing to compare. None of these is ever a baseline or a change."""
TellKind = Literal[
    "any",
    "new_lines",
    "appears",
    "disappears",
    "above",
    "below",
    "rises",
    "falls",
    "by_more",
    "by_percent",
    "in_stock",
    "out_of_stock",
]
NUMERIC: tuple[TellKind, ...] = ("above", "below", "rises", "falls", "by_more", "by_percent")
"""Conditions that need a number."""
CheckState = Literal["baseline", "same", "changed", "error", "blocked", "empty"]


class Look(Record, kw_only=True):
    """What of a page is looked at. `expression` is the selector, pattern or path of its kind; elements that
    fit `without` (CSS or XPath) are taken out first.
    """

    kind: LookKind = "text"
    expression: str = ""
    without: tuple[str, ...] = ()


class Noise(Record, kw_only=True):
    """What is no change. It holds for comparing alone: what is kept and shown stays as it was."""

    ignore: tuple[str, ...] = ()
    """Lines that hold one of these texts, case ignored, are left out."""
    clicked: tuple[str, ...] = ()
    """Lines that a person clicked away: left out wherever they come again, whatever their numbers are."""
    digits: bool = False
    """Whether all numbers count as the same."""
    moments: bool = True
    """Whether times of updating, "3 minutes ago", counters of visitors and random tokens are no change."""
    any_order: bool = False
    once: bool = False
    """Whether a line that stands several times counts once."""
    words: int = 0
    """Changes of fewer words are none."""


class Condition(Record, kw_only=True):
    """When a person is told. `text` for appears and disappears, `amount` for numbers, `currency` (ISO 4217)
    where the person named one.
    """

    kind: TellKind = "any"
    text: str = ""
    amount: str = ""
    currency: str = ""


class Seen(Record, kw_only=True):
    """What one fetch gave: `text` as compared, a line for each thing; `value` where there is one: a number,
    or in_stock, out_of_stock, unknown. Unless `state` is ok there is only `why`, and `detail` for people who
    want to know more.
    """

    state: SeenState = "ok"
    why: SeenWhy = ""
    detail: str = ""
    text: str = ""
    value: str = ""
    currency: str = ""
    title: str = ""
    language: str = ""
    """What the page says of itself (BCP 47): it decides how numbers are read."""


class Difference(Record, kw_only=True):
    """Lines that are new and lines that went, as they stand in the pages."""

    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()


class Verdict(Record, kw_only=True):
    """What two sights of a page mean: whether anything changed, and whether the person's condition is met."""

    changed: bool = False
    met: bool = False
    difference: Difference = Difference()
    before: str = ""
    value: str = ""
    currency: str = ""


class Snapshot(Record, kw_only=True):
    """What was seen at a time and kept."""

    id: int = 0
    watch: str
    at: float
    seen: Seen
    told: bool = False
    """Whether the person was told of it."""


class ChartPoint(Record):
    """A number for a chart."""

    at: float
    value: float


class Replayed(Record, kw_only=True):
    """What a rule would have said of one snapshot of the past."""

    at: float
    verdict: Verdict


Told = Literal["change", "outage", "recovery"]


class Standing(Record, kw_only=True):
    """Where a watch stands between two fetches."""

    baseline: Seen | None = None
    pending: Seen | None = None
    """A change that a second fetch has to show too."""
    tries: int = 0
    failures: int = 0
    """In a row."""
    why: SeenWhy = ""
    failing_since: float = 0.0
    outage_told: bool = False
    told: str = ""
    """The number that the person was told last, at first that of the baseline."""
    told_at: float = 0.0

"""What a watch would say of two saved pages: one check from files, without a fetch and a second look."""

from __future__ import annotations

from typing import NamedTuple
from urllib.parse import quote

from app.watch_records import NUMERIC, CheckState, Condition, Look, Noise, Seen, Verdict
from app.watches.compare import amount, compare, suited
from app.watches.extract import Fetched, see

_MEDIA = {
    "html": "text/html", "htm": "text/html", "xhtml": "application/xhtml+xml", "json": "application/json",
    "xml": "application/xml", "rss": "application/rss+xml", "atom": "application/atom+xml",
    "txt": "text/plain", "md": "text/plain", "pdf": "application/pdf",
}  # fmt: skip


class Checked(NamedTuple):
    """What a check came to. `notified` is whether a person would be told; `why`, `detail` name a failure."""

    state: CheckState
    diff: tuple[str, ...] = ()
    """Lines that went, with - in front, and lines that came, with +."""
    value: str = ""
    notified: bool = False
    why: str = ""
    detail: str = ""
    currency: str = ""


def compare_saved(
    old: tuple[str, bytes], new: tuple[str, bytes], look: Look, condition: Condition, noise: Noise
) -> Checked:
    """Return what a watch would say of two pages, each a name and its bytes as they were fetched.

    Where there is nothing to look at in the old one, the new one is the first that counts: a baseline.
    """
    before = suited(see(saved(*old), look), condition)
    after = suited(see(saved(*new), look), condition, before if before.state == "ok" else None)
    if after.state != "ok":
        return Checked(after.state, why=after.why, detail=after.detail)
    if before.state != "ok":
        return Checked("baseline", value=_value(after, condition), currency=after.currency)
    verdict = compare(before, after, condition, noise)
    return Checked(
        "changed" if verdict.changed else "same",
        diff=lines_of(verdict),
        value=_value(after, condition),
        notified=verdict.met,
        currency=after.currency,
    )


def saved(name: str, data: bytes) -> Fetched:
    """Return a saved page as if it had been fetched; its kind is told by its name and its content."""
    media = _MEDIA.get(name.rpartition(".")[2].lower(), "")
    url = f"file:///{quote(name)}"
    return Fetched(url, url, 200, media, "", data)


def lines_of(verdict: Verdict) -> tuple[str, ...]:
    """Return a difference as lines to read."""
    difference = verdict.difference
    return (*(f"- {line}" for line in difference.removed), *(f"+ {line}" for line in difference.added))


def _value(seen: Seen, condition: Condition) -> str:
    if seen.value or condition.kind not in NUMERIC:
        return seen.value
    number = amount(seen)
    return "" if number is None else f"{number:f}"

"""One list out of those of several engines, by the ranks that they gave (reciprocal rank fusion). Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from app.capabilities.search.engines import within
from tools import Hit

_STEP = 60
"""The constant of Cormack, Clarke and Buettcher (SIGIR 2009): how little the first ranks differ."""
_FOLLOWED = re.compile(
    r"(utm_\w+|gclid|gclsrc|dclid|fbclid|msclkid|yclid|twclid|igshid|mc_cid|mc_eid|_hsenc|_hsmi|ref_src|spm)\Z"
)
"""Parameters that follow people about and lead nowhere else."""


def fused(lists: Iterable[tuple[float, Sequence[Hit]]], limit: int, site: str = "") -> tuple[Hit, ...]:
    """Return the best hits of all lists, each with its weight; the same page counts once, with the name of
    the engine that ranks it best, its longest text and all that found it.
    """
    scores: dict[str, float] = {}
    merged: dict[str, tuple[int, Hit]] = {}
    for weight, hits in lists:
        seen: set[str] = set()
        for rank, hit in enumerate(hits):
            key = page_of(hit.url)
            if key in seen or (site and not within(urlsplit(hit.url).hostname or "", site)):
                continue
            seen.add(key)
            scores[key] = scores.get(key, 0.0) + weight / (_STEP + rank)
            known = merged.get(key)
            merged[key] = (rank, hit) if known is None else _merged(known, (rank, hit))
    order = sorted(merged, key=lambda key: (-scores[key], merged[key][0]))
    return tuple(merged[key][1]._replace(url=tidy(merged[key][1].url)) for key in order[:limit])


def _merged(one: tuple[int, Hit], other: tuple[int, Hit]) -> tuple[int, Hit]:
    (rank, hit), (_, second) = (one, other) if one[0] <= other[0] else (other, one)
    return rank, hit._replace(
        text=max(hit.text, second.text, key=len),
        date=hit.date or second.date,
        engines=tuple(dict.fromkeys((*one[1].engines, *other[1].engines))),
    )


def tidy(url: str) -> str:
    """Return an address without the parameters that only follow people about."""
    parts = urlsplit(url)
    if not any(
        _FOLLOWED.match(name.casefold()) for name, _ in parse_qsl(parts.query, keep_blank_values=True)
    ):
        return url
    kept = [
        pair
        for pair in parse_qsl(parts.query, keep_blank_values=True)
        if not _FOLLOWED.match(pair[0].casefold())
    ]
    return urlunsplit(parts._replace(query=urlencode(kept)))


def page_of(url: str) -> str:
    """Return what two addresses of the same page have in common."""
    parts = urlsplit(tidy(url))
    host = (parts.hostname or "").removeprefix("www.")
    port = f":{parts.port}" if parts.port and parts.port not in (80, 443) else ""
    path = parts.path.rstrip("/") or "/"
    return f"{host}{port}{path}?{parts.query}"

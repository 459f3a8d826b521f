"""How well a ranking finds tools: recall at 4, hit at 1, precision at its cut, silence where nothing fits."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

REQUESTS = Path(__file__).resolve().parents[1] / "discovery" / "requests.jsonl"
UNSEEN = REQUESTS.with_name("unseen.jsonl")
Ask = Callable[[str], Sequence[str]]
Row = Mapping[str, Any]
GROUPS: Mapping[str, tuple[str, ...]] = {
    "own words": ("plain", "paraphrase", "spoken", "typo", "nonnative", "collision", "multi"),
    "oblique": ("indirect", "oblique"),
    "languages": ("multilingual", "lang"),
    "phrases": ("phrase",),
}
"""What product.md 13 calls them, and the kinds of request that they hold."""
MET_BY_CHANCE = frozenset(
    f"u{number:03d}" for number in (35, 70, 71, 76, 138, 181, 187, 188, 189, 190, 193, 194, 196, 198, 215)
)
"""Unseen requests that stood word for word in what teaches the ranking already when they were written."""


@dataclass(frozen=True)
class Score:
    """Shares between 0 and 1; `count` is how many requests have a goal."""

    count: int
    recall: float
    first: float
    precision: float
    silence: float


def rows(part: str, path: Path = REQUESTS) -> list[Row]:
    """Return the requests of one part."""
    read = [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]
    return [row for row in read if row.get("part", part) == part]


def score(ask: Ask, wanted: Iterable[Row]) -> Score:
    """Ask for each request. Precision counts every tool named, those for requests without a goal too."""
    recalls: list[float] = []
    firsts: list[bool] = []
    silent: list[bool] = []
    named = right = 0
    for row in wanted:
        found = list(ask(row["query"]))[:4]
        goals = [set(goal.split("|")) for goal in row["gold"]]
        fitting = set().union(*goals, row["ok"])
        named += len(found)
        right += len(fitting.intersection(found))
        if not goals:
            silent.append(not found)
            continue
        recalls.append(sum(bool(goal.intersection(found)) for goal in goals) / len(goals))
        firsts.append(bool(found) and any(found[0] in goal for goal in goals))
    return Score(len(recalls), _mean(recalls), _mean(firsts), right / named if named else 0.0, _mean(silent))


def of_group(wanted: Iterable[Row], group: str) -> list[Row]:
    """Return the requests of a group."""
    return [row for row in wanted if row["kind"] in GROUPS[group]]


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0

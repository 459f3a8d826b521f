"""`./dev bench --only discovery`: finding tools, ours beside the usual ways, in quality and in time."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from statistics import median

from app.toolbox.discovery import data
from app.toolbox.discovery.entries import Entry
from app.toolbox.discovery.ranker import Ranker, Table
from app.toolbox.registry import load_registry
from tests.bench import discovery_baselines as baselines
from tests.bench.discovery_score import (
    GROUPS,
    MET_BY_CHANCE,
    REQUESTS,
    UNSEEN,
    Ask,
    Row,
    of_group,
    rows,
    score,
)
from tests.bench.figures import Number, by_value, say

LEAST: Mapping[str, float] = {"own words": 0.90, "oblique": 0.60, "languages": 0.90, "phrases": 0.98}
"""Recall at 4 that product.md 13 asks of each group."""
LEAST_FIRST, LEAST_PRECISION = 0.75, 0.60
LEAST_FOREIGN, LEAST_FOREIGN_FIRST = 0.85, 0.75
"""What we ask of tools that come without aliases."""
FOREIGN_TOOLS = REQUESTS.with_name("foreign_tools.json")
FOREIGN_REQUESTS = REQUESTS.with_name("foreign_requests.jsonl")
MOST_MS = {100: 0.5, 5_000: 10.0}
START_MS = 50.0
_VERBS = "get list create update delete search fetch send read write export import sync merge archive"
_THINGS = """page record ticket customer invoice message channel file folder branch commit event order
product user team board card comment label report query table row dataset model image video track playlist"""


def discovery(folder: Path, rounds: int) -> list[Number]:
    """Return the figures of the set-aside requests; the whole table, development requests too, is said."""
    registry = load_registry()
    entries = data.entries(registry)
    table = data.table()
    ways = _ways(entries, Ranker(entries, table))
    parts = {part: rows(part) for part in ("train", "aside", "fresh")}
    parts["unseen"] = rows("unseen", UNSEEN)
    parts["unseen, met nowhere"] = [row for row in parts["unseen"] if row["id"] not in MET_BY_CHANCE]
    for part, wanted in parts.items():
        say(_table(part, wanted, ways))
    say(_languages({part: parts[part] for part in ("aside", "fresh", "unseen")}, ways["ours"]))
    found = [*_quality(ways, parts["aside"]), *_foreign(table)]
    start = _start(rounds)
    for size, most in MOST_MS.items():
        every = [*entries, *_more(size - len(entries))]
        ranker = Ranker(every, table)
        ours = partial(ranker.rank, explained=False)  # as find_tools asks
        spent, plain = _milliseconds((ours, baselines.bm25(every)), parts["aside"], rounds)
        found.append(by_value(f"find_tools over {size} tools", spent, "ms", plain, most, "plain BM25"))
    plain_start = _seconds(lambda: baselines.bm25(entries)) * 1000
    found.append(by_value("find_tools start", start, "ms", plain_start, START_MS, "start of plain BM25"))
    return found


def _ways(entries: Sequence[Entry], ours: Ranker) -> dict[str, Ask]:
    ways: dict[str, Ask] = {
        "keyword categories": baselines.keyword_categories(entries),
        "substring": baselines.substrings(entries),
        "BM25": baselines.bm25(entries),
        "BM25 + stems + synonyms": baselines.bm25(entries, stemmed=True),
    }
    meanings = baselines.embeddings(entries)
    if meanings is None:
        say("MiniLM embeddings are left out: ./dev keywords --train installs them")
    else:
        ways["MiniLM embeddings"] = meanings
    return {**ways, "ours": lambda query: [hit.name for hit in ours.rank(query)]}


def _foreign(table: Table) -> list[Number]:
    """Return how well tools of servers are found, for which nobody wrote aliases."""
    entries = data.foreign(json.loads(FOREIGN_TOOLS.read_text("utf-8")))
    ranker = Ranker(entries, table)
    wanted = rows("", FOREIGN_REQUESTS)
    ways: dict[str, Ask] = {
        "BM25": baselines.bm25(entries),
        "BM25 + stems + synonyms": baselines.bm25(entries, stemmed=True),
        "ours": lambda query: [hit.name for hit in ranker.rank(query)],
    }
    scores = {name: score(ask, wanted) for name, ask in ways.items()}
    lines = [f"{'tools of servers':<26}     recall    first  precise   silent"]
    for name, one in scores.items():
        lines.append(
            f"{name:<26}{one.recall:>11.2f}{one.first:>9.2f}{one.precision:>9.2f}{one.silence:>9.2f}"
        )
    say("\n".join(lines))
    best = "BM25 + stems + synonyms"
    ours, theirs = scores["ours"], scores[best]
    return [
        at_least("tools of servers found in four", ours.recall, theirs.recall, LEAST_FOREIGN, best),
        at_least("right tool of a server first", ours.first, theirs.first, LEAST_FOREIGN_FIRST, best),
    ]


def _languages(parts: Mapping[str, Sequence[Row]], ask: Ask) -> str:
    """Return recall at 4 for each language of the requests that are not English."""
    lines = []
    for part, wanted in parts.items():
        told = of_group(wanted, "languages")
        shares = (
            f"{name} {score(ask, [row for row in told if row['lang'] == name]).recall:.2f}"
            for name in sorted({row["lang"] for row in told})
        )
        lines.append(f"{part + ', ours, by language':<26} {'  '.join(shares)}")
    return "\n".join(lines)


def _quality(ways: Mapping[str, Ask], aside: Sequence[Row]) -> list[Number]:
    best = "BM25 + stems + synonyms"
    found = []
    for group, least in LEAST.items():
        wanted = of_group(aside, group)
        ours, theirs = (score(ways[name], wanted).recall for name in ("ours", best))
        found.append(at_least(f"tools found in four: {group}", ours, theirs, least, best))
    wanted = of_group(aside, "own words")
    ours, theirs = (score(ways[name], wanted).first for name in ("ours", best))
    found.append(at_least("right tool first: own words", ours, theirs, LEAST_FIRST, best))
    ours, theirs = (score(ways[name], aside).precision for name in ("ours", best))
    return [*found, at_least("precision at the cut", ours, theirs, LEAST_PRECISION, best)]


def at_least(name: str, value: float, reference: float, least: float, beside: str) -> Number:
    """A share that must reach a limit."""
    ratio = round(value / reference, 2) if reference else 0.0
    return Number(
        name, round(value, 3), "", round(reference, 3), ratio, f">= {least:.2f}", value >= least, beside
    )


def _table(part: str, wanted: Sequence[Row], ways: Mapping[str, Ask]) -> str:
    head = f"{part:<26}" + "".join(f"{group:>11}" for group in GROUPS) + "    first  precise   silent"
    lines = [head]
    for name, ask in ways.items():
        shares = "".join(f"{score(ask, of_group(wanted, group)).recall:>11.2f}" for group in GROUPS)
        whole = score(ask, wanted)
        first = score(ask, of_group(wanted, "own words")).first
        lines.append(f"{name:<26}{shares}{first:>9.2f}{whole.precision:>9.2f}{whole.silence:>9.2f}")
    return "\n".join(lines)


def _start(rounds: int) -> float:
    registry = load_registry()
    return min(_seconds(lambda: Ranker(data.entries(registry), data.table())) for _ in range(rounds)) * 1000


def _milliseconds(
    ways: Sequence[Callable[[str], object]], wanted: Sequence[Row], rounds: int
) -> tuple[float, ...]:
    """Return for each way the median over all requests and rounds; they take turns, so that other work on the
    machine hits all alike.
    """
    spent: list[list[float]] = [[] for _ in ways]
    for _ in range(rounds):
        for row in wanted:
            for ask, taken in zip(ways, spent, strict=True):
                start = time.perf_counter()
                ask(row["query"])
                taken.append(time.perf_counter() - start)
    return tuple(1000 * median(taken) for taken in spent)


def _seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def _more(count: int) -> list[Entry]:
    """Return so many tools of servers that do not exist, with the vocabulary of real ones."""
    chance = random.Random(7)
    verbs, things = _VERBS.split(), _THINGS.split()
    found = []
    for number in range(max(0, count)):
        verb, thing, other = chance.choice(verbs), chance.choice(things), chance.choice(things)
        found.append(
            Entry(
                name=f"server{number % 97}_{verb}_{thing}_{number}",
                category=f"server{number % 97}",
                description=f"{verb.title()} a {thing} of a {other} in server{number % 97}.",
                parameters=(thing, other, "limit"),
                source="server",
            )
        )
    return found

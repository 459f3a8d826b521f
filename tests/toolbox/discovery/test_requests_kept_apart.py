"""No request kept apart stands in what teaches the ranking: the figures would say nothing."""

from __future__ import annotations

import json
import re
import tomllib

from app.toolbox.discovery import data
from app.toolbox.registry import load_registry
from app.toolbox.tool import Tool
from tests.bench.discovery_score import MET_BY_CHANCE, REQUESTS, UNSEEN, rows


def bare(text: str) -> str:
    """Return a text without case, marks and spacing."""
    return re.sub(r"[\W_]+", " ", text.casefold()).strip()


def taught() -> set[str]:
    """Return all texts that people wrote to teach it."""
    found = set((data.RESOURCES / "discovery" / "nothing.txt").read_text("utf-8").splitlines())
    for path in (data.RESOURCES / "aliases").glob("*.toml"):
        read = tomllib.loads(path.read_text("utf-8"))
        found |= {*read["examples"], *read["not"]}
        found |= {text for language in data.LANGUAGES for text in read[language]["aliases"]}
    frames = tomllib.loads((data.RESOURCES / "discovery" / "frames.toml").read_text("utf-8"))
    found |= {text for language in data.LANGUAGES for listed in frames[language].values() for text in listed}
    return {bare(text) for text in found}


def test_what_is_set_aside_teaches_nothing() -> None:
    rows = [json.loads(line) for line in REQUESTS.read_text("utf-8").splitlines()]
    kept_apart = {bare(row["query"]): row["id"] for row in rows if row["part"] in ("aside", "fresh")}
    assert {kept_apart[text] for text in taught() & kept_apart.keys()} == set()


def test_what_is_unseen_teaches_nothing_but_what_was_there_before() -> None:
    tools = [tool for tool in load_registry().tools.values() if isinstance(tool, Tool)]
    examples = {text for tool in tools for text in tool.spec.examples}
    assert examples
    known = taught() | {bare(text) for text in examples} | {bare(row["query"]) for row in rows("train")}
    met = {row["id"] for row in rows("unseen", UNSEEN) if bare(row["query"]) in known}
    assert met <= MET_BY_CHANCE

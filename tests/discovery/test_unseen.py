"""The form of the unseen requests: keys, ids, how many of each kind and language, and tools that exist."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

from tests.bench.discovery_score import UNSEEN, rows

CATALOGUE = Path(__file__).resolve().parents[1] / "toolbox" / "discovery" / "catalogue.json"
KEYS = ("id", "query", "gold", "ok", "kind", "lang")
KINDS = {"plain": 90, "oblique": 30, "lang": 50, "phrase": 30, "none": 20}
EACH_LANGUAGE = 10


def test_keys_stand_in_order_and_ids_count_up() -> None:
    found = rows("unseen", UNSEEN)
    assert {tuple(row) for row in found} == {KEYS}
    assert [row["id"] for row in found] == [f"u{number:03d}" for number in range(1, len(found) + 1)]


def test_each_kind_and_language_keeps_its_share() -> None:
    found = rows("unseen", UNSEEN)
    assert Counter(row["kind"] for row in found) == KINDS
    foreign = Counter(row["lang"] for row in found if row["kind"] == "lang")
    assert foreign == dict.fromkeys(("de", "es", "fr", "hi", "pt"), EACH_LANGUAGE)
    assert {row["lang"] for row in found if row["kind"] != "lang"} == {"en"}


def test_every_tool_of_the_catalogue_is_asked_for_and_no_other() -> None:
    catalogue = {one["name"] for one in json.loads(CATALOGUE.read_text("utf-8"))}
    found = rows("unseen", UNSEEN)
    assert {name for row in found for name in row["gold"]} == catalogue
    assert {name for row in found for name in row["ok"]} <= catalogue


def test_only_what_no_tool_can_do_has_no_goal() -> None:
    for row in rows("unseen", UNSEEN):
        named = row["gold"] + row["ok"]
        assert len(named) == len(set(named)), row["id"]
        assert bool(row["gold"]) == (row["kind"] != "none"), row["id"]
        assert row["gold"] or not row["ok"], row["id"]


def test_no_request_is_there_twice() -> None:
    found = [row["query"].casefold() for row in rows("unseen", UNSEEN)]
    assert len(found) == len(set(found))

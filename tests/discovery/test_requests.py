"""The form of the test requests for finding tools: keys, ids, kinds, languages and the part set aside."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

FILE = Path(__file__).with_name("requests.jsonl")
KEYS = ("id", "query", "gold", "ok", "kind", "lang", "part")
KINDS = {
    "plain",
    "paraphrase",
    "indirect",
    "collision",
    "multi",
    "typo",
    "nonnative",
    "spoken",
    "multilingual",
    "none",
    "phrase",
}
LANGUAGES = {"en", "de", "es", "fr", "hi", "pt"}
ASIDE_LEAST, ASIDE_MOST = 0.25, 0.40


@pytest.fixture(scope="module")
def requests() -> list[dict[str, Any]]:
    return [json.loads(line) for line in FILE.read_text("utf-8").splitlines()]


def bare(query: str) -> str:
    """The query without case, punctuation and spacing."""
    return re.sub(r"[\W_]+", " ", query.casefold()).strip()


def doubles(values: list[str]) -> list[str]:
    return [value for value, times in Counter(values).items() if times > 1]


def test_there_are_enough(requests: list[dict[str, Any]]) -> None:
    assert len(requests) >= 340
    assert sum(one["part"] == "fresh" for one in requests) >= 150


def test_every_request_has_the_keys_in_order(requests: list[dict[str, Any]]) -> None:
    assert [one for one in requests if tuple(one) != KEYS] == []


def test_ids_count_up(requests: list[dict[str, Any]]) -> None:
    assert [one["id"] for one in requests] == [f"r{number:03d}" for number in range(1, len(requests) + 1)]


def test_no_query_is_there_twice(requests: list[dict[str, Any]]) -> None:
    assert doubles([bare(one["query"]) for one in requests]) == []


def test_queries_are_single_clean_lines(requests: list[dict[str, Any]]) -> None:
    spoiled = [one["id"] for one in requests if not one["query"].strip() or not one["query"].isprintable()]
    assert spoiled == []
    assert [one["id"] for one in requests if one["query"] != one["query"].strip()] == []


@pytest.mark.parametrize(
    ("key", "allowed"), [("kind", KINDS), ("lang", LANGUAGES), ("part", {"train", "aside", "fresh"})]
)
def test_only_known_words_are_used_and_all_of_them(
    requests: list[dict[str, Any]], key: str, allowed: set[str]
) -> None:
    assert {one[key] for one in requests} == allowed


def test_tools_are_named_once_and_none_means_none(requests: list[dict[str, Any]]) -> None:
    for one in requests:
        named = one["gold"] + one["ok"]
        assert all(re.fullmatch(r"[a-z_]+", name) for name in named), one["id"]
        assert doubles(named) == [], one["id"]
        assert bool(one["gold"]) == (one["kind"] != "none"), one["id"]
        assert one["gold"] or not one["ok"], one["id"]
        assert (len(one["gold"]) > 1) == (one["kind"] == "multi"), one["id"]


def test_multilingual_requests_are_not_english(requests: list[dict[str, Any]]) -> None:
    assert [one["id"] for one in requests if one["kind"] == "multilingual" and one["lang"] == "en"] == []


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_about_a_third_of_each_kind_is_set_aside(requests: list[dict[str, Any]], kind: str) -> None:
    parts = [one["part"] for one in requests if one["kind"] == kind and one["part"] != "fresh"]
    assert ASIDE_LEAST <= parts.count("aside") / len(parts) <= ASIDE_MOST

"""Tools of servers, for which nobody wrote aliases, are found by their names and descriptions."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from app.toolbox.discovery import data
from app.toolbox.discovery.ranker import Ranker
from tests.bench import discovery_baselines as baselines
from tests.bench.discovery_score import rows, score

TOOLS = Path(__file__).with_name("foreign_tools.json")
REQUESTS = Path(__file__).with_name("foreign_requests.jsonl")


@pytest.fixture(scope="module")
def catalogue() -> list[dict[str, str]]:
    """The tools of servers that do not exist."""
    return json.loads(TOOLS.read_text("utf-8"))


def test_the_files_agree(catalogue: list[dict[str, str]]) -> None:
    names = [row["name"] for row in catalogue]
    wanted = rows("", REQUESTS)
    assert len(set(names)) == len(names) >= 40 and len(wanted) >= 60
    assert {goal for row in wanted for goal in row["gold"]} <= set(names)
    assert any(row["kind"] == "none" for row in wanted)


def test_they_are_found_and_small_talk_finds_none(catalogue: list[dict[str, str]]) -> None:
    entries = data.foreign(catalogue)
    ranker = Ranker(entries, data.table())
    ours = score(lambda query: [hit.name for hit in ranker.rank(query)], rows("", REQUESTS))
    plain = score(baselines.bm25(entries, stemmed=True), rows("", REQUESTS))
    assert ours.recall >= 0.9 and ours.first >= 0.75 and ours.silence >= 0.8
    assert ours.precision > plain.precision and ours.first > plain.first


def test_what_is_ours_in_another_catalogue_keeps_what_was_learned() -> None:
    from app.toolbox.registry import load_registry

    rows_of_ours = json.loads(
        (TOOLS.parents[1] / "toolbox" / "discovery" / "catalogue.json").read_text("utf-8")
    )
    ranker = Ranker(data.foreign(rows_of_ours, load_registry()), data.table())
    assert ranker.rank("leg einen neuen Ordner für die Fotos an")[0].name == "create_dir"
    unknown = Ranker(
        data.foreign([{"name": "weather", "description": "Sail against the wind."}]), data.table()
    )
    assert unknown.rank("sail against the wind")[0].name == "weather"

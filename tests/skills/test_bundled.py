"""The bundled skills: whole, short, honest about tools that exist, and found by what people say."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

import pytest

from app.skill_records import Skill
from app.toolbox.registry import load_registry
from app.toolbox.skills.facade import check
from app.toolbox.skills.finding import Finder
from app.toolbox.skills.places import BUNDLED, gather, places

ROOT = Path(__file__).parents[2]
GOLDEN = tomllib.loads((Path(__file__).parent / "golden.toml").read_text("utf-8"))
PROMISED = {
    "commit-review", "bug-repro", "release-notes", "web-research", "summarise-document", "plan-a-trip",
    "tidy-folder", "meeting-notes", "data-from-csv", "write-a-skill",
}  # fmt: skip
SKILLS = gather(places(Path("/nowhere")))
NAMES = [skill.name for skill in SKILLS]
REQUESTS = [
    (name, kind, request)
    for name, kinds in GOLDEN.items()
    if name != "none"
    for kind, requests in kinds.items()
    for request in requests
]
LATER = {"load_skill", "find_tools", "use_tool", "git_show"}
"""Promised by product.md 2.2 and 4 beyond the catalogue."""


@pytest.fixture(scope="module")
def finder() -> Finder:
    return Finder(SKILLS)


@pytest.fixture(scope="module")
def tools() -> set[str]:
    planned = json.loads((ROOT / "resources" / "discovery" / "planned.json").read_text("utf-8"))
    rows = planned["tools"] if isinstance(planned, dict) else planned
    return {row["name"] for row in rows} | set(load_registry().tools) | LATER


def test_all_that_are_promised_are_there() -> None:
    assert set(NAMES) >= PROMISED and set(GOLDEN) == set(NAMES) | {"none"}


@pytest.mark.parametrize("skill", SKILLS, ids=NAMES)
def test_a_bundled_skill_is_without_fault(skill: Skill, tools: set[str]) -> None:
    report = check(skill.folder)
    assert report.ok and report.loaded and report.problems == ()
    assert skill.name == Path(skill.folder).name and skill.source == "bundled"
    assert 60 <= len(skill.description) <= 160 and skill.description.endswith(".")
    assert len(skill.body) <= 4_000 and all(len(line) <= 130 for line in skill.body.split("\n"))
    assert set(skill.tools) <= tools
    said = set(re.findall(r"`([a-z]+_[a-z_]+)`", skill.body))
    assert said <= set(skill.tools) | LATER | {"node_modules", "remember"}
    assert set(skill.tools) & said, "it says how its tools are used"


@pytest.mark.parametrize(("name", "kind", "request_text"), REQUESTS)
def test_a_golden_request_selects_it(finder: Finder, name: str, kind: str, request_text: str) -> None:
    found = finder.find(request_text)
    assert found and found[0].name == name
    if kind == "sure":
        assert found[0].sure and found[0].why


def test_requests_that_nobody_looked_at_find_their_skill(finder: Finder) -> None:
    aside = tomllib.loads((Path(__file__).parent / "aside.toml").read_text("utf-8"))
    hits = [
        bool(found) and found[0].name == name
        for name, requests in aside.items()
        for found in map(finder.find, requests)
    ]
    assert sum(hits) / len(hits) >= 0.8


def test_requests_for_tools_are_seldom_taken_for_a_skill(finder: Finder) -> None:
    """A sure skill is hinted to the model and costs a round; some of these requests do mean one."""
    lines = (ROOT / "tests" / "discovery" / "requests.jsonl").read_text("utf-8").splitlines()
    sure = [any(one.sure for one in finder.find(json.loads(line)["query"])) for line in lines if line]
    assert sum(sure) / len(sure) <= 0.02


@pytest.mark.parametrize("request_text", GOLDEN["none"]["requests"])
def test_other_requests_select_none_surely(finder: Finder, request_text: str) -> None:
    assert not any(one.sure for one in finder.find(request_text))


@pytest.mark.parametrize("query", ["", " ", "🙂", "the of and", "\0\ud800", "x" * 10_000, "a b " * 5_000])
def test_queries_that_say_nothing(finder: Finder, query: str) -> None:
    assert not any(one.sure for one in finder.find(query))


def test_words_far_apart_are_no_trigger(finder: Finder) -> None:
    assert not any(
        one.sure for one in finder.find("release the dogs, then read me a story and later some notes")
    )
    assert finder.find("notes for the release", 1)[0].sure


def test_nothing_is_found_among_nothing() -> None:
    assert Finder([]).find("anything at all") == ()
    assert BUNDLED == ROOT / "skills"

"""The ranking finds by name, by words, misspelt ones too, and by what was learned; else it stays silent."""

from __future__ import annotations

import pytest

from app.toolbox.discovery import data
from app.toolbox.discovery.entries import Entry, Rule
from app.toolbox.discovery.ranker import Ranker, Table
from app.toolbox.registry import load_registry

FOREIGN = [
    {"name": "create_ticket", "description": "Open a new support ticket for a customer.", "category": "desk"},
    {"name": "list_invoices", "description": "List the invoices of an account.", "category": "billing"},
    {"name": "refund.payment", "description": "Refund a payment to a customer.", "category": "billing"},
    {"name": "get", "description": "", "category": ""},
]


@pytest.fixture(scope="module")
def ours() -> Ranker:
    """The ranking over our own tools."""
    return Ranker(data.entries(load_registry()), data.table())


@pytest.fixture(scope="module")
def foreign() -> Ranker:
    """The ranking over tools that nobody wrote aliases for."""
    return Ranker(data.foreign(FOREIGN), data.table())


def names(ranker: Ranker, query: str) -> list[str]:
    """Return the names found."""
    return [hit.name for hit in ranker.rank(query)]


@pytest.mark.parametrize("query", ["git_blame", "use git_blame here", "Git blame", "git blame"])
def test_a_name_finds_its_tool_alone(ours: Ranker, query: str) -> None:
    assert names(ours, query) == ["git_blame"]


@pytest.mark.parametrize("query", ["", "   ", "\x00", "\ud800", "🙂🙂🙂", "?!", "zzzz qqqq xxxx", "quuxbar"])
def test_nothing_is_found_for_nothing(ours: Ranker, query: str) -> None:
    assert ours.rank(query) == ()


def test_a_very_long_request_is_read_from_its_start(ours: Ranker) -> None:
    assert names(ours, "will it rain in Oslo tomorrow" + " " * 3000 + "rename the file") == ["weather"]
    assert len(ours.rank("rename the file " * 700)) <= 4


def test_at_most_four_and_never_more_than_asked(ours: Ranker) -> None:
    assert len(ours.rank("file", limit=4)) <= 4
    assert len(ours.rank("rename the file", limit=1)) <= 1
    assert ours.rank("rename the file", limit=0) == ()


def test_each_hit_says_why(ours: Ranker) -> None:
    (first, *_) = ours.rank("rename photo.jpg to beach.jpg")
    assert first.name == "move_file" and 0 < first.score <= 1
    assert any("shape: ending" in line for line in first.why)
    assert any(line.startswith("learned: ") for line in first.why)


def test_a_reason_is_told_once(ours: Ranker) -> None:
    why = ours.rank("move the file to trash " * 20, explained=True)[0].why
    assert len(why) == len(set(why))


def test_planned_tools_are_marked(ours: Ranker) -> None:
    planned = {entry.name for entry in data.planned()}
    for hit in ours.rank("git commit history"):
        assert hit.planned == (hit.name in planned)


def test_foreign_tools_are_found_by_their_words(foreign: Ranker) -> None:
    assert names(foreign, "open a support ticket")[:1] == ["create_ticket"]
    assert names(foreign, "show me the invoices")[:1] == ["list_invoices"]
    assert names(foreign, "refnud the paymet")[:1] == ["refund.payment"]
    assert names(foreign, "what a lovely morning") == []


def test_what_was_learned_for_ours_finds_foreign_tools_that_are_like_them() -> None:
    rows = [
        {"name": "meteo_get", "description": "Get the weather forecast for a city."},
        {"name": "recipes", "description": "Stir the soup."},
    ]
    ranker = Ranker(data.foreign(rows), data.table())
    for query in ("will it rain tomorrow", "brauche ich morgen einen Regenschirm", "va a llover mañana"):
        assert names(ranker, query) == ["meteo_get"], query
    assert names(ranker, "stir the soup") == ["recipes"]


def test_a_rule_holds_a_tool_back() -> None:
    entries = [Entry(name="kill_process", description="Terminate a process.")]
    rule = Rule(tools=("kill_process",), when=r"\bkill time\b", because="a saying")
    layer = data.layer()
    assert layer is not None
    ranker = Ranker(entries, Table(layer=layer, rules=(rule,)))
    assert ranker.rank("how do i kill time") == ()
    assert names(ranker, "kill the process 812") == ["kill_process"]


def test_the_same_question_has_the_same_answer(ours: Ranker) -> None:
    query = "tell me when the page changes"
    assert ours.rank(query) == ours.rank(query)
    again = Ranker(list(reversed(data.entries(load_registry()))), data.table())
    assert [hit.name for hit in again.rank(query)] == names(ours, query)


def test_no_entries_find_nothing() -> None:
    assert Ranker([], data.table()).rank("anything at all") == ()
    assert Ranker(data.entries(load_registry())).rank("download a file from a url")[0].name == "download_file"

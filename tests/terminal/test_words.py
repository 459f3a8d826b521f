"""Every code has words, and the words hold together with the codes of `app/errors.py`."""

from __future__ import annotations

import re

import pytest

import app.errors
from app.records import Problem
from ui.problems import ACTIONS, PROBLEMS
from ui.words import _, as_called, problem_text


def codes() -> set[str]:
    assert app.errors.__doc__
    listing = app.errors.__doc__.split("\n\n", 1)[1]
    return set(re.findall(r"\b[a-z]+(?:_[a-z]+)*\b(?=[,.])", listing.split(":", 1)[1]))


def test_each_code_has_words_and_no_words_stand_without_a_code() -> None:
    assert codes() == set(PROBLEMS)


def test_each_action_is_known_and_used() -> None:
    assert {row.action for row in PROBLEMS.values()} == set(ACTIONS)


def test_words_are_plain_sentences() -> None:
    for row in PROBLEMS.values():
        for sentence in (row.title, row.advice, row.fuller):
            assert "!" not in sentence
            assert not sentence or sentence.endswith((".", ": {why}"))


def test_a_missing_field_falls_back_to_the_plain_title() -> None:
    assert (
        problem_text(Problem(code="no_key", fields={"profile": "openai"})).title
        == "There is no key for openai yet."
    )
    assert problem_text(Problem(code="no_key")).title == "There is no key for this model yet."
    refused = Problem(code="bad_key", fields={"profile": "env"})
    assert problem_text(refused).title == "The provider did not accept the key."
    assert (
        problem_text(Problem(code="no_key", fields={"profile": ""})).title
        == "There is no key for this model yet."
    )


def test_braces_in_a_field_stay_as_they_are() -> None:
    text = problem_text(Problem(code="not_found", fields={"path": "/a/{path}/{0}"}))
    assert text.title == "/a/{path}/{0} does not exist."


def test_an_unknown_code_is_still_worded() -> None:
    assert problem_text(Problem(code="from_the_future", detail="x  y")).detail.endswith("x y")


def test_a_command_reads_as_the_person_types_it(monkeypatch: pytest.MonkeyPatch) -> None:
    said = "Taken back. To bring it back: bramble undo {id}"
    assert _(said) == said
    monkeypatch.setenv("BRAMBLE_CALLED", "../my dev/dev run")
    assert _(said) == "Taken back. To bring it back: ../my dev/dev run undo {id}"
    assert _("Bramble wants to run a command; /opt/bramble is its folder") == (
        "Bramble wants to run a command; /opt/bramble is its folder"
    )
    assert as_called("bramble doctor") == "../my dev/dev run doctor"

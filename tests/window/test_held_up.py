"""A request that waits for another window or terminal says so where its answer comes."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.platform.locking import locked
from tests.servers.copilot import GITHUB_TOKEN, Copilot
from tests.window.furnished import Furnished
from tests.window.pages.test_sign_in import copilot as copilot, settle

WAITING = "Waiting for a request of another window or terminal: GitHub Copilot is asked one at a time"


def said(furnished: Furnished) -> str:
    """What the rows say, those of a wait too."""
    story = furnished.life.transcript.story
    return "\n".join(row.retry for row in story.rows)


def hold(home: Path, name: str) -> Path:
    """The lock that another process would hold."""
    folder = home / "data" / "locks"
    folder.mkdir(parents=True, exist_ok=True)
    return folder / f"{name}.lock"


def test_the_turn_of_another_process_is_waited_for_in_sight(
    furnished: Furnished, copilot: Copilot, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settle(home, copilot, more='keys_in_file = true\nmodel = "copilot/gpt-5-mini"')
    monkeypatch.setenv("GH_TOKEN", GITHUB_TOKEN)
    furnished.open()
    with locked(hold(home, "copilot.request"), 0.0):
        furnished.send("Hello")
        furnished.until(lambda: WAITING in said(furnished), "the word")
    furnished.until(lambda: "Hello from Copilot." in furnished.text(), "the answer")
    assert said(furnished).strip() == ""


def test_a_way_in_that_another_process_makes_is_waited_for_in_sight(
    furnished: Furnished, copilot: Copilot, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settle(home, copilot, more='keys_in_file = true\nmodel = "copilot/gpt-5-mini"')
    monkeypatch.setenv("GH_TOKEN", GITHUB_TOKEN)
    furnished.open()
    with locked(hold(home, "copilot"), 0.0):
        furnished.send("Hello")
        furnished.until(lambda: "Getting in at" in said(furnished), "the word")
    furnished.until(lambda: "Hello from Copilot." in furnished.text(), "the answer")
    assert said(furnished).strip() == ""

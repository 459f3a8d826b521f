"""Git, processes and the desktop through the whole engine: modes, rules, turns without a person, undo."""

from __future__ import annotations

import json
import os
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any

import pytest

from app.engine import Engine
from app.events import ToolFinished
from app.records import ActionEffect, Approval, TurnOptions
from tests.capabilities.git_desk import GitDesk, git_desk
from tests.tools import engine_desk
from tests.tools.engine_desk import open_engine


@pytest.fixture
def desk(tmp_path: Path) -> GitDesk:
    desk = git_desk(tmp_path / "work")
    desk.commit("a", "1\n")
    return desk


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path) -> None:
    (tmp_path / "work").mkdir()


def engine_of(home: Path, desk: GitDesk) -> AbstractAsyncContextManager[tuple[Engine, list[Approval]]]:
    """Return an open engine whose questions are allowed at once; its screen is never reached."""
    place = {"DISPLAY": ":4711", "BRAMBLE_HOME": str(home), "TMPDIR": os.environ.get("TMPDIR", "/tmp")}
    return open_engine({**desk.environ, **place})


async def call(
    engine: Engine, desk: GitDesk, tool: str, given: dict[str, Any], options: TurnOptions = TurnOptions()
) -> ToolFinished:
    return await engine_desk.call(engine, desk.folder, tool, given, options)


async def test_a_commit_is_asked_about_and_a_rule_is_offered(home: Path, desk: GitDesk) -> None:
    desk.write("a", "2\n")
    async with engine_of(home, desk) as (engine, asked):
        assert (await call(engine, desk, "git_status", {})).ok and asked == []
        done = await call(engine, desk, "git_commit", {"message": "Two", "paths": ["a"]})
        assert done.ok and "[verified]" in done.text
        (approval,) = asked
        assert isinstance(approval.effect, ActionEffect) and approval.effect.subject == "commit"
        assert approval.offers == (("git_commit(commit)",), ("git_commit(*)",))
        back = await call(engine, desk, "git_checkout", {"target": "HEAD~1", "paths": ["a"]})
        assert back.ok and back.undo and (desk.folder / "a").read_text() == "1\n"
        await engine.changes.undo(back.undo)
        assert (desk.folder / "a").read_text() == "2\n"


@pytest.mark.parametrize(
    ("options", "ok"),
    [
        (TurnOptions(attended=False), False),
        (TurnOptions(attended=False, allow=("git_commit(commit)",)), True),
        (TurnOptions(attended=False, allow=("run_command(git commit *)",)), True),
        (TurnOptions(attended=False, yes=True), True),
        (TurnOptions(attended=False, yes=True, deny=("git_commit(*)",)), False),
        (TurnOptions(mode="plan"), False),
        (TurnOptions(mode="chat"), False),
    ],
    ids=["nobody", "rule", "rule for commands", "yes", "denied", "plan", "chat"],
)
async def test_where_nobody_answers_and_where_nothing_may_change(
    home: Path, desk: GitDesk, options: TurnOptions, ok: bool
) -> None:
    desk.write("a", "2\n")
    async with engine_of(home, desk) as (engine, asked):
        done = await call(engine, desk, "git_commit", {"message": "x", "paths": ["a"]}, options)
        assert (done.ok, asked) == (ok, []), done.text
        assert (await call(engine, desk, "git_log", {}, options)).ok
    assert desk.git("status", "--porcelain") == ("" if ok else " M a\n")


async def test_a_list_reads_in_every_mode_and_a_change_does_not(home: Path, desk: GitDesk) -> None:
    plan = TurnOptions(mode="plan")
    async with engine_of(home, desk) as (engine, asked):
        for tool in ("git_branch", "git_stash"):
            assert (await call(engine, desk, tool, {"action": "list"}, plan)).ok
        for tool, given in (
            ("git_branch", {"action": "create", "name": "x"}),
            ("git_stash", {}),
            ("kill_process", {"pid": 1}),
            ("clipboard", {"action": "write", "text": "x"}),
        ):
            done = await call(engine, desk, tool, given, plan)
            assert not done.ok and "plan mode does not allow" in done.text
        assert (await call(engine, desk, "list_processes", {"limit": 3}, plan)).ok
        assert (await call(engine, desk, "system_info", {"section": "cpu"}, plan)).ok
        assert asked == []


async def test_what_would_be_decided_is_explained_and_nothing_happens(home: Path, desk: GitDesk) -> None:
    desk.write("a", "2\n")
    options = TurnOptions(allow=("git_checkout(*)",))
    calls: tuple[tuple[str, dict[str, Any], str, str], ...] = (
        ("git_commit", {"message": "x", "paths": ["a"]}, "ask", "git commit -m x -- a"),
        ("git_checkout", {"paths": ["a"]}, "allow", "git restore -- a"),
        ("git_stash", {}, "ask", "git stash push"),
        ("notify", {"title": "Hello"}, "allow", "Hello"),
        ("clipboard", {"action": "read"}, "ask", "read"),
        ("open_url", {"url": "https://example.org/"}, "ask", "https://example.org/"),
    )
    async with engine_of(home, desk) as (engine, asked):
        for tool, given, decision, part in calls:
            found = await engine.explain(tool, json.dumps(given), cwd=str(desk.folder), options=options)
            assert (found.decision, found.parts) == (decision, (part,)), tool
        assert asked == []
    assert desk.git("status", "--porcelain") == " M a\n" and desk.git("stash", "list") == ""

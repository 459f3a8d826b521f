"""A background command that ends is told of, wherever the person is, with a way to its output."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from app.records import JobInfo, SessionInfo, TurnOptions
from tests.servers.scripted import calls, says, scripted_in_thread
from tests.window.furnished import Furnished
from tests.window.test_talking import point_at
from ui.window.work.ended import ended_text


def job(command: str, **fields: Any) -> JobInfo:
    return JobInfo(id="j", session="s", command=command, cwd="/", started=1.0, **fields)


def test_the_words_name_command_and_exit_code() -> None:
    assert ended_text(job("npm test", state="ended", exit=0)) == "npm test is done (exit code 0)."
    assert ended_text(job("npm\n test", state="ended", exit=2)) == "npm test failed (exit code 2)."
    assert ended_text(job("sleep 9", state="stopped")) == "sleep 9 was stopped."
    assert ended_text(job("a" * 100, state="ended", exit=0)).startswith("a" * 48 + "… is done")
    assert "\u202e" not in ended_text(job("rm \u202egpj", state="ended", exit=0))


def test_a_job_of_another_conversation_is_told_of_and_its_output_shown(
    furnished: Furnished, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = "until [ -e go ]; do sleep 0.1; done; echo at the end; exit 3"
    run = calls(("run_command", {"command": command, "background": True}))
    with scripted_in_thread(run, says("It runs now.")) as server:
        point_at(monkeypatch, server.url)
        life = furnished.open()

        async def begin(engine: Any) -> SessionInfo:
            info: SessionInfo = await engine.sessions.create(cwd=str(tmp_path))
            await engine.send(info.id, "Start it", TurnOptions(yes=True))
            return info

        elsewhere = furnished.ask(begin)
        assert life.conversation.session != elsewhere.id
        toast = life.rest.toast
        furnished.until(lambda: len(server.requests) > 1, "the job to be running")
        assert not toast.isVisible()
        (tmp_path / "go").touch()
        furnished.until(lambda: toast.isVisible(), "the word that it ended")
        assert toast._words.text() == f"{command[:48]}… failed (exit code 3)."
        assert toast._more.text() == "Show the output" and not toast._undo.isVisible()
        toast._more.click()
        furnished.until(lambda: life.conversation.session == elsewhere.id, "its conversation")
        assert life.rest.panel.tab() == "jobs" and life.rest.panel.isVisible()
        furnished.until(lambda: any("at the end" in one._tail.text() for one in cards_of(life)), "its output")
        assert not toast.isVisible()
        furnished.until(lambda: not life.conversation.running, "the end of the turn")


def cards_of(life: Any) -> list[Any]:
    return list(life.rest.panel.jobs._cards.values())

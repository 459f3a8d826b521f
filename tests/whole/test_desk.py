"""One real path from a person's keyboard to a changed file: window, socket, approval, disk, undo, restart."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

from app.platform.paths import home as home_of
from tests.servers.scripted import Script, ScriptedServer, calls, says, scripted_in_thread
from tests.window.desk import LAUNCH, Desk, until


def served(server: ScriptedServer) -> dict[str, str]:
    return {"BRAMBLE_BASE_URL": server.url, "BRAMBLE_API_KEY": "k", "BRAMBLE_MODEL": "scripted"}


def furnish(tmp_path: Path) -> tuple[Path, Path]:
    """Return a home whose settings name a working folder, and that folder."""
    home, folder = tmp_path / "home", tmp_path / "work"
    folder.mkdir()
    home.mkdir(mode=0o700)
    settings = home_of({"BRAMBLE_HOME": str(home)}).settings
    settings.parent.mkdir(parents=True, exist_ok=True)
    settings.write_text(f'folder = "{folder}"\n')
    return home, folder


def bramble(desk: Desk, home: Path, server: ScriptedServer, *words: str) -> Any:
    """Run a command of the program on the same home; return its JSON."""
    done = subprocess.run(
        [*LAUNCH, *words, "--json"],
        env=desk.environ(home, served(server)),
        capture_output=True,
        text=True,
        timeout=60,
    )
    return json.loads(done.stdout)


def edits(old: str, new: str) -> Script:
    edit = ("edit_file", {"path": "notes.txt", "edits": [{"old": old, "new": new}]})
    return calls(("read_file", {"path": "notes.txt"}), edit, text="I will change it. ")


def test_a_request_becomes_a_changed_file_and_survives_a_restart(desk: Desk, tmp_path: Path) -> None:
    home, folder = furnish(tmp_path)
    notes = folder / "notes.txt"
    notes.write_text("The meeting is on Monday.\n")
    with scripted_in_thread(edits("Monday", "Tuesday"), says("It is on Tuesday now.")) as server:
        desk.start(home, **served(server)).ready()
        desk.wait_for_focus("Bramble")
        desk.type("Move the meeting to Tuesday")
        desk.key("Return")
        desk.wait_for_focus("Bramble wants to change 1 file")
        assert notes.read_text() == "The meeting is on Monday.\n", "nothing is written before the answer"
        until(lambda: desk.key("Return") or "Tuesday" in notes.read_text(), "the approved change")
        until(lambda: len(server.requests) == 2, "the result to go back to the model")
        last = server.requests[1].json["messages"][-1]
        assert last["role"] == "tool" and "notes.txt" in last["content"]
        until(
            lambda: "Tuesday now" in json.dumps(bramble(desk, home, server, "sessions", "list")), "the answer"
        )
        desk.close_windows()
        (session,) = bramble(desk, home, server, "sessions", "list")
        told = bramble(desk, home, server, "sessions", "export", session["id"], "--format", "json")
        assert "It is on Tuesday now." in json.dumps(told)
        (change,) = bramble(desk, home, server, "undo", "list")
        assert bramble(desk, home, server, "undo", change["id"])["ok"]
        assert notes.read_text() == "The meeting is on Monday.\n"


def test_a_denied_command_is_not_run_and_the_model_hears_why(desk: Desk, tmp_path: Path) -> None:
    home, folder = furnish(tmp_path)
    script = calls(("run_command", {"command": "touch made"}))
    with scripted_in_thread(script, says("All right.")) as server:
        desk.start(home, **served(server)).ready()
        desk.wait_for_focus("Bramble")
        desk.type("make it")
        desk.key("Return")
        desk.wait_for_focus("Bramble wants to run a command")
        until(lambda: desk.key("Return") or len(server.requests) == 2, "the denial")
        assert "said no" in server.requests[1].json["messages"][-1]["content"]
        assert not (folder / "made").exists()
        desk.close_windows()

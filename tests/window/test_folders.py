"""The folder of a new conversation: where the start was made, what was chosen, or an empty one of ours."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.servers.scripted import says, scripted_in_thread
from tests.window.desk import Desk, until
from tests.window.furnished import Furnished
from tests.window.test_real_window import MODEL
from ui.window.remembered import Remembered, read, started_in, write


@pytest.mark.parametrize(
    ("folder", "means"),
    [
        ("/srv/work", "/srv/work"),
        ("/home/ann/work", "/home/ann/work"),
        ("/home/ann", ""),
        ("/home", ""),
        ("/", ""),
        ("", ""),
        ("/opt/bramble", ""),
        ("/opt/bramble/ui", ""),
        ("/opt/bramble-work", "/opt/bramble-work"),
        ("/home/ann/.local/share/bramble/spill", ""),
    ],
)
def test_a_start_means_a_folder_where_somebody_went_there(folder: str, means: str) -> None:
    own = ("/opt/bramble", "/home/ann/.local/share/bramble")
    assert started_in(folder, "/home/ann", *own) == means


def test_where_a_start_was_made_is_not_written_down(tmp_path: Path) -> None:
    kept = tmp_path / "window.json"
    seen = Remembered(here="/srv/work")
    assert seen.place() == "/srv/work" and write(kept, seen)
    assert "here" not in json.loads(kept.read_text()) and read(kept).here == ""
    kept.write_text('{"here": "/etc", "folder": "/srv/other"}')
    assert read(kept).place() == "/srv/other"


def test_an_empty_folder_of_ours_is_called_that(
    furnished: Furnished, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with scripted_in_thread(says("Hello."), says("Hello.")) as server:
        monkeypatch.setenv("BRAMBLE_BASE_URL", server.url)
        monkeypatch.setenv("BRAMBLE_API_KEY", "key")
        monkeypatch.setenv("BRAMBLE_MODEL", "test-model")
        life = furnished.open()
        button = life.window.chat.title_bar.folder
        assert button.accessibleName() == "Working folder: Choose a folder"
        furnished.send("hello")
        furnished.until(lambda: "own" in button.accessibleName(), "the folder")
        assert button.accessibleName() == "Working folder: A folder of its own"
        life.remembered.here = str(tmp_path)
        assert life.rest is not None
        life.rest.deeds.new()
        assert button.accessibleName() == f"Working folder: {tmp_path}"
        furnished.send("hello")
        furnished.until(lambda: life.conversation.info is not None, "the conversation")
        info = life.conversation.info
        assert info is not None and info.cwd == str(tmp_path)


def test_the_window_works_where_it_was_started(
    desk: Desk, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "project"
    place.mkdir()
    monkeypatch.chdir(place)
    with scripted_in_thread(says("Hello.")) as server:
        desk.start(home, BRAMBLE_BASE_URL=server.url, **MODEL).ready()
        desk.wait_for_focus("Bramble")
        desk.type("hello")
        desk.key("Return")
        until(
            lambda: server.requests and str(place) in str(server.requests[0].body),
            "the folder in the request",
        )
    desk.close_windows()

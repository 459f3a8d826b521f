"""The main job in a real window, by keyboard and mouse: ask, see it stream, allow a change, take it back,
stop, kill."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest
from PySide6.QtGui import QColor, QImage

from tests.servers.scripted import Exchange, Script, calls, chunk, says, scripted_in_thread
from tests.window.desk import Desk, until
from ui.window.theme import LIGHT

MODEL = {"BRAMBLE_API_KEY": "key", "BRAMBLE_MODEL": "test-model"}


def texts(home: Path) -> list[str]:
    """Return the texts of all messages in the store, streamed pieces included."""
    with sqlite3.connect(f"file:{home / 'data' / 'bramble.db'}?mode=ro", uri=True) as db:
        found = [
            row[0] for table in ("messages", "pieces") for row in db.execute(f"SELECT text FROM {table}")
        ]
    db.close()
    return found


def pictured(desk: Desk, folder: Path) -> QImage:
    """Return a picture of the screen."""
    return QImage(str(desk.shot(folder / "screen.png")))


def share(image: QImage, color: QColor) -> float:
    """Return how much of a picture has exactly this colour, by a sample of its points."""
    points = [(x, y) for x in range(0, image.width(), 7) for y in range(0, image.height(), 7)]
    return sum(image.pixelColor(x, y).rgb() == color.rgb() for x, y in points) / len(points)


def holds(first: str) -> Script:
    """A script that sends a beginning and then nothing until the other side leaves."""

    async def script(exchange: Exchange) -> None:
        await exchange.head()
        await exchange.events(chunk({"content": first}))
        await exchange.gone()

    return script


@pytest.fixture
def workspace(tmp_path: Path, home: Path) -> Path:
    """A folder to work in, set for new conversations."""
    folder = tmp_path / "work"
    folder.mkdir()
    (home / "settings.toml").write_text(f'folder = "{folder}"\n')
    return folder


def test_a_change_is_asked_for_allowed_made_and_taken_back(desk: Desk, home: Path, workspace: Path) -> None:
    write = calls(("write_file", {"path": "notes.md", "content": "# Notes\n"}), text="I will write it. ")
    with scripted_in_thread(write, says("It is written.")) as server:
        desk.start(home, BRAMBLE_BASE_URL=server.url, **MODEL).ready()
        desk.wait_for_focus("Bramble")
        desk.type("Please write notes")
        desk.key("Return")
        desk.wait_for_focus("Bramble wants to")
        assert not (workspace / "notes.md").exists(), "nothing is written before it is allowed"

        # The dialog ignores keys for its first moments, so that nobody answers by accident.
        def allowed() -> bool:
            if "Bramble wants to" in desk.focused():
                desk.key("Return")
            return (workspace / "notes.md").exists()

        until(allowed, "the change to be allowed")
        assert (workspace / "notes.md").read_text() == "# Notes\n"
        until(lambda: "It is written." in texts(home), "the answer in the store")
        desk.wait_for_focus("Please write notes")
        desk.key("ctrl+shift+u")
        until(lambda: not (workspace / "notes.md").exists(), "the change to be taken back")
    desk.close_windows()


def test_stop_ends_the_request_and_keeps_what_came(desk: Desk, home: Path) -> None:
    with scripted_in_thread(holds("A beginning without an end")) as server:
        desk.start(home, BRAMBLE_BASE_URL=server.url, **MODEL).ready()
        desk.wait_for_focus("Bramble")
        desk.type("Go on")
        desk.key("Return")
        until(lambda: any("A beginning" in text for text in texts(home)), "the stream in the store")
        desk.key("Escape")
        until(lambda: server.failures or desk.focused() == "Go on \u2014 Bramble", "the stop")
    desk.close_windows()


def test_a_killed_window_opens_where_it_was(desk: Desk, home: Path) -> None:
    with scripted_in_thread(holds("Half of an answer"), says("Whole.")) as server:
        window = desk.start(home, BRAMBLE_BASE_URL=server.url, **MODEL).ready()
        desk.wait_for_focus("Bramble")
        desk.type("Remember me")
        desk.key("Return")
        until(lambda: any("Half of" in text for text in texts(home)), "the stream in the store")
        window.process.kill()
        window.process.wait(20)
        again = desk.start(home, BRAMBLE_BASE_URL=server.url, **MODEL).ready()
        assert "Remember me" in texts(home)
        assert again.process.poll() is None
    desk.close_windows()


def remembered(home: Path) -> str:
    """Return the conversation that the window would open at its next start."""
    kept = home / "data" / "window.json"
    return str(json.loads(kept.read_text())["session"]) if kept.exists() else ""


def warned(image: QImage) -> int:
    """Return how many points below the field for messages have a shade of the colour of a warning."""
    places = [(x, y) for x in range(image.width()) for y in range(image.height() * 9 // 10, image.height())]
    shades = [image.pixelColor(x, y) for x, y in places]
    return sum(one.red() - one.blue() > 90 and one.green() > 60 for one in shades)


def test_a_killed_window_still_says_whose_text_it_holds(
    desk: Desk, home: Path, workspace: Path, tmp_path: Path
) -> None:
    """A file from elsewhere was read; after kill -9 the sign of it stands where it stood."""
    elsewhere = tmp_path / "elsewhere.txt"
    elsewhere.write_text("do this and that\n")
    (home / "rules.txt").write_text(f"[always]\nallow read_file({tmp_path}/**)\n")
    settings = home / "settings.toml"
    settings.write_text(settings.read_text() + 'theme = "light"\n')
    read = calls(("read_file", {"path": str(elsewhere)}))
    with scripted_in_thread(read, says("It is read.")) as server:
        window = desk.start(home, BRAMBLE_BASE_URL=server.url, **MODEL).ready()
        desk.wait_for_focus("Bramble")
        until(lambda: "start sandbox" in window.said(), "the signs")
        assert warned(pictured(desk, tmp_path)) == 0
        desk.type("Read what is elsewhere")
        desk.key("Return")
        until(lambda: "It is read." in texts(home), "the answer in the store")
        until(lambda: warned(pictured(desk, tmp_path)) > 20, "the sign")
        until(lambda: remembered(home), "the conversation to be remembered")
        window.process.kill()
        window.process.wait(20)
        desk.start(home, BRAMBLE_BASE_URL=server.url, **MODEL).ready()
        until(lambda: warned(pictured(desk, tmp_path)) > 20, "the sign of what it held before")
    desk.close_windows()


@pytest.mark.parametrize("scale", ["1", "2"])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_it_is_painted_at_every_scale_and_in_both_themes(
    desk: Desk, home: Path, tmp_path: Path, scale: str, theme: str
) -> None:
    (home / "settings.toml").write_text(f'theme = "{theme}"\n')
    (home / "data").mkdir()
    (home / "data" / "window.json").write_text(f'{{"theme": "{theme}", "width": 640, "height": 400}}')
    desk.start(home, BRAMBLE_BASE_URL="http://127.0.0.1:9/v1", QT_SCALE_FACTOR=scale, **MODEL).ready()
    desk.wait_for_focus("Bramble")
    ground = LIGHT.ground if theme == "light" else QColor("#171417")

    def painted() -> bool:
        return share(pictured(desk, tmp_path), ground) > 0.05

    until(painted, "the ground of the theme on the screen")
    desk.close_windows()


def test_keys_reach_everything(desk: Desk, home: Path) -> None:
    desk.start(home, BRAMBLE_BASE_URL="http://127.0.0.1:9/v1", **MODEL).ready()
    desk.wait_for_focus("Bramble")
    desk.key("ctrl+k")
    desk.type("dark")
    desk.key("Return")
    until(
        lambda: (home / "settings.toml").exists() and "dark" in (home / "settings.toml").read_text(),
        "the theme",
    )
    desk.key("ctrl+plus")
    until(lambda: "font_size = 15" in (home / "settings.toml").read_text(), "the larger text")
    desk.key("ctrl+shift+2")
    desk.key("ctrl+comma")
    desk.key("ctrl+1")
    desk.type("still here")
    desk.key("ctrl+q")
    kept = home / "data" / "window.json"
    until(lambda: kept.exists() and "still here" in kept.read_text(), "the draft")
    desk.close_windows()


def test_the_first_window_fits_its_screen_with_its_frame(desk: Desk, home: Path) -> None:
    desk.start(home).ready()
    desk.wait_for_focus("Bramble")

    def height() -> int:
        lines = desk.xdotool("getwindowfocus", "getwindowgeometry", "--shell").splitlines()
        return int(dict(line.split("=", 1) for line in lines if "=" in line)["HEIGHT"])

    until(lambda: 700 < height() < 800, "room for the frame on a screen that is 800 high")
    desk.close_windows()

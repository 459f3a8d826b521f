"""Attachments in a real window: dragged out of another program, and pasted from its clipboard."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.servers.scripted import ScriptedServer, says, scripted_in_thread
from tests.window.desk import PATIENCE, Desk, until

MODEL = {"BRAMBLE_API_KEY": "key", "BRAMBLE_MODEL": "test-model"}
GIVER = Path(__file__).with_name("giver.py")


@contextmanager
def giver(desk: Desk, home: Path, *words: str) -> Iterator[subprocess.Popen[str]]:
    """Another program that gives files or a picture."""
    process = subprocess.Popen(
        [sys.executable, "-P", str(GIVER), *words],
        env=desk.environ(home, {}),
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    try:
        assert process.stdout.readline() == "READY\n"
        yield process
    finally:
        process.terminate()
        process.wait(PATIENCE)
        process.stdout.close()


def asked(server: ScriptedServer) -> list[str]:
    """Return the newest message that each request to a model holds, with the address of a picture."""
    found = []
    for request in list(server.requests):
        if request.method != "POST":
            continue
        content = request.json["messages"][-1]["content"]
        parts = [content] if isinstance(content, str) else [_words(part) for part in content]
        found.append("\n".join(parts))
    return found


def _words(part: dict[str, object]) -> str:
    return str(part.get("text") or part.get("image_url"))


def drag(desk: Desk, start: tuple[int, int], end: tuple[int, int]) -> None:
    """Drag with the mouse, in the small steps that a hand makes."""
    desk.xdotool("mousemove", *map(str, start))
    desk.xdotool("mousedown", "1")
    for step in range(1, 21):
        x, y = (round(a + (b - a) * step / 20) for a, b in zip(start, end, strict=True))
        desk.xdotool("mousemove", "--sync", str(x), str(y))
    desk.xdotool("mouseup", "1")


def test_files_are_dragged_out_of_another_program(desk: Desk, home: Path, tmp_path: Path) -> None:
    notes = tmp_path / "it's `notes`.md"
    notes.write_text("Greengages")
    with scripted_in_thread(says("Plums, then.")) as server:
        desk.start(home, BRAMBLE_BASE_URL=server.url, **MODEL).ready()
        desk.wait_for_focus("Bramble")
        with giver(desk, home, "drag", str(notes)) as other:
            drag(desk, (630, 225), (640, 500))
            assert other.stdout is not None
            assert other.stdout.readline() == "GAVE CopyAction\n", "a move would take the file away"
        desk.wait_for_focus("Bramble")
        desk.key("ctrl+l")
        desk.type("What fruit is it?")
        desk.key("Return")
        until(lambda: asked(server), "the request")
        assert "What fruit is it?" in asked(server)[0] and "Greengages" in asked(server)[0]
    assert notes.exists()


def test_a_picture_and_files_are_pasted(desk: Desk, home: Path, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("Mirabelles")
    with scripted_in_thread(says("I see."), says("And that.")) as server:
        window = desk.start(home, BRAMBLE_BASE_URL=server.url, **MODEL).ready()
        desk.wait_for_focus("Bramble")
        with giver(desk, home, "picture"):
            desk.key("ctrl+v")
            desk.type("What colour?")
            desk.key("Return")
            until(lambda: asked(server), "the request")
        assert "What colour?" in asked(server)[0] and "data:image/png;base64" in asked(server)[0]
        with giver(desk, home, "copy", str(tmp_path / "a.txt")):
            desk.key("ctrl+v")
            desk.key("Return")
            until(lambda: len(asked(server)) == 2, "the second request")
        assert "Mirabelles" in asked(server)[1]
        assert window.end() == 0
        assert "Traceback" not in window.said()

"""The real small model, nobody's script: it calls tools through the same path as any other."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

from tests.whole.test_desk import furnish
from tests.whole.weights import small_model
from tests.window.desk import LAUNCH, Desk, until

PATIENCE = 300.0
"""Seconds; the model thinks on one core beside everything else."""


def test_ask_answers_from_a_file(tmp_path: Path, desk: Desk) -> None:
    home, folder = furnish(tmp_path)
    model = small_model(home)
    (folder / "notes.txt").write_text("The meeting is on Monday at ten.\n")
    words = ("ask", "--model", model, "--cwd", str(folder), "--json", "What is in the file notes.txt?")
    done = subprocess.run(
        [*LAUNCH, *words], env=desk.environ(home, {}), capture_output=True, text=True, timeout=PATIENCE
    )
    told = json.loads(done.stdout)
    assert done.returncode == 0, done.stderr
    assert told["tools"][0]["name"] == "read_file" and told["tools"][0]["ok"]
    assert "Monday" in told["text"]


def test_a_request_in_the_window_becomes_a_file(tmp_path: Path, desk: Desk) -> None:
    home, folder = furnish(tmp_path)
    model = small_model(home)
    subprocess.run(
        [*LAUNCH, "models", "use", model], env=desk.environ(home, {}), check=True, capture_output=True
    )
    desk.start(home).ready()
    desk.wait_for_focus("Bramble")
    desk.type("Create a file hello.txt with the text hi there")
    desk.key("Return")
    until(lambda: "wants to" in desk.focused(), "the question", PATIENCE)
    made = folder / "hello.txt"
    until(lambda: desk.key("Return") or made.exists(), "the approved file", PATIENCE)
    assert "hi there" in made.read_text()
    desk.close_windows()

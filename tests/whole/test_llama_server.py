"""A server of llama.cpp on this computer, reached as any other: the real thing over Chat Completions."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from app.models.local import server as program
from app.models.local.weights import named, path_of
from app.platform.paths import home as home_of
from tests.whole.program import Program
from tests.whole.weights import SMALL, small_model

WINDOW = 8_192


@contextmanager
def llama_server(model: Path) -> Iterator[str]:
    """Run llama.cpp's own server on a free port and yield its base URL."""
    # One thread: two wait for each other where the cores are busy.
    words = [sys.executable, "-P", str(program.__file__), str(model), str(WINDOW), "1", "yes"]
    process = subprocess.Popen(
        words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    assert process.stdin is not None and process.stdout is not None
    try:
        told = next((line for line in process.stdout if line.startswith("{")), "{}")
        yield f"http://127.0.0.1:{json.loads(told)['port']}/v1"
    finally:
        process.stdin.close()  # it ends with what started it
        process.wait(30)
        process.stdout.close()


@pytest.fixture
def bramble(tmp_path: Path) -> Iterator[Program]:
    """The program, whose profile for llama.cpp leads to the server."""
    made = Program(tmp_path)
    small_model(made.home)
    weights = path_of(home_of({"BRAMBLE_HOME": str(made.home)}).weights, named(SMALL))
    with llama_server(weights.resolve()) as url:
        quirks = "text_calls = true\nsmall_local = true\n"  # as small models write calls
        body = "temperature = 0.1\nmax_tokens = 200\n"
        (made.home / "settings.toml").write_text(
            f'model = "llamacpp/{weights.name}"\n[profiles.llamacpp]\nbase_url = "{url}"\n'
            f"[profiles.llamacpp.body]\n{body}[profiles.llamacpp.quirks]\n{quirks}"
        )
        yield made


def test_a_list_and_a_conversation_with_a_tool(bramble: Program) -> None:
    (bramble.work / "notes.txt").write_text("The meeting is on Monday at ten.\n")
    listed = bramble.run("models", "list", "--json").sound()
    names = [one["name"] for one in listed.value if one["profile"] == "llamacpp"]
    assert len(names) == 1, "what the server has loaded is what is offered"
    first = bramble.run("ask", "--json", "--model", names[0], "What is in the file notes.txt?").sound()
    assert first.code == 0, first.err
    assert [(tool["name"], tool["ok"]) for tool in first.value["tools"]][:1] == [("read_file", True)]
    assert "Monday" in first.value["text"] and first.value["usage"]["exact"]
    same = ("--session", first.value["session"], "--model", names[0], "--mode", "chat")
    again = bramble.run("ask", "--json", *same, "Thank you. Say goodbye.").sound()
    assert (again.code, bool(again.value["text"])) == (0, True), again.err

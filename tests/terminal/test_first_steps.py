"""Without a model, `ask` and `chat` say what can be done now: what is here, and the ways to get one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.servers.scripted import scripted_in_thread
from tests.terminal.conftest import Bramble
from tests.window.pages.test_first_run import OLLAMA, serves, write_profiles

NOTHING = dict.fromkeys(("BRAMBLE_BASE_URL", "BRAMBLE_API_KEY", "BRAMBLE_MODEL", "BRAMBLE_WIRE"), "")


def told(ran: Any) -> list[str]:
    """The lines about what can be done."""
    begins = ("On this computer", "A key is here", "Ways to get one")
    return [line for line in ran.err.splitlines() if line.startswith(begins)]


@pytest.mark.parametrize("command", [("ask", "hi"), ("chat",)])
def test_with_nothing_here_the_ways_are_named(bramble: Bramble, home: Path, command: tuple[str, ...]) -> None:
    write_profiles(home)
    ran = bramble(*command, env=NOTHING)
    assert ran.code == 4 and ran.out == ""
    assert ran.err.count("No model is chosen yet.") == 1
    (line,) = told(ran)
    for way in (
        "bramble login copilot",
        "bramble login openai",
        "bramble login kilo",
        "bramble models install",
    ):
        assert way in line


def test_a_server_and_a_key_that_are_here_are_named_and_can_be_used(bramble: Bramble, home: Path) -> None:
    with scripted_in_thread(serves(OLLAMA)) as ollama:
        write_profiles(home, ollama=ollama.url)
        ran = bramble("ask", "--json", "hi", env={**NOTHING, "ANTHROPIC_API_KEY": "sk-ant-test"})
        assert ran.code == 4 and json.loads(ran.out)["error"]["code"] == "no_model"
        server, key, _ = told(ran)
        assert server.startswith("On this computer answer: ollama/qwen3:8b, ollama/gemma4.")
        assert server.endswith("bramble models use ollama/qwen3:8b")
        assert key.startswith("A key is here for: Anthropic") and "bramble models use anthropic/" in key
        assert bramble("sessions", "list", "--json", env=NOTHING).value == [], "no empty conversation is left"
        assert bramble("models", "use", "ollama/qwen3:8b", env=NOTHING).code == 0
        assert "Here I am." in bramble("ask", "hi", env=NOTHING).out

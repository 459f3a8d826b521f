"""What a plain question may load: every module costs time before the first byte of its request."""

from __future__ import annotations

import re

from tests.servers.scripted import says
from tests.terminal.conftest import Bramble
from tests.terminal.model_server import ModelServer

LATER = (
    "PySide6",
    "app.capabilities.context",
    "app.capabilities.files",
    "app.capabilities.jobs",
    "app.changes",
    "app.models.copilot",
    "app.models.local",
    "app.models.sign_in",
    "app.models.text_calls",
    "app.permissions.decide",
    "app.permissions.offers",
    "app.permissions.shell",
    "difflib",
    "keyring",
    "multiprocessing",
    "prompt_toolkit",
    "psutil",
    "pygments",
    "rich",
    "tomlkit",
    "ui.terminal.approving",
    "zipfile",
)
"""Loaded when they are used: by the first call of a tool, the first question, the local model, the window."""


def test_a_question_loads_nothing_that_it_does_not_use(bramble: Bramble, server: ModelServer) -> None:
    server.answers = [says("Hello.")]
    ran = bramble("ask", "hello", env={"PYTHONPROFILEIMPORTTIME": "1"})
    assert (ran.code, ran.out) == (0, "Hello.\n")
    loaded = set(re.findall(r"^import time:.*\| +(\S+)$", ran.err, re.MULTILINE))
    assert {"app.engine", "httpx", "app.toolbox.registry"} <= loaded
    assert not [name for name in sorted(loaded) if name.startswith(LATER)]

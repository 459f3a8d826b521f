"""From an empty home to the first answer by each route, on a real desk; prints what the program took."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.servers.copilot import GITHUB_TOKEN
from tests.whole.weights import SMALL
from tests.window.desk import ROOT, Desk
from tests.window.first_answer import ANSWER, ROUTES

SHARE = 30.0
"""Seconds of two minutes that the program may take on this machine; the rest is the person's."""
PATIENCE = 300.0


def walk(desk: Desk, home: Path, route: str, by: str = "mouse") -> dict[str, object]:
    """Walk one route in a window of its own, and return what came of it."""
    (home / "data").mkdir(exist_ok=True)
    (home / "data" / "window.json").write_text('{"width": 1200, "height": 740}')
    environ = desk.environ(home, {"PYTHON_KEYRING_BACKEND": "keyring.backends.fail.Keyring"})
    ran = subprocess.run(
        [sys.executable, "-P", "-c", "import sys; sys.path.insert(0, sys.argv[1]); "
         "from tests.window.first_answer import main; main(*sys.argv[2:])", str(ROOT), route, by],
        env=environ, cwd=home, capture_output=True, text=True, timeout=PATIENCE,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr
    found: dict[str, object] = json.loads(ran.stdout.splitlines()[-1])
    seconds = found["seconds"]
    assert isinstance(seconds, dict)
    found["sum"] = sum(seconds.values())
    print(f"{route}: {found['sum']:.1f} s of the program", seconds)
    return found


@pytest.mark.parametrize("route", [route for route in ROUTES if route != "in-app"])
def test_a_route_leads_to_an_answer(desk: Desk, home: Path, route: str) -> None:
    found = walk(desk, home, route)
    assert ANSWER in str(found["text"])
    assert float(str(found["sum"])) < SHARE
    keys = {
        "variables": ["Bearer key"],
        "found-key": ["Bearer sk-from-the-environment"],
        "own-key": ["Bearer sk-typed-by-hand"],
        "gateway": [""],
    }
    if route in keys:
        assert found["keys"] == keys[route]
    if route == "own-key":
        assert (home / "data" / "keys" / "openai").read_text() == "sk-typed-by-hand"
    if route == "copilot":
        assert (home / "data" / "keys" / "copilot").read_text() == GITHUB_TOKEN


@pytest.mark.parametrize("route", [route for route in ROUTES if route != "in-app"])
def test_a_route_is_walked_by_keys_alone(desk: Desk, home: Path, route: str) -> None:
    found = walk(desk, home, route, "keys")
    assert ANSWER in str(found["text"])
    assert not found["faults"], found["faults"]


@pytest.mark.parametrize("by", ["mouse", "keys"])
def test_the_model_in_the_app_answers(desk: Desk, home: Path, by: str) -> None:
    from app.models.local.weights import named, path_of
    from app.platform.paths import home as home_of

    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "bramble-tests" / "models"
    kept = path_of(cache, named(SMALL))
    if not kept.exists():
        pytest.skip("the small model is not here; tests/whole fetches it")
    folder = home_of({"BRAMBLE_HOME": str(home)}).weights
    folder.mkdir(parents=True)
    path_of(folder, named(SMALL)).symlink_to(kept)
    found = walk(desk, home, "in-app", by)
    assert found["faults"] == []
    question, _, answer = str(found["text"]).strip().partition("\n")
    assert question and answer.strip()
    assert float(str(found["sum"])) < 120

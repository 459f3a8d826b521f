"""What teaches the layer is the same each time, and proposals come from a tool's own words."""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from app.toolbox.discovery import data
from app.toolbox.discovery.layer import NOTHING

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture
def samples(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The module that gathers what the layer learns from; it needs no numpy."""
    monkeypatch.syspath_prepend(str(ROOT / "packaging"))
    import keywords.samples

    return keywords.samples


def test_the_same_files_make_the_same_samples(samples: ModuleType) -> None:
    one, other = samples.samples(), samples.samples()
    assert one == other and len(one) > 10_000
    assert all(abs(sum(sample.shares.values()) - 1) < 1e-9 for sample in one if not sample.never)


def test_set_aside_requests_teach_nothing(samples: ModuleType) -> None:
    taught = {sample.text for sample in samples.requests("train")}
    assert taught and not taught & {sample.text for sample in samples.requests("aside")}


def test_shares_of_a_request(samples: ModuleType) -> None:
    assert samples.shares([], []) == {NOTHING: 1.0}
    assert samples.shares(["a", "b|c"], []) == {"a": 0.5, "b": 0.25, "c": 0.25}
    assert samples.shares(["a"], ["b"]) == {"b": samples.OK_SHARE, "a": 1 - samples.OK_SHARE}


def test_a_slip_changes_a_letter_or_two(samples: ModuleType) -> None:
    chance = random.Random(1)
    for text in ("rename the file", "a", "", "फ़ाइल हटाओ"):
        assert abs(len(samples.slip(text, chance)) - len(text)) <= 2


def test_proposals_are_shown_and_nothing_is_written() -> None:
    command = [sys.executable, "-P", str(ROOT / "packaging" / "keywords" / "main.py")]
    before = (ROOT / "resources" / "aliases" / "weather.toml").read_bytes()
    ran = subprocess.run([*command, "weather"], capture_output=True, text=True, timeout=60)
    assert ran.returncode == 0 and "+++ proposed" in ran.stdout, ran.stderr
    assert (ROOT / "resources" / "aliases" / "weather.toml").read_bytes() == before
    assert subprocess.run([*command, "no_such"], capture_output=True, timeout=60).returncode == 2
    assert subprocess.run(command, capture_output=True, timeout=60).returncode == 2


def test_the_layer_was_trained_from_what_stands_here(samples: ModuleType) -> None:
    layer = data.layer()
    assert layer is not None
    assert layer.inputs == samples.fingerprint(), "outdated: run ./dev keywords --train"

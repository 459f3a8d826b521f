"""The checks of a machine: each stands alone, and none can hold up or end the others."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from app import doctor
from app.doctor import Patient, _qt
from app.engine import Engine
from app.models.models import Models
from app.platform.paths import home as home_of


@pytest.fixture
def engine(tmp_path: Path) -> Engine:
    return Engine(home_of({"BRAMBLE_HOME": str(tmp_path)}), {}, kind="terminal")


async def test_a_qt_that_hangs_is_ended(engine: Engine) -> None:
    change, tell = engine.change_settings, engine.tell_settings
    models = Models(engine.home, {}, lambda: engine.settings, change, engine.emit, tell)
    patient = Patient(engine.home, {}, models, None, None)
    begun = time.monotonic()
    check = await _qt(patient, "import time; time.sleep(60)", 0.5)
    assert (check.state, check.detail) == ("fail", "Qt did not start within 0.5 seconds.")
    assert time.monotonic() - begun < 30


async def test_a_check_that_breaks_is_a_failed_check(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    async def _search(patient: Patient) -> doctor.Check:
        raise RuntimeError("broken")

    monkeypatch.setattr(doctor, "_search", _search)
    found = {check.name: check for check in await engine.doctor()}
    assert (found["search"].state, found["search"].detail) == ("fail", "RuntimeError: broken")
    assert found["store"].state == "ok"


async def test_what_is_missing_and_not_needed_is_no_failure(engine: Engine) -> None:
    found = {check.name: check.state for check in await engine.doctor()}
    assert {found[name] for name in ("keyring", "audio", "scheduler", "sandbox", "models")} <= {"ok", "warn"}

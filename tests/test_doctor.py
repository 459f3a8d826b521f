"""The checks of a machine: each stands alone, and none can hold up or end the others."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Literal

import pytest

from app import doctor, settings as settings_file
from app.doctor import Patient, _models, _qt, _sandbox
from app.engine import Engine
from app.models.models import Models
from app.platform.paths import home as home_of
from app.platform.sandbox.probe import probe
from app.records import Check


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
    async def _search(patient: Patient) -> Check:
        raise RuntimeError("broken")

    monkeypatch.setattr(doctor, "_search", _search)
    found = {check.name: check for check in await engine.doctor()}
    assert (found["search"].state, found["search"].detail) == ("fail", "RuntimeError: broken")
    assert found["store"].state == "ok"


async def test_what_is_missing_and_not_needed_is_no_failure(engine: Engine) -> None:
    found = {check.name: check.state for check in await engine.doctor()}
    assert {found[name] for name in ("keyring", "audio", "scheduler", "sandbox", "models")} <= {"ok", "warn"}


async def sandbox_check(engine: Engine, environ: dict[str, str], wanted: Literal["auto", "off"]) -> Check:
    change, tell = engine.change_settings, engine.tell_settings
    models = Models(engine.home, {}, lambda: engine.settings, change, engine.emit, tell)
    return await _sandbox(Patient(engine.home, environ, models, None, None, wanted))


async def test_the_sandbox_in_force_is_named_with_what_it_leaves_open(engine: Engine) -> None:
    for environ in (dict(os.environ), {"PATH": "/nonexistent"}):
        found = probe(environ)
        check = await sandbox_check(engine, environ, "auto")
        names = {"bubblewrap": "Bubblewrap: ", "landlock": "Landlock, ", "none": "No sandbox, "}
        assert check.detail.startswith(names[found.layer]) and check.fix == (found.fix or check.fix)
        assert check.state == ("ok" if found.layer == "bubblewrap" else "warn")
        assert all(detail in check.detail for detail in found.details)


async def test_a_sandbox_that_is_switched_off_is_a_warning(engine: Engine) -> None:
    check = await sandbox_check(engine, {}, "off")
    assert check.state == "warn" and "Switched off" in check.detail


@pytest.mark.parametrize(
    ("text", "environ", "state", "words"),
    [
        ('model = "openai/gpt-6-sol"', {}, "warn", "no key is here"),
        ('model = "openai/gpt-6-sol"', {"OPENAI_API_KEY": "sk-test"}, "ok", "api.openai.com"),
        ('model = "copilot/gpt-4.1"', {"GH_TOKEN": "gho_test"}, "warn", "not agreed to yet"),
        ('model = "copilot/gpt-4.1"\nagreed = ["copilot"]', {}, "warn", "nobody is signed in"),
        ('model = "m/x"\n[profiles.m]\nbase_url = "http://m.example.com/v1"', {}, "warn", "can be read"),
    ],
)
async def test_what_a_model_lacks_is_said(
    tmp_path: Path, text: str, environ: dict[str, str], state: str, words: str
) -> None:
    home = home_of({"BRAMBLE_HOME": str(tmp_path)})
    home.settings.write_text(text + "\n")
    engine = Engine(home, environ, kind="terminal")
    settings = settings_file.load(home.settings)
    models = Models(
        home, environ, lambda: settings, engine.change_settings, engine.emit, engine.tell_settings
    )
    check = await _models(Patient(home, environ, models, None, None))
    assert check.state == state and words in check.detail
    assert not check.fix or check.fix.endswith(".")
    await models.close()


async def test_the_browser_that_shows_pages_is_named(engine: Engine, tmp_path: Path) -> None:
    program = tmp_path / "chromium"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    change, tell = engine.change_settings, engine.tell_settings
    models = Models(engine.home, {}, lambda: engine.settings, change, engine.emit, tell)
    for setting, path, expected in (
        ("", str(tmp_path), ("ok", str(program))),
        (str(program), "/nonexistent", ("ok", str(program))),
        ("none", str(tmp_path), ("ok", "Switched off in the settings.")),
        ("", ".", ("warn", "No Chromium was found, so web_scrape reads pages without their scripts.")),
    ):
        patient = Patient(engine.home, {"PATH": path}, models, None, None, browser=setting)
        check = await doctor._browser(patient)
        assert (check.state, check.detail) == expected

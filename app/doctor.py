"""What works on this machine and what to do about the rest: the checks of `bramble doctor`."""

from __future__ import annotations

import asyncio
import importlib.util
import shutil
import sys
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from app import settings as settings_file
from app.errors import BrambleError, SettingsError, StoreError
from app.platform.paths import Home
from app.records import Check, Problem
from app.settings import Settings

if TYPE_CHECKING:
    from app.engine import Engine
    from app.models.models import Models

_HOLDS = (
    "Bubblewrap: commands write only in the folder, without network; keys, other programs' sockets and our "
    "own data are hidden."
)
_HOLDS_LESS = (
    "Landlock, the weaker sandbox: commands write only in the folder, without network; keys and our own data "
    "cannot be read."
)
QT_SECONDS = 10.0
"""Qt starts within one; a display or a driver that hangs must not keep the other checks."""
QT_START = "from PySide6 import __version__, QtWidgets; QtWidgets.QApplication([]); print(__version__)"

FAULTS_NAMED = 10
"""Lines of the rules that are named one by one."""


@dataclass(frozen=True)
class Patient:
    """What the checks look at; it stands whatever is broken, with the usual settings where they cannot be
    read.
    """

    home: Home
    environ: Mapping[str, str]
    models: Models
    settings_problem: Problem | None
    store_problem: Problem | None
    sandbox: Literal["auto", "off"] = "auto"
    browser: str = ""


async def checks(engine: Engine) -> tuple[Check, ...]:
    """Run every check, side by side; a check that fails says so and never keeps the others from running.

    The engine need not be open: then the store is opened for the check alone.
    """
    from app.models.models import Models

    settings, settings_problem = _read_settings(engine)
    store_problem = engine.problem if engine.opened else await _store_problem(engine)
    models = (
        engine.models  # it knows the keys already, and each is read once a start
        if engine.opened
        else Models(
            engine.home,
            engine.environ,
            lambda: settings,
            engine.change_settings,
            engine.emit,
            engine.tell_settings,
        )
    )
    patient = Patient(
        engine.home,
        engine.environ,
        models,
        settings_problem,
        store_problem,
        settings.sandbox,
        settings.browser,
    )
    every: tuple[Callable[[Patient], Awaitable[Check]], ...] = (
        _python, _qt, _settings, _rules, _store, _models, _keyring, _shell, _search, _browser, _sandbox,
        _audio, _scheduler,
    )  # fmt: skip
    try:
        found = await asyncio.gather(*(check(patient) for check in every), return_exceptions=True)
    finally:
        if not engine.opened:
            await models.close()
    return tuple(_told(check.__name__, one) for check, one in zip(every, found, strict=True))


def _told(name: str, found: Check | BaseException) -> Check:
    """Return the check; one that broke is a failed check."""
    if isinstance(found, Check):
        return found
    if not isinstance(found, Exception):
        raise found  # the whole command is being ended
    return Check(name=name.strip("_"), state="fail", detail=f"{type(found).__name__}: {found}")


def _read_settings(engine: Engine) -> tuple[Settings, Problem | None]:
    try:
        return settings_file.load(engine.home.settings), None
    except SettingsError as error:
        return Settings(), error.problem


async def _store_problem(engine: Engine) -> Problem | None:
    from app.store.database import Store

    engine.home.make()
    store = Store(engine.home.database, engine.clock, backups=engine.home.backups)
    try:
        await store.open()
        return store.problem
    except StoreError as error:
        return error.problem
    finally:
        await store.close()


async def _python(patient: Patient) -> Check:
    version = ".".join(map(str, sys.version_info[:3]))
    right = (3, 11) <= sys.version_info[:2] <= (3, 13)
    return Check(
        name="python",
        state="ok" if right else "warn",
        detail=f"Python {version}",
        fix="" if right else "Use Python 3.11, 3.12 or 3.13.",
    )


async def _qt(patient: Patient, start: str = QT_START, seconds: float = QT_SECONDS) -> Check:
    if importlib.util.find_spec("PySide6") is None:
        return Check(name="qt", state="fail", detail="PySide6 is not installed.", fix="Run ./dev run once.")
    environ = {**patient.environ, "QT_QPA_PLATFORM": "offscreen"}
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-P", "-c", start, env=environ, stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE
    )  # fmt: skip
    try:
        out, err = await asyncio.wait_for(process.communicate(), seconds)
    except TimeoutError:
        return Check(
            name="qt",
            state="fail",
            detail=f"Qt did not start within {seconds:g} seconds.",
            fix="The terminal commands work without it.",
        )
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    if process.returncode:
        why = err.decode(errors="replace").strip().splitlines()[-1:]
        return Check(
            name="qt",
            state="fail",
            detail=" ".join(why) or "Qt does not start.",
            fix="Install the system libraries: ./dev run does it.",
        )
    screen = sys.platform in ("darwin", "win32") or any(
        map(patient.environ.get, ("DISPLAY", "WAYLAND_DISPLAY"))
    )
    return Check(
        name="qt",
        state="ok" if screen else "warn",
        detail=f"PySide6 {out.decode().strip()}" + ("" if screen else ", no display here"),
        fix="" if screen else "The window needs a display; the terminal commands work without one.",
    )


async def _settings(patient: Patient) -> Check:
    problem = patient.settings_problem
    if problem is None:
        return Check(name="settings", state="ok", detail=str(patient.home.settings))
    return Check(
        name="settings",
        state="fail",
        detail=f"{patient.home.settings}: {problem.fields.get('why') or problem.detail}",
        fix="Correct the line that is named, or rename the file to start with the usual settings.",
    )


async def _rules(patient: Patient) -> Check:
    from app.permissions.book import Book, rules_path

    book = Book(rules_path(patient.home.settings))
    page = await asyncio.to_thread(book.page)
    if page.blind:
        return Check(
            name="rules",
            state="fail",
            detail=f"{book.path}: {page.faults[0].why}",
            fix="Correct the file, or rename it to start without rules. Until then everything asks.",
        )
    if page.faults:
        named = "; ".join(f"line {fault.line}: {fault.why}" for fault in page.faults[:FAULTS_NAMED])
        more = f"; and {len(page.faults) - FAULTS_NAMED} more" if len(page.faults) > FAULTS_NAMED else ""
        return Check(
            name="rules",
            state="warn",
            detail=f"{book.path}: {named}{more}",
            fix="Correct the lines that are named. All other rules hold.",
        )
    return Check(name="rules", state="ok", detail=f"{book.path} ({len(page.entries)})")


async def _store(patient: Patient) -> Check:
    problem = patient.store_problem
    if problem is None:
        return Check(name="store", state="ok", detail=str(patient.home.database))
    return Check(
        name="store",
        state="fail",
        detail=f"{patient.home.database}: {problem.code} {problem.detail}".strip(),
        fix="Free space, mend the rights, or run: bramble restore FILE",
    )


async def _models(patient: Patient) -> Check:
    try:
        name = await patient.models.current()
        profile, model = patient.models.named(name)
        info = await patient.models.info(profile.name)
    except BrambleError as error:
        return Check(
            name="models", state="warn", detail=str(error), fix="Run bramble models list, then models use."
        )
    where = f"{profile.name}/{model} at {profile.base_url}"
    for lacks, said, fix in (
        (not info.agreed, "what its use means is not agreed to yet", f"Run bramble login {profile.name}."),
        (info.key == "none", "nobody is signed in, or no key is here", f"Run bramble login {profile.name}."),
        (info.open_address, "what is sent can be read on its way", "Write https in its base_url."),
    ):
        if lacks:
            return Check(name="models", state="warn", detail=f"{where}: {said}", fix=fix)
    return Check(name="models", state="ok", detail=where)


async def _keyring(patient: Patient) -> Check:
    state, detail = await patient.models.keyring_state()
    fix = "" if state == "ok" else "Unlock or install a keyring, or put the key into an environment variable."
    return Check(name="keyring", state="ok" if state == "ok" else "warn", detail=detail, fix=fix)


async def _shell(patient: Patient) -> Check:
    bash = shutil.which("bash")
    if bash is None:
        return Check(name="shell", state="fail", detail="bash was not found.", fix="Install bash.")
    return Check(name="shell", state="ok", detail=bash)


async def _search(patient: Patient) -> Check:
    found = shutil.which("rg")
    detail = f"ripgrep at {found}" if found else "built in (ripgrep would be faster)"
    return Check(name="search", state="ok", detail=detail)


async def _browser(patient: Patient) -> Check:
    """Say which program shows pages to tools; without one they are read as they are sent."""
    from app.capabilities.browser.program import NONE, find

    found = find(patient.browser, patient.environ)
    if found:
        return Check(name="browser", state="ok", detail=found)
    if patient.browser == NONE:
        return Check(name="browser", state="ok", detail="Switched off in the settings.")
    detail = "No Chromium was found, so web_scrape reads pages without their scripts."
    return Check(
        name="browser", state="warn", detail=detail, fix="Install Chromium, or set browser to its path."
    )


async def _sandbox(patient: Patient) -> Check:
    """Say which sandbox commands run in, what it leaves open, and what would give a stronger one."""
    from app.platform.sandbox.probe import probe

    if patient.sandbox == "off":
        detail = "Switched off in the settings: each command asks."
        return Check(name="sandbox", state="warn", detail=detail, fix='Set sandbox = "auto" in the settings.')
    found = await asyncio.to_thread(probe, patient.environ)
    if found.layer == "none":
        fix = found.fix or "Read a command before you allow it."
        return Check(
            name="sandbox", state="warn", detail=f"No sandbox, so each command asks. {found.why}", fix=fix
        )
    holds = _HOLDS if found.layer == "bubblewrap" else f"{_HOLDS_LESS} {found.why}"
    return Check(
        name="sandbox",
        state="ok" if found.layer == "bubblewrap" else "warn",
        detail=" ".join((holds, *found.details)),
        fix=found.fix,
    )


async def _audio(patient: Patient) -> Check:
    return Check(name="audio", state="warn", detail="This version has no voice yet.")


async def _scheduler(patient: Patient) -> Check:
    return Check(name="scheduler", state="warn", detail="This version has no routines yet.")

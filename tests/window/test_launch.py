"""The entry point: quick answers, only our own modules, a UTF-8 locale, and a window that ends in order."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.window.desk import LAUNCH, ROOT, Desk, until
from ui.launch import VERSION, only_our_modules, use_utf8


def run(*argv: str, **environ: str) -> subprocess.CompletedProcess[str]:
    """Run the entry point with an environment of its own."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    return subprocess.run(
        [*LAUNCH, *argv], env={**kept, **environ}, capture_output=True, text=True, timeout=60
    )


def test_the_version_is_that_of_the_project() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert project["version"] == VERSION
    done = run("--version")
    assert (done.returncode, done.stdout) == (0, f"bramble {VERSION}\n")


def test_the_version_imports_nothing_heavy() -> None:
    done = subprocess.run(
        [sys.executable, "-P", "-X", "importtime", str(ROOT / "ui" / "launch.py"), "--version"],
        capture_output=True,
        text=True,
        timeout=60,
    )
    imported = set(re.findall(r"\|\s+([\w.]+)$", done.stderr, re.MULTILINE))
    heavy = {
        name for name in imported if re.match(r"(PySide6|app|tools|ui|httpx|asyncio|msgspec|click)\b", name)
    }
    assert heavy == set()


def test_modules_of_the_callers_folder_are_never_ours(tmp_path: Path, desk: Desk, home: Path) -> None:
    for name in ("app", "ui", "tools", "tests"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text("raise SystemExit('a foreign module was imported')")
    done = subprocess.run(
        [*LAUNCH, "doctor", "--json"],
        cwd=tmp_path,
        env=desk.environ(home, {"PYTHONPATH": str(tmp_path)}),
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert "foreign module" not in done.stderr + done.stdout


def test_the_path_of_modules_begins_with_ours(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setenv("PYTHONHOME", str(tmp_path))
    monkeypatch.setattr(sys, "path", ["", str(tmp_path), str(ROOT / "ui"), "/usr/lib/python3"])
    only_our_modules(str(ROOT))
    assert sys.path == [str(ROOT), "/usr/lib/python3"]
    assert "PYTHONPATH" not in os.environ and "PYTHONHOME" not in os.environ


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ({}, {"LC_CTYPE": "C.UTF-8"}),
        ({"LANG": "de_DE.UTF-8"}, {"LANG": "de_DE.UTF-8"}),
        ({"LC_ALL": "C"}, {"LANG": "C", "LC_CTYPE": "C.UTF-8"}),
        ({"LC_ALL": "de_DE", "LANG": "en_US.UTF-8"}, {"LANG": "de_DE", "LC_CTYPE": "C.UTF-8"}),
        ({"LANG": "fr_FR.ISO-8859-1"}, {"LANG": "fr_FR.ISO-8859-1", "LC_CTYPE": "C.UTF-8"}),
    ],
)
@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="the locale of POSIX systems")
def test_the_locale_is_utf8_and_keeps_the_language(before: dict[str, str], after: dict[str, str]) -> None:
    environ = dict(before)
    use_utf8(environ)
    assert environ == after


def test_without_a_display_it_says_so(home: Path) -> None:
    done = run(BRAMBLE_HOME=str(home))
    assert done.returncode == 1
    assert "needs a display" in done.stderr


def test_the_window_ends_in_order_when_it_is_told_to(desk: Desk, home: Path) -> None:
    window = desk.start(home).ready()
    desk.wait_for_focus("Bramble")
    desk.type("half a thought")
    desk.key("ctrl+q")
    assert window.process.wait(30) == 0
    assert "half a thought" in (home / "data" / "window.json").read_text()
    again = desk.start(home).ready()
    second = subprocess.run([*LAUNCH, "--new"], env=desk.environ(home, {}), timeout=60)
    assert second.returncode == 0, "the window is whole and answers"
    assert again.end() == 0, "SIGTERM ends it in order too"
    assert "half a thought" in (home / "data" / "window.json").read_text()
    left = {line for line in again.said().splitlines() if not line.startswith("start ")}
    assert left == set(), "nothing is said on stderr"


def test_the_first_frame_waits_for_nothing_of_the_engine(desk: Desk, home: Path) -> None:
    """What a module of the window needs beside Qt and words is imported when it is needed."""
    window = desk.start(home, PYTHONPROFILEIMPORTTIME="1").ready()
    until(lambda: "start frame_ms" in window.said(), "the first frame")
    before = window.said().partition("start frame_ms")[0]
    imported = set(re.findall(r"\|\s+([\w.]+)$", before, re.MULTILINE))
    assert "ui.window.main_window" in imported
    heavy = re.compile(
        r"(app\.(records|events|engine)|tools|msgspec|httpx|asyncio|decimal|uuid|ui\.trust)(\.|$)"
    )
    assert {name for name in imported if heavy.match(name)} == set()


def test_a_window_tells_when_what_it_shows_first_is_there(desk: Desk, home: Path) -> None:
    """The pictures of the README wait for this: the list is filled by then, the sandbox is known."""
    window = desk.start(home).ready()
    until(lambda: "start sandbox_ms=" in window.said(), "the sandbox")
    steps = re.findall(r"^start (\w+)_ms=\d+$", window.said(), re.MULTILINE)
    assert steps == ["frame", "session", "sandbox"]

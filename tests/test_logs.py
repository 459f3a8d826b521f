"""The log: without keys, of a bounded size, silent on stderr, and written at the borders."""

from __future__ import annotations

import base64
import logging
import os
import subprocess
import sys
from pathlib import Path
from urllib.parse import quote, quote_plus

import pytest

from app.logs import KEPT, LARGEST, LogFile
from tests.whole.program import LAUNCH

ROOT = Path(__file__).resolve().parent.parent


def record(text: str, *values: object) -> logging.LogRecord:
    return logging.LogRecord("test", logging.INFO, __file__, 1, text, values, None)


@pytest.fixture
def log(tmp_path: Path) -> LogFile:
    return LogFile(tmp_path / "logs", {"MY_API_KEY": "quite-secret-value", "HOME": "/home/someone"})


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("sent quite-secret-value to it", "sent [key] to it"),
        ("Authorization: Bearer abc.def-ghi", "Authorization: Bearer [key]"),
        ("with sk-proj-0123456789abcdef.", "with [key]."),
        ("ghp_0123456789abcdef gho_0123456789abcdef", "[key] [key]"),
        ("GET /v1?api_key=0123456&x=1", "GET /v1?api_key=[key]&x=1"),
        ('{"x-api-key": "0123456"}', '{"x-api-key": "[key]"}'),
        ("/home/someone asks about tokens", "/home/someone asks about tokens"),
    ],
)
def test_keys_are_taken_out(log: LogFile, text: str, kept: str) -> None:
    assert not log.path.parent.exists()
    log.emit(record("%s", text))
    assert log.path.read_text().rstrip("\n").endswith(f"INFO test: {kept}")


def test_it_turns_over_and_only_the_person_reads_it(log: LogFile) -> None:
    for _number in range(5):
        log.emit(record("x" * LARGEST))
    files = sorted(path.name for path in log.path.parent.iterdir())
    assert files == ["bramble.log", "bramble.log.1", "bramble.log.2"] and len(files) == KEPT
    if os.name != "nt":
        assert log.path.stat().st_mode & 0o777 == 0o600


def test_a_log_that_cannot_be_written_says_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "logs").write_text("a file in its place")
    log = LogFile(tmp_path / "logs", {})
    log.emit(record("lost"))
    log.emit(record("%d", "no number"))
    assert capsys.readouterr() == ("", "")


def test_what_fails_inside_a_command_is_in_the_log_and_not_on_stderr(tmp_path: Path) -> None:
    code = (
        "import sys; sys.path.insert(0, sys.argv[1])\n"
        "import app.engine\n"
        "async def fails(self): raise RuntimeError('broken with sk-0123456789abcdef')\n"
        "app.engine.Engine.open = fails\n"
        "from ui.terminal.main import main\n"
        "sys.exit(main(['sessions', 'list']))\n"
    )
    ran = subprocess.run(
        [sys.executable, "-P", "-c", code, str(ROOT)],
        env={**os.environ, "BRAMBLE_HOME": str(tmp_path), "LANGUAGE": "en"},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert ran.returncode == 1 and "Traceback" not in ran.stderr
    text = (tmp_path / "data" / "logs" / "bramble.log").read_text()
    assert "a command failed" in text and "RuntimeError: broken with [key]" in text
    assert "0123456789abcdef" not in text


def test_a_plain_command_writes_no_log(tmp_path: Path) -> None:
    ran = subprocess.run(
        [sys.executable, "-P", str(LAUNCH), "sessions", "list"],
        env={**os.environ, "BRAMBLE_HOME": str(tmp_path)},
        capture_output=True,
        timeout=60,
    )
    assert ran.returncode == 0 and not list((tmp_path / "data" / "logs").iterdir())


def test_it_costs_less_than_two_milliseconds(tmp_path: Path) -> None:
    code = (
        "import sys, time; sys.path.insert(0, sys.argv[1])\n"
        "import asyncio, app.platform.paths, pathlib\n"
        "before = time.process_time()\n"
        "from app import logs\n"
        "logs.install(pathlib.Path(sys.argv[1], 'none'), {})\n"
        "print(time.process_time() - before)\n"
    )
    environ = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    environ["PYTHONPYCACHEPREFIX"] = str(tmp_path)  # the first run compiles, as an installation does
    words = [sys.executable, "-P", "-c", code, str(ROOT)]
    ran = [subprocess.run(words, env=environ, capture_output=True, timeout=60) for _try in range(5)]
    assert min(float(one.stdout) for one in ran) < 0.002


def test_a_secret_is_taken_out_however_it_is_written() -> None:
    secret = "a+secret/of=the person"
    log = LogFile(Path("/nowhere"), {"MY_TOKEN": secret})
    texts = [secret, quote(secret), quote(secret, safe=""), quote_plus(secret)]
    for before in range(5):
        around = b"u" * before + b":" + secret.encode() + b"tail"
        texts += [base64.b64encode(around).decode(), base64.urlsafe_b64encode(around).decode()]
    texts.append(base64.b64encode(secret.encode()).decode())
    for text in texts:
        assert "[key]" in log.redacted(f"sent {text} there"), text
        assert secret not in log.redacted(text)

"""The log of a process: one small file that turns over, without keys, where the borders say what failed."""

from __future__ import annotations

import logging
import os
import re
import sys
import threading
from collections.abc import Mapping
from pathlib import Path

from app.platform.paths import make_private

LARGEST = 1_000_000
"""Bytes of the file that is written to; then it turns over."""
KEPT = 3
"""Files in all, the newest first: bramble.log, bramble.log.1, bramble.log.2."""
SHORTEST_KEY = 8
"""Shorter values are no keys, and would be taken out of ordinary words."""
_SECRET_NAMES = ("KEY", "TOKEN", "SECRET", "PASSWORD")
"""How the names of variables end that hold keys."""
_PATTERNS = (  # compiled at the first record, which most processes never write
    r"(?P<kept>(?i:bearer\s+|(?:api[_-]?key|authorization|access[_-]?token|password|secret)[\"']?\s*[:=]\s*[\"']?"
    r"(?:bearer\s+)?))[^\s\"',;&}]+"
    r"|gh[pousr]_[A-Za-z0-9_]{8,}|github_pat_[A-Za-z0-9_]{8,}|(?:sk|gsk|xai|pk)[-_][A-Za-z0-9_-]{8,}"
    r"|AIza[A-Za-z0-9_-]{20,}"
)


class LogFile(logging.Handler):
    """Writes each record whole, opening the file for it: records are few, and several processes share it.

    Nothing is made before the first record. One that cannot be written is dropped, since there is no better
    place to say so.
    """

    def __init__(self, folder: Path, environ: Mapping[str, str]) -> None:
        super().__init__(logging.INFO)
        self.path = folder / "bramble.log"
        self.secrets = {
            spelled
            for name, value in environ.items()
            if name.upper().endswith(_SECRET_NAMES) and len(value) >= SHORTEST_KEY
            for spelled in spellings(value)
        }
        self.setFormatter(logging.Formatter("%(asctime)s %(process)d %(levelname)s %(name)s: %(message)s"))

    def emit(self, record: logging.LogRecord) -> None:
        """Write one record. Never raises and never prints."""
        try:
            line = self.redacted(self.format(record)) + "\n"
            make_private(self.path.parent)
            self._turn_over()
            descriptor = os.open(self.path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
            with open(descriptor, "a", encoding="utf-8", errors="backslashreplace") as file:
                file.write(line)
        except (OSError, ValueError, TypeError):  # a full disk, or a record whose arguments do not fit
            return

    def redacted(self, text: str) -> str:
        """Return the text without keys that are known and without what looks like one."""
        for secret in sorted(self.secrets, key=len, reverse=True):  # a longer one may begin with a shorter
            text = text.replace(secret, "[key]")
        return re.sub(_PATTERNS, lambda found: (found["kept"] or "") + "[key]", text)

    def _turn_over(self) -> None:
        if not self.path.exists() or self.path.stat().st_size < LARGEST:
            return
        for number in range(KEPT - 1, 0, -1):
            older = self.path.with_name(f"{self.path.name}.{number - 1}") if number > 1 else self.path
            if older.exists():
                older.replace(self.path.with_name(f"{self.path.name}.{number}"))


def install(folder: Path, environ: Mapping[str, str]) -> None:
    """Send what this process logs from level INFO on, and what nobody caught, to a file below `folder`."""
    root = logging.getLogger()
    if any(isinstance(handler, LogFile) for handler in root.handlers):
        return
    root.addHandler(LogFile(folder, environ))
    root.setLevel(logging.INFO)
    logging.getLogger("httpx").setLevel(logging.WARNING)  # it would write a line for each request
    shown = sys.excepthook

    def hook(kind: type[BaseException], error: BaseException, trace: object) -> None:
        logging.getLogger(__name__).critical("nobody caught this", exc_info=error)
        shown(kind, error, trace)  # type: ignore[arg-type]

    sys.excepthook = hook
    threading.excepthook = _thread_failed


def spellings(secret: str) -> tuple[str, ...]:
    """Return a secret as it may stand in a text: as it is, written for an address, and in base64 wherever it
    begins within a longer text.
    """
    import base64
    from urllib.parse import quote, quote_plus

    raw = secret.encode("utf-8", "surrogateescape")
    coded = []
    for before in range(3):
        # Letters that hold bits of what stands around are left off at both ends.
        text = base64.b64encode(b"\0" * before + raw).decode().rstrip("=")
        whole = text[4 if before else 0 : len(text) - (1 if (len(raw) + before) % 3 else 0)]
        coded += [whole, whole.replace("+", "-").replace("/", "_")]
    percent = [quote(secret, safe=""), quote(secret), quote_plus(secret)]
    percent += [re.sub(r"%[0-9A-F]{2}", lambda found: found[0].lower(), one) for one in percent]
    found = (secret, *percent, *coded)
    return tuple(dict.fromkeys(one for one in found if len(one) >= SHORTEST_KEY))


def without_keys(text: str) -> str:
    """Return a text without what looks like a key and without those that are kept out of the log."""
    for handler in logging.getLogger().handlers:
        if isinstance(handler, LogFile):
            return handler.redacted(text)
    return re.sub(_PATTERNS, lambda found: (found["kept"] or "") + "[key]", text)


def keep_out(secret: str) -> None:
    """Take this value out of everything that is logged from now on."""
    for handler in logging.getLogger().handlers:
        if isinstance(handler, LogFile) and len(secret) >= SHORTEST_KEY:
            handler.secrets.update(spellings(secret))


def _thread_failed(failed: threading.ExceptHookArgs) -> None:
    name = failed.thread.name if failed.thread is not None else "a thread"
    if failed.exc_value is not None:
        logging.getLogger(__name__).critical("%s ended with an error", name, exc_info=failed.exc_value)

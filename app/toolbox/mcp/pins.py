"""The texts of definitions that the person agreed to, beside their prints in the file of servers: only these
tell what changed. A text counts for nothing where it does not fit its print.
"""

from __future__ import annotations

import contextlib
import json
import logging
import os
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import quote

from app.platform import filesystem
from app.platform.ids import new_id
from app.platform.paths import make_private

log = logging.getLogger(__name__)

BYTES_CAP = 32 << 20
_NEW = ".new-"


class Texts:
    """One file a server below `folder`. All methods block; call them in a thread."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def read(self, server: str) -> dict[str, str]:
        """Return tool -> text; empty where there is none that can be read."""
        try:
            raw = json.loads(filesystem.read(str(self._place(server)), BYTES_CAP))
        except (OSError, ValueError, RecursionError):
            return {}
        if not isinstance(raw, dict):
            return {}
        return {key: value for key, value in raw.items() if isinstance(value, str)}

    def write(self, server: str, texts: Mapping[str, str]) -> None:
        """Keep the texts; where they cannot be kept, a later change is shown without what it was before."""
        data = json.dumps(dict(texts)).encode()
        try:
            make_private(self._folder)
            place = self._place(server)
            filesystem.prepare(str(place), data, f"{_NEW}{new_id()}", mode=0o600).put()
            filesystem.sweep(str(place.parent), _NEW)
        except OSError as error:
            log.warning("the definitions of %s were not kept: %s", server, error)

    def forget(self, server: str) -> None:
        """Take them away."""
        with contextlib.suppress(OSError):
            os.unlink(self._place(server))

    def _place(self, server: str) -> Path:
        folder = Path(os.path.realpath(self._folder))  # a home may lie behind a link
        return folder / f"{quote(server, safe='')}.json"

"""Where this program keeps its things on each system; nothing is made before it is needed."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from app.records import Problem

NAME = "bramble"


class Home(NamedTuple):
    """The folders of one person's data. All paths are absolute; none needs to exist."""

    settings: Path
    """The settings file itself, settings.toml."""
    data: Path
    cache: Path
    runtime: Path
    """Sockets and locks of this sign-in; short, since a socket's path is limited to about 100 bytes."""

    @property
    def database(self) -> Path:
        """The one SQLite file."""
        return self.data / "bramble.db"

    @property
    def temporaries(self) -> Path:
        """The /tmp of each session's commands in the sandbox."""
        return self.cache / "tmp"

    @property
    def spill(self) -> Path:
        """Whole outputs of tools that were cut for the model."""
        return self.data / "spill"

    @property
    def journal(self) -> Path:
        """Content of files as it was before each change, by hash."""
        return self.data / "journal"

    @property
    def pictures(self) -> Path:
        """Pictures of messages as they go to models, by the beginning of their hash."""
        return self.data / "pictures"

    @property
    def backups(self) -> Path:
        """Copies of the database: nightly, and before each migration."""
        return self.data / "backups"

    @property
    def weights(self) -> Path:
        """Weights of models that run in the app."""
        return self.data / "models"

    @property
    def scratch(self) -> Path:
        """Empty folders for sessions without a picked folder."""
        return self.data / "workspaces"

    @property
    def keys(self) -> Path:
        """Keys in plain text, one 0600 file a profile, only after the person agreed to it."""
        return self.data / "keys"

    @property
    def logs(self) -> Path:
        """Redacted, rotated logs."""
        return self.data / "logs"

    def make(self) -> Problem | None:
        """Create what is missing, readable by the owner alone; return a problem where that cannot be done.

        Folders that exist keep their mode. It does not raise, since a read-only home can still be read.
        """
        own = (self.spill, self.journal, self.backups, self.weights, self.scratch, self.logs)
        folders = (self.settings.parent, self.data, self.cache, self.runtime, *own)
        try:
            for folder in folders:
                make_private(folder)
        except OSError as error:
            from app.records import Problem  # late: the window reads paths before its first paint

            return Problem(
                code="store_readonly", fields={"path": str(error.filename or self.data)}, detail=str(error)
            )
        return None


def make_private(folder: Path) -> None:
    """Create `folder` and its missing parents, the new ones with mode 0700. Raises OSError."""
    if folder.is_dir():
        return
    if not folder.parent.is_dir():
        make_private(folder.parent)
    folder.mkdir(mode=0o700, exist_ok=True)


def home(environ: Mapping[str, str], system: str = sys.platform) -> Home:
    """Return the folders for this environment: BRAMBLE_HOME, else the system's custom. Touches no disk.

    Custom: XDG Base Directory 0.8 on Linux and other Unix, Application Support on macOS, AppData on Windows.
    """
    root = environ.get("BRAMBLE_HOME", "")
    if root:
        folder = Path(os.path.abspath(os.path.expanduser(root)))
        return Home(folder / "settings.toml", folder / "data", folder / "cache", folder / "run")
    person = Path(environ.get("USERPROFILE" if system == "win32" else "HOME") or os.path.expanduser("~"))
    if system == "win32":
        return _windows(environ, person)
    if system == "darwin":
        return _mac(person)
    return _xdg(environ, person)


def _xdg(environ: Mapping[str, str], person: Path) -> Home:
    def folder(variable: str, *otherwise: str) -> Path:
        # The specification says to ignore relative paths.
        given = environ.get(variable, "")
        return (Path(given) if os.path.isabs(given) else person.joinpath(*otherwise)) / NAME

    cache = folder("XDG_CACHE_HOME", ".cache")
    runtime = environ.get("XDG_RUNTIME_DIR", "")
    return Home(
        settings=folder("XDG_CONFIG_HOME", ".config") / "settings.toml",
        data=folder("XDG_DATA_HOME", ".local", "share"),
        cache=cache,
        runtime=Path(runtime) / NAME if os.path.isabs(runtime) else cache / "run",
    )


def _mac(person: Path) -> Home:
    support = person / "Library" / "Application Support" / NAME
    caches = person / "Library" / "Caches" / NAME
    return Home(support / "settings.toml", support / "data", caches, caches / "run")


def _windows(environ: Mapping[str, str], person: Path) -> Home:
    roaming = Path(environ.get("APPDATA") or person / "AppData" / "Roaming") / NAME
    local = Path(environ.get("LOCALAPPDATA") or person / "AppData" / "Local") / NAME
    return Home(roaming / "settings.toml", local / "data", local / "cache", local / "run")

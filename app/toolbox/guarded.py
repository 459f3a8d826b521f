"""Which of our own files tell this app what to do, and which hold what is private."""

from __future__ import annotations

import os
from pathlib import Path

from app.capabilities.search import OWN_ENGINES
from app.permissions.book import rules_path
from app.platform.paths import Home
from app.toolbox.mcp.places import servers_folder, servers_path, texts_folder
from app.toolbox.own import places as own_tools
from app.toolbox.skills import choices, places as skills


def steering(home: Home) -> tuple[str, ...]:
    """Return the files and folders that tell this app what to do or what it may do, by name: writing there is
    asked about whatever the rules say (product 5.4).
    """
    folders = (skills.person(home), own_tools.folder(home))
    return tuple(os.path.abspath(path) for path in (*_files(home), *folders))


def own(home: Home) -> tuple[str, ...]:
    """Return the files and folders, resolved, that nothing reads or changes without a question; the empty
    working folders that we hand out are not among them.
    """
    database = home.database
    folders = (
        servers_folder(home),
        texts_folder(home),
        home.keys,
        home.spill,
        home.journal,
        home.pictures,
        home.backups,
        home.weights,
        home.logs,
        home.runtime,
    )
    files = (*_files(home), database, database.with_name(f"{database.name}-wal"))
    return tuple(str(path.resolve()) for path in (*files, *folders))


def _files(home: Home) -> tuple[Path, ...]:
    settings = home.settings
    return (
        settings,
        rules_path(settings),
        settings.with_name(OWN_ENGINES),
        servers_path(settings),
        home.data / choices.NAME,
        own_tools.trust(home),
    )

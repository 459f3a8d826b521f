"""The small local model for tests: fetched once a machine into the person's cache, linked into each test's
home.
"""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

import pytest

from app.errors import ModelError
from app.models.local.engine import LocalEngine
from app.models.local.weights import named, path_of
from app.platform.paths import home as home_of

SMALL = "qwen2.5-coder-0.5b"


def small_model(home: Path) -> str:
    """Make the 0.5B model ready under `home`, return its PROFILE/MODEL; skip where it cannot be fetched.

    Uploader, size, hash and licence stand in app/models/local/weights.toml; running this agrees to them.
    """
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "bramble-tests" / "models"
    cache.mkdir(parents=True, exist_ok=True)
    try:
        asyncio.run(LocalEngine(cache, os.environ).install(SMALL, lambda step, done, total: None))
    except ModelError as error:
        pytest.skip(f"the small model could not be fetched: {error} {error.problem.detail}")
    weights = named(SMALL)
    folder = home_of({"BRAMBLE_HOME": str(home)}).weights
    folder.mkdir(parents=True, exist_ok=True)
    path_of(folder, weights).symlink_to(path_of(cache, weights))
    return f"local/{SMALL}"

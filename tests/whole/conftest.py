"""The desk of the window tests, for tests that use the whole program at once."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.window.desk import Desk, open_desk


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    """A display of its own with a window manager."""
    yield from open_desk(tmp_path_factory.mktemp("desk"))

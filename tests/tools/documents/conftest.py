"""The caller of document tools."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.capabilities.files_desk import open_desk
from tests.tools.documents.desk import DocumentCaller


@pytest.fixture
async def call(tmp_path: Path) -> AsyncIterator[DocumentCaller]:
    async with open_desk(tmp_path) as desk:
        yield DocumentCaller(desk, tmp_path / "spill")

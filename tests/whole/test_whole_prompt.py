"""The prompt of larger models is plain enough that a small one works with it."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tests.bench.local_model import LARGE, LEAST_FULL, at_hand, full_score


@pytest.mark.proof("whole-prompt", small=1, full=10)
def test_the_larger_local_model_picks_the_right_core_tool(tmp_path: Path, count: int) -> None:
    if not at_hand(LARGE):
        pytest.skip(f"the weights of {LARGE} (1.1 GB) are not on this machine")
    right = asyncio.run(full_score(tmp_path, LARGE, count))
    assert sum(right) >= LEAST_FULL / 10 * count, right

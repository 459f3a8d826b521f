"""What finds tools when they are needed costs least where it never changes what a request begins with."""

from __future__ import annotations

from pathlib import Path

from tests.bench.cost import ROUNDS, costs


def test_bridge_and_native_are_the_cheapest(tmp_path: Path) -> None:
    found = costs(tmp_path)
    assert ROUNDS == 40
    assert found["native"] <= found["bridge"] < min(found["append"], found["eager"]), found

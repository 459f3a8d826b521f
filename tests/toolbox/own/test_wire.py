"""The messages between a tool's child and its parent: what goes over comes back, and nothing else gets in."""

from __future__ import annotations

import json
from typing import Any, Literal

import pytest

from app.toolbox.own import wire
from app.toolbox.own.capabilities import offers, signature
from tools import ChangeSet, Command, Copy, FileBytes, FileText, Found, Match, ToolResult, Write

VALUES = [
    None, True, 0, -1.5, "", "\udc80 half \u202e \0", b"\x00\xff", [], (), ("a", [1, (2,)]),
    {"a": {"b": [None]}},
    FileText("a", ("x", "\udcff"), 1, 2, "utf-8", 3), FileBytes("a", "pdf", b"\x00", 1),
    Found(matches=(Match("a", 1, "x", ("b",), ()),)), ChangeSet((Write("a", "b"), Copy("c", "d", True))),
    Command("ls", timeout=1.5, reach="network"), ToolResult("x", data={"rows": [["1"]]}, images=(b"\x89",)),
]  # fmt: skip


@pytest.mark.parametrize("value", VALUES, ids=lambda value: type(value).__name__)
def test_what_goes_over_comes_back(value: Any) -> None:
    line = wire.packed({"kind": "x", "value": wire.told(value)})
    assert line.isascii() and line.count(b"\n") == 1
    found = wire.heard(wire.unpacked(line)["value"])
    assert found == value and type(found) is type(value)


@pytest.mark.parametrize(
    "value",
    [
        {"record": "ToolSpec", "of": []},
        {"record": "ReadContext", "of": [1, 2, 3]},
        {"record": "Write", "of": ["a"]},
        {"record": "Write", "of": ["a", "b", "c"]},
        {"bytes": "not base64"},
        {"bytes": 3},
        {"list": 3},
        {"map": [["a"]]},
        {"other": 1},
        {},
        [1],
    ],
)
def test_what_is_no_value_is_refused(value: Any) -> None:
    with pytest.raises(wire.NotUnderstood):
        wire.heard(value)


def test_depth_and_size_end_somewhere() -> None:
    deep: Any = {"list": []}
    for _ in range(100):
        deep = {"list": [deep]}
    with pytest.raises(wire.NotUnderstood, match="deeply"):
        wire.heard(deep)
    with pytest.raises(wire.NotUnderstood):
        wire.unpacked(b"[" * 100_000)
    with pytest.raises(wire.NotUnderstood, match="at once"):
        wire.packed({"kind": "x", "value": "a" * (wire.LONGEST + 1)})
    for strange in (float("nan"), object(), {1, 2}, Ellipsis):
        with pytest.raises(wire.NotUnderstood):
            wire.packed({"kind": "x", "value": wire.told(strange)})


@pytest.mark.parametrize(
    ("value", "hint", "fits"),
    [
        (1, int, True),
        (True, int, False),
        (1, bool, False),
        (1, float, True),
        (True, float, False),
        ("a", str, True),
        (b"a", str, False),
        (None, str | None, True),
        ("x", Literal["x", "y"], True),
        ("z", Literal["x", "y"], False),
        (["a"], tuple[str, ...], True),
        (["a", 1], tuple[str, ...], False),
        (("a", "b", "c"), tuple[str, str], False),
        ({"a": 1}, dict[str, int], True),
        ({"a": "b"}, dict[str, int], False),
        (Write("a", "b"), Write, True),
        (Write("a", 3), Write, False),  # type: ignore[arg-type]
        (Copy("a", "b"), Write, False),
        (ChangeSet((Write("a", "b"),)), ChangeSet, True),
        (ChangeSet(("rm",)), ChangeSet, False),  # type: ignore[arg-type]
        (Command("ls", reach="moon"), Command, False),  # type: ignore[arg-type]
        ("ls", Command, False),
    ],
)
def test_a_value_is_held_against_its_type(value: Any, hint: Any, fits: bool) -> None:
    assert wire.fits(value, hint) is fits
    assert wire.fits(wire.heard(json.loads(json.dumps(wire.told(value)))), hint) is fits


def test_a_reading_tool_has_no_changing_method() -> None:
    assert "change" not in offers(True)["files"] and "change" in offers(False)["files"]
    assert set(offers(True)["shell"]) == {"jobs", "output"}
    assert signature(True, "files", "change") is None and signature(False, "files", "change") is not None
    for name in ("__init__", "__class__", "_gate", "nothing"):
        assert signature(False, "files", name) is None and signature(False, name, "read") is None

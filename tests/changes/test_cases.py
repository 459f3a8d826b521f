"""The edits of tests/cases/edits: what users of comparable systems reported, and the bytes that are right."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from app.changes import edits
from app.changes.text import decode
from app.errors import ToolError

CASES = Path(__file__).parents[1] / "cases" / "edits"


def _cases(name: str) -> list[Any]:
    found = tomllib.loads((CASES / name).read_text(encoding="utf-8"))["case"]
    return [pytest.param(case, id=case["name"]) for case in found]


@pytest.mark.parametrize("case", _cases("replace.toml"))
def test_edit(case: dict[str, Any]) -> None:
    source = decode(case["file"].encode("latin-1"))
    pairs = [tuple(pair) for pair in case["edits"]]
    if "right" in case:
        made, _ = edits.replace(source, pairs, every=case.get("every", False))
        assert made.data == case["right"].encode("latin-1")
        return
    with pytest.raises(ToolError) as caught:
        edits.replace(source, pairs, every=case.get("every", False))
    assert caught.value.code == case["code"]
    assert case.get("says", "") in str(caught.value)


@pytest.mark.parametrize("case", _cases("other_encodings.toml"))
def test_edit_in_another_encoding(case: dict[str, Any]) -> None:
    source = decode(case["file"].encode(case["encoding"]))
    assert source.text == case["file"]
    made, _ = edits.replace(source, [tuple(pair) for pair in case["edits"]])
    assert made.data == case["right"].encode(case["encoding"])

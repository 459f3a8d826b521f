"""`./dev prove` runs one proof at its full count and notes commit, count, seed, time and result."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.proof import prove

PROOF = """
import pytest

@pytest.mark.proof("sample", small=3, full=7)
def test_holds(count, seed):
    assert (count, seed) == (7, 5)

@pytest.mark.proof("sample", small=3, full=8)
def test_breaks(count, seed):
    assert count == 3
"""


def test_a_row_for_each_proof_that_ran(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "conftest.py").write_text((prove.ROOT / "tests/conftest.py").read_text())
    (tmp_path / "test_sample.py").write_text(PROOF)
    notes = tmp_path / "proofs.md"
    monkeypatch.setattr(prove, "NOTES", notes)
    monkeypatch.setenv("BRAMBLE_SEED", "5")
    code = prove.main(["sample", "--rootdir", str(tmp_path), str(tmp_path)])
    assert code == 1
    lines = [line.split(" | ") for line in notes.read_text().splitlines()[-2:]]
    assert [(line[1], line[2], line[3], line[5]) for line in lines] == [
        ("sample: test_holds", "7", "5", "holds |"),
        ("sample: test_breaks", "8", "5", "FAILED |"),
    ]


def test_a_name_that_no_proof_has_is_an_error(tmp_path: Path) -> None:
    assert prove.main(["nosuch", "--rootdir", str(tmp_path), str(tmp_path)]) != 0

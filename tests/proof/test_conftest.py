"""The fixtures of proofs: small and full counts, a fixed or given seed, the line that a failure prints."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROOF = """
import pytest

@pytest.mark.proof("sample", small=3, full=7)
def test_sample(count, seed):
    assert (count, seed) == (3, 20260101)

def test_other():
    pass
"""


def _pytest(folder: Path, **environ: str) -> subprocess.CompletedProcess[str]:
    (folder / "conftest.py").write_text((ROOT / "tests/conftest.py").read_text())
    (folder / "test_sample.py").write_text(PROOF)
    command = [sys.executable, "-P", "-m", "pytest", "-q", "-p", "no:cacheprovider", str(folder)]
    return subprocess.run(
        command, env=os.environ | environ, cwd=folder, capture_output=True, text=True, timeout=60
    )


def test_small_count_and_fixed_seed_by_default(tmp_path: Path) -> None:
    done = _pytest(tmp_path)
    assert "2 passed" in done.stdout, done.stdout


def test_full_count_runs_that_proof_alone_and_a_failure_says_how_to_repeat_it(tmp_path: Path) -> None:
    done = _pytest(tmp_path, BRAMBLE_PROVE="sample", BRAMBLE_SEED="42")
    assert "1 failed, 1 deselected" in done.stdout, done.stdout
    assert "count 7, seed 42: repeat with BRAMBLE_SEED=42" in done.stdout

"""What all tests share: counts and seeds of proofs, what a failure prints, leaks told where they are."""

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


LEAK = """
class Ring:
    pass

def test_leak():
    ring = Ring()
    ring.itself, ring.file = ring, open(__file__)
"""


def _pytest(folder: Path, *options: str, **environ: str) -> subprocess.CompletedProcess[str]:
    (folder / "conftest.py").write_text((ROOT / "tests/conftest.py").read_text())
    (folder / "test_sample.py").write_text(PROOF)
    command = [sys.executable, "-P", "-m", "pytest", "-q", "-p", "no:cacheprovider", *options, str(folder)]
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


def test_a_leak_fails_the_module_that_it_is_in(tmp_path: Path) -> None:
    (tmp_path / "test_a_leak.py").write_text(LEAK)
    wanted = ("ResourceWarning", "pytest.PytestUnraisableExceptionWarning")
    done = _pytest(tmp_path, *(f"-Werror::{name}" for name in wanted))
    assert "3 passed, 1 error" in done.stdout, done.stdout
    assert "ERROR at teardown of test_leak" in done.stdout and "unclosed file" in done.stdout

"""The probe believes only what it has started, and says why a layer is not the strongest."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import pytest

from app.platform.sandbox import landlock, probe as probing
from app.platform.sandbox.probe import probe

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="there is a sandbox on Linux only")


def program(folder: Path, text: str) -> dict[str, str]:
    """Return an environment whose bubblewrap is a script."""
    path = folder / "bwrap"
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return {"PATH": str(folder)}


def test_a_program_that_is_missing_is_named_with_its_package() -> None:
    found = probe({"PATH": "/nonexistent"})
    assert found.layer in ("landlock", "none") and found.why.startswith("Bubblewrap is not installed.")
    assert found.fix == "Install the package bubblewrap."


def test_a_planted_program_is_not_used(tmp_path: Path) -> None:
    found = probe(program(tmp_path, f"touch {tmp_path}/ran"))
    assert found.layer != "bubblewrap" and "is not in a system folder" in found.why
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize("mode", [0o775, 0o757])
def test_a_program_that_others_may_change_is_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mode: int
) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root has files of root")
    monkeypatch.setattr(probing, "_SYSTEM", (str(tmp_path),))
    environ = program(tmp_path, f"touch {tmp_path}/ran")
    (tmp_path / "bwrap").chmod(mode)
    found = probe(environ)
    assert found.layer != "bubblewrap" and "Others than the system may change" in found.why
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize(
    ("says", "why", "fix"),
    [
        ("bwrap: setting up uid map: Permission denied", "does not start here", "user namespaces"),
        ("bwrap: Unknown option --unshare-cgroup-try", "too old", "newer"),
        ("bwrap: No permissions to create new namespace", "does not start here", "user namespaces"),
    ],
)
def test_a_program_that_does_not_work_is_not_believed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, says: str, why: str, fix: str
) -> None:
    """openai/codex#15057: where namespaces are forbidden the next layer is taken, and named."""
    if os.geteuid() != 0:
        pytest.skip("only root has files of root")
    monkeypatch.setattr(probing, "_SYSTEM", (str(tmp_path),))
    found = probe(program(tmp_path, f"echo '{says}' >&2; exit 1"))
    assert found.layer != "bubblewrap" and why in found.why and fix in found.fix


def test_a_program_that_hangs_is_not_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root has files of root")
    monkeypatch.setattr(probing, "_SYSTEM", (str(tmp_path),))
    monkeypatch.setattr(probing, "_SECONDS", 0.5)
    assert "timed out" in probe(program(tmp_path, "exec /bin/sleep 60")).why


@pytest.mark.parametrize(("abi", "said"), [(0, "no Landlock"), (2, "too old")])
def test_an_old_kernel_gets_none_and_says_so(monkeypatch: pytest.MonkeyPatch, abi: int, said: str) -> None:
    monkeypatch.setattr(landlock, "abi", lambda: abi)
    found = probe({"PATH": "/nonexistent"})
    assert found.layer == "none" and said in found.why


def test_other_systems_have_none_and_say_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    found = probe(os.environ)
    assert (found.layer, found.why) == ("none", "There is no sandbox for this system in this version.")


def test_what_a_layer_leaves_open_is_said() -> None:
    if shutil.which("bwrap"):
        assert "hooks of a Git repository that it makes" in " ".join(probe(os.environ).details)
    weaker = probe({"PATH": "/nonexistent"})
    assert weaker.layer == "none" or any("Names of files" in detail for detail in weaker.details)

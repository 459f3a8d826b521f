"""The one script: POSIX sh, right and wrong use, an install that survives being killed or started twice."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
LAUNCH = "import sys\nprint(sys.flags.safe_path, *sys.argv[1:])\n"


def _dev(
    *words: str, root: Path = ROOT, cwd: Path | None = None, **environ: str
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["sh", str(root / "dev"), *words],
        cwd=cwd,
        env=os.environ | {"BRAMBLE_PYTHON": sys.executable} | environ,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=120,
    )


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the script with pins of nothing, which was started twice at once and needed no network."""
    root = tmp_path_factory.mktemp("copy") / "a folder's name"
    (root / "requirements").mkdir(parents=True)
    (root / "ui").mkdir()
    shutil.copy(ROOT / "dev", root / "dev")
    for name in ("base", "dev", "local", "voice"):
        (root / "requirements" / f"{name}.txt").write_text("# nothing\n")
    (root / "ui" / "launch.py").write_text(LAUNCH)
    environ = os.environ | {"BRAMBLE_PYTHON": sys.executable}
    command = ["sh", str(root / "dev"), "run", "ask", "two words"]
    calls = [
        subprocess.Popen(command, env=environ, stdin=-3, stdout=-1, stderr=-1, text=True) for _ in range(2)
    ]
    ends = [call.communicate(timeout=120) for call in calls]
    assert [out for out, _ in ends] == ["True ask two words\n"] * 2, ends
    assert sum(err.count("making .venv") for _, err in ends) == 1
    return root


@pytest.fixture
def copy(installed: Path) -> Path:
    """The installed copy with its pins as at first."""
    for name in ("base", "local"):
        (installed / "requirements" / f"{name}.txt").write_text("# nothing\n")
        (installed / ".venv" / f".ready-{name}").unlink(missing_ok=True)
    assert _dev("run", root=installed).returncode == 0
    return installed


def _wheel(folder: Path) -> tuple[Path, str]:
    """Make a wheel of one module, and return it with its hash."""
    path = folder / "brambletest-1.0-py3-none-any.whl"
    info = "brambletest-1.0.dist-info/"
    with zipfile.ZipFile(path, "w") as wheel:
        wheel.writestr("brambletest.py", "answer = 42\n")
        wheel.writestr(info + "METADATA", "Metadata-Version: 2.1\nName: brambletest\nVersion: 1.0\n")
        wheel.writestr(info + "WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        wheel.writestr(info + "RECORD", "")
    return path, hashlib.sha256(path.read_bytes()).hexdigest()


def test_it_is_posix_shell() -> None:
    for shell in ("sh", "dash", "bash"):
        if shutil.which(shell):
            subprocess.run([shell, "-n", str(ROOT / "dev")], check=True)


def test_no_words_and_unknown_words_are_wrong_use() -> None:
    assert _dev().returncode == 2
    done = _dev("fly")
    assert done.returncode == 2 and "./dev run" in done.stderr and done.stdout == ""


def test_the_next_start_asks_nothing_and_says_nothing(copy: Path) -> None:
    done = _dev("run", "--json", root=copy, BRAMBLE_PYTHON="/nowhere/python")
    assert (done.returncode, done.stdout, done.stderr) == (0, "True --json\n", "")


def test_a_link_to_the_script_finds_its_own_folder(copy: Path, tmp_path: Path) -> None:
    link = tmp_path / "dev"
    link.symlink_to(copy / "dev")
    assert _dev("run", "x", root=tmp_path).stdout == "True x\n"


def test_what_was_killed_half_way_is_made_again(copy: Path) -> None:
    (copy / ".venv/.installing").touch()
    (copy / ".venv/.ready-base").unlink()
    (copy / ".venv/half").touch()
    again = _dev("run", root=copy)
    assert again.returncode == 0 and "making .venv" in again.stderr
    assert not (copy / ".venv/half").exists()


def test_a_pin_is_installed_only_when_its_hash_is_right(copy: Path, tmp_path: Path) -> None:
    path, digest = _wheel(tmp_path)
    pins = copy / "requirements/base.txt"
    pins.write_text(f"brambletest @ file://{path} --hash=sha256:{'0' * 64}\n")
    refused = _dev("run", root=copy)
    assert refused.returncode == 1 and refused.stdout == "" and "HASHES" in refused.stderr.upper()
    pins.write_text(f"brambletest @ file://{path} --hash=sha256:{digest}\n")
    (copy / "ui/launch.py").write_text("import brambletest\nprint(brambletest.answer)\n")
    taken = _dev("run", root=copy)
    (copy / "ui/launch.py").write_text(LAUNCH)
    assert (taken.returncode, taken.stdout) == (0, "42\n"), taken.stderr


def test_a_model_in_the_app_asks_for_its_engine(copy: Path) -> None:
    assert "local" not in _dev("run", "ask", "--model", "env/local/x", root=copy).stderr
    done = _dev("run", "ask", "--model", "local/small", "hello", root=copy)
    assert done.stdout == "True ask --model local/small hello\n"
    assert "installing the local packages" in done.stderr


def test_the_folder_and_the_settings_of_the_caller_are_kept_out(copy: Path, tmp_path: Path) -> None:
    for name in ("sitecustomize.py", "ensurepip.py", "venv.py", "pip.py", "fcntl.py"):
        (tmp_path / name).write_text("import sys\nsys.exit('the wrong module')\n")
    (copy / ".venv/.ready-base").unlink()
    done = _dev("run", root=copy, cwd=tmp_path, PYTHONPATH=str(tmp_path))
    assert (done.returncode, done.stdout) == (0, "True\n"), done.stderr

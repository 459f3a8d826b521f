"""THIRD-PARTY.md names every package that is shipped, and none of them asks more than MIT can give."""

from __future__ import annotations

import re
from importlib.metadata import PackageNotFoundError, metadata
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[2]
PLATFORMS = ("linux", "darwin", "win32")
LGPL = {"pi-heif", "pyside6-essentials", "shiboken6"}
"""Loaded as files of their own, as THIRD-PARTY.md says."""
CHOICE = {"tld"}
"""Also offered under a licence that is no GPL."""


def _shipped() -> set[str]:
    """Return the pinned packages that some system of ours installs."""
    text = (ROOT / "requirements" / "base.txt").read_text()
    lines = re.findall(r"^([a-z0-9][^\\\n]*==[^\\\n]*)", text, re.MULTILINE)
    pins = [Requirement(line) for line in lines]
    return {
        canonicalize_name(pin.name)
        for pin in pins
        if pin.marker is None
        or any(
            pin.marker.evaluate({"sys_platform": one, "python_full_version": version})
            for one in PLATFORMS
            for version in ("3.11.9", "3.13.1")
        )
    }


def test_every_shipped_package_is_named_with_its_licence() -> None:
    rows = re.findall(r"^\| ([a-z0-9-]+) \| (.+) \|$", (ROOT / "THIRD-PARTY.md").read_text(), re.M)
    named = {name: licence for name, licence in rows if name != "package"}
    assert set(named) == _shipped()
    assert {name for name, licence in named.items() if "LGPL-3" in licence} == LGPL


def test_no_package_is_under_the_gpl() -> None:
    found = {}
    for name in sorted(_shipped()):
        try:
            told = metadata(name)
        except PackageNotFoundError:  # of another system
            continue
        words = [told.get("License-Expression") or "", (told.get("License") or "")[:100]]
        words += told.get_all("Classifier") or []
        found[name] = [word for word in words if re.search("GPL|General Public", word)]
    assert {name for name, words in found.items() if words} == LGPL | CHOICE

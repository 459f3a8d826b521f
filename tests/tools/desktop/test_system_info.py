"""What this computer is, held against what the system says by itself."""

from __future__ import annotations

import os
import platform
from pathlib import Path

import psutil
import pytest

from tests.tools.desktop.desktop_desk import DesktopDesk, base


async def test_all_of_it_is_told_without_a_question(tmp_path: Path) -> None:
    desk = DesktopDesk(base(tmp_path))
    found = await desk.call("system_info")
    rows = dict(found.data["rows"])
    for section in ("os:", "cpu:", "memory:", "disk:", "battery:", "network:"):
        assert f"\n{section}" in f"\n{found.text}"
    assert platform.release() in rows["Kernel"] and rows["Machine"] == platform.machine()
    assert f"{psutil.cpu_count()} threads" in rows["Cores"]
    assert f"{psutil.virtual_memory().total / 1e9:.1f} GB" in rows["Memory"]
    assert desk.asked == []


@pytest.mark.parametrize("section", ["os", "cpu", "memory", "disk", "battery", "network"])
async def test_one_section(tmp_path: Path, section: str) -> None:
    found = await DesktopDesk(base(tmp_path)).call("system_info", f'{{"section": "{section}"}}')
    assert found.text.startswith(f"{section}:") and found.data["rows"]


async def test_no_hardware_address_is_told(tmp_path: Path) -> None:
    found = await DesktopDesk(base(tmp_path)).call("system_info", '{"section": "network"}')
    addresses = [one.address for group in psutil.net_if_addrs().values() for one in group
                 if one.family == psutil.AF_LINK and one.address.strip("0:")]  # fmt: skip
    assert not any(address in found.text for address in addresses) and os.sep

"""What this computer is and has, in plain words. Names of networks, serial numbers and hardware addresses are
left out.
"""

from __future__ import annotations

import os
import platform
import socket
import sys
import time
from collections.abc import Callable, Mapping, Sequence

Rows = list[tuple[str, str]]
_DISKS = 12
_ADDRESSES = 12


def facts(section: str) -> Mapping[str, Sequence[tuple[str, str]]]:
    """Return the rows of a section, or of all. Blocks for a moment: call it in a thread."""
    made: dict[str, Callable[[], Rows]] = {
        "os": _system,
        "cpu": _cpu,
        "memory": _memory,
        "disk": _disk,
        "battery": _battery,
        "network": _network,
    }
    return {name: rows() for name, rows in made.items() if section in ("all", name)}


def _system() -> Rows:
    import psutil

    rows = [("System", _name()), ("Kernel", f"{platform.system()} {platform.release()}")]
    rows += [("Machine", platform.machine()), ("Name", socket.gethostname())]
    rows.append(("Running for", _span(time.time() - psutil.boot_time())))
    desktop = os.environ.get("XDG_CURRENT_DESKTOP", "")
    kind = os.environ.get("XDG_SESSION_TYPE", "")
    rows += [("Desktop", " on ".join(filter(None, (desktop, kind))))] if desktop or kind else []
    return [*rows, ("Time", time.strftime("%Y-%m-%d %H:%M %Z"))]


def _name() -> str:
    if sys.platform == "darwin":
        return f"macOS {platform.mac_ver()[0]}"
    if sys.platform == "win32":
        return f"Windows {platform.release()} ({platform.version()})"
    try:
        return platform.freedesktop_os_release().get("PRETTY_NAME", "Linux")
    except OSError:
        return "Linux"


def _cpu() -> Rows:
    import psutil

    rows = [("Processor", _processor())]
    cores, threads = psutil.cpu_count(logical=False), psutil.cpu_count()
    rows.append(("Cores", f"{cores or 'unknown'}, {threads} threads"))
    rows.append(("In use", f"{psutil.cpu_percent(interval=0.2):.0f} %"))
    if hasattr(os, "getloadavg"):
        rows.append(("Load", ", ".join(f"{load:.2f}" for load in os.getloadavg()) + " (1, 5, 15 minutes)"))
    return rows


def _processor() -> str:
    try:
        with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as file:
            for line in file:
                if line.startswith(("model name", "Model")):
                    return line.partition(":")[2].strip()
    except OSError:
        pass  # another system: it names its processor itself
    return platform.processor() or platform.machine()


def _memory() -> Rows:
    import psutil

    memory, swap = psutil.virtual_memory(), psutil.swap_memory()
    rows = [
        (
            "Memory",
            f"{_size(memory.total)}, {_size(memory.available)} available ({memory.percent:.0f} % used)",
        )
    ]
    return [*rows, ("Swap", f"{_size(swap.total)}, {_size(swap.used)} used" if swap.total else "none")]


def _disk() -> Rows:
    import psutil

    rows: Rows = []
    seen = set()
    for part in psutil.disk_partitions():
        if part.device in seen or len(rows) >= _DISKS or part.fstype in ("squashfs", "iso9660"):
            continue
        seen.add(part.device)
        try:
            use = psutil.disk_usage(part.mountpoint)
        except OSError:
            continue
        rows.append(
            (part.mountpoint, f"{_size(use.total)}, {_size(use.free)} free ({use.percent:.0f} % used)")
        )
    if not rows:
        use = psutil.disk_usage(os.path.abspath(os.sep))
        rows.append((os.path.abspath(os.sep), f"{_size(use.total)}, {_size(use.free)} free"))
    return rows


def _battery() -> Rows:
    import psutil

    found = psutil.sensors_battery() if hasattr(psutil, "sensors_battery") else None
    if found is None:
        return [("Battery", "none")]
    rows = [("Charge", f"{found.percent:.0f} %")]
    rows.append(("Power", "plugged in" if found.power_plugged else "on battery"))
    lasts = found.secsleft
    if not found.power_plugged and isinstance(lasts, int) and lasts > 0:
        rows.append(("Lasts for about", _span(lasts)))
    return rows


def _network() -> Rows:
    import psutil

    rows: Rows = []
    states = psutil.net_if_stats()
    for name, addresses in psutil.net_if_addrs().items():
        if name not in states or not states[name].isup:
            continue
        told = [one.address.partition("%")[0] for one in addresses
                if one.family in (socket.AF_INET, socket.AF_INET6)]  # fmt: skip
        if told and len(rows) < _ADDRESSES:
            rows.append((name, ", ".join(told)))
    return rows or [("Network", "no connection")]


def _size(number: float) -> str:
    for unit in ("B", "kB", "MB", "GB"):
        if number < 999.5:
            return f"{number:.0f} {unit}" if unit in ("B", "kB", "MB") else f"{number:.1f} {unit}"
        number /= 1000
    return f"{number:.1f} TB"


def _span(seconds: float) -> str:
    minutes = int(seconds // 60)
    days, hours, minutes = minutes // 1440, minutes // 60 % 24, minutes % 60
    return f"{days} d {hours} h" if days else f"{hours} h {minutes} min" if hours else f"{minutes} min"

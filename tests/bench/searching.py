"""find_files and grep_files in a repository of 100 MB, beside the programs that a person would use."""

from __future__ import annotations

import asyncio
import os
import random
import shutil
import statistics
import subprocess
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from tests.bench.figures import Number, by_ratio
from tests.bench.prose import WORDS
from tests.capabilities.files_desk import open_desk

FILES, SIZE = 9_000, 11_500
"""Files of text and the bytes of each, about 100 MB in all."""
IGNORED = 3_000
"""Small files in a folder that .gitignore names."""
NEEDLE, EVERY = "zephyrine", 150
"""A word that stands in one of so many files."""


def searching(folder: Path, rounds: int) -> list[Number]:
    """Return the numbers with ripgrep and without it; each round runs ours and the other in turn."""
    return asyncio.run(_searching(folder, rounds))


async def _searching(folder: Path, rounds: int) -> list[Number]:
    found = []
    async with open_desk(folder) as desk:
        _fill(desk.folder)
        for most, bare in ((1.5, False), (8.0, True)):
            if bare:
                desk.world = replace(desk.world, environ={"PATH": ""})
            for tool, other in _pairs(bare):
                ours, theirs = [], []
                for turn in range(rounds + 1):
                    began = time.perf_counter()
                    if tool == "grep_files":
                        result = await desk.reader(desk.gate(tool)).search(NEEDLE, limit=1000)
                        count = len(result.matches)
                    else:
                        result = await desk.reader(desk.gate(tool)).find("*7.py", limit=1000)
                        count = len(result.entries)
                    ended = time.perf_counter()
                    lines = subprocess.run(other, cwd=desk.folder, capture_output=True, check=True).stdout
                    last = time.perf_counter()
                    if count != len(lines.splitlines()):
                        raise RuntimeError(f"{tool} found {count}, {other[0]} {len(lines.splitlines())}")
                    if turn:  # the first round fills the system's caches
                        ours.append((ended - began) * 1000)
                        theirs.append((last - ended) * 1000)
                name = f"{tool} in 100 MB, {'without' if bare else 'with'} ripgrep"
                medians = statistics.median(ours), statistics.median(theirs)
                found.append(by_ratio(name, medians[0], "ms", medians[1], most, " ".join(other[:2])))
    return found


def _pairs(bare: bool) -> Sequence[tuple[str, list[str]]]:
    """Each tool, and the program that does the same: ripgrep and fd, or what every clone has, Git."""
    if bare:
        return (
            ("grep_files", ["git", "grep", "--untracked", "-nF", NEEDLE]),
            ("find_files", ["git", "ls-files", "--cached", "--others", "--exclude-standard", "*7.py"]),
        )
    fd = shutil.which("fdfind") or shutil.which("fd")
    find = [fd, "--glob", "*7.py"] if fd else ["rg", "--files", "--glob", "*7.py"]
    return (("grep_files", ["rg", "-nF", NEEDLE, "."]), ("find_files", find))


def _fill(folder: Path) -> None:
    rng = random.Random(5)
    for number in range(FILES):
        place = folder / f"part{number % 90}" / f"module{number % 7}"
        place.mkdir(parents=True, exist_ok=True)
        lines = []
        size = 0
        while size < SIZE:
            lines.append(" ".join(rng.choices(WORDS, k=12)))
            size += len(lines[-1]) + 1
        if number % EVERY == 0:
            lines[len(lines) // 2] += f" {NEEDLE}"
        (place / f"file{number}.py").write_text("\n".join(lines) + "\n")
    ignored = folder / "node_modules" / "thing"
    ignored.mkdir(parents=True)
    for number in range(IGNORED):
        (ignored / f"{number}7.py").write_text(f"{NEEDLE}\n")
    (folder / ".gitignore").write_text("node_modules/\n*.log\n")
    quiet = {"cwd": folder, "check": True, "stdout": subprocess.DEVNULL}
    subprocess.run(["git", "init", "-q"], **quiet)  # type: ignore[call-overload]
    subprocess.run(["git", "add", "-A"], **quiet)  # type: ignore[call-overload]
    os.sync()

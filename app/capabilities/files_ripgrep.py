"""Search files with ripgrep where it is installed: the same answers as `files_scan`, many times faster."""

from __future__ import annotations

import asyncio
import base64
import os
import sys
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from app.capabilities import files_query
from app.capabilities.files_glob import matcher
from app.capabilities.files_paths import SYSTEM
from app.capabilities.files_query import Query, Result
from app.platform.children import end_group, start_child
from tools import Match

_OPTIONS = (
    "--json", "--no-config", "--no-messages", "--no-require-git", "--no-ignore-global", "--no-ignore-dot",
    "--no-ignore-exclude", "--glob=!.git", "--crlf", f"--max-filesize={files_query.SIZE_CAP}",
)  # fmt: skip
_LONGEST = 8 * 1024 * 1024
"""Bytes of one message of ripgrep that are read; a file with longer lines is left out."""


_UNSORTED = 2_000
"""Matches up to which ripgrep may tell them as its threads come to them, and they are sorted here. To sort by
itself it reads one file after the other, which takes twice as long with two processors; where there are more
matches than this, it is soon done anyway."""


class CannotRead(Exception):
    """ripgrep does not understand the pattern."""


def locate(environ: Mapping[str, str], workspace: str) -> str:
    """Return the path of ripgrep, "" where there is none.

    Never one that lies in the workspace (safety 2.2, 21).
    """
    name = "rg.exe" if sys.platform == "win32" else "rg"
    for place in environ.get("PATH", "").split(os.pathsep):
        path = os.path.join(place, name)
        if (
            os.path.isabs(place)
            and os.access(path, os.X_OK)
            and not Path(path).resolve().is_relative_to(workspace)
        ):
            return path
    return ""


@dataclass
class _File:
    """What is known of the file that ripgrep is reading."""

    path: str
    hits: dict[int, int] = field(default_factory=dict)
    lines: dict[int, str] = field(default_factory=dict)


async def search(program: str, query: Query) -> Result:
    """Return the matches. Raises CannotRead. When cancelled, the process is ended first."""
    found, searched, whole = await _run(program, query, (), max(query.limit, _UNSORTED))
    if whole:
        found.sort(key=lambda match: os.fsencode(match.path).split(b"/"))
    else:
        found, searched, _ = await _run(program, query, ("--sort=path",), query.limit)
    return files_query.limited(found, query.limit, searched)


async def _run(
    program: str, query: Query, options: tuple[str, ...], most: int
) -> tuple[list[Match], int, bool]:
    """See _collect."""
    process = await _start(program, query, options)
    try:
        found, searched, whole = await _collect(process, query, most)
        if whole and await process.wait() == 2 and not searched:
            assert process.stderr
            if await process.stderr.read():
                raise CannotRead
        return found, searched, whole
    finally:
        await asyncio.shield(_ended(process))


async def _ended(process: asyncio.subprocess.Process) -> None:
    """End ripgrep and take what is left in its pipes, which are closed at their end only."""
    await end_group(process, 0.2)
    for pipe in (process.stdout, process.stderr):
        while pipe is not None and await pipe.read(1 << 16):
            pass


async def _start(program: str, query: Query, options: tuple[str, ...]) -> asyncio.subprocess.Process:
    """Start ripgrep. Raises OSError."""
    target = "./" if query.folder == query.root else "./" + os.path.basename(query.root)
    arguments = [
        *_OPTIONS,
        *options,
        *(["--hidden"] if query.hidden else []),
        *([f"--glob=!{folder}" for folder in SYSTEM] if query.root == os.sep else []),
        *(["--fixed-strings"] if query.literal else []),
        "--ignore-case" if query.ignore_case else "--case-sensitive",
        f"--context={query.context}",
        f"--regexp={query.pattern}",
        "--",
        target,
    ]
    return await start_child(
        program,
        *arguments,
        grace=0.2,
        cwd=query.folder,
        env={"PATH": os.defpath, "LC_ALL": "C.UTF-8"},
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )


async def _collect(
    process: asyncio.subprocess.Process, query: Query, most: int
) -> tuple[list[Match], int, bool]:
    """Return matches, the number of files begun or searched, and whether ripgrep said all it had to say.

    Behind `most` matches it is not heard any further.
    """
    wanted = matcher(query.glob) if query.glob and query.folder == query.root else None
    found: list[Match] = []
    searched = 0
    read: list[_File] = []
    hits = 0
    file: _File | None = None
    async for message in _messages(process):
        kind, data = message["type"], message["data"]
        if kind == "begin":
            path = _text(data["path"]).removeprefix("./")
            file = _File(path) if wanted is None or wanted(path) else None
        elif kind in ("match", "context") and file is not None:
            _take(file, kind, data)
        elif kind == "end" and file is not None:
            if file.hits and data["binary_offset"] is None:
                read.append(file)
                hits += len(file.hits)
            if len(found) + hits > most:
                found += await asyncio.to_thread(_told, query, read)
                read, hits = [], 0
            if len(found) > most:
                return found, searched, False
            file = None
        elif kind == "summary":
            searched = data["stats"]["searches"]
    return found + await asyncio.to_thread(_told, query, read), searched, True


def _told(query: Query, files: Sequence[_File]) -> list[Match]:
    """Return the matches of the files that may be told of."""
    return [
        match
        for file in files
        if query.keeps(file.path)
        for match in files_query.file_matches(
            file.path, file.hits, file.lines, query.context, os.path.join(query.folder, file.path)
        )
    ]


def _take(file: _File, kind: str, data: dict[str, Any]) -> None:
    line = _text(data["lines"])
    number = data["line_number"]
    if number == 1:
        line = line.removeprefix("\ufeff")
    file.lines[number] = line.removesuffix("\n").removesuffix("\r")
    if kind == "match":
        start = data["submatches"][0]["start"] if data["submatches"] else 0
        file.hits[number] = len(line.encode("utf-8", "surrogateescape")[:start].decode("utf-8", "replace"))


def _text(value: dict[str, str]) -> str:
    if "text" in value:
        return value["text"]
    return base64.b64decode(value["bytes"]).decode("utf-8", "surrogateescape")


async def _messages(process: asyncio.subprocess.Process) -> AsyncIterator[dict[str, Any]]:
    """Yield one message a line; a message that is too long is skipped."""
    assert process.stdout
    buffer, skipping = bytearray(), False
    while chunk := await process.stdout.read(1 << 16):
        buffer += chunk
        *lines, rest = buffer.split(b"\n")
        for line in lines:
            if not skipping:
                yield msgspec.json.decode(line)
            skipping = False
        buffer = bytearray(rest)
        if len(buffer) > _LONGEST:
            buffer, skipping = bytearray(), True

"""Searching: ripgrep and Python agree, ignored files and secrets stay out, and it can be stopped."""

from __future__ import annotations

import asyncio
import os
import random
import time
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from app.capabilities import files_ripgrep, files_scan
from app.capabilities.files_query import SIZE_CAP, Query
from app.capabilities.files_walk import Walk
from app.capabilities.files_work import in_process
from app.errors import Refused, ToolError
from app.records import ReadEffect
from tests.capabilities.files_desk import Desk, open_desk
from tools import Found

RIPGREP = files_ripgrep.locate(os.environ, "/nonexistent")


@pytest.fixture
async def desk(tmp_path: Path) -> AsyncIterator[Desk]:
    async with open_desk(tmp_path) as opened:
        yield opened


def _tree(desk: Desk) -> None:
    rng = random.Random(5)
    words = ["alpha", "beta", "Gamma", "delta", "TODO", "x = 1", "def f(self):", "", "\tindented", "ünï"]
    for number in range(60):
        folder = rng.choice(["", "src/", "src/deep/", "build/", ".hidden/", "docs/a b/"])
        ending = rng.choice([".py", ".md", ".log", ""])
        end = rng.choice(["\n", "\r\n"])
        body = end.join(rng.choice(words) for _ in range(rng.randrange(0, 40)))
        data = body.encode(rng.choice(["utf-8", "utf-8-sig", "utf-16"]))
        desk.write(f"{folder}file{number}{ending}", data)
    desk.write("latin.txt", b"caf\xe9 alpha\nbeta\n")
    desk.write("binary.dat", b"alpha\n\0\nalpha\n")
    desk.write("late.dat", b"alpha\n" * 3000 + b"\0")
    desk.write("long.min.js", "x" * 3000 + "alpha" + "y" * 3000 + "\n")
    desk.write("src/.gitignore", "*.md\n!file7.md\n/deep/*.log\n")
    desk.write(".gitignore", "build/\n*.log\n!keep.log\n")
    desk.write("keep.log", "alpha\n")
    desk.write(".git/config", "alpha\n")
    desk.write(".env", "alpha\n")
    os.symlink("latin.txt", desk.folder / "link.txt")
    os.symlink("src", desk.folder / "linked")


QUERIES = [
    {"pattern": "alpha"},
    {"pattern": "gamma", "ignore_case": True},
    {"pattern": "^beta$"},
    {"pattern": r"d\w+a"},
    {"pattern": "TODO", "context": 2},
    {"pattern": "f(self)", "literal": True},
    {"pattern": "F(SELF)", "literal": True, "ignore_case": True},
    {"pattern": "alpha", "glob": "*.{py,md}"},
    {"pattern": "alpha", "glob": "src/**"},
    {"pattern": "alpha", "hidden": True},
    {"pattern": r"\bx\b", "context": 1},
    {"pattern": r"^\t"},
    {"pattern": "^$", "limit": 7},
    {"pattern": "a$", "limit": 3},
    {"pattern": "nothing like this"},
    {"pattern": "[[:alpha:]]{5}x"},
    {"pattern": "alpha|beta", "limit": 5, "context": 3},
]


@pytest.mark.skipif(not RIPGREP, reason="ripgrep is not installed")
@pytest.mark.parametrize("options", QUERIES, ids=str)
async def test_ripgrep_and_python_agree(desk: Desk, options: dict[str, str]) -> None:
    _tree(desk)
    for root in (desk.folder, desk.folder / "src"):
        query = Query(root=str(root), **options)  # type: ignore[arg-type]
        fast, slow = await files_ripgrep.search(RIPGREP, query), files_scan.scan(query)
        assert (fast.matches, fast.more) == (slow.matches, slow.more)


@pytest.mark.skipif(not RIPGREP, reason="ripgrep is not installed")
async def test_they_agree_on_a_single_file(desk: Desk) -> None:
    _tree(desk)
    for name in ("latin.txt", "binary.dat", "late.dat", "keep.log", ".env", "build"):
        if not (desk.folder / name).is_file():
            continue
        query = Query(root=str(desk.folder / name), pattern="alpha")
        fast, slow = await files_ripgrep.search(RIPGREP, query), files_scan.scan(query)
        assert fast.matches == slow.matches, name


async def _search(desk: Desk, pattern: str, path: str = ".", **options: object) -> list[tuple[str, int, str]]:
    found: Found = await desk.reader(desk.gate("grep_files")).search(pattern, path, **options)  # type: ignore[arg-type]
    return [(match.path, match.line, match.text) for match in found.matches]


@pytest.fixture(params=["ripgrep", "python"])
def either(request: pytest.FixtureRequest, desk: Desk) -> Desk:
    """The desk, with ripgrep on its PATH and without."""
    if request.param == "ripgrep" and not RIPGREP:
        pytest.skip("ripgrep is not installed")
    if request.param == "python":
        desk.world = replace(desk.world, environ={"PATH": ""})
    return desk


async def test_what_is_left_out(either: Desk) -> None:
    for name in ("a.py", ".hidden.py", ".env", "id_rsa", "ignored/x.py", ".git/x", "key.txt"):
        either.write(name, "needle\n")
    either.write("key.txt", "-----BEGIN PRIVATE KEY-----\nneedle\n")
    either.write(".gitignore", "ignored\n")
    assert await _search(either, "needle") == [("a.py", 1, "needle")]
    assert [path for path, _, _ in await _search(either, "needle", hidden=True)] == [".hidden.py", "a.py"]
    assert either.asked == []
    assert await _search(either, "needle", ".env") == [(".env", 1, "needle")]
    assert either.asked == [ReadEffect(path=str(either.folder / ".env"), secret=True)]
    assert await _search(either, "needle", "ignored") == [("x.py", 1, "needle")]


async def test_a_deny_rule_holds_for_single_files(either: Desk) -> None:
    either.write("private/a", "needle\n")
    either.write("open/a", "needle\n")
    gate = either.gate("grep_files", deny=["read_file(private/**)"])
    found = await either.reader(gate).search("needle")
    assert [match.path for match in found.matches] == ["open/a"]
    assert gate.refused is None
    with pytest.raises(Refused):
        await either.reader(gate).search("needle", "private/a")


async def test_lines_of_other_encodings_are_told_in_their_own(either: Desk) -> None:
    either.write("a.txt", "größer needle\n".encode("latin-1"))
    either.write("b.txt", "設定ファイル needle\n".encode("shift_jis"))
    assert await _search(either, "needle") == [
        ("a.txt", 1, "größer needle"),
        ("b.txt", 1, "設定ファイル needle"),
    ]
    assert await _search(either, "größer") == [("a.txt", 1, "größer needle")]
    assert await _search(either, "設定") == [("b.txt", 1, "設定ファイル needle")]


async def test_kinds_of_patterns(either: Desk) -> None:
    either.write("x", "foo(bar)\nfoobar\nif {\n")
    assert [line for _, line, _ in await _search(either, "foo(?=bar)")] == [2]
    assert [line for _, line, _ in await _search(either, "foo(")] == [1]
    assert [line for _, line, _ in await _search(either, "if {")] == [3]
    assert [line for _, line, _ in await _search(either, "foo.?bar", ignore_case=True)] == [1, 2]


async def test_a_long_line_is_shown_around_its_match(either: Desk) -> None:
    either.write("x", "a" * 9000 + "needle" + "b" * 9000 + "\n")
    ((_, _, text),) = await _search(either, "needle")
    assert "needle" in text
    assert len(text) < 500


async def test_a_pattern_that_runs_wild_is_ended(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """The look-around keeps ripgrep's own engine, which knows no such patterns, from taking it."""
    from app.capabilities import files_reading
    from app.errors import ToolError

    monkeypatch.setattr(files_reading, "SEARCH_SECONDS", 1.0)
    desk.write("x", "a" * 60 + "!\n")
    started = time.monotonic()
    with pytest.raises(ToolError) as caught:
        await _search(desk, r"(?=a)(a+)+$")
    assert caught.value.code == "too_large"
    assert time.monotonic() - started < 20


async def test_cancelling_ends_the_work(either: Desk) -> None:
    """charmbracelet/crush#3878: a cancelled search ran on for days."""
    for number in range(200):
        either.write(f"d{number}/x", "a" * 200 + "\n")
    task = asyncio.create_task(_search(either, r"(a|b|ab)*(?<!x)c"))
    await asyncio.sleep(0)
    task.cancel()
    started = time.monotonic()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert time.monotonic() - started < 10
    me = os.getpid()
    children = Path(f"/proc/{me}/task/{me}/children")
    if children.exists():
        names = [Path(f"/proc/{pid}/comm").read_text().strip() for pid in children.read_text().split()]
        assert "rg" not in names


async def test_a_planted_ripgrep_is_not_run(desk: Desk) -> None:
    """Safety 2.2, case 21: a program of that name in the workspace, early in PATH."""
    planted = desk.write("bin/rg", "#!/bin/sh\ntouch ran\n")
    planted.chmod(0o755)
    desk.world = replace(desk.world, environ={"PATH": f"{desk.folder}/bin:.:bin"})
    desk.write("x", "needle\n")
    assert await _search(desk, "needle") == [("x", 1, "needle")]
    assert not (desk.folder / "ran").exists()


def _fail() -> None:
    raise ValueError("from the other side")


async def test_errors_cross_from_the_process(desk: Desk) -> None:
    with pytest.raises(ValueError, match="from the other side"):
        await in_process(_fail, seconds=30.0)
    with pytest.raises(TimeoutError):
        await in_process(time.sleep, 60, seconds=0.2)


@pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="folders of Linux")
def test_a_walk_from_the_root_leaves_system_folders_out() -> None:
    names = {found.path for found in Walk("/", depth=1)}
    assert names.isdisjoint({"proc", "dev", "sys"})
    assert "usr" in names


@pytest.mark.skipif(not RIPGREP, reason="ripgrep is not here")
async def test_a_search_that_has_found_enough_leaves_no_open_pipe(desk: Desk) -> None:
    """A transport that is left open complains when the program ends."""
    for number in range(3_000):
        desk.write(f"many/file{number:05}.txt", f"needle {number}\n")
    started: list[asyncio.subprocess.Process] = []
    original = files_ripgrep._start

    async def start(program: str, query: Query, options: tuple[str, ...]) -> asyncio.subprocess.Process:
        started.append(await original(program, query, options))
        return started[-1]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(files_ripgrep, "_start", start)
        found = await desk.reader().search("needle", limit=5)
    assert (len(found.matches), found.more) == (5, True)
    assert len(started) == 2, "so many matches come sorted from a second one"
    for process in started:
        assert process.stdout is not None and process.stderr is not None
        assert process.stdout.at_eof() and process.stderr.at_eof()


async def test_a_named_file_that_is_too_large_to_search_is_no_miss(desk: Desk) -> None:
    path = desk.write("big.txt")
    with path.open("wb") as file:
        file.truncate(SIZE_CAP + 1)
    with pytest.raises(ToolError) as caught:
        await desk.reader().search("needle", "big.txt")
    assert caught.value.code == "too_large"


async def test_a_pipe_is_no_place_to_search(desk: Desk) -> None:
    os.mkfifo(desk.folder / "pipe")
    with pytest.raises(ToolError) as caught:
        await desk.reader().search("needle", "pipe")
    assert caught.value.code == "not_text"

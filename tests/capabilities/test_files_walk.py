"""A walk leaves out what Git leaves out, whatever the ignore files say; a search in Python misses no line."""

from __future__ import annotations

import os
import random
import subprocess
from pathlib import Path

import pytest

from app.capabilities.files_query import Query
from app.capabilities.files_scan import scan
from app.capabilities.files_walk import Walk

NAMES = ("a", "b.log", "keep.log", "c.py", "d e", "x[1]", "#y", "!z", "(?P<ps_d>", "naïve", "t.tmp")
FOLDERS = ("src", "src/deep", "build", "doc/a", "node_modules/m", "build/src")
PATTERNS = (
    "*.log", "!keep.log", "build/", "/build", "src/*.py", "**/deep", "doc/**", "!doc/a", "node_modules",
    "\\#y", "\\!z", "x\\[1\\]", "(?P<ps_d>", "d\\ e", "na*", "[ab]*", "*", "!*/", "!c.py", "t.???",
    "/src/deep/", "# no pattern", "a/",
)  # fmt: skip


@pytest.mark.parametrize("seed", range(80))
def test_a_walk_agrees_with_git(tmp_path: Path, seed: int) -> None:
    rng = random.Random(seed)
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    for folder in ("", *FOLDERS):
        (tmp_path / folder).mkdir(parents=True, exist_ok=True)
        for name in rng.sample(NAMES, 5):
            (tmp_path / folder / name).write_text("x")
    for folder in ("", rng.choice(FOLDERS)):
        (tmp_path / folder / ".gitignore").write_text("\n".join(rng.sample(PATTERNS, 4)) + "\n")
    listed = subprocess.run(
        [
            "git",
            "-c",
            "core.quotePath=false",
            "-c",
            "core.excludesFile=",
            "ls-files",
            "-oz",
            "--exclude-standard",
        ],
        cwd=tmp_path,
        check=True,
        capture_output=True,
    ).stdout
    told = {os.fsdecode(name) for name in listed.split(b"\0") if name}
    walked = [found.path for found in Walk(str(tmp_path), hidden=True) if not found.folder]
    assert set(walked) == told


def test_names_come_in_the_order_of_their_bytes(tmp_path: Path) -> None:
    for name in (b"b", b"a", b"Z", "é".encode(), b"\xff", "\U0001f600".encode(), "\uffff".encode()):
        (tmp_path / os.fsdecode(name)).write_text("")
    walked = [os.fsencode(found.path) for found in Walk(str(tmp_path))]
    assert walked == sorted(walked) and len(walked) == 7


@pytest.mark.parametrize(
    ("pattern", "found"),
    [
        ("end$", ["end\r\n", "the end\n"]),
        ("^st", ["start\r\n"]),
        (r"x(?!\s)", ["x\n", "xy\n"]),
        (r"\Ast", ["start\r\n"]),
        (r"e[^q]d", ["end\r\n", "the end\n"]),
        ("START", []),
    ],
)
def test_a_pattern_that_looks_at_the_ends_of_lines_is_missed_nowhere(
    tmp_path: Path, pattern: str, found: list[str]
) -> None:
    for number, text in enumerate(("end\r\n", "start\r\n", "the end\n", "x\n", "xy\n")):
        (tmp_path / str(number)).write_bytes(b"first\r\n" + text.encode() + b"last")
    matches = scan(Query(root=str(tmp_path), pattern=pattern)).matches
    assert [match.text for match in matches] == [text.rstrip("\r\n") for text in found]

"""Changing files where it must not be: links that lead out, system folders, secrets, what is no file."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from app.errors import Refused, ToolError
from app.records import Answer, ReadEffect
from tests.capabilities.files_desk import Desk, open_desk
from tools import ChangeSet, Patch, Replace, ReplaceLines, Write


@pytest.fixture
async def desk(tmp_path: Path) -> AsyncIterator[Desk]:
    async with open_desk(tmp_path) as opened:
        yield opened


def _one(operation: Write | Replace | ReplaceLines | Patch) -> ChangeSet:
    return ChangeSet((operation,))


async def test_the_target_of_a_link_is_changed_and_the_link_stays(desk: Desk) -> None:
    path = desk.write("real", "old\n")
    os.symlink("real", desk.folder / "link")
    await desk.files().change(_one(Write("link", "new\n")))
    assert (desk.folder / "link").is_symlink()
    assert path.read_bytes() == b"new\n"
    assert desk.shown().files[0].path == str(path)


async def test_a_link_out_of_the_workspace_shows_where_it_leads(desk: Desk, tmp_path: Path) -> None:
    """CVE-2025-53109; the rule for the workspace does not cover it."""
    outside = tmp_path.resolve() / "outside"
    outside.mkdir()
    os.symlink(outside, desk.folder / "link")
    gate = desk.gate("write_file", allow=[f"write_file({desk.folder}/**)"])
    desk.answer = lambda effect: Answer(decision="deny")
    with pytest.raises(Refused):
        await desk.files(gate).change(_one(Write("link/new", "x")))
    assert desk.shown().files[0].path == str(outside / "new")
    assert list(outside.iterdir()) == []


@pytest.mark.skipif(sys.platform != "linux", reason="folders of Linux")
@pytest.mark.parametrize("path", ["/proc/self/comm", "/dev/null", "/dev/shm/x", "/sys/x", "link/comm"])
async def test_system_folders_are_refused_also_with_yes(desk: Desk, path: str) -> None:
    os.symlink("/proc/self", desk.folder / "link")
    with pytest.raises(ToolError) as caught:
        await desk.files(desk.gate("write_file", yes=True, attended=False)).change(_one(Write(path, "x")))
    assert caught.value.code == "protected"


@pytest.mark.skipif(sys.platform == "win32", reason="kinds of files of POSIX")
async def test_what_is_no_file_is_refused_at_once(desk: Desk) -> None:
    os.mkfifo(desk.folder / "pipe")
    (desk.folder / "sub").mkdir()
    os.symlink("loop", desk.folder / "loop")
    desk.write("plain", "x")
    for name, code in (
        ("pipe", "protected"),
        ("sub", "bad_arguments"),
        ("plain/x", "bad_arguments"),
        ("loop", "outside"),
    ):
        with pytest.raises(ToolError) as caught:
            await asyncio.wait_for(desk.files().change(_one(Write(name, "y"))), 5)
        assert caught.value.code == code, name
    with pytest.raises(ToolError):
        await desk.files().change(_one(Write("a" * 300, "y")))
    assert desk.asked == []


@pytest.mark.parametrize(
    ("operation", "code"),
    [
        (Replace("missing", (("a", "b"),)), "not_found"),
        (Replace("binary", (("a", "b"),)), "binary"),
        (ReplaceLines("text", 1, 3, "x"), "bad_arguments"),
        (ReplaceLines("text", 2, 1, "x"), "bad_arguments"),
        (ReplaceLines("text", 0, 1, "x"), "bad_arguments"),
        (Write("text", "\ud800"), "encoding"),
        (Write("nul\0name", "x"), "bad_arguments"),
        (Patch("--- /dev/null\n+++ b/text\n@@ -0,0 +1 @@\n+x\n"), "bad_arguments"),
        (Patch("--- a/text\n+++ /dev/null\n@@ -1 +0,0 @@\n-one\n"), "bad_arguments"),
        (Patch("diff --git a/text b/binary\nrename from text\nrename to binary\n"), "bad_arguments"),
    ],
)
async def test_refusals_leave_all_as_it_was(desk: Desk, operation: Write, code: str) -> None:
    path = desk.write("text", "one\ntwo\n")
    desk.write("binary", b"\0a\0")
    with pytest.raises(ToolError) as caught:
        await desk.files().change(_one(operation))
    assert caught.value.code == code
    assert path.read_bytes() == b"one\ntwo\n"
    assert desk.asked == []


async def test_a_refusal_tells_no_lines_of_a_secret(desk: Desk) -> None:
    """What stands near the old text would be told to the model; that is reading."""
    desk.write(".env", "TOKEN=abc\n")
    desk.answer = lambda effect: Answer(decision="deny")
    with pytest.raises(Refused) as caught:
        await desk.files().change(_one(Replace(".env", (("TOKEN=abd", "x"),))))
    assert "abc" not in str(caught.value)
    assert desk.asked == [ReadEffect(path=str(desk.folder / ".env"), secret=True)]
    with pytest.raises(Refused):
        await desk.files().change(_one(Write(".env", "TOKEN=abc\n")))


async def test_protected_names_ask_also_under_a_rule(desk: Desk) -> None:
    """Bidi and zero-width characters in names, and what git and the shell run."""
    for name in ("a\u202etxt.exe", "a\u200bb", ".git/hooks/pre-commit", ".bashrc"):
        gate = desk.gate("write_file", allow=["write_file(*)"], yes=True)
        before = len(desk.asked)
        await desk.files(gate).change(_one(Write(name, "x")))
        assert len(desk.asked) == before + 1, name


async def test_a_vanished_working_folder(desk: Desk) -> None:
    files = desk.files()
    desk.folder.rmdir()
    for call in (files.change(_one(Write("x", "y"))), files.read("x"), files.list("."), files.search("x")):
        with pytest.raises(ToolError) as caught:
            await call
        assert caught.value.code == "no_folder"
    assert not desk.folder.exists()

"""file_checksum against the numbers that other programs give."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.capabilities.files_desk import open_desk
from tests.tools.documents.desk import DocumentCaller

ABC = {
    "sha256": "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
    "sha1": "a9993e364706816aba3e25717850c26c9cd0d89d",
    "md5": "900150983cd24fb0d6963f7d28e17f72",
}
"""Of the text abc (FIPS 180-4, RFC 1321)."""


@pytest.fixture
async def call(tmp_path: Path) -> AsyncIterator[DocumentCaller]:
    async with open_desk(tmp_path) as desk:
        yield DocumentCaller(desk, tmp_path / "spill")


@pytest.mark.parametrize("name", ABC)
async def test_each_algorithm(call: DocumentCaller, name: str) -> None:
    call.desk.write("a.bin", "abc")
    outcome = await call("file_checksum", path="a.bin", algorithm=name)
    assert outcome.text == f"{ABC[name]}  a.bin ({name}, 3 B)" and not call.desk.asked
    same = await call("file_checksum", path="a.bin", expected=f" {name.upper()}: {ABC[name].upper()}  a.bin")
    assert same.ok and "It matches." in same.text and name in same.text
    other = await call("file_checksum", path="a.bin", expected=ABC[name][::-1])
    assert not other.ok and "does NOT match" in other.text.replace("It does", "does")


async def test_what_is_no_hash_or_no_file_is_told(call: DocumentCaller) -> None:
    call.desk.write("a.bin", "abc")
    os.mkfifo(call.desk.folder / "pipe")
    for arguments in (
        {"path": "a.bin", "expected": "hello"},
        {"path": "a.bin", "expected": "abc123"},
        {"path": "a.bin", "expected": ABC["md5"], "algorithm": "sha256"},
        {"path": "missing"},
        {"path": "."},
        {"path": "pipe"},
    ):
        outcome = await call("file_checksum", **arguments)
        assert not outcome.ok and "failed inside" not in outcome.text, outcome.text
    empty = call.desk.write("with\nnewline", "")
    outcome = await call("file_checksum", path=empty.name)
    assert outcome.text.startswith("e3b0c44298fc1c149afbf4c8996fb924")


async def test_a_large_file_is_read_in_parts(call: DocumentCaller) -> None:
    with open(call.desk.folder / "large", "wb") as file:
        file.truncate(300 << 20)
    outcome = await call("file_checksum", path="large")
    assert outcome.ok and "314.6 MB" in outcome.text

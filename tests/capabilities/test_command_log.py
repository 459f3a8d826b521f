"""The output of a command is kept within bounds, whole while it can be, and readable from any byte."""

from __future__ import annotations

import os
import random
import stat
from pathlib import Path

import pytest

from app.capabilities.command_log import CommandLog, Keep, Piece

SMALL = Keep(memory=1_000, edge=100, disk=5_000)


@pytest.fixture
def log(tmp_path: Path) -> CommandLog:
    return CommandLog(tmp_path / "s" / "j.log", SMALL)


def test_little_output_stays_in_memory(log: CommandLog) -> None:
    log.add(b"one\n")
    log.add(b"two\n")
    assert log.read() == Piece(b"one\ntwo\n", 0, b"", 8)
    assert log.read(4) == Piece(b"two\n", 0, b"", 8)
    assert log.read(-2) == Piece(b"o\n", 0, b"", 8)
    assert log.read(99) == Piece(b"", 0, b"", 8)
    assert log.whole == "" and not log.path.parent.exists() and not log.flooded


def test_much_output_goes_into_a_file(log: CommandLog) -> None:
    data = random.Random(1).randbytes(4_000)
    for start in range(0, 4_000, 333):
        log.add(data[start : start + 333])
    assert log.whole == str(log.path) and log.path.read_bytes() == data
    assert stat.S_IMODE(log.path.stat().st_mode) == 0o600
    assert log.read() == Piece(data[:100], 3_800, data[-100:], 4_000)
    assert log.read(2_000) == Piece(data[2_000:2_100], 1_800, data[-100:], 4_000)
    assert log.read(3_850) == Piece(data[3_850:], 0, b"", 4_000)
    assert log.last(10) == data[-10:]
    log.close()
    assert log.read(2_000).head == data[2_000:2_100]


def test_a_flood_keeps_its_beginning_and_its_end(log: CommandLog) -> None:
    data = random.Random(2).randbytes(20_000)
    for start in range(0, 20_000, 777):
        log.add(data[start : start + 777])
    assert log.flooded and log.kept == log.path.stat().st_size == 5_000
    assert log.read() == Piece(data[:100], 19_800, data[-100:], 20_000)
    assert log.read(10_000) == Piece(b"", 9_900, data[-100:], 20_000)
    assert log.read(4_950) == Piece(data[4_950:5_000], 14_900, data[-100:], 20_000)
    log.close()


@pytest.mark.parametrize("size", [1, 7, 100, 1_000, 1_001, 5_000])
def test_every_piece_is_true_at_every_step(tmp_path: Path, size: int) -> None:
    log, chance, data = CommandLog(tmp_path / "j.log", SMALL), random.Random(size), b""
    while len(data) < 8_000:
        more = chance.randbytes(size)
        data += more
        log.add(more)
        start = chance.randrange(len(data))
        piece = log.read(start)
        assert data.startswith(piece.head, start) and data.endswith(piece.tail)
        assert len(piece.head) + piece.gap + len(piece.tail) == len(data) - start
        if len(data) - start <= 2 * SMALL.edge and len(data) <= SMALL.disk:
            assert piece.gap == 0
    log.close()


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "s").write_text("a file")
    log = CommandLog(tmp_path / "s" / "j.log", SMALL)
    for _ in range(30):
        log.add(b"x" * 100)
    assert log.problem and log.whole == "" and log.size == 3_000
    assert log.read() == Piece(b"", 2_900, b"x" * 100, 3_000)


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs a full disk")
def test_a_full_disk_keeps_what_is_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log = CommandLog(tmp_path / "j.log", SMALL)
    log.add(b"x" * 1_500)
    full = os.open("/dev/full", os.O_WRONLY)
    os.dup2(full, log._file)
    os.close(full)
    log.add(b"y" * 1_500)
    assert log.problem == "No space left on device" and log.kept == 1_500
    assert log.read(0).head == b"x" * 100 and log.read(0).tail == b"y" * 100
    log.close()


def test_a_file_that_was_removed_leaves_a_gap(log: CommandLog) -> None:
    log.add(b"x" * 4_000)
    log.path.unlink()
    assert log.read() == Piece(b"", 3_900, b"x" * 100, 4_000)
    log.close()


def test_a_disk_that_takes_only_a_part_leaves_no_hole(tmp_path: Path) -> None:
    """What is in the file are the first bytes of the output without a gap, and the end of room is told."""
    resource = pytest.importorskip("resource")
    log = CommandLog(tmp_path / "j.log", SMALL)
    log.add(b"x" * 1_500)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1_800, hard))
    try:
        log.add(b"y" * 1_500)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    log.add(b"z" * 1_500)
    log.close()
    assert log.problem and log.kept == 1_800
    assert log.path.read_bytes() == b"x" * 1_500 + b"y" * 300

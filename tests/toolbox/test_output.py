"""Long output is cut to head and tail, kept whole in a file, and nothing in it is hidden."""

from __future__ import annotations

import os
import random
import re
import stat
import tracemalloc
from pathlib import Path

import pytest

from app.toolbox.output import SECONDS, WRAP, Spill, safe_name


@pytest.fixture
def spill(tmp_path: Path) -> Spill:
    return Spill(tmp_path / "spill", limit=1_000)


def test_short_output_stays_as_it_is(spill: Spill) -> None:
    assert spill.cut("one\ntwo\n", "s", "c") == "one\ntwo\n"
    assert spill.cut("", "s", "c") == ""
    assert not spill.folder.exists()


def test_long_output_keeps_head_and_tail_and_names_its_file(spill: Spill) -> None:
    text = "\n".join(f"line {number}" for number in range(1, 1_001))
    cut = spill.cut(text, "s1", "call_1")
    path = spill.folder / "s1" / "call_1.txt"
    assert cut.startswith("line 1\n") and cut.endswith("\nline 1000")
    assert path.read_text() == text
    marker = re.search(
        r"^\[([\d,]+) characters left out here\. All of it: (.+); go on .* offset (\d+)\.\]$", cut, re.M
    )
    assert marker and marker[2] == str(path)
    head, tail = cut[: marker.start()], cut[marker.end() :]
    assert len(head) + len(tail) <= 1_000 + 2
    assert head.splitlines()[-1] == f"line {int(marker[3]) - 1}"
    assert int(marker[1].replace(",", "")) == len(text) - len(head) - len(tail.lstrip("\n"))


def test_a_spill_file_is_for_the_person_only(spill: Spill) -> None:
    old = os.umask(0)
    try:
        spill.cut("x" * 5_000, "s", "c")
    finally:
        os.umask(old)
    path = spill.folder / "s" / "c.txt"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


def test_a_call_id_that_comes_again_gets_a_file_of_its_own(spill: Spill) -> None:
    first, second = spill.cut("a" * 5_000, "s", "call_0"), spill.cut("b" * 5_000, "s", "call_0")
    assert "call_0.txt" in first and "call_0-2.txt" in second
    assert (spill.folder / "s" / "call_0.txt").read_text().startswith("aaa")


@pytest.mark.parametrize("name", ["../../etc/passwd", "/abs", "a\0b", "..", "", "x" * 500, "\ud800", "a\n"])
def test_ids_from_elsewhere_stay_in_the_folder(spill: Spill, name: str) -> None:
    spill.cut("x" * 5_000, name, name)
    files = [path for path in spill.folder.rglob("*") if path.is_file()]
    assert len(files) == 1 and files[0].parent.parent == spill.folder
    assert re.fullmatch(r"[A-Za-z0-9_-]{1,64}", safe_name(name))


def test_a_link_in_place_of_the_file_is_not_followed(spill: Spill, tmp_path: Path) -> None:
    target = tmp_path / "target"
    (spill.folder / "s").mkdir(parents=True)
    (spill.folder / "s" / "c.txt").symlink_to(target)
    spill.cut("x" * 5_000, "s", "c")
    assert not target.exists()


def test_one_huge_line_can_be_paged(spill: Spill) -> None:
    cut = spill.cut("x" * 50_000, "s", "c")
    lines = (spill.folder / "s" / "c.txt").read_text().splitlines()
    assert max(map(len, lines)) == WRAP and "".join(lines) == "x" * 50_000
    assert "offset 1." in cut


def test_a_file_that_holds_it_already_is_named_instead(spill: Spill, tmp_path: Path) -> None:
    log = tmp_path / "j1.log"
    log.write_text("head\n" * 500_000 + "tail\n" * 500_000)
    cut = spill.cut("head\n" * 400 + "tail\n" * 400, "s", "c", whole=str(log), size=5_000_000)
    assert f"All of it: {log};" in cut and "About 4,99" in cut
    assert not spill.folder.exists()
    assert spill.cut("short", "s", "c", whole=str(log), size=5) == "short"


def test_a_log_that_holds_only_the_beginning_is_not_called_the_whole(spill: Spill, tmp_path: Path) -> None:
    log = tmp_path / "j1.log"
    log.write_text("line\n" * 1_000)
    cut = spill.cut("line\n" * 800, "s", "c", whole=str(log), size=9_000_000)
    assert f"The first 5,000 bytes of it: {log};" in cut and "All of it" not in cut


def test_a_log_that_has_gone_is_not_promised(spill: Spill, tmp_path: Path) -> None:
    cut = spill.cut("line\n" * 800, "s", "c", whole=str(tmp_path / "gone.log"), size=4_000)
    assert "could not be kept" in cut and "gone.log" not in cut


def test_a_full_disk_costs_only_the_file(tmp_path: Path) -> None:
    (tmp_path / "spill").write_text("a file where the folder should be")
    cut = Spill(tmp_path / "spill", limit=100).cut("x" * 5_000, "s", "c")
    assert "The whole could not be kept" in cut and cut.startswith("xxx")


def test_hidden_characters_that_grow_do_not_break_the_limit(spill: Spill) -> None:
    cut = spill.cut("\u202e" * 900, "s", "c")
    assert len(cut) < 1_300 and "\u202e" not in cut


@pytest.mark.parametrize(
    "text",
    ["hello world\n" * 4_200_000, "x" * 50_000_000, "é hello\n" * 6_000_000],
    ids=["lines", "one line", "not ASCII"],
)
def test_fifty_megabytes_are_cut_without_a_second_copy(tmp_path: Path, text: str) -> None:
    tracemalloc.start()
    try:
        cut = Spill(tmp_path).cut(text, "s", "c")
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert len(cut) < 21_000
    assert peak < 4_000_000, "the pieces are small"
    assert (tmp_path / "s" / "c.txt").stat().st_size > 10_000_000


def test_a_log_of_one_endless_line_is_kept_so_that_it_can_be_paged(tmp_path: Path) -> None:
    log = tmp_path / "j1.log"
    text = "".join(f"{number:07} " for number in range(20_000))
    log.write_text(text)
    cut = Spill(tmp_path / "spill").cut(text, "s", "c", whole=str(log), size=len(text))
    kept = Path(cut.split("All of it: ")[1].split(";")[0])
    lines = kept.read_text().split("\n")
    assert kept != log and "".join(lines) == text and max(map(len, lines)) <= WRAP
    offset = int(cut.split("from offset ")[1].split(".")[0])
    head = cut.split("\n[")[0]
    assert "".join(lines[: offset - 1]) == head[: sum(map(len, lines[: offset - 1]))]


def test_noise_is_named_as_such_at_once(spill: Spill, tmp_path: Path) -> None:
    log = tmp_path / "j1.log"
    log.write_bytes(random.Random(1).randbytes(50_000_000))
    text = log.read_bytes()[:4_000].decode(errors="backslashreplace")
    cut = spill.cut(text, "s", "c", whole=str(log), size=50_000_000)
    assert f"All of it: {log}, which is binary" in cut
    assert not spill.folder.exists(), "a copy of noise takes minutes and says nothing"


def test_a_log_with_nul_is_kept_so_that_read_file_takes_it(spill: Spill, tmp_path: Path) -> None:
    log = tmp_path / "j1.log"
    log.write_bytes(b"first\n" + b"a\0b\n" * 2_000 + b"last\n")
    cut = spill.cut("first\n" + "a\0b\n" * 2_000 + "last\n", "s", "c", whole=str(log), size=8_011)
    kept = Path(cut.split("All of it: ")[1].split(";")[0])
    assert kept != log and kept.read_bytes() == b"first\n" + b"a\\x00b\n" * 2_000 + b"last\n"


def test_a_copy_that_takes_too_long_ends_and_says_so(tmp_path: Path) -> None:
    log = tmp_path / "j1.log"
    log.write_bytes(b"x" * 1_000_000)
    times = iter([0.0, SECONDS - 1, SECONDS])
    cut = Spill(tmp_path / "spill", clock=lambda: next(times)).cut(
        "x" * 30_000, "s", "c", whole=str(log), size=1_000_000
    )
    kept = Path(cut.split("The first 65,536 bytes of it: ")[1].split(";")[0]).read_text()
    assert kept.count("x") == 65_536 and "All of it" not in cut

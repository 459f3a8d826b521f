"""Proof "edit-bytes": random files and edits; every byte outside the edit stays, and undo gives all back."""

from __future__ import annotations

import os
import random
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from app.capabilities.files import Files, FileWorld
from app.changes.journal import Journal
from app.changes.undo import Undo
from app.records import Answer, Effect, Mark
from tools import ChangeSet, Operation, Patch, Replace, ReplaceLines

WORDS = {
    "utf-8": "plain words über façade 日本語 😀 and more",
    "utf-8-sig": "plain words über façade 日本語 😀 and more",
    "utf-16-le-mark": "plain words über façade 日本語 😀 and more",
    "utf-16-be-mark": "plain words über façade 日本語 😀 and more",
    "utf-32-mark": "plain words über façade 😀",
    "cp1252": "größer façade “quoted” naïve \u2013 Straße plain words",
    "cp1251": "Привет мир новая строка настройка файла",
    "shift_jis": "これはテストです 設定ファイル 日本語の行 カフェ",
    "gbk": "这是一个测试 配置文件 你好世界 中文",
    "euc_kr": "설정 파일을 저장했습니다 안녕하세요 세계",
    "junk": "plain words here",
}
"""Words by encoding; `junk` gets bytes that no encoding explains."""
MARKS = {"utf-16-le-mark": b"\xff\xfe", "utf-16-be-mark": b"\xfe\xff", "utf-32-mark": b"\xff\xfe\0\0"}
CODECS = {
    "utf-16-le-mark": "utf-16-le",
    "utf-16-be-mark": "utf-16-be",
    "utf-32-mark": "utf-32-le",
    "utf-8-sig": "utf-8",
}


class Yes:
    """A gate that lets everything pass."""

    async def permit(self, effect: Effect) -> Answer:
        return Answer(decision="allow")

    def denies(self, effect: Effect) -> bool:
        return False

    def mark(self, *found: Mark) -> None:
        pass

    @property
    def origin(self) -> tuple[Mark, ...]:
        return ()


@dataclass
class Sample:
    """A file as its lines, bodies and ends apart. The oracle knows nothing of the code under test."""

    encoding: str
    mark: bytes
    bodies: list[str]
    junk: dict[int, bytes]
    ends: list[str]

    def encoded(self, text: str) -> bytes:
        return text.encode(CODECS.get(self.encoding, "ascii" if self.encoding == "junk" else self.encoding))

    def bytes(self) -> bytes:
        lines = zip(range(len(self.bodies)), self.bodies, self.ends, strict=True)
        return self.mark + b"".join(
            self.encoded(body) + self.junk.get(number, b"") + self.encoded(end) for number, body, end in lines
        )

    def majority(self) -> str:
        counted = {end: self.ends.count(end) for end in ("\r\n", "\n", "\r")}
        most = max(counted.values())
        return next(end for end in self.ends if counted.get(end) == most) if most else "\n"


def _sample(rng: random.Random) -> Sample:
    encoding = rng.choice(list(WORDS))
    words = WORDS[encoding].split()
    count = rng.randrange(3, 30)
    style = rng.choice(["\n", "\r\n", "mixed", "\r"])
    ends = [rng.choice(["\n", "\r\n"]) if style == "mixed" else style for _ in range(count)]
    if rng.random() < 0.3:
        ends[-1] = ""
    bodies = [
        rng.choice(["", "\t", "    "])
        + " ".join(rng.choice(words) for _ in range(rng.randrange(2, 7)))
        + f" n{number}x"
        + rng.choice(["", "", "  "])
        for number in range(count)
    ]
    junk = (
        {number: b"\xff\x81\xfe" for number in range(count) if rng.random() < 0.3}
        if encoding == "junk"
        else {}
    )
    if encoding == "junk":
        junk[0] = b"\x81\x8d\xff"
    mark = b"\xef\xbb\xbf" if encoding == "utf-8-sig" else MARKS.get(encoding, b"")
    return Sample(encoding, mark, bodies, junk, ends)


def _edit(rng: random.Random, sample: Sample, path: str) -> tuple[Operation, Sample]:
    """Return an operation, and what the file must be after it."""
    first = rng.randrange(1, len(sample.bodies)) if sample.junk else rng.randrange(len(sample.bodies))
    clean = [n for n in range(len(sample.bodies)) if n not in sample.junk]
    if first in sample.junk:
        first = rng.choice(clean) if clean else first
    last = first
    while last + 1 < len(sample.bodies) and last + 1 not in sample.junk and rng.random() < 0.4:
        last += 1
    fresh = [rng.choice(WORDS[sample.encoding].split()) + f" made{n}" for n in range(last - first + 1)]
    more = [f"more{n}" for n in range(rng.randrange(3))] if sample.ends[last] else []
    kind = rng.choice(["word", "lines", "replace", "patch"])
    if kind == "word" or first in sample.junk:
        return _word(sample, first, path)
    old = "\n".join(sample.bodies[first : last + 1])
    new = "\n".join([*fresh, *more])
    right = Sample(
        sample.encoding,
        sample.mark,
        sample.bodies[:first] + fresh + more + sample.bodies[last + 1 :],
        {n if n <= first else n + len(more): junk for n, junk in sample.junk.items()},
        sample.ends[: last + 1] + [sample.majority()] * len(more) + sample.ends[last + 1 :],
    )
    if kind == "lines":
        return ReplaceLines(path, first + 1, last + 1, new), right
    if kind == "replace":
        # the last line is taken with its end, so that lines can follow it
        return Replace(path, ((old + "\n", new + "\n"),)), right
    return _patch(sample, first, last, [*fresh, *more], path), right


def _word(sample: Sample, line: int, path: str) -> tuple[Operation, Sample]:
    old, new = f"n{line}x", f"n{line}changed"
    bodies = [body.replace(old, new) if n == line else body for n, body in enumerate(sample.bodies)]
    right = Sample(sample.encoding, sample.mark, bodies, sample.junk, sample.ends)
    return Replace(path, ((old, new),)), right


def _patch(sample: Sample, first: int, last: int, fresh: list[str], path: str) -> Operation:
    before = [n for n in (first - 1,) if n >= 0 and n not in sample.junk]
    lines = [f" {sample.bodies[n]}" for n in before]
    lines += [f"-{sample.bodies[n]}" for n in range(first, last + 1)]
    lines += [f"+{line}" for line in fresh]
    start = first + 1 - len(before)
    counts = f"-{start},{len(before) + last - first + 1} +{start},{len(before) + len(fresh)}"
    return Patch(f"--- a/{path}\n+++ b/{path}\n@@ {counts} @@\n" + "\n".join(lines) + "\n")


@pytest.mark.proof("edit-bytes", small=60, full=5000)
async def test_bytes_outside_an_edit_stay(
    folder: Path, journal: Journal, undo: Undo, count: int, seed: int
) -> None:
    rng = random.Random(seed)
    world = FileWorld(journal, lambda event: None)
    files = Files(world, Yes(), str(folder), session="s", turn="t", tool="edit_file")
    tried: dict[str, int] = {}
    for number in range(count):
        sample = _sample(rng)
        name = f"file{number}.txt"
        path, second = folder / name, folder / f"other{number}.txt"
        path.write_bytes(sample.bytes())
        mode = rng.choice([0o644, 0o600, 0o755, 0o640])
        path.chmod(mode)
        linked = rng.random()
        if linked < 0.15:
            os.link(path, second)
        elif linked < 0.3:
            os.symlink(name, second)
        operation, right = _edit(rng, sample, second.name if second.exists() else name)
        tried[sample.encoding] = tried.get(sample.encoding, 0) + 1
        where = f"case {number}: {sample} {operation}"

        made = await files.change(ChangeSet((operation,)))
        assert path.read_bytes() == right.bytes(), where
        back = await undo.one(made.undo)
        assert path.read_bytes() == sample.bytes(), where
        await undo.one(back)
        assert path.read_bytes() == right.bytes(), where
        assert all(file.verified for file in made.files)
        if sys.platform != "win32":
            assert path.stat().st_mode & 0o777 == mode, where
        if linked < 0.15:
            assert second.samefile(path), where
        elif linked < 0.3:
            assert second.is_symlink(), where
    assert len(tried) > 5

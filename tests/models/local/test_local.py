"""Weights, the file's head, and the engine's child process."""

from __future__ import annotations

import asyncio
import hashlib
import os
import struct
from pathlib import Path

import msgspec
import pytest

from app.errors import ModelError
from app.models.local import weights
from app.models.local.engine import LocalEngine, threads
from app.models.local.fetch import _join, _needs_room, run_pip
from app.models.local.gguf import text_value
from app.models.local.server import fenced_template
from app.models.profiles import load_profile


def text(value: str) -> bytes:
    data = value.encode()
    return struct.pack("<Q", len(data)) + data


def gguf(*entries: bytes) -> bytes:
    return b"GGUF" + struct.pack("<IQQ", 3, 0, len(entries)) + b"".join(entries)


def test_a_text_is_found_behind_values_of_other_types(tmp_path: Path) -> None:
    numbers = text("n") + struct.pack("<IIQ", 9, 4, 3) + b"\0" * 12
    words = text("w") + struct.pack("<IIQ", 9, 8, 2) + text("a") + text("bb")
    one = text("f") + struct.pack("<If", 6, 1.5)
    wanted = text("tokenizer.chat_template") + struct.pack("<I", 8) + text("{{ x }}")
    path = tmp_path / "m.gguf"
    path.write_bytes(gguf(numbers, words, one, wanted))
    assert text_value(path, "tokenizer.chat_template") == "{{ x }}"
    assert text_value(path, "absent") == ""


@pytest.mark.parametrize(
    "data", [b"", b"GGUF", b"nope" + b"\0" * 40, gguf(text("k") + struct.pack("<IQ", 8, 1 << 60))]
)
def test_a_damaged_file_is_named(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "broken.gguf"
    path.write_bytes(data)
    with pytest.raises(ModelError, match=r"broken\.gguf"):
        text_value(path, "tokenizer.chat_template")


def test_the_template_asks_for_fenced_calls() -> None:
    changed = fenced_template("within <tool_call></tool_call> XML tags:\n<tool_call>\n{}\n</tool_call>")
    assert changed == "within a json code block:\n```json\n{}\n```"


def sample(data: bytes) -> weights.Weights:
    return msgspec.structs.replace(
        weights.known()[0], size=len(data), sha256=hashlib.sha256(data).hexdigest(), parts=2
    )


def test_parts_are_joined_in_order_and_only_the_right_hash_gets_the_name(tmp_path: Path) -> None:
    data = b"first" * 1000 + b"second"
    wanted = sample(data)
    parts = tmp_path / "parts"
    parts.mkdir()
    (parts / "01").write_bytes(data[:3000])
    (parts / "02").write_bytes(data[3000:])
    joined = tmp_path / "joined"
    _join(wanted, parts, joined, lambda step, done, total: None)
    assert not weights.is_installed(tmp_path, wanted)
    assert weights.settle(joined, tmp_path, wanted, lambda done: None).read_bytes() == data
    assert weights.is_installed(tmp_path, wanted)


def test_other_bytes_than_agreed_are_thrown_away(tmp_path: Path) -> None:
    joined = tmp_path / "joined"
    joined.write_bytes(b"evil")
    with pytest.raises(ModelError) as caught:
        weights.settle(joined, tmp_path, sample(b"good"), lambda done: None)
    assert caught.value.code == "hash_mismatch" and not joined.exists()


def test_missing_room_is_said_before_anything_is_fetched(tmp_path: Path) -> None:
    with pytest.raises(ModelError) as caught:
        _needs_room(tmp_path, 1 << 62)
    assert caught.value.code == "disk_full"


async def test_what_cannot_be_fetched_is_explained_in_pips_words(tmp_path: Path) -> None:
    with pytest.raises(ModelError) as caught:
        await run_pip(
            ("download", "--no-index", "-d", str(tmp_path), "no-such-package-at-all==1"),
            os.environ,
            lambda: None,
        )
    assert caught.value.code == "download_failed" and "no-such-package-at-all" in caught.value.problem.detail


async def test_a_model_that_is_not_here_is_named(tmp_path: Path) -> None:
    engine = LocalEngine(tmp_path, os.environ)
    for name in ("no-such", "qwen2.5-coder-0.5b"):
        with pytest.raises(ModelError) as caught:
            await engine.ready(load_profile("local", {}, {}), name)
        assert caught.value.code == "local_missing"


async def test_an_engine_that_cannot_start_says_why_and_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted = weights.known()[0]
    weights.path_of(tmp_path, wanted).write_bytes(b"not a model")
    monkeypatch.setattr("app.models.local.engine.engine_installed", lambda: True)
    engine = LocalEngine(tmp_path, os.environ)
    with pytest.raises(ModelError) as caught:
        await engine.ready(load_profile("local", {}, {}), wanted.name)
    assert caught.value.code == "local_failed" and "is damaged" in caught.value.problem.detail
    assert engine._children == {}


def test_weights_without_the_engine_count_as_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = weights.known()[0]
    weights.path_of(tmp_path, wanted).write_bytes(b"weights")
    for here in (True, False):
        monkeypatch.setattr("app.models.local.engine.engine_installed", lambda here=here: here)
        assert LocalEngine(tmp_path, os.environ).installed() == ((wanted.name,) if here else ())


async def test_stopping_a_download_ends_pip(tmp_path: Path) -> None:
    started = asyncio.Event()
    task = asyncio.create_task(
        run_pip(("download", "-d", str(tmp_path), "no-such-package-at-all==1"), os.environ, started.set)
    )
    await started.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


def test_half_the_cores_are_left_to_the_person() -> None:
    assert [threads(lambda n=n: n) for n in (1, 2, 4, 8, 64)] == [1, 1, 2, 4, 8]  # type: ignore[misc]

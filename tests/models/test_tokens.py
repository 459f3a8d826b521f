"""The estimate of tokens against a real tokenizer: near enough to budget with, never far below."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from app.models.tokens import estimate

ROOT = Path(__file__).resolve().parents[2]

ENGLISH = (ROOT / "LICENSE").read_text()
GERMAN = (
    "Die Katze sitzt auf dem Dach und betrachtet den Sonnenuntergang, während der Nachbar seinen Rasen mäht. "
    * 8
)
# ruff: noqa: RUF001
CHINESE = "今天天气很好，我们去公园散步吧。孩子们在湖边喂鸭子，老人们在树下下棋。" * 8
HINDI = "आज मौसम बहुत अच्छा है, चलो पार्क में टहलने चलते हैं। बच्चे झील के किनारे बत्तखों को खाना खिला रहे हैं। " * 4
RUSSIAN = "Сегодня хорошая погода, пойдём гулять в парк. Дети кормят уток у озера. " * 8
CODE = (ROOT / "app" / "records.py").read_text()
JSON = json.dumps(
    [{"name": f"file_{n}.txt", "size": n * 37, "path": f"/home/u/file_{n}.txt"} for n in range(60)]
)


@pytest.mark.parametrize(
    "text",
    [ENGLISH, GERMAN, CHINESE, HINDI, RUSSIAN, CODE, JSON],
    ids=["en", "de", "zh", "hi", "ru", "code", "json"],
)
def test_the_estimate_is_near_o200k(text: str) -> None:
    from rs_bpe.bpe import openai

    real = len(openai.o200k_base().encode(text))
    assert 0.85 * real <= estimate(text) <= 1.2 * real


def test_small_texts() -> None:
    assert (estimate(""), estimate("a"), estimate("\ud800")) == (0, 1, 1)

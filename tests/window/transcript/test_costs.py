"""The costs that must hold, at a small size: flat per token, and a first paint that lays out little."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from tests.bench import transcript_bench
from tests.bench.prose import reply


@pytest.mark.parametrize(
    "unit",
    ["", "word ", "- item **text** here\n", "x = call(1)\n", "> quote text here\n", "| some | thing |\n"],
)
def test_cost_of_a_token_is_flat(qtbot: QtBot, unit: str) -> None:
    start = {"x": "```py\n", "|": "| a | b |\n|---|---|\n"}.get(unit[:1], "")
    text = start + unit * (20_000 // len(unit)) if unit else reply(20_000)
    costs = sorted(transcript_bench.stream(text[:5_000])), sorted(transcript_bench.stream(text)[-40:])
    first, last = (times[len(times) // 2] for times in costs)
    assert last < 2.5 * first


def test_first_paint_of_a_long_session_does_not_lay_it_out(qtbot: QtBot) -> None:
    short = min(transcript_bench.open_10000(100) for _ in range(3))
    long = min(transcript_bench.open_10000(2_000) for _ in range(3))
    assert long < 4 * short


def test_bench_gives_its_numbers(qtbot: QtBot) -> None:
    assert set(transcript_bench.stream_1mb(20_000)) >= {"p99_stall_ms", "cost_first", "cost_last"}
    assert set(transcript_bench.scroll(60, 40)) == {"scroll_p50_ms", "scroll_p95_ms", "jump_p95_ms"}

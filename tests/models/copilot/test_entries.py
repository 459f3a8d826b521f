"""Entries of Copilot's list of models, whole and broken."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given, strategies as st

from app.models.copilot.door import with_wire
from app.models.copilot.entries import entry_of
from app.models.copilot.quota import quota_of
from app.models.profiles import load_profile, quirks_of
from tests.servers.copilot import MODELS, model

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)


def test_bad_entries_are_skipped_and_the_rest_is_read() -> None:
    found = [entry for entry in map(entry_of, MODELS) if entry is not None]
    assert [entry.id for entry in found] == [
        "gpt-5-mini", "gpt-6-codex", "claude-sonnet-5.5", "old", "grok-9", "switched-off",
    ]  # fmt: skip
    mini, codex, claude, old, grok, off = found
    assert (mini.wire, mini.wires, mini.multiplier) == ("chat", ("chat", "responses"), 0)
    assert (codex.wire, codex.multiplier, codex.window, codex.max_output) == (
        "responses",
        1.5,
        128_000,
        16_000,
    )
    assert (claude.wire, claude.input, claude.output, claude.cached) == ("messages", 2.0, 10.0, 0.1)
    assert claude.abilities == ("tools", "vision", "reasoning")
    assert (old.wire, old.window) == ("chat", 64_000)
    assert (grok.state, off.state, mini.state) == ("terms", "off", "")


@pytest.mark.parametrize(
    "entry",
    [
        model("m", model_picker_enabled=False),
        model("m", endpoints=["/embeddings"]),
        model("a\nb"),
        model(""),
        {**model("m"), "id": 7},
    ],
)
def test_what_is_not_to_be_picked_is_left_out(entry: Any) -> None:
    assert entry_of(entry) is None


@pytest.mark.parametrize(
    "prices", [{"batch_size": 0}, {"batch_size": "x"}, {"batch_size": 1, "default": {}}, 3]
)
def test_prices_that_cannot_be_read_are_none(prices: Any) -> None:
    found = entry_of(model("m", billing={"token_prices": prices, "multiplier": -1}))
    assert found is not None and (found.input, found.output, found.multiplier) == (None, None, None)


@pytest.mark.parametrize(
    ("endpoint", "supports", "quirks"),
    [
        ("/chat/completions", {}, {}),
        (
            "/chat/completions",
            {"reasoning_effort": ["low", "medium", "high"]},
            {"effort": "reasoning_effort",
             "efforts": {"off": "", "low": "low", "medium": "medium", "high": "high"}},
        ),
        (
            "/responses",
            {"reasoning_effort": ["none", "medium", "xhigh", 3]},
            {"effort": "reasoning_effort",
             "efforts": {"off": "none", "low": "medium", "medium": "medium", "high": "xhigh"}},
        ),
        (
            "/v1/messages",
            {"adaptive_thinking": True, "reasoning_effort": ["low", "medium"]},
            {"cache_marks": True, "effort": "adaptive",
             "efforts": {"off": "", "low": "low", "medium": "medium", "high": "medium"}},
        ),
        ("/v1/messages", {"max_thinking_budget": 32000}, {"cache_marks": True, "effort": "budget"}),
        ("/v1/messages", {}, {"cache_marks": True}),
    ],
)  # fmt: skip
def test_effort_is_asked_for_in_the_models_own_words(
    endpoint: str, supports: dict[str, Any], quirks: dict[str, Any]
) -> None:
    found = entry_of(model("m", endpoints=[endpoint], supports=supports))
    assert found is not None and found.quirks == quirks
    profile = msgspec.structs.replace(load_profile("copilot", {}, {}), models=(found,))
    assert quirks_of(profile, "m").effort == quirks.get("effort", "")
    for wire in ("chat", "messages", "responses"):
        other = quirks_of(with_wire(profile, "m", wire), "m")  # type: ignore[arg-type]
        assert (other.effort in ("adaptive", "budget")) <= (wire == "messages")
        assert (other.effort == "reasoning_effort") <= (wire != "messages")


@given(st.dictionaries(st.sampled_from([*model("m"), "policy", "billing", "supported_endpoints"]), JSON))
def test_nothing_that_is_sent_breaks_the_reading(changes: dict[str, Any]) -> None:
    entry_of({**model("m"), **changes})
    quota_of(changes)
    quota_of({"quota_snapshots": changes})

"""Copilot's list of models: each entry on its own, so that one of a new kind spoils none of the others."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from app.models.profile import ModelData, WireName

_WIRES: dict[str, WireName] = {
    "/v1/messages": "messages",
    "/responses": "responses",
    "/chat/completions": "chat",
}
_SUPPORTS = {
    "tool_calls": "tools",
    "vision": "vision",
    "reasoning_effort": "reasoning",
    "adaptive_thinking": "reasoning",
}
_EFFORTS = ("none", "minimal", "low", "medium", "high", "xhigh", "max")
"""Words of effort, the least first."""
_CREDIT = 0.01
"""US dollars of one AI credit, the unit of the prices."""
_TERMS = 2000
"""Characters of a model's own terms that are kept."""


def entry_of(entry: Any) -> ModelData | None:
    """Return what one entry of `data` says, None for what does not chat, is not meant to be picked or cannot
    be read.
    """
    if not isinstance(entry, Mapping) or not isinstance(id_ := entry.get("id"), str):
        return None
    if not id_ or not id_.isprintable():
        return None
    capabilities = _table(entry.get("capabilities"))
    if (
        capabilities.get("type") != "chat"
        or entry.get("model_picker_enabled") is False
        or not id_.isprintable()
    ):
        return None
    limits, supports = _table(capabilities.get("limits")), _table(capabilities.get("supports"))
    wires = _wires(entry.get("supported_endpoints"))
    if not wires:
        return None
    state, terms = _policy(entry.get("policy"))
    billing = _table(entry.get("billing"))
    window = _count(limits.get("max_context_window_tokens")) or _count(limits.get("max_prompt_tokens"))
    return ModelData(
        id=id_,
        title=name if isinstance(name := entry.get("name"), str) else "",
        window=window,
        max_output=_count(limits.get("max_output_tokens")),
        abilities=tuple(dict.fromkeys(ours for theirs, ours in _SUPPORTS.items() if supports.get(theirs))),
        wire=wires[0],
        wires=wires,
        state=state,  # type: ignore[arg-type]
        terms=terms,
        multiplier=_price(billing.get("multiplier")),
        quirks=_quirks(supports, wires[0]),
        **_prices(billing.get("token_prices")),
    )


def _wires(endpoints: Any) -> tuple[WireName, ...]:
    """Return the wires of a model, the one that is taken first in front: Messages keeps marks for the cache
    and thinking, Chat Completions is the plainest, Responses is for those that take nothing else.

    () for a model that is reached by none of them; one that names no endpoints takes Chat Completions.
    """
    if not isinstance(endpoints, list) or not endpoints:
        return ("chat",)
    named = {_WIRES[name] for name in endpoints if isinstance(name, str) and name in _WIRES}
    order: tuple[WireName, ...] = ("messages", "chat", "responses")
    return tuple(wire for wire in order if wire in named)


def _quirks(supports: Mapping[str, Any], wire: WireName) -> dict[str, Any]:
    """Return how a model is asked on its wire. Messages is taken for its marks: what a cache holds costs a
    tenth (facts: providers 1.1).
    """
    said = supports.get("reasoning_effort")
    words = [word for word in said if isinstance(word, str)] if isinstance(said, list) else []
    efforts = {"efforts": _efforts(words)} if words else {}
    if wire != "messages":
        return {"effort": "reasoning_effort", **efforts} if words else {}
    if supports.get("adaptive_thinking") is True:
        return {"cache_marks": True, "effort": "adaptive", **efforts}
    budget = {"effort": "budget"} if _count(supports.get("max_thinking_budget")) else {}
    return {"cache_marks": True, **budget}


def _efforts(words: list[str]) -> dict[str, str]:
    """Return our words of effort in those that a model takes: the same, else the next above, else the
    highest; for `off` nothing where it has none.
    """
    known = [word for word in _EFFORTS if word in words]
    if not known:
        return {"off": "", "low": "", "medium": "", "high": ""}
    found = {"off": next((word for word in ("none", "minimal") if word in words), "")}
    for ours in ("low", "medium", "high"):
        above = [word for word in known if _EFFORTS.index(word) >= _EFFORTS.index(ours)]
        found[ours] = above[0] if above else known[-1]
    return found


def _policy(policy: Any) -> tuple[str, str]:
    """Return why the account may not ask the model yet, and the model's own terms."""
    table = _table(policy)
    state, terms = table.get("state"), table.get("terms")
    words = terms[:_TERMS] if isinstance(terms, str) else ""
    if not table or state in (None, "enabled"):
        return "", ""
    return ("off", "") if state == "disabled" and not words else ("terms", words)


def _prices(prices: Any) -> dict[str, Any]:
    """Return prices in US dollars a million tokens, nothing where they cannot be read.

    They are given in credits for `batch_size` tokens.
    """
    table = _table(prices)
    default = _table(table.get("default")) or table
    size = _price(table.get("batch_size")) or 0.0
    if size <= 0:
        return {}
    found = {}
    for theirs, ours in (
        ("input_price", "input"),
        ("output_price", "output"),
        ("cache_price", "cached"),
        ("cache_write_price", "written"),
    ):
        value = _price(default.get(theirs))
        if value is not None:
            found[ours] = value * _CREDIT * 1_000_000 / size
    return found if {"input", "output"} <= set(found) else {}


def _table(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _count(value: Any) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0


def _price(value: Any) -> float | None:
    """Return a number that is not negative, None for anything else."""
    fits = isinstance(value, int | float) and not isinstance(value, bool) and value >= 0
    return float(value) if fits and value < 1e9 else None

"""Token counts from wherever a Chat Completions server puts them."""

from __future__ import annotations

from typing import Any

from app.records import Usage


def find_usage(chunk: dict[str, Any]) -> dict[str, Any] | None:
    """Return the usage object of a chunk: at the top, in a choice (Moonshot), or under `x_groq`."""
    places: list[Any] = [chunk, chunk.get("x_groq")]
    choices = chunk.get("choices")
    places += choices if isinstance(choices, list) else []
    for place in places:
        if isinstance(place, dict) and isinstance(place.get("usage"), dict):
            found: dict[str, Any] = place["usage"]
            if found:
                return found
    return None


def read_usage(raw: dict[str, Any]) -> Usage:
    """Return the counts of a usage object.

    Cached tokens stand in `prompt_tokens_details` (OpenAI), `prompt_cache_hit_tokens` (DeepSeek),
    `cached_tokens` (Moonshot) or `cache_read_input_tokens` (LiteLLM). Where the total is more than prompt
    and completion, the rest is reasoning that was left out of the completion (xAI, Gemini).
    """
    prompt_details, answer_details = (
        _part(raw, "prompt_tokens_details"),
        _part(raw, "completion_tokens_details"),
    )
    hit, miss = _count(raw, "prompt_cache_hit_tokens"), _count(raw, "prompt_cache_miss_tokens")
    prompt = _count(raw, "prompt_tokens") or _count(raw, "input_tokens") or hit + miss
    answer = _count(raw, "completion_tokens") or _count(raw, "output_tokens")
    reasoning = _count(answer_details, "reasoning_tokens") or _count(raw, "reasoning_tokens")
    written = (
        _count(prompt_details, "cache_write_tokens")
        or _count(prompt_details, "cache_creation_tokens")
        or _count(raw, "cache_creation_input_tokens")
        or _count(raw, "cache_write_tokens")
    )
    cached = (
        _count(prompt_details, "cached_tokens")
        or hit
        or _count(raw, "cached_tokens")
        or _count(raw, "cache_read_input_tokens")
    )
    left_out = _count(raw, "total_tokens") - prompt - answer
    if left_out > 0 and prompt and (left_out == reasoning or not cached + written):
        answer += left_out
    return Usage(
        input=prompt,
        output=answer,
        cached=min(cached, prompt),
        written=min(written, prompt),
        reasoning=reasoning,
    )


def counted(usage: Usage) -> Usage | None:
    """Return counts that can be true, else None: no request is empty, so such a server did not count."""
    return usage if usage.input else None


def _part(raw: dict[str, Any], name: str) -> dict[str, Any]:
    value = raw.get(name)
    return value if isinstance(value, dict) else {}


def _count(raw: dict[str, Any], name: str) -> int:
    value = raw.get(name)
    return int(value) if isinstance(value, int | float) and 0 < value < 1e12 else 0

"""Token counts of a Responses answer."""

from __future__ import annotations

from typing import Any

from app.models.chat.usage import counted, read_usage
from app.records import Usage


def usage_of(response: dict[str, Any]) -> Usage | None:
    """Return the counts of a response object, None where it has none: no request has no tokens at all.

    The fields are those of Chat Completions but for the names of their details; `input_tokens` holds what was
    read from a cache and written into it, `output_tokens` holds reasoning.
    """
    raw = response.get("usage")
    if not isinstance(raw, dict) or not raw:
        return None
    details = {
        "prompt_tokens_details": raw.get("input_tokens_details"),
        "completion_tokens_details": raw.get("output_tokens_details"),
    }
    return counted(
        read_usage({**raw, **{name: value for name, value in details.items() if value is not None}})
    )

"""How long a server asks to be left alone, from its headers, the fields of its error, or its words."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC
from typing import Any

# Patterns are compiled at their first use: most requests need none of them.
_WORDS = r"(?:try|retry) (?:again )?(?:in|after) (?:(\d+)m(?!s))?\s*(?:(\d+(?:\.\d+)?) ?(ms|s))?"
_DELAY = r"(\d+(?:\.\d+)?)s"


def seconds_to_wait(headers: Mapping[str, str], said: str, payload: Any, now: float) -> float | None:
    """Return the seconds that a server names, None when it names none. `now` in unix seconds, for a date."""
    for name, scale in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        value = headers.get(name, "").strip()
        if re.fullmatch(r"\d{1,9}(\.\d+)?", value):
            return float(value) * scale
        if value and scale == 1.0 and (found := _until(value, now)) is not None:
            return found
    delay = _retry_delay(payload)
    return delay if delay is not None else _from_words(said)


def _until(date: str, now: float) -> float | None:
    import email.utils

    try:
        when = email.utils.parsedate_to_datetime(date)
    except ValueError:
        return None
    if when.tzinfo is None:
        when = when.replace(tzinfo=UTC)
    return max(0.0, when.timestamp() - now)


def _retry_delay(payload: Any) -> float | None:
    """Gemini names it in the details of its error: {"@type": ".../RetryInfo", "retryDelay": "34s"}."""
    if isinstance(payload, list) and payload:
        payload = payload[0]
    error = payload.get("error") if isinstance(payload, dict) else None
    details = error.get("details") if isinstance(error, dict) else None
    for item in details if isinstance(details, list) else ():
        delay = item.get("retryDelay") if isinstance(item, dict) else None
        if isinstance(delay, str) and (match := re.fullmatch(_DELAY, delay)):
            return float(match.group(1))
    return None


def _from_words(said: str) -> float | None:
    """OpenAI and Groq write "Please try again in 1m7.66s"."""
    match = re.search(_WORDS, said, re.I)
    if match is None or not (match.group(1) or match.group(2)):
        return None
    seconds = float(match.group(2) or 0) * (0.001 if match.group(3) == "ms" else 1.0)
    return int(match.group(1) or 0) * 60 + seconds

"""Ids that sort by time of creation and can be typed in a terminal."""

from __future__ import annotations

import os
import time

_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"  # Crockford's base 32: no i, l, o, u to mix up
_TIME_DIGITS = 9  # 45 bits of milliseconds, good until the year 3084
_RANDOM_DIGITS = 5  # 25 bits beside the millisecond


def new_id(now: float | None = None) -> str:
    """Return a fresh id of 14 characters; `now` is in unix seconds."""
    moment = int((time.time() if now is None else now) * 1000)
    number = moment << (5 * _RANDOM_DIGITS) | int.from_bytes(os.urandom(4)) >> 32 - 5 * _RANDOM_DIGITS
    digits = ""
    for _ in range(_TIME_DIGITS + _RANDOM_DIGITS):
        digits = _ALPHABET[number & 31] + digits
        number >>= 5
    return digits

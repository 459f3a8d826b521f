"""Guesses how many tokens a text has, for budgets where the provider has not counted yet.

Always an estimate and marked as one; rates measured against o200k_base (tests/models/test_tokens.py).
"""

from __future__ import annotations

import re

_HAN = re.compile(r"[\u3000-\u30ff\u3400-\u9fff\uac00-\ud7af\uff00-\uffef\U00010000-\U0010ffff]")
_OTHER = re.compile(r"[\u0370-\u1fff]")
_MARKS = re.compile(r"[{}\[\]\"':,;()<>=\\/|&*#+$%@!?^~`\n\t-]")

LETTERS_PER_TOKEN = 4.2
HAN_PER_TOKEN = 1.15
"""Chinese, Japanese, Korean and everything beyond the basic plane."""
OTHER_PER_TOKEN = 3.0
"""Greek, Cyrillic, Hebrew, Arabic, the scripts of India, Thai, ..."""
MARKS_PER_TOKEN = 1.6


def estimate(text: str) -> int:
    """Return about how many tokens `text` has: letters, dense scripts and punctuation each by their rate."""
    if not text:
        return 0
    counts = [len(found.findall(text)) for found in (_HAN, _OTHER, _MARKS)]
    rates = (HAN_PER_TOKEN, OTHER_PER_TOKEN, MARKS_PER_TOKEN)
    others = sum(count / rate for count, rate in zip(counts, rates, strict=True))
    return max(1, round((len(text) - sum(counts)) / LETTERS_PER_TOKEN + others))

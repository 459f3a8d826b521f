"""Guesses how many tokens a text has, for budgets where the provider has not counted yet.

Always an estimate and marked as one; rates measured against o200k_base (tests/models/test_tokens.py).
"""

from __future__ import annotations

import re

# Compiled at their first use, since few requests need an estimate.
_HAN = r"[\u3000-\u30ff\u3400-\u9fff\uac00-\ud7af\uff00-\uffef\U00010000-\U0010ffff]"
_OTHER = r"[\u0370-\u1fff]"
_MARKS = r"[{}\[\]\"':,;()<>=\\/|&*#+$%@!?^~`\n\t-]+"

PICTURE = 1_500
"""About the tokens of a picture at the size that we send (Anthropic counts a token for 750 pixels)."""
LETTERS_PER_TOKEN = 5.0
HAN_PER_TOKEN = 1.15
"""Chinese, Japanese, Korean and everything beyond the basic plane."""
OTHER_PER_TOKEN = 3.0
"""Greek, Cyrillic, Hebrew, Arabic, the scripts of India, Thai, ..."""
TOKENS_PER_RUN, TOKENS_PER_MARK = 0.8, 0.15
"""Signs in a row are mostly one token, as `":{"` is; longer rows are a little more."""


def estimate(text: str) -> int:
    """Return about how many tokens `text` has: letters, dense scripts and signs each by their rate."""
    if not text:
        return 0
    han, other = len(re.findall(_HAN, text)), len(re.findall(_OTHER, text))
    runs = re.findall(_MARKS, text)
    marks = sum(map(len, runs))
    letters = len(text) - han - other - marks
    tokens = letters / LETTERS_PER_TOKEN + han / HAN_PER_TOKEN + other / OTHER_PER_TOKEN
    return max(1, round(tokens + len(runs) * TOKENS_PER_RUN + marks * TOKENS_PER_MARK))

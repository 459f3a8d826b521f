"""Guesses how many tokens a text has, for budgets where the provider has not counted yet; always marked as
an estimate.
"""

from __future__ import annotations

import re

_DENSE = re.compile(
    r"[\u0900-\u0dff\u0e00-\u0eff\u1100-\u11ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\U00010000-\U0010ffff]"
)
_MARKS = re.compile(r"[{}\[\]\"':,;()<>=\\/|&*#+$%@!?^~`\n\t-]")

LETTERS_PER_TOKEN = 4.2
"""Measured against o200k_base on English, German and source code; see tests/models/test_tokens.py."""
DENSE_PER_TOKEN = 1.4
MARKS_PER_TOKEN = 1.6


def estimate(text: str) -> int:
    """Return about how many tokens `text` has: plain letters, dense scripts and punctuation each by their
    own rate.
    """
    if not text:
        return 0
    dense = len(_DENSE.findall(text))
    marks = len(_MARKS.findall(text))
    letters = len(text) - dense - marks
    return max(1, round(letters / LETTERS_PER_TOKEN + dense / DENSE_PER_TOKEN + marks / MARKS_PER_TOKEN))

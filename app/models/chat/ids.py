"""Call ids in the form that a server takes, when a conversation moves from one provider to another.

Mistral takes exactly nine letters or digits (opencode#1680), OpenAI at most forty characters, the Messages
wire plain ones of at most sixty-four; a changed id depends on the old one alone, so that the same history is
always sent with the same bytes.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from typing import Literal

Form = Literal["any", "forty", "nine", "sixty_four"]

_FITS: dict[Form, str] = {
    "any": r"[\s\S]+",
    "forty": r"[a-zA-Z0-9_-]{1,40}",
    "nine": r"[a-zA-Z0-9]{9}",
    "sixty_four": r"[a-zA-Z0-9_-]{1,64}",
}


def mapped_ids(ids: Iterable[str], form: Form) -> dict[str, str]:
    """Return each id with what is sent in its place; different ids stay different."""
    sent: dict[str, str] = {}
    taken: set[str] = set()
    for old in ids:
        if old in sent:
            continue
        new, salt = old, 0
        while not re.fullmatch(_FITS[form], new) or new in taken:
            new = _made(old, salt, form)
            salt += 1
        sent[old] = new
        taken.add(new)
    return sent


def _made(old: str, salt: int, form: Form) -> str:
    digest = hashlib.sha256(f"{salt}:{old}".encode("utf-8", "surrogatepass")).hexdigest()
    return digest[:9] if form == "nine" else f"call_{digest[:24]}"

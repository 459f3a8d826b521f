"""What may be remembered: a text in one line without what hides, not too long, and no key or password."""

from __future__ import annotations

import math
import re
import unicodedata

from app.errors import ToolError
from app.logs import without_keys

LONGEST = 1_000
"""Characters of one item: a fact is a sentence, a note a few."""
MOST = 10_000
"""Items in all."""
LONGEST_NAME = 60
"""Characters of a topic, of the name of a list or of a project."""
_JOINERS = "\u200c\u200d"
"""Hidden signs that words of some scripts need."""
_KEYS = (  # compiled at its first use: most processes keep nothing
    r"-----BEGIN [A-Z ]*PRIVATE KEY"
    r"|\bAKIA[0-9A-Z]{12,}|\bxox[abprs]-[\w-]{8,}|\beyJ[\w-]{10,}\.[\w-]{10,}|\bglpat-[\w-]{10,}"
    r"|://[^\s/:@]+:[^\s/@]+@"
    r"|\b(?:pass ?word|passwort|kennwort|passphrase|contrase\u00f1a|mot de passe|senha|secret key|api key"
    r"|recovery code|pin|pin code|\u092a\u093e\u0938\u0935\u0930\u094d\u0921)\b[^.\n]{0,30}?"
    r"(?:\b(?:is|ist|lautet|es|est|\u00e9|hai|\u0939\u0948)\b|[:=])\s*[\"'`]?[^\s]*[\d_@#$%!-]"
    r"|\b(?:pass ?word|passwort|kennwort|passphrase|contrase\u00f1a|mot de passe|senha)\b[^.\n]{0,30}?"
    r"(?:\b(?:is|ist|lautet|es|est)\b|[:=])\s*[\"'`]?[^\s]+\s*[.!]?$"
)
_LONG_RUN = r"[A-Za-z0-9+/_=-]{24,}"


def checked(text: str, *, longest: int = LONGEST) -> str:
    """Return a text as it is kept: one line, and nothing in it that a person would not see.

    Raises ToolError: nothing_to_remember, memory_too_long, looks_like_key.
    """
    if len(text) > longest * 4:
        raise _too_long(len(text), longest)
    if looks_like_key(text):
        raise ToolError(
            "looks_like_key",
            "This looks like a key or a password, and memory is no place for one: it is sent to models. "
            "Nothing was stored. Tell the person to keep it in a password manager.",
        )
    plain = " ".join("".join(map(_shown, text)).split())
    if not any(unicodedata.category(sign)[0] in "LNS" for sign in plain):
        raise ToolError("nothing_to_remember", "There is nothing to remember in that.")
    if len(plain) > longest:
        raise _too_long(len(plain), longest)
    return plain


def name(text: str) -> str:
    """Return a topic or a name in one short line, "" for none."""
    plain = " ".join("".join(map(_shown, text[: LONGEST_NAME * 4])).split())
    return plain[:LONGEST_NAME].strip()


def looks_like_key(text: str) -> bool:
    """Whether a text holds what looks like a key, a token or a password."""
    if without_keys(text) != text or re.search(_KEYS, text, re.IGNORECASE):
        return True
    return any(_random(run) for run in re.findall(_LONG_RUN, text))


def _random(run: str) -> bool:
    """Whether a long run of letters and digits is no word, path or number: all kinds mixed, none often."""
    kinds = (str.islower, str.isupper, str.isdigit)
    if sum(any(map(kind, run)) for kind in kinds) < 3 or "/" in run:
        return False
    shares = [run.count(sign) / len(run) for sign in set(run)]
    return -sum(share * math.log2(share) for share in shares) > 3.6


def _shown(sign: str) -> str:
    kind = unicodedata.category(sign)
    if kind in ("Cc", "Zl", "Zp"):
        return " "
    hidden = kind in ("Cf", "Cs", "Cn", "Co") and sign not in _JOINERS
    return "" if hidden else sign


def _too_long(length: int, longest: int) -> ToolError:
    return ToolError(
        "memory_too_long",
        f"That is {length:,} characters; one item holds {longest:,}. Say the one thing to remember, in a "
        "sentence.",
        length=f"{length:,}",
        most=f"{longest:,}",
    )

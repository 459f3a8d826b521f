"""What to leave out of a request when an account or a model refuses it, so that a conversation goes on.

Summaries of reasoning need an organization that OpenAI has verified; encrypted reasoning of another account
cannot be read by this one, and a model without reasoning refuses to be asked for it.
"""

from __future__ import annotations

import re
from typing import Any

import msgspec

from app.models.profiles import quirks_of
from app.models.request import ModelRequest
from app.models.responses.layout import FIELD
from app.models.thoughts import without_thoughts

_SUMMARY = r"reasoning[._ ]summar(y|ies)"
_FOREIGN = (
    r"invalid_encrypted_content|encrypted content.{0,80}(could not be|cannot be|not be) (verified|decrypted)"
)
_ENCRYPTED = r"encrypted[_ ]content"


def plainer(payload: Any, request: ModelRequest) -> ModelRequest | None:
    """Return the request to send in place of one that was refused with status 400, None where nothing that
    could be left out is what was refused.
    """
    error = payload.get("error") if isinstance(payload, dict) else None
    if not isinstance(error, dict):
        return None
    hay = " ".join(str(error.get(name) or "") for name in ("code", "param", "message"))
    quirks = quirks_of(request.profile, request.model)
    if re.search(_SUMMARY, hay, re.I) and quirks.summary:
        return _with(request, summary="")
    if re.search(_FOREIGN, hay, re.I):
        return without_thoughts(request, FIELD, ("reasoning",))
    if re.search(_ENCRYPTED, hay, re.I) and quirks.encrypted:
        return _with(request, encrypted=False)
    return None


def _with(request: ModelRequest, **quirks: Any) -> ModelRequest | None:
    """Return the request with other quirks, None where a model's own entry sets them."""
    profile = request.profile
    changed = msgspec.structs.replace(profile, quirks=msgspec.structs.replace(profile.quirks, **quirks))
    kept = quirks_of(changed, request.model)
    if any(getattr(kept, name) != value for name, value in quirks.items()):
        return None
    return msgspec.structs.replace(request, profile=changed)

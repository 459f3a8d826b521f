"""What to leave out of a request that a server of this wire refuses, so that a conversation goes on.

Thinking is bound to its account and to what stood before it, so an edit of history would end a conversation
for good (anomalyco/opencode#48637); and the servers of others take less than Anthropic's own.
"""

from __future__ import annotations

import re
from typing import Any

import msgspec

from app.models.messages.layout import FIELD
from app.models.profile import Profile
from app.models.profiles import quirks_of
from app.models.request import ModelRequest
from app.models.thoughts import without_thoughts

_SPOILED = (
    r"invalid `?signature`? in `?thinking|bound to a different|thinking\.signature"
    r"|thinking`? blocks.{0,80}cannot be modified"
)
_UNTHOUGHT = r"expected `?thinking`? or `?redacted_thinking`?, but found"
_BINDING = r"block_binding"
_MARKS = r"cache_control"


def plainer(payload: Any, request: ModelRequest) -> ModelRequest | None:
    """Return the request to send in place of one that was refused with status 400, None where nothing that
    could be left out is what was refused.
    """
    error = payload.get("error") if isinstance(payload, dict) else None
    said = error.get("message") if isinstance(error, dict) else None
    if not isinstance(said, str):
        return None
    quirks = quirks_of(request.profile, request.model)
    if re.search(_SPOILED, said, re.I):
        return without_thoughts(request, FIELD, ("thinking", "redacted_thinking"))
    if re.search(_UNTHOUGHT, said, re.I) and request.effort not in ("", "off"):
        return msgspec.structs.replace(request, effort="off")
    if re.search(_BINDING, said, re.I) and "block_binding" in quirks.thinking:
        less = {name: value for name, value in quirks.thinking.items() if name != "block_binding"}
        return _with(request, thinking=less)
    if re.search(_MARKS, said, re.I) and quirks.cache_marks:
        return _with(request, cache_marks=False)
    return None


def _with(request: ModelRequest, **quirks: Any) -> ModelRequest:
    """Return the request with other quirks, also where a model's own entry sets them."""
    profile: Profile = request.profile
    changed = msgspec.structs.replace(
        profile,
        quirks=msgspec.structs.replace(profile.quirks, **quirks),
        models=tuple(
            msgspec.structs.replace(one, quirks={**one.quirks, **quirks})
            if one.quirks.keys() & quirks.keys()
            else one
            for one in profile.models
        ),
    )
    return msgspec.structs.replace(request, profile=changed)

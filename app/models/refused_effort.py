"""Goes on without an effort that a model refuses, which would otherwise end every turn until somebody finds
out why: first the model's own measure, then nothing about reasoning at all.
"""

from __future__ import annotations

import re
from typing import Any

import msgspec

from app.models.profiles import wire_for
from app.models.request import UNASKED, ModelRequest
from app.models.wire import wire_of

_BLAMED = r"effort|output_config|\breasoning\b|\bthinking\b"
"""What a server's words hold when it is this that it refuses, and words for that. Whether it was, is only
known once it takes the rest.
"""
_REFUSED = (
    r"support|invalid|un(known|recogni[sz]ed|expected)|not (permitted|allowed|accepted|valid|available)"
    r"|must be|should be|one of|expected|extra inputs|does not (accept|take|have)|no such"
)
_WHOLE = (
    r"thinking\.(type|adaptive|enabled)"
    r"|(unknown|unsupported|unrecogni[sz]ed).{0,40}\b(reasoning|thinking)\b(?!\W?effort)"
)
"""Words for all of it, so that another measure would be refused too."""
_HISTORY = r"thinking`? blocks?|redacted_thinking|signature|encrypted|reasoning_content|reasoning item"
"""Words about what stands in earlier answers, which another effort would not mend."""


def without_effort(payload: Any, request: ModelRequest) -> ModelRequest | None:
    """Return the request without what it says of effort where a server refused that, None where that is not
    it.
    """
    said = "" if payload is None else str(payload)[:4000]
    if not (re.search(_BLAMED, said, re.I) and re.search(_REFUSED, said, re.I)):
        return None
    if re.search(_HISTORY, said, re.I):
        return None
    for effort in ("", UNASKED) if not re.search(_WHOLE, said, re.I) else (UNASKED,):
        less = msgspec.structs.replace(request, effort=effort)
        if request.effort != UNASKED and _body(less) != _body(request):
            return less
    return None


def lost(refused: ModelRequest, taken: ModelRequest) -> str:
    """Return the effort that had to be left out, "" for none."""
    if taken.effort == UNASKED != refused.effort:
        return UNASKED
    return refused.effort if taken.effort == "" else ""


def left(request: ModelRequest, refused: frozenset[str]) -> ModelRequest:
    """Return the request without an effort that its model is known to refuse."""
    if UNASKED in refused:
        return msgspec.structs.replace(request, effort=UNASKED)
    return msgspec.structs.replace(request, effort="") if request.effort in refused else request


def _body(request: ModelRequest) -> dict[str, Any]:
    return wire_of(wire_for(request.profile, request.model)).body(request)

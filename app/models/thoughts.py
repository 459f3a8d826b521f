"""Leaves reasoning out of a request, for wires whose reasoning is bound to an account or to what stood before
it.
"""

from __future__ import annotations

from collections.abc import Container

import msgspec

from app.models.request import ModelRequest
from app.records import Message


def without_thoughts(request: ModelRequest, field: str, kinds: Container[str]) -> ModelRequest | None:
    """Return the request without the entries of these kinds that its answers keep under `field` of their
    `extra`; the order of the rest stays. None where there are none.
    """
    messages = tuple(_forgetting(message, field, kinds) for message in request.messages)
    return None if messages == request.messages else msgspec.structs.replace(request, messages=messages)


def _forgetting(message: Message, field: str, kinds: Container[str]) -> Message:
    layout = message.extra.get(field)
    if not isinstance(layout, list):
        return message
    kept = [entry for entry in layout if not (isinstance(entry, dict) and entry.get("type") in kinds)]
    return msgspec.structs.replace(message, extra={**message.extra, field: kept})

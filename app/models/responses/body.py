"""The JSON body of a Responses request, the same bytes for the same conversation.

`input` comes after everything that stays, so that the body of a longer conversation begins with the bytes of
the shorter one; only what may differ in one request (`tool_choice`) stands behind it. Nothing is stored at
the provider: what a later request needs goes along with it (facts: providers 1.3).
"""

from __future__ import annotations

from typing import Any

from app.models.profile import Quirks
from app.models.profiles import model_data, quirks_of
from app.models.request import UNASKED, ModelRequest, ToolSchema
from app.models.responses.items import input_items
from app.models.responses.search import function, stands_for_search, tool_search

LEAST_OUTPUT = 16
"""The smallest limit of output that OpenAI takes here."""
ENCRYPTED = "reasoning.encrypted_content"


def responses_body(request: ModelRequest) -> dict[str, Any]:
    """Return the body as a dict in the order in which it is sent."""
    quirks = quirks_of(request.profile, request.model)
    body: dict[str, Any] = {"model": request.model, "stream": True, "store": False}
    body.update(request.profile.body)
    if quirks.encrypted and _may_reason(request):
        body["include"] = [ENCRYPTED]
    if request.max_output:
        body["max_output_tokens"] = max(LEAST_OUTPUT, request.max_output)
    if reasoning := _reasoning(request, quirks):
        body["reasoning"] = reasoning
    if quirks.cache_key and request.session:
        body["prompt_cache_key"] = request.session
    if request.system:
        body["instructions"] = request.system
    if request.tools:
        body["tools"] = [_tool(tool, request) for tool in request.tools]
    body["input"] = input_items(request)
    if request.tools and request.tool_choice == "none":
        body["tool_choice"] = "none"
    return body


def _may_reason(request: ModelRequest) -> bool:
    """Whether the model reasons, or nothing is known of it; others refuse what concerns reasoning."""
    abilities = model_data(request.profile, request.model).abilities
    return not abilities or "reasoning" in abilities


def _reasoning(request: ModelRequest, quirks: Quirks) -> dict[str, Any]:
    """Return how hard the model is to think, and whether it tells what it thought."""
    if not quirks.effort or not _may_reason(request) or request.effort == UNASKED:
        return {}
    word = quirks.efforts.get(request.effort, request.effort)
    summary = quirks.summary if request.effort != "off" else ""
    return {**({"effort": word} if word else {}), **({"summary": summary} if summary else {})}


def _tool(tool: ToolSchema, request: ModelRequest) -> dict[str, Any]:
    if stands_for_search(tool.name, request):
        return tool_search(tool)
    return function(tool, request.profile.tool_fields)

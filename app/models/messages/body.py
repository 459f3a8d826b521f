"""The JSON body of a Messages request, the same bytes for the same conversation but for its cache marks.

`messages` come after everything that stays, as on the other wires; marks slide (`marks`), so bodies are
compared without them.
"""

from __future__ import annotations

from typing import Any

from app.models.messages.history import history, thinks_on
from app.models.messages.marks import mark
from app.models.messages.schemas import taken
from app.models.profile import Quirks
from app.models.profiles import model_data, quirks_of
from app.models.request import UNASKED, ModelRequest, ToolSchema
from app.models.sending import canonical
from app.models.window import window

OUTPUT = 32_000
"""Tokens of answer that are asked for where nothing is known of the model; the wire wants a number."""
LEAST = 1_024
"""The smallest thinking budget, and what is left for the answer beside it."""
BUDGETS = {"low": 4_096, "medium": 12_288, "high": 32_768}
"""Tokens of thinking for our words of effort, for models that take a budget."""


def messages_body(request: ModelRequest) -> dict[str, Any]:
    """Return the body as a dict in the order in which it is sent."""
    quirks = quirks_of(request.profile, request.model)
    most = _max_tokens(request)
    body: dict[str, Any] = {"model": request.model, "stream": True, **request.profile.body}
    body["max_tokens"] = most
    body.update(_thinking(request, quirks, most))
    tools = [_tool(tool, request.profile.tool_fields) for tool in request.tools]
    deferred = [
        {**_tool(tool, request.profile.tool_fields), "defer_loading": True} for tool in request.deferred
    ]
    if tools or deferred:
        body["tools"] = [*tools, *deferred]
    system = [{"type": "text", "text": request.system}] if request.system.strip() else []
    if system:
        body["system"] = system
    body["messages"], before = history(request)
    if quirks.cache_marks:
        mark(tools, system, body["messages"], before)
    if request.tools and request.tool_choice == "none":
        body["tool_choice"] = {"type": "none"}
    return body


def _max_tokens(request: ModelRequest) -> int:
    known = request.max_output or model_data(request.profile, request.model).max_output
    return known or min(OUTPUT, max(LEAST, window(request.profile, request.model) // 4))


def _tool(tool: ToolSchema, fields: dict[str, Any]) -> dict[str, Any]:
    return {
        "name": tool.name,
        "description": tool.description,
        "input_schema": canonical(taken(tool.parameters)),
        **fields,
    }


def _thinking(request: ModelRequest, quirks: Quirks, most: int) -> dict[str, Any]:
    """Return the fields that ask for effort: a budget of tokens, or a word beside adaptive thinking."""
    effort = request.effort
    if quirks.effort == "budget":
        budget = min(BUDGETS.get(effort, 0), most - LEAST)
        if budget < LEAST or not thinks_on(request):
            return {}
        return {"thinking": {"type": "enabled", "budget_tokens": budget}}
    if quirks.effort != "adaptive" or effort == UNASKED:
        return {}
    if effort == "off" and quirks.thinking_off:
        return {"thinking": {"type": quirks.thinking_off}}
    word = quirks.efforts.get(effort, "low" if effort == "off" else effort)
    return {
        "thinking": {"type": "adaptive", **quirks.thinking},
        **({"output_config": {"effort": word}} if word else {}),
    }

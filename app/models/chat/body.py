"""The JSON body of a Chat Completions request, the same bytes for the same conversation.

`messages` come after everything that stays, so that the body of a longer conversation begins with the bytes
of the shorter one; only what may differ in one request (`tool_choice`) stands behind them.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from app.models.chat.ids import mapped_ids
from app.models.profile import Quirks
from app.models.profiles import quirks_of
from app.models.request import UNASKED, ModelRequest, ToolSchema
from app.models.sending import NO_OUTPUT, call_ids, canonical, plain_name, sound, spoken
from app.models.sights import Shown, Sight, caption, shown
from app.records import Message, ToolCall

FRESH_RESULT = 3_000
"""Characters of one result that a small model's fresh request holds; its window is small."""
BETWEEN = "(tool results received)"
_MARK = {"type": "ephemeral"}


def chat_body(request: ModelRequest) -> dict[str, Any]:
    """Return the body as a dict in the order in which it is sent."""
    quirks = quirks_of(request.profile, request.model)
    fresh = quirks.small_local and request.tool_choice == "none"
    body: dict[str, Any] = {"model": request.model, "stream": True}
    if quirks.stream_options:
        body["stream_options"] = {"include_usage": True}
    body.update(request.profile.body)
    if request.max_output:
        body[quirks.max_tokens_field] = request.max_output
    body.update(_effort(request.effort, quirks))
    if request.tools and not fresh and quirks.effort_with_tools and request.effort != UNASKED:
        body["reasoning_effort"] = quirks.effort_with_tools
    if quirks.cache_key and request.session:
        body["prompt_cache_key"] = request.session
    has_calls = any(message.calls for message in request.messages)
    if not fresh and (request.tools or (quirks.empty_tools and has_calls)):
        body["tools"] = [_tool(tool, request.profile.tool_fields) for tool in request.tools]
    body["messages"] = _fresh_messages(request) if fresh else _messages(request, quirks)
    if request.tools and request.tool_choice == "none" and not fresh:
        body["tool_choice"] = "none"
    return body


def _effort(effort: str, quirks: Quirks) -> dict[str, Any]:
    word = quirks.efforts.get(effort, effort)
    if not word or not quirks.effort or effort == UNASKED:
        return {}
    if quirks.effort == "reasoning_effort":
        return {"reasoning_effort": word}
    if quirks.effort == "reasoning":
        return {"reasoning": {"enabled": False} if effort == "off" else {"effort": word}}
    if effort == "off":
        return {"thinking": {"type": "disabled"}}
    return {
        "thinking": {"type": "enabled"},
        **({"reasoning_effort": word} if effort in quirks.efforts else {}),
    }


def _tool(tool: ToolSchema, fields: dict[str, Any]) -> dict[str, Any]:
    function = {
        "name": tool.name,
        "description": tool.description,
        "parameters": canonical(tool.parameters),
        **fields,
    }
    return {"type": "function", "function": function}


def _system(text: str, quirks: Quirks) -> list[dict[str, Any]]:
    return [{"role": quirks.system_role, "content": text}] if text else []


def _fresh_messages(request: ModelRequest) -> list[dict[str, Any]]:
    """The question and what was found, as a conversation without calls: small models answer this, and call
    again otherwise.

    Measured with 0.5B and 1.5B models (facts: voice 7).
    """
    question = next((message for message in reversed(request.messages) if message.role == "user"), None)
    after = request.messages[request.messages.index(question) + 1 :] if question else request.messages
    found = [
        f"{message.tool} {message.subject}".rstrip() + f": {(message.text or NO_OUTPUT)[:FRESH_RESULT]}"
        for message in after
        if message.role == "tool" and message.summary != "not run"
    ]
    text = f'I asked: "{question.text}"' if question else ""
    if found:
        text += "\nYou used your tools, and they said:\n" + "\n".join(found)
        text += "\nTell me the outcome in one or two sentences."
    return [*_system(request.system, Quirks()), {"role": "user", "content": text}]


def _messages(request: ModelRequest, quirks: Quirks) -> list[dict[str, Any]]:
    ids = mapped_ids(call_ids(request.messages), quirks.call_ids)
    name = f"{request.profile.name}/{request.model}"
    sent = _system(request.system, quirks)
    declared: dict[str, str] = {}
    seen: list[dict[str, Any]] = []
    """Parts of the pictures of the results since the last answer: they follow all of these, since nothing may
    stand between results."""
    for message in request.messages:
        declared.update((call.id, call.name) for call in message.calls)
        pictures = shown(message, request)
        if message.role == "tool":
            tool = declared.get(message.call, message.tool)
            sent.append(_result(message, ids, quirks, tool, pictures.beside(message.text)))
            seen += _parts(caption(plain_name(tool)), pictures.sights)
            continue
        sent += _seen(seen, sent, quirks)
        seen = []
        if message.role == "user":
            sent += _between(sent, quirks)
            sent.append({"role": "user", "content": _person(message, pictures)})
        elif message.text.strip() or message.calls:  # some refuse an assistant message that holds neither
            sent.append(_answer(message, ids, quirks, own=message.model in (name, "")))
    sent += _seen(seen, sent, quirks)
    if quirks.cache_marks:
        _mark(sent)
    return sent


def _person(message: Message, pictures: Shown) -> str | list[dict[str, Any]]:
    """Return plain text, and parts only where there are pictures (facts: providers 1.2, number 28)."""
    text = pictures.beside(spoken(message))
    return _parts(text, pictures.sights) or text


def _parts(text: str, sights: Iterable[Sight]) -> list[dict[str, Any]]:
    """Return words and pictures as content parts, none where there is no picture."""
    pictures = [{"type": "image_url", "image_url": {"url": sight.url}} for sight in sights]
    return [*([{"type": "text", "text": text}] if text else []), *pictures] if pictures else []


def _seen(parts: list[dict[str, Any]], sent: list[dict[str, Any]], quirks: Quirks) -> list[dict[str, Any]]:
    """Return the message that shows what results brought, since a result itself is text on this wire."""
    return [*_between(sent, quirks), {"role": "user", "content": parts}] if parts else []


def _between(sent: list[dict[str, Any]], quirks: Quirks) -> list[dict[str, Any]]:
    """Return the message that a server wants between a result and a person's message."""
    wanted = quirks.assistant_after_tool and sent and sent[-1]["role"] == "tool"
    return [{"role": "assistant", "content": BETWEEN}] if wanted else []


def _result(message: Message, ids: dict[str, str], quirks: Quirks, name: str, text: str) -> dict[str, Any]:
    """A result under the name that its call had, which is not the tool's own where use_tool stood between."""
    result = {"role": "tool", "tool_call_id": ids[message.call], "content": text or NO_OUTPUT}
    return {**result, "name": plain_name(name)} if quirks.tool_name else result


def _answer(message: Message, ids: dict[str, str], quirks: Quirks, *, own: bool) -> dict[str, Any]:
    """An assistant message: plain text (part arrays get imitated), its calls, and what must go back to its
    own model.
    """
    empty = None if quirks.null_content else ""
    answer: dict[str, Any] = {"role": "assistant", "content": message.text if message.text.strip() else empty}
    if message.calls:
        answer["tool_calls"] = [_call(call, ids, quirks, own=own) for call in message.calls]
    elif quirks.echo_only_with_calls:
        return answer
    if own:
        answer.update({field: message.extra[field] for field in quirks.echo if field in message.extra})
    parts = message.extra.get("content_parts")
    if own and parts and "content_parts" in quirks.echo:
        del answer["content_parts"]
        answer["content"] = [*parts, *([{"type": "text", "text": message.text}] if message.text else [])]
    if message.calls and quirks.reasoning_required:
        answer.setdefault("reasoning_content", message.reasoning)
    if message.calls and quirks.text_or_reasoning and message.text.strip():
        for field in quirks.echo:
            answer.pop(field, None)
    return answer


def _call(call: ToolCall, ids: dict[str, str], quirks: Quirks, *, own: bool) -> dict[str, Any]:
    extra = call.extra if own and quirks.echo_calls else {}
    function = {
        "name": plain_name(call.name),
        "arguments": sound(call.arguments),
        **extra.get("function", {}),
    }
    sent = {"id": ids[call.id], "type": "function", "function": function}
    return {
        **sent,
        **{name: value for name, value in extra.items() if name != "function"},
        **({} if own else quirks.foreign_call),
    }


def _mark(sent: list[dict[str, Any]]) -> None:
    """Put cache marks on the system text and, sliding, on the last two messages of person and tools (at most
    four are allowed).
    """
    marked = sent[:1] if sent and sent[0]["role"] in ("system", "developer") else []
    marked += [message for message in sent if message["role"] in ("user", "tool")][-2:]
    for message in marked:
        content = message["content"]
        parts = content if isinstance(content, list) else [{"type": "text", "text": content}]
        message["content"] = [*parts[:-1], {**parts[-1], "cache_control": _MARK}]

"""What a Responses server sends: events one by one, and scripts for whole answers."""

from __future__ import annotations

import json
from typing import Any

from tests.servers.scripted import Exchange, Script

BLOB = "gAAAA-not-for-eyes"


def usage(answered: int = 5, asked: int = 10, **details: int) -> dict[str, Any]:
    """Counts of tokens: `cached`, `written` and `reasoning` are the details."""
    return {
        "input_tokens": asked,
        "input_tokens_details": {
            "cached_tokens": details.get("cached", 0),
            "cache_write_tokens": details.get("written", 0),
        },
        "output_tokens": answered,
        "output_tokens_details": {"reasoning_tokens": details.get("reasoning", 0)},
        "total_tokens": asked + answered,
    }


def response(status: str, *output: dict[str, Any], **fields: Any) -> dict[str, Any]:
    """A response object."""
    return {
        "id": "resp_1",
        "object": "response",
        "created_at": 1,
        "model": "test-model-2026",
        "status": status,
        "output": list(output),
        "usage": usage() if status in ("completed", "incomplete") else None,
        **fields,
    }


def event(kind: str, **fields: Any) -> dict[str, Any]:
    """One event; `kind` stands without its "response."."""
    return {"type": f"response.{kind}", **fields}


def ends(*output: dict[str, Any], **fields: Any) -> dict[str, Any]:
    """The last event of an answer that is whole."""
    return event("completed", response=response("completed", *output, **fields))


def message(text: str, **fields: Any) -> dict[str, Any]:
    """A message that is done."""
    part = {"type": "output_text", "text": text, "annotations": []}
    return {"type": "message", "id": "msg_x", "role": "assistant", "status": "completed",
            "content": [part], **fields}  # fmt: skip


def called(id_: str, name: str, arguments: Any, **fields: Any) -> dict[str, Any]:
    """A call that is done; `arguments` is its text, or a value for JSON."""
    text = arguments if isinstance(arguments, str) else json.dumps(arguments)
    return {"type": "function_call", "id": f"fc_{id_}", "call_id": id_, "name": name,
            "arguments": text, "status": "completed", **fields}  # fmt: skip


def thought(*summary: str, blob: str = BLOB) -> dict[str, Any]:
    """Reasoning that is done."""
    texts = [{"type": "summary_text", "text": text} for text in summary]
    return {"type": "reasoning", "id": "rs_1", "summary": texts, "encrypted_content": blob}


def arrives(index: int, item: dict[str, Any]) -> list[dict[str, Any]]:
    """All events of one item, as OpenAI sends them; each carries another item id, as Copilot's do."""
    begun = {key: value for key, value in item.items() if key not in ("content", "encrypted_content")}
    begun.update({"id": f"opaque-{index}-0", "status": "in_progress"})
    place = {"output_index": index, "item_id": f"opaque-{index}-1"}
    events: list[dict[str, Any]] = []
    if item["type"] == "function_call":
        begun["arguments"] = ""
        text = item["arguments"]
        events = [event("function_call_arguments.delta", delta=text[at : at + 3], **place)
                  for at in range(0, len(text), 3)]  # fmt: skip
        events.append(event("function_call_arguments.done", arguments=text, **place))
    elif item["type"] == "message":
        begun["content"] = []
        for number, part in enumerate(item["content"]):
            events += _part(number, part, place)
    elif item["type"] == "reasoning":
        begun.update({"summary": [], "encrypted_content": "unfinished"})
        for number, part in enumerate(item["summary"]):
            at = {"summary_index": number, **place}
            events.append(event("reasoning_summary_part.added", part={"type": "summary_text"}, **at))
            events.append(event("reasoning_summary_text.delta", delta=part["text"], **at))
            events.append(event("reasoning_summary_text.done", text=part["text"], **at))
            events.append(event("reasoning_summary_part.done", part=part, **at))
    last = {**item, "id": f"opaque-{index}-2"}
    return [
        event("output_item.added", output_index=index, item=begun),
        *events,
        event("output_item.done", output_index=index, item=last),
    ]


def _part(number: int, part: dict[str, Any], place: dict[str, Any]) -> list[dict[str, Any]]:
    name = "refusal" if part["type"] == "refusal" else "text"
    kind = "refusal" if name == "refusal" else "output_text"
    at = {"content_index": number, **place}
    half = len(part[name]) // 2
    return [
        event("content_part.added", part={**part, name: ""}, **at),
        event(f"{kind}.delta", delta=part[name][:half], **at),
        event(f"{kind}.delta", delta=part[name][half:], **at),
        event(f"{kind}.done", **{name: part[name]}, **at),
        event("content_part.done", part=part, **at),
    ]


def streams(*payloads: Any) -> Script:
    """A script that sends events by name, as this wire does; there is no `[DONE]`."""

    async def script(exchange: Exchange) -> None:
        await exchange.head()
        for number, payload in enumerate(payloads):
            text = json.dumps({"sequence_number": number, **payload})
            await exchange.send(f"event: {payload['type']}\ndata: {text}\n\n".encode())
        await exchange.end()

    return script


def answers(*output: dict[str, Any], **fields: Any) -> Script:
    """A script that streams a whole answer of these items."""
    begun = event("created", response=response("in_progress"))
    events = [one for index, item in enumerate(output) for one in arrives(index, item)]
    return streams(begun, event("in_progress", response=response("in_progress")), *events,
                   ends(*output, **fields))  # fmt: skip


def says(text: str) -> Script:
    """A script that answers with plain text."""
    return answers(message(text))


def calls(*made: tuple[str, dict[str, Any]]) -> Script:
    """A script that thinks and calls tools, side by side, with ids call_N_I for request N. It does so in the
    ways of a model whose request offers the search of this wire: find_tools is that search, and a call of a
    tool that it found carries its namespace.
    """

    async def script(exchange: Exchange) -> None:
        body = exchange.request.json
        searches = any(tool["type"] == "tool_search" for tool in body["tools"])
        found = [item["tools"] for item in body["input"] if item["type"] == "tool_search_output"]
        loaded = {tool["name"] for tools in found for tool in tools}
        items = [thought("Hm.")]
        for at, (name, arguments) in enumerate(made):
            id_ = f"call_{exchange.number}_{at}"
            if searches and name == "find_tools":
                search = {"type": "tool_search_call", "call_id": id_, "execution": "client"}
                items.append({**search, "id": f"ts_{id_}", "status": "completed", "arguments": arguments})
            else:
                items.append(called(id_, name, arguments, **({"namespace": name} if name in loaded else {})))
        await answers(*items)(exchange)

    return script

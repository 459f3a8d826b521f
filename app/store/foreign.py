"""Read the conversations.json of ChatGPT's and Claude's data exports (forms as of autumn 2026) into our
records.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from app.platform.ids import new_id
from app.records import Message, Role, SessionInfo
from app.store.incoming import Conversation, fresh_ids, in_order, moment


def conversations(data: Any) -> Iterator[Conversation]:
    """Yield the conversations of a decoded export. Raises ValueError for another form."""
    for one in data if isinstance(data, list) else [data]:
        if not isinstance(one, dict):
            raise ValueError("it is neither a conversation nor a list of them")
        if isinstance(one.get("mapping"), dict):
            yield _chatgpt(one)
        elif isinstance(one.get("chat_messages"), list):
            yield _claude(one)
        else:
            raise ValueError("it is of an unknown form")


def _chatgpt(one: dict[str, Any]) -> Conversation:
    """A tree: nodes by id with parent and message; hidden and system nodes are passed over."""
    nodes: dict[str, Any] = one["mapping"]
    ids = dict(zip(nodes, fresh_ids(len(nodes)), strict=True))
    session, begun = new_id(), _time(one.get("create_time"), 0.0)

    def kept_above(node: str | None) -> str | None:
        passed: set[str] = set()
        while node is not None and node in nodes and node not in passed:
            if _chatgpt_text(nodes[node].get("message")):
                return ids[node]
            passed.add(node)
            node = nodes[node].get("parent")
        return None

    found = [
        _chatgpt_message(ids[name], session, kept_above(node.get("parent")), node["message"], begun)
        for name, node in nodes.items()
        if _chatgpt_text(node.get("message"))
    ]
    return _conversation(
        session, str(one.get("title") or ""), begun, found, kept_above(one.get("current_node"))
    )


def _chatgpt_message(
    one: str, session: str, parent: str | None, message: dict[str, Any], begun: float
) -> Message:
    slug = (message.get("metadata") or {}).get("model_slug") or ""
    role: Role = "user" if message["author"]["role"] == "user" else "assistant"
    return Message(
        id=one,
        session=session,
        parent=parent,
        turn="",
        role=role,
        created=_time(message.get("create_time"), begun),
        text=_chatgpt_text(message),
        model=f"openai/{slug}" if slug and role == "assistant" else "",
    )


def _chatgpt_text(message: dict[str, Any] | None) -> str:
    """Return what a person saw of the node, "" for nodes that were not shown."""
    if not message or message.get("author", {}).get("role") not in ("user", "assistant", "tool"):
        return ""
    if (message.get("metadata") or {}).get("is_visually_hidden_from_conversation"):
        return ""
    content = message.get("content") or {}
    parts = content.get("parts")
    if isinstance(parts, list):
        return "\n".join(_chatgpt_part(part) for part in parts).strip()
    text = content.get("text") or content.get("result") or ""
    if not isinstance(text, str) or not text.strip():
        return ""
    code = content.get("content_type") in ("code", "execution_output")
    return f"```\n{text}\n```" if code else text


def _chatgpt_part(part: Any) -> str:
    if isinstance(part, str):
        return part
    if isinstance(part, dict):
        return str(part.get("text") or f"[{str(part.get('content_type') or 'attachment').replace('_', ' ')}]")
    return ""


def _claude(one: dict[str, Any]) -> Conversation:
    """A flat list in time; newer exports name each message's parent, older ones have one branch."""
    rows: list[dict[str, Any]] = one["chat_messages"]
    ids = dict(zip((str(row["uuid"]) for row in rows), fresh_ids(len(rows)), strict=False))
    session, begun = new_id(), _time(one.get("created_at"), 0.0)
    model = str(one.get("model") or "")
    found: list[Message] = []
    for row in rows:
        before = found[-1].id if found else None
        above = ids.get(str(row["parent_message_uuid"])) if row.get("parent_message_uuid") else before
        text, reasoning = _claude_text(row)
        role: Role = "user" if row.get("sender") == "human" else "assistant"
        found.append(
            Message(
                id=ids[str(row["uuid"])],
                session=session,
                parent=above,
                turn="",
                role=role,
                created=_time(row.get("created_at"), begun),
                text=text,
                reasoning=reasoning,
                model=f"anthropic/{model}" if model and role == "assistant" else "",
            )
        )
    leaf = ids.get(str(one.get("current_leaf_message_uuid") or ""))
    return _conversation(
        session, str(one.get("name") or ""), begun, found, leaf or (found[-1].id if found else None)
    )


def _claude_text(row: dict[str, Any]) -> tuple[str, str]:
    """Return text and reasoning of a message, with what was attached as text."""
    blocks = [block for block in row.get("content") or [] if isinstance(block, dict)]
    texts = [str(block.get("text") or "") for block in blocks if block.get("type") == "text"]
    thoughts = [str(block.get("thinking") or "") for block in blocks if block.get("type") == "thinking"]
    text = "\n\n".join(part for part in texts if part) or str(row.get("text") or "")
    for file in row.get("attachments") or []:
        if isinstance(file, dict) and file.get("extracted_content"):
            text += f"\n\n[{file.get('file_name') or 'attachment'}]\n{file['extracted_content']}"
    return text, "\n\n".join(part for part in thoughts if part)


def _conversation(
    session: str, title: str, begun: float, found: list[Message], head: str | None
) -> Conversation:
    ordered = in_order(found)
    updated = max((message.created for message in ordered), default=begun)
    info = SessionInfo(id=session, title=title, cwd="", created=begun or updated, updated=updated)
    return Conversation(info, ordered, head)


def _time(value: Any, otherwise: float) -> float:
    """Return unix seconds of a number or an ISO time."""
    if isinstance(value, int | float):
        return moment(value, otherwise)
    if isinstance(value, str):
        try:
            return moment(datetime.fromisoformat(value.replace("Z", "+00:00")).timestamp(), otherwise)
        except (ValueError, OverflowError):
            return otherwise
    return otherwise

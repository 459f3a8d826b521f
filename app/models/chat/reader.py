"""Reads the stream of a Chat Completions answer: chunks in, model events out, the whole reply at the end."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from app.models.chat.calls import CallAssembly
from app.models.chat.extras import KEPT_NAMES, REASONING_NAMES, merge_fields
from app.models.chat.usage import counted, find_usage, read_usage
from app.models.refusal import Asked, from_payload
from app.models.request import CallPart, Finish, ModelEvent, Reasoning, Reply, Text
from app.models.sse import ServerEvent
from app.models.text import Halves, decoded, mend_all
from app.records import ToolCall, Usage

_FINISHES: dict[str, Finish] = {
    "length": "length",
    "max_tokens": "length",
    "model_length": "length",
    "model_context_window_exceeded": "length",
    "content_filter": "refused",
    "safety": "refused",
    "refusal": "refused",
    "prohibited_content": "refused",
}
"""Everything else that a server says ("stop", "end", "eos", "tool_call", ...) is a plain end."""

_FAILURES = ("error", "network_error", "insufficient_system_resource")
"""Finish reasons that mean the server gave up."""


MOST_CALLS = 1_000
"""Calls of one answer; a turn runs sixty of them."""


class ChatReader:
    """Takes the events of one answer."""

    def __init__(
        self,
        asked: Asked,
        *,
        taken_ids: tuple[str, ...],
        new_id: Callable[[], str],
        characters: int,
        rescue: Callable[[Any], Reply | None] = lambda payload: None,
        text_calls: Callable[[str], tuple[tuple[ToolCall, ...], str]] | None = None,
    ) -> None:
        self.finished = False
        """A finish reason was seen; usage may still come."""
        self.done = False
        """`[DONE]` was seen: nothing more comes."""
        self.usage: Usage | None = None
        self._asked = asked
        self._taken = taken_ids
        self._new_id = new_id
        self._characters = characters
        self._rescue = rescue
        self._text_calls = text_calls
        self._rescued: Reply | None = None
        self._text: list[str] = []
        self._reasoning: list[str] = []
        self._halves = Halves()
        self._thought_halves = Halves()
        self._calls = CallAssembly()
        self._extra: dict[str, Any] = {}
        self._reasoning_name = ""
        self._finish: Finish = "stop"
        self._refused = False
        self._model = ""

    def take(self, event: ServerEvent) -> list[ModelEvent]:
        """Return what one event brings. Raises ModelError for an error event and for what is no chunk."""
        data = event.data.strip()
        if data == "[DONE]":
            self.done = True
            return []
        if not data:
            return []
        return self.take_chunk(self._decode(data), failed=event.name == "error", counts='"usage"' in data)

    def _decode(self, data: str) -> Any:
        try:
            return decoded(data)
        except ValueError as error:
            raise self._asked.error("bad_reply", "A piece is no JSON.", data[:1000]) from error

    def take_whole(self, payload: Any) -> list[ModelEvent]:
        """Return what an answer brings that was not streamed. Raises ModelError."""
        if isinstance(payload, dict) and not payload.get("error") and "choices" not in payload:
            raise self._asked.foreign(payload)
        events = self.take_chunk(payload)
        if not self.finished and isinstance(payload, dict) and payload.get("choices"):
            self.done = True
        return events

    def take_chunk(self, chunk: Any, *, failed: bool = False, counts: bool = True) -> list[ModelEvent]:
        """Return what one chunk brings; `counts`: look for usage in it. Raises ModelError."""
        if not isinstance(chunk, dict):
            raise self._asked.error("bad_reply", "A piece is no object.")
        if chunk.get("error") or failed:
            self._rescued = self._rescue(chunk)
            if self._rescued is None:
                raise from_payload(chunk, self._asked)
            self.finished = self.done = True
            return []
        if counts and (usage := find_usage(chunk)):
            self.usage = counted(read_usage(usage)) or self.usage
        if isinstance(model := chunk.get("model"), str):
            self._model = model
        events: list[ModelEvent] = []
        choices = chunk.get("choices")
        for number, choice in enumerate(choices if isinstance(choices, list) else ()):
            if isinstance(choice, dict):
                self._choice(number, choice, events)
        return events

    def _choice(self, number: int, choice: dict[str, Any], events: list[ModelEvent]) -> None:
        """Take one choice; all choices are one message (Copilot splits text and calls over several)."""
        if choice.get("error"):
            raise from_payload(choice, self._asked)
        index = choice.get("index")
        delta = choice.get("delta", choice.get("message"))
        if isinstance(delta, dict):
            self._delta(index if isinstance(index, int) else number, delta, events)
        reason = choice.get("finish_reason")
        if isinstance(reason, str) and reason:
            if reason.lower() in _FAILURES:
                raise from_payload({"error": f"finish_reason {reason}"}, self._asked)
            self.finished = True
            found = _FINISHES.get(reason.lower(), "stop")
            self._finish = found if found != "stop" else self._finish

    def _delta(self, choice: int, delta: dict[str, Any], events: list[ModelEvent]) -> None:
        kept = {name: value for name, value in delta.items() if name in KEPT_NAMES and value is not None}
        if kept:
            merge_fields(self._extra, kept)
            self._reason(kept, events)
        content = delta.get("content")
        if isinstance(content, list):
            content = self._parts(content, events)
        if isinstance(content, str) and content:
            self._say(content, events)
        if isinstance(refusal := delta.get("refusal"), str) and refusal:
            self._refused = True
            self._say(refusal, events)
        pieces = delta.get("tool_calls")
        if isinstance(old := delta.get("function_call"), dict):  # the form before tools
            pieces = [{"index": 0, "function": old}]
        for piece in pieces if isinstance(pieces, list) else ():
            if isinstance(piece, dict):
                self._piece(choice, piece, events)

    def _piece(self, choice: int, piece: dict[str, Any], events: list[ModelEvent]) -> None:
        number = self._calls.add(piece, choice)
        call = self._calls.calls[number]
        self._count((call.name if not call.size else call.pieces[-1]) or " ")
        if number >= MOST_CALLS:
            raise self._asked.error("endless", "The calls do not end.")
        if call.name:
            events.append(CallPart(index=number, name=call.name, size=call.size))

    def _reason(self, kept: dict[str, Any], events: list[ModelEvent]) -> None:
        """Show reasoning from the first name that brings any; a second copy under another name is not
        shown.
        """
        for name in REASONING_NAMES:
            text = kept.get(name)
            if isinstance(text, str) and text and self._reasoning_name in ("", name):
                self._reasoning_name = name
                self._think(text, events)

    def _parts(self, parts: list[Any], events: list[ModelEvent]) -> str:
        """Return the text of content parts; thinking parts are shown as reasoning and kept."""
        text = ""
        for part in parts:
            if not isinstance(part, dict):
                continue
            if part.get("type") in ("text", "output_text"):
                text += part["text"] if isinstance(part.get("text"), str) else ""
                continue
            merge_fields(self._extra, {"content_parts": [part]})
            thought = part.get("thinking")
            if isinstance(thought, list):  # Mistral nests text parts
                thought = "".join(
                    p["text"] for p in thought if isinstance(p, dict) and isinstance(p.get("text"), str)
                )
            if isinstance(thought, str) and thought:
                self._think(thought, events)
        return text

    def _say(self, text: str, events: list[ModelEvent]) -> None:
        self._count(text)
        if text := self._halves.feed(text):
            self._text.append(text)
            events.append(Text(text=text))

    def _think(self, text: str, events: list[ModelEvent]) -> None:
        self._count(text)
        if text := self._thought_halves.feed(text):
            self._reasoning.append(text)
            events.append(Reasoning(text=text))

    def _count(self, text: str) -> None:
        self._characters -= len(text)
        if self._characters < 0:
            raise self._asked.error("endless", "The answer does not end.")

    def reply(self) -> Reply:
        """Return the whole answer. Raises ModelError cut_stream when it has not ended; a half call is never
        given out.
        """
        if self._rescued is not None:
            return self._rescued
        text, reasoning = "".join(self._text), "".join(self._reasoning)
        anything = bool(text or reasoning or self._calls.calls)
        if not self.finished and not (self.done and anything):
            raise self._asked.error("cut_stream", "The answer broke off before its end.")
        calls = self._calls.finish(self._new_id, self._taken, cut=self._finish != "stop" or not self.finished)
        if not self.finished and len(calls) < len(self._calls.calls):
            raise self._asked.error("cut_stream", "The answer broke off in a call.")
        if self._text_calls is not None and not calls and self._finish == "stop":
            calls, text = self._text_calls(text)
        finish: Finish = "refused" if self._refused else self._finish
        return Reply(
            text=text,
            reasoning=reasoning,
            calls=calls,
            extra=mend_all(self._extra),
            finish="calls" if calls else finish,
            usage=self.usage or Usage(exact=False),
            model=self._model,
        )

"""Reads the stream of a Messages answer: events in, model events out, the whole reply at the end."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from app.errors import ModelError
from app.models.messages.answer_blocks import AnswerBlocks
from app.models.messages.usage import Counts
from app.models.refusal import Asked, ErrorEvent, from_payload
from app.models.request import Finish, ModelEvent, Reply
from app.models.sse import ServerEvent
from app.models.text import decoded, mend_all

_FINISHES: dict[str, Finish] = {
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "refusal": "refused",
    "pause_turn": "paused",
}
"""Everything else (end_turn, stop_sequence, tool_use, ...) is a plain end."""

_PASSING = ("overloaded_error", "api_error", "timeout_error")
"""Errors inside a stream that have nothing to do with the request, which is sent again."""


class MessagesReader:
    """Takes the events of one answer."""

    def __init__(
        self, asked: Asked, *, taken_ids: Iterable[str], new_id: Callable[[], str], characters: int
    ) -> None:
        self.finished = False
        """A stop reason was seen."""
        self.done = False
        """`message_stop` was seen: nothing more comes."""
        self._asked = asked
        self._taken = taken_ids
        self._new_id = new_id
        self._blocks = AnswerBlocks(asked, characters)
        self._counts = Counts()
        self._finish: Finish = "stop"
        self._model = ""

    def take(self, event: ServerEvent) -> list[ModelEvent]:
        """Return what one event brings; kinds that nobody knows bring nothing. Raises ModelError."""
        data = event.data.strip()
        if not data:
            return []
        if data == "[DONE]":  # some servers end every stream so
            self.done = True
            return []
        payload = self._decode(data)
        if not isinstance(payload, dict):
            raise self._asked.error("bad_reply", "A piece is no object.")
        return self._event(payload.get("type") or event.name, payload)

    def _decode(self, data: str) -> Any:
        try:
            return decoded(data)
        except ValueError as error:
            raise self._asked.error("bad_reply", "A piece is no JSON.", data[:1000]) from error

    def _event(self, kind: Any, payload: dict[str, Any]) -> list[ModelEvent]:
        match kind:
            case "message_start":
                self._begin(payload.get("message"))
            case "content_block_start":
                return self._blocks.start(payload.get("index"), payload.get("content_block"))
            case "content_block_delta":
                return self._blocks.grow(payload.get("index"), payload.get("delta"))
            case "content_block_stop":
                self._blocks.stop(payload.get("index"))
            case "message_delta":
                self._counts.take(payload.get("usage"))
                self._end(payload.get("delta"))
            case "message_stop":
                self.done = True
            case "error":
                raise self._failure(payload)
        return []

    def _failure(self, payload: dict[str, Any]) -> ModelError:
        inner = payload.get("error")
        passing = isinstance(inner, dict) and inner.get("type") in _PASSING
        return from_payload(payload, self._asked, ModelError if passing else ErrorEvent)

    def _begin(self, message: Any) -> None:
        if isinstance(message, dict):
            self._model = message["model"] if isinstance(message.get("model"), str) else ""
            self._counts.take(message.get("usage"))

    def _end(self, delta: Any) -> None:
        reason = delta.get("stop_reason") if isinstance(delta, dict) else None
        if isinstance(reason, str) and reason:
            self.finished = True
            self._finish = _FINISHES.get(reason, "stop")

    def take_whole(self, payload: Any) -> list[ModelEvent]:
        """Return what an answer brings that was not streamed. Raises ModelError."""
        if not isinstance(payload, dict):
            raise self._asked.error("bad_reply", "The answer is no object.")
        if payload.get("type") == "error" or payload.get("error"):
            raise from_payload(payload, self._asked)
        content = payload.get("content")
        if not isinstance(content, list):
            raise self._asked.foreign(payload)
        self._begin(payload)
        events: list[ModelEvent] = []
        for index, block in enumerate(content):
            events += self._blocks.start(index, block)
            self._blocks.stop(index)
        self._end(payload)
        self.finished = self.done = True
        return events

    def reply(self) -> Reply:
        """Return the whole answer. Raises ModelError cut_stream when it has not ended; a half call is never
        given out, and a refused answer calls nothing.
        """
        anything = bool(self._blocks.text or self._blocks.reasoning or self._blocks.begun)
        if not self.finished and not (self.done and anything):
            raise self._asked.error("cut_stream", "The answer broke off before its end.")
        plain = self._finish == "stop"
        calls, extra = self._blocks.finish(
            self._new_id, self._taken, cut=not plain or not self.finished, none=self._finish == "refused"
        )
        if not self.finished and len(calls) < self._blocks.begun:
            raise self._asked.error("cut_stream", "The answer broke off in a call.")
        return Reply(
            text=self._blocks.text,
            reasoning=self._blocks.reasoning,
            calls=calls,
            extra=mend_all(extra),
            finish="calls" if calls else self._finish,
            usage=self._counts.usage(),
            model=self._model,
        )

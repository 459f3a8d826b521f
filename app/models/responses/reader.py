"""Reads the stream of a Responses answer: typed events in, model events out, the whole reply at the end.

What deltas brought is shown at once; an item's last word is the one of `output_item.done`, since encrypted
content may be unfinished before (facts: providers 1.3). Kinds of events that nobody knows here are skipped.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from app.errors import ModelError
from app.models.refusal import Asked, ErrorEvent, from_payload
from app.models.request import CallPart, Finish, ModelEvent, Reasoning, Reply, Text
from app.models.responses.arriving import CALLS, Arriving, Growing, Place, argument_text
from app.models.responses.ending import extra_of, whole_calls
from app.models.responses.layout import GAP
from app.models.responses.usage import usage_of
from app.models.sse import ServerEvent
from app.models.text import Halves, decoded
from app.records import Usage

MOST_ITEMS = 2_000
"""Items of one answer; a turn runs sixty calls."""

_PASSING = ("server_error", "server_is_overloaded", "slow_down")
"""Codes of failed answers of which OpenAI says that the same request may be sent again."""
_ENDS = ("response.completed", "response.incomplete", "response.failed", "response.cancelled")
_DELTAS = {
    "response.output_text.delta": ("message", "text", "content_index"),
    "response.refusal.delta": ("message", "text", "content_index"),
    "response.reasoning_summary_text.delta": ("reasoning", "summary", "summary_index"),
    "response.reasoning_text.delta": ("reasoning", "reasoning", "content_index"),
}
_WHOLES = {
    "response.output_text.done": ("message", "text", "content_index", "text"),
    "response.refusal.done": ("message", "text", "content_index", "refusal"),
    "response.reasoning_summary_text.done": ("reasoning", "summary", "summary_index", "text"),
    "response.reasoning_text.done": ("reasoning", "reasoning", "content_index", "text"),
}


class ResponsesReader:
    """Takes the events of one answer."""

    def __init__(
        self, asked: Asked, *, taken_ids: tuple[str, ...], new_id: Callable[[], str], characters: int
    ) -> None:
        self.finished = False
        """The last event of the answer was seen."""
        self.done = False
        """Nothing more comes."""
        self.usage: Usage | None = None
        self._asked = asked
        self._taken = taken_ids
        self._new_id = new_id
        self._characters = characters
        self._arriving = Arriving()
        self._text: list[str] = []
        self._reasoning: list[str] = []
        self._halves = Halves()
        self._thought_halves = Halves()
        self._speaking: Growing | None = None
        self._thinking: tuple[Growing, Place] | None = None
        self._finish: Finish = "stop"
        self._refused = False
        self._model = ""

    def take(self, event: ServerEvent) -> list[ModelEvent]:
        """Return what one event brings. Raises ModelError for an error event and for what is no event."""
        data = event.data.strip()
        if data == "[DONE]":  # gateways end with what Chat Completions ends with
            self.done = True
            return []
        if not data:
            return []
        try:
            payload = decoded(data)
        except ValueError as error:
            raise self._asked.error("bad_reply", "A piece is no JSON.", data[:1000]) from error
        if not isinstance(payload, dict):
            raise self._asked.error("bad_reply", "A piece is no object.")
        kind = payload.get("type")
        return self._event(kind if isinstance(kind, str) else event.name, payload)

    def take_whole(self, payload: Any) -> list[ModelEvent]:
        """Return what an answer brings that was not streamed. Raises ModelError."""
        if isinstance(payload, dict) and isinstance(payload.get("response"), dict):
            payload = payload["response"]  # the last event alone
        if not isinstance(payload, dict):
            raise self._asked.error("bad_reply", "The answer is no object.")
        events: list[ModelEvent] = []
        if isinstance(payload.get("output"), list) and payload.get("status") not in ("failed", "cancelled"):
            self._close(payload, events)
            self.finished = self.done = payload.get("status") not in ("in_progress", "queued")
        elif payload.get("error") or payload.get("status"):
            raise self._failure(payload)
        else:
            raise self._asked.foreign(payload)
        return events

    def _event(self, kind: str, payload: dict[str, Any]) -> list[ModelEvent]:
        """Take one event by its kind."""
        events: list[ModelEvent] = []
        if kind in _DELTAS:
            type_, place, index = _DELTAS[kind]
            self._delta(self._arriving.at(payload, type_), (place, _number(payload, index)), payload, events)
            self._refused = self._refused or kind == "response.refusal.delta"
        elif kind in _WHOLES:
            type_, place, index, name = _WHOLES[kind]
            item = self._arriving.at(payload, type_)
            self._whole(item, (place, _number(payload, index)), payload.get(name), events)
        elif kind == "response.function_call_arguments.delta":
            self._argue(self._arriving.at(payload, "function_call"), payload.get("delta"), events)
        elif kind == "response.function_call_arguments.done":
            self._argued(self._arriving.at(payload, "function_call"), payload, events)
        elif kind in ("response.output_item.added", "response.output_item.done"):
            self._item(payload, events, done=kind.endswith("done"))
        elif kind in ("response.created", "response.in_progress", "response.queued"):
            self._note(payload.get("response"))
        elif kind in _ENDS:
            self._end(kind, payload, events)
        elif kind == "error" or (not kind and payload.get("error")):
            raise self._failure({"error": payload.get("error") or payload})
        return events

    def _item(self, payload: dict[str, Any], events: list[ModelEvent], *, done: bool) -> None:
        item = payload.get("item")
        if not isinstance(item, dict) or not isinstance(item.get("type"), str):
            return
        if not done:
            growing = self._arriving.begun(payload, item)
            self._count(" ")
            if len(self._arriving.items) > MOST_ITEMS:
                raise self._asked.error("endless", "The items do not end.")
            self._show_call(growing, events)
            return
        growing = self._arriving.at(payload, item["type"])
        if growing.type == item["type"] and not growing.done:
            self._settle(growing, item, events)

    def _settle(self, growing: Growing, item: dict[str, Any], events: list[ModelEvent]) -> None:
        """Take an item as it is in the end, and show what no delta brought."""
        growing.take(item)
        growing.final = item
        if growing.type in CALLS:
            self._argued(growing, item, events)
        elif growing.type == "message":
            for number, part in enumerate(_dicts(item.get("content"))):
                self._refused = self._refused or part.get("type") == "refusal"
                self._whole(growing, ("text", number), part.get("text", part.get("refusal")), events)
        elif growing.type == "reasoning" and not growing.seen:
            kept = "summary" if _dicts(item.get("summary")) else "content"
            for number, part in enumerate(_dicts(item.get(kept))):
                self._whole(growing, (kept, number), part.get("text"), events)
        growing.done = True

    def _end(self, kind: str, payload: dict[str, Any], events: list[ModelEvent]) -> None:
        response = payload.get("response")
        response = response if isinstance(response, dict) else {}
        if kind in ("response.failed", "response.cancelled") or response.get("status") == "failed":
            raise self._failure(response)
        self._close({"status": kind.removeprefix("response."), **response}, events)
        self.finished = self.done = True

    def _close(self, response: dict[str, Any], events: list[ModelEvent]) -> None:
        """Take a whole response, and how it ended."""
        self._note(response)
        self.usage = usage_of(response) or self.usage
        output = response.get("output")
        for item, growing in self._arriving.listed(output if isinstance(output, list) else []):
            self._settle(growing, item, events)
        if response.get("status") == "incomplete":
            details = response.get("incomplete_details")
            reason = details.get("reason") if isinstance(details, dict) else ""
            self._finish = "refused" if reason == "content_filter" else "length"

    def _failure(self, response: dict[str, Any]) -> ModelError:
        error = response.get("error") or f"the answer is {response.get('status') or 'failed'}"
        passes = isinstance(error, dict) and error.get("code") in _PASSING
        return from_payload({"error": error}, self._asked, ModelError if passes else ErrorEvent)

    def _note(self, response: Any) -> None:
        if isinstance(response, dict) and isinstance(model := response.get("model"), str):
            self._model = model or self._model

    def _delta(self, item: Growing, place: Place, payload: dict[str, Any], events: list[ModelEvent]) -> None:
        text = payload.get("delta")
        if not isinstance(text, str) or not text:
            return
        self._count(text)
        item.seen.setdefault(place, []).append(text)
        if place[0] == "text":
            self._say(item, text, events)
        elif next(iter(item.seen))[0] == place[0]:  # some send the same as summary and as reasoning
            self._think(item, place, text, events)

    def _whole(self, item: Growing, place: Place, text: Any, events: list[ModelEvent]) -> None:
        if isinstance(text, str) and (rest := item.rest(place, text)):
            self._delta(item, place, {"delta": rest}, events)

    def _say(self, item: Growing, text: str, events: list[ModelEvent]) -> None:
        if not (text := self._halves.feed(text)):
            return
        gap = GAP if self._text and self._speaking is not item else ""
        self._speaking = item
        item.size += len(text)
        self._text.append(gap + text)
        events.append(Text(text=gap + text))

    def _think(self, item: Growing, place: Place, text: str, events: list[ModelEvent]) -> None:
        if not (text := self._thought_halves.feed(text)):
            return
        gap = GAP if self._reasoning and self._thinking != (item, place) else ""
        self._thinking = (item, place)
        self._reasoning.append(gap + text)
        events.append(Reasoning(text=gap + text))

    def _argue(self, call: Growing, text: Any, events: list[ModelEvent]) -> None:
        if isinstance(text, str) and text and not call.done:
            self._count(text)
            call.argue(text)
            self._show_call(call, events)

    def _argued(self, call: Growing, holder: dict[str, Any], events: list[ModelEvent]) -> None:
        """Take the whole arguments in place of their pieces."""
        whole = argument_text(holder.get("arguments"))
        if whole is not None and not call.done and whole != "".join(call.arguments):
            call.arguments, call.size = [], 0
            self._argue(call, whole, events)
        elif not call.arguments:
            self._show_call(call, events)

    def _show_call(self, call: Growing, events: list[ModelEvent]) -> None:
        if call.number >= 0 and call.name:
            events.append(CallPart(index=call.number, name=call.name, size=call.size))

    def _count(self, text: str) -> None:
        self._characters -= len(text)
        if self._characters < 0:
            raise self._asked.error("endless", "The answer does not end.")

    def reply(self) -> Reply:
        """Return the whole answer. Raises ModelError cut_stream when it has not ended; a half call is never
        given out.
        """
        if not self.finished:
            raise self._asked.error("cut_stream", "The answer broke off before its end.")
        items = self._arriving.items
        calls = whole_calls(items, self._new_id, self._taken, cut=self._finish != "stop")
        finish: Finish = "refused" if self._refused else self._finish
        return Reply(
            text="".join(self._text),
            reasoning="".join(self._reasoning),
            calls=tuple(calls.values()),
            extra=extra_of(items, calls),
            finish="calls" if calls else finish,
            usage=self.usage or Usage(exact=False),
            model=self._model,
        )


def _number(payload: dict[str, Any], name: str) -> int:
    value = payload.get(name)
    return value if isinstance(value, int) else 0


def _dicts(value: Any) -> list[dict[str, Any]]:
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []

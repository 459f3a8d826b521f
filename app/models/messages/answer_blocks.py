"""Puts the blocks of a Messages answer together as they stream: text, thinking, calls, and unknown ones."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from typing import Any

import msgspec

from app.models.messages.layout import call_at, laid_out, text_at
from app.models.refusal import Asked
from app.models.request import CallPart, ModelEvent, Reasoning, Text
from app.models.text import Halves, mend
from app.records import ToolCall

MOST_BLOCKS = 2_000
"""Blocks of one answer; a turn runs sixty calls of it."""
_LENIENT = json.JSONDecoder(strict=False)  # models write raw line ends into strings


class _Block(msgspec.Struct, eq=False):
    """A block that still arrives. `raw` is what it began with; `pieces` what was added to its main text."""

    kind: str
    raw: dict[str, Any]
    number: int = 0
    """Counts the calls of the answer from 0."""
    start: int = 0
    """Of a text: where it begins in the text of the answer."""
    pieces: list[str] = []
    size: int = 0
    shown: int = 0
    """Of a text: how much of the text of the answer it is."""
    halves: Any = None

    def add(self, piece: str) -> None:
        """Append a piece."""
        self.pieces.append(piece)
        self.size += len(piece)


class AnswerBlocks:
    """Takes the blocks of one answer, which come one after the other."""

    def __init__(self, asked: Asked, characters: int) -> None:
        self._asked = asked
        self._characters = characters
        self._by_index: dict[int, _Block] = {}
        self._blocks: list[_Block] = []
        self._text: list[str] = []
        self._said = 0
        self._reasoning: list[str] = []
        self.begun = 0
        """Calls that have begun."""

    @property
    def text(self) -> str:
        """The text so far."""
        return "".join(self._text)

    @property
    def reasoning(self) -> str:
        """The thinking so far, as far as the server shows it."""
        return "".join(self._reasoning)

    def start(self, index: Any, content: Any) -> list[ModelEvent]:
        """Begin a block; it may hold something already, and is whole where the answer is not streamed."""
        if not isinstance(content, dict) or not isinstance(content.get("type"), str):
            return []
        self._count(" ")
        if len(self._blocks) >= MOST_BLOCKS:
            raise self._asked.error("endless", "The blocks do not end.")
        block = _Block(content["type"], dict(content), halves=Halves())
        self._by_index[_place(index)] = block
        events: list[ModelEvent] = []
        if block.kind == "thinking" and self._reasoning:
            self._reasoning.append("\n\n")
            events.append(Reasoning(text="\n\n"))
        if block.kind == "tool_use":
            block.number, self.begun = self.begun, self.begun + 1
            events.append(CallPart(index=block.number, name=_string(content.get("name")), size=0))
        self._blocks.append(block)
        first = _string(content.get(block.kind))
        if block.kind in ("text", "thinking") and first:
            events += self._add(block, first)
        return events

    def _begin_text(self, block: _Block) -> list[ModelEvent]:
        """Begin a text: part it from an earlier one that something else stands between."""
        since = reversed(self._blocks[: self._blocks.index(block)])
        before = next((one for one in since if one.kind != "text" or one.shown), None)
        apart = self._said and before is not None and before.kind != "text"
        events = self._say("\n\n") if apart and not self._text[-1][-1:].isspace() else []
        block.start = self._said
        return events

    def grow(self, index: Any, delta: Any) -> list[ModelEvent]:
        """Add to the block at `index`; kinds of pieces that nobody knows are passed over."""
        block = self._by_index.get(_place(index))
        if block is None or not isinstance(delta, dict):
            return []
        match delta.get("type"):
            case "text_delta" if block.kind == "text":
                return self._add(block, _string(delta.get("text")))
            case "thinking_delta" if block.kind == "thinking":
                return self._add(block, _string(delta.get("thinking")))
            case "signature_delta" if block.kind == "thinking":
                self._count(signature := _string(delta.get("signature")))
                block.raw["signature"] = _string(block.raw.get("signature")) + signature
            case "input_json_delta":
                return self._add(block, _string(delta.get("partial_json")))
            case "citations_delta":
                self._count(str(delta.get("citation")))
        return []

    def stop(self, index: Any) -> None:
        """Close the block at `index`."""
        self._by_index.pop(_place(index), None)

    def _add(self, block: _Block, piece: str) -> list[ModelEvent]:
        self._count(piece)
        block.add(piece)
        if block.kind == "tool_use":
            name = _string(block.raw.get("name"))
            return [CallPart(index=block.number, name=name, size=block.size)] if name else []
        if block.kind not in ("text", "thinking") or not (shown := block.halves.feed(piece)):
            return []
        if block.kind == "thinking":
            self._reasoning.append(shown)
            return [Reasoning(text=shown)]
        events = [] if block.shown else self._begin_text(block)
        block.shown += len(shown)
        return events + self._say(shown)

    def _say(self, text: str) -> list[ModelEvent]:
        self._text.append(text)
        self._said += len(text)
        return [Text(text=text)]

    def _count(self, text: str) -> None:
        self._characters -= len(text)
        if self._characters < 0:
            raise self._asked.error("endless", "The answer does not end.")

    def finish(
        self, new_id: Callable[[], str], taken: Iterable[str], *, cut: bool, none: bool = False
    ) -> tuple[tuple[ToolCall, ...], dict[str, Any]]:
        """Return the whole calls and what the message keeps besides. `cut`: leave out calls whose arguments
        are half; `none`: all of them.
        """
        used = set(taken)
        calls: list[ToolCall] = []
        entries: list[dict[str, Any]] = []
        for block in self._blocks:
            if block.kind == "text":
                entries += [text_at(block.start, block.shown)] if block.shown else []
            elif block.kind != "tool_use":
                entries += _kept(block)
            elif (arguments := _arguments(block, cut=cut)) is not None and not none:
                id_ = mend(_string(block.raw.get("id")))
                while not id_ or id_ in used:
                    id_ = new_id()
                used.add(id_)
                name = mend(_string(block.raw.get("name"))) or "unnamed"
                calls.append(ToolCall(id=id_, name=name, arguments=mend(arguments)))
                entries.append(call_at(id_))
        return tuple(calls), laid_out(entries)


def _kept(block: _Block) -> list[dict[str, Any]]:
    """Return a block of this wire alone as it goes back; thinking without its signature would be refused."""
    if block.kind == "thinking":
        signature = _string(block.raw.get("signature"))
        whole = {"type": "thinking", "thinking": "".join(block.pieces), "signature": signature}
        return [whole] if signature else []
    if block.pieces:  # the input of a tool that the server runs
        value = _object("".join(block.pieces))
        return [] if value is None else [{**block.raw, "input": value}]
    return [block.raw]


def _arguments(block: _Block, *, cut: bool) -> str | None:
    """Return the arguments of a call as JSON text, `{}` where nothing came; None for those that are half.

    Where the answer was not cut, text that cannot be read stays as it is, and the turn tells the model.
    """
    text = "".join(block.pieces)
    if not text.strip():
        given = block.raw.get("input")
        text = json.dumps(given, ensure_ascii=False) if isinstance(given, dict) and given else "{}"
    value = _object(text)
    if value is None:
        return None if cut else text
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return json.dumps(value, ensure_ascii=False)
    return text


def _object(text: str) -> dict[str, Any] | None:
    try:
        value = _LENIENT.decode(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _place(index: Any) -> int:
    return index if isinstance(index, int) else -1


def _string(value: Any) -> str:
    return value if isinstance(value, str) else ""

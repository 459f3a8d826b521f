"""Puts streamed tool calls together, whatever a server does with `index`, `id` and `name`.

The rules are those that the dialects need (facts: providers 1.2, numbers 1 to 7): an id that was not seen
before opens a call, also on a used index; a piece without id and name goes on with the call of its index,
else with the last one; an empty id counts as none; arguments that turn out to be several objects in a row
are several calls.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from typing import Any

import msgspec

from app.models.chat.extras import merge_fields
from app.models.text import mend, mend_all
from app.records import ToolCall

_OWN_FIELDS = ("index", "id", "type", "function")
_LENIENT = json.JSONDecoder(strict=False)  # models write raw line ends into strings


class Growing(msgspec.Struct, eq=False):
    """A call that still arrives."""

    id: str
    name: str
    pieces: list[str] = []
    size: int = 0
    extra: dict[str, Any] = {}

    def add(self, text: str) -> None:
        """Append a piece of the arguments."""
        self.pieces.append(text)
        self.size += len(text)

    @property
    def arguments(self) -> str:
        """The arguments so far."""
        if len(self.pieces) > 1:
            self.pieces = ["".join(self.pieces)]
        return self.pieces[0] if self.pieces else ""


class CallAssembly:
    """Takes the pieces of `tool_calls` and gives whole calls at the end."""

    def __init__(self) -> None:
        self.calls: list[Growing] = []
        self._by_index: dict[tuple[int, int], Growing] = {}

    def add(self, piece: dict[str, Any], choice: int = 0) -> int:
        """Take one piece of choice number `choice`; return the number of the call that it belongs to."""
        function = piece.get("function")
        function = function if isinstance(function, dict) else {}
        id_, name, text = _text(piece.get("id")), _text(function.get("name")), _arguments(function)
        index = piece.get("index")
        key = (choice, index) if isinstance(index, int) else None
        call = self._owner(key, id_, name, text)
        if call is None:
            call = Growing(id_, name)
            self.calls.append(call)
        if key is not None:
            self._by_index[key] = call
        call.id = call.id or id_
        call.name = call.name or name
        call.add(text)
        merge_fields(call.extra, {k: v for k, v in piece.items() if k not in _OWN_FIELDS})
        own = {k: v for k, v in function.items() if k not in ("name", "arguments")}
        if any(v is not None for v in own.values()):
            merge_fields(call.extra.setdefault("function", {}), own)
        return next(i for i, one in enumerate(self.calls) if one is call)

    def _owner(self, key: tuple[int, int] | None, id_: str, name: str, text: str) -> Growing | None:
        """Return the call that a piece goes on with, None when it opens a new one."""
        last = self.calls[-1] if self.calls else None
        held = last if key is None else self._by_index.get(key)
        if id_:
            same = next((call for call in self.calls if call.id == id_), None)
            if same is not None and not (name and held is None and same in self._by_index.values()):
                return same  # else one id for several indexes: a call each
            return held if held is not None and not held.id and not name and not held.size else None
        if held is None:
            return last if not name else None
        if not name:
            return held
        if not held.size:
            return held if held.name in ("", name) else None
        begins_anew = text.lstrip().startswith("{") and _complete(held.arguments)
        return held if held.name == name and not begins_anew else None

    def finish(
        self, new_id: Callable[[], str], taken: Iterable[str], *, cut: bool = False
    ) -> tuple[ToolCall, ...]:
        """Return the whole calls. `taken` are ids of earlier calls; `cut`: leave out those whose arguments
        are half.
        """
        used = set(taken)
        whole: list[ToolCall] = []
        for call in self.calls:
            if not call.name and not call.arguments.strip():
                continue
            for number, arguments in enumerate(_objects(call.arguments)):
                if cut and not _complete(arguments):
                    continue
                id_ = call.id if number == 0 else ""
                while not id_ or id_ in used:
                    id_ = new_id()
                used.add(id_)
                whole.append(
                    ToolCall(
                        id=mend(id_),
                        name=mend(call.name or "unnamed"),
                        arguments=mend(arguments),
                        extra=mend_all(call.extra),
                    )
                )
        return tuple(whole)


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _arguments(function: dict[str, Any]) -> str:
    """The argument text of a piece; some servers send the object itself."""
    value = function.get("arguments")
    if isinstance(value, dict):
        return json.dumps(value, ensure_ascii=False)
    return _text(value)


def _complete(text: str) -> bool:
    try:
        return isinstance(_LENIENT.decode(text or "{}"), dict)
    except ValueError:
        return False


def _objects(text: str) -> list[str]:
    """Return the arguments of one or, where a server ran several together, of all calls; unreadable text
    stays as it is.
    """
    found: list[Any] = []
    at = 0
    stripped = text.strip()
    if not stripped:
        return ["{}"]
    while at < len(stripped):
        try:
            value, at = _LENIENT.raw_decode(stripped, at)
        except (ValueError, RecursionError):
            return [text]
        if not isinstance(value, dict):
            return [text]
        if value not in found:  # the whole object sent once more at the end
            found.append(value)
        while at < len(stripped) and stripped[at] in " \t\r\n":
            at += 1
    if len(found) == 1:
        return [_strict(stripped, found[0])]
    return [json.dumps(value, ensure_ascii=False) for value in found]


def _strict(text: str, value: dict[str, Any]) -> str:
    """Return `text` where every JSON reader takes it, else the same value written anew."""
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return json.dumps(value, ensure_ascii=False)
    return text

"""A conversation as the items of a Responses request."""

from __future__ import annotations

from collections.abc import Iterable

from app.models.chat.ids import mapped_ids
from app.models.profiles import quirks_of
from app.models.request import ModelRequest
from app.models.responses.layout import Called, Said, parts_of
from app.models.responses.search import Item, Searches
from app.models.sending import NO_OUTPUT, call_ids, plain_name, spoken
from app.models.sights import Shown, Sight, caption, shown
from app.records import Message


def input_items(request: ModelRequest) -> list[Item]:
    """Return the items of `input`."""
    laid = _Laid(request)
    for message in request.messages:
        laid.add(message)
    return laid.done()


class _Laid:
    """Items so far. What belongs to results and cannot stand in them follows all results of a round."""

    def __init__(self, request: ModelRequest) -> None:
        self._request = request
        self._name = f"{request.profile.name}/{request.model}"
        self._ids = mapped_ids(call_ids(request.messages), "sixty_four")
        self._in_result = quirks_of(request.profile, request.model).result_pictures
        self._searches = Searches(request)
        self._called: dict[str, str] = {}
        self._items: list[Item] = []
        self._after: list[Item] = []

    def add(self, message: Message) -> None:
        """Append one message."""
        if message.role == "tool":
            self._result(message)
            return
        self.done()
        if message.role == "user":
            pictures = shown(message, self._request)
            self._items.append(_from_person(pictures.beside(spoken(message)), pictures.sights))
        elif message.text.strip() or message.calls:
            self._answer(message)

    def done(self) -> list[Item]:
        """Return all items."""
        self._items += self._after
        self._after = []
        return self._items

    def _answer(self, message: Message) -> None:
        calls = {call.id: call for call in message.calls}
        for part in parts_of(message, own=message.model in (self._name, "")):
            if isinstance(part, Said):
                self._items += [_said(part)] if part.text.strip() else []
            elif isinstance(part, Called):
                call = calls[part.id]
                self._called[part.id] = call.name
                self._items.append(self._searches.call(call, self._ids[part.id]))
            else:
                self._items.append(part.item)

    def _result(self, message: Message) -> None:
        id_, name = self._ids[message.call], plain_name(self._called.get(message.call, message.tool))
        pictures = shown(message, self._request)
        text = pictures.beside(message.text)
        search = self._searches.output(message.call, id_)
        if search is not None:
            self._items.append(search)
            if text:  # an output holds no words, and a miss has some to say
                self._after.append(_from_person(f"Result of {name}:\n{text}", ()))
            return
        output: str | list[Item] = text or NO_OUTPUT
        if pictures.sights and self._in_result:
            output = _parts(text, pictures)
        elif pictures.sights:
            self._after.append(_from_person(caption(name), pictures.sights))
        self._items.append({"type": "function_call_output", "call_id": id_, "output": output})


def _said(part: Said) -> Item:
    item: Item = {
        "type": "message",
        "role": "assistant",
        "content": [{"type": "output_text", "text": part.text}],
    }
    return {**item, "phase": part.phase} if part.phase else item


def _from_person(text: str, sights: Iterable[Sight]) -> Item:
    """Return a message of the person: plain text, and parts only where there are pictures."""
    parts = _parts(text, Shown(tuple(sights)))
    plain = len(parts) == 0 or parts[-1]["type"] == "input_text"
    return {"type": "message", "role": "user", "content": text if plain else parts}


def _parts(text: str, pictures: Shown) -> list[Item]:
    words = [{"type": "input_text", "text": text}] if text else []
    return [
        *words,
        *({"type": "input_image", "image_url": sight.url, "detail": "auto"} for sight in pictures.sights),
    ]

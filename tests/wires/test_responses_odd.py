"""Whatever a server of the Responses wire sends, an answer is read or refused by a typed error; and what was
read can be sent back.
"""

from __future__ import annotations

import json
import random
from typing import Any

import msgspec
import pytest

from app.errors import ModelError
from app.models.client import body
from app.models.profiles import load_profile
from app.models.refusal import Asked
from app.models.request import Text
from app.models.responses.reader import ResponsesReader
from app.models.sse import ServerEvent
from tests.servers.responses import arrives, called, ends, event, message, response, thought
from tests.wires.asking import assistant, request, result, user

ODD: list[Any] = [None, 7, -1, True, "", "odd", "\ud83d", [], [None, 3], {}, {"type": 5}, {"text": 3}, 1e99]


def reader(characters: int = 10_000) -> ResponsesReader:
    """A reader whose ids are counted."""
    numbers = iter(range(10_000))
    asked = Asked(name="p", title="P", host="h", model="m")
    return ResponsesReader(asked, taken_ids=(), new_id=lambda: f"m{next(numbers)}", characters=characters)


def whole_answer(chance: random.Random) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """The events of an answer in good order, and its items."""
    made: list[dict[str, Any]] = []
    for number in range(chance.randrange(1, 6)):
        text = "".join(chance.choice("ab 🍍\n") for _ in range(chance.randrange(12)))
        kind = chance.randrange(4)
        if kind == 0:
            made.append(thought(text, blob=f"blob {number}"))
        elif kind == 1:
            made.append(message(text, phase=chance.choice([None, "commentary"])))
        else:
            made.append(called(f"c{number}", chance.choice(["read_file", "list_dir"]), {"path": text}))
    events = [one for index, item in enumerate(made) for one in arrives(index, item)]
    return [event("created", response=response("in_progress")), *events, ends(*made)], made


def mangled(chance: random.Random, value: Any) -> Any:
    """A value with parts of it taken out or replaced."""
    if chance.random() < 0.04:
        return chance.choice(ODD)
    if isinstance(value, dict):
        return {
            key: mangled(chance, one) for key, one in value.items() if key == "type" or chance.random() > 0.03
        }
    return [mangled(chance, one) for one in value] if isinstance(value, list) else value


def fed(to: ResponsesReader, events: list[Any]) -> str:
    """The text that is shown for these events."""
    shown = ""
    for one in events:
        for brought in to.take(ServerEvent("", json.dumps(one))):
            shown += brought.text if isinstance(brought, Text) else ""
    return shown


def history(reply: Any) -> list[Any]:
    """A conversation with this answer of the test model."""
    answer = assistant(reply.text, *reply.calls, model="custom/test-model", extra=reply.extra)
    return [user("x"), answer, *(result(one.id) for one in reply.calls)]


SPEAKING = msgspec.structs.replace(load_profile("custom", {}, {}), wire="responses")


@pytest.mark.proof("responses-events", small=300, full=30_000)
def test_an_answer_in_good_order_goes_back_as_it_came(count: int, seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(count):
        events, made = whole_answer(chance)
        one = reader()
        shown = fed(one, events)
        reply = one.reply()
        assert shown == reply.text
        sent = json.loads(body(request(SPEAKING, *history(reply))))["input"][1:]
        back = [item for item in sent if item["type"] != "function_call_output"]
        wanted = [item for item in made if item["type"] != "message" or item["content"][0]["text"].strip()]
        if not (reply.text.strip() or reply.calls):
            wanted = []
        while wanted and wanted[-1]["type"] == "reasoning":
            wanted.pop()
        assert [item["type"] for item in back] == [item["type"] for item in wanted]
        for came, went in zip(wanted, back, strict=True):
            if came["type"] == "message":
                assert went["content"][0]["text"] == came["content"][0]["text"]
                assert went.get("phase") == came["phase"]
            elif came["type"] == "function_call":
                assert (went["call_id"], went["arguments"]) == (came["call_id"], came["arguments"])
            else:
                assert went["encrypted_content"] == came["encrypted_content"]
            assert "id" not in went and "status" not in went


@pytest.mark.proof("responses-odd", small=1_000, full=100_000)
def test_odd_events_are_read_or_refused(count: int, seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(count):
        events = [mangled(chance, one) for one in whole_answer(chance)[0]]
        if chance.random() < 0.3:
            chance.shuffle(events)
        one = reader()
        try:
            shown = fed(one, events)
            reply = one.reply()
        except ModelError:
            continue
        assert shown == reply.text
        assert all(isinstance(made.id, str) and made.id and made.name for made in reply.calls)
        json.loads(body(request(SPEAKING, *history(reply))))


@pytest.mark.proof("responses-whole", small=300, full=30_000)
def test_whole_answers_of_any_shape_are_read_or_refused(count: int, seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(count):
        payload = mangled(chance, whole_answer(chance)[0][-1]["response"])
        one = reader()
        try:
            one.take_whole(payload)
            reply = one.reply()
        except ModelError:
            continue
        json.loads(body(request(SPEAKING, *history(reply))))

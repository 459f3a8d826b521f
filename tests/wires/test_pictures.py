"""Pictures on the wires: as parts where the model sees them, as words where it does not, always in one
place.
"""

from __future__ import annotations

import base64
import json
from itertools import pairwise
from typing import Any

import msgspec
import pytest

from app.errors import ModelError
from app.models.client import body
from app.models.profile import ModelData, Profile
from app.models.profiles import load_profile
from app.records import Message, Picture
from tests.servers.scripted import fails, says, scripted
from tests.wires.asking import Ask, assistant, call, profile, request, result, user

DOT = b"\x89PNG\r\n\x1a\nnot really a picture"
URL = f"data:image/png;base64,{base64.b64encode(DOT).decode()}"
SHOT = Picture(id="a" * 64, media="image/png", width=640, height=480, name="shot.png")
LOST = Picture(id="b" * 64, media="image/png", name="lost.png")
ODD = Picture(id="c" * 64, media="image/tiff", name="odd.tiff")
IMAGES = {SHOT.id: DOT, ODD.id: b"II*"}


def seeing(name: str = "custom", url: str = "http://127.0.0.1:9/v1", **fields: Any) -> Profile:
    """A profile whose test model sees pictures; `fields` are quirks, `wire` is its wire."""
    wire = fields.pop("wire", "chat")
    loaded = profile(name, url, **fields)
    entry = ModelData(id="test-model", abilities=("tools", "vision"), wire=wire)
    return msgspec.structs.replace(loaded, models=(entry,))


def chat(to: Profile, *messages: Message, **fields: Any) -> list[Any]:
    """The messages that are sent over Chat Completions."""
    sent = json.loads(body(request(to, *messages, images=IMAGES, **fields)))
    return list(sent["messages"])


def test_a_person_s_picture_is_a_part_after_the_words() -> None:
    sent = chat(seeing(), user("What is it?", context="<now/>", pictures=(SHOT,)))
    assert sent == [
        {
            "role": "user",
            "content": [
                {"type": "text", "text": "<now/>\n\nWhat is it?"},
                {"type": "image_url", "image_url": {"url": URL}},
            ],
        }
    ]


def test_a_picture_without_words_is_the_only_part() -> None:
    (sent,) = chat(seeing(), user("", pictures=(SHOT,)))
    assert sent["content"] == [{"type": "image_url", "image_url": {"url": URL}}]


def test_only_messages_with_pictures_have_parts() -> None:
    sent = chat(seeing(), user("a"), assistant("b"), user("c", pictures=(SHOT,)), assistant("d"), user("e"))
    assert [type(one["content"]) for one in sent] == [str, str, list, str, str]


@pytest.mark.parametrize(
    ("picture", "why"),
    [
        (LOST, "[A picture was not sent, since it is not available: lost.png]"),
        (ODD, "[A picture was not sent, since models take no image/tiff: odd.tiff]"),
    ],
)
def test_what_cannot_be_sent_is_named(picture: Picture, why: str) -> None:
    (sent,) = chat(seeing(), user("Look", pictures=(picture,)))
    assert sent["content"] == f"Look\n\n{why}"
    (both,) = chat(seeing(), user("Look", pictures=(picture, SHOT)))
    assert [part["type"] for part in both["content"]] == ["text", "image_url"]
    assert both["content"][0]["text"] == f"Look\n\n{why}"


def test_a_model_that_sees_nothing_is_told_of_the_picture() -> None:
    loaded = load_profile("deepseek", {}, {})
    (sent,) = chat(loaded, user("Look", pictures=(SHOT,)), model="deepseek-flash")
    assert sent["content"] == (
        "Look\n\n[A picture was not sent, since this model takes no pictures: shot.png, 640 x 480]"
    )
    shot = result("c1", "", pictures=(SHOT,))
    _, _, told = chat(loaded, user("Look"), assistant("", call("c1")), shot, model="deepseek-flash")
    assert told["content"].startswith("[A picture was not sent") and told["role"] == "tool"


def results() -> list[Message]:
    """A turn whose first and last result bring pictures, and what follows it."""
    return [
        user("Look at both"),
        assistant("", call("c1", "take_shot", "{}"), call("c2"), call("c3", "take_shot", "{}")),
        result("c1", "first", "take_shot", pictures=(SHOT, SHOT)),
        result("c2", "text"),
        result("c3", "", "take_shot", pictures=(SHOT, LOST)),
        user("And now?"),
        assistant("Two shots."),
    ]


def test_pictures_of_results_follow_all_results_of_the_round() -> None:
    sent = chat(seeing(), *results())
    assert [one["role"] for one in sent] == [
        "user", "assistant", "tool", "tool", "tool", "user", "user", "assistant",
    ]  # fmt: skip
    assert [one["content"] for one in sent[2:5]] == [
        "first",
        "text",
        "[A picture was not sent, since it is not available: lost.png]",
    ]
    words = {"type": "text", "text": "Pictures from the result of take_shot:"}
    picture = {"type": "image_url", "image_url": {"url": URL}}
    assert sent[5]["content"] == [words, picture, picture, words, picture]


def test_mistral_gets_an_answer_before_the_pictures_of_a_result() -> None:
    sent = chat(seeing("mistral"), *results())
    assert [one["role"] for one in sent][4:] == ["tool", "assistant", "user", "user", "assistant"]


def test_cache_marks_stand_on_the_last_part() -> None:
    sent = chat(seeing("openrouter", cache_marks=True), user("a"), user("b", pictures=(SHOT,)))
    assert [part.get("cache_control") for part in sent[1]["content"]] == [None, {"type": "ephemeral"}]


@pytest.mark.parametrize("name", ["custom", "mistral", "openai", "gemini"])
def test_requests_with_pictures_begin_with_the_one_before(name: str) -> None:
    whole = [user("Hi", pictures=(SHOT,)), assistant("Nice."), *results(), user("Bye", pictures=(LOST,))]
    ends = [length for length in range(1, len(whole) + 1) if [*whole, user("")][length].role != "tool"]
    sent = [body(request(seeing(name), *whole[:length], images=IMAGES, session="s")) for length in ends]
    for shorter, longer in pairwise(sent):
        assert longer.startswith(shorter[:-2]) and shorter.endswith(b"]}")


@pytest.mark.parametrize("wire", ["chat", "responses", "messages"])
async def test_a_picture_that_is_refused_does_not_end_the_conversation(asking: Ask, wire: str) -> None:
    told = {"error": {"code": "image_parse_error", "message": "The image could not be processed."}}
    async with scripted(fails(400, told), fails(400, told)) as server:
        with pytest.raises(ModelError) as caught:
            await asking(key="k").reply(
                request(seeing("env", server.url, wire=wire), user("What?", pictures=(SHOT,)), images=IMAGES)
            )
        bodies = [received.body.decode() for received in server.requests]
    assert caught.value.code == "unsupported"
    assert len(bodies) == 2 and base64.b64encode(DOT).decode() in bodies[0]
    assert base64.b64encode(DOT).decode() not in bodies[1] and "shot.png" in bodies[1]


async def test_other_refusals_keep_the_pictures(asking: Ask) -> None:
    told = {"error": {"code": "bad", "message": "No such model."}}
    async with scripted(fails(400, told)) as server:
        with pytest.raises(ModelError):
            await asking().reply(
                request(seeing("env", server.url), user("What?", pictures=(SHOT,)), images=IMAGES)
            )
        with pytest.raises(ModelError):
            await asking().reply(request(seeing("env", server.url), user("image"), images=IMAGES))
        assert len(server.requests) == 2


async def test_a_picture_on_a_real_socket(asking: Ask) -> None:
    async with scripted(says("A dot.")) as server:
        to = seeing("env", server.url)
        reply = await asking().reply(request(to, user("What?", pictures=(SHOT,)), images=IMAGES))
        received = server.requests[0].json["messages"][0]["content"][1]["image_url"]["url"]
    assert reply.text == "A dot."
    assert base64.b64decode(received.partition(",")[2]) == DOT

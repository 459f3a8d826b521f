"""Answers over the Responses wire: every event that brings something, and all the ways in which they end."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest

from app.errors import ModelError
from app.models.answer import Bounds, Patience
from app.models.profile import Profile
from app.models.request import CallPart, ModelEvent, Reasoning, Reply, Restarted, Text, Waiting
from app.models.responses.layout import FIELD
from tests.servers.responses import (
    BLOB,
    answers,
    arrives,
    called,
    ends,
    event,
    message,
    response,
    streams,
    thought,
    usage,
)
from tests.servers.scripted import Exchange, Script, chunk, fails, scripted
from tests.wires.asking import Ask, assistant, call, profile, request, user


def speaking(url: str, name: str = "env", **quirks: Any) -> Profile:
    """A profile that speaks Responses."""
    return msgspec.structs.replace(profile(name, url, **quirks), wire="responses")


async def events_of(asking: Ask, *scripts: Script, **fields: Any) -> list[ModelEvent]:
    """All events of one request to a server that plays scripts."""
    async with scripted(*scripts) as server:
        return await asking(**fields).events(request(speaking(server.url)))


async def reply_of(asking: Ask, *scripts: Script, **fields: Any) -> Reply:
    """The whole answer."""
    last = (await events_of(asking, *scripts, **fields))[-1]
    return last.reply  # type: ignore[union-attr]


async def failure(asking: Ask, *scripts: Script, **fields: Any) -> tuple[ModelError, int]:
    """The error that scripts lead to, and how many requests were made."""
    async with scripted(*scripts) as server:
        with pytest.raises(ModelError) as caught:
            await asking(key="sk-secret-0123456789", **fields).reply(request(speaking(server.url)))
        return caught.value, len(server.requests)


async def test_text_comes_in_pieces_and_whole(asking: Ask) -> None:
    events = await events_of(asking, answers(message("Hello 🍍 there")))
    assert [one.text for one in events if isinstance(one, Text)] == ["Hello ", "🍍 there"]
    reply = events[-1].reply
    assert (reply.text, reply.finish, reply.model) == ("Hello 🍍 there", "stop", "test-model-2026")
    assert reply.extra == {} and reply.usage.exact


async def test_counts_of_tokens(asking: Ask) -> None:
    counts = usage(50, 1000, cached=800, written=100, reasoning=40)
    reply = await reply_of(asking, answers(message("x"), usage=counts))
    assert msgspec.to_builtins(reply.usage) == {
        "input": 1000, "output": 50, "cached": 800, "written": 100, "reasoning": 40, "exact": True,
    }  # fmt: skip


async def test_an_answer_without_counts_is_estimated(asking: Ask) -> None:
    reply = await reply_of(asking, answers(message("some words"), usage=None))
    assert not reply.usage.exact and reply.usage.input > 0 and reply.usage.output > 0


async def test_parallel_calls_grow_side_by_side_under_changing_item_ids(asking: Ask) -> None:
    one = arrives(0, called("call_1", "read_file", {"path": "ä\u2028"}))
    two = arrives(1, called("call_2", "list_dir", {}))
    mixed = [
        two[0],
        one[0],
        *(item for pair in zip(one[1:-1], two[1:] + [None] * 99, strict=False) for item in pair if item),
    ]
    events = await events_of(asking, streams(*mixed, one[-1], ends()))
    calls = [(one.id, one.name, json.loads(one.arguments)) for one in events[-1].reply.calls]
    assert sorted(calls) == [("call_1", "read_file", {"path": "ä\u2028"}), ("call_2", "list_dir", {})]
    assert events[-1].reply.finish == "calls"
    parts = [one for one in events if isinstance(one, CallPart)]
    assert {part.index for part in parts} == {0, 1}
    assert max(part.size for part in parts if part.name == "read_file") == len('{"path": "\\u00e4\\u2028"}')


async def test_reasoning_text_and_calls_keep_their_order(asking: Ask) -> None:
    output = (
        thought("First I look.", "Then I think."),
        message("I look.", phase="commentary"),
        called("c1", "read_file", {"path": "a"}),
        message("Done.", phase="final_answer"),
    )
    events = await events_of(asking, answers(*output))
    reply = events[-1].reply
    assert "".join(one.text for one in events if isinstance(one, Text)) == reply.text == "I look.\n\nDone."
    assert "".join(one.text for one in events if isinstance(one, Reasoning)) == reply.reasoning
    assert reply.reasoning == "First I look.\n\nThen I think."
    summary = [{"type": "summary_text", "text": text} for text in ("First I look.", "Then I think.")]
    assert reply.extra == {
        FIELD: [
            {"type": "reasoning", "summary": summary, "encrypted_content": BLOB},
            {"type": "message", "size": 7, "phase": "commentary"},
            {"type": "function_call", "call_id": "c1"},
            {"type": "message", "size": 5, "phase": "final_answer"},
        ]
    }


async def test_a_summary_that_was_not_streamed_is_shown_at_the_end_of_its_item(asking: Ask) -> None:
    item = thought("Not streamed.")
    events = await events_of(asking, streams(event("output_item.done", output_index=0, item=item), ends()))
    assert events[-1].reply.reasoning == "Not streamed."


async def test_open_reasoning_is_shown_once(asking: Ask) -> None:
    place = {"output_index": 0, "item_id": "x"}
    item = {"type": "reasoning", "summary": [], "content": [{"type": "reasoning_text", "text": "Hmm."}]}
    shown = [
        event("output_item.added", item={"type": "reasoning"}, **place),
        event("reasoning_text.delta", delta="Hm", content_index=0, **place),
        event("reasoning_summary_text.delta", delta="Hm", summary_index=0, **place),
        event("reasoning_text.done", text="Hmm.", content_index=0, **place),
        event("output_item.done", item=item, **place),
    ]
    reply = await reply_of(asking, streams(*shown, ends()))
    assert (reply.reasoning, reply.extra) == ("Hmm.", {})


async def test_a_refusal_is_text_and_a_refused_answer(asking: Ask) -> None:
    item = {
        "type": "message",
        "role": "assistant",
        "content": [{"type": "refusal", "refusal": "I will not."}],
    }
    for script in (answers(item), streams(event("output_item.done", output_index=0, item=item), ends())):
        reply = await reply_of(asking, script)
        assert (reply.text, reply.finish) == ("I will not.", "refused")


async def test_unknown_kinds_are_skipped(asking: Ask) -> None:
    odd = [
        event("steer.accepted", text="x"),
        event("web_search_call.searching", output_index=0),
        event("output_item.added", output_index=0, item={"type": "web_search_call", "id": "ws"}),
        event("output_item.done", output_index=0, item={"type": "web_search_call", "id": "ws"}),
        event("output_item.added", output_index=1, item="odd"),
        event("output_text.annotation.added", output_index=2, annotation={}),
        {"type": "keepalive"},
        {"type": "response.function_call_arguments.delta", "output_index": 9, "delta": 7},
    ]
    reply = await reply_of(asking, streams(*odd, *arrives(2, message("fine")), ends()))
    assert (reply.text, reply.calls) == ("fine", ())


async def test_events_without_an_index_or_a_beginning(asking: Ask) -> None:
    bare = [
        event("output_text.delta", delta="I "),
        event("output_text.delta", delta="look."),
        event("output_item.done", item=message("I look.")),
        event("output_item.done", item=called("c1", "read_file", {"path": "a"})),
        event("output_item.done", item=called("c2", "list_dir", "")),
    ]
    done = ends(message("I look."), called("c1", "read_file", {"path": "a"}), called("c2", "list_dir", ""))
    reply = await reply_of(asking, streams(*bare, done))
    assert reply.text == "I look."
    assert [(one.id, one.arguments) for one in reply.calls] == [("c1", '{"path": "a"}'), ("c2", "{}")]


async def test_the_last_event_brings_what_was_never_streamed(asking: Ask) -> None:
    reply = await reply_of(
        asking, streams(ends(thought("Hm."), message("All"), called("c1", "list_dir", {})))
    )
    assert (reply.text, reply.reasoning, [one.id for one in reply.calls]) == ("All", "Hm.", ["c1"])


async def test_the_name_of_an_event_stands_in_for_its_type(asking: Ask) -> None:
    async def script(exchange: Exchange) -> None:
        await exchange.head()
        for payload in [*arrives(0, message("named")), ends()]:
            kind = payload.pop("type")
            await exchange.send(f"event: {kind}\ndata: {json.dumps(payload)}\n\n".encode())
        await exchange.end()

    assert (await reply_of(asking, script)).text == "named"


async def test_the_arguments_at_the_end_are_the_ones_that_count(asking: Ask) -> None:
    whole = '{"path":"right"}'
    begun, *_, last = arrives(0, called("c1", "read_file", whole))
    wrong = event("function_call_arguments.delta", output_index=0, delta='{"path":"wro')
    assert (await reply_of(asking, streams(begun, wrong, last, ends()))).calls[0].arguments == whole
    raw = '{"path":"a\nb"}'
    reply = await reply_of(asking, answers(called("c1", "read_file", raw)))
    assert json.loads(reply.calls[0].arguments) == {"path": "a\nb"}


async def test_ids_that_are_missing_or_taken_are_made_anew(asking: Ask) -> None:
    output = answers(called("", "list_dir", {}), called("c1", "list_dir", {}), called("c1", "list_dir", {}))
    async with scripted(output) as server:
        before = (user("x"), assistant("", call("c1")))
        reply = await asking().reply(request(speaking(server.url), *before))
    assert [one.id for one in reply.calls] == ["minted_1", "minted_2", "minted_3"]


async def test_halves_of_a_letter_are_joined(asking: Ask) -> None:
    async def script(exchange: Exchange) -> None:
        await exchange.head()
        for half in ("x\\ud83d", "\\ude00y\\ud83d"):
            data = f'{{"type":"response.output_text.delta","output_index":0,"delta":"{half}"}}'
            await exchange.send(f"data: {data}\n\n".encode())
        await exchange.events(ends())
        await exchange.end()

    assert (await reply_of(asking, script)).text == "x😀y"


async def test_an_answer_that_hits_the_limit_gives_no_half_call(asking: Ask) -> None:
    half = {**called("c2", "read_file", '{"path":'), "status": "incomplete"}
    cut = {"incomplete_details": {"reason": "max_output_tokens"}}
    events = [*arrives(0, message("So")), *arrives(1, called("c1", "list_dir", {})), *arrives(2, half)[:-2]]
    last = event("incomplete", response=response("incomplete", **cut))
    reply = await reply_of(asking, streams(*events, last))
    assert (reply.text, reply.finish, [one.id for one in reply.calls]) == ("So", "calls", ["c1"])
    whole = event("incomplete", response=response("incomplete", message("So"), half, **cut))
    reply = await reply_of(asking, streams(whole))
    assert (reply.text, reply.finish, reply.calls) == ("So", "length", ())


async def test_a_filter_makes_a_refused_answer(asking: Ask) -> None:
    cut = {"incomplete_details": {"reason": "content_filter"}}
    last = event("incomplete", response=response("incomplete", **cut))
    reply = await reply_of(asking, streams(*arrives(0, message("So")), last))
    assert (reply.text, reply.finish) == ("So", "refused")


@pytest.mark.parametrize(
    ("error", "code", "count"),
    [
        ({"code": "rate_limit_exceeded", "message": "Try again in 20 s."}, "rate_limit", 6),
        ({"code": "insufficient_quota", "message": "You exceeded your current quota."}, "no_credit", 1),
        (
            {"code": "context_length_exceeded", "message": "Your input exceeds the context window."},
            "overflow",
            1,
        ),
        ({"code": "invalid_prompt", "message": "Your prompt was flagged."}, "content_refused", 1),
    ],
)
@pytest.mark.parametrize("form", ["failed", "error", "nested"])
async def test_errors_in_the_stream(
    asking: Ask, form: str, error: dict[str, Any], code: str, count: int
) -> None:
    told = {
        "failed": event("failed", response=response("failed", error=error)),
        "error": {"type": "error", "param": None, **error},
        "nested": {"type": "error", "error": {"type": "some_error", "param": None, **error}},
    }[form]
    caught, made = await failure(asking, streams(event("created", response=response("in_progress")), told))
    assert (caught.code, made) == (code, count)
    assert error["message"] in caught.problem.detail


@pytest.mark.parametrize(
    ("told", "count"),
    [
        (event("failed", response=response("failed", error={"code": "server_error", "message": "Oops."})), 3),
        ({"type": "error", "code": "server_error", "message": "Oops."}, 3),
        ({"type": "error", "code": "vector_store_timeout", "message": "Oops."}, 1),
        (event("failed", response=response("failed", error=None)), 1),
        (event("cancelled", response=response("cancelled")), 1),
    ],
)
async def test_a_server_that_gives_up_is_asked_again_where_that_may_help(
    asking: Ask, told: dict[str, Any], count: int
) -> None:
    caught, made = await failure(asking, streams(told))
    assert (caught.code, made) == ("server_error", count)


@pytest.mark.parametrize("sentinel", [False, True])
async def test_a_stream_without_its_last_event_is_cut_and_tried_again(asking: Ask, sentinel: bool) -> None:
    async def cut(exchange: Exchange) -> None:
        await exchange.head()
        await exchange.events(*arrives(0, message("I lo")), *arrives(1, called("c1", "list_dir", {}))[:2])
        await exchange.events(*(["[DONE]"] if sentinel else []))
        await exchange.end()

    caught, count = await failure(asking, cut)
    assert (caught.code, count) == ("cut_stream", 3)
    events = await events_of(asking, cut, answers(message("Whole")))
    kinds = [type(one) for one in events]
    assert kinds.index(Text) < kinds.index(Waiting) < kinds.index(Restarted)
    assert (events[-1].reply.text, events[-1].reply.calls) == ("Whole", ())


async def test_a_socket_that_stays_open_after_the_last_event_is_not_waited_for(asking: Ask) -> None:
    async def script(exchange: Exchange) -> None:
        await exchange.head()
        await exchange.events(*arrives(0, message("fine")), ends())
        await exchange.gone()

    reply = await reply_of(asking, script, patience=Patience(between=300, grace=300))
    assert reply.text == "fine"


async def test_what_follows_the_last_event_is_no_error(asking: Ask) -> None:
    async def script(exchange: Exchange) -> None:
        await exchange.head()
        await exchange.events(*arrives(0, message("fine")), ends(), "[DONE]", "{broken")
        exchange.abort()

    assert (await reply_of(asking, script)).text == "fine"


@pytest.mark.parametrize("data", ["{broken", "[]", '"text"', "null"])
async def test_what_is_no_event_is_a_bad_reply(asking: Ask, data: str) -> None:
    async def script(exchange: Exchange) -> None:
        await exchange.head()
        await exchange.events(data)
        await exchange.end()

    caught, count = await failure(asking, script)
    assert (caught.code, count) == ("bad_reply", 1)


async def test_answers_without_end_are_cut(asking: Ask) -> None:
    async def talks(exchange: Exchange) -> None:
        await exchange.head()
        while True:
            await exchange.events(event("output_text.delta", output_index=0, delta="x" * 500))

    async def opens(exchange: Exchange) -> None:
        await exchange.head()
        for number in range(100_000):
            item = {"type": "web_search_call", "id": f"w{number}"}
            await exchange.events(event("output_item.added", output_index=number, item=item))

    for script in (talks, opens):
        caught, count = await failure(asking, script, bounds=Bounds(characters=20_000))
        assert (caught.code, count) == ("endless", 1)


def whole(payload: Any) -> Script:
    """An answer that is not streamed."""
    return fails(200, payload)


async def test_an_answer_that_is_not_streamed(asking: Ask) -> None:
    output = (thought("Hm."), message("Look"), called("c1", "list_dir", {}))
    for payload in (response("completed", *output), ends(*output)):
        reply = await reply_of(asking, whole(payload))
        assert (reply.text, reply.reasoning, reply.finish) == ("Look", "Hm.", "calls")
        assert reply.usage.exact and reply.extra[FIELD][0]["encrypted_content"] == BLOB
    cut = response("incomplete", message("Lo"), incomplete_details={"reason": "max_output_tokens"})
    assert (await reply_of(asking, whole(cut))).finish == "length"


@pytest.mark.parametrize(
    ("payload", "code"),
    [
        (response("failed", error={"code": "server_error", "message": "x"}), "server_error"),
        ({"error": {"code": "insufficient_quota", "message": "x"}}, "no_credit"),
        (response("in_progress"), "cut_stream"),
        ({"object": "chat.completion", "choices": []}, "bad_reply"),
        ([], "bad_reply"),
    ],
)
async def test_whole_answers_that_are_none(asking: Ask, payload: Any, code: str) -> None:
    caught, _ = await failure(asking, whole(payload))
    assert caught.code == code


async def test_chat_chunks_on_this_wire_are_no_answer(asking: Ask) -> None:
    async def script(exchange: Exchange) -> None:
        await exchange.head()
        await exchange.events(chunk({"content": "hi"}, "stop"), "[DONE]")
        await exchange.end()

    caught, _ = await failure(asking, script)
    assert caught.code == "cut_stream"

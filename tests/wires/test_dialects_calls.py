"""How calls are put together from what each dialect streams; numbers are those of facts, providers 1.2."""

from __future__ import annotations

import json

from app.models.request import CallPart, Text
from tests.servers.scripted import (
    calls,
    chunk,
    piece,
    scripted,
    streams,
)
from tests.wires.asking import Ask, assistant, call, called, made, profile, request, result, user

A, B = '{"path":"a"}', '{"path":"b"}'


async def test_01_ollama_gives_every_call_index_0_with_an_id_of_its_own(asking: Ask) -> None:
    found = await called(
        asking, made(piece(0, "a1", "read_file", A), piece(0, "b1", "read_file", B)), "custom"
    )
    assert found == [("a1", "read_file", A), ("b1", "read_file", B)]


async def test_01_a_missing_index_with_ids(asking: Ask) -> None:
    found = await called(asking, made(piece(None, "a1", "read_file", A), piece(None, "b1", "list_dir", "{}")))
    assert found == [("a1", "read_file", A), ("b1", "list_dir", "{}")]


async def test_02_litellm_runs_the_arguments_of_two_calls_together(asking: Ask) -> None:
    found = await called(asking, made(piece(0, "a1", "read_file", A), piece(0, None, None, B)))
    assert [(name, arguments) for _, name, arguments in found] == [
        ("read_file", json.dumps(json.loads(A))),
        ("read_file", json.dumps(json.loads(B))),
    ]
    assert len({id_ for id_, _, _ in found}) == 2


async def test_03_gemini_goes_on_with_the_last_call_without_index_or_id(asking: Ask) -> None:
    found = await called(
        asking,
        made(
            piece(None, "a1", "read_file", '{"pa'),
            piece(None, None, None, 'th":"a"}'),
            piece(None, "b1", "read_file", B),
        ),
    )
    assert found == [("a1", "read_file", A), ("b1", "read_file", B)]


async def test_04_parallel_calls_that_all_have_index_0_and_come_in_pieces(asking: Ask) -> None:
    found = await called(
        asking,
        made(
            piece(0, "a1", "read_file", ""),
            piece(0, None, None, A),
            piece(0, "b1", "list_dir", ""),
            piece(0, None, None, "{}"),
        ),
    )
    assert found == [("a1", "read_file", A), ("b1", "list_dir", "{}")]


async def test_05_a_missing_id_is_minted_and_used_in_the_reply(asking: Ask) -> None:
    found = await called(asking, made(piece(0, None, "read_file", A), piece(1, None, "read_file", B)))
    assert found == [("minted_1", "read_file", A), ("minted_2", "read_file", B)]


async def test_05_calls_without_ids_on_one_index(asking: Ask) -> None:
    found = await called(asking, made(piece(0, None, "read_file", A), piece(0, None, "read_file", B)))
    assert [arguments for _, _, arguments in found] == [A, B]


async def test_05_an_id_that_the_conversation_used_before_is_replaced(asking: Ask) -> None:
    async with scripted(made(piece(0, "call_0", "read_file", B))) as server:
        history = (user("x"), assistant("", call("call_0")), result("call_0"), user("y"))
        reply = await asking().reply(request(profile("env", server.url), *history))
    assert reply.calls[0].id == "minted_1"


async def test_05_one_id_for_several_indexes_is_a_call_each(asking: Ask) -> None:
    found = await called(asking, made(piece(0, "same", "read_file", A), piece(1, "same", "read_file", B)))
    assert [arguments for _, _, arguments in found] == [A, B]
    assert found[0][0] == "same" != found[1][0]


async def test_06_an_empty_id_counts_as_none(asking: Ask) -> None:
    found = await called(
        asking,
        made(piece(0, "a1", "read_file", '{"pa'), piece(0, "", None, 'th":'), piece(0, "", "", '"a"}')),
    )
    assert found == [("a1", "read_file", A)]
    found = await called(asking, made(piece(0, "", "read_file", A)))
    assert found[0][0].startswith("minted")


async def test_06_name_and_id_repeated_in_every_piece(asking: Ask) -> None:
    found = await called(
        asking,
        made(
            piece(0, "a1", "read_file", '{"pa'),
            piece(0, "a1", "read_file", 'th":"a"}'),
            piece(0, "a1", "read_file", ""),
        ),
    )
    assert found == [("a1", "read_file", A)]
    found = await called(
        asking,
        made(
            piece(0, None, "read_file", '{"pa'),
            piece(0, None, "read_file", 'th":"a"}'),
            piece(0, None, "read_file", ""),
        ),
    )
    assert [arguments for _, _, arguments in found] == [A]


async def test_07_no_arguments_are_an_empty_object(asking: Ask) -> None:
    found = await called(asking, made(piece(0, "a1", "list_dir", ""), piece(1, "b1", "list_dir")))
    assert found == [("a1", "list_dir", "{}"), ("b1", "list_dir", "{}")]


async def test_07_arguments_sent_as_an_object(asking: Ask) -> None:
    found = await called(
        asking, made({"index": 0, "id": "a1", "function": {"name": "read_file", "arguments": {"path": "ä"}}})
    )
    assert json.loads(found[0][2]) == {"path": "ä"}


async def test_07_raw_line_ends_in_the_strings_of_arguments_become_valid_json(asking: Ask) -> None:
    found = await called(asking, made(piece(0, "a1", "read_file", '{"path":"a\nb"}')))
    assert json.loads(found[0][2]) == {"path": "a\nb"}


async def test_copilot_splits_text_and_calls_over_several_choices(asking: Ask) -> None:
    both = chunk({"content": "I look."})
    both["choices"].append({"index": 1, "delta": {"tool_calls": [piece(0, "a1", "read_file", A)]}})
    both["choices"].append({"index": 2, "delta": {"tool_calls": [piece(0, "b1", "list_dir", "{}")]}})
    async with scripted(streams({"choices": []}, both, chunk(finish="tool_calls"))) as server:
        reply = await asking().reply(request(profile("env", server.url)))
    assert (reply.text, [one.id for one in reply.calls]) == ("I look.", ["a1", "b1"])


async def test_the_old_form_of_a_call(asking: Ask) -> None:
    deltas = [
        {"function_call": {"name": "read_file", "arguments": '{"pa'}},
        {"function_call": {"arguments": 'th":"a"}'}},
    ]
    found = await called(asking, streams(*map(chunk, deltas), chunk(finish="function_call")))
    assert found == [("minted_1", "read_file", A)]


async def test_call_parts_tell_name_and_size(asking: Ask) -> None:
    async with scripted(calls(("read_file", {"path": "a"}), ("list_dir", {}))) as server:
        events = await asking().events(request(profile("env", server.url)))
    parts = [(event.index, event.name, event.size) for event in events if isinstance(event, CallPart)]
    assert parts == [
        (0, "read_file", 0),
        (0, "read_file", 5),
        (0, "read_file", 13),
        (1, "list_dir", 0),
        (1, "list_dir", 2),
        (1, "list_dir", 2),
    ]
    assert not [event for event in events if isinstance(event, Text)]

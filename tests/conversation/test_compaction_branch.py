"""A summary belongs to its branch: what stands before it, what it keeps, and what is told again after it."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from app.conversation.budget import Budget, Gauge
from app.conversation.effective import effective, ends, kept_of, shortened
from app.conversation.fence import for_model
from app.conversation.splitting import portions, split
from app.conversation.summary import around, listed, useful
from app.errors import BrambleError
from app.models.profile import Profile
from app.models.request import ModelRequest
from app.records import Compaction, Mark, Message, ToolCall, TurnOptions, Usage, View
from app.store import messages as stored
from app.toolbox.activation import Evidence
from tests.conversation.long_talk import SmallModel, Talk, summary
from tests.servers.scripted import scripted

PROFILE = Profile(name="p")
REQUEST = ModelRequest(profile=PROFILE, model="m", system="s")


def said(name: str, role: str, text: str = "", **fields: object) -> Message:
    """Return a message; `name` is its id, the order of the alphabet that of time."""
    fields = {"created": float(ord(name[0])), "parent": None, "turn": "t", "session": "s", **fields}
    return Message(id=name, role=role, text=text, **fields)  # type: ignore[arg-type]


def called(name: str, tool: str = "read_file", **fields: object) -> list[Message]:
    """Return an answer with one call, and its result."""
    call = ToolCall(id=f"call-{name}", name=tool, arguments='{"path": "x"}')
    return [
        said(name, "assistant", calls=(call,), **fields),
        said(f"{name}r", "tool", "result", call=call.id, tool=tool),
    ]


BRANCH = [
    said("a", "user", "first"),
    *called("b"),
    said("c", "user", "second"),
    *called("d"),
]
SUMMARY = said("e", "summary", "## Goal\nx", parent="dr", compaction=Compaction(kept="c"))


def ids(history: list[Message]) -> str:
    return " ".join(message.id for message in history)


def test_the_newest_summary_and_what_it_keeps_stand_for_the_branch() -> None:
    branch = [*BRANCH, SUMMARY, *called("f")]
    assert ids(effective(branch)) == "e c d dr f fr"
    later = said("g", "summary", "## Goal\ny", parent="fr", compaction=Compaction(kept="d"))
    assert ids(effective([*branch, later, said("h", "user", "third")])) == "g d dr f fr h"


def test_a_branch_without_the_summary_is_whole_again() -> None:
    assert ids(effective(BRANCH)) == "a b br c d dr"
    assert ids(effective([*BRANCH[:3], said("x", "user", "otherwise")])) == "a b br x"


@pytest.mark.parametrize("broken", [Compaction(kept="nowhere"), None])
def test_a_summary_that_cannot_be_placed_hides_nothing(broken: Compaction | None) -> None:
    lost = said("e", "summary", "text", compaction=broken)
    assert ids(effective([*BRANCH, lost])) == "a b br c d dr"


def test_kept_texts_are_cut_and_calls_stay_sound_json() -> None:
    call = ToolCall(id="1", name="write_file", arguments='{"path": "p", "content": "' + "x" * 5_000 + '"}')
    short = shortened(said("a", "assistant", "y" * 5_000, calls=(call,)), 300)
    assert len(short.text) < 450 and "left out here" in short.text
    assert len(short.calls[0].arguments) < 600 and short.calls[0].arguments.endswith('"}')
    found = said("b", "tool", "z" * 5_000, tool="find_tools")
    assert shortened(found, 300) == found, "a tool is active while its whole schema is there"
    assert ends("short", 300) == "short"


def test_what_a_provider_counted_before_the_summary_is_not_the_size_after_it() -> None:
    old = said("d", "assistant", "answer", usage=Usage(input=9_000, output=10), model="p/m")
    branch = [said("a", "user", "first"), said("c", "user", "second"), old]
    gauge = Gauge()
    assert gauge.size(REQUEST, effective(branch)).total == 9_010
    node = said("e", "summary", "## Goal\nx", parent="d", compaction=Compaction(kept="c"))
    history = effective([*branch, node])
    assert kept_of(history) == 3
    assert gauge.size(REQUEST, history).total < 100 and gauge.size(REQUEST, history).counted == 0
    fresh = said("f", "assistant", "answer", usage=Usage(input=500, output=10), model="p/m")
    assert gauge.size(REQUEST, effective([*branch, node, fresh])).total == 510


def test_the_summary_is_said_to_the_model_and_names_no_hosts_of_the_person() -> None:
    (node,) = for_model([SUMMARY])
    assert node.role == "user" and node.text == SUMMARY.text


def test_a_split_keeps_calls_with_results_and_is_never_empty() -> None:
    history = [*BRANCH, said("x", "user", "now " * 400)]
    gauge = Gauge()
    place = split(history, 60, gauge.of)
    assert history[place.kept].id == "x" and place.cut > 0
    for tail in range(0, 2_000, 7):
        place = split(BRANCH, tail, gauge.of)
        assert place.kept < len(BRANCH) and BRANCH[place.kept].role != "tool"
    long = [message for n in range(30) for message in called(chr(ord("A") + n))]
    parts = list(portions(long, 120, gauge.of))
    assert [one for part in parts for one in part] == long
    assert len(parts) > 3 and all(part[0].role != "tool" for part in parts)


def test_the_budget_scales_with_the_window() -> None:
    assert (Budget(128_000).full, Budget(128_000).tail, Budget(128_000).summary) == (102_400, 20_000, 4_000)
    assert (Budget(8_192).full, Budget(8_192).tail, Budget(8_192).summary) == (6_553, 2_048, 1_024)


@pytest.mark.parametrize("form", ["## {}\n- x", "**{}**\nx", "### {}:\nx", "{}: x"])
def test_a_summary_is_known_by_its_headings(form: str) -> None:
    names = ("Goal", "Constraints", "Done", "Decisions", "Open", "Files touched")
    found = useful("Here it is:\n" + "\n".join(form.format(name) for name in names), 1_000)
    assert found is not None and found.startswith("## Goal\n") and "## Files touched\n" in found


def test_what_is_no_summary_is_refused_and_a_long_one_is_cut_under_each_heading() -> None:
    assert useful("I go on. Goal is near. Open the file.", 1_000) is None
    assert useful(summary(), 1_000) is None, "six headings with nothing below them"
    found = useful(summary(goal="g " * 9_000, open="the last step"), 500)
    assert found is not None and len(found) < 4_000 and "the last step" in found


def test_what_is_left_out_is_listed_with_the_words_of_the_person() -> None:
    found = listed([said("a", "user", "Sort the photos"), *called("b")], 500)
    assert "Sort the photos" in found and "read_file" in found and "## Goal" in found
    alone = "Attached file `/work/plan.md`:\n\n```\nDig the beds\n```"
    found = listed([said("a", "user", f"Read it\n\n{alone}"), said("b", "user", alone)], 500)
    assert "## Goal\n- Read it\n- plan.md\n" in found and "beds" not in found


@pytest.mark.parametrize("by_model", [False, True])
def test_the_task_of_a_helper_is_not_called_words_of_the_person(by_model: bool) -> None:
    words = said("u", "user", "Look for it", by_model=by_model)
    text = around(count=3, pins=(), words=words, files=(), marks=(), room=500)
    assert ("The person's newest message" in text) is not by_model and "<said>\nLook for it\n</said>" in text


def test_evidence_ends_with_the_schema_and_marks_stay() -> None:
    result = said(
        "br", "tool", "schema", call="c1", tool="find_tools", view=View(data={"tools": ["archive"]})
    )
    call = ToolCall(id="c1", name="find_tools")
    branch = [said("a", "user", "x"), said("b", "assistant", calls=(call,)), result, said("c", "user", "y")]
    evidence = Evidence()
    evidence.look(effective(branch))
    assert evidence.names() == ("archive",)
    node = said("e", "summary", "## Goal\nx", parent="c", compaction=Compaction(kept="c"))
    evidence.look(effective([*branch, node]))
    assert evidence.names() == ()


# --- the whole ---------------------------------------------------------------------------------------------


async def test_a_summary_holds_over_a_restart_and_an_edit_above_it_brings_all_back(tmp_path: Path) -> None:
    model = SmallModel(8_192, rounds=8)
    async with scripted(model) as server:
        async with Talk(tmp_path, server.url, 8_192) as talk:
            for number in range(3):
                assert await talk.say(f"Read, part {number}.") == "done"
            history = await talk.engine.sessions.messages(talk.session)
            made = model.summaries
        assert made >= 1
        async with Talk(tmp_path, server.url, 8_192) as talk:  # another process
            model.rounds = 0
            assert await talk.say("And?") == "done"
            assert model.summaries == made, "nothing is summarised again after a restart"
            first, second = model.bodies[-2:]
            again = [str(message["content"]) for message in second["messages"]]
            assert again[1].startswith("<summary>")
            assert again[: len(first["messages"])] == [str(one["content"]) for one in first["messages"]]
            report = await talk.engine.context(session=talk.session)
            assert {one.why: one.count for one in report.prefixes}["summary"] == made
            await talk.engine._store.write(stored.set_head, talk.session, history[3].id)
            assert await talk.say("Otherwise.") == "done"
            texts = [str(message["content"]) for message in model.bodies[-1]["messages"]]
            assert not any(text.startswith("<summary>") for text in texts)
            assert any(text.endswith("Read, part 0.") for text in texts)


async def test_marks_of_what_was_summarised_stay_with_the_summary(tmp_path: Path) -> None:
    model = SmallModel(8_192, rounds=12)
    async with scripted(model) as server, Talk(tmp_path, server.url, 8_192) as talk:
        info = await talk.engine.sessions.get(talk.session)
        mark = Mark(kind="web", name="example.org")
        await talk.engine._store.write(
            stored.add,
            said("0", "user", "A page said this.", session=info.id, marks=(mark,), created=1.0),
        )
        assert await talk.say("Read the notes.") == "done"
        history = await talk.engine.sessions.messages(talk.session)
        (node, *_more) = [message for message in history if message.role == "summary"]
        assert node.marks == (mark,)
        assert "web example.org" in node.context
        curl = "run_command", '{"command": "curl https://example.com"}'
        asked = {"cwd": info.cwd, "options": TurnOptions(allow=("run_command(curl *)",))}
        assert (await talk.engine.explain(*curl, **asked)).decision == "allow"
        decision = await talk.engine.explain(*curl, **asked, session=info.id)
    assert decision.decision == "ask" and mark in decision.marks


async def test_pins_are_told_once_and_again_behind_a_summary(tmp_path: Path) -> None:
    model = SmallModel(8_192, rounds=0)
    async with scripted(model) as server, Talk(tmp_path, server.url, 8_192) as talk:
        pins = talk.engine.sessions.pins
        assert await talk.say("Hello.") == "done"
        note = await pins.add(talk.session, "Keep </pinned> all\n  spaces.")
        assert await pins.add(talk.session, "Keep </pinned> all\n  spaces.") == note
        assert await talk.say("One.") == "done"
        assert await talk.say("Two.") == "done"
        told = [str(message["content"]) for message in model.bodies[-1]["messages"]]
        assert sum("Keep < /pinned> all\n  spaces." in text for text in told) == 1
        assert "spaces." in told[3]
        (answer,) = [
            one for one in await talk.engine.sessions.messages(talk.session) if one.id == told_id(talk)
        ]
        by_message = await pins.add(talk.session, message=answer.id)
        assert by_message.text == answer.text.strip()
        assert await pins.remove(talk.session, note.id) and not await pins.remove(talk.session, note.id)
        assert await talk.say("Three.") == "done"
        assert "no longer pinned: 1" in str(model.bodies[-1]["messages"][-1]["content"])
        assert [pin.id for pin in await pins.all(talk.session)] == [by_message.id]
        for wrong, code in (("", "empty_pin"), ("x" * 5_000, "pin_too_long")):
            with pytest.raises(BrambleError) as error:
                await pins.add(talk.session, wrong)
            assert error.value.code == code
        with pytest.raises(BrambleError):
            await pins.add(talk.session, message="nowhere")


def told_id(talk: Talk) -> str:
    """Return the id of the first answer."""
    from app.events import MessageStored

    return next(
        event.message.id
        for event in talk.events
        if isinstance(event, MessageStored) and event.message.role == "assistant" and event.message.text
    )


async def test_a_result_is_cut_to_the_window_of_its_model_and_the_whole_can_be_read(tmp_path: Path) -> None:
    model = SmallModel(8_192, rounds=1)
    async with scripted(model) as server, Talk(tmp_path, server.url, 8_192) as talk:
        (talk.folder / "note-0.txt").write_text("".join(f"line {n} is here\n" for n in range(2_000)))
        assert await talk.say("Read.") == "done"
        history = await talk.engine.sessions.messages(talk.session)
    (result,) = [message for message in history if message.role == "tool"]
    assert 3_000 < len(result.text) < 4_700
    assert "left out here" in result.text


async def test_no_two_messages_of_the_person_stand_in_a_row(tmp_path: Path) -> None:
    """Templates of some local models refuse them."""
    model = SmallModel(8_192, rounds=0)
    async with scripted(model) as server, Talk(tmp_path, server.url, 8_192) as talk:
        for number in range(30):
            assert await talk.say(f"Part {number}. " + "Many words stand here. " * 60) == "done"
    assert model.summaries >= 2
    for body in model.bodies:
        roles = [message["role"] for message in body["messages"]]
        assert all(one != two for one, two in itertools.pairwise(roles))

"""The turn as a loop over parts: order of calls, barriers, limits, steering and endings."""

from __future__ import annotations

import asyncio
import itertools

import msgspec

from app.conversation.limits import Tally, same_result
from app.conversation.turn import Parts, run_turn
from app.errors import ModelError
from app.records import Message, Problem, ToolCall, Usage
from app.settings import Limits

USER = Message(id="u", session="s", parent=None, turn="t", role="user", created=0.0, text="go")


def answer(*calls: ToolCall, text: str = "", finish: str = "stop", usage: Usage | None = None) -> Message:
    return Message(
        id="a",
        session="s",
        parent="u",
        turn="t",
        role="assistant",
        created=0.0,
        text=text,
        calls=calls,
        finish=finish,
        usage=usage,
    )


def call(name: str, arguments: str = "{}", id: str = "") -> ToolCall:
    return ToolCall(id=id or f"{name}-{arguments}", name=name, arguments=arguments)


class Scene:
    """A scripted model and tools that write down what happened, in order."""

    def __init__(
        self, *answers: Message | Exception, result: str = "", reads: tuple[str, ...] = ("read_file",)
    ) -> None:
        self.answers = iter(answers)
        self.result = result
        self.log: list[str] = []
        self.choices: list[str] = []
        self.waiting: list[list[Message]] = []
        self.reading = reads
        self.count = itertools.count()
        self.gates: dict[str, asyncio.Event] = {}

    async def ask_model(self, history: list[Message], choice: str, round: int) -> Message:
        self.choices.append(choice)
        found = next(self.answers)
        if isinstance(found, Exception):
            raise found
        return found

    async def run_call(self, message: Message, one: ToolCall) -> Message:
        self.log.append(f"start {one.name}")
        if one.name in self.gates:
            await self.gates[one.name].wait()
        await asyncio.sleep(0)
        self.log.append(f"end {one.name}")
        return self.tool(one, self.result or str(next(self.count)))

    async def skip_call(self, message: Message, one: ToolCall, why: str) -> Message:
        self.log.append(f"skip {one.name}")
        return self.tool(one, why)

    def tool(self, one: ToolCall, text: str) -> Message:
        return Message(
            id="r",
            session="s",
            parent="a",
            turn="t",
            role="tool",
            created=0.0,
            call=one.id,
            tool=one.name,
            text=text,
        )

    async def steered(self) -> list[Message]:
        return self.waiting.pop(0) if self.waiting else []

    def parts(self, cap: Problem | None = None, **limits: int) -> Parts:
        return Parts(
            ask_model=self.ask_model,
            run_call=self.run_call,
            skip_call=self.skip_call,
            reads=lambda one: one.name in self.reading,
            steered=self.steered,
            cap=lambda tally: cap,
            limits=Limits(**limits),
        )


async def test_an_answer_of_nothing_is_no_answer() -> None:
    for text in ("", " \n"):
        ended = await run_turn(Scene(answer(text=text)).parts(), [USER])
        assert (ended.stop, ended.problem) == ("failed", Problem(code="empty_answer"))
    worked = Scene(answer(call("write_file")), answer())
    assert (await run_turn(worked.parts(), [USER])).stop == "done"
    assert (await run_turn(Scene(answer(finish="length")).parts(), [USER])).stop == "length"


async def test_calls_are_run_and_their_results_go_back() -> None:
    scene = Scene(answer(call("read_file")), answer(text="done"))
    history = [USER]
    ending = await run_turn(scene.parts(), history)
    assert (ending.stop, ending.rounds) == ("done", 2)
    assert [message.role for message in history] == ["user", "assistant", "tool", "assistant"]


async def test_reading_calls_run_side_by_side_and_a_change_is_a_barrier() -> None:
    scene = Scene(
        answer(call("read_file", "1"), call("read_file", "2"), call("write_file"), call("read_file", "3")),
        answer(text="x"),
    )
    history = [USER]
    await run_turn(scene.parts(), history)
    assert scene.log[:2] == ["start read_file", "start read_file"]
    assert scene.log[4:] == ["start write_file", "end write_file", "start read_file", "end read_file"]
    assert [message.call for message in history if message.role == "tool"] == [
        "read_file-1",
        "read_file-2",
        "write_file-{}",
        "read_file-3",
    ]


async def test_the_limit_of_rounds_asks_for_a_last_answer_without_calls() -> None:
    scene = Scene(*(answer(call("read_file", str(n))) for n in range(3)), answer(text="so far"))
    ending = await run_turn(scene.parts(rounds=3), [USER])
    assert (ending.stop, ending.rounds, scene.choices) == ("rounds", 3, ["auto", "auto", "auto", "none"])


async def test_the_same_call_with_the_same_result_three_times_ends_the_turn() -> None:
    scene = Scene(*[answer(call("read_file", '{"path": "a"}'))] * 3, answer(text="stuck"), result="same")
    ending = await run_turn(scene.parts(), [USER])
    assert (ending.stop, ending.rounds, scene.choices[-1]) == ("repeat", 3, "none")


async def test_equal_arguments_count_as_the_same_whatever_their_spacing() -> None:
    texts = ['{"a":1,"b":2}', '{"b": 2, "a": 1}', '{ "a":1, "b":2 }']
    scene = Scene(*(answer(call("read_file", text)) for text in texts), answer(text="x"), result="same")
    assert (await run_turn(scene.parts(), [USER])).stop == "repeat"


async def test_other_results_or_polling_are_no_repeat() -> None:
    scene = Scene(*[answer(call("read_file"))] * 4, answer(text="x"))
    assert (await run_turn(scene.parts(), [USER])).stop == "done"
    polling = Scene(
        *[answer(call("job_output"))] * 5, answer(text="x"), result="no news", reads=("job_output",)
    )
    assert (await run_turn(polling.parts(), [USER])).stop == "done"


async def test_two_calls_that_take_turns_with_the_same_results_are_a_repeat_too() -> None:
    scene = Scene(
        *[answer(call("read_file", "1"), call("read_file", "2"))] * 3, answer(text="x"), result="same"
    )
    assert (await run_turn(scene.parts(), [USER])).stop == "repeat"


async def test_calls_over_the_limit_get_a_result_but_are_not_run() -> None:
    scene = Scene(answer(*(call("read_file", str(n)) for n in range(5))), answer(text="x"))
    history = [USER]
    await run_turn(scene.parts(calls_per_round=3), history)
    assert scene.log.count("skip read_file") == 2
    assert len([message for message in history if message.role == "tool"]) == 5


async def test_a_steering_message_enters_before_the_next_request_and_keeps_a_finished_turn_going() -> None:
    scene = Scene(answer(text="done"), answer(text="done again"))
    steer = Message(id="u2", session="s", parent="a", turn="t", role="user", created=0.0, text="also this")
    scene.waiting = [[], [steer]]
    history = [USER]
    ending = await run_turn(scene.parts(), history)
    assert ending.rounds == 2
    assert [message.text for message in history] == ["go", "done", "also this", "done again"]


async def test_a_cap_ends_the_turn_and_answers_its_calls() -> None:
    scene = Scene(answer(call("write_file")))
    history = [USER]
    ending = await run_turn(scene.parts(cap=Problem(code="budget")), history)
    assert (ending.stop, scene.log) == ("budget", ["skip write_file"])
    assert history[-1].role == "tool"


async def test_a_cut_stream_and_a_failed_request_are_told_apart() -> None:
    assert (await run_turn(Scene(ModelError("cut_stream")).parts(), [USER])).stop == "cut"
    ending = await run_turn(Scene(ModelError("bad_key", status=401)).parts(), [USER])
    assert ending.stop == "failed" and ending.problem is not None and ending.problem.code == "bad_key"


async def test_calls_in_a_last_answer_are_not_run() -> None:
    scene = Scene(answer(call("write_file", "1")), answer(call("write_file", "2")))
    history = [USER]
    await run_turn(scene.parts(rounds=1), history)
    assert scene.log == ["start write_file", "end write_file", "skip write_file"]


async def test_how_the_model_ended_is_kept() -> None:
    assert (await run_turn(Scene(answer(text="x", finish="length")).parts(), [USER])).stop == "length"
    assert (await run_turn(Scene(answer(text="x", finish="refused")).parts(), [USER])).stop == "refused"


def test_the_tally_adds_usage_and_forgets_a_cost_that_is_unknown() -> None:
    tally = Tally()
    tally.add(answer(usage=Usage(input=3, output=2)))
    tally.add(answer(usage=Usage(input=1, output=1, exact=False)))
    assert (tally.usage.input, tally.usage.output, tally.usage.exact, tally.cost) == (4, 3, False, None)


async def test_a_small_model_that_repeats_itself_is_asked_for_its_answer() -> None:
    scene = Scene(*[answer(call("write_file", "1"))] * 2, answer(text="done"))
    ending = await run_turn(msgspec.structs.replace(scene.parts(), once=True), [USER])
    assert (ending.stop, scene.choices) == ("done", ["auto", "auto", "none"])
    assert scene.log == ["start write_file", "end write_file", "skip write_file"]


async def test_a_small_model_may_look_again_after_a_change() -> None:
    scene = Scene(
        answer(call("read_file")),
        answer(call("write_file", "1")),
        answer(call("read_file")),
        answer(text="x"),
    )
    await run_turn(msgspec.structs.replace(scene.parts(), once=True), [USER])
    assert [line for line in scene.log if line.startswith("start")] == [
        "start read_file", "start write_file", "start read_file",
    ]  # fmt: skip


def test_only_time_and_place_of_a_result_count_for_nothing() -> None:
    cut = "[About 9 bytes left out here. All of it: /s/{}.txt; go on with read_file from offset 2.]"
    told = f"{{}}\n{cut}\nend\n[exit {{}}; in /w, {{}} s]"
    assert same_result(told.format("a", "one", 0, "0.1")) == same_result(told.format("a", "two", 0, "12.4"))
    assert same_result(told.format("a", "one", 0, "0.1")) != same_result(told.format("b", "one", 0, "0.1"))
    assert same_result(told.format("a", "one", 0, "0.1")) != same_result(told.format("a", "one", 1, "0.1"))

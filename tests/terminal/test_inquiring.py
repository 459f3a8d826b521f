"""Questions of a model at the terminal: what a line means, and the way through `bramble chat`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from app.daily_records import Inquiry, InquiryChoice, InquiryReply
from tests.servers.scripted import calls, says
from tests.terminal.conftest import Bramble, command
from tests.terminal.console import Console
from tests.terminal.model_server import ModelServer
from ui.terminal import inquiring

TEA = Inquiry(
    id="q", session="s", turn="t", question="Which tea?\nSay.",
    choices=(InquiryChoice(text="Assam"), InquiryChoice(text="Mint\x1b[2J", detail="fresh")),
)  # fmt: skip
MANY = Inquiry(id="q", session="s", turn="t", question="Which?", choices=TEA.choices, several=True)


@pytest.mark.parametrize(
    ("inquiry", "line", "reply"),
    [
        (TEA, "1", InquiryReply(picked=("Assam",))),
        (TEA, " green, please ", InquiryReply(text="green, please")),
        (TEA, "/skip", InquiryReply(declined=True)),
        (TEA, None, InquiryReply(declined=True)),
        (MANY, "2, 1", InquiryReply(picked=("Mint\x1b[2J", "Assam"))),
        (MANY, "1 1", InquiryReply(picked=("Assam",))),
        (Inquiry(id="q", session="s", turn="t", question="How many?"), "12", InquiryReply(text="12")),
    ],
)
def test_what_a_line_means(inquiry: Inquiry, line: str | None, reply: InquiryReply) -> None:
    assert inquiring.read(line, inquiry) == reply


@pytest.mark.parametrize(
    ("inquiry", "line"), [(TEA, ""), (TEA, "0"), (TEA, "3"), (TEA, "1,2"), (MANY, "1,9")]
)
def test_what_is_no_answer_is_asked_again(inquiry: Inquiry, line: str) -> None:
    assert isinstance(inquiring.read(line, inquiry), str)


def test_choices_are_numbered_and_hide_nothing() -> None:
    shown = list(inquiring.lines(TEA, lambda text, style: text))
    assert shown[:4] == ["Bramble asks you", "Which tea?", "Say.", "  1. Assam"]
    assert shown[4].startswith("  2. Mint") and "\x1b" not in shown[4] and shown[4].endswith("fresh")


ASK = calls(("ask_user", {"question": "Which tea?", "choices": ["Assam", "Mint"]}))


def said(server: ModelServer) -> str:
    return str(server.requests[-1]["messages"][-1]["content"])


def test_a_question_is_answered_at_the_terminal_and_allows_nothing(
    server: ModelServer, environment: dict[str, str], work: Path
) -> None:
    server.answers = [ASK, says("Ordered.")]
    with Console(command("ask", "--yes", "order tea"), environment, str(work), columns=200) as console:
        shown = console.expect("> ")
        assert "Which tea?" in shown and "2. Mint" in shown and "/skip: rather not answer" in shown
        console.send("9\r")
        console.expect("There are choices from 1 to 2.")
        console.send("2\r")
        console.expect("Ordered.")
        assert console.wait() == 0
    assert said(server) == "Picked: Mint."


def test_where_nobody_is_there_the_model_goes_on_without(server: ModelServer, bramble: Bramble) -> None:
    server.answers = [ASK, says("I took Assam.")]
    ran = bramble("ask", "order tea")
    assert "Nobody is there to be asked" in said(server) and "I took Assam." in ran.out


def test_a_tool_that_is_called_by_itself_may_ask_as_well(environment: dict[str, str], work: Path) -> None:
    arguments = '{"question": "Which tea?", "choices": ["Assam", "Mint"]}'
    with Console(
        command("tools", "call", "ask_user", "--args", arguments), environment, str(work)
    ) as console:
        assert "Which tea?" in console.expect("> ")
        console.send("2\r")
        console.expect("Picked: Mint.")
        assert console.wait() == 0


def test_a_timer_that_is_due_is_told_in_chat_and_put_away(
    server: ModelServer, environment: dict[str, str], work: Path, bramble: Bramble
) -> None:
    wants = json.dumps({"action": "start", "after": "1s", "label": "Tea is ready"})
    assert "Set, verified: Tea is ready" in bramble("tools", "call", "timer", "--args", wants).out
    with Console(command("chat"), environment, str(work), columns=120) as console:
        console.expect("Tea is ready")
        console.send("/quit\r")
        assert console.wait() == 0
    assert "No timer is set." in bramble("tools", "call", "timer", "--args", '{"action": "list"}').out


def test_what_is_only_judged_asks_nobody_and_sets_nothing(server: ModelServer, bramble: Bramble) -> None:
    timer = json.dumps({"action": "start", "after": "1h", "label": "Tea"})
    for tool, arguments, decision in (
        ("timer", timer, "allow"),
        ("translate", json.dumps({"text": "Hello", "to": "Spanish"}), "allow"),
        ("ask_user", json.dumps({"question": "Which?"}), "ask"),
    ):
        ran = bramble("permissions", "explain", "--tool", tool, "--args", arguments, "--json")
        assert json.loads(ran.out)["decision"] == decision, ran
    assert "No timer is set." in bramble("tools", "call", "timer", "--args", '{"action": "list"}').out
    assert not server.requests

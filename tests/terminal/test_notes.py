"""/compact, /pin, /unpin and /effort at the terminal, with the real program and a model on a socket."""

from __future__ import annotations

import json
from pathlib import Path

from tests.conversation.long_talk import summary
from tests.servers.scripted import fails, says
from tests.terminal.conftest import Bramble, command
from tests.terminal.console import Console
from tests.terminal.model_server import ModelServer


def test_notes_are_pinned_shown_and_let_go(bramble: Bramble, server: ModelServer) -> None:
    server.answers = [says("Understood."), says("Still.")]
    lines = [
        "/pin",
        "/pin Never touch the archive.",
        "Hello.",
        "/pin",
        "/unpin 7",
        "/unpin 1",
        "/pin",
        "Well?",
    ]
    done = bramble("chat", stdin="\n".join(lines) + "\n").sound()
    assert "Nothing is pinned." in done.err and "Pinned." in done.err
    assert "Never touch the archive." in done.out
    assert "no note of this number" in done.err
    assert "No longer pinned: Never touch the archive." in done.err
    first, second = server.requests
    assert "<pinned>\nNever touch the archive.\n</pinned>" in first["messages"][-1]["content"]
    assert "no longer pinned: 1" in second["messages"][-1]["content"]


def test_a_summary_is_asked_for_and_what_it_stands_for_can_still_be_read(
    bramble: Bramble, server: ModelServer, work: Path
) -> None:
    text = "Many words stand here. " * 300
    server.answers = [says("One."), says("Two."), says(summary(goal="read it")), says("Three.")]
    done = bramble("chat", stdin=f"{text}\nAnd?\n/compact\nGo on.\n").sound()
    assert done.code == 0
    assert "Summarising the earlier messages." in done.err
    assert "1 earlier message was summarised" in done.err
    last = server.requests[-1]["messages"]
    assert str(last[1]["content"]).startswith("<summary>") and "- read it" in last[1]["content"]
    assert text.strip() not in json.dumps(last)
    session = done.err.rsplit("--session ", 1)[1].split()[0]
    shown = bramble("sessions", "show", session).sound()
    assert text.strip() in " ".join(shown.out.split())
    assert "1 earlier message was summarised" in shown.out


def test_a_conversation_that_is_too_short_says_so(bramble: Bramble, server: ModelServer) -> None:
    server.answers = [says("Hello.")]
    done = bramble("chat", stdin="Hi.\n/compact\n").sound()
    assert "too short to be summarised" in done.err


def test_the_effort_is_shown_and_chosen(bramble: Bramble, server: ModelServer) -> None:
    done = bramble(
        "chat", stdin="/effort\n/effort high\n/effort\n/effort own\n", env={"BRAMBLE_WIRE": "responses"}
    ).sound()
    said = [line for line in done.err.splitlines() if line.startswith("Reasoning:")]
    assert "as the model likes" in said[0] and "much" in said[1] and "much" in said[2]
    assert "as the model likes" in said[3]


def test_an_effort_that_the_model_does_not_take_is_not_chosen(bramble: Bramble, server: ModelServer) -> None:
    done = bramble("chat", stdin="/effort high\n/effort\n").sound()
    assert done.err.count("This model takes no wish for how much it reasons.") == 2


def test_what_it_costs_is_shown_with_the_limits(
    bramble: Bramble, server: ModelServer, environment: dict[str, str]
) -> None:
    server.answers = [says("One.", prompt=1_000_000, answer=500_000)]
    settings = Path(environment["BRAMBLE_HOME"], "settings.toml")
    settings.parent.mkdir(parents=True, exist_ok=True)
    text = '[limits]\nday_money = 8\nturn_tokens = 2000000\n[[profiles.env.models]]\nid = "test-model"\n'
    settings.write_text(text + "input = 2\noutput = 10\nwindow = 2000000\n")
    done = bramble("chat", stdin="/cost\nHi.\n/cost\n/model\n").sound()
    before, after = done.out.partition("One.")[::2]
    assert "nothing yet" in before
    assert "This conversation\t$7.00 (1.5M tokens)" in after
    assert "Today\t$7.00 of $8.00 (1.5M tokens)" in after and "2M tokens" in after
    assert "87 % of today's limit of $8.00 are used." in done.err
    assert "cost $7.00" in done.err
    assert "$2 / $10" in after and "US dollars for a million tokens" in done.err
    again = bramble("chat", stdin="/cost\n", env={"BRAMBLE_MODEL": "other"}).sound()
    assert "$7.00" in again.out, "the day counts over all conversations and models"


def test_the_limit_that_ended_a_turn_is_named(
    bramble: Bramble, server: ModelServer, environment: dict[str, str]
) -> None:
    server.answers = [says("One.", prompt=1_000, answer=500)]
    settings = Path(environment["BRAMBLE_HOME"], "settings.toml")
    settings.parent.mkdir(parents=True, exist_ok=True)
    settings.write_text("[limits]\nday_tokens = 1400\n")
    ran = bramble("ask", "Hi.")
    assert ran.code == 5 and "A day may take 1.4k tokens. That is reached" in ran.err
    settings.write_text("[limits]\nturn_tokens = 900\n")
    assert "A turn may take 900 tokens. That is reached, so it ended here." in bramble("ask", "Hi.").err


def test_a_price_that_is_not_known_is_said(bramble: Bramble, server: ModelServer) -> None:
    server.answers = [says("One.")]
    done = bramble("chat", stdin="Hi.\n/cost\n").sound()
    assert "cost unknown" in done.err
    assert done.out.count("price not known") == 2


def test_the_fall_back_model_is_switched_to_while_a_provider_is_waited_for(
    server: ModelServer, environment: dict[str, str], work: Path
) -> None:
    limited = fails(429, {"error": {"message": "slow down"}}, {"retry-after": "50"})
    server.decide = lambda body: says("From the other.") if body["model"] == "other" else limited
    settings = Path(environment["BRAMBLE_HOME"], "settings.toml")
    with Console(command("chat"), environment, str(work)) as console:
        console.expect("/help")
        console.send("/switch\r")
        console.expect("No fall-back model is chosen")
        console.send("/quit\r")
        console.wait()
    settings.write_text('fallback_model = "env/other"\n')
    with Console(command("chat"), environment, str(work)) as console:
        console.expect("/help")
        console.send("/switch\r")
        console.expect("Nothing waits.")
        console.send("Hello.\r")
        console.expect("env/other can answer instead.")
        console.send("/switch\r")
        console.expect("From the other.")
        console.expect("cost")
        console.send("/quit\r")
        assert console.wait() == 0

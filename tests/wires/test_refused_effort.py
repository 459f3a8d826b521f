"""A refused effort is left out, told once, kept over a restart, and asked for again on a wish."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import aclosing
from pathlib import Path
from typing import Any

import msgspec
import pytest

from app.errors import ModelError
from app.models.client import ModelClient
from app.models.learned import LASTS, Learned
from app.models.profile import Profile
from app.models.profiles import load_profile
from app.models.request import Finished, ModelRequest
from app.records import Problem
from tests.servers.anthropic import error as messages_error, says as speaks
from tests.servers.responses import says as responds
from tests.servers.scripted import Script, fails, says, scripted
from tests.wires.asking import request

UNSUPPORTED = {
    "error": {
        "message": "Unsupported value: 'reasoning_effort' does not support 'high' with this model.",
        "param": "reasoning_effort",
        "code": "unsupported_value",
    }
}


class Desk:
    """Clients one after the other, as after restarts, that keep what they learn in one folder."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.now = folder, 1_780_000_000.0
        self.told: list[tuple[str, Problem]] = []

    async def ask(self, asked: ModelRequest) -> str:
        """Send one request by a client that was just started."""

        async def key(profile: Profile) -> str:
            return "k-test"

        client = ModelClient(
            key,
            now=lambda: self.now,
            learned=Learned(self.folder, lambda: self.now),
            tell=lambda session, problem: self.told.append((session, problem)),
        )
        try:
            async with aclosing(client.stream(asked)) as events:
                async for event in events:
                    if isinstance(event, Finished):
                        return event.reply.text
        finally:
            await client.close()
        raise AssertionError("no answer")


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path / "learned")


def chat(url: str) -> Profile:
    """A server that is asked for effort by its name."""
    loaded = load_profile("openai", {"openai": {"wire": "chat"}}, {})
    return msgspec.structs.replace(loaded, base_url=url)


def responses(url: str) -> Profile:
    return msgspec.structs.replace(load_profile("openai", {}, {}), base_url=url)


def messages(url: str) -> Profile:
    return msgspec.structs.replace(load_profile("anthropic", {}, {}), base_url=url)


def effort_of(body: dict[str, Any]) -> Any:
    """What a request says of effort, by any of the wires."""
    nested = body.get("reasoning") or body.get("output_config") or {}
    return body.get("reasoning_effort") or nested.get("effort")


Wire = tuple[Callable[[str], Profile], Script, dict[str, Any], str]
WIRES: list[Wire] = [
    (chat, says("ok"), UNSUPPORTED, "some-model"),
    (responses, responds("ok"), UNSUPPORTED, "o4-mini"),
    (
        messages,
        speaks("ok"),
        messages_error("invalid_request_error", "effort: high is not supported"),
        "claude-x",
    ),
]


@pytest.mark.parametrize(("to", "answer", "refusal", "model"), WIRES)
async def test_it_is_left_out_told_once_and_kept(
    desk: Desk, to: Callable[[str], Profile], answer: Script, refusal: dict[str, Any], model: str
) -> None:
    async with scripted(fails(400, refusal), answer, answer, answer, answer) as server:
        asked = request(to(server.url), model=model, effort="high", session="s")
        assert [await desk.ask(asked) for _ in range(2)] == ["ok", "ok"]
        assert await desk.ask(msgspec.structs.replace(asked, effort="low")) == "ok"
        sent = [effort_of(one.json) for one in server.requests]
        assert sent == ["high", None, None, "low"], "another effort is no refused one"
        ((session, problem),) = desk.told
        assert session == "s" and problem.code == "effort_refused"
        assert (problem.fields["effort"], problem.fields["model"]) == ("high", model)


async def test_a_wish_tries_it_again(desk: Desk) -> None:
    async with scripted(fails(400, UNSUPPORTED), says("ok"), says("with it")) as server:
        asked = request(chat(server.url), effort="high")
        await desk.ask(asked)
        Learned(desk.folder, lambda: desk.now).try_again(asked.profile, asked.model)
        assert await desk.ask(asked) == "with it"
        assert [effort_of(one.json) for one in server.requests] == ["high", None, "high"]
        assert len(desk.told) == 1


async def test_it_is_forgotten_after_a_month_and_holds_for_its_address_alone(desk: Desk) -> None:
    async with scripted(fails(400, UNSUPPORTED), says("ok"), says("ok"), says("ok")) as server:
        asked = request(chat(server.url), effort="high")
        await desk.ask(asked)
        elsewhere = msgspec.structs.replace(asked, profile=chat(server.url.replace("127.0.0.1", "localhost")))
        await desk.ask(elsewhere)
        desk.now += LASTS + 1
        await desk.ask(asked)
        assert [effort_of(one.json) for one in server.requests] == ["high", None, "high", "high"]


async def test_a_model_that_takes_no_word_of_reasoning_is_asked_without(desk: Desk) -> None:
    said = messages_error(
        "invalid_request_error", '"thinking.type.adaptive" is not supported for this model.'
    )
    async with scripted(fails(400, said), speaks("ok"), speaks("ok")) as server:
        asked = request(messages(server.url), model="claude-sonnet-5-5")
        assert [await desk.ask(asked) for _ in range(2)] == ["ok", "ok"]
        assert ["thinking" in one.json for one in server.requests] == [True, False, False]
        ((_session, problem),) = desk.told
        assert problem.fields["effort"] == "", "nobody chose one"


@pytest.mark.parametrize(
    "said",
    [
        "This model's maximum context length is 8192 tokens",
        "The reasoning_content of the last message must be passed back",
        "messages.1.content.0: thinking blocks cannot be modified",
    ],
)
async def test_what_is_something_else_is_not_laid_on_effort(desk: Desk, said: str) -> None:
    async with scripted(fails(400, {"error": {"message": said}})) as server:
        with pytest.raises(ModelError):
            await desk.ask(request(chat(server.url), effort="high"))
        assert len(server.requests) == 1 and not desk.told


async def test_what_does_not_help_is_not_kept(desk: Desk) -> None:
    """The rest of the request was refused too: then nothing was learned of effort."""
    refusals = [fails(400, UNSUPPORTED), fails(400, {"error": {"message": "no such tool"}}), says("ok")]
    async with scripted(*refusals) as server:
        asked = request(chat(server.url), effort="high")
        with pytest.raises(ModelError):
            await desk.ask(asked)
        assert await desk.ask(asked) == "ok"
        assert effort_of(server.requests[-1].json) == "high" and not desk.told

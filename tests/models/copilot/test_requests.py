"""What goes to Copilot with each request, on which endpoint, and what mends a refusal."""

from __future__ import annotations

import asyncio
import threading
from contextlib import aclosing
from pathlib import Path

import pytest

from app.errors import ModelError
from app.models.request import Finished, Held
from app.models.wire import wire_of
from app.records import Picture, ToolCall
from tests.models.copilot.desk import desk, said
from tests.servers.copilot import GITHUB_TOKEN, Copilot, copilot_server, model
from tests.servers.scripted import Exchange

CALL = ToolCall(id="c1", name="read_file")
PICTURE = Picture(id="p", media="image/png")


def built(name: str) -> bool:
    """Whether a wire is there."""
    try:
        wire_of(name)  # type: ignore[arg-type]
    except ModelError:
        return False
    return True


async def test_a_request_says_who_it_is_and_carries_the_short_token(home: Path) -> None:
    with copilot_server() as copilot:
        async with desk(home, copilot) as at:
            reply = await at.ask()
            assert reply.text == "Hello from Copilot."
            await at.ask()
        assert len(copilot.asked("/copilot_internal/v2/token")) == 1
        first, second = (one.headers for one in copilot.asked("/chat/completions"))
    assert first["authorization"] == f"Bearer {copilot.short[0]}"
    assert first["user-agent"].startswith("Bramble/") and first["editor-version"].startswith("Bramble/")
    assert "vscode" not in str(first).lower() and "copilot-integration-id" not in first
    assert first["openai-intent"] == "conversation-edits"
    assert first["x-request-id"] != second["x-request-id"]
    assert GITHUB_TOKEN not in str([one.headers for one in copilot.asked("/models")])


async def test_who_began_a_request_is_said_truly(home: Path) -> None:
    history = (
        said("user", "Read it"),
        said("assistant", "", calls=(CALL,)),
        said("tool", "text", call="c1", tool="read_file"),
    )
    with copilot_server() as copilot:
        async with desk(home, copilot) as at:
            await at.ask("copilot/gpt-5-mini", history[0])
            await at.ask("copilot/gpt-5-mini", *history)
            await at.ask("copilot/gpt-5-mini", *history, said("assistant", "Read."), said("user", "And now?"))
            await at.ask("copilot/gpt-5-mini", said("user", "Give this a title"), aside=True)
            await at.ask("copilot/gpt-5-mini", said("user", "The task of a helper", by_model=True))
        sent = [one.headers["x-initiator"] for one in copilot.asked("/chat/completions")]
    assert sent == ["user", "agent", "user", "agent", "agent"]


async def test_pictures_are_announced_where_they_are_sent(home: Path) -> None:
    with copilot_server() as copilot:
        async with desk(home, copilot) as at:
            seen = said("user", "What is this?", pictures=(PICTURE,))
            await at.ask("copilot/gpt-5-mini", said("user", "Hello"))
            await at.ask("copilot/gpt-5-mini", seen)
            await at.ask("copilot/gpt-5-mini", seen, images={"p": b"\x89PNG"})
        sent = [one.headers.get("copilot-vision-request") for one in copilot.asked("/chat/completions")]
    assert sent == [None, None, "true"]


@pytest.mark.parametrize(
    ("name", "wire", "path"),
    [
        ("gpt-5-mini", "chat", "/chat/completions"),
        ("old", "chat", "/chat/completions"),
        ("gpt-6-codex", "responses", "/responses"),
        ("claude-sonnet-5.5", "messages", "/v1/messages"),
    ],
)
async def test_each_model_is_asked_on_its_own_endpoint(home: Path, name: str, wire: str, path: str) -> None:
    if not built(wire):
        pytest.skip(f"the wire {wire} is not built yet")
    with copilot_server() as copilot:
        async with desk(home, copilot) as at:
            assert (await at.ask(f"copilot/{name}")).text == "Hello from Copilot."
        sent = copilot.seen[-1]
    assert sent.path == path and sent.headers["authorization"].startswith("Bearer tid=short")
    if wire == "messages":
        assert sent.headers["anthropic-version"] == "2023-06-01" and "x-api-key" not in sent.headers
        assert "cache_control" in sent.body.decode(), "what a cache holds is cheap"


async def test_a_token_that_ran_out_is_made_anew_once(home: Path) -> None:
    with copilot_server() as copilot:
        async with desk(home, copilot) as at:
            await at.ask()
            copilot.short.append("another one is in force now")
            assert (await at.ask()).text == "Hello from Copilot."
            assert len(copilot.asked("/copilot_internal/v2/token")) == 2
            expired = (401, {"error": {"message": "IDE token expired"}}, {})
            copilot.answers = [expired, expired]
            with pytest.raises(ModelError) as caught:
                await at.ask()
        assert caught.value.code == "signed_out"
        assert len(copilot.asked("/copilot_internal/v2/token")) == 3, "once a request, no more"


async def test_the_token_is_renewed_before_it_ends(home: Path) -> None:
    with copilot_server(Copilot(refresh_in=1500)) as copilot:
        async with desk(home, copilot) as at:
            await at.ask()
            account = at.models.sign_in.account(at.models.named("copilot/old")[0])
            now = account._now()
            for later, count in ((1430, 1), (1445, 2)):
                account._now = lambda later=later: now + later  # type: ignore[misc]
                await at.ask()
                assert len(copilot.asked("/copilot_internal/v2/token")) == count


@pytest.mark.parametrize("code", ["model_not_supported", "unsupported_api_for_model"])
async def test_a_model_that_moved_is_asked_on_its_other_endpoint(home: Path, code: str) -> None:
    if not built("responses"):
        pytest.skip("the wire responses is not built yet")
    with copilot_server() as copilot:
        async with desk(home, copilot) as at:
            await at.models.resolve("copilot/gpt-5-mini")
            moved = model("gpt-5-mini", endpoints=["/responses"])
            copilot.models = [moved, *copilot.models[1:]]
            copilot.answers = [(400, {"error": {"message": "no", "code": code}}, {})]
            assert (await at.ask()).text == "Hello from Copilot."
            paths = [one.path for one in copilot.seen]
            assert paths[-3:] == ["/chat/completions", "/models", "/responses"]
            await at.ask()
            assert copilot.seen[-1].path == "/responses", "what the list says now is kept"


async def test_a_model_that_vanished_is_named(home: Path) -> None:
    with copilot_server() as copilot:
        async with desk(home, copilot) as at:
            await at.models.resolve("copilot/old")
            copilot.models = copilot.models[:3]
            with pytest.raises(ModelError) as caught:
                await at.ask("copilot/old")
        sent = [one for one in copilot.seen if one.path in ("/chat/completions", "/responses")]
    assert caught.value.code == "unsupported" and caught.value.problem.fields["feature"] == "old"
    assert len(sent) <= 2, "one other try, no more"


REFUSALS = [
    (402, {"error": {"code": "quota_exceeded", "message": "You have exceeded your quota"}}, "no_credit", 1),
    (403, {"error": {"message": "Access denied by your organization's policy"}}, "forbidden_by_policy", 1),
    (403, {"message": "Resource not accessible by integration"}, "app_refused", 1),
    (403, {"message": "nothing to say"}, "no_seat", 1),
    (403, {"message": "API rate limit exceeded for user"}, "rate_limit", 2),
    (429, {"error": {"message": "Too many requests"}}, "rate_limit", 2),
    (500, {"error": {"message": "oops"}}, "server_error", 2),
    (400, {"error": {"message": "prompt token count of 9 exceeds the limit of 8"}}, "overflow", 1),
]


@pytest.mark.parametrize(("status", "body", "code", "tries"), REFUSALS)
async def test_refusals_are_told_apart_and_hardly_repeated(
    home: Path, status: int, body: object, code: str, tries: int
) -> None:
    with copilot_server() as copilot:
        async with desk(home, copilot) as at:
            request = await at.request()
            copilot.answers = [(status, body, {})] * 5
            with pytest.raises(ModelError) as caught:
                await at.reply(request)
        assert caught.value.code == code
        assert len(copilot.asked("/chat/completions")) == tries


async def test_a_wait_that_is_asked_for_is_kept(home: Path) -> None:
    with copilot_server() as copilot:
        async with desk(home, copilot) as at:
            request = await at.request()
            copilot.answers = [(429, {"error": {"message": "slow"}}, {"retry-after": "42"})]
            assert (await at.reply(request)).text == "Hello from Copilot."
            assert at.waits == [42.0]
            copilot.answers = [(429, {"error": {"message": "slow"}}, {"retry-after": "7200"})]
            with pytest.raises(ModelError) as caught:
                await at.reply(request)
        assert caught.value.retry_after == 7200, "hours are not waited for"


async def test_one_request_at_a_time(home: Path) -> None:
    with copilot_server() as copilot:
        async with desk(home, copilot) as at:
            request = await at.request()
            door = at.models.sign_in.door(request.profile)
            assert door is not None
            async with door.turn():
                asked = asyncio.create_task(at.reply(request))
                for _ in range(20):
                    await asyncio.sleep(0)
                assert not copilot.asked("/chat/completions") and not asked.done()
            assert (await asked).text == "Hello from Copilot."


async def test_terms_come_first_and_are_kept(home: Path) -> None:
    with copilot_server() as copilot:
        async with desk(home, copilot, text=copilot.settings(agreed=False)) as at:
            with pytest.raises(ModelError) as caught:
                await at.models.resolve("copilot/gpt-5-mini")
            assert caught.value.code == "terms_open" and copilot.seen == []
            listed = [one for one in await at.models.list() if one.profile == "copilot"]
            assert copilot.seen == [] and {one.why for one in listed} == {"terms_open"}
            assert not any(one.unattended for one in listed)
            await at.models.sign_in.agree("copilot")
            assert (await at.ask()).text == "Hello from Copilot."
            assert 'agreed = ["copilot"]' in (home / "settings.toml").read_text()


async def test_a_models_own_terms_are_accepted_by_nobody_but_the_person(home: Path) -> None:
    with copilot_server() as copilot:
        async with desk(home, copilot) as at:
            grok = next(one for one in await at.models.list() if one.name == "copilot/grok-9")
            assert (grok.ready, grok.why, grok.terms) == (
                False,
                "model_terms",
                "Grok 9 is run by somebody else.",
            )
            with pytest.raises(ModelError) as caught:
                await at.ask("copilot/grok-9")
            assert caught.value.code == "model_terms"
            with pytest.raises(ModelError) as caught:
                await at.ask("copilot/switched-off")
            assert caught.value.code == "model_off"
            assert not any(one.path.endswith("/policy") for one in copilot.seen)
            await at.models.accept_terms("copilot/grok-9")
            assert copilot.asked("/models/grok-9/policy")[0].headers["openai-intent"] == "chat-policy"
            assert (await at.ask("copilot/grok-9")).text == "Hello from Copilot."
            assert next(one for one in await at.models.list() if one.name == "copilot/grok-9").ready


async def test_a_list_that_cannot_be_had_keeps_nobody_from_asking(home: Path) -> None:
    with copilot_server(Copilot(models=[])) as copilot:
        async with desk(home, copilot) as at:
            copilot.models = [model("gpt-4.1")]
            assert (await at.ask("copilot/gpt-4.1")).text == "Hello from Copilot."


async def test_requests_of_several_processes_go_one_after_the_other(home: Path) -> None:
    """Each desk has locks of its own, as a process has."""
    at_once: list[int] = [0]
    most: list[int] = [0]

    class Watched(Copilot):
        async def _endpoint(self, exchange: Exchange, path: str) -> None:
            at_once[0] += 1
            most[0] = max(most[0], at_once[0])
            for _ in range(20):  # anybody who may come now does
                await asyncio.sleep(0)
            await asyncio.sleep(0.05)
            at_once[0] -= 1
            await super()._endpoint(exchange, path)

    with copilot_server(Watched()) as copilot:
        async with desk(home, copilot) as one, desk(home, copilot) as two, desk(home, copilot) as three:
            replies = await asyncio.gather(*(made.ask() for made in (one, two, three, one, two)))
        assert [reply.text for reply in replies] == ["Hello from Copilot."] * 5
        assert most == [1]


async def test_a_request_that_is_held_up_says_so(home: Path) -> None:
    asked, release = asyncio.Event(), threading.Event()
    loop = asyncio.get_running_loop()

    class Slow(Copilot):
        async def _endpoint(self, exchange: Exchange, path: str) -> None:
            loop.call_soon_threadsafe(asked.set)
            await asyncio.to_thread(release.wait)
            await super()._endpoint(exchange, path)

    with copilot_server(Slow()) as copilot:
        async with desk(home, copilot) as one, desk(home, copilot) as two:
            first = asyncio.create_task(one.ask())
            await asked.wait()
            request = await two.request()
            async with aclosing(two.models.client.stream(request)) as events:
                assert await anext(events) == Held(why="turn", provider="GitHub Copilot")
                release.set()
                rest = [event async for event in events]
            assert isinstance(rest[-1], Finished) and rest[-1].reply.text == "Hello from Copilot."
            assert (await first).text == "Hello from Copilot."


async def test_a_way_in_that_another_process_makes_is_told(home: Path) -> None:
    with copilot_server() as copilot:
        async with desk(home, copilot) as one, desk(home, copilot) as two:
            request = await one.request()
            one.models.forget_known()
            stream = one.models.client.stream(request)
            async with two.models._secrets.alone("copilot"), aclosing(stream) as events:
                first = await anext(events)
            assert first == Held(why="way_in", provider="GitHub Copilot")
            assert (await one.ask()).text == "Hello from Copilot.", "what was left waits for nobody"


async def test_a_request_that_waits_for_another_process_can_be_stopped(home: Path) -> None:
    asked, release = asyncio.Event(), threading.Event()
    loop = asyncio.get_running_loop()

    class Held(Copilot):
        async def _endpoint(self, exchange: Exchange, path: str) -> None:
            loop.call_soon_threadsafe(asked.set)
            await asyncio.to_thread(release.wait)
            await super()._endpoint(exchange, path)

    with copilot_server(Held()) as copilot:
        async with desk(home, copilot) as one, desk(home, copilot) as two:
            first = asyncio.create_task(one.ask())
            await asked.wait()
            second = asyncio.create_task(two.ask())
            for _ in range(20):
                await asyncio.sleep(0.01)
            assert not second.done() and len(copilot.asked("/chat/completions")) == 1
            second.cancel()
            with pytest.raises(asyncio.CancelledError):
                await second
            release.set()
            assert (await first).text == "Hello from Copilot."
            assert (await two.ask()).text == "Hello from Copilot."
        assert len(copilot.asked("/chat/completions")) == 2

"""Lists of models: what providers send, how long it holds, and what counts where nobody answers."""

from __future__ import annotations

import asyncio
from datetime import datetime
from pathlib import Path
from typing import Any

import msgspec
import pytest

from app.models import catalogue
from app.models.connections import Connections
from app.models.listing import Listings, models_of
from app.models.profile import ModelData, Profile
from app.models.profiles import load_profile, model_data
from tests.servers.scripted import fails, scripted

PAYLOADS: dict[str, tuple[Any, tuple[str, ...]]] = {
    "openai": (
        [{"id": "gpt-9"}, {"id": "text-embedding-9"}, {"id": "gpt-9-tts"}, {"id": "sora-4"}],
        ("gpt-9",),
    ),
    "gemini": ([{"id": "models/gemini-9"}, {"id": "models/imagen-9"}], ("gemini-9",)),
    "groq": ([{"id": "a"}, {"id": "off", "active": False}, {"id": "whisper-9"}], ("a",)),
    "mistral": (
        [{"id": "a", "capabilities": {"completion_chat": True}, "max_context_length": 9},
         {"id": "b", "capabilities": {"completion_chat": False}}],
        ("a",),
    ),
    "openrouter": (
        [{"id": "x/y", "name": "Y", "context_length": 5000, "supported_parameters": ["tools", "reasoning"],
          "architecture": {"input_modalities": ["text", "image"], "output_modalities": ["text"]},
          "pricing": {"prompt": "0.000002", "completion": "0.00001", "input_cache_read": "0.0000002"}},
         {"id": "x/auto", "pricing": {"prompt": "-1", "completion": "-1"}},
         {"id": "x/paints", "architecture": {"output_modalities": ["image"]}}],
        ("x/y", "x/auto"),
    ),
    "vllm": ([{"id": "q", "max_model_len": 4096}, None, 3, {"id": 3}, {"name": "x"}, {"id": "a\nb"}], ("q",)),
}  # fmt: skip


@pytest.mark.parametrize("name", PAYLOADS)
def test_the_forms_of_lists_that_are_about(name: str) -> None:
    data, ids = PAYLOADS[name]
    found = models_of({"data": data}, load_profile(name, {}, {}))
    assert found is not None and tuple(model.id for model in found) == ids


def test_what_an_entry_says_of_its_model() -> None:
    profile = load_profile("openrouter", {}, {})
    first, auto = models_of({"data": PAYLOADS["openrouter"][0]}, profile) or ()
    assert (first.title, first.window, first.abilities) == ("Y", 5000, ("tools", "vision", "reasoning"))
    assert (first.input, first.output, first.cached) == (2.0, 10.0, 0.2)
    assert auto.input is None, "a price that depends on the model that is taken is no price"
    assert models_of([{"id": "bare"}], profile) is not None
    for no_list in ({}, {"data": 3}, "x", None, {"error": "no"}):
        assert models_of(no_list, profile) is None
    many = models_of({"data": [{"id": f"m{number}"} for number in range(2000)]}, profile)
    assert many is not None and len(many) == 500


def profile_at(url: str, **fields: Any) -> Profile:
    """A provider with a key and one model in its data."""
    own = ModelData(id="known", title="Known", input=1.0, output=2.0)
    return Profile(
        name="p", title="P", base_url=url, models=(own, ModelData(id="*", abilities=("tools",))), **fields
    )


async def infos(profile: Profile, listings: Listings, connections: Connections, **fields: Any) -> list[Any]:
    """The models of one profile."""
    given = {"keys": {profile.name: "sk-1"}, **fields}
    return list(await catalogue.list_models([profile], given["keys"], listings, connections, agreed=("p",)))


async def test_a_list_is_asked_for_once_an_hour_by_all_processes(tmp_path: Path) -> None:
    connections = Connections()
    now = [1000.0]
    said = {"data": [{"id": "new", "context_length": 7000}, {"id": "known", "context_length": 9000}]}
    async with scripted(fails(200, said), fails(200, {"data": [{"id": "newer"}]})) as server:
        profile = profile_at(server.url)
        one, other = (Listings(tmp_path, lambda: now[0]) for _ in range(2))
        first = await infos(profile, one, connections)
        assert [model.model for model in first] == ["known", "new"]
        assert (first[0].title, first[0].window, first[0].input_price) == ("Known", 9000, 1.0)
        assert first[1].abilities == ("tools",), "what the pattern says of it"
        assert server.requests[0].path == "/v1/models"
        assert server.requests[0].headers["authorization"] == "Bearer sk-1"
        assert await infos(profile, other, connections) == first
        now[0] += 3599
        assert await infos(profile, one, connections) == first and len(server.requests) == 1
        now[0] += 2
        assert [model.model for model in await infos(profile, other, connections)] == ["known", "newer"]
        assert [model.model for model in await infos(profile, one, connections)] == ["known", "newer"]
        assert len(server.requests) == 2, "what one process asked, the other reads"
        moved = msgspec.structs.replace(profile, base_url="http://127.0.0.1:9/v1")
        assert one.known(moved) is None, "the list of another address is none of this one"
        await one.forget("p")
        assert other.known(profile) is None
    await connections.close()


async def test_what_a_list_lacks_is_gone_and_what_it_prices_has_its_day(tmp_path: Path) -> None:
    connections = Connections()
    listings = Listings(tmp_path, lambda: 1_780_000_000.0)
    own = ("known", "short", "mistral-latest", "gone", "draws-image")
    price = {"prompt": "0.000001", "completion": "0.000002"}
    said = [
        {"id": "known", "pricing": price},
        {"id": "short-20260801"},
        {"id": "mistral-2607"},
        {"id": "new", "pricing": price},
    ]
    async with scripted(fails(200, {"data": said})) as server:
        profile = msgspec.structs.replace(
            profile_at(server.url),
            models=tuple(ModelData(id=name, input=3, output=4) for name in own),
            priced="2026-01-02",
            leave_out=("*-image",),
        )
        found = {model.model: model for model in await infos(profile, listings, connections)}
    assert [name for name, model in found.items() if model.gone] == ["gone"]
    day = datetime.fromtimestamp(1_780_000_000.0).date().isoformat()
    assert (found["known"].input_price, found["known"].priced) == (3, "2026-01-02"), "the data win"
    assert (found["new"].input_price, found["new"].output_price, found["new"].priced) == (1, 2, day)
    assert (found["short-20260801"].input_price, found["short-20260801"].priced) == (None, "")
    await connections.close()


@pytest.mark.parametrize(
    "answer",
    [(500, b"no"), (200, b"<html><title>Sign in</title>"), (401, {}), (200, {"data": "x"}), (404, {})],
)
async def test_where_nobody_answers_the_last_list_holds(tmp_path: Path, answer: tuple[int, Any]) -> None:
    connections = Connections()
    now = [1000.0]
    listings = Listings(tmp_path, lambda: now[0])
    async with scripted(fails(200, {"data": [{"id": "new"}]}), fails(*answer)) as server:
        profile = profile_at(server.url)
        await infos(profile, listings, connections)
        now[0] += 4000
        for _ in range(3):
            assert [model.model for model in await infos(profile, listings, connections)] == ["known", "new"]
        assert len(server.requests) == 2, "one that did not answer is left alone for a while"
        now[0] += 121
        await infos(profile, listings, connections)
        assert len(server.requests) == 3
    offline = profile_at("http://127.0.0.1:1/v1")
    assert [model.model for model in await infos(offline, listings, connections)] == ["known"]
    await connections.close()


async def test_nobody_is_asked_without_a_key_or_an_agreement(tmp_path: Path) -> None:
    connections = Connections()
    async with scripted(fails(200, {"data": [{"id": "new"}]})) as server:
        bare = profile_at(server.url)
        with_terms = profile_at(server.url, terms="Read this.")
        for profile, keys, agreed in ((bare, {}, ()), (with_terms, {"p": "k"}, ())):
            listings = Listings(tmp_path, lambda: 0.0)
            found = await catalogue.list_models([profile], keys, listings, connections, agreed=agreed)
            assert [model.why for model in found] == ["no_key" if profile is bare else "terms_open"]
        assert server.requests == []
    await connections.close()


async def test_without_a_key_only_free_models_are_offered(tmp_path: Path) -> None:
    connections = Connections()
    data = [{"id": "a/b:free", "pricing": {"prompt": "0", "completion": "0"}}, {"id": "a/b"}]
    async with scripted(fails(200, {"data": data})) as server:
        kilo = msgspec.structs.replace(load_profile("kilo", {}, {}), base_url=server.url)
        listings = Listings(tmp_path)
        found = await catalogue.list_models([kilo], {}, listings, connections, agreed=("kilo",))
        assert [(one.name, one.ready, one.input_price) for one in found] == [("kilo/a/b:free", True, 0.0)]
        assert "authorization" not in server.requests[0].headers
        found = await catalogue.list_models([kilo], {"kilo": "k"}, listings, connections, agreed=("kilo",))
        assert len(found) == 2
    await connections.close()


@pytest.mark.parametrize(
    "damage", [b"", b"{", b'{"base_url": 3}', b"\xff\xfe", b'{"base_url":"x","asked":1}']
)
async def test_a_damaged_list_is_asked_for_again(tmp_path: Path, damage: bytes) -> None:
    listings = Listings(tmp_path, lambda: 10.0)
    profile = profile_at("http://127.0.0.1:1/v1")
    await listings.keep(profile, (ModelData(id="new"),))
    assert listings.known(profile) is not None
    (tmp_path / "p.json").write_bytes(damage)
    assert listings.known(profile) is None and listings.is_due(profile)
    assert model_data(listings.enriched(profile), "known").title == "Known"


async def test_lists_that_cannot_be_written_hold_in_this_process(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    listings = Listings(tmp_path / "file" / "lists", lambda: 10.0)
    profile = profile_at("http://127.0.0.1:1/v1")
    await listings.keep(profile, (ModelData(id="new"),))
    known = listings.known(profile)
    assert known is not None and [model.id for model in known.models] == ["new"]
    assert not listings.is_due(profile)


async def test_many_writers_leave_a_whole_list(tmp_path: Path) -> None:
    profile = profile_at("http://127.0.0.1:1/v1")
    many = [Listings(tmp_path, lambda: 10.0) for _ in range(8)]
    models = tuple(ModelData(id=f"m{number}") for number in range(300))
    await asyncio.gather(*(one.keep(profile, models) for one in many))
    assert len(getattr(Listings(tmp_path).known(profile), "models", ())) == 300
    assert [path.name for path in tmp_path.iterdir()] == ["p.json"]

"""Which models there are, also on servers of this computer that are really there."""

from __future__ import annotations

import asyncio
import socket
from pathlib import Path
from typing import Any

from app.models import catalogue
from app.models.connections import Connections
from app.models.listing import Listings
from app.models.profiles import load_profile, profile_names
from app.records import LocalServer
from tests.servers.scripted import Exchange, fails, scripted


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def elsewhere(**urls: str) -> dict[str, dict[str, Any]]:
    """Profiles of local servers that point to a test's own, the others to where nobody is."""
    nobody = f"http://127.0.0.1:{free_port()}/v1"
    return {name: {"base_url": urls.get(name, nobody)} for name in ("ollama", "lmstudio", "llamacpp", "vllm")}


async def listed(folder: Path, own: dict[str, dict[str, Any]], environ: dict[str, str], **fields: Any) -> Any:
    """The models that can be picked, with an empty folder for the lists."""
    profiles = [load_profile(name, own, environ) for name in profile_names(own, environ)]
    keys = {name: "k" for name in fields.pop("keys", ())}
    connections = Connections()
    try:
        return await catalogue.list_models(profiles, keys, Listings(folder), connections, **fields)
    finally:
        await connections.close()


MODELS = {"object": "list", "data": [{"id": "qwen3:8b"}, {"id": 3}, None, {"name": "x"}, {"id": "gemma4"}]}


async def test_local_servers_are_found_and_listed(tmp_path: Path) -> None:
    async with (
        scripted(fails(200, MODELS)) as ollama,
        scripted(fails(200, {"object": "list", "data": None})) as lmstudio,
    ):
        own = elsewhere(ollama=ollama.url, lmstudio=lmstudio.url)
        found = await catalogue.find_local_servers(own, {})
        assert found == (
            LocalServer(profile="ollama", title="Ollama", base_url=ollama.url, models=("qwen3:8b", "gemma4")),
            LocalServer(profile="lmstudio", title="LM Studio", base_url=lmstudio.url, models=()),
        )
        models = await listed(tmp_path, own, {})
    local = [model for model in models if model.profile == "ollama"]
    assert [model.name for model in local] == ["ollama/qwen3:8b", "ollama/gemma4"]
    assert all(model.ready and model.input_price == 0 for model in local)
    assert ollama.requests[0].path == "/v1/models"


async def test_a_silent_server_holds_nobody_up() -> None:
    async def mute(exchange: Exchange) -> None:
        await exchange.gone()

    async with scripted(mute) as silent, scripted(fails(200, b"<html>")) as page:
        own = elsewhere(ollama=silent.url, vllm=page.url)
        async with asyncio.timeout(2):
            assert await catalogue.find_local_servers(own, {}) == ()


async def test_models_without_a_key_come_last_and_say_why(tmp_path: Path) -> None:
    environ = {"BRAMBLE_BASE_URL": f"http://127.0.0.1:{free_port()}/v1", "BRAMBLE_MODEL": "m"}
    own = {**elsewhere(), "groq": {"base_url": f"http://127.0.0.1:{free_port()}/v1"}}
    models = await listed(tmp_path, own, environ, keys=["groq"], installed=["small"])
    ready = [model.name for model in models if model.ready]
    assert ready[0] == "env/m" and "groq/openai/gpt-oss-120b" in ready and "local/small" in ready
    assert [model.ready for model in models] == sorted((model.ready for model in models), reverse=True)
    openai = next(model for model in models if model.name == "openai/gpt-6-sol")
    assert (openai.ready, openai.why, openai.window, openai.input_price) == (False, "no_key", 1_050_000, 2.0)
    assert "tools" in openai.abilities

"""Which models there are, what they are called, how much they read at once and what they cost."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from typing import Any

from app.errors import ModelError
from app.models.connections import Connections, is_loopback
from app.models.profile import Profile
from app.models.profiles import ENVIRONMENT, Own, load_profile, model_data, offered, profile_names
from app.models.refusal import Asked
from app.models.window import window
from app.records import LocalServer, ModelInfo, Usage

__all__ = ["cost", "environment_model", "find_local_servers", "list_models", "resolve", "window"]

LOOK_SECONDS = 0.8
"""How long a local server may take to say what it has; one that is not there refuses at once."""
LISTED = 500
"""Models that one server may list."""


def environment_model(environ: Mapping[str, str]) -> str:
    """Return the name of the model that the environment sets, which wins over settings; "" when it sets
    none.
    """
    if not environ.get("BRAMBLE_BASE_URL"):
        return ""
    return f"{ENVIRONMENT}/{environ.get('BRAMBLE_MODEL', '')}".removesuffix("/")


def resolve(name: str, own: Own, environ: Mapping[str, str]) -> tuple[Profile, str]:
    """Return profile and model of PROFILE/MODEL; PROFILE alone means its first model. The model may hold
    slashes itself.

    Raises ModelError no_model or no_profile.
    """
    if not name:
        raise ModelError("no_model", "No model is chosen.")
    profile_name, _, model = name.partition("/")
    profile = offered(profile_name, own, environ)
    model = model or profile.model or next((entry.id for entry in profile.models if "*" not in entry.id), "")
    if not model:
        raise ModelError(
            "no_model",
            f"{profile_name} has no model of its own choice.",
            profile=profile_name,
        )
    return profile, model


def cost(profile: Profile, model: str, usage: Usage) -> float | None:
    """Return US dollars for a usage, None where no price is known."""
    data = model_data(profile, model)
    if data.input is None or data.output is None:
        return None
    cached = data.input if data.cached is None else data.cached
    written = data.input if data.written is None else data.written
    plain = max(0, usage.input - usage.cached - usage.written)
    total = plain * data.input + usage.cached * cached + usage.written * written + usage.output * data.output
    return total / 1_000_000


async def list_models(
    own: Own,
    environ: Mapping[str, str],
    key: Callable[[Profile], Awaitable[str]],
    installed: Iterable[str] = (),
) -> tuple[ModelInfo, ...]:
    """Return every model that can be picked, those that lack something last.

    They come from the profiles' data, and from reachable local servers, which say what they have.
    `installed` are the models of the profile `local`.
    """
    profiles = [load_profile(name, own, environ) for name in profile_names(own, environ)]
    keys = {profile.name: await key(profile) for profile in profiles}
    live = [profile for profile in profiles if profile.live and profile.base_url]
    answers = await _ask_all(live, keys)
    answers["local"] = tuple(installed)
    models = [
        _info(profile, id_, bool(keys[profile.name]))
        for profile in profiles
        for id_ in _ids(profile, answers.get(profile.name) or ())
    ]
    return tuple(sorted(models, key=lambda model: not model.ready))


async def find_local_servers(own: Own, environ: Mapping[str, str]) -> tuple[LocalServer, ...]:
    """Return the servers that answer on this computer: Ollama, LM Studio, llama.cpp, vLLM.

    Those that have models come first.
    """
    profiles = [load_profile(name, own, environ) for name in profile_names(own, environ)]
    live = [profile for profile in profiles if profile.live and is_loopback(profile.base_url)]
    answers = await _ask_all(live, {})
    found = [
        LocalServer(
            profile=profile.name,
            title=profile.title or profile.name,
            base_url=profile.base_url,
            models=models,
        )
        for profile in live
        if (models := answers[profile.name]) is not None
    ]
    return tuple(sorted(found, key=lambda server: not server.models))


def _ids(profile: Profile, live: Iterable[str]) -> list[str]:
    listed = [entry.id for entry in profile.models if "*" not in entry.id]
    return list(dict.fromkeys([*([profile.model] if profile.model else []), *listed, *live]))


def _info(profile: Profile, model: str, has_key: bool) -> ModelInfo:
    data = model_data(profile, model)
    ready = has_key or not profile.needs_key
    return ModelInfo(
        name=f"{profile.name}/{model}",
        profile=profile.name,
        model=model,
        title=data.title or model,
        window=window(profile, model) if data.window or profile.window else 0,
        input_price=data.input,
        output_price=data.output,
        abilities=data.abilities,
        ready=ready,
        why="" if ready else "no_key",
    )


async def _ask_all(profiles: Sequence[Profile], keys: Mapping[str, str]) -> dict[str, tuple[str, ...] | None]:
    """Return the models that each server lists, None where nobody answers."""
    connections = Connections(LOOK_SECONDS)
    try:
        answers = await asyncio.gather(
            *(_ask(profile, connections, keys.get(profile.name, "")) for profile in profiles)
        )
    finally:
        await connections.close()
    return {profile.name: answer for profile, answer in zip(profiles, answers, strict=True)}


async def _ask(profile: Profile, connections: Connections, key: str) -> tuple[str, ...] | None:
    """Return the models that a server lists, None when nobody answers there."""
    headers = {**profile.headers, **({profile.key_header: f"{profile.key_prefix}{key}"} if key else {})}
    asked = Asked(name=profile.name, title=profile.title or profile.name, host=profile.base_url, key=key)
    try:
        payload = await connections.get_json(f"{profile.base_url}/models", asked, headers, LOOK_SECONDS)
    except ModelError:
        return None
    return _listed(payload)


def _listed(payload: Any) -> tuple[str, ...] | None:
    """Return the ids of a model list, entry by entry, bad ones skipped; None when it is no such list."""
    data = payload.get("data") if isinstance(payload, dict) else None
    if not isinstance(data, list):
        return () if isinstance(payload, dict) and "data" in payload else None  # Ollama without models: null
    ids = (entry.get("id") for entry in data if isinstance(entry, dict))
    return tuple(id_ for id_ in ids if isinstance(id_, str) and id_)[:LISTED]

"""Which models there are, what they are called, how much they read at once and what they cost."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from fnmatch import fnmatchcase

from msgspec.structs import replace

from app.errors import ModelError
from app.models.address import below, host_of
from app.models.connections import Connections, decoded, is_loopback
from app.models.efforts import efforts_of
from app.models.listing import Listings, models_of
from app.models.profile import ModelData, Profile
from app.models.profiles import ENVIRONMENT, Own, load_profile, model_data, offered, profile_names
from app.models.refusal import Asked, from_answer
from app.models.window import window
from app.records import LocalServer, ModelInfo, Usage, WeightsInfo

__all__ = ["cost", "environment_model", "find_local_servers", "list_models", "price", "resolve", "window"]

LOOK_SECONDS = 0.8
"""How long a local server may take to say what it has; one that is not there refuses at once."""
LIST_SECONDS = 5.0
"""How long a provider may take to say what it has; after that the list that is here counts."""


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


def price(named: Callable[[str], tuple[Profile, str]], name: str, usage: Usage) -> float | None:
    """Return `cost` for PROFILE/MODEL, None also where it is gone."""
    try:
        return cost(*named(name), usage)
    except ModelError:
        return None


async def list_models(
    profiles: Sequence[Profile],
    keys: Mapping[str, str],
    listings: Listings,
    connections: Connections,
    installed: Iterable[str] = (),
    *,
    agreed: Collection[str] = (),
) -> tuple[ModelInfo, ...]:
    """Return every model that can be picked, those that lack something last.

    They come from the profiles' data, from what providers listed within the last hour (those whose key is
    here are asked), and from reachable local servers, which are asked each time. `keys` are those that are
    there, by profile; `installed` are the models of the profile `local`.
    """
    live = [profile for profile in profiles if profile.live and profile.base_url]
    open_ = [profile for profile in profiles if not profile.terms or profile.name in agreed]
    answers, _ = await asyncio.gather(
        _ask_all(live, keys, connections), refresh(open_, keys, listings, connections)
    )
    answers["local"] = tuple(ModelData(id=id_) for id_ in installed)
    models = [
        info
        for profile in map(listings.enriched, profiles)
        for info in _infos(
            profile,
            _ids(profile, answers.get(profile.name) or (), bool(keys.get(profile.name))),
            bool(keys.get(profile.name)),
            not profile.terms or profile.name in agreed,
        )
    ]
    return tuple(sorted(models, key=lambda model: not model.ready))


async def refresh(
    profiles: Iterable[Profile], keys: Mapping[str, str], listings: Listings, connections: Connections
) -> None:
    """Ask the providers whose way in is here and whose list is an hour old; all at once, within seconds."""
    due = [
        profile
        for profile in profiles
        if profile.lists
        and not profile.live
        and profile.sign_in == "key"
        and profile.base_url
        and (keys.get(profile.name) or not profile.needs_key)
        and listings.is_due(profile)
    ]
    answers = await asyncio.gather(
        *(_ask(profile, connections, keys.get(profile.name, ""), LIST_SECONDS) for profile in due)
    )
    for profile, answer in zip(due, answers, strict=True):
        if isinstance(answer, ModelError):
            listings.failed(profile, answer.problem)
        else:
            await listings.keep(profile, answer)


def in_app(found: Iterable[WeightsInfo], profile: str) -> tuple[ModelInfo, ...]:
    """Return the models in the app as ones that can be picked."""
    return tuple(
        ModelInfo(
            name=f"{profile}/{info.name}",
            profile=profile,
            model=info.name,
            title=info.title,
            input_price=0.0,
            output_price=0.0,
            abilities=("tools",),
            ready=info.installed,
            why="" if info.installed else "local_missing",
        )
        for info in found
    )


async def find_local_servers(own: Own, environ: Mapping[str, str]) -> tuple[LocalServer, ...]:
    """Return the servers that answer on this computer: Ollama, LM Studio, llama.cpp, vLLM.

    Those that have models come first.
    """
    profiles = [load_profile(name, own, environ) for name in profile_names(own, environ)]
    live = [profile for profile in profiles if profile.live and is_loopback(profile.base_url)]
    connections = Connections(LOOK_SECONDS)
    try:
        answers = await _ask_all(live, {}, connections)
    finally:
        await connections.close()
    found = [
        LocalServer(
            profile=profile.name,
            title=profile.title or profile.name,
            base_url=profile.base_url,
            models=tuple(model.id for model in models),
        )
        for profile in live
        if (models := answers[profile.name]) is not None
    ]
    return tuple(sorted(found, key=lambda server: not server.models))


def _ids(profile: Profile, live: Iterable[ModelData], has_key: bool) -> list[str]:
    listed = [entry.id for entry in profile.models if "*" not in entry.id]
    found = dict.fromkeys(
        [*([profile.model] if profile.model else []), *listed, *(model.id for model in live)]
    )
    if has_key or not profile.keyless:
        return list(found)
    return [id_ for id_ in found if any(fnmatchcase(id_, pattern) for pattern in profile.keyless)]


def _infos(profile: Profile, ids: Iterable[str], has_key: bool, agreed: bool) -> list[ModelInfo]:
    """Return the models of a profile. Each is looked up in its own entries alone, which would take the square
    of their number otherwise.
    """
    patterns = tuple(entry for entry in profile.models if "*" in entry.id)
    exact: dict[str, tuple[ModelData, ...]] = {}
    for entry in profile.models:
        exact[entry.id] = (*exact.get(entry.id, ()), entry)
    return [
        _info(replace(profile, models=(*patterns, *exact.get(id_, ()))), id_, has_key, agreed) for id_ in ids
    ]


def _info(profile: Profile, model: str, has_key: bool, agreed: bool) -> ModelInfo:
    data = model_data(profile, model)
    why = _lack(profile, data, has_key, agreed)
    return ModelInfo(
        name=f"{profile.name}/{model}",
        profile=profile.name,
        model=model,
        title=data.title or model,
        window=window(profile, model) if data.window or profile.window else 0,
        input_price=data.input,
        output_price=data.output,
        multiplier=data.multiplier,
        priced=data.priced or (profile.priced if data.input is not None else ""),
        provider=profile.title or profile.name,
        abilities=data.abilities,
        efforts=efforts_of(profile, model),
        gone=data.gone,
        ready=not why,
        why=why,
        terms=data.terms if data.state == "terms" else "",
        unattended=profile.unattended,
    )


def _lack(profile: Profile, data: ModelData, has_key: bool, agreed: bool) -> str:
    """Return the code of what a model lacks before it can answer, "" for nothing."""
    if profile.needs_key and not has_key:
        return "no_key" if profile.sign_in == "key" else "no_sign_in"
    if not agreed:
        return "terms_open"
    return {"terms": "model_terms", "off": "model_off"}.get(data.state, "")


async def _ask_all(
    profiles: Sequence[Profile], keys: Mapping[str, str], connections: Connections
) -> dict[str, tuple[ModelData, ...] | None]:
    """Return the models that each server of this computer lists, None where nobody answers."""
    answers = await asyncio.gather(
        *(_ask(profile, connections, keys.get(profile.name, ""), LOOK_SECONDS) for profile in profiles)
    )
    found = zip(profiles, answers, strict=True)
    return {profile.name: None if isinstance(answer, ModelError) else answer for profile, answer in found}


async def _ask(
    profile: Profile, connections: Connections, key: str, seconds: float
) -> tuple[ModelData, ...] | ModelError:
    """Return the models that a server lists, else why there are none: nobody answers, or it is no list."""
    headers = {**profile.headers, **({profile.key_header: f"{profile.key_prefix}{key}"} if key else {})}
    asked = Asked(
        name=profile.name, title=profile.title or profile.name, host=host_of(profile.base_url), key=key
    )
    try:
        answer = await connections.small("GET", below(profile.base_url, "/models"), asked, headers, seconds)
        if answer.status != 200:
            return from_answer(answer.status, answer.headers, answer.body, asked)
        payload = decoded(answer.body, asked)
    except ModelError as error:
        return error
    found = models_of(payload, profile)
    return asked.error("bad_reply", "This is no list of models.") if found is None else found

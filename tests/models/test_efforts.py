"""The efforts that are offered for a model are those that change what is asked of it."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from app.models.efforts import ORDER, efforts_of
from app.models.profile import Profile, Quirks
from app.models.profiles import load_profile, profile_names
from app.models.request import ModelRequest
from app.models.wire import body_bytes
from tests.wires.asking import READ, user

MODELS = [
    (profile, model.id)
    for profile in (load_profile(name, {}, {}) for name in profile_names({}, {}))
    for model in profile.models
    if "*" not in model.id
]


def asked(profile: Profile, model: str, effort: str) -> bytes:
    """What a request with tools says of that effort."""
    request = ModelRequest(
        profile=profile,
        model=model,
        messages=(user("Hello"),),
        tools=(READ,),
        effort=effort,
        max_output=64_000,
    )
    body = msgspec.json.decode(body_bytes(request))
    body.get("reasoning", {}).pop("summary", None)
    return msgspec.json.encode(
        [body.get(name) for name in ("reasoning_effort", "reasoning", "thinking", "output_config")]
    )


@pytest.mark.parametrize(("profile", "model"), MODELS, ids=lambda one: getattr(one, "name", one))
def test_each_offered_effort_of_a_shipped_model_is_a_request_of_its_own(profile: Profile, model: str) -> None:
    offered = efforts_of(profile, model)
    sent = {asked(profile, model, effort) for effort in offered}
    assert len(sent) == len(offered)
    everything = {asked(profile, model, effort) for effort in (*ORDER, "")}
    if not offered:  # nothing, or only what is as good as its own measure
        assert len(everything) <= 2


def made(wire: str, abilities: tuple[str, ...] = (), **quirks: Any) -> Profile:
    """A profile of one model."""
    data: dict[str, Any] = {"name": "p", "wire": wire, "models": [{"id": "m", "abilities": abilities}]}
    return msgspec.convert({**data, "quirks": msgspec.to_builtins(Quirks(**quirks))}, Profile)


@pytest.mark.parametrize(
    ("profile", "efforts"),
    [
        (made("chat"), ()),
        (made("chat", effort="reasoning_effort"), ("off", "low", "medium", "high")),
        (made("chat", ("tools",), effort="reasoning_effort"), ()),
        (made("chat", effort="reasoning_effort", effort_with_tools="none"), ()),
        (
            made("responses", effort="reasoning_effort", effort_with_tools="none"),
            ("off", "low", "medium", "high"),
        ),
        (made("responses", effort="reasoning_effort", efforts={"off": "low"}), ("low", "medium", "high")),
        (made("chat", effort="reasoning_effort", efforts={"off": "", "medium": "high"}), ("low", "medium")),
        (made("chat", effort="thinking"), ("off", "low")),
        (made("messages", effort="budget"), ("low", "medium", "high")),
        (made("messages", effort="adaptive"), ("off", "low", "medium", "high")),
        (made("messages", effort="adaptive", thinking_off=""), ("low", "medium", "high")),
    ],
)
def test_only_what_differs_is_offered(profile: Profile, efforts: tuple[str, ...]) -> None:
    assert efforts_of(profile, "m") == efforts

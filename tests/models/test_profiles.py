"""Profiles as data: every built-in one is whole, a person's own are merged over them, the environment
wins.
"""

from __future__ import annotations

from datetime import date
from urllib.parse import urlsplit

import pytest

from app.errors import ModelError
from app.models import catalogue
from app.models.connections import is_loopback
from app.models.profiles import (
    environment_key,
    load_profile,
    model_data,
    offered,
    profile_names,
    quirks_of,
    wire_for,
)
from app.records import Usage

NAMES = profile_names({}, {}, hidden=True)


def test_all_providers_are_there() -> None:
    wanted = "anthropic copilot custom deepseek gemini groq llamacpp lmstudio local mistral ollama openai"
    assert {*wanted.split(), "openrouter"} <= set(NAMES) and "env" not in NAMES


@pytest.mark.parametrize("name", [*NAMES, "env"])
def test_a_built_in_profile_is_whole(name: str) -> None:
    loaded = load_profile(name, {}, {"BRAMBLE_BASE_URL": "http://127.0.0.1:1/v1"})
    assert loaded.name == name and loaded.title and loaded.sends.endswith(".")
    if loaded.base_url:
        assert urlsplit(loaded.base_url).scheme == ("http" if is_loopback(loaded.base_url) else "https")
        assert not loaded.base_url.endswith("/")
    if any(model.input for model in loaded.models):
        assert date.fromisoformat(loaded.priced) >= date(2026, 9, 1)
    if loaded.needs_key:
        assert (
            loaded.key_names and loaded.model in [model.id for model in loaded.models]
        ) or name == "copilot"
    for model in loaded.models:
        assert (model.input is None) == (model.output is None)
        assert model.cached is None or model.input is None or model.cached <= model.input
        quirks_of(loaded, model.id)


def test_a_provider_that_cannot_be_signed_in_to_is_not_offered() -> None:
    own = {"groq": {"hidden": True}}
    assert "groq" in profile_names({}, {}) and "groq" not in profile_names(own, {})
    for reach in (catalogue.resolve, offered):
        with pytest.raises(ModelError) as caught:
            reach("groq", own, {})
        assert caught.value.code == "no_profile"


def test_nobody_is_asked_by_a_routine_whose_terms_speak_against_it() -> None:
    told = [name for name in NAMES if load_profile(name, {}, {}).terms]
    assert told == ["copilot", "kilo"]
    assert not any(load_profile(name, {}, {}).unattended for name in told)
    copilot = load_profile("copilot", {}, {})
    assert (copilot.at_once, copilot.retries, copilot.rate_retries) == (1, 1, 1)


def test_own_profiles_are_merged_over_built_in_ones() -> None:
    own = {
        "openai": {
            "base_url": "https://proxy.example/v1",
            "quirks": {"system_role": "system"},
            "models": [{"id": "gpt-4o", "window": 5}, {"id": "new", "input": 1.0, "output": 2.0}],
        },
        "mine": {"like": "groq", "title": "Mine", "base_url": "http://10.0.0.2/v1", "needs_key": False},
        "plain": {"base_url": "http://10.0.0.3/v1", "model": "m"},
    }
    openai = load_profile("openai", own, {})
    assert (openai.base_url, openai.quirks.system_role, openai.quirks.call_ids) == (
        "https://proxy.example/v1",
        "system",
        "forty",
    )
    assert (model_data(openai, "gpt-4o").window, model_data(openai, "gpt-4o").input) == (5, 2.5)
    assert model_data(openai, "new").output == 2.0
    mine = load_profile("mine", own, {})
    assert (mine.name, mine.quirks.max_tokens_field, mine.needs_key) == (
        "mine",
        "max_completion_tokens",
        False,
    )
    assert "content_parts" in load_profile("plain", own, {}).quirks.echo
    assert profile_names(own, {})[:2] == ("mine", "plain")
    assert catalogue.resolve("plain", own, {})[1] == "m"


@pytest.mark.parametrize(
    ("own", "code"),
    [
        ({"x": {"like": "nobody"}}, "no_profile"),
        ({"x": {"like": "../x"}}, "no_profile"),
        ({"x": {"base_url": 3}}, "bad_settings"),
        ({"x": {"misspelt": 3}}, "bad_settings"),
        ({"x": {"quirks": {"misspelt": 3}}}, "bad_settings"),
        ({"x": {"models": [3]}}, "bad_settings"),
        ({"x": {"models": "m"}}, "bad_settings"),
    ],
)
def test_own_profiles_that_do_not_fit(own: dict[str, dict[str, object]], code: str) -> None:
    with pytest.raises(ModelError) as caught:
        load_profile("x", own, {})
    assert caught.value.code == code


@pytest.mark.parametrize("name", ["", "nobody", "nobody/x", "../etc/x", "/x", "env/x"])
def test_names_that_lead_nowhere(name: str) -> None:
    with pytest.raises(ModelError) as caught:
        catalogue.resolve(name, {}, {})
    assert caught.value.code == ("no_profile" if name else "no_model")


def test_a_profile_without_a_model_of_its_own() -> None:
    with pytest.raises(ModelError) as caught:
        catalogue.resolve("ollama", {}, {})
    assert caught.value.code == "no_model"


def test_names_of_models_may_hold_slashes() -> None:
    profile, model = catalogue.resolve("openrouter/anthropic/claude-x", {}, {})
    assert (profile.name, model) == ("openrouter", "anthropic/claude-x")
    assert catalogue.resolve("openai", {}, {})[1] == "gpt-6.1-sol"


def test_the_environment_makes_a_profile() -> None:
    environ = {
        "BRAMBLE_BASE_URL": "http://127.0.0.1:9/v1/",
        "BRAMBLE_API_KEY": "k",
        "BRAMBLE_MODEL": "a/b",
        "BRAMBLE_WIRE": "chat",
    }
    name = catalogue.environment_model(environ)
    assert name == "env/a/b"
    profile, model = catalogue.resolve(name, {}, environ)
    assert (profile.base_url, profile.wire, model) == ("http://127.0.0.1:9/v1", "chat", "a/b")
    assert environment_key(profile, environ) == ("k", "BRAMBLE_API_KEY")
    assert catalogue.environment_model({"BRAMBLE_MODEL": "m"}) == ""
    assert profile_names({}, environ)[0] == "env"


def test_a_wire_brings_what_its_servers_need() -> None:
    own = {"mine": {"base_url": "http://10.0.0.2/v1", "wire": "responses"}}
    loaded = load_profile("mine", own, {})
    assert (loaded.between, loaded.quirks.effort) == (300, "reasoning_effort")
    own["mine"] |= {"between": 7, "quirks": {"effort": ""}}
    said = load_profile("mine", own, {})
    assert (said.between, said.quirks.effort) == (7, "")
    assert load_profile("openai", {}, {}).between == 300


def test_a_model_may_name_its_wire() -> None:
    models = [{"id": "new-*", "wire": "responses"}, {"id": "new-plain", "wire": "chat"}, {"id": "new-large"}]
    own = {"mine": {"base_url": "http://10.0.0.2/v1", "wire": "messages", "models": models}}
    loaded = load_profile("mine", own, {})
    wires = {model: wire_for(loaded, model) for model in ("other", "new-one", "new-plain", "new-large")}
    assert wires == {
        "other": "messages",
        "new-one": "responses",
        "new-plain": "chat",
        "new-large": "responses",
    }
    with pytest.raises(ModelError) as caught:
        load_profile("mine", {"mine": {"models": [{"id": "x", "wire": "smoke"}]}}, {})
    assert caught.value.code == "bad_settings"


@pytest.mark.parametrize(
    "ending", ["", "/", "//", "/chat/completions", "/chat/completions/", "/responses", "/messages/"]
)
def test_addresses_as_people_paste_them(ending: str) -> None:
    own = {"mine": {"base_url": f"http://10.0.0.2/v1{ending}"}}
    assert load_profile("mine", own, {}).base_url == "http://10.0.0.2/v1"


def test_a_wire_that_nobody_knows_is_a_setting_that_does_not_fit() -> None:
    with pytest.raises(ModelError) as caught:
        load_profile("env", {}, {"BRAMBLE_BASE_URL": "http://x/v1", "BRAMBLE_WIRE": "smoke"})
    assert caught.value.code == "bad_settings"


def test_keys_of_the_environment() -> None:
    gemini = load_profile("gemini", {}, {})
    assert environment_key(gemini, {"GOOGLE_API_KEY": " g "}) == ("g", "GOOGLE_API_KEY")
    assert environment_key(gemini, {"GOOGLE_API_KEY": "g", "GEMINI_API_KEY": "m"}) == ("m", "GEMINI_API_KEY")
    assert environment_key(gemini, {"GEMINI_API_KEY": " "}) == ("", "")


def test_cost_of_plain_cached_written_and_answered_tokens() -> None:
    profile = load_profile("openai", {}, {})
    usage = Usage(input=1_000_000, cached=400_000, written=100_000, output=200_000)
    assert catalogue.cost(profile, "gpt-6-sol", usage) == pytest.approx(
        0.5 * 2 + 0.4 * 0.2 + 0.1 * 2.5 + 0.2 * 10
    )
    assert catalogue.cost(profile, "unheard-of", usage) is None
    assert catalogue.cost(load_profile("ollama", {}, {}), "any", usage) == 0.0


def test_windows() -> None:
    assert catalogue.window(load_profile("openai", {}, {}), "gpt-6-sol") == 1_050_000
    assert catalogue.window(load_profile("openai", {}, {}), "unheard-of") == 128_000
    assert catalogue.window(load_profile("custom", {"custom": {"window": 9000}}, {}), "x") == 9000


def test_what_is_wrong_in_a_variable_names_the_variables() -> None:
    with pytest.raises(ModelError) as caught:
        load_profile("env", {}, {"BRAMBLE_BASE_URL": "http://127.0.0.1:1/v1", "BRAMBLE_WIRE": "nonsense"})
    assert caught.value.code == "bad_settings"
    assert "BRAMBLE_WIRE" in caught.value.problem.fields["path"]
    assert "nonsense" in caught.value.problem.fields["why"]


def test_blanks_around_a_variable_are_no_part_of_it() -> None:
    given = {
        "BRAMBLE_BASE_URL": " http://127.0.0.1:1/v1/\n",
        "BRAMBLE_MODEL": "m\n",
        "BRAMBLE_WIRE": "chat\n",
    }
    loaded = load_profile("env", {}, given)
    assert (loaded.base_url, loaded.model, loaded.wire) == ("http://127.0.0.1:1/v1", "m", "chat")

"""Addresses as people write them."""

from __future__ import annotations

import pytest

from app.models.address import below, plain_base
from app.models.profiles import load_profile


@pytest.mark.parametrize(
    ("given", "base"),
    [
        ("https://api.example.com/v1", "https://api.example.com/v1"),
        ("https://api.example.com/v1/", "https://api.example.com/v1"),
        ("  https://api.example.com/v1//\n", "https://api.example.com/v1"),
        ('"https://api.example.com/v1"', "https://api.example.com/v1"),
        ("<https://api.example.com/v1>", "https://api.example.com/v1"),
        ("https://api.example.com/v1/chat/completions", "https://api.example.com/v1"),
        ("https://api.example.com/v1/models/", "https://api.example.com/v1"),
        ("https://api.example.com/v1/responses", "https://api.example.com/v1"),
        ("https://api.example.com/proxy/openai/v1#top", "https://api.example.com/proxy/openai/v1"),
        ("https://api.example.com/v1/?team=red", "https://api.example.com/v1?team=red"),
        ("https://api.example.com/v1/chat/completions?v=2#top", "https://api.example.com/v1?v=2"),
        ("https://api.example.com/v1?", "https://api.example.com/v1"),
        ("api.example.com/v1", "https://api.example.com/v1"),
        ("localhost:11434/v1", "http://localhost:11434/v1"),
        ("127.0.0.1:8080", "http://127.0.0.1:8080"),
        ("[::1]:8080/v1", "http://[::1]:8080/v1"),
        ("192.168.1.5:1234/v1", "http://192.168.1.5:1234/v1"),
        ("nas:8000", "http://nas:8000"),
        ("HTTP://Host.Example/v1", "HTTP://Host.Example/v1"),
        ("not an address", "not an address"),
        ("", ""),
        ("://", "://"),
    ],
)
def test_what_came_along_when_it_was_copied_is_left_off(given: str, base: str) -> None:
    assert plain_base(given) == (base.rstrip("/") if base != "://" else ":")


def test_a_protocol_whose_clients_leave_the_version_off_gets_it() -> None:
    assert plain_base("https://api.anthropic.com", versioned=True) == "https://api.anthropic.com/v1"
    assert plain_base("https://x.example/v1/messages", versioned=True) == "https://x.example/v1"
    assert plain_base("https://x.example/v1beta", versioned=True) == "https://x.example/v1beta"


def test_what_stands_behind_a_question_mark_stays_at_the_end() -> None:
    assert below("https://x.example/v1?team=red", "/models") == "https://x.example/v1/models?team=red"
    assert below("https://x.example/v1", "/models") == "https://x.example/v1/models"


def test_profiles_take_such_addresses() -> None:
    own = {"mine": {"base_url": " localhost:8080/v1/chat/completions "}}
    assert load_profile("mine", own, {}).base_url == "http://localhost:8080/v1"
    environ = {"BRAMBLE_BASE_URL": "127.0.0.1:9/v1/\n", "BRAMBLE_MODEL": "m"}
    assert load_profile("env", {}, environ).base_url == "http://127.0.0.1:9/v1"

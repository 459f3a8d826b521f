"""What can go wrong between us and a model: the cases of `test_faults.py`."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from tests.conversation.long_talk import summary
from tests.servers.scripted import Script, fails
from tests.wires.failing import (
    answer,
    begun,
    broken_event,
    cuts,
    endless,
    error_body,
    half_call,
    holds,
    refused,
    resets,
    silent,
    whole,
)


class Fault(msgspec.Struct, frozen=True):
    """One case. `scripts` are played in order for the requests of the turn; what comes after them works."""

    name: str
    code: str
    """Of the problem that the turn ends with, "" when it ends well."""
    scripts: Callable[[str], list[Script]]
    """By the name of the wire."""
    tries: int = 1
    """Requests that reach the server."""
    waits: tuple[float, ...] | None = ()
    """Seconds that were waited between them, None where chance decides."""
    kept: str = ""
    """What is stored of the answer."""
    exit: int = 1
    stop: str = "failed"
    settings: str = ""
    """Lines of settings.toml; {dead} is an address where nobody is, {url} the server's own."""
    environ: dict[str, str] = {}
    before: str = ""
    """Said, and answered, before."""
    codes: dict[str, str] = {}
    """Where a wire has another code."""
    picture: bool = False
    """A picture goes with the message."""
    beside: str = ""
    """A code that the person is told of beside the end."""


def _every(*made: Script) -> Callable[[str], list[Script]]:
    return lambda wire: list(made)


def _refuses(
    status: int, message: str, code: str = "", times: int = 1, **headers: str
) -> Callable[[str], list[Script]]:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return lambda wire: [fails(status, error_body(wire, message, code), named)] * times


def _cut(name: str, scripts: Callable[[str], list[Script]], kept: str = "") -> Fault:
    """An answer that breaks off at each of three tries."""
    return Fault(name, "cut_stream", scripts, tries=3, waits=(0.5, 1), kept=kept, exit=5, stop="cut")


PAGE = b"<!doctype html><html><head><title>Sign in to Hotel WiFi</title></head><body>Welcome</body></html>"
TIMES = "[profiles.env]\nfirst_byte = 0.4\nbetween = 0.4\n"
FAR = {"BRAMBLE_BASE_URL": "http://models.example.invalid/v1"}

FAULTS = [
    Fault("nobody listens at the address", "no_network", _every(), tries=0),
    Fault(
        "a name that no server has", "no_network", _every(), tries=0, environ=FAR, settings='proxy = "none"\n'
    ),
    Fault(
        "a proxy that is not there",
        "proxy_failed",
        _every(),
        tries=0,
        environ=FAR,
        settings='proxy = "{dead}"\n',
    ),
    Fault(
        "a proxy that wants a password",
        "proxy_failed",
        _refuses(407, "Proxy Authentication Required"),
        environ=FAR,
        settings='proxy = "{url}"\n',
    ),
    Fault("a certificate that nobody vouches for", "tls", _every(), tries=0),
    Fault(
        "the connection is reset three times",
        "server_error",
        _every(resets, resets, resets),
        tries=3,
        waits=(0.5, 1),
    ),
    Fault(
        "the key is refused",
        "bad_key",
        _refuses(401, "Incorrect API key provided: sk-test", "invalid_api_key"),
        exit=4,
    ),
    Fault("the key may not do this", "bad_key", _refuses(403, "Forbidden"), exit=4),
    Fault(
        "the server wants a key, and there is none",
        "no_key",
        _refuses(401, "Missing key"),
        exit=4,
        environ={"BRAMBLE_API_KEY": ""},
    ),
    Fault(
        "the key holds a line break",
        "unusable_key",
        _every(),
        tries=0,
        exit=4,
        environ={"BRAMBLE_API_KEY": "sk-a\nX-Evil: 1"},
    ),
    Fault("no credit is left", "no_credit", _refuses(402, "Insufficient Balance")),
    Fault(
        "the quota is used up",
        "no_credit",
        _refuses(429, "You exceeded your current quota", "insufficient_quota"),
    ),
    Fault(
        "asked to wait 7 seconds, then answered",
        "",
        _refuses(429, "Too many requests", retry_after="7"),
        tries=2,
        waits=(7,),
        kept="All well.",
        exit=0,
        stop="done",
    ),
    Fault(
        "asked to wait again and again",
        "rate_limit",
        _refuses(429, "Too many requests", times=6, retry_after="2"),
        tries=6,
        waits=(2, 2, 2, 2, 2),
    ),
    Fault("asked to wait for an hour", "rate_limit", _refuses(429, "Too many requests", retry_after="3600")),
    Fault(
        "asked to wait, and another model could answer",
        "rate_limit_other",
        _refuses(429, "Too many requests", retry_after="3600"),
        settings='fallback_model = "env/other"\n',
    ),
    Fault(
        "asked to wait, and another model answers by itself",
        "",
        _refuses(429, "Too many requests", retry_after="60"),
        tries=2,
        settings='fallback_model = "env/other"\nfall_back = "auto"\n',
        kept="All well.",
        exit=0,
        stop="done",
        beside="fell_back",
    ),
    Fault(
        "overloaded three times",
        "overloaded",
        _refuses(529, "Overloaded", "overloaded_error", times=3),
        tries=3,
        waits=(0.5, 1),
    ),
    Fault(
        "overloaded twice, then answered",
        "",
        _refuses(529, "Overloaded", "overloaded_error", times=2),
        tries=3,
        waits=(0.5, 1),
        kept="All well.",
        exit=0,
        stop="done",
    ),
    Fault(
        "an error of the server's own",
        "server_error",
        _refuses(500, "Internal error", times=3),
        tries=3,
        waits=(0.5, 1),
    ),
    Fault(
        "an error within the answer",
        "server_error",
        lambda wire: [whole(broken_event(wire, error_body(wire, "The engine died", "died")))],
        kept="So far",
    ),
    Fault(
        "the conversation is too long and cannot be shortened",
        "does_not_fit",
        _refuses(400, "prompt is too long: 9000 tokens > 8000 maximum", "context_length_exceeded"),
    ),
    Fault(
        "the conversation is too long, is summarised and sent again",
        "",
        lambda wire: [
            fails(400, error_body(wire, "maximum context length is 20000 tokens", "context_length_exceeded")),
            answer(wire, summary(goal="Read a long text.")),
        ],
        tries=3,
        kept="All well.",
        exit=0,
        stop="done",
        before="A long text: " + "word " * 24_000,
    ),
    Fault(
        "a picture that the provider does not take",
        "",
        lambda wire: [fails(400, error_body(wire, "The image could not be processed.", "image_parse_error"))],
        tries=2,
        kept="All well.",
        exit=0,
        stop="done",
        picture=True,
        beside="pictures_refused",
    ),
    Fault("the request is larger than the server takes", "does_not_fit", _refuses(413, "Request too large")),
    Fault(
        "the answer breaks off twice, then is whole",
        "",
        lambda wire: [cuts(begun(wire, "Half an"))] * 2,
        tries=3,
        waits=(0.5, 1),
        kept="All well.",
        exit=0,
        stop="done",
    ),
    _cut(
        "the answer breaks off three times", lambda wire: [cuts(begun(wire, "Half an"))] * 3, kept="Half an"
    ),
    _cut("it breaks off within a call", lambda wire: [cuts(half_call(wire))] * 3),
    _cut("it ends in good order, but within a call", lambda wire: [whole(half_call(wire))] * 3),
    _cut("an empty answer", _every(*[whole(b"")] * 3)),
    Fault("silence in place of an answer", "stalled", _every(silent), settings=TIMES, exit=5, stop="cut"),
    Fault(
        "silence within the answer",
        "stalled",
        lambda wire: [holds(begun(wire, "Half an"))],
        settings=TIMES,
        kept="Half an",
        exit=5,
        stop="cut",
    ),
    Fault("an answer that does not end", "endless", lambda wire: [endless(wire)], kept="on and on ", exit=5),
    Fault(
        "the address lacks what this wire asks for", "no_endpoint", _every(fails(404, b"404 page not found"))
    ),
    Fault("the server does not take such requests", "no_endpoint", _every(fails(405, b""))),
    Fault(
        "the address lacks /v1",
        "bad_reply",
        _every(fails(404, b"404 page not found")),
        environ={"BRAMBLE_BASE_URL": "{root}"},
        codes={"messages": "no_endpoint"},
    ),
    Fault(
        "a field that the server does not know", "unsupported", _refuses(400, "Unknown parameter: 'tools'")
    ),
    Fault(
        "the model is gone",
        "model_gone",
        _refuses(404, "The model `test-model` does not exist", "model_not_found"),
        exit=4,
    ),
    Fault("a sign-in page in place of an answer", "web_page", _every(fails(200, PAGE, kind="text/html"))),
    Fault(
        "a redirect to a sign-in page",
        "web_page",
        _every(fails(302, b"", {"location": "https://login.example/"})),
    ),
    Fault("JSON that breaks off", "bad_reply", _every(whole(b'data: {"choices": [{"delta": {"cont\n\n'))),
    Fault("JSON of something else", "bad_reply", _every(fails(200, {"hello": "world"}))),
    Fault(
        "the filter does not let the question through",
        "content_refused",
        _refuses(400, "The response was filtered by the content management policy", "content_filter"),
    ),
    Fault(
        "the filter ends the answer", "", lambda wire: [whole(refused(wire))], kept="So far", stop="refused"
    ),
]

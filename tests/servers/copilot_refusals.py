"""Every refusal that Copilot is known for (facts: providers 1.1), with the sentence that a person reads, for
the window and for the terminal.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from tests.servers.copilot import Copilot


class Refusal(NamedTuple):
    """One refusal: `how` sets it up at the server, `code` and `sentence` are what comes of it."""

    name: str
    how: dict[str, Any]
    """Fields of the server."""
    code: str
    sentence: str
    tries: int = 0
    """Of a message: requests that reach an endpoint."""

    def play(self, copilot: Copilot) -> None:
        """Let the server refuse."""
        for field, value in self.how.items():
            setattr(copilot, field, list(value) if isinstance(value, list) else value)


def _poll(error: str) -> dict[str, Any]:
    return {"polls": [{"error": error, "error_description": "Said by GitHub."}]}


def _exchange(status: int, body: Any) -> dict[str, Any]:
    return {"exchange": [(status, body)]}


def _answers(status: int, body: Any, **headers: str) -> dict[str, Any]:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return {"answers": [(status, body, named)] * 4}


HOTEL = b"<html><title>Hotel WiFi</title>Welcome</html>"

SIGN_IN = (
    Refusal("the person said no", _poll("access_denied"), "code_denied", "turned down at GitHub"),
    Refusal("the code ran out there", _poll("expired_token"), "code_expired", "has run out before"),
    Refusal(
        "the code ran out here",
        {"polls": [{"error": "authorization_pending"}] * 20, "expires_in": 3},
        "code_expired",
        "has run out before",
    ),
    Refusal("no device flow", _poll("device_flow_disabled"), "device_flow_off", "is switched off"),
    Refusal(
        "no device flow, said at once",
        {"begin": (400, {"error": "device_flow_disabled"})},
        "device_flow_off",
        "is switched off",
    ),
    Refusal(
        "an unknown client", _poll("incorrect_client_credentials"), "bad_client_id", "does not know this"
    ),
    Refusal(
        "an unknown client, said at once",
        {"begin": (404, {"error": "Not Found"})},
        "bad_client_id",
        "does not know this",
    ),
    Refusal("a wrong code", _poll("incorrect_device_code"), "code_refused", "(incorrect_device_code)"),
    Refusal("a wrong grant", _poll("unsupported_grant_type"), "code_refused", "(unsupported_grant_type)"),
    Refusal("something new", _poll("something_new"), "code_refused", "(something_new)"),
    Refusal("a page of a hotel", {"begin": (200, HOTEL)}, "web_page", "a web page in place of an answer"),
    Refusal("GitHub is down", {"begin": (503, b"busy")}, "server_error", "an error of its own"),
    Refusal("GitHub asks to wait", {"begin": (429, {"message": "slow down"})}, "rate_limit", "asks to wait"),
    Refusal(
        "no seat",
        _exchange(403, {"message": "no", "error_details": {"notification_id": "no_copilot_access"}}),
        "no_seat",
        "This GitHub account has no Copilot",
    ),
    Refusal(
        "not signed up",
        _exchange(403, {"error_details": {"notification_id": "not_signed_up"}}),
        "no_seat",
        "This GitHub account has no Copilot",
    ),
    Refusal(
        "an app of a kind that is refused",
        _exchange(403, {"message": "Resource not accessible by integration"}),
        "app_refused",
        "GitHub lets this kind of sign-in",
    ),
    Refusal(
        "a rule of the organisation",
        _exchange(403, {"message": "blocked by organization policy"}),
        "forbidden_by_policy",
        "A rule of your organisation",
    ),
    Refusal(
        "a token that holds no longer",
        _exchange(401, {"message": "Bad credentials"}),
        "signed_out",
        "does not accept the sign-in any more",
    ),
    Refusal("a page for a token", _exchange(200, HOTEL), "web_page", "a web page in place of an answer"),
    Refusal("no token in it", _exchange(200, {"token": ""}), "bad_reply", "no answer of a model"),
)
"""What ends a sign-in. Nothing is kept of any."""

PASSING = (
    ("the limit of GitHub's API", (403, {"message": "API rate limit exceeded for user ID 1."})),
    ("the exchange is down", (500, b"oops")),
)
"""What says nothing about a token, so that the sign-in stands and the models come later."""

MESSAGES = (
    Refusal(
        "a short token that is refused again and again",
        _answers(401, {"error": {"message": "IDE token expired: unauthorized: token expired"}}),
        "signed_out",
        "does not accept the sign-in any more",
        2,
    ),
    Refusal(
        "no credit",
        _answers(402, {"error": {"code": "quota_exceeded", "message": "You have no quota"}}),
        "no_credit",
        "has no credit left",
        1,
    ),
    Refusal("no seat", _answers(403, {"message": "no"}), "no_seat", "This GitHub account has no Copilot", 1),
    Refusal(
        "a rule of the organisation",
        _answers(403, {"error": {"message": "blocked by organization policy"}}),
        "forbidden_by_policy",
        "A rule of your organisation",
        1,
    ),
    Refusal(
        "an app of a kind that is refused",
        _answers(403, {"message": "Resource not accessible by integration"}),
        "app_refused",
        "GitHub lets this kind of sign-in",
        1,
    ),
    Refusal(
        "the limit of GitHub's API",
        _answers(403, {"message": "API rate limit exceeded for user ID 1."}, retry_after="7200"),
        "rate_limit",
        "asks to wait 2 h",
        1,
    ),
    Refusal(
        "a wait of hours",
        _answers(429, {"error": {"message": "slow down"}}, retry_after="7200"),
        "rate_limit",
        "asks to wait 2 h",
        1,
    ),
    Refusal(
        "a model that this client or plan may not use",
        _answers(400, {"error": {"code": "model_not_supported", "message": "not supported"}}),
        "unsupported",
        "gpt-5-mini",
        2,
    ),
    Refusal(
        "no endpoint for this model",
        _answers(400, {"error": {"code": "unsupported_api_for_model", "message": "not here"}}),
        "unsupported",
        "gpt-5-mini",
        2,
    ),
    Refusal(
        "too long",
        _answers(400, {"error": {"message": "prompt token count of 900000 exceeds the limit of 128000"}}),
        "does_not_fit",
        "more than the model can read at once",
        1,
    ),
    Refusal(
        "an item of another connection",
        _answers(400, {"error": {"message": "input item ID does not belong to this connection"}}),
        "unsupported",
        "does not offer what was asked of it",
        1,
    ),
    Refusal("an error of its own", _answers(500, {"error": {"message": "oops"}}), "server_error",
            "an error of its own", 2),
)  # fmt: skip
"""What a message may be refused with, while the sign-in stands."""

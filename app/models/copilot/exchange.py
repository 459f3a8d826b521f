"""The short token that GitHub gives for the one of the person, and what its refusals mean."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, Literal, NamedTuple

import msgspec

from app.errors import ModelError
from app.models.connections import Answer, Connections, decoded
from app.models.copilot.place import Place, asked_of, identity
from app.models.profile import Profile
from app.models.refusal import Asked, from_answer
from app.records import Problem

SECONDS = 20.0
_EARLY, _END = 60.0, 300.0
"""Seconds before `refresh_in` is over, and before the end of the token, at which it is made anew."""
_LEAST = 60.0
"""A token is used that long, whatever it says of itself, so that no clock makes us ask without end."""
_UNSAID = 1500.0

APP = (r"not accessible by integration", r"integration.{0,20}not (allowed|supported)")
SEAT = (
    r"no[_ ]copilot[_ ]access",
    r"not[_ ]signed[_ ]up",
    r"subscription[_ ](ended|required)",
    r"access to github copilot not allowed",
    r"feature[_ ]flag[_ ]blocked",
    r"no (access|seat|subscription|license)",
)
POLICY = (r"polic(y|ies)", r"organi[sz]ation", r"enterprise", r"administrator", r"ip allow list", r"saml|sso")


class Pass(NamedTuple):
    """What opens the models: the way, the token that is sent, where to, and when it is made anew."""

    style: Literal["exchange", "direct"]
    token: str
    base: str
    renew: float
    """Unix seconds; infinity for the person's own token."""


class Unsuited(Exception):
    """The exchange is not there for this kind of token; `error` says what it answered."""

    def __init__(self, error: ModelError) -> None:
        super().__init__(str(error))
        self.error = error


async def exchange(
    connections: Connections, profile: Profile, place: Place, token: str, now: Callable[[], float]
) -> Pass:
    """Return a short token. Raises Unsuited where the person's own one may do without, else ModelError:
    signed_out, no_seat, forbidden_by_policy, rate_limit and those of the way there.
    """
    url = f"{place.api}/copilot_internal/v2/token"
    asked = asked_of(profile, url, token)
    headers = {**profile.headers, **identity(), "authorization": f"token {token}"}
    headers["accept"] = "application/json"
    answer = await connections.small("GET", url, asked, headers, SECONDS)
    if answer.status != 200:
        refused = from_answer(answer.status, answer.headers, answer.body, asked)
        refused.said += f" {_reason(answer.body)}"
        error = worded(refused, profile)
        if error.code == "app_refused" or answer.status == 404:
            raise Unsuited(error)
        raise error
    return _pass_of(decoded(answer.body, asked), place, asked, now())


def worded(error: ModelError, profile: Profile) -> ModelError:
    """Return an error of GitHub with the code that says what it means here."""
    code = _code(error)
    if code == error.code:
        return error
    made = ModelError(code, f"{profile.title}: {code}", status=error.status, retry_after=error.retry_after)
    named = {"profile": profile.name, "title": profile.title or profile.name}
    made.problem = Problem(code=code, fields={**error.problem.fields, **named}, detail=error.problem.detail)
    made.said = error.said
    return made


def _code(error: ModelError) -> str:
    hay = f"{error.said} {error.problem.detail}"

    def says(patterns: tuple[str, ...]) -> bool:
        return any(re.search(pattern, hay, re.I) for pattern in patterns)

    if error.status == 401 and error.code in ("bad_key", "no_key"):
        return "signed_out"
    if error.status != 403 or error.code == "rate_limit":
        return error.code
    if error.code == "no_credit":
        return error.code
    for code, patterns in (("no_seat", SEAT), ("app_refused", APP), ("forbidden_by_policy", POLICY)):
        if says(patterns):
            return code
    return "no_seat" if error.code in ("bad_key", "no_key") else error.code


def _reason(body: bytes) -> str:
    """Return GitHub's own name of why there is no token: it says more than the message beside it."""
    try:
        reply = msgspec.json.decode(body)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return ""
    details = reply.get("error_details") if isinstance(reply, Mapping) else None
    name = details.get("notification_id") if isinstance(details, Mapping) else None
    return name[:60] if isinstance(name, str) else ""


def _pass_of(reply: Any, place: Place, asked: Asked, now: float) -> Pass:
    token = reply.get("token") if isinstance(reply, Mapping) else None
    if not (isinstance(token, str) and token and token.isascii() and token.isprintable()):
        raise asked.error("bad_reply", "The reply holds no token.")
    endpoints = reply.get("endpoints")
    base = endpoints.get("api") if isinstance(endpoints, Mapping) else None
    if not isinstance(base, str) or not base:
        # The token itself names a host for completions; the one for models differs in its first word.
        found = re.search(r"(?:^|;)proxy-ep=proxy\.([A-Za-z0-9.-]+)(?:;|$)", token)
        base = f"https://api.{found[1]}" if found else place.base
    return Pass("exchange", token, place.trusted_base(base), now + _lifetime(reply, now))


def _lifetime(reply: Mapping[str, Any], now: float) -> float:
    """Seconds until a token is made anew. `refresh_in` comes first: it needs no clock that goes right."""
    lasts = reply.get("refresh_in")
    if isinstance(lasts, int | float) and lasts > 0:
        return max(_LEAST, lasts - _EARLY)
    ends = reply.get("expires_at")
    return max(_LEAST, ends - _END - now) if isinstance(ends, int | float) and ends > 0 else _UNSAID


async def own_base(connections: Connections, profile: Profile, place: Place, token: str) -> str:
    """Return where the models of an account are whose token is sent as it is; the usual place when GitHub
    does not say.
    """
    try:
        reply = await user(connections, profile, place, token)
    except ModelError:
        return place.base
    endpoints = reply.get("endpoints")
    base = endpoints.get("api") if isinstance(endpoints, Mapping) else None
    return place.trusted_base(base) if isinstance(base, str) and base else place.base


async def user(connections: Connections, profile: Profile, place: Place, token: str) -> Mapping[str, Any]:
    """Return what GitHub says of the account's plan and quota. Raises ModelError."""
    url = f"{place.api}/copilot_internal/user"
    asked = asked_of(profile, url, token)
    headers = {**profile.headers, **identity(), "authorization": f"token {token}"}
    headers["accept"] = "application/json"
    answer: Answer = await connections.small("GET", url, asked, headers, SECONDS)
    if answer.status != 200:
        raise worded(from_answer(answer.status, answer.headers, answer.body, asked), profile)
    reply = decoded(answer.body, asked)
    if not isinstance(reply, Mapping):
        raise asked.error("bad_reply", "The reply is no object.")
    return reply

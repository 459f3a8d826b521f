"""The sign-in by a code that the person enters on GitHub's page (OAuth device flow, RFC 8628)."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Awaitable, Callable
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, urlsplit

from app.errors import ModelError
from app.models.connections import Answer, Connections
from app.models.copilot.place import Place, asked_of, identity
from app.models.profile import Profile
from app.models.refusal import from_answer, not_understood
from app.models.retry_after import seconds_to_wait

SCOPE = "read:user"
GRANT = "urn:ietf:params:oauth:grant-type:device_code"
SECONDS = 20.0
"""For one question to GitHub."""
MARGIN = 1.2
"""Clocks of virtual machines run fast enough to ask too early, which GitHub answers with a longer wait."""
_SLOWER = 5.0
_SHORTEST, _LONGEST = 1.0, 3600.0

ERRORS = {
    "expired_token": "code_expired",
    "token_expired": "code_expired",
    "access_denied": "code_denied",
    "incorrect_client_credentials": "bad_client_id",
    "device_flow_disabled": "device_flow_off",
    "incorrect_device_code": "code_refused",
    "unsupported_grant_type": "code_refused",
}
"""GitHub's names of what ends a sign-in, and ours."""


class Begun(NamedTuple):
    """A code that waits for the person. `device` is a secret."""

    device: str
    code: str
    url: str
    interval: float
    """Seconds between two questions."""
    until: float
    """When the code runs out, on the clock that was given."""


class Device:
    """Asks for a code, then waits until the person has entered it."""

    def __init__(
        self,
        connections: Connections,
        profile: Profile,
        place: Place,
        client_id: str,
        *,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._connections = connections
        self._profile = profile
        self._place = place
        self._client_id = client_id
        self._sleep = sleep
        self._clock = clock

    async def begin(self) -> Begun:
        """Return a code for the person. Raises ModelError: bad_client_id, device_flow_off, code_refused and
        those of the way there.
        """
        answer = await self._ask("/login/device/code", client_id=self._client_id, scope=SCOPE)
        said = _fields(answer.body)
        if answer.status == 404:  # GitHub's answer for an app that is not there
            raise self._refused("incorrect_client_credentials", said)
        if error := str(said.get("error") or ""):
            raise self._refused(error, said)
        device, code = said.get("device_code"), said.get("user_code")
        url = said.get("verification_uri") or said.get("verification_url")
        if not (isinstance(device, str) and device and _shown(code) and _is_page(url)):
            raise self._unusable(answer)
        return Begun(
            device=device,
            code=str(code),
            url=str(url),
            interval=_seconds(said.get("interval"), 5.0),
            until=self._clock() + _seconds(said.get("expires_in"), 900.0),
        )

    async def token(self, begun: Begun) -> str:
        """Wait until the person has entered the code, and return their token.

        Raises ModelError: code_expired, code_denied and those of `begin`. A network that is away for a while
        does not end it; the end of the code's time does.
        """
        interval = begun.interval
        while True:
            left = begun.until - self._clock()
            if left <= 0:
                raise ModelError("code_expired", "The code ran out.", profile=self._profile.name)
            await self._sleep(min(interval * MARGIN, left))
            if self._clock() >= begun.until:
                continue
            try:
                said, answer = await self._look(begun.device)
            except ModelError as error:
                if error.code not in ("no_network", "stalled", "server_error", "overloaded", "rate_limit"):
                    raise
                # RFC 8628 3.5: ask less often where no answer comes.
                interval = error.retry_after or min(interval * 2, 60.0)
                continue
            token = said.get("access_token")
            if isinstance(token, str) and token:
                return token
            error_name = str(said.get("error") or "")
            if error_name == "slow_down":
                interval = _seconds(said.get("interval"), interval + _SLOWER)
            elif error_name and error_name != "authorization_pending":
                raise self._refused(error_name, said)
            elif not error_name:
                raise self._unusable(answer)

    async def _look(self, device: str) -> tuple[dict[str, Any], Answer]:
        fields = {"client_id": self._client_id, "device_code": device, "grant_type": GRANT}
        answer = await self._ask("/login/oauth/access_token", **fields)
        said = _fields(answer.body)
        if answer.status != 200 and "error" not in said:
            raise from_answer(answer.status, answer.headers, answer.body, self._asked(""))
        if answer.status == 429:
            error = ModelError("rate_limit", "GitHub asks to wait.", status=429)
            error.retry_after = seconds_to_wait(answer.headers, "", None, time.time())
            raise error
        return said, answer

    async def _ask(self, path: str, **fields: str) -> Answer:
        headers = {**identity(), "accept": "application/json"}  # without it the reply is form-encoded
        url = f"{self._place.github}{path}"
        return await self._connections.small("POST", url, self._asked(path), headers, SECONDS, data=fields)

    def _asked(self, path: str) -> Any:
        return asked_of(self._profile, f"{self._place.github}{path}")

    def _refused(self, error: str, said: dict[str, Any]) -> ModelError:
        detail = self._asked("").redacted(str(said.get("error_description") or ""))
        return ModelError(
            ERRORS.get(error, "code_refused"),
            f"GitHub ended the sign-in: {error}",
            detail=detail,
            profile=self._profile.name,
            why=error[:60],
        )

    def _unusable(self, answer: Answer) -> ModelError:
        """Return the error for an answer that is none of a sign-in: a proxy's page, or a failure."""
        if answer.status != 200:
            return from_answer(answer.status, answer.headers, answer.body, self._asked(""))
        return not_understood(answer.body, self._asked(""))


def _fields(body: bytes) -> dict[str, Any]:
    """Return the fields of a reply: JSON, or a form where a server does not look at `accept`."""
    text = body.decode("utf-8", "replace")
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return {} if "<" in text else dict(parse_qsl(text.strip()))
    return found if isinstance(found, dict) else {}


def _seconds(value: Any, otherwise: float) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError):
        return otherwise
    return min(max(number, _SHORTEST), _LONGEST) if number == number else otherwise


def _shown(code: Any) -> bool:
    return isinstance(code, str) and 0 < len(code) <= 40 and code.isascii() and code.isprintable()


def _is_page(url: Any) -> bool:
    """Whether a browser may be sent there."""
    if not isinstance(url, str) or len(url) > 500 or not url.isprintable():
        return False
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    near = parts.scheme == "http" and parts.hostname in ("127.0.0.1", "localhost", "::1")
    return bool(parts.hostname) and (parts.scheme == "https" or near)

"""One account at Copilot: the pass that is in force, the models it opens, what is left of its plan.

The person's token stays where keys are kept; the short one made from it is in memory alone. Which of the two
ways an account takes is found out, not guessed from the look of a token: the exchange first, and where that
is not for this kind of token, the token itself.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack, suppress
from typing import Any
from urllib.parse import quote

from app import logs
from app.errors import ModelError, StoreError
from app.models.connections import Answer, Connections, decoded
from app.models.copilot.entries import entry_of
from app.models.copilot.exchange import Pass, Unsuited, exchange, own_base, user, worded
from app.models.copilot.place import Place, asked_of, identity
from app.models.copilot.quota import quota_of
from app.models.listing import Listings
from app.models.profile import ModelData, Profile
from app.models.refusal import from_answer
from app.records import Quota

SECONDS = 20.0
_NEVER_DIRECT = ("ghu_",)
"""Beginnings of tokens that are always refused when they are sent as they are."""


class Account:
    """What is known of one profile's account. For one event loop."""

    def __init__(
        self,
        connections: Connections,
        listings: Listings,
        *,
        token: Callable[[Profile, bool], Awaitable[str]],
        place: Callable[[Profile], Place],
        alone: Callable[[str], AbstractAsyncContextManager[None]],
        now: Callable[[], float] = time.time,
    ) -> None:
        """`token` reads the person's token, from its store again where its second argument is true; `alone`
        keeps other processes from renewing at the same time.
        """
        self._connections = connections
        self._listings = listings
        self._token = token
        self._place = place
        self._alone = alone
        self._now = now
        self._pass: tuple[str, Pass] | None = None
        self._making = asyncio.Lock()

    async def enter(self, profile: Profile) -> Pass:
        """Return the pass in force, made anew before it ends. Raises ModelError: no_sign_in, signed_out,
        no_seat, app_refused, forbidden_by_policy and those of the way there.
        """
        async with self._making:
            token = await self._token(profile, False)
            held = self._pass
            if held is not None and held[0] == token and self._now() < held[1].renew:
                return held[1]
            return await self._make(profile)

    async def renew(self, profile: Profile, refused: str) -> bool:
        """Make a pass in place of the one whose token was `refused`; false when there is nothing to make it
        of.
        """
        async with self._making:
            held = self._pass
            if held is not None and held[1].token != refused:
                return True  # another request did it meanwhile
            self._pass = None
            if held is not None and held[1].style == "direct" and await self._token(profile, True) == held[0]:
                return False
            await self._make(profile)
            return True

    def forget(self) -> None:
        """Forget the pass; the person signed out, or another token may be there."""
        self._pass = None

    async def check(self, profile: Profile, token: str) -> tuple[Pass, tuple[ModelData, ...]]:
        """Return what a token opens, without keeping it. Raises ModelError."""
        made = await self._pass_for(profile, token)
        return made, await self._ask_models(profile, made)

    async def models(self, profile: Profile, *, anew: bool = False) -> None:
        """Bring the list of models up to date, once an hour or `anew`. Raises ModelError."""
        if not anew and not self._listings.is_due(profile):
            return
        try:
            found = await self._ask_models(profile, await self.enter(profile))
        except ModelError as error:
            self._listings.failed(profile, error.problem)
            raise
        await self._listings.keep(profile, found)

    async def accept(self, profile: Profile, model: str) -> None:
        """Accept a model's own terms, after the person said yes to them. Raises ModelError."""
        made = await self.enter(profile)
        url = f"{made.base}/models/{quote(model, safe='')}/policy"
        answer = await self._call("POST", url, profile, made, {"state": "enabled"})
        if answer.status not in (200, 201, 204):
            raise self._refused(answer, profile, url, made)
        await self.models(profile, anew=True)

    async def quota(self, profile: Profile) -> Quota:
        """Return what is left of the plan. Raises ModelError."""
        token = await self._token(profile, False)
        if not token:
            raise no_sign_in(profile)
        return quota_of(await user(self._connections, profile, self._place(profile), token))

    async def _make(self, profile: Profile) -> Pass:
        """Make a pass of the token that is kept now, one process after the other."""
        async with AsyncExitStack() as held:
            with suppress(
                StoreError
            ):  # one that holds it for so long is not waited for: no harm is done twice
                await held.enter_async_context(self._alone(profile.name))
            token = await self._token(profile, False)
            if not token:
                raise no_sign_in(profile)
            try:
                made = await self._pass_for(profile, token)
            except ModelError as error:
                if error.status not in (401, 403, 404):
                    raise
                # Another process may have put a new one in its place a moment ago; only now it is read again.
                there = await self._token(profile, True)
                if there in ("", token):
                    raise
                token, made = there, await self._pass_for(profile, there)
        self._pass = (token, made)
        return made

    async def _pass_for(self, profile: Profile, token: str) -> Pass:
        place = self._place(profile)
        try:
            made = await exchange(self._connections, profile, place, token, self._now)
            logs.keep_out(made.token)
            return made
        except Unsuited as unsuited:
            if token.startswith(_NEVER_DIRECT):
                raise unsuited.error from unsuited
            base = await own_base(self._connections, profile, place, token)
            made = Pass("direct", token, base, math.inf)
            try:
                await self._ask_models(profile, made)
            except ModelError as error:
                if error.status in (400, 401, 403, 404):
                    raise unsuited.error from error  # it says more than the refusal of a token
                raise
            return made

    async def _ask_models(self, profile: Profile, made: Pass) -> tuple[ModelData, ...]:
        url = f"{made.base}/models"
        answer = await self._call("GET", url, profile, made)
        if answer.status != 200:
            raise self._refused(answer, profile, url, made)
        asked = asked_of(profile, url, made.token)
        payload = decoded(answer.body, asked)
        data = payload.get("data") if isinstance(payload, dict) else None
        if not isinstance(data, list):
            raise asked.error("bad_reply", "This is no list of models.")
        found = (entry_of(entry) for entry in data)
        return tuple({model.id: model for model in found if model is not None}.values())

    async def _call(self, method: str, url: str, profile: Profile, made: Pass, body: Any = None) -> Answer:
        headers = {**profile.headers, **identity(), "authorization": f"Bearer {made.token}"}
        headers["accept"] = "application/json"
        if body is not None:
            headers["openai-intent"] = "chat-policy"
        asked = asked_of(profile, url, made.token)
        content = {} if body is None else {"json": body}
        return await self._connections.small(method, url, asked, headers, SECONDS, **content)

    def _refused(self, answer: Answer, profile: Profile, url: str, made: Pass) -> ModelError:
        asked = asked_of(profile, url, made.token)
        return worded(from_answer(answer.status, answer.headers, answer.body, asked), profile)


def no_sign_in(profile: Profile) -> ModelError:
    """Return the error for an account that nobody has signed in to."""
    title = profile.title or profile.name
    return ModelError("no_sign_in", f"Nobody is signed in to {title}.", profile=profile.name, title=title)

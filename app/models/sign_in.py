"""Signing in to a provider by more than a key: what to know before, the ways, and what is left of the
plan.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Awaitable, Callable, Mapping
from typing import NamedTuple

from app import logs
from app.errors import ModelError
from app.models.accounts import Accounts
from app.models.connections import Connections
from app.models.copilot.account import Account, no_sign_in
from app.models.copilot.device import Begun, Device
from app.models.copilot.door import CopilotDoor
from app.models.copilot.gh import program, token_of_gh
from app.models.copilot.place import Place, place_of
from app.models.door import Door, terms_open
from app.models.keys import Keys
from app.models.listing import Listings
from app.models.profile import Profile
from app.models.profiles import environment_key
from app.platform.ids import new_id
from app.records import Problem, Quota, SignedIn, SignInCode, SignInWay
from app.settings import Settings
from app.store.secrets import Secrets

ALONE_SECONDS = 15.0
"""How long another process that makes a pass is waited for."""
LOOK_SECONDS = 8.0
"""How long a list of models is waited for before the one that is here counts."""
_PASSING = ("no_network", "server_error", "overloaded", "stalled", "rate_limit")
"""What says nothing about a token: it is kept all the same."""


class Means(NamedTuple):
    """What a sign-in works with."""

    environ: Mapping[str, str]
    settings: Callable[[], Settings]
    change_settings: Callable[..., Awaitable[Settings]]
    profile: Callable[[str], Profile]
    agreed: Callable[[Profile], bool]
    keys: Keys
    secrets: Secrets
    listings: Listings
    connections: Callable[[], Connections]
    tell: Callable[[str], Awaitable[None]]
    """Lets other processes know that the key of this name has changed."""


class _Waiting(NamedTuple):
    profile: Profile
    device: Device
    begun: Begun
    token: str = ""


class SignIns:
    """The accounts of all profiles that are signed in to, and `accounts`, whose keys tools use. For one event
    loop.
    """

    def __init__(self, means: Means) -> None:
        self._means = means
        self._accounts: dict[str, Account] = {}
        self._doors: dict[str, CopilotDoor] = {}
        self._waiting: dict[str, _Waiting] = {}
        self.accounts = Accounts(
            means.secrets,
            means.environ,
            means.settings,
            means.keys.put,
            means.tell,
            means.connections,
        )

    # --- for requests --------------------------------------------------------------------------------------

    def door(self, profile: Profile) -> Door | None:
        """Return what stands before a provider, None where a key is all that it takes."""
        if profile.sign_in != "copilot":
            return None
        if profile.name not in self._doors:
            # Whoever holds it is in the middle of an answer, whose own limits end that: no time is too long.
            self._doors[profile.name] = CopilotDoor(
                self.account(profile),
                self._means.listings,
                self._means.agreed,
                profile.at_once,
                alone=lambda: self._means.secrets.alone(f"{profile.name}.request", seconds=math.inf),
            )
        return self._doors[profile.name]

    def account(self, profile: Profile) -> Account:
        """Return the account of a profile."""
        if profile.name not in self._accounts:
            self._accounts[profile.name] = Account(
                self._means.connections(),
                self._means.listings,
                token=self._token,
                place=self._place,
                alone=lambda name: self._means.secrets.alone(name, seconds=ALONE_SECONDS),
            )
        return self._accounts[profile.name]

    async def ready(self, profile: Profile) -> None:
        """Make sure that a profile can answer, and that its models are known. Raises ModelError no_sign_in.

        A list that cannot be had now is no reason to refuse: the request itself will tell.
        """
        if not await self._token(profile, False):
            raise no_sign_in(profile)
        await self.look(profile)

    async def key(self, profile: Profile) -> str:
        """Return the key of a profile, "" where there is none."""
        return await self._token(profile, False)

    async def look(self, profile: Profile) -> None:
        """Bring the list of models up to date where it can be had, once an hour."""
        if not self._means.agreed(profile) or not await self._token(profile, False):
            return
        try:
            async with asyncio.timeout(LOOK_SECONDS):
                await self.account(profile).models(profile)
        except TimeoutError:
            self._means.listings.failed(profile, Problem(code="stalled", fields={"profile": profile.title}))
        except ModelError:
            return  # the account has taken down why

    def forget_known(self) -> None:
        """Make passes anew; another process has changed a key."""
        for account in self._accounts.values():
            account.forget()
        self.accounts.forget_known()

    # --- for a person --------------------------------------------------------------------------------------

    async def way(self, name: str) -> SignInWay:
        """Return what to know before a sign-in, and which ways there are. Raises ModelError no_profile,
        unsupported for a profile that only takes a key, bad_settings.
        """
        profile = self._profile(name)
        place, (_, kept) = self._place(profile), await self._means.keys.found(profile)
        _, variable = environment_key(profile, self._means.environ)
        return SignInWay(
            profile=profile.name,
            title=profile.title,
            sends=profile.sends,
            terms=profile.terms,
            agreed=self._means.agreed(profile),
            client_id=self._means.settings().copilot_client_id.strip(),
            host=place.host,
            apps_page=f"{place.github}/settings/developers",
            variable=variable,
            gh=bool(program(self._means.environ)),
            kept=kept,
        )

    async def agree(self, name: str) -> None:
        """Take down that the person has read the terms of a profile and agreed to them."""
        agreed = self._means.settings().agreed
        profile = self._means.profile(name)
        if profile.name not in agreed:
            await self._means.change_settings(agreed=(*agreed, profile.name))

    async def begin(self, name: str) -> SignInCode:
        """Return a code for the person. Raises ModelError: terms_open, no_client_id and those of
        `Device.begin`.
        """
        profile = self._profile(name)
        if not self._means.agreed(profile):
            raise terms_open(profile)
        client_id = self._means.settings().copilot_client_id.strip()
        if not client_id:
            raise ModelError("no_client_id", "No client id is set.", profile=profile.name)
        device = Device(self._means.connections(), profile, self._place(profile), client_id)
        begun = await device.begin()
        id_ = new_id(time.time())
        self._waiting[id_] = _Waiting(profile, device, begun)
        left = begun.until - time.monotonic()
        return SignInCode(
            id=id_, profile=profile.name, code=begun.code, url=begun.url, expires=time.time() + left
        )

    async def finish(self, id_: str, *, file_consent: bool = False) -> SignedIn:
        """Wait until the person has entered the code, and keep their token. Cancelling ends the wait.

        Raises ModelError of `Device.token` and `Account.check`; StoreError needs_consent where only a file is
        left: called again with `file_consent`, it keeps what came.
        """
        waiting = self._waiting.get(id_)
        if waiting is None:
            raise ModelError("code_refused", "This sign-in is not waiting any more.", why="over")
        try:
            token = waiting.token or await waiting.device.token(waiting.begun)
        except BaseException:
            self._waiting.pop(id_, None)
            raise
        self._waiting[id_] = waiting._replace(token=token)
        try:
            done = await self._take(waiting.profile, token, file_consent)
        except ModelError:
            self._waiting.pop(id_, None)
            raise
        self._waiting.pop(id_, None)
        return done

    def give_up(self, id_: str) -> None:
        """Forget a sign-in that nobody waits for any more."""
        self._waiting.pop(id_, None)

    async def take_gh(self, name: str, *, file_consent: bool = False) -> SignedIn:
        """Take over the sign-in of gh. Raises ModelError: no_gh and those of `Account.check`."""
        profile = self._profile(name)
        token = await token_of_gh(self._means.environ, self._place(profile).host)
        return await self._take(profile, token, file_consent)

    async def take_token(self, name: str, token: str, *, file_consent: bool = False) -> SignedIn:
        """Take a token that the person has. Raises ModelError, and nothing is kept."""
        return await self._take(self._profile(name), token.strip(), file_consent)

    async def take_environment(self, name: str) -> SignedIn:
        """Look whether the token of the environment opens anything; it stays there. Raises ModelError."""
        profile = self._profile(name)
        token, variable = environment_key(profile, self._means.environ)
        if not variable:
            raise no_sign_in(profile)
        _, models = await self.account(profile).check(profile, token)
        await self._means.listings.keep(profile, models)
        return SignedIn(profile=profile.name, kept="environment", models=len(models))

    async def quota(self, name: str) -> Quota:
        """Return what is left of the plan. Raises ModelError."""
        profile = self._profile(name)
        return await self.account(profile).quota(profile)

    async def accept(self, name: str, model: str) -> None:
        """Accept the own terms of a model, after the person said yes to them. Raises ModelError."""
        profile = self._profile(name)
        await self.account(profile).accept(profile, model)

    async def _take(self, profile: Profile, token: str, file_consent: bool) -> SignedIn:
        """Keep a token that opens something, or about which nothing can be said now."""
        if not self._means.agreed(profile):
            raise terms_open(profile)
        logs.keep_out(token)
        try:
            _, models = await self.account(profile).check(profile, token)
        except ModelError as error:
            if error.code not in _PASSING:
                raise
            models = ()
        kept = await self._means.keys.keep(profile.name, token, file_consent)
        self.account(profile).forget()
        if models:
            await self._means.listings.keep(profile, models)
        return SignedIn(profile=profile.name, kept=kept, models=len(models))

    def _profile(self, name: str) -> Profile:
        profile = self._means.profile(name)
        if profile.sign_in != "copilot":
            raise ModelError("unsupported", f"{name} takes a key.", feature=f"a sign-in ({name} takes a key)")
        return profile

    def _place(self, profile: Profile) -> Place:
        return place_of(profile, self._means.settings().copilot_domain)

    async def _token(self, profile: Profile, fresh: bool) -> str:
        return (await self._means.keys.found(profile, fresh))[0]

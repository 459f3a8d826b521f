"""What a front end can do with models: list and pick them, hand over keys, find local servers, fetch
weights.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Literal
from urllib.parse import urlsplit

from app.errors import ModelError
from app.events import DownloadProgressed, Event, Noticed
from app.models import catalogue
from app.models.client import ModelClient
from app.models.connections import Ways, is_open, load_all
from app.models.door import Door, terms_open
from app.models.keys import Keys, bare, can_be_key
from app.models.learned import Learned
from app.models.listing import Listings
from app.models.profile import Profile
from app.models.profiles import Own, load_profile, offered, profile_names
from app.platform.paths import Home
from app.records import Effort, ListState, LocalServer, ModelInfo, Problem, ProfileInfo, Usage, WeightsInfo
from app.settings import Settings
from app.store.secrets import Secrets

if TYPE_CHECKING:
    from app.models.local.engine import LocalEngine
    from app.models.own_server import OwnServers
    from app.models.sign_in import SignIns

LOCAL = "local"
"""The profile of the model in the app."""


class Models:
    """Facade over profiles, keys and the model in the app. `change_settings` writes settings and tells
    everyone.
    """

    def __init__(
        self,
        home: Home,
        environ: Mapping[str, str],
        settings: Callable[[], Settings],
        change_settings: Callable[..., Awaitable[Settings]],
        emit: Callable[[Event], None],
        tell: Callable[[str], Awaitable[None]],
    ) -> None:
        """`tell` lets other processes know that the key of this name has changed."""
        self._home = home
        self._environ = environ
        self._settings = settings
        self._change_settings = change_settings
        self._emit = emit
        self._tell = tell
        self._secrets = Secrets(home, environ)
        self._listings = Listings(home.cache / "lists")
        self._keys = Keys(self._secrets, environ, settings, change_settings, self._listings, tell)
        self._learned = Learned(home.cache / "learned")
        self._warned: set[str] = set()
        self._client: ModelClient | None = None
        self._loading: asyncio.Task[None] | None = None

    @cached_property
    def _local(self) -> LocalEngine:
        """The engine of the model in the app, loaded when that model is asked for."""
        from app.models.local.engine import LocalEngine

        return LocalEngine(self._home.weights, self._environ)

    @cached_property
    def sign_in(self) -> SignIns:
        """Signing in to a provider by more than a key, loaded when that is asked for."""
        from app.models.sign_in import Means, SignIns

        return SignIns(
            Means(
                environ=self._environ,
                settings=self._settings,
                change_settings=self._change_settings,
                profile=lambda name: self._keys.item(self._profile(name))[0],
                agreed=self._agreed,
                keys=self._keys,
                secrets=self._secrets,
                listings=self._listings,
                connections=lambda: self.client.connections,
                tell=self._tell,
            )
        )

    @cached_property
    def own_servers(self) -> OwnServers:
        """Servers by their address, loaded when one is entered."""
        from app.models.own_server import OwnServers

        return OwnServers(
            connections=lambda: self.client.connections,
            own=lambda: self._own,
            change_settings=self._change_settings,
            set_key=self.set_key,
        )

    @property
    def client(self) -> ModelClient:
        """The one client of this process, made at the first need."""
        if self._client is None:
            self._client = ModelClient(
                self._keys.of, door=self._door, ways=self._ways, learned=self._learned, tell=self._told
            )
        return self._client

    def prepare(self) -> None:
        """Begin to load what a first request needs, beside what is done until then."""
        if self._loading is None:
            self._loading = asyncio.create_task(asyncio.to_thread(load_all), name="load what requests need")

    async def close(self) -> None:
        """Close connections and end the engine of the model in the app."""
        if self._loading is not None:
            await asyncio.gather(self._loading, return_exceptions=True)
        if self._client is not None:
            await self._client.close()
        if "_local" in self.__dict__:
            await self._local.close()

    # --- picking -------------------------------------------------------------------------------------------

    async def current(self, name: str = "") -> str:
        """Return PROFILE/MODEL that a turn would use: the one named, of the environment, of the settings,
        or "".
        """
        return name or catalogue.environment_model(self._environ) or self._settings().model

    def named(self, name: str) -> tuple[Profile, str]:
        """Return the profile and model of PROFILE/MODEL without asking for its key. Raises ModelError
        no_model, no_profile.
        """
        profile, model = catalogue.resolve(name, self._own, self._environ)
        return self._listings.enriched(profile), model

    async def sees(self, name: str) -> bool:
        """Return whether PROFILE/MODEL, "" for the one that is set, takes pictures; of none it is not known,
        which counts as yes.
        """
        from app.models.sights import takes_pictures

        wanted = await self.current(name)
        try:
            return not wanted or takes_pictures(*self.named(wanted))
        except ModelError:  # the profile is gone, which is said when it is asked
            return True

    async def efforts(self, name: str = "") -> tuple[Effort, ...]:
        """Return how much PROFILE/MODEL, "" for the one that is set, can be asked to reason."""
        from app.models.efforts import efforts_named

        return efforts_named(self.named, await self.current(name))

    async def effort_wished(self, name: str) -> None:
        """Let PROFILE/MODEL, "" for the one that is set, be asked for an effort that it once refused."""
        with contextlib.suppress(ModelError):  # it is gone, which is said when it is asked
            self._learned.try_again(*self.named(await self.current(name)))

    async def resolve(self, name: str = "") -> tuple[Profile, str]:
        """Return the profile and model for PROFILE/MODEL, "" for the one that is set; the model in the app
        is started.

        Raises ModelError: no_model, no_profile, no_key, no_sign_in, terms_open, local_missing, local_failed.
        """
        wanted = await self.current(name)
        if not wanted:
            raise ModelError("no_model", "No model is set up yet.")
        profile, model = self.named(wanted)
        if profile.name == LOCAL:
            return await self._local.ready(profile, model), model
        self._warn(profile)
        if not self._agreed(profile):
            raise terms_open(profile)
        if profile.sign_in != "key":
            await self.sign_in.ready(profile)
            return self._listings.enriched(profile), model
        if profile.needs_key and not await self._keys.of(profile):
            raise ModelError(
                "no_key", f"There is no key for {profile.title or profile.name}.", profile=profile.name
            )
        return profile, model

    def used(self, profile: str, model: str) -> None:
        """Say that a model is at work, so that the one in the app does not count as idle."""
        if profile == LOCAL:
            self._local.used(model)

    async def preview(self, name: str = "") -> tuple[Profile, str]:
        """Return what `resolve` would, for looking at a request: nothing is started, no key is needed, and
        where no
        model is set the plainest profile stands in without a model's name.
        """
        wanted = await self.current(name)
        return self.named(wanted) if wanted else (load_profile("custom", self._own, self._environ), "")

    def price(self, name: str, usage: Usage) -> float | None:
        """Return US dollars for what a PROFILE/MODEL was used, None where no price is known."""
        return catalogue.price(self.named, name, usage)

    async def list(self) -> tuple[ModelInfo, ...]:
        """Return every model that can be picked, with the reason where one is not ready."""
        profiles = [
            load_profile(name, self._own, self._environ) for name in profile_names(self._own, self._environ)
        ]
        agreed = {profile.name for profile in profiles if self._agreed(profile)}
        keys = {profile.name: await self._keys.of(profile) for profile in profiles}
        for profile in profiles:
            if profile.sign_in != "key":
                await self.sign_in.look(profile)
        found = await catalogue.list_models(
            profiles, keys, self._listings, self.client.connections, agreed=agreed
        )
        mine = catalogue.in_app(self._local.infos(), LOCAL)
        return (*(model for model in found if model.profile != LOCAL), *mine)

    def lists(self) -> tuple[ListState, ...]:
        """Return how old the list of each provider is that has been asked for one, and why it is no newer."""
        found = (self._listings.state(self._profile(name)) for name in self._names())
        return tuple(state for state in found if state is not None)

    async def use(self, name: str) -> Settings:
        """Make PROFILE/MODEL the model of new conversations. Raises ModelError for a name that no profile
        has.
        """
        self.named(name)
        return await self._change_settings(model=name)

    async def find_local_servers(self) -> tuple[LocalServer, ...]:
        """Return the model servers that answer on this machine now, with what they have."""
        return await catalogue.find_local_servers(self._own, self._environ)

    async def check_network(self, *, ca_file: str = "", proxy: str = "", domain: str = "") -> None:
        """Look whether settings of the network can be used. Raises ModelError bad_settings."""
        from app.models.network import check

        await asyncio.to_thread(check, ca_file, proxy, domain)

    # --- keys ----------------------------------------------------------------------------------------------

    async def accept_terms(self, name: str) -> None:
        """Accept the own terms of PROFILE/MODEL, after the person said yes to them. Raises ModelError."""
        profile, model = self.named(name)
        await self.sign_in.accept(profile.name, model)

    async def profiles(self) -> tuple[ProfileInfo, ...]:
        """Return every profile and where its key is."""
        return tuple([await self._profile_info(self._profile(name)) for name in self._names()])

    async def info(self, name: str) -> ProfileInfo:
        """Return one profile. Raises ModelError no_profile."""
        return await self._profile_info(self._profile(name))

    async def set_key(self, profile: str, key: str, *, file_consent: bool = False) -> str:
        """Keep a key and return where it is now: keyring or file. Raises BrambleError: not_a_key, and
        needs_consent where there is no keyring; for a provider with a sign-in also what is wrong with it.
        """
        key = bare(key)
        if not can_be_key(key):
            raise ModelError("not_a_key", "a key is one line of letters, digits and signs", profile=profile)
        if self._profile(profile).sign_in != "key":
            return (await self.sign_in.take_token(profile, key, file_consent=file_consent)).kept
        return await self._keys.keep(profile, key, file_consent)

    async def forget_key(self, profile: str) -> None:
        """Remove a key from keyring and file, and what it opened from memory."""
        item = await self._keys.forget(profile)
        self.forget_known(item)
        await self._tell(item)

    def forget_known(self, name: str = "") -> None:
        """Read the key of that name again at the next need, "" for all; another process has changed it."""
        self._secrets.forget_known(name)
        if "sign_in" in self.__dict__:
            self.sign_in.forget_known()

    async def keyring_state(self) -> tuple[str, str]:
        """Return "ok" or "missing" and a sentence about the keyring of this machine."""
        return await self._secrets.state()

    # --- the model in the app ------------------------------------------------------------------------------

    async def weights(self) -> tuple[WeightsInfo, ...]:
        """Return what can be fetched, with everything a person agrees to before it is."""
        return self._local.infos()

    async def install(self, name: str) -> None:
        """Fetch weights (and the engine) after a person agreed; DownloadProgressed tells how far.
        Cancelling stops it.
        """
        name = name.removeprefix(f"{LOCAL}/")

        def progress(step: str, done: int, total: int) -> None:
            loop.call_soon_threadsafe(
                self._emit, DownloadProgressed(name=name, step=step, done=done, total=total)
            )

        loop = asyncio.get_running_loop()
        await self._local.install(name, progress)

    # --- inside --------------------------------------------------------------------------------------------

    @property
    def _own(self) -> Own:
        return self._settings().profiles

    def _names(self) -> tuple[str, ...]:
        return tuple(name for name in profile_names(self._own, self._environ) if name != "custom")

    def _profile(self, name: str) -> Profile:
        return offered(name, self._own, self._environ)

    def _agreed(self, profile: Profile) -> bool:
        return not profile.terms or profile.name in self._settings().agreed

    def _door(self, profile: Profile) -> Door | None:
        return None if profile.sign_in == "key" else self.sign_in.door(profile)

    def _ways(self) -> Ways:
        settings = self._settings()
        return Ways(ca_file=settings.ca_file, proxy=settings.proxy)

    def _told(self, session: str, problem: Problem) -> None:
        self._emit(Noticed(session=session, problem=problem))

    def _warn(self, profile: Profile) -> None:
        """Tell once a process that what goes to a profile's address can be read on its way."""
        if is_open(profile.base_url) and profile.base_url not in self._warned:
            self._warned.add(profile.base_url)
            host = urlsplit(profile.base_url).netloc.rpartition("@")[2]
            self._emit(Noticed(problem=Problem(code="open_address", fields={"host": host})))

    async def _profile_info(self, profile: Profile) -> ProfileInfo:
        _, where = await self._keys.found(profile)
        missing: Literal["none", "not needed"] = "none" if profile.needs_key else "not needed"
        return ProfileInfo(
            name=profile.name,
            title=profile.title or profile.name,
            base_url=profile.base_url,
            key=where or missing,  # type: ignore[arg-type]
            sends=profile.sends,
            sign_in=profile.sign_in,
            open_address=is_open(profile.base_url),
            keyless=bool(profile.keyless),
            terms=profile.terms,
            agreed=self._agreed(profile),
            keys_page=profile.keys_page,
        )

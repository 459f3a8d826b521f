"""The keys of profiles: where one is found, how one is kept, and what one may look like."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping

from app import logs
from app.models.key_need import with_need
from app.models.listing import Listings
from app.models.profile import Profile
from app.models.profiles import environment_key, kept_under, offered
from app.settings import Settings
from app.store.secrets import Secrets


def can_be_key(text: str) -> bool:
    """Return whether this can go into a header as it stands: one line of ASCII without a space, and no
    address, which people copy in its place.
    """
    return bool(text) and text.isascii() and text.isprintable() and " " not in text and "://" not in text


_AROUND = re.compile(
    r"(?:(?:export )?[A-Z][A-Z0-9_]*_(?:KEY|TOKEN) ?= ?|(?i:authorization: ?)?(?i:bearer) +)(?=.)"
)


def bare(text: str) -> str:
    """Return a key without what is copied along with it: a variable's name, `Bearer`, quotes."""
    text = text.strip()
    if found := _AROUND.match(text):
        text = text[found.end() :]
    quoted = len(text) > 1 and text[0] == text[-1] and text[0] in "'\"`"
    return text[1:-1].strip() if quoted else text


class Keys:
    """The keys of all profiles. `tell` lets other processes know that the key of this name has changed."""

    def __init__(
        self,
        secrets: Secrets,
        environ: Mapping[str, str],
        settings: Callable[[], Settings],
        change_settings: Callable[..., Awaitable[Settings]],
        listings: Listings,
        tell: Callable[[str], Awaitable[None]],
    ) -> None:
        self._secrets = secrets
        self._environ = environ
        self._settings = settings
        self._change_settings = change_settings
        self._listings = listings
        self._tell = tell

    def item(self, profile: Profile) -> tuple[Profile, str]:
        """Return a profile as its key is kept for it, and the name of that key."""
        return kept_under(profile, self._settings().copilot_domain)

    async def of(self, profile: Profile) -> str:
        """Return the key of a profile, "" where there is none."""
        return (await self.found(profile))[0]

    async def found(self, profile: Profile, fresh: bool = False) -> tuple[str, str]:
        """Return the key of a profile and where it is (environment, keyring, file), both "" where there is
        none; with `fresh` the store is read again.

        The environment wins, but for variables that are set for other programs too: those come after a
        sign-in of the person's own.
        """
        profile, item = self.item(profile)
        key, variable = environment_key(profile, self._environ)
        named = (key, "environment") if key else ("", "")
        if not profile.needs_key or (key and (profile.sign_in == "key" or variable == profile.key_names[0])):
            return named
        kept = await self._secrets.get(item, fresh=fresh)
        if kept is None:
            return named
        logs.keep_out(kept[0])
        return kept

    async def keep(self, profile: str, key: str, file_consent: bool) -> str:
        """Keep the key of a profile by its name and return where it is now: keyring or file. Raises
        ModelError no_profile; StoreError needs_consent where there is no keyring.
        """
        _, item = self.item(self._profile(profile))
        where = await self.put(item, key, file_consent)
        await self._take_down(profile, has_key=True)
        await self._listings.forget(profile)
        await self._tell(item)
        return where

    async def put(self, item: str, key: str, file_consent: bool) -> str:
        """Keep a key under the name `item`, with consent in a file, as all from then on; return where it is
        now. Raises StoreError needs_consent.
        """
        logs.keep_out(key)
        if file_consent and not self._settings().keys_in_file:
            await self._change_settings(keys_in_file=True)
        return await self._secrets.set(item, key, file_consent=file_consent or self._settings().keys_in_file)

    async def forget(self, profile: str) -> str:
        """Remove the key of a profile from keyring and file, and return the name it was kept under. Raises
        ModelError no_profile; StoreError needs_consent.
        """
        _, item = self.item(self._profile(profile))
        await self._secrets.forget(item)
        await self._listings.forget(profile)
        await self._take_down(profile, has_key=False)
        return item

    def _profile(self, name: str) -> Profile:
        return offered(name, self._settings().profiles, self._environ)

    async def _take_down(self, profile: str, *, has_key: bool) -> None:
        own = with_need(self._settings().profiles, self._environ, profile, has_key=has_key)
        if own is not None:
            await self._change_settings(profiles=own)

"""The accounts whose keys tools use without ever seeing them: GitHub, and search engines that want a key."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Awaitable, Callable, Mapping
from functools import cache
from pathlib import Path
from urllib.parse import urlsplit

import msgspec

from app import logs
from app.errors import BrambleError, ModelError
from app.models.connections import Connections
from app.models.copilot.gh import token_of_gh
from app.models.keys import bare, can_be_key
from app.models.refusal import Asked
from app.record import Record
from app.records import AccountInfo
from app.settings import Settings
from app.store.secrets import Secrets

GITHUB = "github"
PUBLIC = "github.com"
CHECK_SECONDS = 15.0
_FILE = Path(__file__).resolve().parent / "accounts.toml"
_ITEM = "account {name}"
"""The name of its item in the keyring; profiles of models have theirs without it."""


class Account(Record, kw_only=True, forbid_unknown_fields=True):
    """One account; the head of accounts.toml says what the fields mean."""

    title: str
    variables: tuple[str, ...] = ()
    elsewhere: tuple[str, ...] = ()
    """Those for a server of one's own: a token of github.com is none of its business."""
    page: str = ""
    about: str = ""
    address: str = ""
    """Where a token can be looked at, "" for nowhere."""


@cache
def known() -> dict[str, Account]:
    """Return all accounts by name."""
    return msgspec.convert(tomllib.loads(_FILE.read_text("utf-8")), dict[str, Account])


class Accounts:
    """The keys of accounts. All methods are for one asyncio loop."""

    def __init__(
        self,
        secrets: Secrets,
        environ: Mapping[str, str],
        settings: Callable[[], Settings],
        put: Callable[[str, str, bool], Awaitable[str]],
        tell: Callable[[str], Awaitable[None]],
        connections: Callable[[], Connections],
    ) -> None:
        """`put` keeps a key under a name as `Keys.put` does; `tell` lets other processes know that the key of
        this name has changed.
        """
        self._secrets = secrets
        self._environ = environ
        self._settings = settings
        self._put = put
        self._tell = tell
        self._connections = connections
        self._gh: str | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all accounts."""
        return tuple(known())

    async def info(self, name: str) -> AccountInfo:
        """Return an account and where its key is. Raises BrambleError no_profile."""
        account = _account(name)
        _, where = await self.key(name)
        return AccountInfo(name=name, title=account.title, page=account.page, about=account.about, key=where)

    async def key(self, name: str) -> tuple[str, str]:
        """Return the key of an account and where it is (keyring, environment, file, gh), both "" where there
        is none. That of GitHub's own program is asked for last, and once.
        """
        account = _account(name)
        elsewhere = name == GITHUB and self._host != PUBLIC
        variables = account.elsewhere if elsewhere else account.variables
        found = await self._secrets.get(_ITEM.format(name=name), variables)
        if found is not None:
            logs.keep_out(found[0])
            return found
        if name != GITHUB:
            return "", ""
        if self._gh is None:
            try:
                self._gh = await token_of_gh(self._environ, self._host)
                logs.keep_out(self._gh)
            except ModelError:
                self._gh = ""
        return (self._gh, "gh") if self._gh else ("", "")

    async def set(self, name: str, key: str, *, file_consent: bool = False) -> str:
        """Keep a key and return where it is now. Raises BrambleError: not_a_key, no_profile; StoreError
        needs_consent.
        """
        key, account = bare(key), _account(name)
        if not can_be_key(key):
            raise BrambleError("not_a_key", f"This is no key of {account.title}.", profile=name)
        item = _ITEM.format(name=name)
        where = await self._put(item, key, file_consent)
        await self._tell(item)
        return where

    async def check(self, name: str, key: str) -> str:
        """Return whose key it is, "" where nobody can tell now or ever. Raises BrambleError account_refused
        where it opens nothing.
        """
        account = _account(name)
        address = self._settings().services.get(name, "") or account.address
        if not account.address:
            return ""
        url = f"{address.rstrip('/')}/user"
        asked = Asked(name=name, title=account.title, host=urlsplit(url).netloc, key=key)
        headers = {"accept": "application/vnd.github+json", "authorization": f"Bearer {key}"}
        try:
            answer = await self._connections().small("GET", url, asked, headers, CHECK_SECONDS)
            value = json.loads(answer.body) if answer.status == 200 else {}
        except (ModelError, ValueError, RecursionError):
            return ""
        if answer.status == 401:
            raise BrambleError(
                "account_refused", f"{account.title} refuses this token.", service=account.title
            )
        return str(value.get("login", "")) if isinstance(value, dict) else ""

    async def gh(self) -> str:
        """Return the token of GitHub's own program. Raises ModelError no_gh."""
        return await token_of_gh(self._environ, self._host)

    async def forget(self, name: str) -> None:
        """Remove a key from keyring and file. Raises BrambleError no_profile; StoreError needs_consent."""
        _account(name)
        self._gh = None
        item = _ITEM.format(name=name)
        await self._secrets.forget(item)
        await self._tell(item)

    def forget_known(self) -> None:
        """Ask GitHub's own program again at the next need; another process has changed something."""
        self._gh = None

    @property
    def _host(self) -> str:
        return host_of(self._settings().services.get(GITHUB, ""))


def host_of(api: str) -> str:
    """Return the host that people and gh know for the address of GitHub's API, "" for its usual one."""
    host = (urlsplit(api).hostname or "").lower()
    return PUBLIC if host in ("", "api.github.com") else host.removeprefix("api.")


def _account(name: str) -> Account:
    account = known().get(name)
    if account is None:
        raise BrambleError("no_profile", f"There is no account {name!r}.", profile=name)
    return account

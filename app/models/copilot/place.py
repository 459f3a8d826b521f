"""Where GitHub is: its pages, its API and Copilot's, for github.com or the domain of an enterprise."""

from __future__ import annotations

import re
from typing import NamedTuple
from urllib.parse import urlsplit

from app.errors import ModelError
from app.models.connections import is_loopback
from app.models.profile import Profile
from app.models.refusal import Asked

VERSION = "0.1.0"
PUBLIC = "github.com"
_OURS = "https://api.githubcopilot.com"
_HOST = r"[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:\d{1,5})?"


class Place(NamedTuple):
    """Three addresses without a slash at the end."""

    github: str
    api: str
    base: str
    """Where models answer, unless the token says otherwise."""

    @property
    def host(self) -> str:
        """The host of GitHub itself."""
        return urlsplit(self.github).netloc

    def trusted_base(self, url: str) -> str:
        """Return an address that a token named for its models, the usual one where it does not belong to
        this GitHub: the token goes there with every request.
        """
        url = url.rstrip("/")
        try:
            host = (urlsplit(url).hostname or "").lower()
        except ValueError:
            return self.base
        if is_loopback(self.api) and is_loopback(url):
            return url
        own = [".githubcopilot.com"] if self.host == PUBLIC else [f".{self.host.lower()}"]
        known = url.lower().startswith("https://") and any(host.endswith(end) for end in own)
        return url if known or url == self.base else self.base


def place_of(profile: Profile, domain: str) -> Place:
    """Return where the GitHub of a profile is; `domain` is the setting, "" = github.com.

    Raises ModelError bad_settings for a domain that is none.
    """
    name = re.sub(r"^https?://", "", domain.strip().lower()).split("/")[0]
    if name and not re.fullmatch(_HOST, name):
        raise ModelError(
            "bad_settings", f"copilot_domain: {domain!r} is no domain", path="copilot_domain", why=domain
        )
    github = profile.github.rstrip("/") or f"https://{name or PUBLIC}"
    host = urlsplit(github).netloc
    base = profile.base_url
    if name not in ("", PUBLIC) and base == _OURS:
        base = f"https://copilot-api.{name}"
    return Place(github=github, api=profile.github_api.rstrip("/") or f"https://api.{host}", base=base)


def identity() -> dict[str, str]:
    """Return the headers by which this program says what it is: its own name, nobody else's."""
    return {
        "user-agent": f"Bramble/{VERSION}",
        "editor-version": f"Bramble/{VERSION}",
        "editor-plugin-version": f"bramble/{VERSION}",
    }


def asked_of(profile: Profile, url: str, key: str = "") -> Asked:
    """Return whom a request to `url` goes to."""
    return Asked(
        name=profile.name,
        title=profile.title or profile.name,
        host=urlsplit(url).netloc,
        path=urlsplit(url).path,
        key=key,
    )

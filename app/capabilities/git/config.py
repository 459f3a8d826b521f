"""Which settings of a repository choose programs, and what Git is told instead. Pure.

A repository's own configuration comes with whoever wrote it, so a plain `git status` could run what it
names (facts: safety 2.2, 16). Git takes later settings over earlier ones: each dangerous one that stands in
the repository is set again, to the person's own value where they have one and to a harmless one otherwise.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

Pairs = tuple[tuple[str, str], ...]

READING: Pairs = (
    ("core.fsmonitor", "false"),
    ("core.quotePath", "false"),
    ("color.ui", "false"),
    ("diff.noprefix", "false"),
    ("diff.mnemonicPrefix", "false"),
    ("diff.relative", "false"),
    ("diff.ignoreSubmodules", "dirty"),
    ("diff.submodule", "short"),
    ("status.submoduleSummary", "false"),
    ("submodule.recurse", "false"),
    ("fetch.recurseSubmodules", "false"),
    ("push.recurseSubmodules", "no"),
    ("push.followTags", "false"),
    ("fetch.pruneTags", "false"),
    ("log.showSignature", "false"),
    ("i18n.logOutputEncoding", "UTF-8"),
    ("blame.ignoreRevsFile", ""),
    ("gc.auto", "0"),
    ("maintenance.auto", "false"),
    ("core.alternateRefsCommand", "true"),
)
"""Always: no daemon, no upkeep in the background, no look into submodules (each has a configuration of its
own, which ours does not reach), and output that can be read."""
_NEUTRAL = (
    (re.compile(r"core\.(?:sshcommand)\Z"), "ssh -oBatchMode=yes"),
    (re.compile(r"core\.(?:askpass|editor|pager)\Z|sequence\.editor\Z"), ""),
    (re.compile(r"filter\..+\.(?:clean|smudge|process)\Z"), ""),
    (re.compile(r"merge\..+\.driver\Z"), "git merge-file --marker-size=%L %A %O %B"),
    (re.compile(r"gpg\.program\Z|gpg\.openpgp\.program\Z"), "gpg"),
    (re.compile(r"gpg\.x509\.program\Z"), "gpgsm"),
    (re.compile(r"gpg\.ssh\.program\Z"), "ssh-keygen"),
    (re.compile(r"gpg\.ssh\.defaultkeycommand\Z"), "false"),
    (re.compile(r"hook\..+\.command\Z"), "true"),
    (re.compile(r"hook\..+\.enabled\Z"), "false"),
    (re.compile(r"http\.(?:.+\.)?(?:proxy|cookiefile|curloptresolve)\Z|remote\..+\.proxy\Z"), ""),
    (re.compile(r"http\.(?:.+\.)?sslverify\Z"), "true"),
    (re.compile(r"http\.(?:.+\.)?savecookies\Z"), "false"),
)
"""Settings in lower case that name a program, or that lead a request elsewhere than its address says, and
what stands for them where the person has set none."""
_CREDENTIAL = re.compile(r"credential\.(?:.+\.)?helper\Z")
_FILTER = re.compile(r"filter\.(?P<name>.+)\.(?:clean|smudge|process)\Z")


class Setting(NamedTuple):
    """One line of a configuration. `key` as Git prints it: section and name in lower case."""

    scope: str
    key: str
    value: str

    @property
    def own(self) -> bool:
        """Whether the person has set it, and not the repository."""
        return self.scope in ("system", "global")


class Config(NamedTuple):
    """What a repository's configuration says, and what Git is told over it."""

    settings: tuple[Setting, ...]

    def get(self, key: str) -> str:
        """Return the value that holds for a key in lower case, "" for none."""
        return next((one.value for one in reversed(self.settings) if one.key.casefold() == key), "")

    @property
    def filters(self) -> tuple[str, ...]:
        """The filters that the repository itself sets and that are therefore not run."""
        found = (_FILTER.match(one.key) for one in self.settings if not one.own)
        return tuple(dict.fromkeys(match["name"] for match in found if match))

    def overriding(self, *, strict: bool) -> Pairs:
        """Return what is set over it. `strict`: a file that needs a filter of the repository is an error,
        since it would be stored or written as something else.
        """
        pairs = list(READING)
        for key in dict.fromkeys(one.key for one in self.settings if not one.own):
            neutral = next((value for pattern, value in _NEUTRAL if pattern.match(_folded(key))), None)
            if neutral is not None:
                pairs.append((key, self._own(key, neutral)))
        pairs += [(f"filter.{name}.required", "true" if strict else "false") for name in self.filters]
        if any(_CREDENTIAL.match(_folded(one.key)) for one in self.settings if not one.own):
            pairs.append(("credential.helper", ""))  # begins the list again
            pairs += [
                (one.key, one.value)
                for one in self.settings
                if one.own and _CREDENTIAL.match(_folded(one.key))
            ]
        return tuple(pairs)

    def stray(self, remote: str) -> tuple[str, ...]:
        """Return what fetching from a remote would write outside of what is kept of remotes."""
        key = f"remote.{remote}.fetch"
        values = (one.value for one in self.settings if one.key == key)
        found = (value.partition(":")[2] for value in values if not value.startswith("^"))
        return tuple(name for name in found if name and not name.startswith("refs/remotes/"))

    def packer(self, remote: str, *, push: bool) -> str:
        """Return the option that says which program serves a remote at its other end: the first such setting
        counts for Git, so it cannot be set again.
        """
        name = "receive-pack" if push else "upload-pack"
        key = f"remote.{remote}.{name.replace('-', '')}"
        own = next((one.value for one in self.settings if one.own and one.key == key), f"git-{name}")
        return f"--{name}={own}"

    def _own(self, key: str, neutral: str) -> str:
        values = [one.value for one in self.settings if one.own and one.key == key]
        return values[-1] if values else neutral


def read(listing: bytes) -> Config:
    """Return what `git config --list --show-scope -z` says, without what we told that Git ourselves."""
    words = listing.split(b"\0")
    found = []
    for scope, entry in zip(words[::2], words[1::2], strict=False):
        key, _, value = entry.partition(b"\n")
        if scope != b"command":
            found.append(Setting(*(os_text(part) for part in (scope, key, value))))
    return Config(tuple(found))


def os_text(data: bytes) -> str:
    """Return bytes of the system as text that can be given back to it."""
    return data.decode("utf-8", "surrogateescape")


def environment(pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return the variables by which Git takes settings over all files; names may hold any character."""
    found: dict[str, str] = {}
    number = 0
    for number, (key, value) in enumerate(pairs, 1):
        found[f"GIT_CONFIG_KEY_{number - 1}"] = key
        found[f"GIT_CONFIG_VALUE_{number - 1}"] = value
    return {**found, "GIT_CONFIG_COUNT": str(number)}


def _folded(key: str) -> str:
    """Return a key with its section and its last name in lower case, as Git compares them."""
    section, dot, rest = key.partition(".")
    middle, other, name = rest.rpartition(".")
    return f"{section.casefold()}{dot}{middle}{other}{name.casefold()}"

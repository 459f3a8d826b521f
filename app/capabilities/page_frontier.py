"""Which pages of a site are read next: those of the same host, each once, no deeper and no more than asked.
Pure.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from urllib.parse import urlsplit, urlunsplit

_FILES = (
    ".7z", ".avi", ".bin", ".bmp", ".css", ".csv", ".deb", ".dmg", ".doc", ".docx", ".eot", ".epub",
    ".exe", ".gif", ".gz", ".ico", ".iso", ".jpeg", ".jpg", ".js", ".json", ".m4a", ".mkv", ".mov",
    ".mp3", ".mp4", ".msi", ".ods", ".odt", ".ogg", ".otf", ".pdf", ".png", ".ppt", ".pptx", ".rar",
    ".rpm", ".rss", ".svg", ".tar", ".tgz", ".tif", ".ttf", ".wav", ".webm", ".webp", ".woff", ".woff2",
    ".xls", ".xlsx", ".xml", ".xz", ".zip",
)  # fmt: skip
_VARIANTS = 20
"""Pages that differ in their query alone; a calendar has endless ones."""
_KNOWN = 5_000
"""Addresses that are remembered; a site can name more without end."""


class Frontier:
    """Breadth first from one page. `left` counts what was found and not read any more."""

    def __init__(self, url: str, depth: int, most: int) -> None:
        self._host = _host(url)
        self._depth = depth
        self._most = most
        self._waiting: deque[tuple[str, int]] = deque([(url, 0)])
        self._known = {_key(url)}
        self._read: set[str] = set()
        self._variants: dict[str, int] = {}
        self._given = 0
        self.forbidden = 0

    @property
    def left(self) -> int:
        """Pages that wait."""
        return len(self._waiting)

    def following(self) -> tuple[str, int] | None:
        """Return the next page and how many links away it is, None when there is none or enough were read."""
        if not self._waiting or self._given >= self._most:
            return None
        self._given += 1
        return self._waiting.popleft()

    def put_back(self, entry: tuple[str, int]) -> None:
        """Leave a page unread after all."""
        self._given -= 1
        self._waiting.appendleft(entry)

    def forbid(self) -> None:
        """Count the last page as one that the site keeps from programs."""
        self._given -= 1
        self.forbidden += 1

    def is_new(self, url: str, asked: str) -> bool:
        """Whether a page that came from `url` was not read before, under another address; the page of another
        host, where a redirect led, does not count either unless it is the first.
        """
        key = _key(url)
        if key in self._read or (self._read and _host(url) != self._host):
            return False
        self._read.add(key)
        self._known.update((key, _key(asked)))
        if len(self._read) == 1:
            self._host = _host(url)
        return True

    def add(self, links: Iterable[str], level: int) -> None:
        """Take the links of a page that was read."""
        if level > self._depth:
            return
        for link in links:
            key = _key(link)
            if (
                key in self._known
                or _host(link) != self._host
                or _is_file(link)
                or len(self._known) >= _KNOWN
            ):
                continue
            bare = key.partition("?")[0]
            if "?" in key:
                self._variants[bare] = self._variants.get(bare, 0) + 1
                if self._variants[bare] > _VARIANTS:
                    continue
            self._known.add(key)
            self._waiting.append((link, level))


def _host(url: str) -> str:
    parts = urlsplit(url)
    name = (parts.hostname or "").removeprefix("www.")
    return f"{name}:{parts.port}" if parts.port and parts.port not in (80, 443) else name


def _key(url: str) -> str:
    """Return what two addresses of the same page have in common."""
    parts = urlsplit(url)
    path = parts.path.rstrip("/") or "/"
    return urlunsplit(("", _host(url), path, parts.query, ""))


def _is_file(url: str) -> bool:
    return urlsplit(url).path.lower().endswith(_FILES)

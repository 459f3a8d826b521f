"""Reads what the collections of free photographs answer: each picture with its licence and whom to name.
Pure.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import zip_longest
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from app.capabilities.search.engines import MOST, SECONDS
from app.capabilities.search.reading import EngineFailed, check_status, plain
from tools import Photo, Request, Response


class Collection(NamedTuple):
    """A collection that answers without a key. `id` names it in the settings."""

    id: str
    title: str
    url: str
    fields: Mapping[str, str]
    read: Callable[[Any], Iterator[Photo]]


def request(collection: Collection, query: str, limit: int) -> Request:
    """Return the request that asks a collection."""
    fields = {
        name: text.replace("{query}", query).replace("{limit}", str(max(1, min(limit, 20))))
        for name, text in collection.fields.items()
    }
    return Request(collection.url, query=fields, seconds=SECONDS, most=MOST)


def photos(collection: Collection, response: Response) -> list[Photo]:
    """Return the photographs of an answer that name their licence. Raises EngineFailed."""
    check_status(response)
    try:
        value = json.loads(response.body)
        if not isinstance(value, dict):
            raise ValueError
        return [photo for photo in collection.read(value) if photo.licence and _is_web(photo.file)]
    except (ValueError, RecursionError):
        kind = response.kind or "of no kind"
        raise EngineFailed("unreadable", f"its answer is not what its documentation says ({kind})") from None


def mixed(lists: Iterable[list[Photo]], limit: int) -> tuple[Photo, ...]:
    """Return the photographs of all collections in turns; a file that several have counts once."""
    rows = zip_longest(*lists)
    chosen: dict[str, Photo] = {}
    for photo in (one for row in rows for one in row if one is not None):
        known = chosen.setdefault(photo.file, photo)
        if known is not photo:
            chosen[photo.file] = known._replace(
                engines=tuple(dict.fromkeys((*known.engines, *photo.engines)))
            )
    return tuple(chosen.values())[:limit]


def _openverse(value: Mapping[str, Any]) -> Iterator[Photo]:
    """https://api.openverse.org/v1/: `results`, each with licence and attribution."""
    results = value.get("results")
    if not isinstance(results, list):
        raise ValueError
    for item in _records(results):
        words = _words(item)
        code, version = words("license").upper(), words("license_version")
        name = {"CC0": "CC0", "PDM": "Public Domain Mark"}.get(code, f"CC {code}") if code else ""
        yield Photo(
            title=plain(words("title")) or "Untitled",
            page=words("foreign_landing_url"),
            file=words("url"),
            creator=plain(words("creator")) or "unknown",
            licence=f"{name} {version}".strip(),
            licence_url=words("license_url"),
            credit=plain(words("attribution")),
            width=_number(item.get("width")),
            height=_number(item.get("height")),
            source=plain(words("source")),
            engines=("Openverse",),
        )


def _commons(value: Mapping[str, Any]) -> Iterator[Photo]:
    """https://www.mediawiki.org/wiki/API:Imageinfo: `query.pages`, absent where nothing was found."""
    if "query" not in value:
        if "error" in value or "batchcomplete" not in value:
            raise ValueError
        return
    pages = value["query"].get("pages") if isinstance(value["query"], dict) else None
    rows = list(pages.values()) if isinstance(pages, dict) else pages
    if not isinstance(rows, list):
        raise ValueError
    for item in sorted(_records(rows), key=lambda row: _number(row.get("index"))):
        infos = item.get("imageinfo")
        for info in _records(infos[:1] if isinstance(infos, list) else []):
            if str(info.get("mime", "")).startswith("image/"):
                yield _of_commons(str(item.get("title", "")), info)


def _of_commons(title: str, info: Mapping[str, Any]) -> Photo:
    more = info.get("extmetadata")
    more = more if isinstance(more, dict) else {}

    def said(key: str) -> str:
        entry = more.get(key)
        value = entry.get("value") if isinstance(entry, dict) else ""
        return plain(value) if isinstance(value, str) else ""

    words = _words(info)
    name = title.removeprefix("File:").rpartition(".")[0] or title
    creator, licence = said("Artist") or "unknown", said("LicenseShortName")
    return Photo(
        title=plain(name),
        page=words("descriptionurl"),
        file=words("url"),
        creator=creator,
        licence=licence,
        licence_url=said("LicenseUrl"),
        credit=said("Attribution") or f'"{plain(name)}" by {creator}, {licence}, via Wikimedia Commons',
        width=_number(info.get("width")),
        height=_number(info.get("height")),
        source="Wikimedia Commons",
        engines=("Wikimedia Commons",),
    )


def _records(values: Iterable[Any]) -> list[dict[str, Any]]:
    return [value for value in values if isinstance(value, dict)]


def _words(item: Mapping[str, Any]) -> Callable[[str], str]:
    def words(key: str) -> str:
        value = item.get(key)
        return value if isinstance(value, str) else ""

    return words


def _number(value: object) -> int:
    return value if isinstance(value, int) else 0


def _is_web(url: str) -> bool:
    try:
        return urlsplit(url).scheme in ("http", "https") and bool(urlsplit(url).hostname)
    except ValueError:
        return False


OPENVERSE = Collection(
    "openverse",
    "Openverse",
    "https://api.openverse.org/v1/images/",
    {"q": "{query}", "page_size": "{limit}"},
    _openverse,
)
COMMONS = Collection(
    "commons",
    "Wikimedia Commons",
    "https://commons.wikimedia.org/w/api.php",
    {
        "action": "query",
        "format": "json",
        "generator": "search",
        "gsrnamespace": "6",
        "gsrsearch": "filetype:bitmap {query}",
        "gsrlimit": "{limit}",
        "prop": "imageinfo",
        "iiprop": "url|size|mime|extmetadata",
        "iiextmetadatafilter": "LicenseShortName|LicenseUrl|Artist|Attribution",
    },
    _commons,
)
COLLECTIONS = (OPENVERSE, COMMONS)

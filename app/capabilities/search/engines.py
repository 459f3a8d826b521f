"""The search engines as data, and the request that asks one of them."""

from __future__ import annotations

import datetime
import json
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Literal
from urllib.parse import quote, urlencode, urlsplit

import msgspec

from app.errors import SettingsError
from app.record import Record
from tools import Request

Recency = Literal["", "day", "week", "month", "year"]
DAYS: Mapping[str, int] = {"day": 1, "week": 7, "month": 31, "year": 366}
SECONDS = 8.0
"""What one engine may take; a slower one is left out of this answer."""
MOST = 2_000_000
"""Bytes of one answer; a page of results has a tenth."""
_FILE = Path(__file__).resolve().parent / "engines.toml"


class RecencyData(Record, kw_only=True, forbid_unknown_fields=True):
    """How an engine is asked for what is new: a field, and its value for each span."""

    field: str
    day: str = ""
    week: str = ""
    month: str = ""
    year: str = ""


class Engine(Record, kw_only=True, forbid_unknown_fields=True):
    """One engine; the head of engines.toml says what each field means."""

    id: str = ""
    title: str = ""
    url: str
    method: Literal["GET", "POST"] = "GET"
    fields: dict[str, str] = msgspec.field(default_factory=dict)
    body: Literal["", "form", "json"] = ""
    headers: dict[str, str] = msgspec.field(default_factory=dict)
    longest: int = 1_000
    """Characters of a query that it takes."""
    format: Literal["html", "xml", "json"]
    items: str
    found: str = ""
    """What a true answer has even where nothing was found; "" = the place of the items."""
    heading: str
    link: str
    text: str = ""
    date: str = ""
    unwrap: str = ""
    """The parameter that holds the address behind a link of the engine's own."""
    blocked: tuple[str, ...] = ()
    nothing: tuple[str, ...] = ()
    busy: tuple[int, ...] = ()
    """Statuses below 400 by which it says no."""
    recency: RecencyData | None = None
    only: str = ""
    site_field: str = ""
    """Takes the sites, in place of `site:` in the query."""
    key: str = ""
    key_header: str = "authorization"
    key_prefix: str = ""
    address: str = ""
    weight: float = 1.0
    hint: str = ""
    """What else to say when it refuses."""
    off: bool = False

    @property
    def set_up(self) -> bool:
        """Whether it is asked only where the person has set it up."""
        return bool(self.key or self.address)

    @property
    def host(self) -> str:
        """The host that it is asked at; "" where a setting says it."""
        return urlsplit(self.url).hostname or ""


class Question(Record):
    """What is looked for. `site` is a domain, "" for the whole web."""

    query: str
    limit: int = 10
    recency: Recency = ""
    site: str = ""


@cache
def built_in() -> dict[str, Engine]:
    """Return the engines of engines.toml by name."""
    return _read(_FILE.read_text("utf-8"))


def engines(own: Path) -> dict[str, Engine]:
    """Return all engines: the built-in ones, and over them those of the person's own file, if there is one.

    Raises SettingsError bad_settings, with what is wrong with it.
    """
    try:
        text = own.read_text("utf-8")
    except FileNotFoundError:
        return built_in()
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError("bad_settings", f"{own}: {error}", path=str(own), why=str(error)) from error
    try:
        mine = _read(text)
    except (tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
        raise SettingsError("bad_settings", f"{own}: {error}", path=str(own), why=str(error)) from error
    return {name: one for name, one in {**built_in(), **mine}.items() if not one.off}


def _read(text: str) -> dict[str, Engine]:
    found = msgspec.convert(tomllib.loads(text), dict[str, Engine])
    return {
        name: msgspec.structs.replace(one, id=name, title=one.title or name) for name, one in found.items()
    }


def can_answer(engine: Engine, question: Question) -> bool:
    """Whether an engine knows how to keep to the site and the span of time of a question."""
    if question.recency and not (engine.recency and _value(engine.recency, question.recency)):
        return False
    return not engine.only or not question.site or within(question.site, engine.only)


def within(host: str, site: str) -> bool:
    """Whether a host is a site or below it."""
    host, site = host.casefold().strip("."), site.casefold().strip(".").removeprefix("www.")
    return host == site or host.endswith(f".{site}")


def request(
    engine: Engine, question: Question, today: datetime.date, *, base: str = "", key: str = ""
) -> Request:
    """Return the request that asks an engine. `base` is the address that the person gave it."""
    query = question.query
    if question.site and not engine.site_field and not engine.only:
        query = f"{query} site:{question.site}"
    query = query[: engine.longest]
    values = {"query": query, "limit": str(max(10, min(question.limit, 20)))}
    fields = {name: _filled(text, values) for name, text in engine.fields.items()}
    if question.recency and engine.recency:
        since = today - datetime.timedelta(days=DAYS[question.recency])
        value = _value(engine.recency, question.recency)
        fields[engine.recency.field] = since.strftime(value) if value.startswith("%") else value
    headers = dict(engine.headers)
    if key:
        headers[engine.key_header] = f"{engine.key_prefix}{key}"
    url = base.rstrip("/") + _filled(
        engine.url, {name: quote(value, safe="") for name, value in values.items()}
    )
    body = ""
    if engine.body == "form":
        headers["content-type"] = "application/x-www-form-urlencoded"
        body = urlencode(fields)
    elif engine.body == "json":
        headers["content-type"] = "application/json"
        body = json.dumps(_typed(engine, question, fields), ensure_ascii=False)
    return Request(
        url,
        method=engine.method,
        headers=headers,
        body=body,
        query={} if engine.body else fields,
        seconds=SECONDS,
        most=MOST,
    )


def _typed(engine: Engine, question: Question, fields: Mapping[str, str]) -> dict[str, object]:
    """Return the fields of a JSON body: a number where {limit} stands alone, a list of sites."""
    body: dict[str, object] = {
        name: int(text) if engine.fields.get(name) == "{limit}" else text for name, text in fields.items()
    }
    if question.site and engine.site_field:
        body[engine.site_field] = [question.site]
    return body


def _value(recency: RecencyData, span: Recency) -> str:
    return {"day": recency.day, "week": recency.week, "month": recency.month, "year": recency.year}.get(
        span, ""
    )


def _filled(text: str, values: Mapping[str, str]) -> str:
    for name, value in values.items():
        text = text.replace(f"{{{name}}}", value)
    return text

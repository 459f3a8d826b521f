"""What a tool may do with search engines: look for pages and for photographs, and learn who failed."""

from __future__ import annotations

from typing import Literal, NamedTuple, Protocol, runtime_checkable


class Hit(NamedTuple):
    """A page that was found. `date` is YYYY-MM-DD, "" where the engine gives none; `engines` found it."""

    title: str
    url: str
    text: str = ""
    date: str = ""
    engines: tuple[str, ...] = ()


class Photo(NamedTuple):
    """A photograph that may be used under its licence."""

    title: str
    page: str
    """Where it is described."""
    file: str
    """The picture itself, in full size."""
    creator: str
    licence: str
    """Its short name, such as CC BY-SA 4.0."""
    licence_url: str
    credit: str
    """The line that names title, creator and licence."""
    width: int = 0
    height: int = 0
    source: str = ""
    engines: tuple[str, ...] = ()


class Failure(NamedTuple):
    """An engine that gave no answer, and why in plain English."""

    engine: str
    why: str


class Searched(NamedTuple):
    """What a search came to. Nothing was found where `asked` is more than `failed` and there are no hits;
    nobody answered where they are as many.
    """

    hits: tuple[Hit, ...]
    asked: tuple[str, ...]
    failed: tuple[Failure, ...] = ()
    age: float = 0.0
    """Seconds since the engines were asked, 0 for now."""


class Photographed(NamedTuple):
    """What a search for photographs came to; as Searched."""

    photos: tuple[Photo, ...]
    asked: tuple[str, ...]
    failed: tuple[Failure, ...] = ()


@runtime_checkable
class SearchWeb(Protocol):
    """Search engines behind the gate of one call. What they find is text that nobody vouches for."""

    async def search(
        self,
        query: str,
        *,
        limit: int = 10,
        recency: Literal["", "day", "week", "month", "year"] = "",
        site: str = "",
    ) -> Searched:
        """Ask all engines at once and return their results as one list. Raises Refused, and ToolError
        no_engine where none of them can keep to the site or the span of time.
        """
        ...

    async def photos(self, query: str, *, limit: int = 10) -> Photographed:
        """Look for photographs that may be used freely. Raises as `search`."""
        ...

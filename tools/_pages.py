"""What a tool may take out of pages as a browser shows them: fields, elements, and the pages that they lead
to.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol, runtime_checkable


class Scraped(NamedTuple):
    """One page. Each row holds the values of all fields in their order; without fields its text is
    the one.
    """

    url: str
    status: int
    title: str
    rows: tuple[tuple[tuple[str, ...], ...], ...]
    total: int
    """Elements that fit, of which `rows` are the first."""
    text: str = ""
    """What there is to read, where neither selector nor fields were given."""
    browser: bool = False
    note: str = ""
    """What is odd about it: a status that is none of success, a question whether we are a person."""


class Site(NamedTuple):
    """The pages of one site, in the order in which they were read."""

    pages: tuple[Scraped, ...]
    fields: tuple[str, ...]
    """The names of the fields."""
    browser: str = ""
    """Why no browser showed them, "" where one did."""
    failed: tuple[tuple[str, str], ...] = ()
    """Addresses of further pages that could not be read, and why."""
    left: int = 0
    """Pages that were found and not read any more."""
    why_left: str = ""
    forbidden: int = 0
    """Pages that the site asks programs not to read (robots.txt)."""
    blocked: tuple[str, ...] = ()
    """Hosts that a page wanted something from, and that were not allowed."""


@runtime_checkable
class ReadPages(Protocol):
    """Pages behind the gate of one call. What they say is text that nobody vouches for."""

    async def scrape(
        self,
        url: str,
        *,
        selector: str = "",
        fields: Sequence[str] = (),
        depth: int = 0,
        wait: float | None = None,
        most: int = 50,
    ) -> Site:
        """Read a page, and with `depth` those of the same site that it leads to, that many links away; never
        more than `most`. Through an installed browser, which waits `wait` seconds for scripts or for what the
        selector names; without one as the server sends them.

        Raises ToolError bad_expression for a selector or field that is neither CSS nor XPath, and those of
        ReadWeb for the first page.
        """
        ...

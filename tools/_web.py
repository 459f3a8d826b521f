"""What a tool may do with the web: requests, what came back, readable pages, feeds, and the capability."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal, NamedTuple, Protocol, runtime_checkable

PageKind = Literal["article", "html", "text", "json", "feed", "pdf", "document"]


class Request(NamedTuple):
    """A request as a tool wants it sent. `query` is encoded and added to the address.

    A person is asked about the whole address and the body; of headers that carry credentials they see the
    name. Those headers are dropped where a redirect leads to another host.
    """

    url: str
    method: str = "GET"
    headers: Mapping[str, str] = MappingProxyType({})
    body: str = ""
    query: Mapping[str, str] = MappingProxyType({})
    seconds: float = 30.0
    """All of it together, redirects and body too; a person's time for an answer does not count."""
    most: int = 5_000_000
    """Bytes of the body as they come. Unpacked it may have four times as many."""
    cut: bool = True
    """Take what came up to `most`, and say `cut`; else a larger body is an error."""
    redirects: int = 5
    """How many are followed at most; 0 returns the redirect itself."""


class Response(NamedTuple):
    """What came back, whatever its status. Names of headers have lower case; the values of those that let
    their bearer in are masked.
    """

    status: int
    reason: str
    url: str
    """Where it came from in the end."""
    headers: Mapping[str, str]
    kind: str
    """The media type that the server named, in lower case and without parameters, "" for none."""
    body: bytes
    """Unpacked."""
    text: str
    """The body as text; "" where it is none."""
    charset: str = ""
    cut: bool = False
    """The body went on."""
    hops: tuple[str, ...] = ()
    """The addresses that led there, the first one first; empty without a redirect."""
    seconds: float = 0.0


class Page(NamedTuple):
    """A page as text to read. `kind` says what it is: article is the main text of an HTML page, html all of
    its text where no main text was found.
    """

    url: str
    status: int
    kind: PageKind
    title: str
    text: str
    date: str = ""
    """When it was published or changed, as YYYY-MM-DD, "" where the page does not say."""
    author: str = ""
    site: str = ""
    language: str = ""
    size: int = 0
    """Bytes of the body."""
    cut: bool = False
    """The page went on, beyond what was fetched or read."""
    hops: tuple[str, ...] = ()


class FeedEntry(NamedTuple):
    """One entry of a feed. `date` is ISO 8601 in UTC, "" where there is none or it cannot be read."""

    id: str
    title: str
    link: str
    date: str = ""
    author: str = ""
    text: str = ""
    """Its summary or content as plain text."""


class Feed(NamedTuple):
    """A feed in the order of its file, in most cases the newest entry first."""

    url: str
    title: str
    link: str
    entries: tuple[FeedEntry, ...]


class Download(NamedTuple):
    """A file that was downloaded. `verified`: it was read back from the disk and has this size and hash, and
    the hash that was expected where one was.
    """

    url: str
    path: str
    """As people read it: relative to the working folder where possible."""
    size: int
    sha256: str
    kind: str
    """The media type that the server named."""
    replaced: bool
    undo: str
    verified: bool
    expected: bool
    """Whether there was a hash to hold it against."""
    looks: str = ""
    """What its first bytes say that it is where that is not what its name says, "" else."""


@runtime_checkable
class ReadWeb(Protocol):
    """Reading from the web behind the gate of one call; each host that it goes to is judged.

    What comes back is text that nobody vouches for, and marks the conversation. All raise ToolError:
    bad_address, private_address, no_host, no_answer, tls_failed, timed_out, too_large, too_many_redirects,
    cut_body, and Refused.
    """

    async def get(self, request: Request) -> Response:
        """Send a GET or HEAD and return the response, whatever its status."""
        ...

    async def page(self, request: Request) -> Page:
        """Return what stands behind an address as readable text. Raises ToolError wrong_kind too (a picture,
        a film, a program), and unreadable.
        """
        ...

    async def feed(self, request: Request) -> Feed:
        """Return an RSS, Atom or JSON feed; of a page, the feed that it names. Raises ToolError wrong_kind
        too.
        """
        ...


@runtime_checkable
class ChangeWeb(ReadWeb, Protocol):
    """Sending to the web, and bringing files from there, too."""

    async def send(self, request: Request) -> Response:
        """Send a request of any method and return the response, whatever its status."""
        ...

    async def download(self, request: Request, path: str = "", sha256: str = "") -> Download:
        """Bring a file. Without `path` it lands in the working folder under the name that the server or the
        address gives. What it replaces goes into the journal. Raises ToolError hash_mismatch too; then
        nothing was changed.
        """
        ...

"""Read what stands behind a web address: the main text of a page, a document, JSON or a feed."""

from __future__ import annotations

from typing import Annotated

from tools import Page, ReadContext, Request, ToolFailed, ToolResult, tool

_MOST = 400_000
"""Characters of one page; what is more than a result may have goes to a file that read_file pages through."""
_KINDS = {
    "article": "the main text of the page",
    "html": "all text of the page",
    "text": "plain text",
    "json": "JSON",
    "feed": "a feed",
    "pdf": "a PDF",
    "document": "a document",
}


@tool(
    reads=True,
    verb="Read web page",
    main="url",
    keywords=("url", "link", "website", "page", "article", "open", "browse", "http", "online", "site"),
    examples=("summarise https://example.org/news/123", "was steht auf https://example.org/artikel"),
    accepts={"link": "url", "address": "url", "limit": "max_chars"},
)
async def web_fetch(
    context: ReadContext,
    url: Annotated[str, "http or https URL"],
    max_chars: Annotated[int, "Most characters"] = 0,
) -> ToolResult:
    """Fetch a web page by URL and return its readable text."""
    if context.web is None:
        raise ToolFailed("The web cannot be reached from here.")
    page = await context.web.page(Request(url))
    most = max_chars if 0 < max_chars < _MOST else _MOST
    text = page.text.strip()
    notes = []
    if len(text) > most:
        notes.append(f"the first {most:,} of {len(text):,} characters")
    if page.cut:
        notes.append("the page goes on beyond what was fetched")
    good = page.status < 400
    body = text[:most] or ("" if page.title else "[there is no text]")
    lines = [*_head(page), "", body, *([f"[{'; '.join(notes)}]"] if notes else [])]
    return ToolResult(
        "\n".join(lines),
        summary=_summary(page, len(text)),
        ok=good,
        data={"url": page.url, "title": page.title},
    )


def _head(page: Page) -> list[str]:
    by = ", ".join(filter(None, (page.author, page.site, page.date)))
    lines = [page.title] if page.title else []
    lines.append(f"{page.url} ({_KINDS[page.kind]}{f'; {by}' if by else ''})")
    if page.hops:
        lines.append(f"[redirected from {page.hops[0]}]")
    if page.status >= 400:
        lines.append(f"[the server says HTTP {page.status}: this is its error page]")
    return lines


def _summary(page: Page, length: int) -> str:
    if page.status >= 400:
        return f"HTTP {page.status}"
    return f"{length:,} characters" if length else "no text"

"""Search the web with several engines at once, and say honestly which of them answered."""

from __future__ import annotations

from typing import Annotated, Literal

from tools import Hit, ReadContext, Searched, ToolFailed, ToolResult, tool

_MOST = 30


@tool(
    reads=True,
    verb="Search the web",
    main="query",
    keywords=("internet", "google", "online", "look up", "news", "find on the web"),
    examples=(
        "search the web for the opening hours of the zoo",
        "suche im Internet nach einem Rezept für Brot",
    ),
    accepts={"q": "query", "max_results": "limit", "count": "limit", "domain": "site"},
)
async def web_search(
    context: ReadContext,
    query: Annotated[str, "Search words"],
    limit: Annotated[int, "Most results"] = 10,
    recency: Annotated[Literal["day", "week", "month", "year"] | None, "Only newer than"] = None,
    site: Annotated[str, "Restrict to a domain"] = "",
) -> ToolResult:
    """Search the internet and return ranked results with links."""
    if context.search is None:
        raise ToolFailed("The web cannot be searched from here.")
    if not query.strip():
        raise ToolFailed("What should be searched for? The query is empty.")
    limit = max(1, min(limit, _MOST))
    found = await context.search.search(query.strip(), limit=limit, recency=recency or "", site=site.strip())
    return _told(found, query.strip())


def _told(found: Searched, query: str) -> ToolResult:
    failures = "; ".join(f"{one.engine}: {one.why}" for one in found.failed)
    if not found.hits and len(found.failed) == len(found.asked):
        text = (
            f"The search failed: no engine answered ({failures}). This does not mean that there is nothing."
        )
        return ToolResult(text, "no engine answered", ok=False)
    answered = [name for name in found.asked if name not in {one.engine for one in found.failed}]
    said = f"Answered: {', '.join(answered)}." + (f" Failed: {failures}." if failures else "")
    if found.age:
        said += f" Asked {found.age:.0f} s ago."
    if not found.hits:
        return ToolResult(f"Nothing was found for {query!r}. {said}", "nothing found")
    lines = [_line(number, hit) for number, hit in enumerate(found.hits, 1)]
    return ToolResult(
        "\n".join([*lines, said]),
        "1 result" if len(found.hits) == 1 else f"{len(found.hits)} results",
        view="links",
        data={
            "head": said,
            "links": [
                {"title": hit.title, "url": hit.url, "text": hit.text, "date": hit.date} for hit in found.hits
            ],
        },
    )


def _line(number: int, hit: Hit) -> str:
    date = f" ({hit.date})" if hit.date else ""
    text = f"\n   {hit.text}" if hit.text else ""
    return f"{number}. {hit.title}{date}\n   {hit.url}{text}"

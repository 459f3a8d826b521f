"""Take fields or elements out of pages as a browser shows them, of one page or of a site."""

from __future__ import annotations

from typing import Annotated

from tools import ReadContext, Scraped, Site, ToolFailed, ToolResult, tool

_MOST = 50
_DEEPEST = 5
_LONGEST_WAIT = 30.0
_TEXT = 12_000
_ROWS = 200


@tool(
    reads=True,
    verb="Read page in a browser",
    main="url",
    keywords=(
        "scrape",
        "extract",
        "crawl",
        "css selector",
        "xpath",
        "javascript",
        "prices",
        "table of a page",
    ),
    examples=(
        "scrape all product names and prices from https://example.org/shop",
        "hole die Überschriften aller Unterseiten von example.org",
    ),
    accepts={"css": "selector", "xpath": "selector", "wait": "wait_s", "link": "url"},
)
async def web_scrape(
    context: ReadContext,
    url: Annotated[str, "Page URL"],
    selector: Annotated[str, "CSS selector"] = "",
    fields: Annotated[list[str] | None, "Fields to extract"] = None,
    depth: Annotated[int, "Links to follow"] = 0,
    wait_s: Annotated[float | None, "Seconds to wait for scripts"] = None,
) -> ToolResult:
    """Extract content from JavaScript-heavy or blocked pages with a headless browser."""
    if context.pages is None:
        raise ToolFailed("Pages cannot be read from here.")
    found = await context.pages.scrape(
        url,
        selector=selector,
        fields=tuple(fields or ()),
        depth=max(0, min(depth, _DEEPEST)),
        wait=None if wait_s is None else max(0.0, min(wait_s, _LONGEST_WAIT)),
        most=_MOST,
    )
    plain = not selector.strip() and not fields
    parts = [_page(page, found.fields, plain) for page in found.pages]
    rows = sum(page.total for page in found.pages)
    pages = "1 page" if len(found.pages) == 1 else f"{len(found.pages)} pages"
    summary = pages if plain else f"{rows} found on {pages}"
    return ToolResult("\n\n".join([*parts, *_notes(found)]), summary)


def _page(page: Scraped, names: tuple[str, ...], plain: bool) -> str:
    head = f"{page.title or 'Without a title'} ({page.url})"
    if page.note:
        head += f"\n[{page.note}]"
    if plain:
        text = page.text.strip()
        more = f"\n[{len(text) - _TEXT:,} more characters]" if len(text) > _TEXT else ""
        return f"{head}\n{text[:_TEXT] or '[there is no text]'}{more}"
    if not page.rows:
        return f"{head}\n[nothing on the page fits]"
    lines = [_row(number, row, names) for number, row in enumerate(page.rows[:_ROWS], 1)]
    if page.total > len(lines):
        lines.append(f"[{page.total - len(lines)} more]")
    return "\n".join([head, *lines])


def _row(number: int, row: tuple[tuple[str, ...], ...], names: tuple[str, ...]) -> str:
    if not names:
        return f"{number}. {' '.join(value for values in row for value in values)}"
    told = [f"{name}: {_values(values)}" for name, values in zip(names, row, strict=False)]
    return (
        f"{number}. {'; '.join(told)}"
        if all("\n" not in one for one in told)
        else "\n   ".join([f"{number}.", *told])
    )


def _values(values: tuple[str, ...]) -> str:
    return " | ".join(values) if values else "(none)"


def _notes(found: Site) -> list[str]:
    notes = [f"[{found.browser}]"] if found.browser else []
    notes += [f"[{address} failed: {why}]" for address, why in found.failed[:10]]
    if len(found.failed) > 10:
        notes.append(f"[{len(found.failed) - 10} further pages failed]")
    if found.left:
        notes.append(f"[{found.left} further pages were not read: {found.why_left}]")
    if found.forbidden:
        notes.append(f"[{found.forbidden} pages were left out, as the site's robots.txt asks]")
    if found.blocked:
        notes.append(f"[not allowed to load anything from: {', '.join(found.blocked[:10])}]")
    return ["\n".join(notes)] if notes else []

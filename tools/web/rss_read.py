"""Read the newest entries of a feed: RSS, Atom or JSON Feed, or the one that a page names."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Annotated

from tools import FeedEntry, ReadContext, Request, ToolFailed, ToolResult, shortened, tool

_MOST = 100
_TEXT = 400


@tool(
    reads=True,
    verb="Read feed",
    main="feed",
    keywords=("rss", "atom", "news feed", "blog", "subscribe", "podcast", "headlines"),
    examples=(
        "read the feed https://example.org/feed.xml",
        "was gibt es Neues im RSS-Feed von example.org",
    ),
    accepts={"url": "feed"},
)
async def rss_read(
    context: ReadContext,
    feed: Annotated[str, "Feed URL or saved name"] = "",
    limit: Annotated[int, "Most entries"] = 10,
    since: Annotated[str, "Only after this date"] = "",
) -> ToolResult:
    """Read the newest entries of an RSS or Atom feed."""
    if context.web is None:
        raise ToolFailed("Feeds cannot be read from here.")
    address = feed.strip()
    if not address or ("." not in address and ":" not in address):
        raise ToolFailed(
            "Give the address of the feed, or of a page that has one; no feeds are saved by name."
        )
    after = _since(since)
    found = await context.web.feed(Request(address))
    entries = sorted(found.entries, key=lambda entry: entry.date, reverse=True)
    undated = sum(not entry.date for entry in entries)
    if after is not None:
        entries = [entry for entry in entries if entry.date and _moment(entry.date) > after]
    shown = entries[: max(1, min(limit, _MOST))]
    notes = []
    if len(shown) < len(entries):
        notes.append(f"{len(entries) - len(shown)} older entries are left out")
    if after is not None and undated:
        notes.append(f"{undated} entries without a date are left out")
    head = f"{found.title or 'Feed'} ({found.url})"
    if not shown:
        why = f" after {since.strip()}" if after is not None else ""
        more = f" ({'; '.join(notes)})" if notes else ""
        return ToolResult(f"{head}: there are no entries{why}{more}.", "no entries")
    lines = [head, *map(_line, shown)]
    lines += [f"[{'; '.join(notes)}]"] if notes else []
    return ToolResult(
        "\n".join(lines),
        "1 entry" if len(shown) == 1 else f"{len(shown)} entries",
        view="links",
        data={
            "links": [
                {
                    "title": entry.title or entry.link,
                    "url": entry.link,
                    "text": " ".join(entry.text.split())[:_TEXT],
                    "date": entry.date[:10],
                }
                for entry in shown
                if entry.link
            ]
        },
    )


def _since(text: str) -> datetime | None:
    """Return the moment that a date means; a day alone means its end."""
    text = text.strip().lower()
    if not text:
        return None
    try:
        if len(text) == len("2026-01-31"):
            day = date.fromisoformat(text)
            return datetime(day.year, day.month, day.day, 23, 59, 59, tzinfo=UTC)
        return _moment(text.upper())
    except ValueError:
        raise ToolFailed(f"{text!r} is no date. Write 2026-11-30 or 2026-11-30T08:00Z.") from None


def _moment(text: str) -> datetime:
    moment = datetime.fromisoformat(text)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _line(entry: FeedEntry) -> str:
    by = f", {entry.author}" if entry.author else ""
    text = shortened(entry.text, _TEXT)
    parts = [f"- {entry.title or 'Without a title'} ({entry.date or 'no date'}{by})"]
    parts += [f"  {entry.link}"] if entry.link else []
    return "\n".join([*parts, *([f"  {text}"] if text else [])])

"""Find photographs that may be used freely, each with its licence and the line that names its maker."""

from __future__ import annotations

from typing import Annotated

from tools import Photo, ReadContext, ToolFailed, ToolResult, tool

_MOST = 20


@tool(
    reads=True,
    verb="Search photos",
    main="query",
    keywords=("stock photo", "free picture", "creative commons", "licence", "wikimedia", "openverse"),
    examples=("find a free photo of a lighthouse", "suche ein lizenzfreies Bild von einem Fuchs"),
    accepts={"q": "query", "count": "limit"},
)
async def photo_search(
    context: ReadContext,
    query: Annotated[str, "What the photo shows"],
    limit: Annotated[int, "Most photos"] = 8,
) -> ToolResult:
    """Search for freely licensed photos, with licence and credit."""
    if context.search is None:
        raise ToolFailed("Photos cannot be searched from here.")
    if not query.strip():
        raise ToolFailed("What should the photo show? The query is empty.")
    found = await context.search.photos(query.strip(), limit=max(1, min(limit, _MOST)))
    failures = "; ".join(f"{one.engine}: {one.why}" for one in found.failed)
    if not found.photos and len(found.failed) == len(found.asked):
        text = f"The search failed: no collection answered ({failures}). There may well be some."
        return ToolResult(text, "no collection answered", ok=False)
    failed = f"\nFailed: {failures}." if failures else ""
    if not found.photos:
        return ToolResult(f"No free photo was found for {query.strip()!r}.{failed}", "nothing found")
    lines = [_line(number, photo) for number, photo in enumerate(found.photos, 1)]
    how = "\nName the maker and the licence wherever a photo is used. download_file brings one to disk."
    return ToolResult(
        "\n".join(lines) + how + failed,
        "1 photo" if len(found.photos) == 1 else f"{len(found.photos)} photos",
        view="links",
        data={
            "links": [
                {
                    "title": photo.title,
                    "url": photo.page or photo.file,
                    "text": ", ".join(filter(None, (photo.creator, photo.licence))),
                }
                for photo in found.photos
            ]
        },
    )


def _line(number: int, photo: Photo) -> str:
    size = f", {photo.width} x {photo.height}" if photo.width and photo.height else ""
    rights = f" ({photo.licence_url})" if photo.licence_url else ""
    lines = [f"{number}. {photo.title} by {photo.creator}{size}", f"   Licence: {photo.licence}{rights}"]
    lines += [f"   Credit: {photo.credit}"] if photo.credit else []
    lines += [f"   Page: {photo.page}"] if photo.page else []
    return "\n".join([*lines, f"   File: {photo.file}"])

"""Bring a file from the web to the disk, whole and held against its hash."""

from __future__ import annotations

from typing import Annotated

from tools import Download, Request, ToolContext, ToolFailed, ToolResult, tool

_MOST = 4_000_000_000
_SECONDS = 3_600.0


@tool(
    reads=False,
    verb="Download file",
    main="url",
    keywords=(
        "save",
        "download",
        "get file",
        "wget",
        "curl -o",
        "fetch file",
        "zip",
        "pdf",
        "image",
        "installer",
    ),
    examples=(
        "download https://example.org/report.pdf into docs",
        "lade die Datei https://example.org/daten.zip herunter",
    ),
    accepts={"link": "url", "output": "path", "destination": "path", "hash": "sha256", "checksum": "sha256"},
)
async def download_file(
    context: ToolContext,
    url: Annotated[str, "File URL"],
    path: Annotated[str, "Path relative to the workspace or absolute"] = "",
    sha256: Annotated[str, "Expected hash"] = "",
) -> ToolResult:
    """Download a file from a URL to disk."""
    if context.web is None:
        raise ToolFailed("The web cannot be reached from here.")
    request = Request(url, seconds=_SECONDS, most=_MOST, cut=False)
    done = await context.web.download(request, path, sha256)
    return ToolResult(
        "\n".join(_lines(done)),
        summary=f"{_size(done.size)}" if done.verified else "unverified",
        ok=done.verified,
        view="diff",
        data={
            "files": [
                {"path": done.path, "kind": "changed" if done.replaced else "new", "added": 0, "removed": 0}
            ]
        },
        undo=done.undo,
    )


def _lines(done: Download) -> list[str]:
    kind = done.kind or "no named kind"
    state = "verified" if done.verified else "UNVERIFIED: the file does not read back as it came"
    lines = [f"{done.path}: {_size(done.size)} of {kind}, {state}."]
    lines.append(f"SHA-256 {done.sha256}{', as expected' if done.expected else ''}.")
    if done.replaced:
        lines.append("What stood there is in the trash.")
    if done.looks:
        lines.append(f"Careful: by its first bytes it is {done.looks}, whatever its name says.")
    if not done.size:
        lines.append("Careful: the file is empty.")
    return lines


def _size(count: int) -> str:
    return f"{count:,} bytes" if count < 10_000 else f"{count / 1e6:,.2f} MB"

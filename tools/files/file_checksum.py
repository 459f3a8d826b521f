"""Compute the checksum of a file, or hold it against an expected one."""

from __future__ import annotations

import re
from typing import Annotated, Literal

from tools import ReadContext, ToolFailed, ToolResult, tool
from tools.files._report import size

_DIGITS: dict[str, int] = {"sha256": 64, "sha1": 40, "md5": 32}


@tool(
    reads=True,
    verb="Checksum",
    main="path",
    keywords=("hash", "sha256", "md5", "sha1", "integrity", "digest", "verify download"),
    examples=("what is the sha256 of debian.iso", "does setup.exe match this md5"),
    accepts={"file": "path", "file_path": "path", "hash": "expected", "checksum": "expected"},
)
async def file_checksum(
    context: ReadContext,
    path: Annotated[str, "Path relative to the workspace or absolute"],
    algorithm: Annotated[
        Literal["sha256", "sha1", "md5"] | None, "Hash; else that of `expected`, sha256"
    ] = None,
    expected: Annotated[str, "Value to compare with"] = "",
) -> ToolResult:
    """Compute or verify the SHA-256 or MD5 hash of a file."""
    if context.documents is None:
        raise ToolFailed("Files cannot be read here.")
    wanted = re.sub(r"(?i)^(?:sha-?256|sha-?1|md5)\s*[:=]\s*", "", expected.strip()).split(" ")[0].lower()
    if expected.strip() and not re.fullmatch(r"[0-9a-f]+", wanted):
        raise ToolFailed("`expected` is no hash: it must be hexadecimal digits.")
    chosen = algorithm or _by_length(len(wanted))
    if wanted and len(wanted) != _DIGITS[chosen]:
        raise ToolFailed(f"`expected` has {len(wanted)} digits; a {chosen} has {_DIGITS[chosen]}.")
    found = await context.documents.checksum(path, chosen)
    line = f"{found.digest}  {found.path} ({chosen}, {size(found.size)})"
    if not wanted:
        return ToolResult(line, summary=f"{chosen} {found.digest[:12]}…")
    same = found.digest == wanted
    weak = "" if chosen == "sha256" else f" {chosen} only guards against accidents: it can be forged."
    said = "It matches." if same else f"It does NOT match: {wanted} was expected."
    return ToolResult(f"{line}\n{said}{weak}", summary="matches" if same else "does not match", ok=same)


def _by_length(digits: int) -> str:
    return next((name for name, count in _DIGITS.items() if count == digits), "sha256")

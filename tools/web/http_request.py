"""Send one HTTP request as it is given, and show what came back."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Annotated, Any, Literal

from tools import Request, Response, ToolContext, ToolFailed, ToolResult, tool

_READS = ("GET", "HEAD")
_LONGEST = 300
_SHOWN = 200_000
"""Characters of a body; what is more than a result may have goes to a file."""


def _reads(arguments: Mapping[str, Any]) -> bool:
    return str(arguments.get("method", "")).upper() in _READS


@tool(
    reads=_reads,
    verb="Send request",
    main="url",
    keywords=(
        "api",
        "rest",
        "curl",
        "post",
        "get",
        "put",
        "delete",
        "endpoint",
        "json",
        "webhook",
        "headers",
    ),
    examples=(
        "POST this JSON to https://example.org/api/items",
        "welche Header liefert https://example.org",
    ),
    accepts={"link": "url", "data": "body", "timeout": "timeout_s"},
)
async def http_request(
    context: ToolContext,
    method: Annotated[Literal["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD"], "Method"],
    url: Annotated[str, "URL"],
    headers: Annotated[dict[str, Any] | None, "Request headers"] = None,
    body: Annotated[str, "Request body"] = "",
    timeout_s: Annotated[int, "Seconds"] = 30,
) -> ToolResult:
    """Send an HTTP request (GET, POST, PUT, DELETE) to an API and show status, headers and body."""
    if context.web is None:
        raise ToolFailed("The web cannot be reached from here.")
    request = Request(
        url,
        method=method,
        headers={str(name): _text(value) for name, value in (headers or {}).items()},
        body=body,
        seconds=float(max(1, min(timeout_s, _LONGEST))),
    )
    reads = method in _READS
    got = await (context.web.get(request) if reads else context.web.send(request))
    lines = [_first(got), *(f"{name}: {value}" for name, value in got.headers.items())]
    if got.hops:
        lines.insert(1, f"[redirected from {', '.join(got.hops)}]")
    if method != "HEAD":
        lines += ["", _body(got)]
    if not reads:
        lines.append("[unverified: all that is known of what it did is this answer]")
    return ToolResult(
        "\n".join(lines),
        summary=f"HTTP {got.status}, {_size(len(got.body))}" if method != "HEAD" else f"HTTP {got.status}",
        ok=got.status < 400,
        data={"url": got.url, "status": got.status},
    )


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _first(got: Response) -> str:
    return f"HTTP {got.status} {got.reason}".rstrip() + f" from {got.url} in {got.seconds * 1000:.0f} ms"


def _body(got: Response) -> str:
    if not got.body:
        return "[the body is empty]"
    if not got.text:
        return f"[{_size(len(got.body))} of {got.kind or 'no named kind'}; download_file brings it as a file]"
    text = got.text
    notes = []
    if len(text) > _SHOWN:
        notes.append(f"the first {_SHOWN:,} of {len(text):,} characters")
    if got.cut:
        notes.append("the body goes on")
    return text[:_SHOWN] + (f"\n[{'; '.join(notes)}]" if notes else "")


def _size(count: int) -> str:
    return f"{count:,} bytes" if count < 10_000 else f"{count / 1000:,.0f} kB"

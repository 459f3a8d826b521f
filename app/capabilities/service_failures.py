"""What it means that a service said no, in words for the model and codes for people."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

from app.errors import ToolError
from tools import Request, Response

_WORDS = 400


def no_account(title: str, account: str) -> ToolError:
    """Return the error for a service that needs a sign-in which is not there."""
    return ToolError(
        "no_account",
        f"There is no sign-in to {title}. The person can sign in with: bramble login {account}",
        service=title,
        account=account,
    )


def failed(
    title: str,
    why: str = "",
    *,
    response: Response | None = None,
    request: Request | None = None,
    account: str = "",
    now: datetime | None = None,
) -> ToolError:
    """Return the error for an answer that is none, by its status."""
    if response is None or request is None:
        return ToolError("service_failed", f"{title} failed: {why}.", service=title, why=why)
    said = told(response)
    words = f" It says: {said}" if said else ""
    status = response.status
    if (limit := _limited(response, now)) is not None:
        return ToolError("service_limited", f"{title} takes no more requests{limit}.{words}", service=title)
    if status == 401:
        again = f" The person can sign in again with: bramble login {account}" if account else ""
        return ToolError(
            "account_refused", f"{title} refuses the sign-in (HTTP 401).{words}{again}", service=title
        )
    if status == 403:
        rights = (
            " The token may lack the right for this, or the organisation has to allow it." if account else ""
        )
        return ToolError(
            "account_refused", f"{title} does not allow this (HTTP 403).{words}{rights}", service=title
        )
    if status in (404, 410):
        hidden = " What the sign-in may not see looks the same." if account else ""
        return ToolError(
            "service_missing", f"{title} has nothing there (HTTP {status}).{words}{hidden}", service=title
        )
    if 300 <= status < 400:
        where = response.headers.get("location", "")
        why = f"it points elsewhere (HTTP {status}, {where})"
        return ToolError(
            "service_failed", f"{title} failed: {why}. Nothing was changed.", service=title, why=why
        )
    why = f"HTTP {status} {response.reason}".strip()
    return ToolError("service_failed", f"{title} failed: {why}.{words}", service=title, why=why)


def _limited(response: Response, now: datetime | None) -> str | None:
    """Return until when nothing more is taken, as the end of a sentence; None where that is not it.

    GitHub: https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api
    """
    after, left = response.headers.get("retry-after", ""), response.headers.get("x-ratelimit-remaining", "")
    if response.status != 429 and not (response.status == 403 and (left == "0" or after)):
        return None
    if after.isdigit():
        return f" for {int(after)} seconds"
    until = response.headers.get("x-ratelimit-reset", "")
    if until.isdigit() and len(until) < 12:
        moment = datetime.fromtimestamp(int(until), UTC)
        minutes = max(0, round((moment - now).total_seconds() / 60)) if now else 0
        return f" until {moment:%H:%M} UTC, in {minutes} minutes"
    return " for now"


def told(response: Response) -> str:
    """Return the words of an answer in JSON, on one line, "" for any other (such as a page)."""
    try:
        value: Any = json.loads(response.body)
    except (ValueError, RecursionError):
        return ""
    if not isinstance(value, dict):
        return ""
    first = next(
        (value[key] for key in ("message", "reason", "detail") if isinstance(value.get(key), str)), ""
    )
    errors = value.get("errors")
    rows = errors if isinstance(errors, list) else []
    more = [
        " ".join(str(row[key]) for key in ("resource", "field", "code", "message") if row.get(key))
        for row in rows
        if isinstance(row, dict)
    ]
    more += [row for row in rows if isinstance(row, str)]
    return " ".join("; ".join(filter(None, (first, *more))).split())[:_WORDS]

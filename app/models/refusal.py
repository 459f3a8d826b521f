"""Turns what went wrong on the way to a model into one typed error: status, headers and body in, code and
fields out.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import msgspec

from app import logs
from app.errors import ModelError
from app.models.retry_after import seconds_to_wait
from app.models.wordings import BAD_KEY, BUSY, FILTERED, GONE, NO_CREDIT, OVERFLOW, PAGE, RATE, REGION
from app.records import Problem

DETAIL = 400
"""Characters of a provider's own words that are shown."""

# Patterns are compiled at their first use: most requests need none of them.
_KEY_LIKE = r"\b(sk|pk|gsk|xai|ghu|gho|ghp|hf|AIza)[-_]?[A-Za-z0-9_-]{12,}|(?<=[Bb]earer )\S+"
_CONTROL = r"[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff]"


class ErrorEvent(ModelError):
    """The server told of an error inside a stream that had begun; such a request is not sent again."""


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """Whom a request went to, as far as an error needs it. `key` is only there to be taken out of texts."""

    name: str
    """The profile's name, as commands take it."""
    title: str
    host: str
    path: str = ""
    endpoint: str = ""
    """What the wire appends to that path."""
    model: str = ""
    key: str = ""
    now: float = 0.0
    """Unix seconds, for a Retry-After that is a date."""
    overflow: tuple[str, ...] = ()
    unsupported: tuple[str, ...] = ()

    def fields(self) -> dict[str, str]:
        """The fields for a problem's words."""
        return {"profile": self.name, "title": self.title, "host": self.host, "model": self.model}

    def error(self, code: str, message: str, detail: str = "") -> ModelError:
        """Return an error of ours about this server."""
        return ModelError(
            code, message, detail=self.redacted(detail), status=0, retry_after=None, **self.fields()
        )

    def foreign(self, payload: Any) -> ModelError:
        """Return the error for JSON that is no answer of this wire."""
        said = msgspec.json.encode(payload)[:4000].decode("utf-8", "replace")
        return self.error("bad_reply", "The answer is none of this wire.", said)

    def redacted(self, text: str) -> str:
        """Return `text` without keys and control characters, cut to DETAIL."""
        if len(self.key) >= 4:
            for spelled in (*logs.spellings(self.key), self.key):
                text = text.replace(spelled, "[key]")
        text = re.sub(_CONTROL, " ", re.sub(_KEY_LIKE, "[key]", text)).strip()
        return text if len(text) <= DETAIL else text[: DETAIL - 1] + "…"


def from_answer(status: int, headers: Mapping[str, str], raw: bytes, asked: Asked) -> ModelError:
    """Return the error for an HTTP answer that is no stream. `raw` may be cut."""
    text = raw.decode("utf-8", "replace")
    payload = _decode(raw)
    said, code = _said(payload) if payload is not None else (_from_page(text), "")
    hay = f"{code} {said}" if payload is not None else text[:4000]
    wait = seconds_to_wait(headers, said, payload, asked.now)
    error = _error(_code_of(status, hay, asked), status, said, wait, asked)
    error.said = code
    return error


def not_understood(raw: bytes, asked: Asked) -> ModelError:
    """Return the error for a good answer that is none to what was asked: web_page for a page, with its title,
    else bad_reply.
    """
    text = raw[:20_000].decode("utf-8", "replace")
    if _says(text[:4000], PAGE):
        return asked.error("web_page", "The answer is a page.", _from_page(text))
    return asked.error("bad_reply", "The answer is none to what was asked.")


def from_payload(payload: Any, asked: Asked, kind: type[ModelError] = ErrorEvent) -> ModelError:
    """Return the error for an error event inside a stream (HTTP status 200); a `kind` other than the usual
    one is for what passes by itself, so that the request is sent again.
    """
    said, code = _said(payload)
    status = _status(payload)
    hay = f"{code} {said}"
    if status:
        name = _code_of(status, hay, asked)
    elif re.search("|".join(RATE), hay, re.I):
        name = "rate_limit"
    else:
        name = _code_of(400, hay, asked)
        if name == "unsupported":
            name = "overloaded" if _says(hay, BUSY) else "server_error"
    error = _error(name, status, said, seconds_to_wait({}, said, payload, asked.now), asked, kind)
    error.said = code
    return error


def from_transport(error: Exception, asked: Asked) -> ModelError:
    """Return the error for a request that got no answer at all: no network, a refused certificate, time that
    ran out.
    """
    import ssl

    import httpx

    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, ssl.SSLError):
            return _error("tls", 0, str(cause), None, asked)
        cause = cause.__cause__ or cause.__context__
    if isinstance(error, httpx.TimeoutException) and not isinstance(error, httpx.ConnectTimeout):
        return _error("stalled", 0, "", None, asked)
    if isinstance(error, httpx.ReadError | httpx.WriteError | httpx.CloseError | httpx.RemoteProtocolError):
        return _error("server_error", 0, str(error), None, asked)  # closed or reset before an answer came
    return _error("no_network", 0, str(error), None, asked)  # nobody there, or an address that is none


def _error(
    code: str, status: int, said: str, wait: float | None, asked: Asked, kind: type[ModelError] = ModelError
) -> ModelError:
    fields = asked.fields()
    if status:
        fields["status"] = str(status)
    if wait is not None and code == "rate_limit":
        fields["seconds"] = str(round(wait))
    if code == "no_endpoint":
        fields["path"] = asked.path.rstrip("/") + asked.endpoint
    what = f"{asked.title} at {asked.host}: {code}" + (f" (HTTP {status})" if status else "")
    error = kind(code, what, status=status, retry_after=wait)
    error.problem = Problem(code=code, fields=fields, detail=asked.redacted(said))
    return error


def _code_of(status: int, hay: str, asked: Asked) -> str:
    if status == 407:
        return "proxy_failed"
    if code := _limit_of(status, hay, asked):
        return code
    if _says(hay, asked.unsupported):
        return "unsupported"
    if status >= 500 or status in (408, 409, 425):
        return "overloaded" if status == 529 or _says(hay, BUSY) else "server_error"
    if status in (400, 403, 422) and _says(hay, FILTERED):
        return "content_refused"
    if status in (400, 403) and _says(hay, REGION):
        return "region_refused"
    if status in (401, 403) or (status == 400 and _says(hay, BAD_KEY)):
        return "bad_key" if asked.key else "no_key"
    return _missing(status, hay, asked)


def _limit_of(status: int, hay: str, asked: Asked) -> str:
    """Return the code of a limit that is reached, "" for none."""
    if status != 429 and (status == 413 or _says(hay, OVERFLOW) or _says(hay, asked.overflow)):
        return "overflow"
    if status == 402 or (status in (400, 403, 429) and _says(hay, NO_CREDIT)):
        return "no_credit"
    return "rate_limit" if status == 429 or (status == 403 and _says(hay, RATE)) else ""


def _missing(status: int, hay: str, asked: Asked) -> str:
    """Return the code for a server that lacks something: the model, the address, or models altogether."""
    named = bool(asked.model) and asked.model.lower() in hay.lower()
    if named and (status == 404 or (status in (400, 410) and _says(hay, GONE))):
        return "model_gone"
    if status == 404 and asked.path in ("", "/"):
        return "bad_reply"  # nothing is there: most such addresses lack /v1 at their end
    if status in (404, 405):
        return "no_endpoint"
    if 200 <= status < 400:
        return "web_page" if status >= 300 or _says(hay, PAGE) else "bad_reply"
    return "unsupported"


def _says(hay: str, patterns: tuple[str, ...]) -> bool:
    return any(re.search(pattern, hay, re.I) for pattern in patterns)


def _decode(raw: bytes) -> Any:
    try:
        return msgspec.json.decode(raw)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return None


def _said(payload: Any) -> tuple[str, str]:
    """Return message and code of an error body: OpenAI's object, a bare text, FastAPI's detail, or Gemini's
    list of one.
    """
    if isinstance(payload, list) and payload:
        payload = payload[0]
    if not isinstance(payload, dict):
        return (payload if isinstance(payload, str) else ""), ""
    inner = payload.get("error") or payload
    if isinstance(inner, str):
        return inner, ""
    if not isinstance(inner, dict):
        return str(inner), ""
    codes = " ".join(str(inner[name]) for name in ("code", "type", "status") if inner.get(name) is not None)
    message = next((inner[name] for name in ("message", "detail", "error", "msg") if inner.get(name)), "")
    metadata = inner.get("metadata")
    raw = metadata.get("raw") if isinstance(metadata, dict) else None  # OpenRouter: the upstream's own words
    words = [
        part if isinstance(part, str) else msgspec.json.encode(part).decode()
        for part in (message, raw)
        if part
    ]
    return " · ".join(words), codes


def _status(payload: Any) -> int:
    """The HTTP status that an error event names as its code, else 0."""
    inner = payload.get("error") if isinstance(payload, dict) else None
    for place in (inner, payload):
        code = place.get("code", place.get("status")) if isinstance(place, dict) else None
        if isinstance(code, int | str) and str(code).isdigit() and 300 <= int(code) < 600:
            return int(code)
    return 0


def _from_page(text: str) -> str:
    """What a page or a plain text says: its title, else its beginning without tags."""
    title = re.search(r"<title[^>]*>(.{1,300}?)</title>", text[:20_000], re.I | re.S)
    plain = title.group(1) if title else re.sub(r"<[^>]{0,500}>", " ", text[:4000])
    return " ".join(plain.split())

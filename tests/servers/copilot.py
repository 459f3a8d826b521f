"""A GitHub with Copilot of our own on a loopback socket: device flow, exchange, models, policy, quota and the
three endpoints, with every refusal that the real one is known for.

It holds to the protocol strictly: too early a question is told to slow down, a short token that has run out
is refused, a model is answered on its own endpoints only.
"""

from __future__ import annotations

import json
import ssl
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs

from tests.servers.scripted import Exchange, Received, ScriptedServer, says, scripted_in_thread

GITHUB_TOKEN = "gho_aSecretOfThePerson1234567890abcd"
CLIENT_ID = "Ov23liOurOwnTestApp00"


def model(id_: str, **fields: Any) -> dict[str, Any]:
    """One entry of the list; `endpoints`, `policy`, `billing`, `supports`, `limits` and `type` as given."""
    capabilities = {
        "type": fields.pop("type", "chat"),
        "family": id_,
        "limits": fields.pop("limits", {"max_context_window_tokens": 128_000, "max_output_tokens": 16_000}),
        "supports": fields.pop("supports", {"streaming": True, "tool_calls": True}),
    }
    endpoints = fields.pop("endpoints", None)
    return {
        "id": id_,
        "name": id_.upper(),
        "vendor": "test",
        "version": id_,
        "model_picker_enabled": True,
        "capabilities": capabilities,
        **({} if endpoints is None else {"supported_endpoints": endpoints}),
        **fields,
    }


MODELS: tuple[Any, ...] = (
    model("gpt-5-mini", endpoints=["/chat/completions", "/responses"], billing={"multiplier": 0}),
    model("gpt-6-codex", endpoints=["/responses"], billing={"multiplier": 1.5}),
    model(
        "claude-sonnet-5.5",
        endpoints=["/chat/completions", "/v1/messages"],
        supports={"tool_calls": True, "vision": True, "reasoning_effort": ["low", "high"]},
        billing={
            "token_prices": {
                "batch_size": 1_000_000,
                "default": {"input_price": 200, "output_price": 1000, "cache_price": 10},
            }
        },
    ),
    model("old", limits={"max_prompt_tokens": 64_000}),
    model("grok-9", policy={"state": "unconfigured", "terms": "Grok 9 is run by somebody else."}),
    model("switched-off", policy={"state": "disabled"}),
    model("embedder", type="embeddings"),
    {"id": "broken", "capabilities": "nonsense"},
    {"capabilities": {"type": "chat"}},
    None,
    17,
)


@dataclass
class Copilot:
    """What the server knows and what it is to do. `polls` are the answers to the questions about the code,
    one after the other, before it is granted.
    """

    polls: list[dict[str, Any]] = field(default_factory=list)
    interval: float = 1
    expires_in: float = 900
    begin: tuple[int, Any] | None = None
    exchange: list[tuple[int, Any]] = field(default_factory=list)
    """Refusals of the exchange, the last one for ever; none: it answers."""
    refresh_in: int = 1500
    direct: bool = False
    """The person's own token opens the models."""
    models: list[Any] = field(default_factory=lambda: list(MODELS))
    answers: list[tuple[int, Any, dict[str, str]]] = field(default_factory=list)
    """Refusals of the endpoints, one for each request."""
    text: str = "Hello from Copilot."
    names_base: bool = True
    base: str = ""
    short: list[str] = field(default_factory=list)
    """Short tokens given out; the last one is the one in force."""
    tokens: set[str] = field(default_factory=lambda: {GITHUB_TOKEN})
    seen: list[Received] = field(default_factory=list)
    server: ScriptedServer | None = None
    _last_poll: float = 0.0

    @property
    def url(self) -> str:
        """The address of everything."""
        assert self.server is not None
        return self.server.url.removesuffix("/v1")

    def profile(self) -> dict[str, Any]:
        """What `settings.profiles.copilot` says to reach this server."""
        return {"github": self.url, "github_api": self.url, "base_url": self.url}

    def settings(self, *, client_id: str = CLIENT_ID, agreed: bool = True, more: str = "") -> str:
        """Return a settings file for this server."""
        lines = [
            f"copilot_client_id = {json.dumps(client_id)}",
            f"agreed = {json.dumps(['copilot'] * agreed)}",
        ]
        table = [f"{name} = {json.dumps(value)}" for name, value in self.profile().items()]
        return "\n".join([*lines, more, "[profiles.copilot]", *table, ""])

    def asked(self, path: str) -> list[Received]:
        """The requests to one path."""
        return [one for one in self.seen if one.path == path]

    async def play(self, exchange: Exchange) -> None:
        """Answer one request."""
        request = exchange.request
        self.seen.append(request)
        path = request.path.split("?")[0]
        if path == "/login/device/code":
            await self._begin(exchange)
        elif path == "/login/oauth/access_token":
            await self._poll(exchange)
        elif path == "/copilot_internal/v2/token":
            await self._exchange(exchange)
        elif path == "/copilot_internal/user":
            await self._user(exchange)
        elif path == "/models":
            await self._list(exchange)
        elif path.startswith("/models/") and path.endswith("/policy"):
            await self._policy(exchange, path.split("/")[2])
        else:
            await self._endpoint(exchange, path)

    async def _begin(self, exchange: Exchange) -> None:
        fields = parse_qs(exchange.request.body.decode())
        if self.begin is not None:
            await exchange.answer(*self.begin)
        elif fields.get("client_id") != [CLIENT_ID]:
            await exchange.answer(404, {"error": "Not Found"})
        else:
            self._last_poll = time.monotonic()
            given = {
                "device_code": "a-secret-device-code-0123456789",
                "user_code": "WDJB-MJHT",
                "verification_uri": f"{self.url}/login/device",
                "expires_in": self.expires_in,
                "interval": self.interval,
            }
            await exchange.answer(200, given)

    async def _poll(self, exchange: Exchange) -> None:
        fields = parse_qs(exchange.request.body.decode())
        assert fields["grant_type"] == ["urn:ietf:params:oauth:grant-type:device_code"]
        assert fields["device_code"] == ["a-secret-device-code-0123456789"]
        now, before = time.monotonic(), self._last_poll
        self._last_poll = now
        if now - before < self.interval:
            self.interval += 5
            await exchange.answer(200, {"error": "slow_down", "interval": self.interval})
        elif self.polls:
            said = self.polls.pop(0)
            if self.interval:  # 0: it never finds a question too early
                self.interval = said.get("interval", self.interval)
            await exchange.answer(said.pop("status", 200), said)
        else:
            await exchange.answer(
                200, {"access_token": GITHUB_TOKEN, "token_type": "bearer", "scope": "read:user"}
            )

    async def _exchange(self, exchange: Exchange) -> None:
        given = exchange.request.headers.get("authorization", "")
        if self.exchange:
            await exchange.answer(*(self.exchange.pop(0) if len(self.exchange) > 1 else self.exchange[0]))
        elif given.removeprefix("token ") not in self.tokens:
            await exchange.answer(401, {"message": "Bad credentials"})
        else:
            self.short.append(f"tid=short{len(self.short)};exp=1;proxy-ep=proxy.individual.githubcopilot.com")
            reply = {
                "token": self.short[-1],
                "expires_at": int(time.time()) + self.refresh_in + 300,
                "refresh_in": self.refresh_in,
            }
            if self.names_base:
                reply["endpoints"] = {"api": self.base or self.url}
            await exchange.answer(200, reply)

    async def _user(self, exchange: Exchange) -> None:
        reply = {
            "copilot_plan": "individual",
            "quota_reset_date": "2026-12-01",
            "endpoints": {"api": self.base or self.url},
            "quota_snapshots": {
                "chat": {"unlimited": True, "entitlement": 0, "remaining": 0},
                "premium_interactions": {
                    "entitlement": 300,
                    "remaining": 120.5,
                    "percent_remaining": 40.2,
                    "unlimited": False,
                    "overage_permitted": True,
                },
                "broken": 3,
            },
        }
        await exchange.answer(200, reply)

    async def _open(self, exchange: Exchange) -> bool:
        token = exchange.request.headers.get("authorization", "").removeprefix("Bearer ")
        good = token in (self.tokens if self.direct else set(self.short[-1:]))
        if not good:
            await exchange.answer(
                401, {"error": {"message": "IDE token expired: unauthorized: token expired"}}
            )
        return good

    async def _list(self, exchange: Exchange) -> None:
        if await self._open(exchange):
            await exchange.answer(200, {"object": "list", "data": self.models})

    async def _policy(self, exchange: Exchange, name: str) -> None:
        if not await self._open(exchange):
            return
        assert exchange.request.json == {"state": "enabled"}
        for entry in self.models:
            if isinstance(entry, dict) and entry.get("id") == name:
                entry["policy"] = {"state": "enabled", "terms": "Grok 9 is run by somebody else."}
        await exchange.answer(200, {})

    async def _endpoint(self, exchange: Exchange, path: str) -> None:
        if not await self._open(exchange):
            return
        if self.answers:
            status, body, headers = self.answers.pop(0)
            await exchange.answer(status, body, headers)
            return
        asked = exchange.request.json["model"]
        entry = next((one for one in self.models if isinstance(one, dict) and one.get("id") == asked), None)
        if entry is None:
            said = {
                "error": {"message": "The requested model is not supported.", "code": "model_not_supported"}
            }
            await exchange.answer(400, said)
        elif path not in entry.get("supported_endpoints", ["/chat/completions"]):
            text = f'model "{asked}" is not accessible via the {path} endpoint'
            await exchange.answer(400, {"error": {"message": text, "code": "unsupported_api_for_model"}})
        elif path == "/chat/completions":
            await says(self.text)(exchange)
        elif path == "/responses":
            await self._responses(exchange)
        else:
            await self._messages(exchange)

    async def _responses(self, exchange: Exchange) -> None:
        """Stream as the Responses API does, with an item id that is another one on every event."""
        item = {"type": "message", "id": "x1", "role": "assistant", "content": []}
        part = {"type": "output_text", "text": self.text, "annotations": []}
        whole = {**item, "status": "completed", "content": [part]}
        usage = {"input_tokens": 10, "output_tokens": 5, "total_tokens": 15}
        response = {
            "id": "r1",
            "status": "completed",
            "model": "test-model",
            "output": [whole],
            "usage": usage,
        }
        events: list[dict[str, Any]] = [
            {"type": "response.created", "response": {"id": "r1", "status": "in_progress", "output": []}},
            {"type": "response.output_item.added", "output_index": 0, "item": item},
            {"type": "response.content_part.added", "output_index": 0, "item_id": "x2", "content_index": 0,
             "part": {**part, "text": ""}},
            {"type": "response.output_text.delta", "output_index": 0, "item_id": "x3", "content_index": 0,
             "delta": self.text},
            {"type": "response.output_text.done", "output_index": 0, "item_id": "x4", "content_index": 0,
             "text": self.text},
            {"type": "response.output_item.done", "output_index": 0, "item": whole},
            {"type": "response.completed", "response": response},
        ]  # fmt: skip
        await exchange.head()
        for number, event in enumerate(events):
            data = json.dumps({**event, "sequence_number": number})
            await exchange.send(f"event: {event['type']}\ndata: {data}\n\n".encode())
        await exchange.end()

    async def _messages(self, exchange: Exchange) -> None:
        """Stream as the Messages API does."""
        usage = {"input_tokens": 10, "output_tokens": 1}
        start = {"id": "m1", "type": "message", "role": "assistant", "model": "test-model", "content": [],
                 "stop_reason": None, "stop_sequence": None, "usage": usage}  # fmt: skip
        events: list[dict[str, Any]] = [
            {"type": "message_start", "message": start},
            {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
            {"type": "ping"},
            {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": self.text}},
            {"type": "content_block_stop", "index": 0},
            {"type": "message_delta", "delta": {"stop_reason": "end_turn", "stop_sequence": None},
             "usage": {"output_tokens": 5}},
            {"type": "message_stop"},
        ]  # fmt: skip
        await exchange.head()
        for event in events:
            await exchange.send(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode())
        await exchange.end()


@contextmanager
def copilot_server(copilot: Copilot | None = None, *, tls: ssl.SSLContext | None = None) -> Iterator[Copilot]:
    """Run the server in a thread of its own; `tls` makes it one of https."""
    made = copilot or Copilot()
    made.models = json.loads(json.dumps(made.models))  # each server its own copy: a policy changes it
    with scripted_in_thread(made.play, tls=tls) as server:
        made.server = server
        yield made

"""Sign in to servers at an address, and sign their requests. Imports the SDK: import it late.

A sign-in begins only when the person says so. Requests are signed with what it gave; where that is not
enough, the server's refusal is noted and nothing else happens.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncGenerator, Callable, Mapping
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx2
from mcp.client.auth import OAuthClientProvider
from mcp.client.auth.exceptions import OAuthFlowError
from mcp.shared.auth import (
    AuthorizationCodeResult,
    OAuthClientInformationFull,
    OAuthClientMetadata,
    OAuthMetadata,
    OAuthToken,
    ProtectedResourceMetadata,
)

from app.errors import BrambleError
from app.toolbox.mcp.addresses import http_client
from app.toolbox.mcp.faults import sentence
from app.toolbox.mcp.grants import Grant, Grants, now
from app.toolbox.mcp.landing import Landing
from app.toolbox.mcp.reach import Reach

SIGN_IN_SECONDS = 300.0
"""How long a person has for it."""
RENEW_SECONDS = 15.0
"""How long who signs in may say nothing, and a token may take to be made new."""
_PROTOCOL = "2025-06-18"
_HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": _PROTOCOL,
        "capabilities": {},
        "clientInfo": {"name": "bramble", "version": "1"},
    },
}
_FAILURES = (OAuthFlowError, httpx2.HTTPError, httpx2.InvalidURL, OSError, ValueError, ArithmeticError)
"""What comes out of the SDK for answers of a hostile server: texts that are none, numbers beyond any time."""
_TOKEN = re.compile(r"[!-~]+")  # RFC 6750 section 2.1, and what else can stand in a header
_HEADERS = {"Accept": "application/json, text/event-stream", "MCP-Protocol-Version": _PROTOCOL}


class _Kept:
    """The storage of the SDK's provider over one grant; what the provider learned is kept with the tokens."""

    def __init__(
        self, server: str, url: str, grants: Grants, grant: Grant | None, *, file_consent: bool
    ) -> None:
        self._server = server
        self._url = url
        self._grants = grants
        self._file_consent = file_consent
        self.grant = grant
        self.client: OAuthClientInformationFull | None = None
        self.provider: Provider

    async def get_tokens(self) -> OAuthToken | None:
        """See TokenStorage."""
        return OAuthToken.model_validate(self.grant.tokens) if self.grant else None

    async def get_client_info(self) -> OAuthClientInformationFull | None:
        """See TokenStorage."""
        return self.client

    async def set_client_info(self, client_info: OAuthClientInformationFull) -> None:
        """See TokenStorage."""
        self.client = client_info

    async def set_tokens(self, tokens: OAuthToken) -> None:
        """See TokenStorage. Raises StoreError needs_consent."""
        context = self.provider.context
        assert context.client_info is not None
        if not _TOKEN.fullmatch(tokens.access_token):
            raise OAuthFlowError("It gave a token that cannot be sent.")
        self.grant = Grant(
            url=self._url,
            client=_raw(context.client_info) or {},
            tokens=_raw(tokens) or {},
            authority=_raw(context.oauth_metadata),
            resource=_raw(context.protected_resource_metadata),
            expires=now() + tokens.expires_in if tokens.expires_in else 0.0,
        )
        await self._grants.write(self._server, self.grant, file_consent=self._file_consent)


class Provider(OAuthClientProvider):
    """The SDK's provider, which can also make a token new by itself."""

    def recall(self, grant: Grant) -> None:
        """Go on from a sign-in that was kept."""
        context = self.context
        context.client_info = OAuthClientInformationFull.model_validate(grant.client)
        context.current_tokens = OAuthToken.model_validate(grant.tokens)
        context.protocol_version = _PROTOCOL
        if grant.authority:
            context.oauth_metadata = OAuthMetadata.model_validate(grant.authority)
        if grant.resource:
            context.protected_resource_metadata = ProtectedResourceMetadata.model_validate(grant.resource)

    async def renew(self, client: httpx2.AsyncClient) -> tuple[bool, int]:
        """Ask for a new token; return whether one came, and the status of the answer."""
        response = await client.send(await self._refresh_token())
        return await self._handle_refresh_response(response), response.status_code


def _provider(
    url: str, kept: _Kept, landing: Landing | None = None, show: Callable[[str], None] = lambda url: None
) -> Provider:
    async def redirect(address: str) -> None:
        assert landing is not None
        if fault := await Reach(url).fault(address):
            raise OAuthFlowError(fault)
        landing.expect(parse_qs(urlsplit(address).query)["state"][0])
        show(address)

    async def back() -> AuthorizationCodeResult:
        assert landing is not None
        landed = await landing.landed()
        if landed.error or not landed.code:
            raise OAuthFlowError(landed.error or "The browser brought no code.")
        return AuthorizationCodeResult(code=landed.code, state=landed.state, iss=landed.issuer)

    metadata = OAuthClientMetadata.model_validate(
        {
            "client_name": "Bramble",
            "redirect_uris": [landing.url if landing else "http://127.0.0.1/callback"],
            "grant_types": ["authorization_code", "refresh_token"],
            "response_types": ["code"],
            "token_endpoint_auth_method": "none",
        }
    )
    kept.provider = Provider(url, metadata, kept, redirect, back)
    return kept.provider


async def sign_in(
    server: str,
    url: str,
    headers: Mapping[str, str],
    grants: Grants,
    show: Callable[[str], None],
    *,
    file_consent: bool = False,
    seconds: float = SIGN_IN_SECONDS,
) -> None:
    """Let the person sign in to a server: `show` gets the address for their browser. Cancel it to give up.

    Raises BrambleError sign_in_failed and StoreError needs_consent.
    """
    before = await grants.read(server, url, fresh=True)
    await grants.check_place(server, file_consent=file_consent)
    try:
        async with asyncio.timeout(seconds), Landing(_port(before)) as landing:
            kept = _Kept(server, url, grants, None, file_consent=file_consent)
            if before and landing.url in before.client.get("redirect_uris", ()):
                kept.client = OAuthClientInformationFull.model_validate(before.client)
            async with _client(headers, _provider(url, kept, landing, show), url) as client:
                response = await client.post(url, json=_HELLO, headers=_HEADERS)
    except TimeoutError:
        raise _failed(server, f"Nobody signed in within {seconds:g} seconds.") from None
    except _FAILURES as error:
        raise _failed(server, sentence(error)) from error
    if kept.grant is None:
        raise _failed(server, f"It asks for no sign-in (HTTP {response.status_code}).")
    if response.status_code in (401, 403):
        await grants.forget(server)
        raise _failed(server, f"It refused what the sign-in gave (HTTP {response.status_code}).")


def _client(headers: Mapping[str, str], auth: httpx2.Auth | None, url: str) -> httpx2.AsyncClient:
    return http_client(headers, auth, check=Reach(url).check, silence=RENEW_SECONDS)


def _failed(server: str, why: str) -> BrambleError:
    return BrambleError(
        "sign_in_failed", f"The sign-in to {server} did not work: {why}", server=server, why=why
    )


def _port(grant: Grant | None) -> int:
    """Return the port that the server knows from the last sign-in, 0 for none."""
    uris = (grant.client.get("redirect_uris") if grant else None) or [""]
    try:
        return urlsplit(str(uris[0])).port or 0
    except ValueError:
        return 0


def _raw(model: Any) -> dict[str, Any] | None:
    return None if model is None else dict(model.model_dump(mode="json", exclude_none=True, by_alias=True))


class Signing(httpx2.Auth):
    """Signs the requests of one server, and makes its token new when it ends or is refused."""

    def __init__(self, server: str, url: str, grants: Grants) -> None:
        self.refused = False
        self._server = server
        self._url = url
        self._grants = grants

    @property
    def auth(self) -> httpx2.Auth:
        """See opening.SignIn."""
        return self

    async def async_auth_flow(
        self, request: httpx2.Request
    ) -> AsyncGenerator[httpx2.Request, httpx2.Response]:
        """See httpx2.Auth."""
        token = await self._token()
        if token:
            request.headers["Authorization"] = f"Bearer {token}"
        response = yield request
        if response.status_code == 401 and token:
            fresh = await self._token(stale=token)
            if fresh and fresh != token:
                request.headers["Authorization"] = f"Bearer {fresh}"
                response = yield request
        more = "insufficient_scope" in response.headers.get("www-authenticate", "")
        if response.status_code == 401 or (response.status_code == 403 and more):
            self.refused = True

    async def _token(self, stale: str = "") -> str:
        """Return a token that is good as far as we know, "" for none; `stale` was refused."""

        def good(grant: Grant) -> bool:
            return grant.token != stale and not grant.ends_soon(now())

        grant = await self._grants.read(self._server, self._url)
        if grant is None or good(grant):
            return grant.token if grant else ""
        async with self._grants.alone(self._server):
            grant = await self._grants.read(self._server, self._url, fresh=True)
            if grant is None or good(grant):
                return grant.token if grant else ""
            return await self._renewed(grant, stale)

    async def _renewed(self, grant: Grant, stale: str) -> str:
        """Return a new token, "" where only another sign-in helps. Where none can be made, the present one
        may still be good by the clock of the server: ours may have jumped.
        """
        if not grant.tokens.get("refresh_token"):
            return grant.token if grant.token != stale else ""
        kept = _Kept(self._server, self._url, self._grants, grant, file_consent=False)
        provider = _provider(self._url, kept)
        provider.recall(grant)
        try:
            async with asyncio.timeout(RENEW_SECONDS), _client({}, None, self._url) as client:
                came, status = await provider.renew(client)
        except TimeoutError:
            why = f"The server that signs in said nothing within {RENEW_SECONDS:g} seconds."
            raise httpx2.ReadError(why) from None
        except _FAILURES as error:
            raise httpx2.ReadError(sentence(error)) from error
        if not came and status >= 500:
            raise httpx2.ReadError(f"The server that signs in answered with HTTP {status}.")
        return kept.grant.token if came and kept.grant else ""

"""A server over HTTP that wants a sign-in: the SDK's own server with a provider that agrees to everybody.

Run as a program: `python signing_server.py PORT`. A refresh token works once.
"""

from __future__ import annotations

import secrets
import sys
import time
from typing import Any

from mcp.server.auth.provider import (
    AccessToken,
    AuthorizationCode,
    AuthorizationParams,
    OAuthAuthorizationServerProvider,
    RefreshToken,
    TokenError,
    construct_redirect_uri,
)
from mcp.server.auth.settings import AuthSettings, ClientRegistrationOptions
from mcp.server.mcpserver import MCPServer
from mcp.shared.auth import OAuthClientInformationFull, OAuthToken

SECONDS = 3600


class Everybody(OAuthAuthorizationServerProvider[AuthorizationCode, RefreshToken, AccessToken]):
    """Agrees to everybody, and counts."""

    def __init__(self) -> None:
        self.clients: dict[str, OAuthClientInformationFull] = {}
        self.codes: dict[str, AuthorizationCode] = {}
        self.refreshers: dict[str, RefreshToken] = {}
        self.tokens: dict[str, AccessToken] = {}
        self.renewals = 0
        self.wrong = 0

    async def get_client(self, client_id: str) -> OAuthClientInformationFull | None:
        return self.clients.get(client_id)

    async def register_client(self, client_info: OAuthClientInformationFull) -> None:
        self.clients[client_info.client_id] = client_info

    async def authorize(self, client: OAuthClientInformationFull, params: AuthorizationParams) -> str:
        code = AuthorizationCode(
            code=secrets.token_urlsafe(32),
            scopes=params.scopes or [],
            expires_at=time.time() + 60,
            client_id=client.client_id,
            code_challenge=params.code_challenge,
            redirect_uri=params.redirect_uri,
            redirect_uri_provided_explicitly=params.redirect_uri_provided_explicitly,
            resource=params.resource,
        )
        self.codes[code.code] = code
        return construct_redirect_uri(str(params.redirect_uri), code=code.code, state=params.state)

    async def load_authorization_code(self, client: Any, authorization_code: str) -> AuthorizationCode | None:
        return self.codes.get(authorization_code)

    async def exchange_authorization_code(
        self, client: Any, authorization_code: AuthorizationCode
    ) -> OAuthToken:
        del self.codes[authorization_code.code]
        return self._made(client.client_id, authorization_code.scopes, authorization_code.resource)

    async def load_refresh_token(self, client: Any, refresh_token: str) -> RefreshToken | None:
        found = self.refreshers.get(refresh_token)
        self.wrong += found is None
        return found

    async def exchange_refresh_token(
        self, client: Any, refresh_token: RefreshToken, scopes: list[str]
    ) -> OAuthToken:
        if self.refreshers.pop(refresh_token.token, None) is None:
            raise TokenError("invalid_grant")
        self.renewals += 1
        return self._made(client.client_id, scopes, refresh_token.resource)

    async def load_access_token(self, token: str) -> AccessToken | None:
        found = self.tokens.get(token)
        return found if found and (found.expires_at or 0) > time.time() else None

    async def revoke_token(self, token: Any) -> None:
        self.tokens.pop(token.token, None)
        self.refreshers.pop(token.token, None)

    def _made(self, client: str, scopes: list[str], resource: str | None) -> OAuthToken:
        token, refresher = secrets.token_urlsafe(32), secrets.token_urlsafe(32)
        self.tokens[token] = AccessToken(
            token=token,
            client_id=client,
            scopes=scopes,
            expires_at=int(time.time() + SECONDS),
            resource=resource,
        )
        self.refreshers[refresher] = RefreshToken(
            token=refresher, client_id=client, scopes=scopes, resource=resource
        )
        return OAuthToken(
            access_token=token,
            expires_in=SECONDS,
            scope=" ".join(scopes) or None,
            refresh_token=refresher,
        )


def main(port: int) -> None:
    """Serve until killed."""
    everybody, root = Everybody(), f"http://127.0.0.1:{port}"
    server = MCPServer(
        "signing",
        auth_server_provider=everybody,
        auth=AuthSettings(
            issuer_url=root,  # type: ignore[arg-type]
            resource_server_url=f"{root}/mcp",  # type: ignore[arg-type]
            client_registration_options=ClientRegistrationOptions(
                enabled=True, valid_scopes=["use"], default_scopes=["use"]
            ),
            required_scopes=["use"],
            validate_token_resource=True,
        ),
    )

    @server.tool()
    def counts() -> str:
        """Return how often a token was made new, or a used one tried, and how many clients came."""
        return f"{everybody.renewals} renewals, {everybody.wrong} wrong, {len(everybody.clients)} clients"

    @server.tool()
    def forget() -> str:
        """Forget all sign-ins."""
        everybody.tokens.clear()
        everybody.refreshers.clear()
        return "forgotten"

    server.run("streamable-http", host="127.0.0.1", port=port)


if __name__ == "__main__":
    main(int(sys.argv[1]))

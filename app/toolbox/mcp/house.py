"""What all connections of a process share: where programs are, what ends them with us, and the keys."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from app.platform.paths import Home
from app.platform.spawning import environment, find_bash
from app.platform.warden import Warden
from app.store.secrets import Secrets
from app.toolbox.mcp.faults import Failed
from app.toolbox.mcp.grants import Grants
from app.toolbox.mcp.opening import SignIn
from app.toolbox.mcp.places import servers_folder
from app.toolbox.mcp.programs import Programs
from app.toolbox.mcp.spec import ServerSpec, secret_name


class House:
    """See opening.Means."""

    def __init__(self, home: Home, environ: Mapping[str, str], secrets: Secrets) -> None:
        self.programs = Programs(environ)
        self.folder: Path = servers_folder(home) / "work"
        self.grants = Grants(secrets, home.runtime)
        self._secrets = secrets
        bash = find_bash()
        self.warden = Warden(bash, environment(environ)) if bash else None

    async def secrets(self, server: str, names: tuple[str, ...]) -> dict[str, str]:
        """See Means. Raises Failed where one is missing."""
        found: dict[str, str] = {}
        for name in names:
            secret = await self._secrets.get(secret_name(server, name))
            if secret is None:
                raise Failed(f"The keys hold no value for {name}.")
            found[name] = secret[0]
        return found

    async def keep(self, server: str, values: Mapping[str, str], *, file_consent: bool = False) -> None:
        """Keep secret values of a server. Raises StoreError needs_consent."""
        for name, value in values.items():
            await self._secrets.set(secret_name(server, name), value, file_consent=file_consent)

    async def forget(self, spec: ServerSpec) -> None:
        """Forget the secrets and the sign-in of a server. Raises StoreError needs_consent."""
        for name in (*spec.secrets, *spec.headers):
            await self._secrets.forget(secret_name(spec.id, name))
        if spec.url or spec.fault:
            await self.grants.forget(spec.id)

    def sign_in(self, spec: ServerSpec) -> SignIn:
        """See Means."""
        from app.toolbox.mcp.oauth import Signing

        return Signing(spec.id, spec.url, self.grants)

    def forget_known(self) -> None:
        """Ask for keys again at the next need."""
        self._secrets.forget_known()

    def close(self) -> None:
        """End the warden, and with it what is left of servers."""
        if self.warden is not None:
            self.warden.close()

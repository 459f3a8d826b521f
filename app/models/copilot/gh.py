"""The sign-in of GitHub's own program `gh`, taken over when the person asks for it."""

from __future__ import annotations

import asyncio
import os
import shutil
from collections.abc import Mapping

from app.errors import ModelError
from app.platform.children import end_group, start_child

SECONDS = 15.0
_LARGEST = 4096
_OWN = ("GH_TOKEN", "GITHUB_TOKEN", "GH_ENTERPRISE_TOKEN", "GITHUB_ENTERPRISE_TOKEN")
"""With these set gh would give back the environment's token, not its own."""


def program(environ: Mapping[str, str]) -> str:
    """Return the path of gh, "" where there is none."""
    return shutil.which("gh", path=environ.get("PATH", os.defpath)) or ""


async def token_of_gh(environ: Mapping[str, str], host: str) -> str:
    """Return the token of gh for a host. Raises ModelError no_gh, with gh's own words."""
    path = program(environ)
    if not path:
        raise ModelError("no_gh", "gh is not here.")
    child = await start_child(
        path,
        "auth",
        "token",
        "--hostname",
        host,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env={name: value for name, value in environ.items() if name not in _OWN},
    )
    try:
        async with asyncio.timeout(SECONDS):
            said, complaint = await child.communicate()
    except TimeoutError as error:
        raise ModelError("no_gh", "gh gave no answer in time.") from error
    finally:
        if child.returncode is None:
            await asyncio.shield(end_group(child))
    token = said[:_LARGEST].decode("utf-8", "replace").strip()
    if child.returncode or not token or not token.isascii() or not token.isprintable() or " " in token:
        detail = complaint[:400].decode("utf-8", "replace").strip()
        raise ModelError("no_gh", "gh is not signed in.", detail=detail)
    return token

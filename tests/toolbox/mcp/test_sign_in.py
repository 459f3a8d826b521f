"""Signing in to a real server over HTTP: only when the person says so, kept, made new once, forgotten."""

from __future__ import annotations

import asyncio
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from app.events import SignInAsked
from app.toolbox.mcp import oauth
from app.toolbox.mcp.landing import Landing
from app.toolbox.mcp.spec import ServerSpec
from tests.toolbox.mcp.engine_desk import Desk, code_of, opened
from tests.toolbox.mcp.server_desk import until

PROGRAM = Path(__file__).with_name("signing_server.py")


@contextmanager
def signing_server() -> Iterator[str]:
    """Run the server; yield its address."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    root = f"http://127.0.0.1:{port}"
    command = [sys.executable, "-I", str(PROGRAM), str(port)]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        end = time.monotonic() + 20
        while True:
            try:
                urllib.request.urlopen(f"{root}/.well-known/oauth-authorization-server", timeout=5).close()
                break
            except urllib.error.URLError:
                assert time.monotonic() < end and process.poll() is None, "it did not start"
                time.sleep(0.05)
        yield f"{root}/mcp"
    finally:
        process.kill()
        process.wait()


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with signing_server() as url:
        yield url


async def browse(desk: Desk) -> None:
    """Do what a browser does with the address that the person is shown."""
    asked: list[str] = []
    await until(lambda: asked.extend(one.url for one in desk.events if isinstance(one, SignInAsked)) or asked)
    async with httpx.AsyncClient(follow_redirects=True, trust_env=False) as browser:
        page = await browser.get(asked[-1])
    assert page.status_code == 200 and "Done." in page.text
    desk.events.clear()


async def signed_in(desk: Desk, **options: Any) -> Any:
    """Sign in as a person would."""
    signing = asyncio.create_task(desk.mcp.sign_in("web", file_consent=True, **options))
    await browse(desk)
    return await asyncio.wait_for(signing, 20)


async def test_nothing_signs_in_by_itself_and_a_sign_in_is_kept(address: str, tmp_path: Path) -> None:
    async with opened(tmp_path) as desk:
        info = await desk.mcp.add(ServerSpec(id="web", url=address), approved=True)
        assert (info.state, info.signed_in) == ("sign_in", False)
        assert "sign in" in info.reason
        await desk.mcp.list()
        await desk.mcp.test("web")
        assert not [event for event in desk.events if isinstance(event, SignInAsked)]
        assert "clients" not in (await desk.call("web__counts", yes=True))[1]
        info = await signed_in(desk)
        assert (info.state, info.signed_in) == ("ready", True), info.reason
        assert "renewals" in (await desk.call("web__counts", yes=True))[1]
        assert "access_token" not in desk.file.path.read_text()
    async with opened(tmp_path) as later:
        assert (await later.mcp.test("web")).state == "ready"
        info = await later.mcp.sign_out("web")
        assert (info.state, info.signed_in) == ("sign_in", False)
        assert not list(later.engine.home.keys.iterdir())


async def test_without_a_place_for_it_no_sign_in_begins(address: str, tmp_path: Path) -> None:
    async with opened(tmp_path) as desk:
        await desk.mcp.add(ServerSpec(id="web", url=address), approved=True)
        assert await code_of(desk.mcp.sign_in("web")) == "needs_consent"
        assert not [event for event in desk.events if isinstance(event, SignInAsked)]


async def test_it_can_be_cancelled_and_ends_in_time(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(tmp_path) as desk:
        await desk.mcp.add(ServerSpec(id="web", url=address), approved=True)
        signing = asyncio.create_task(desk.mcp.sign_in("web", file_consent=True))
        await until(lambda: any(isinstance(event, SignInAsked) for event in desk.events))
        signing.cancel()
        with pytest.raises(asyncio.CancelledError):
            await signing
        monkeypatch.setitem(oauth.sign_in.__kwdefaults__, "seconds", 0.4)
        assert await code_of(desk.mcp.sign_in("web", file_consent=True)) == "sign_in_failed"
        assert (await desk.mcp.info("web")).state == "sign_in"


async def test_a_server_that_asks_for_none_says_so(tmp_path: Path) -> None:
    async with opened(tmp_path) as desk:
        await desk.mcp.add(ServerSpec(id="web", url="http://127.0.0.1:9/mcp"), approved=True)
        assert await code_of(desk.mcp.sign_in("web", file_consent=True)) == "sign_in_failed"


async def test_a_token_is_made_new_once_by_all_processes_together(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with signing_server() as url:
        async with opened(tmp_path) as first, opened(tmp_path) as second:
            await first.mcp.add(ServerSpec(id="web", url=url), approved=True)
            info = await signed_in(first)
            assert info.state == "ready", info.reason
            assert (await second.mcp.test("web")).state == "ready"
            monkeypatch.setattr(oauth, "now", lambda: time.time() + 4_000)
            calls = [desk.call("web__counts", yes=True) for desk in (first, second, first, second)]
            texts = [text for _ok, text, _decision in await asyncio.gather(*calls)]
            assert all("1 renewals, 0 wrong" in text for text in texts), texts


async def test_what_the_server_forgot_asks_for_another_sign_in(tmp_path: Path) -> None:
    with signing_server() as url:
        async with opened(tmp_path) as desk:
            await desk.mcp.add(ServerSpec(id="web", url=url), approved=True)
            await signed_in(desk)
            assert (await desk.call("web__forget", yes=True))[0]
            ok, text, _decision = await desk.call("web__counts", yes=True)
            assert not ok and "sign in" in text
            assert (await desk.mcp.info("web")).state == "sign_in"
            info = await signed_in(desk)
            assert info.state == "ready"
            assert "1 clients" in (await desk.call("web__counts", yes=True))[1]  # the same registration


async def test_the_page_takes_no_strangers() -> None:
    async with Landing() as landing, httpx.AsyncClient(trust_env=False) as browser:
        assert landing.url.startswith("http://127.0.0.1:")
        assert (await browser.get(f"{landing.url}?code=x&state=")).status_code == 400
        landing.expect("right")
        assert (await browser.get(f"{landing.url}?code=x&state=wrong")).status_code == 400
        assert (await browser.get(landing.url.replace("callback", "other"))).status_code == 404
        assert (await browser.post(f"{landing.url}?code=x&state=right")).status_code == 404
        denied = await browser.get(f"{landing.url}?error=access_denied&state=right")
        assert (
            "did not work" in denied.text
            and "default-src 'none'" in denied.headers["content-security-policy"]
        )
        assert (await landing.landed()).error == "access_denied"

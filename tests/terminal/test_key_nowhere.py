"""A key stays where it is kept: after a real conversation with tools and every kind of error that gives the
key back, a crash, exports, backups and `doctor`, no file of the home holds it, and nothing that was printed.
"""

from __future__ import annotations

import base64
import json
import subprocess
import sys
from pathlib import Path
from urllib.parse import quote

import pytest

from tests.servers.scripted import Exchange, Script, fails, scripted_in_thread
from tests.terminal.conftest import Bramble
from tests.terminal.nowhere import assert_nowhere, holds
from tests.wires.failing import WIRES, answer, begun, broken_event, calling, cuts, error_body, whole

KEY = "kk+te/st=0123456789.abcdefXYZ"
OTHER = "other/ke+y=of.the.environment-42"
CRASH = f"""
import sys; sys.path.insert(0, {str(Path(__file__).parents[2])!r})
import asyncio, os
from app import logs
from app.engine import Engine
from app.platform.paths import home

logs.install(home(os.environ).logs, os.environ)

async def main():
    engine = Engine(home(os.environ), os.environ)
    await engine.open()
    profile, _ = await engine.models.resolve("mine/m")
    key = (await engine.models._keys.found(profile))[0]
    await engine.close()
    assert key == sys.argv[1]
    raise RuntimeError("headers: " + key + " of " + os.environ["OPENAI_API_KEY"])

asyncio.run(main())
"""


def echoes(wire: str) -> list[Script]:
    """What gives the key back: refusals, pages, an error within an answer, and one that then breaks off."""
    coded = base64.b64encode(b":" + KEY.encode()).decode()
    echo = f"bad key {KEY}, {quote(KEY)}, {quote(KEY, safe='')}, {coded}"
    page = f"<html><title>{echo}</title>{echo}</html>".encode()
    return [
        fails(401, error_body(wire, echo, "invalid_api_key")),
        fails(403, error_body(wire, echo)),
        fails(402, error_body(wire, echo)),
        fails(404, page, kind="text/html"),
        fails(429, echo.encode(), kind="text/plain"),
        fails(500, error_body(wire, echo), {"x-key": KEY}),
        fails(200, page, kind="text/html"),
        fails(302, b"", {"location": f"http://127.0.0.1:9/{quote(KEY)}"}),
        whole(broken_event(wire, error_body(wire, echo))),
        cuts(begun(wire, "So far") + b"data: {" + echo.encode() + b"\n\n"),
    ]


@pytest.mark.parametrize("wire", WIRES)
def test_a_key_is_nowhere_but_where_it_is_kept(
    bramble: Bramble, environment: dict[str, str], home: Path, work: Path, wire: str
) -> None:
    said: list[str] = []

    def run(*words: str, stdin: str = "") -> str:
        ran = bramble(*words, stdin=stdin, env=env)
        said.append(ran.out + ran.err)
        return ran.out

    scripts = [
        calling(wire, ("run_command", {"command": "env | sort"}), ("list_dir", {"path": "."})),
        answer(wire, "Looked."),
        *echoes(wire),
        answer(wire, "All well."),
    ]
    left = list(scripts)

    async def script(exchange: Exchange) -> None:
        if exchange.request.method == "GET":
            await fails(401, error_body(wire, f"bad key {KEY}"))(exchange)
        else:
            await left.pop(0)(exchange)

    with scripted_in_thread(script) as server:
        table = f'base_url = "{server.url}"\nwire = "{wire}"\nrate_retries = 0\nretries = 0\n'
        home.mkdir(parents=True, exist_ok=True)
        settings = f'model = "mine/m"\nkeys_in_file = true\n[profiles.mine]\n{table}'
        (home / "settings.toml").write_text(settings)
        env = {"BRAMBLE_BASE_URL": "", "BRAMBLE_MODEL": "", "BRAMBLE_API_KEY": "", "OPENAI_API_KEY": OTHER}
        run("login", "mine", "--key", "-", stdin=KEY)
        first = json.loads(run("ask", "--json", "--yes", "Look around"))
        assert [tool["ok"] for tool in first["tools"]] == [True, True] and first["text"].endswith("Looked.")
        for _ in echoes(wire):
            told = json.loads(run("ask", "--json", "--session", first["session"], "Go on"))
            assert told["stop"] in ("failed", "cut"), told
        last = json.loads(run("ask", "--json", "--session", first["session"], "Go on"))
        assert last["text"] == "All well." and not left
        sent = [one for one in server.requests if one.method == "POST"]
        name, value = ("x-api-key", KEY) if wire == "messages" else ("authorization", f"Bearer {KEY}")
        assert {one.headers[name] for one in sent} == {value}
        assert not any(holds(one.body, KEY, OTHER) for one in sent)
        run("models", "list")
        run("doctor", "--json")
    for form in ("md", "html", "json"):
        (home / f"out.{form}").write_text(run("sessions", "export", first["session"], "--format", form))
    run("context", "--session", first["session"], "--json")
    run("backup", str(home / "copy"))
    crashed = subprocess.run(
        [sys.executable, "-P", "-c", CRASH, KEY], env=environment | env, cwd=work, capture_output=True,
        timeout=60,
    )  # fmt: skip
    assert crashed.returncode == 1
    assert "headers: [key] of [key]" in (home / "data" / "logs" / "bramble.log").read_text()
    assert all((home / name).exists() for name in ("out.md", "out.html", "out.json", "copy"))
    assert_nowhere(home, KEY, but="mine")
    assert_nowhere(home, OTHER)
    assert not any(holds(text.encode(), KEY, OTHER) for text in said)
    assert (home / "data" / "keys" / "mine").read_text() == KEY

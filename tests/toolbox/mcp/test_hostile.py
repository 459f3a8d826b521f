"""Servers that answer with what is no answer, ask for what is not theirs, or list more than fits: each costs
one call or itself, and says so.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from app.errors import ToolError
from app.platform.warden import Warden
from app.toolbox.amounts import has_too_many
from app.toolbox.mcp import child, connection, links, opening
from app.toolbox.mcp.connection import Connection
from app.toolbox.mcp.results import result_of
from app.toolbox.mcp.sifting import mended, refused, sifted
from app.toolbox.mcp.spec import ServerSpec
from tests.toolbox.mcp.engine_desk import opened
from tests.toolbox.mcp.server_desk import DeskMeans, connected, scripted, text_of, until

ROOT = Path(__file__).parents[3]

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the scripted servers are for POSIX")


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(child, "GRACE_SECONDS", 0.2)


@pytest.fixture
def means(tmp_path: Path) -> DeskMeans:
    return DeskMeans(tmp_path)


async def failed(server: Connection, tool: str, **arguments: str) -> str:
    with pytest.raises(ToolError) as caught:
        await server.call(tool, arguments)
    return str(caught.value)


async def test_what_a_server_asks_for_is_declined_by_the_protocol(means: DeskMeans, tmp_path: Path) -> None:
    async with connected(scripted(), means) as server:
        answers = json.loads(text_of(await server.call("asks", {})))
    assert [answer["id"] for answer in answers] == [f"ask-{number}" for number in range(5)]
    codes = [answer.get("error", {}).get("code") for answer in answers]
    assert codes == [-32600, -32600, -32600, -32601, None]
    assert str(tmp_path) not in json.dumps(answers) and str(Path.home()) not in json.dumps(answers)


async def test_one_that_reads_nothing_any_more_is_started_anew(
    means: DeskMeans, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(links, "DEAF_SECONDS", 0.2)
    async with connected(scripted(seconds=3_600.0), means) as server:
        await server.call("deaf", {})
        assert "It read nothing for 0.2 seconds" in await failed(server, "echo", text="x" * 1_000_000)
        assert "pong" in text_of(await server.call("ping", {}))


async def test_one_that_asks_instead_of_answering_fails_its_call(means: DeskMeans) -> None:
    asking = ServerSpec(
        id="s", command=(sys.executable, "-I", str(Path(__file__).with_name("asking_server.py")))
    )
    async with connected(asking, means) as server:
        assert "not supported" in await failed(server, "asks")
        assert "again and again instead of answering" in await failed(server, "again")
        assert server.state == "ready" and text_of(await server.call("ping", {})) == "pong"


async def test_news_without_end_are_read_more_and_more_seldom(
    means: DeskMeans, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Some servers tell at each reading of their tools that these have changed."""
    monkeypatch.setattr(connection, "NEWS_SECONDS", 0.05)
    read: list[float] = []
    listing = Connection._list

    async def noted(self: Connection, client: Any) -> None:
        read.append(asyncio.get_running_loop().time())
        await listing(self, client)

    monkeypatch.setattr(Connection, "_list", noted)
    async with connected(scripted("restless"), means) as server:
        await until(lambda: len(read) >= 6)
        assert server.state == "ready"
    pauses = [after - before for before, after in itertools.pairwise(read[1:])]
    assert all(pause >= 0.09 * 2**number for number, pause in enumerate(pauses)), pauses


async def test_an_answer_that_nothing_can_read_fails_at_once(means: DeskMeans) -> None:
    async with connected(scripted(seconds=3_600.0), means) as server:
        async with asyncio.timeout(20):
            assert "does not follow the protocol" in await failed(server, "deep")
        odd = result_of(await server.call("odd", {}))
        assert json.loads(odd.text) == {"a": None, "b": float("inf"), "c": "half ?"}
        assert "pong" in text_of(await server.call("ping", {}))


async def test_the_usual_code_of_an_error_does_not_end_a_server(means: DeskMeans) -> None:
    async with connected(scripted(), means) as server:
        first = text_of(await server.call("ping", {}))
        assert await failed(server, "error") == "The server s failed: its own words."
        assert server.state == "ready" and text_of(await server.call("ping", {})) == first


async def test_of_an_answer_in_many_parts_what_anybody_reads_is_taken(means: DeskMeans) -> None:
    async with connected(scripted(), means) as server:
        parts = result_of(await server.call("parts", {}))
        assert parts.text.count("part\n") == 1_000
        assert parts.text.endswith("[49,000 more parts are left out]")
        values = result_of(await server.call("values", {"text": "50000"}))
        assert values.text.count("[]") == 50_000 and "\n" not in values.text


async def test_millions_of_values_are_not_read(means: DeskMeans) -> None:
    """They would take gigabytes, and nothing else would go on for seconds."""
    async with connected(scripted(), means) as server:
        assert "more than 200,000 values" in await failed(server, "values", text="4000000")
        assert "pong" in text_of(await server.call("ping", {}))


@pytest.mark.parametrize(
    ("text", "many"),
    [
        (b"[" + b"[]," * 200_000 + b"0]", True),
        (b"[" + b'"a",' * 100_000 + b'"b"]', False),
        (b'{"csv": "' + b"a,b," * 2_000_000 + b'"}', False),
        (b'{"text": "' + b'\\"[,{' * 1_000_000 + b'"}', False),
        (b'{"text": "\\\\", "list": [' + b"1," * 250_000 + b"1]}", True),
        (b'{"text": "' + b"x" * 300_000 + b'", "list": [' + b"1," * 250_000 + b"1]}", True),
    ],
)
def test_only_values_count_and_no_text(text: bytes, many: bool) -> None:
    json.loads(text)
    assert has_too_many(text) is many


async def test_a_list_without_end_is_no_list(means: DeskMeans, monkeypatch: pytest.MonkeyPatch) -> None:
    async with connected(scripted("endless"), means, pauses=()) as server:
        assert (server.state, server.reason) == ("failed", "Its list of tools is longer than 16 MB.")
    monkeypatch.setattr(opening, "LIST_BYTES", 1 << 40)
    monkeypatch.setattr(opening, "TOOLS_CAP", 15)
    async with connected(scripted("endless"), means, pauses=()) as server:
        assert server.state == "ready" and len(server.definitions) == 20


async def test_no_list_of_a_server_makes_the_file_of_servers_unreadable(tmp_path: Path) -> None:
    async with opened(tmp_path) as desk:
        info = await desk.mcp.add(scripted("long"), approved=True)
        assert [tool.tool for tool in info.tools] == ["ping"]
        (info,) = await desk.mcp.list()
        assert info.state == "ready" and desk.file.path.stat().st_size < 10_000


async def begun(place: Path) -> int:
    """Return the process that wrote its number there."""
    await until(lambda: place.exists() and place.read_text().endswith("\n"))
    return int(place.read_text())


def lives(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except FileNotFoundError:
        return False


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere nobody is branded")
async def test_what_left_its_group_session_and_environment_ends_with_its_server(
    means: DeskMeans, tmp_path: Path
) -> None:
    async with connected(scripted(f"daemon={tmp_path / 'pid'}"), means) as server:
        daemon = await begun(tmp_path / "pid")
        assert lives(daemon) and marked_by(daemon) == b""
        (tmp_path / "pid").unlink()
        await server.again()
        assert not lives(daemon)
        daemon = await begun(tmp_path / "pid")
        assert lives(daemon)
    assert not lives(daemon)


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere nobody is branded")
async def test_it_ends_with_a_killed_app_too(tmp_path: Path) -> None:
    script = (
        "import asyncio, sys; sys.path.insert(0, sys.argv[1])\n"
        "from pathlib import Path\n"
        "from tests.toolbox.mcp.server_desk import DeskMeans, connected, scripted\n"
        "async def main():\n"
        "    async with connected(scripted('daemon=' + sys.argv[3]), DeskMeans(Path(sys.argv[2]))):\n"
        "        print('ready', flush=True)\n"
        "        await asyncio.sleep(600)\n"
        "asyncio.run(main())\n"
    )
    words = [sys.executable, "-P", "-c", script, str(ROOT), str(tmp_path), str(tmp_path / "pid")]
    with subprocess.Popen(words, stdout=subprocess.PIPE) as app:
        assert app.stdout is not None and await asyncio.to_thread(app.stdout.readline) == b"ready\n"
        daemon = await begun(tmp_path / "pid")
        app.kill()
    await until(lambda: not lives(daemon))


async def test_an_app_that_is_killed_before_it_watches_a_server_has_begun_none(tmp_path: Path) -> None:
    script = (
        "import asyncio, os, sys; sys.path.insert(0, sys.argv[1])\n"
        "from pathlib import Path\n"
        "from app.platform.warden import Warden\n"
        "from tests.toolbox.mcp.server_desk import DeskMeans, connected, scripted\n"
        "def watch(self, group, mark):\n"
        "    print(group, flush=True)\n"
        "    os.kill(os.getpid(), 9)\n"
        "Warden.watch = watch\n"
        "async def main():\n"
        "    server = scripted('stubborn', 'daemon=' + sys.argv[3])\n"
        "    async with connected(server, DeskMeans(Path(sys.argv[2]))):\n"
        "        pass\n"
        "asyncio.run(main())\n"
    )
    words = [sys.executable, "-P", "-c", script, str(ROOT), str(tmp_path), str(tmp_path / "pid")]
    app = await asyncio.to_thread(subprocess.run, words, capture_output=True)
    assert app.returncode == -9, app.stderr
    await until(lambda: not lives(int(app.stdout)))
    assert not (tmp_path / "pid").exists()


async def test_a_server_that_nobody_can_watch_is_not_begun(
    means: DeskMeans, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    watched: list[int] = []

    def watch(self: Warden, group: int, mark: str) -> None:
        watched.append(group)
        raise OSError("no process can be started")

    monkeypatch.setattr(Warden, "watch", watch)
    async with connected(scripted(f"daemon={tmp_path / 'pid'}"), means, pauses=()) as server:
        assert server.state == "failed" and "no process can be started" in server.reason
    assert watched and not any(map(lives, watched)) and not (tmp_path / "pid").exists()


def marked_by(process: int) -> bytes:
    """Return the environment of a process."""
    return Path(f"/proc/{process}/environ").read_bytes()


@pytest.mark.parametrize(
    ("line", "id"),
    [
        (b'{"jsonrpc": "2.0", "id": 7, "result": ' + b"[" * 5_000, 7),
        (b'{"jsonrpc": "2.0", "result": {"a": "' + b"x" * 20_000 + b'}, "id": "k-7"}', "k-7"),
        (b'{"jsonrpc": "2.0", "id": 7, "method": "x", "params": {"result": ' + b"[" * 5_000, None),
        (b'{"level": "info", "id": 7}', None),
        (b'{"id": 1e9, "result": }', None),
        (b'{"id": "\xff\\u12", "error": }', None),
    ],
)
def test_only_what_looks_like_an_answer_is_refused_under_its_id(line: bytes, id: object) -> None:
    made = refused(line, mended(line))
    assert (made and made["id"]) == id


def test_few_parts_stay_as_they_are() -> None:
    result = {"content": [{"type": "text", "text": "a"}]}
    assert sifted(result) == result

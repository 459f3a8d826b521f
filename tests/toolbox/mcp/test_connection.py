"""One server's life, with real processes: it crashes, hangs, floods, changes, and the app goes on."""

from __future__ import annotations

import asyncio
import os
import re
import sys
import time
from pathlib import Path

import pytest

from app.errors import ToolError
from app.toolbox.mcp import child
from app.toolbox.mcp.child import STDERR_BYTES
from app.toolbox.mcp.connection import Connection
from app.toolbox.mcp.results import result_of
from tests.toolbox.mcp.server_desk import DeskMeans, connected, left_behind, scripted, text_of, until

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the scripted servers are for POSIX")


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(child, "GRACE_SECONDS", 0.2)


@pytest.fixture
def means(tmp_path: Path) -> DeskMeans:
    return DeskMeans(tmp_path, TOKEN="secret")


async def failed_call(connection: Connection, tool: str, **arguments: object) -> str:
    with pytest.raises(ToolError) as caught:
        await connection.call(tool, dict(arguments))
    assert caught.value.code == "server_failed"
    return str(caught.value)


async def test_it_connects_behind_log_lines_and_answers(means: DeskMeans) -> None:
    async with connected(scripted(secrets=("TOKEN",)), means) as server:
        assert (server.state, server.reason, server.title) == ("ready", "", "scripted 1.0")
        assert {one.tool for one in server.definitions} >= {"ping", "echo"}
        assert text_of(await server.call("echo", {"text": "hello"})) == "echo: hello secret"


async def test_c34_it_comes_back_after_it_left(means: DeskMeans) -> None:
    async with connected(scripted(), means) as server:
        first = text_of(await server.call("ping", {}))
        words = await failed_call(server, "exit")
        assert "It ended during the call" in words and "It ended by itself." in words
        second = text_of(await server.call("ping", {}))
        third = text_of(await server.call("ping", {}))
        assert second == third != first
        assert {one.tool for one in server.definitions} >= {"ping", "echo"}


async def test_it_is_started_again_without_a_call_until_it_fails_too_often(means: DeskMeans) -> None:
    async with connected(scripted(), means) as server:
        for _time in range(2):
            await failed_call(server, "exit", code=3)
            await until(lambda: server.state == "ready")
        await failed_call(server, "exit", code=3)
        await until(lambda: server.state == "failed")
        await asyncio.sleep(0.2)
        assert server.state == "failed" and "exit code 3" in server.reason
        assert "pong" in text_of(await server.call("ping", {}))


async def test_a_call_that_hangs_is_given_up_and_the_next_one_works(means: DeskMeans) -> None:
    async with connected(scripted(seconds=0.4), means) as server:
        began = time.monotonic()
        assert "no answer within 0.4 seconds" in await failed_call(server, "hang")
        assert time.monotonic() - began < 3
        await server.again()
        assert "pong" in text_of(await server.call("ping", {}))


async def test_a_call_can_be_cancelled(means: DeskMeans, tmp_path: Path) -> None:
    async with connected(scripted(), means) as server:
        begun = tmp_path / "begun"
        call = asyncio.create_task(server.call("hang", {"text": str(begun)}))
        await until(begun.exists)
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        assert server.state == "ready"


@pytest.mark.parametrize(
    ("word", "expected"),
    [("mute", "not ready within 0.6 seconds"), ("password", ""), ("dies", "it wants the variable TOKEN")],
)
async def test_a_handshake_that_never_ends_fails_in_time(means: DeskMeans, word: str, expected: str) -> None:
    began = time.monotonic()
    async with connected(scripted(word, start_seconds=0.6), means) as server:
        assert server.state == "failed" and expected in server.reason
        assert time.monotonic() - began < 6
        assert expected in await failed_call(server, "ping")


async def test_a_server_that_ends_at_the_new_question_is_asked_the_old_one(means: DeskMeans) -> None:
    async with connected(scripted("fragile"), means) as server:
        assert server.state == "ready"


async def test_a_flood_on_stdout_hurts_nobody(means: DeskMeans) -> None:
    worst, running = 0.0, True

    async def beat() -> None:
        nonlocal worst
        while running:
            began = time.monotonic()
            await asyncio.sleep(0.01)
            worst = max(worst, time.monotonic() - began)

    beating = asyncio.create_task(beat())
    async with connected(scripted("floods", start_seconds=5), means) as server:
        assert server.state == "failed" and "megabytes" in server.reason
    running = False
    await beating
    assert worst < 1


async def test_a_flood_of_messages_is_taken_slowly(means: DeskMeans) -> None:
    async with connected(scripted(), means) as server:
        call = asyncio.create_task(server.call("spam", {}))
        worst = 0.0
        while not call.done():
            began = time.monotonic()
            await asyncio.sleep(0.01)
            worst = max(worst, time.monotonic() - began)
        assert text_of(await call) == "spammed" and worst < 1


async def test_a_flood_of_progress_reaches_nobody(means: DeskMeans) -> None:
    shown: list[str] = []
    async with connected(scripted(), means) as server:
        assert text_of(await server.call("hurry", {}, shown.append)) == "hurried"
    assert 1 <= len(shown) < 60 and max(map(len, shown)) == 200


async def test_a_huge_message_ends_the_server_and_not_the_app(means: DeskMeans) -> None:
    async with connected(scripted(), means) as server:
        assert "more than 16 MB" in await failed_call(server, "huge")
        assert "pong" in text_of(await server.call("ping", {}))


async def test_an_answer_against_the_protocol_fails_one_call(means: DeskMeans) -> None:
    async with connected(scripted(), means) as server:
        assert "does not follow the protocol" in await failed_call(server, "bad")
        assert server.state == "ready"


async def test_its_own_promises_are_not_checked(means: DeskMeans) -> None:
    async with connected(scripted(), means) as server:
        began = time.monotonic()
        result = result_of(await server.call("structured", {}))
        assert '"a": "aaa' in result.text and result.ok
        assert time.monotonic() - began < 2


async def test_images_and_errors(means: DeskMeans) -> None:
    async with connected(scripted(), means) as server:
        image = result_of(await server.call("image", {}))
        assert image.images[0].startswith(b"\x89PNG") and image.text == "An image."
        error = result_of(await server.call("fail", {}))
        assert (error.ok, error.text) == (False, "it is broken")


async def test_changed_tools_are_read_again(means: DeskMeans) -> None:
    async with connected(scripted(), means) as server:
        before = {one.tool: one.digest for one in server.definitions}
        await server.call("change", {})
        await until(lambda: any(one.tool == "new" for one in server.definitions))
        after = {one.tool: one.digest for one in server.definitions}
        assert after["echo"] != before["echo"] and after["ping"] == before["ping"]


async def test_five_hundred_tools_come_page_by_page(means: DeskMeans) -> None:
    async with connected(scripted("many"), means) as server:
        assert len(server.definitions) == 500


async def test_one_bad_tool_spoils_no_other(means: DeskMeans) -> None:
    async with connected(scripted("odd"), means) as server:
        found = {one.tool: one for one in server.definitions}
        assert set(found) >= {"a.b", "a b", "a_b", "", "x" * 90, "no_schema", "list_schema", "round", "half"}
        assert found["list_schema"].notes == found["abyss"].notes == ("schema_broken",)
        assert found["half"].description == "half ? of a character"
        assert text_of(await server.call("a.b", {"text": "x"})) == "a.b: x"


async def test_the_end_of_stderr_is_kept(means: DeskMeans) -> None:
    async with connected(scripted("stderr"), means) as server:
        await until(lambda: server.tail.text.endswith("the end\n"))
        assert STDERR_BYTES // 2 < len(server.tail.text) <= STDERR_BYTES


@pytest.mark.skipif(sys.platform != "linux", reason="processes are found by /proc")
async def test_all_that_it_started_ends_with_it(means: DeskMeans) -> None:
    async with connected(scripted("child", "stubborn"), means) as server:
        assert server.state == "ready"
        assert len(left_behind()) >= 2
        pid = int(re.findall(r"\d+", text_of(await server.call("ping", {})))[0])
        assert os.getsid(pid) != os.getsid(0)  # no terminal of ours


async def test_a_program_that_is_not_there_says_where_it_was_looked_for(tmp_path: Path) -> None:
    means = DeskMeans(tmp_path, {"PATH": "/usr/bin:/bin", "HOME": str(tmp_path)})
    async with connected(scripted(command=("no-such-program",)), means) as server:
        assert server.state == "failed" and "Looked in: /usr/bin, /bin." in server.reason


async def test_a_program_that_only_the_login_shell_knows_is_found(tmp_path: Path) -> None:
    places = tmp_path / "own bin"
    places.mkdir()
    program = places / "own-server"
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -I "{scripted().command[2]}"\n')
    program.chmod(0o755)
    (tmp_path / ".profile").write_text(f'echo welcome\nPATH="$PATH:{places}"\nexport PATH\n')
    environ = {"PATH": "/usr/bin:/bin", "HOME": str(tmp_path), "SHELL": "/bin/bash"}
    async with connected(scripted(command=("own-server",)), DeskMeans(tmp_path, environ)) as server:
        assert server.state == "ready", server.reason


async def test_it_gets_none_of_our_environment_but_the_usual(tmp_path: Path) -> None:
    environ = {**os.environ, "OPENAI_API_KEY": "key", "TOKEN": "ours", "PYTHONPATH": "/x"}
    async with connected(scripted(env={"TOKEN": "its own"}), DeskMeans(tmp_path, environ)) as server:
        assert text_of(await server.call("echo", {})).endswith("its own")


async def test_nothing_is_told_to_a_telemetry(means: DeskMeans) -> None:
    async with connected(scripted(), means) as server:
        from opentelemetry import trace

        await server.call("ping", {})
        assert "opentelemetry.sdk" not in sys.modules
        assert not trace.get_current_span().is_recording()
        assert type(trace.get_tracer_provider()).__name__ == "ProxyTracerProvider"


@pytest.mark.skipif(sys.platform != "linux", reason="processes are found by /proc")
async def test_a_killed_app_leaves_no_server(tmp_path: Path) -> None:
    """kill -9 of us: the server hears nothing of a closed stdin, and what left its group holds every pipe."""
    before = set(left_behind())
    program = tmp_path / "app.py"
    program.write_text(
        "import asyncio, sys\n"
        f"sys.path.insert(0, {str(Path(__file__).parents[3])!r})\n"
        "from pathlib import Path\n"
        "from tests.toolbox.mcp.server_desk import DeskMeans, connected, scripted\n"
        "async def main():\n"
        "    async with connected(scripted('child', 'stubborn'), DeskMeans(Path(sys.argv[1]))) as server:\n"
        "        print(server.state, flush=True)\n"
        "        await asyncio.sleep(600)\n"
        "asyncio.run(main())\n"
    )
    app = await asyncio.create_subprocess_exec(
        sys.executable, "-I", str(program), str(tmp_path), stdout=asyncio.subprocess.PIPE
    )
    assert app.stdout is not None
    assert await asyncio.wait_for(app.stdout.readline(), 20) == b"ready\n"
    assert len(set(left_behind()) - before) >= 2
    app.kill()
    await app.wait()
    await until(lambda: set(left_behind()) <= before)


async def test_a_flood_of_changed_tools_is_one_reading(means: DeskMeans) -> None:
    async with connected(scripted(), means) as server:
        for _time in range(20):
            await server.call("change", {})
        await until(lambda: any(one.tool == "new" for one in server.definitions))
        assert server.state == "ready"


async def test_a_server_of_the_newest_protocol_tells_what_changed(means: DeskMeans) -> None:
    program = Path(__file__).with_name("modern_server.py")
    spec = scripted(command=(sys.executable, "-I", str(program)), start_seconds=20.0)
    async with connected(spec, means) as server:
        assert server.state == "ready", server.reason
        assert server.title == "modern 3.1"
        assert [one.tool for one in server.definitions] == ["grow"]
        assert text_of(await server.call("grow", {})) == "growing"
        await until(lambda: [one.tool for one in server.definitions] == ["grow", "grown"])

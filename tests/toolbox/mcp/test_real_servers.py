"""Real servers of others, from npm and PyPI, over stdio and over HTTP, through a whole engine."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from app.toolbox.mcp import child
from app.toolbox.mcp.spec import ServerSpec
from tests.toolbox.mcp.conftest import NpmServers
from tests.toolbox.mcp.engine_desk import opened
from tests.toolbox.mcp.server_desk import until

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the commands are for POSIX")


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(child, "GRACE_SECONDS", 0.3)


def python_server(module: str, id: str, *words: str) -> ServerSpec:
    """Return a server of PyPI, which the packages for tests bring along."""
    if find_spec(module) is None:
        pytest.skip(f"the package of {module} is not installed here")
    return ServerSpec(id=id, command=(sys.executable, "-I", "-m", module, *words))


async def test_everything_of_npm(npm_servers: NpmServers, tmp_path: Path) -> None:
    async with opened(tmp_path) as desk:
        info = await desk.mcp.add(
            ServerSpec(id="all", command=(npm_servers.node, npm_servers.everything)), approved=True
        )
        assert info.state == "ready", info.reason
        assert "everything" in info.title.lower()
        tools = {tool.tool: tool for tool in info.tools}

        async def call(tool: str, **arguments: Any) -> tuple[bool, str, str]:
            return await desk.call(tools[tool].name, arguments=arguments, yes=True)

        assert (await call("echo", message="hello"))[1] == "Echo: hello"
        assert "5" in (await call("get-sum", a=2, b=3))[1]
        ok, text, _decision = await call("get-sum", a="two", b=3)
        assert not ok and "get-sum" in text
        assert (await call("trigger-long-running-operation", duration=0.3, steps=2))[0]
        image = await call("get-tiny-image")
        assert image[0] and "image" in image[1]
        structured = await call("get-structured-content", location="New York")
        assert structured[0] and "temperature" in structured[1]
        assert "demo://resource" in (await call("get-resource-links", count=2))[1]


async def test_files_of_npm_stay_in_their_folder(npm_servers: NpmServers, tmp_path: Path) -> None:
    shared = tmp_path / "shared"
    shared.mkdir()
    (shared / "a.txt").write_text("hello")
    async with opened(tmp_path) as desk:
        spec = ServerSpec(id="files", command=(npm_servers.node, npm_servers.files, str(shared)))
        info = await desk.mcp.add(spec, approved=True)
        assert info.state == "ready", info.reason
        says = {tool.tool: tool.says for tool in info.tools}
        assert says["read_text_file"] == "reads" and says["write_file"] == "destroys"
        read = await desk.call("files__read_text_file", arguments={"path": str(shared / "a.txt")}, yes=True)
        assert read[:2] == (True, "hello")
        outside = await desk.call("files__read_text_file", arguments={"path": "/etc/passwd"}, yes=True)
        assert not outside[0] and "outside allowed directories" in outside[1]


async def test_time_and_git_of_pypi(tmp_path: Path) -> None:
    time, git = python_server("mcp_server_time", "time"), python_server("mcp_server_git", "git")
    repository = tmp_path / "repository"
    subprocess.run(["git", "init", "-q", str(repository)], check=True)
    (repository / "a.txt").write_text("hello")
    async with opened(tmp_path) as desk:
        assert (await desk.mcp.add(time, approved=True)).state == "ready"
        assert (await desk.mcp.add(git, approved=True)).state == "ready"
        zone = {"timezone": "Europe/Berlin"}
        ok, text, _decision = await desk.call("time__get_current_time", arguments=zone, yes=True)
        assert ok and "Europe/Berlin" in text
        ok, text, _decision = await desk.call(
            "time__get_current_time", arguments={"timezone": "Moon"}, yes=True
        )
        assert not ok and "Moon" in text
        where = {"repo_path": str(repository)}
        ok, text, _decision = await desk.call("git__git_status", arguments=where, yes=True)
        assert ok and "a.txt" in text


@pytest.fixture
def everything_at_address(npm_servers: NpmServers) -> Iterator[str]:
    """The same server over HTTP on a port of its own."""
    import socket

    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    process = subprocess.Popen(
        [npm_servers.node, npm_servers.everything, "streamableHttp"],
        env={"PATH": "/usr/bin:/bin", "PORT": str(port)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert process.stdout is not None
    try:
        for line in process.stdout:
            if re.search(r"listening|running", line):
                break
        reading = threading.Thread(target=process.stdout.read, daemon=True)
        reading.start()
        yield f"http://127.0.0.1:{port}/mcp"
    finally:
        process.kill()
        process.wait()
        reading.join(5)
        process.stdout.close()


async def test_everything_over_http(everything_at_address: str, tmp_path: Path) -> None:
    async with opened(tmp_path) as desk:
        info = await desk.mcp.add(ServerSpec(id="web", url=everything_at_address), approved=True)
        assert info.state == "ready", info.reason
        ok, text, _decision = await desk.call("web__echo", arguments={"message": "hello"}, yes=True)
        assert ok and text == "Echo: hello"


async def test_an_address_where_nobody_is(tmp_path: Path) -> None:
    async with opened(tmp_path) as desk:
        info = await desk.mcp.add(ServerSpec(id="web", url="http://127.0.0.1:9/mcp"), approved=True)
        assert info.state == "failed" and info.reason
        assert json.loads(desk.file.path.read_text())["mcpServers"]["web"]["url"]
        await until(lambda: desk.events)

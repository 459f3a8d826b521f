"""The facade over servers, in a whole engine: approved, called through the gate, changed behind our back."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from app.errors import BrambleError
from app.events import ServersChanged
from app.platform.processes import MARK
from app.toolbox.mcp import child
from app.toolbox.mcp.servers import ServerFile
from app.toolbox.mcp.spec import ServerSpec
from tests.toolbox.mcp.engine_desk import Desk, code_of, opened
from tests.toolbox.mcp.server_desk import left_behind, scripted, until

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the scripted servers are for POSIX")


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(child, "GRACE_SECONDS", 0.2)


@pytest.fixture
async def desk(tmp_path: Path) -> AsyncIterator[Desk]:
    async with opened(tmp_path) as made:
        yield made


async def test_nothing_runs_before_its_exact_command_was_approved(desk: Desk) -> None:
    info = await desk.mcp.add(scripted())
    assert (info.state, info.tools) == ("approval", ())
    assert (await desk.mcp.test("s")).state == "approval" and left_behind() == []
    assert await code_of(desk.mcp.approve("s", "another print")) == "server_changed"
    info = await desk.mcp.approve("s", info.print)
    assert info.state == "ready" and {tool.name for tool in info.tools} >= {"s__ping", "s__echo"}
    assert {"s__ping", "s__echo"} <= desk.names()
    # An editor gives it another command: it waits again, and what ran has ended.
    desk.file.edit("s", lambda spec: msgspec.structs.replace(spec, command=(*spec.command, "louder")))
    (info,) = await desk.mcp.list()
    assert info.state == "approval" and desk.names() == set()
    await until(lambda: left_behind() == [])


async def test_a_call_passes_the_gate_and_its_answer_is_marked(desk: Desk) -> None:
    await desk.mcp.add(scripted(), approved=True)
    assert await desk.call("s__echo", arguments={"text": "hi"}) == (
        False,
        "This needs a person's approval and nobody is there to give it. Nothing was done.",
        "ask",
    )
    assert await desk.call("s__echo", arguments={"text": "hi"}, allow=("s__echo(*)",)) == (
        True,
        "echo: hi",
        "allow",
    )
    assert (await desk.call("s__echo", yes=True))[0]
    denied = await desk.call("s__echo", yes=True, deny=("s__echo(*)",))
    assert denied[0] is False and denied[2] == "deny"
    judged = await desk.engine.explain("s__echo", "{}", cwd=str(desk.root))
    assert (judged.decision, judged.reason, judged.offers) == ("ask", "server", (("s__echo(*)",),))
    assert not (await desk.call("s__echo", mode="plan", yes=True))[0]  # what it says of itself is no grant


async def test_wrong_arguments_come_back_with_the_schema(desk: Desk) -> None:
    await desk.mcp.add(scripted(), approved=True)
    ok, text, _decision = await desk.call("s__echo", arguments={"text": 3}, yes=True)
    assert not ok and '"type":"string"' in text.replace(" ", "")


async def test_a_tool_that_changes_is_held_back_until_the_person_agrees(desk: Desk) -> None:
    await desk.mcp.add(scripted(), approved=True)
    await until(lambda: desk.file.read().specs[0].pinned)
    assert (await desk.call("s__change", yes=True))[0]
    await until(lambda: "s__echo" not in desk.names())
    (info,) = await desk.mcp.list()
    assert {one.tool for one in info.held} == {"echo", "new"}
    changed = next(one for one in info.held if one.tool == "echo")
    assert "Says it." in changed.old and "Says it louder." in changed.new
    ok, text, _decision = await desk.call("s__echo", yes=True)
    assert not ok and "something else of its tool echo than what the person agreed to" in text
    await desk.mcp.approve_definitions("s", [changed])
    assert "s__echo" in desk.names() and "s__new" not in desk.names()
    info = await desk.mcp.approve_definitions("s")
    assert "s__new" in desk.names() and info.held == ()


async def test_a_model_is_told_why_a_tool_that_it_knows_cannot_be_called(desk: Desk) -> None:
    async def said() -> str:
        ok, text, _decision = await desk.call("s__ping", yes=True)
        assert not ok
        return text

    assert "There is no tool named 's__ping'" in await said()
    await desk.mcp.add(scripted(), approved=True)
    await desk.mcp.disable("s")
    assert "The server s is switched off" in await said()
    await desk.mcp.enable("s")
    desk.file.edit("s", lambda spec: msgspec.structs.replace(spec, command=(*spec.command, "louder")))
    await desk.mcp.list()
    assert "waits for the person's approval" in await said()
    await desk.mcp.remove("s")
    assert "There is no tool named 's__ping'" in await said()


async def test_where_nothing_can_be_written_changed_tools_are_held_back_too(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    await desk.mcp.add(scripted(), approved=False)
    (info,) = await desk.mcp.list()
    written = ServerFile.edit

    def full(self: ServerFile, server: str, change: Callable[[ServerSpec], ServerSpec]) -> ServerSpec:
        def kept(spec: ServerSpec) -> ServerSpec:
            made = change(spec)
            if made.pinned is not None:
                raise BrambleError("disk_full", "no room")
            return made

        return written(self, server, kept)

    monkeypatch.setattr(ServerFile, "edit", full)
    await desk.mcp.approve("s", info.print)
    assert (await desk.call("s__change", yes=True))[0]
    await until(lambda: "s__echo" not in desk.names())
    await desk.engine.mcp.reload()
    assert "s__ping" in desk.names() and "s__echo" not in desk.names()
    assert desk.file.read().specs[0].pinned is None


async def test_a_server_that_comes_back_with_other_tools_is_not_called(desk: Desk, tmp_path: Path) -> None:
    switch = tmp_path / "louder"
    program = tmp_path / "server.sh"
    python, script = scripted().command[0], scripted().command[2]
    program.write_text(f'#!/bin/sh\n[ -e "{switch}" ] && set -- louder\nexec "{python}" -I "{script}" "$@"\n')
    program.chmod(0o755)
    await desk.mcp.add(scripted(command=(str(program),)), approved=True)
    assert (await desk.call("s__echo", yes=True))[0]
    switch.touch()
    assert not (await desk.call("s__exit", yes=True))[0]
    ok, text, _decision = await desk.call("s__echo", yes=True)
    assert not ok and ("not as the person agreed" in text or "no tool named" in text)
    assert (await desk.call("s__ping", yes=True))[0]


async def test_the_tools_of_a_server_are_taken_down_before_its_adding_returns(tmp_path: Path) -> None:
    async with opened(tmp_path) as first:
        await first.mcp.add(scripted(), approved=True)
    pinned = first.file.read().specs[0].pinned  # a short command ends right after it
    assert pinned is not None and "echo" in pinned


async def test_known_tools_are_there_before_the_server_is(tmp_path: Path) -> None:
    async with opened(tmp_path) as first:
        await first.mcp.add(scripted(), approved=True)
        await until(lambda: first.file.read().specs[0].pinned)
    async with opened(tmp_path) as second:
        (info,) = await second.mcp.list()
        assert info.state == "off" and {tool.name for tool in info.tools} >= {"s__ping"}
        assert left_behind() == []  # listing starts nothing
        assert (await second.call("s__ping", yes=True))[0]
        assert await second.mcp.wait_connecting(0) == ()


async def test_one_slow_server_blocks_nothing(tmp_path: Path) -> None:
    async with opened(tmp_path) as desk:
        for spec in (scripted("mute", id="slow", start_seconds=30), scripted(id="quick")):
            await asyncio_add(desk, spec)
        late = await desk.mcp.wait_connecting(0.3)
        assert late == ("slow",)
        await until(lambda: "quick__ping" in desk.names())


async def asyncio_add(desk: Desk, spec: Any) -> None:
    """Write an approved entry as another process would, so that nobody waits for its server."""
    from app.toolbox.mcp.spec import print_of

    desk.file.put(msgspec.structs.replace(spec, approved=print_of(spec)))


async def test_switching_restarting_and_removing(desk: Desk) -> None:
    await desk.mcp.add(scripted(), approved=True)
    first = (await desk.call("s__ping", yes=True))[1]
    assert (await desk.mcp.restart("s")).state == "ready"
    assert (await desk.call("s__ping", yes=True))[1] != first
    assert (await desk.mcp.disable("s")).state == "off" and desk.names() == set()
    await until(lambda: left_behind() == [])
    assert (await desk.mcp.enable("s")).state == "ready" and desk.names()
    await desk.mcp.remove("s")
    assert await desk.mcp.list() == () and desk.names() == set()
    assert await code_of(desk.mcp.remove("s")) == "no_server"
    assert await code_of(desk.mcp.info("s")) == "no_server"
    assert any(isinstance(event, ServersChanged) and event.server == "s" for event in desk.events)


async def test_a_secret_stays_out_of_the_file(desk: Desk) -> None:
    spec = scripted(secrets=("TOKEN",))
    assert await code_of(desk.mcp.add(spec, {"TOKEN": "hush"}, approved=True)) == "needs_consent"
    assert desk.file.read().specs == ()
    info = await desk.mcp.add(spec, {"TOKEN": "hush"}, approved=True, file_consent=True)
    assert info.state == "ready" and info.environment == ("TOKEN",)
    assert "hush" not in desk.file.path.read_text()
    assert (await desk.call("s__echo", yes=True))[1] == "echo:  hush"
    await desk.mcp.remove("s")
    assert not any("hush" in path.read_text() for path in desk.engine.home.keys.iterdir())


async def test_a_killed_removal_can_be_done_again(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    spec = scripted(secrets=("TOKEN",))
    await desk.mcp.add(spec, {"TOKEN": "hush"}, approved=True, file_consent=True)
    with monkeypatch.context() as killed:
        killed.setattr(ServerFile, "remove", lambda self, server: sys.exit("killed"))
        with pytest.raises(SystemExit):
            await desk.mcp.remove("s")
    assert [info.id for info in await desk.mcp.list()] == ["s"]
    assert not any("hush" in path.read_text() for path in desk.engine.home.keys.iterdir())
    await desk.mcp.remove("s")
    assert await desk.mcp.list() == ()


async def test_where_nothing_can_be_written_no_secret_goes(desk: Desk) -> None:
    spec = scripted(secrets=("TOKEN",))
    await desk.mcp.add(spec, {"TOKEN": "hush"}, approved=True, file_consent=True)
    lock = desk.file.path.with_name(".mcp.json.lock")
    lock.unlink()
    lock.mkdir()  # nobody can hold it
    assert await code_of(desk.mcp.remove("s")) == "no_permission"
    assert (await desk.call("s__echo", yes=True))[1] == "echo:  hush"
    lock.rmdir()
    assert any("hush" in path.read_text() for path in desk.engine.home.keys.iterdir())


async def test_one_that_cannot_be_added_takes_no_secret_of_another(desk: Desk) -> None:
    spec = scripted(secrets=("TOKEN",))
    await desk.mcp.add(spec, {"TOKEN": "hush"}, approved=True, file_consent=True)
    assert await code_of(desk.mcp.add(spec, {"TOKEN": "other"}, file_consent=True)) == "server_exists"
    await desk.mcp.restart("s")
    assert (await desk.call("s__echo", yes=True))[1] == "echo:  hush"
    lock = desk.file.path.with_name(".mcp.json.lock")
    lock.unlink()
    lock.mkdir()  # nobody can hold it
    new = scripted(id="new", secrets=("TOKEN",))
    assert await code_of(desk.mcp.add(new, {"TOKEN": "lost"}, file_consent=True)) == "no_permission"
    lock.rmdir()
    assert not any("lost" in path.read_text() for path in desk.engine.home.keys.iterdir())


async def test_a_missing_secret_says_so(desk: Desk) -> None:
    info = await desk.mcp.add(scripted(secrets=("TOKEN",)), approved=True)
    assert info.state == "failed" and "no value for TOKEN" in info.reason


async def test_a_bad_entry_is_shown_with_its_fault_and_the_others_run(desk: Desk) -> None:
    await desk.mcp.add(scripted(), approved=True)
    raw = json.loads(desk.file.path.read_text())
    raw["mcpServers"]["bad"] = {"command": 3}
    desk.file.path.write_text(json.dumps(raw))
    good, bad = await desk.mcp.list()
    assert good.state == "ready" and bad.id == "bad" and "no text" in bad.fault and bad.state == "off"
    desk.file.path.write_text("{")
    assert await code_of(desk.mcp.list()) == "bad_servers"
    assert (await desk.call("s__ping", yes=True))[0]


async def test_a_command_of_a_tool_widens_nothing(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    await desk.mcp.add(scripted())
    monkeypatch.setenv(MARK, "of a tool")
    for work in (
        desk.mcp.add(scripted(id="other")),
        desk.mcp.approve("s"),
        desk.mcp.approve_definitions("s"),
        desk.mcp.enable("s"),
        desk.mcp.sign_in("s"),
    ):
        assert await code_of(work) == "own_approval"


async def test_a_server_cannot_approve_another(desk: Desk) -> None:
    """What it starts carries the brand of tools, whatever it does to its environment."""
    code = (
        "import sys; sys.path.insert(0, sys.argv[1]); from app.platform.processes import began_in_tool as b; "
    )
    program = f'env -i "{sys.executable}" -I -c "{code}print(b())" "{Path(__file__).parents[3]}" >&2; sleep 9'
    spec = scripted(command=("/bin/sh", "-c", program), start_seconds=1.5)
    info = await desk.mcp.add(spec, approved=True)
    if sys.platform == "linux":
        assert info.stderr.strip() == "True"


async def test_odd_names_can_be_called(desk: Desk) -> None:
    info = await desk.mcp.add(scripted("odd", id="odd one"), approved=True)
    by_tool = {tool.tool: tool.name for tool in info.tools}
    assert by_tool["a_b"].endswith("__a_b") and len({*by_tool.values()}) == len(by_tool)
    for tool in ("a.b", "a b", "a_b", "", "x" * 90):
        ok, text, _decision = await desk.call(by_tool[tool], arguments={"text": "hi"}, yes=True)
        assert ok and text == f"{tool}: hi"


async def test_five_hundred_tools_of_one_server(desk: Desk) -> None:
    info = await desk.mcp.add(scripted("many"), approved=True)
    assert len(info.tools) == 500 and len(desk.names()) == 500
    report = await desk.engine.context(cwd=str(desk.root))
    assert report.total_tokens < 1_600


async def test_the_sdk_is_not_loaded_before_a_server_is_connected(tmp_path: Path) -> None:
    """It takes half a second and 40 MB: who has no server, or only lists them, never pays for it."""
    async with opened(tmp_path) as desk:
        await desk.mcp.add(scripted())
    code = (
        "import asyncio, os, sys\n"
        "from app.engine import Engine\n"
        "from app.platform.paths import home\n"
        "async def main():\n"
        "    engine = Engine(home(os.environ))\n"
        "    await engine.open()\n"
        "    (info,) = await engine.mcp.list()\n"
        "    engine.tools()\n"
        "    await engine.context(cwd='/')\n"
        "    await engine.close()\n"
        "    print(info.state, [name for name in ('mcp', 'httpx2', 'pydantic') if name in sys.modules])\n"
        "asyncio.run(main())\n"
    )
    done = subprocess.run(
        [sys.executable, "-P", "-c", code],
        cwd=Path(__file__).parents[3],
        env={**desk.environ, "PYTHONPATH": str(Path(__file__).parents[3])},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.stdout == "approval []\n", done.stdout + done.stderr

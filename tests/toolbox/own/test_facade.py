"""Own tools through a real engine: states, trust by content, changes of the folder, calls, rules and undo."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from app.engine import Engine
from app.errors import BrambleError
from app.events import Event, OwnToolsChanged
from app.platform.paths import home as home_of
from app.platform.processes import MARK
from app.platform.sandbox import seal
from app.platform.sandbox.confinement import Probe
from app.records import TurnOptions
from app.toolbox.own import running, start
from tests.toolbox.own.conftest import source
from ui.own_tool_words import consequence


@pytest.fixture
async def engine(home: Path) -> AsyncIterator[Engine]:
    """An engine with an empty home."""
    made = Engine(home_of(os.environ), os.environ)
    await made.open()
    yield made
    await made.close()


def put(home: Path, name: str, text: str | bytes) -> Path:
    folder = home / "tools"
    folder.mkdir(exist_ok=True)
    file = folder / f"{name}.py"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return file


async def states(engine: Engine) -> dict[str, str]:
    return {one.name: one.state for one in await engine.own_tools.list()}


def offered(engine: Engine) -> list[str]:
    return [tool.name for tool in engine.tools() if tool.source == "own"]


async def called(engine: Engine, folder: Path, name: str = "trial", **more: Any) -> Any:
    return await engine.call_tool(
        name, json.dumps(more), cwd=str(folder), options=TurnOptions(attended=False)
    )


async def test_only_what_was_trusted_is_offered(engine: Engine, home: Path) -> None:
    file = put(home, "trial", source("return ToolResult('first')"))
    assert await states(engine) == {"trial": "waiting"} and offered(engine) == []
    shown = await engine.own_tools.show("trial")
    assert shown.diff is None and "first" in shown.source and shown.held
    assert (await engine.own_tools.trust("trial", shown.info.hash)).info.state == "on"
    assert offered(engine) == ["trial"]
    changed = file.read_text().replace("first", "second")
    file.write_text(changed)
    assert await states(engine) == {"trial": "changed"} and offered(engine) == []
    shown = await engine.own_tools.show("trial")
    assert shown.diff is not None and (shown.diff.added, shown.diff.removed) == (1, 1)
    file.write_text(changed.replace("second", "first"))  # back to what was trusted
    assert await states(engine) == {"trial": "on"} and offered(engine) == ["trial"]
    file.unlink()
    assert await states(engine) == {} and offered(engine) == []
    file.write_text(changed)
    await engine.own_tools.trust("trial")
    assert await engine.own_tools.forget("trial") and not await engine.own_tools.forget("trial")
    assert await states(engine) == {"trial": "waiting"} and offered(engine) == []


async def test_a_call_runs_what_was_trusted_and_sees_changes_before_it(
    engine: Engine, home: Path, folder: Path
) -> None:
    file = put(
        home, "trial", source("found = await context.files.read(path)\nreturn ToolResult(found.lines[0])")
    )
    await engine.own_tools.trust("trial")
    ran = await called(engine, folder)
    assert (ran.ok, ran.text, ran.decision) == (True, "one two", "allow")
    file.write_text(file.read_text().replace("lines[0]", "lines[1]"))
    ran = await called(engine, folder)
    assert not ran.ok and "its file is not what they trusted" in ran.text
    await engine.own_tools.trust("trial")
    assert (await called(engine, folder)).ok
    await engine.own_tools.enable("trial", False)
    assert "they switched it off" in (await called(engine, folder)).text
    file.unlink()
    assert "no tool named 'trial'" in (await called(engine, folder)).text


async def test_effects_pass_the_gate_and_the_journal(engine: Engine, home: Path, folder: Path) -> None:
    body = """
done = await context.files.change(ChangeSet((Write(path, "new"),)))
return ToolResult("ok", undo=done.undo)
"""
    put(home, "trial", source(body, reads=False))
    await engine.own_tools.trust("trial")
    ran = await called(engine, folder)
    assert not ran.ok and ran.decision == "ask" and (folder / "a.txt").read_text() == "one two\nthree\n"
    allowed = TurnOptions(attended=False, allow=("trial(a.txt)",))
    ran = await engine.call_tool("trial", "{}", cwd=str(folder), options=allowed)
    assert ran.ok and (folder / "a.txt").read_text() == "new" and ran.undo
    await engine.changes.undo(ran.undo)
    assert (folder / "a.txt").read_text() == "one two\nthree\n"
    plan = TurnOptions(attended=False, yes=True, mode="plan")
    assert not (await engine.call_tool("trial", "{}", cwd=str(folder), options=plan)).ok
    decision = await engine.explain("trial", "{}", cwd=str(folder))
    assert decision.decision == "ask"
    ran = await called(engine, folder, path=7)
    assert not ran.ok and "Schema" in ran.text


async def test_a_command_of_it_is_judged_like_any_other(engine: Engine, home: Path, folder: Path) -> None:
    body = 'ran = await context.shell.run(Command("echo hello"))\nreturn ToolResult(ran.output.strip())'
    put(home, "trial", source(body, reads=False))
    await engine.own_tools.trust("trial")
    assert not (await called(engine, folder)).ok
    yes = TurnOptions(attended=False, yes=True)
    ran = await engine.call_tool("trial", "{}", cwd=str(folder), options=yes)
    assert ran.ok and ran.text == "hello"


async def test_broken_and_clashing_files_harm_no_other(engine: Engine, home: Path, tmp_path: Path) -> None:
    put(home, "good", source("return ToolResult('x')", name="good"))
    put(home, "broken", "def (")
    put(home, "binary", b"ab\n\xff\xfe")
    put(home, "nul", "a\n\0")
    put(home, "huge", b"#" * 300_000)
    put(home, "read_file", source("return ToolResult('x')", name="read_file"))
    put(home, "gr\u00f6\u00dfe", source("return ToolResult('x')", name="gr\u00f6\u00dfe"))
    put(home, "\udcff".encode("utf-8", "surrogateescape").decode("utf-8", "surrogateescape"), "x")
    os.mkfifo(home / "tools" / "pipe.py")
    (home / "tools" / "folder.py").mkdir()
    (home / "tools" / "gone.py").symlink_to(tmp_path / "nothing")
    deep = "x = " + "(" * 5000 + ")" * 5000
    put(home, "deep", deep)
    found = {one.name: one for one in await engine.own_tools.list()}
    assert {name for name, one in found.items() if one.state != "broken"} == {"good"} and len(found) == 12
    lines = {name: one.problems[0].line for name, one in found.items() if one.problems}
    assert lines["binary"] == 2 and lines["nul"] == 2 and lines["broken"] == 1
    assert "read_file already" in found["read_file"].problems[0].message
    for name in found.keys() - {"good"}:
        with pytest.raises(BrambleError) as caught:
            await engine.own_tools.trust(name)
        assert caught.value.code == "bad_own_tool"
    assert (await engine.own_tools.trust("good")).info.state == "on"


async def test_what_only_the_child_finds_is_a_fault_too(engine: Engine, home: Path) -> None:
    text = source("return ToolResult('x')").replace('Annotated[str, "A path"]', 'Annotated[set, "A path"]')
    file = put(home, "trial", text)
    with pytest.raises(BrambleError) as caught:
        await engine.own_tools.trust("trial")
    assert caught.value.code == "bad_own_tool" and await states(engine) == {"trial": "waiting"}
    report = await engine.own_tools.check(str(file))
    assert not report.ok and report.problems and not report.partly
    file.write_text(source("return ToolResult('x')").replace("@tool", "limit = 1 // 0\n\n\n@tool"))
    report = await engine.own_tools.check(str(file))
    assert not report.ok and "ZeroDivisionError" in report.problems[0].message
    assert report.problems[0].line == file.read_text().splitlines().index("limit = 1 // 0") + 1


async def test_trust_is_for_what_was_shown_and_by_a_person(
    engine: Engine, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = put(home, "trial", source("return ToolResult('x')"))
    shown = await engine.own_tools.show("trial")
    file.write_text(file.read_text() + "\n# more\n")
    with pytest.raises(BrambleError, match="not what was shown"):
        await engine.own_tools.trust("trial", shown.info.hash)
    with pytest.raises(BrambleError) as caught:
        await engine.own_tools.enable("trial")
    assert caught.value.code == "own_tool_changed"
    monkeypatch.setenv(MARK, "a tool's process")
    for work in (engine.own_tools.trust("trial"), engine.own_tools.forget("trial")):
        with pytest.raises(BrambleError) as caught:
            await work
        assert caught.value.code == "own_approval"
    assert await states(engine) == {"trial": "waiting"}


async def test_with_a_damaged_file_of_trust_nothing_is_trusted(engine: Engine, home: Path) -> None:
    put(home, "trial", source("return ToolResult('x')"))
    await engine.own_tools.trust("trial")
    kept = home / "data" / "own-tools.json"
    assert kept.stat().st_mode & 0o077 == 0
    kept.write_text("{")
    assert await states(engine) == {"trial": "waiting"} and offered(engine) == []
    await engine.own_tools.trust("trial")
    assert await states(engine) == {"trial": "on"} and kept.with_name("own-tools.json.damaged").exists()


async def test_events_and_switches(engine: Engine, home: Path) -> None:
    told: list[Event] = []
    put(home, "trial", source("return ToolResult('x')"))
    await engine.own_tools.list()
    engine.subscribe(told.append)
    await engine.own_tools.trust("trial")
    await engine.own_tools.enable("trial", False)
    assert await states(engine) == {"trial": "off"} and offered(engine) == []
    await engine.own_tools.enable("trial")
    assert offered(engine) == ["trial"] and sum(isinstance(one, OwnToolsChanged) for one in told) == 3
    generation = engine._parts.registry.generation
    await engine.own_tools.list()
    assert engine._parts.registry.generation == generation  # nothing changed, so no prompt does


async def test_a_new_tool_works_and_overwrites_nothing(engine: Engine, home: Path, folder: Path) -> None:
    made = await engine.own_tools.new("count_words")
    assert made.info.problems == () and len(made.examples) == 2
    assert (await engine.own_tools.check(made.info.path)).ok
    await engine.own_tools.trust("count_words")
    ran = await engine.call_tool("count_words", '{"path":"a.txt"}', cwd=str(folder))
    assert ran.ok and ran.text == "a.txt: 2 lines, 3 words"
    for name, code in (("count_words", "own_tool_exists"), ("read_file", "own_tool_exists"),
                       ("", "bad_tool_name"), ("../x", "bad_tool_name"), ("class", "bad_tool_name"),
                       ("gr\u00f6\u00dfe", "bad_tool_name"), ("a" * 65, "bad_tool_name")):  # fmt: skip
        with pytest.raises(BrambleError) as caught:
            await engine.own_tools.new(name)
        assert caught.value.code == code


async def test_where_nothing_holds_it_the_question_says_so(
    engine: Engine, home: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def nothing() -> Probe:
        return Probe("none")

    monkeypatch.setattr(engine._parts.sandbox, "found", nothing)
    monkeypatch.setattr(seal, "available", lambda: False)
    file = put(home, "trial", source("return ToolResult('x')"))
    report = await engine.own_tools.check(str(file))
    assert report.ok and report.partly
    shown = await engine.own_tools.show("trial")
    assert not shown.held and "Nothing on this computer can seal it" in consequence(shown)
    await engine.own_tools.trust("trial")
    assert (await called(engine, folder)).text == "x"


async def test_trust_can_be_taken_back_for_one_content_alone(engine: Engine, home: Path) -> None:
    file = put(home, "trial", source("return ToolResult('first')"))
    first = (await engine.own_tools.trust("trial")).info.hash
    file.write_text(file.read_text().replace("first", "second"))
    second = (await engine.own_tools.trust("trial")).info.hash
    assert await engine.own_tools.forget("trial", second) and not await engine.own_tools.forget(
        "trial", second
    )
    assert await states(engine) == {"trial": "changed"}
    file.write_text(file.read_text().replace("second", "first"))
    assert (
        await states(engine) == {"trial": "on"} and (await engine.own_tools.show("trial")).info.hash == first
    )


async def test_other_processes_see_it_at_once(engine: Engine, home: Path) -> None:
    put(home, "trial", source("return ToolResult('x')"))
    other = Engine(home_of(os.environ), os.environ)
    await other.open()
    try:
        told = asyncio.Event()
        other.subscribe(lambda event: told.set() if isinstance(event, OwnToolsChanged) else None)
        await engine.own_tools.trust("trial")
        await asyncio.wait_for(told.wait(), 10)
        assert await states(other) == {"trial": "on"} and offered(other) == ["trial"]
    finally:
        await other.close()


async def test_nobody_loads_it_without_a_folder(engine: Engine, home: Path, folder: Path) -> None:
    await engine.call_tool("list_dir", "{}", cwd=str(folder))
    assert "own_tools" not in vars(engine._parts)


@pytest.mark.parametrize(
    ("data", "line"),
    [
        (b'"""A."""\n\nx = "\xe4"\n', 3),
        (b'"""A."""\n\ndef (:\n', 3),
        (b"a = 1\n\0", 2),
        (b"", 1),
        ('"""A."""\n\nx = "\u202e"\n'.encode(), 3),
        (b'"""A."""\n\nx = "\x1b[2K"\n', 3),
        (b'"""A."""\n# one\rimport os\n', 2),
        (b'\xef\xbb\xbf"""A."""\r\n\r\nimport os\r\n', 3),
    ],
)
async def test_each_fault_has_its_line(engine: Engine, home: Path, data: bytes, line: int) -> None:
    report = await engine.own_tools.check(str(put(home, "trial", data)))
    assert not report.ok and line in [one.line for one in report.problems]


async def test_every_capability_of_the_contract_crosses(engine: Engine, home: Path, folder: Path) -> None:
    body = """
found = await context.find("count the lines of a file")
skill = await context.skills.find("plan a trip to Rome")
jobs = await context.shell.jobs()
listed = await context.files.list(".")
matches = await context.files.search("thr.e", ".")
context.progress("nearly")
first = f"{len(found)} {len(skill.text)} {len(jobs)} {listed.entries[0].path}"
return ToolResult(f"{first} {matches.matches[0].text}")
"""
    put(home, "trial", source(body))
    await engine.own_tools.trust("trial")
    ran = await called(engine, folder)
    assert ran.ok and ran.text.endswith("0 a.txt three"), ran.text
    assert all(int(number) > 0 for number in ran.text.split()[:2])


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX limits")
def test_a_new_tool_is_there_whole_or_not_at_all(tmp_path: Path) -> None:
    script = (
        "import resource, signal, sys; sys.path.insert(0, sys.argv[1])\n"
        "from pathlib import Path; from app.errors import BrambleError; from app.toolbox.own import start\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))\n"
        "try: start.write(Path(sys.argv[2]), 'mine')\n"
        "except BrambleError as error: print(error.code)\n"
    )
    root = Path(__file__).parents[3]
    words = [sys.executable, "-P", "-c", script, str(root), str(tmp_path / "tools")]
    done = subprocess.run(words, capture_output=True, text=True, timeout=60)
    assert done.stdout.strip() == "no_permission", done.stderr
    assert list((tmp_path / "tools").iterdir()) == []
    assert start.write(tmp_path / "tools", "mine").read_text() == start.text("mine")
    assert [path.name for path in (tmp_path / "tools").iterdir()] == ["mine.py"]


async def test_a_file_that_never_ends_loading_is_told_soon(
    engine: Engine, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running, "LOAD_SECONDS", 0.5)
    text = source("return ToolResult('')", name="slow").replace(
        "\n\n@tool", "\nX = 10 ** 10 ** 9\n\n\n@tool", 1
    )
    put(home, "slow", text)
    with pytest.raises(BrambleError) as caught:
        await engine.own_tools.trust("slow")
    assert caught.value.code == "bad_own_tool" and "longer than 0.5 s to load" in str(caught.value)
    report = await engine.own_tools.check(str(home / "tools" / "slow.py"))
    assert not report.ok and "to load" in report.problems[0].message

"""A tool that tries to get out, with real children: past the source check, as if a person had trusted it."""

from __future__ import annotations

import asyncio
import os
import sys
import time
from pathlib import Path

import pytest

from app.platform.processes import group_lives
from app.platform.sandbox.confinement import Probe
from app.toolbox.own import running, wire
from app.toolbox.own.running import Cell, Limits, Work
from tests.toolbox.own.conftest import source
from tools import ReadContext, ToolFailed, ToolResult

# By this detour a tool gets at everything that its own names do not give: the real builtins, modules, ctypes.
_OUT = """
real = [one for one in ().__class__.__base__.__subclasses__() if one.__name__ == "_Printer"][0]
builtins = real.__init__.__globals__["__builtins__"]
builtins = builtins if type(builtins) is dict else builtins.__dict__
os = builtins["__import__"]("os")
"""


class Nothing:
    """Capabilities that nobody may reach here."""

    def __getattr__(self, name: str) -> object:
        raise AssertionError(f"reached {name}")


async def said(cell: Cell, body: str, folder: Path, *, reads: bool = True) -> ToolResult:
    """Run a tool with this body and return its result."""
    work = Work("trial", source(body, reads=reads), reads)
    nothing = ReadContext(str(folder), Nothing(), Nothing())  # type: ignore[arg-type]
    return await running.run(cell, work, {}, lambda: nothing, str(folder))


ATTEMPTS = {
    "read a file": "builtins['open']('/etc/passwd').read()",
    "read the keys": "os.listdir(os.path.expanduser('~/.ssh'))",
    "write in tmp": "builtins['open']('/tmp/bramble-own-escape', 'w')",
    "write by descriptor": "os.open('/tmp/bramble-own-escape', os.O_CREAT | os.O_WRONLY)",
    "fork": "os.fork()",
    "start a program": "os.execv('/bin/sh', ['sh', '-c', 'true'])",
    "kill its parent": "os.kill(os.getppid(), 9)",
    "kill all": "os.kill(-1, 9)",
    "leave the group": "os.setsid()",
    "load ctypes": "builtins['__import__']('ctypes').CDLL(None).fork()",
    "a socket": "builtins['__import__']('socket').socket().connect(('127.0.0.1', 1))",
    "import by name": "builtins['__import__']('subprocess').run(['true'])",
    "raise its limits": "builtins['__import__']('resource').setrlimit(0, (-1, -1))",
}


async def test_nothing_is_reached(strongest: Cell, folder: Path) -> None:
    body = f"""{_OUT}
found = []
for name, code in {ATTEMPTS!r}.items():
    try:
        builtins["exec"](code, {{"builtins": builtins, "os": os}})
        found.append(name + " worked")
    except (PermissionError, ImportError, OSError):
        pass
    except BaseException as error:
        found.append(name + ": " + repr(error))
return ToolResult("; ".join(found))
"""
    left = "raise its limits: ValueError('not allowed to raise maximum limit')"
    assert (await said(strongest, body, folder)).text == left
    assert not Path("/tmp/bramble-own-escape").exists()


async def test_below_python_each_layer_holds(cell: Cell, folder: Path) -> None:
    """The posix functions themselves, reached without an audited name, are refused by the kernel."""
    body = (
        _OUT
        + """
posix = builtins["__import__"]("sys").modules["posix"]
found = []
for name, given in (("fork", ()), ("kill", (os.getppid(), 0)), ("setsid", ()),
                    ("stat", ("/etc/passwd",)), ("access", ("/", 0)), ("readlink", ("/proc/self/exe",)),
                    ("pipe", ()), ("dup", (1,)), ("umask", (0,)), ("uname", ())):
    try:
        answer = posix.__dict__[name](*given)
        if answer is not False:
            found.append(name)
    except OSError:
        pass
return ToolResult(" ".join(found))
"""
    )
    assert (await said(cell, body, folder)).text == ""


async def test_a_flood_of_processes_or_memory_ends(cell: Cell, folder: Path) -> None:
    body = f"{_OUT}\nposix = builtins['__import__']('sys').modules['posix']\nwhile True:\n    posix.fork()"
    with pytest.raises(ToolFailed, match=r"PermissionError|BlockingIOError"):
        await said(cell, body, folder)
    with pytest.raises(ToolFailed, match="MemoryError"):
        await said(cell, "held = []\nwhile True:\n    held.append(bytes(50_000_000))", folder)


def forging(line: bytes) -> str:
    """Return a body that writes a line wherever it can, so also on the way to the parent."""
    return f"""{_OUT}
for place in range(3, 20):
    try:
        os.write(place, {line!r})
    except OSError:
        pass
return ToolResult("after")
"""


async def test_what_it_forges_is_only_its_own_word(strongest: Cell, folder: Path) -> None:
    """Lines on the way to the parent are requests and results of this tool, whoever made them."""
    asked = {"kind": "call", "on": "files", "method": "change", "args": [], "named": {}}
    with pytest.raises(ToolFailed, match=r"files\.change"):
        await said(strongest, forging(wire.packed(asked)), folder)
    result = ToolResult("mine", undo="somebody's change", data={"whole": "/etc/passwd"})
    line = wire.packed({"kind": "result", "value": wire.told(result)})
    found = await said(strongest, forging(line), folder)
    assert (found.text, found.undo, found.data) == ("mine", "", {})


@pytest.mark.parametrize(
    "line", [b"\n", b"[]\n", b'{"kind":3}\n', b'{"kind":"call"}\n', b"\xff\xfe\n", b"[" * 5000 + b"\n",
             wire.packed({"kind": "answer", "value": None})]
)  # fmt: skip
async def test_a_message_that_is_none_ends_it(strongest: Cell, folder: Path, line: bytes) -> None:
    with pytest.raises(ToolFailed, match=r"^trial failed: "):
        await said(strongest, forging(line), folder)


async def test_printing_without_end_is_one_clear_failure(strongest: Cell, folder: Path) -> None:
    body = f"{_OUT}\nwhile True:\n    os.write(1, b'x' * 10000)"
    began = time.monotonic()
    with pytest.raises(ToolFailed, match="printed without end"):
        await said(strongest, body, folder)
    assert time.monotonic() - began < 5
    assert (
        await said(strongest, f"{_OUT}\nos.write(2, b'noise')\nreturn ToolResult('fine')", folder)
    ).text == "fine"


async def test_a_message_of_too_many_values_is_not_read(strongest: Cell, folder: Path) -> None:
    with pytest.raises(ToolFailed, match="more values than can be taken"):
        await said(strongest, "return ToolResult('', data={'a': list(range(400_000))})", folder)


async def test_a_message_that_is_too_large_or_too_many(strongest: Cell, folder: Path) -> None:
    with pytest.raises(ToolFailed, match="more than can be sent"):
        await said(strongest, "return ToolResult('x' * (40 << 20))", folder)
    few = Cell(strongest.found, os.environ, Limits(seconds=10, messages=50))
    with pytest.raises(ToolFailed, match="more than 50"):
        await said(few, "while True:\n    context.progress('again')", folder)


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("raise ValueError('bad \\u202e thing')", r"ValueError: bad \\u202e thing \(line 13\)"),
        ("raise ToolFailed('There is nothing here.')", r"^There is nothing here\.$"),
        ("return 'text'", "returned str, not a ToolResult"),
        ("return ToolResult(3)", "its result is none"),
        ("return ToolResult('x', data={'a': object()})", "cannot be sent"),
        ("return await context.files.change('x')", "no attribute 'change'"),
        ("def deep():\n    return deep()\ndeep()", "RecursionError"),
    ],
)
async def test_a_failure_is_one_sentence(strongest: Cell, folder: Path, body: str, words: str) -> None:
    with pytest.raises(ToolFailed, match=words):
        await said(strongest, body, folder)


async def test_a_crash_of_the_process_itself(strongest: Cell, folder: Path) -> None:
    with pytest.raises(ToolFailed, match="ended with code"):
        await said(strongest, f"{_OUT}\nos.__dict__['_exit'](7)", folder)


async def test_its_time_is_its_own_work_only(strongest: Cell, folder: Path) -> None:
    short = Cell(strongest.found, os.environ, Limits(seconds=1.0))
    with pytest.raises(ToolFailed, match="longer than 1 s"):
        await said(short, "while True:\n    pass", folder)

    class Slow:
        async def jobs(self) -> list[object]:
            await asyncio.sleep(1.2)  # a person who thinks
            return []

    work = Work("trial", source("await context.shell.jobs()\nreturn ToolResult('after all')"), True)
    slow = ReadContext("/", Nothing(), Slow())  # type: ignore[arg-type]
    assert (await running.run(short, work, {}, lambda: slow, "/")).text == "after all"


async def test_a_stop_kills_its_group_at_once(
    cell: Cell, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[int] = []
    begin = running.process.start

    async def noted(*args: object) -> object:
        child = await begin(*args)  # type: ignore[arg-type]
        started.append(child.pid)
        return child

    monkeypatch.setattr(running.process, "start", noted)
    told = asyncio.Event()
    work = Work("trial", source("context.progress('at it')\nwhile True:\n    pass"), True)
    nothing = ReadContext("/", Nothing(), Nothing())  # type: ignore[arg-type]
    task = asyncio.create_task(running.run(cell, work, {}, lambda: nothing, "/", lambda text: told.set()))
    await asyncio.wait_for(told.wait(), 10)
    began = time.monotonic()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    while group_lives(started[0]):  # KILL is on its way to all of it
        assert time.monotonic() - began < 0.3
        await asyncio.sleep(0.005)
    assert time.monotonic() - began < 0.3


_PARENT = """
import asyncio, os, sys
sys.path.insert(0, sys.argv[1])
from app.platform.sandbox.probe import probe
from app.toolbox.own import process, running

async def main():
    child = await process.start(probe(os.environ), os.environ)
    cell = running.Cell(probe(os.environ), os.environ)
    await running._begin(child, cell, running.Work("trial", sys.stdin.read(), True), do="run", arguments={},
                         cwd="/")
    print((await child.receive())["text"], child.pid, flush=True)
    await asyncio.sleep(600)

asyncio.run(main())
"""


async def test_no_child_outlives_a_killed_parent(folder: Path) -> None:
    root = str(Path(running.__file__).parents[3])
    parent = await asyncio.create_subprocess_exec(
        sys.executable, "-P", "-c", _PARENT, root,
        stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
    )  # fmt: skip
    assert parent.stdin and parent.stdout
    parent.stdin.write(source("context.progress('at it')\nwhile True:\n    pass").encode())
    parent.stdin.close()
    said, group = (await asyncio.wait_for(parent.stdout.readline(), 20)).decode().rsplit(maxsplit=1)
    assert said == "at it" and group_lives(int(group))
    parent.kill()
    await parent.wait()
    async with asyncio.timeout(5):
        while group_lives(int(group)):
            await asyncio.sleep(0.02)


async def test_a_child_that_nothing_holds_is_not_run(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither a room nor the seal, as on a system without both: only who was told so may run it."""
    open_cell = Cell(Probe("none"), os.environ, Limits(seconds=10))
    begin = running.Child.receive

    async def unsealed(child: running.Child) -> dict[str, object]:
        message = await begin(child)
        return message | {"sealed": False} if message["kind"] == "ready" else message

    monkeypatch.setattr(running.Child, "receive", unsealed)
    with pytest.raises(ToolFailed, match="nothing on this computer holds it"):
        await said(open_cell, "return ToolResult('x')", folder)
    told = Cell(Probe("none"), os.environ, Limits(seconds=10), unsealed=True)
    assert (await said(told, "return ToolResult('x')", folder)).text == "x"

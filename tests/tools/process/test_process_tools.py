"""The process tools on real processes: those that go, stay, belong to others, or are another by now."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

from app.capabilities import processes
from app.capabilities.gate import Gate
from app.capabilities.processes import ProcessEnder
from app.errors import Refused, ToolError
from app.permissions.policy import policy
from app.platform.ending import Identity, lives, send_end
from app.records import ActionEffect, Answer, Decision, Effect
from app.toolbox.registry import load_registry
from app.toolbox.schema import validate
from tools import ReadContext, ToolContext, ToolResult

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals are those of Unix")
READY = "import signal, sys, time; {}; print('ready', flush=True); time.sleep(600)"
Start = Callable[..., subprocess.Popen[str]]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Start Python under a name of its own; returns once it says that it is ready."""
    begun: list[subprocess.Popen[str]] = []

    def begin(name: str, code: str = "pass", *words: str) -> subprocess.Popen[str]:
        program = tmp_path / name
        if not program.exists():
            program.symlink_to(sys.executable)
        argv = [str(program), "-I", "-S", "-c", READY.format(code), *words]
        process = subprocess.Popen(argv, stdout=subprocess.PIPE, text=True)
        begun.append(process)
        assert process.stdout and process.stdout.readline() == "ready\n"
        return process

    yield begin
    for process in begun:
        process.kill()
        process.wait()
        assert process.stdout
        process.stdout.close()


class Desk:
    """Calls tools and notes what is asked."""

    def __init__(self) -> None:
        self.asked: list[ActionEffect] = []
        self.answer = Answer(decision="allow", by="test")
        self.rules: list[str] = []
        self.meanwhile: Callable[[], None] = lambda: None

    async def call(self, tool: str, arguments: str = "{}") -> ToolResult:
        entry = load_registry().tools[tool]
        gate = Gate(tool, policy("/", self.rules), self._ask)
        kind = ReadContext if entry.read_only else ToolContext
        context = kind("/", None, None, processes=ProcessEnder(gate))  # type: ignore[arg-type]
        return await entry.function(context, **validate(entry.function, arguments))

    async def _ask(self, effect: Effect, decision: Decision) -> Answer:
        assert isinstance(effect, ActionEffect)
        self.asked.append(effect)
        self.meanwhile()
        return self.answer


@pytest.fixture
def desk() -> Desk:
    return Desk()


# --- looking -----------------------------------------------------------------------------------------------


async def test_processes_are_listed_with_what_they_use(desk: Desk, start: Start) -> None:
    endless = "lambda: sum(0 for _ in iter(int, 1))"
    busy = start("brambusy", f"import threading; threading.Thread(target={endless}, daemon=True).start()")
    idle = start("bramidle", "held = bytearray(60_000_000)")
    found = await desk.call("list_processes", '{"filter": "bram", "sort": "memory"}')
    lines = [line for line in found.text.split("\n") if line.startswith((f"{busy.pid} ", f"{idle.pid} "))]
    assert lines[0].startswith(f"{idle.pid} ") and "MiB" in lines[0]
    by_cpu = await desk.call("list_processes", '{"filter": "brambusy", "limit": 1}')
    row = by_cpu.data["rows"][0]
    assert row[0] == str(busy.pid) and float(row[2]) > 5.0
    assert (await desk.call("list_processes", '{"filter": "no such thing at all"}')).summary == "none"
    assert desk.asked == []


async def test_secrets_of_command_lines_are_not_told(desk: Desk, start: Start) -> None:
    words = ("--password", "hunter2", "--api-key=abc123", "https://me:pw99@h.x/", "ghp_" + "a" * 20)
    start("bramsecret", "pass", *words)
    found = await desk.call("list_processes", '{"filter": "bramsecret"}')
    assert "--password ***" in found.text and "https://***@h.x/" in found.text
    for secret in ("hunter2", "abc123", "pw99", "ghp_a"):
        assert secret not in found.text


@pytest.mark.parametrize(
    ("family", "kind", "host", "shown"),
    [
        (socket.AF_INET, socket.SOCK_STREAM, "127.0.0.1", "tcp 127.0.0.1"),
        (socket.AF_INET6, socket.SOCK_STREAM, "::1", "tcp [::1]"),
        (socket.AF_INET, socket.SOCK_DGRAM, "127.0.0.1", "udp 127.0.0.1"),
        (socket.AF_INET6, socket.SOCK_DGRAM, "::1", "udp [::1]"),
    ],
    ids=["tcp4", "tcp6", "udp4", "udp6"],
)
async def test_who_waits_on_a_port(
    desk: Desk, family: socket.AddressFamily, kind: socket.SocketKind, host: str, shown: str
) -> None:
    try:
        made = socket.socket(family, kind)
        made.bind((host, 0))
    except OSError:
        pytest.skip("there is no such address here")
    with made:
        if kind is socket.SOCK_STREAM:
            made.listen()
        port = made.getsockname()[1]
        found = await desk.call("port_status", f'{{"port": {port}}}')
        assert f"{shown}:{port} " in found.text and f"pid {os.getpid()}" in found.text
        mine = [row for row in found.data["rows"] if row[3] == str(os.getpid())]
        assert found.view == "table" and mine[0][:3] == [*shown.split(), str(port)]
        other = "udp" if kind is socket.SOCK_STREAM else "tcp"
        none = await desk.call("port_status", f'{{"port": {port}, "protocol": "{other}"}}')
        assert none.summary == "free" and "Nothing listens" in none.text
        every = await desk.call("port_status", '{"port": 0}')
        assert f"{shown}:{port} " in every.text


# --- ending ------------------------------------------------------------------------------------------------


async def test_a_process_ends_and_that_is_looked_at(desk: Desk, start: Start) -> None:
    process = start("bramone")
    found = await desk.call("kill_process", f'{{"pid": {process.pid}}}')
    assert found.ok and "has ended. [verified]" in found.text and process.wait() == -signal.SIGTERM
    effect = desk.asked[0]
    assert effect.kind == "end_process" and f"pid {process.pid}" in effect.details and not effect.loses


async def test_all_of_one_name_end_and_no_other(desk: Desk, start: Start) -> None:
    first, second, other = start("bramtwin"), start("bramtwin"), start("bramtwins")
    found = await desk.call("kill_process", '{"name": "bramtwin"}')
    assert found.ok and found.summary == "2 of 2 ended"
    assert first.wait() and second.wait() and other.poll() is None
    assert desk.asked[0].details.count("\n") == 1, "both were shown"


async def test_the_listener_of_a_port_ends(desk: Desk, start: Start) -> None:
    code = (
        "import socket; s = socket.create_server(('127.0.0.1', 0)); "
        "open(sys.argv[1], 'w').write(str(s.getsockname()[1]))"
    )
    import tempfile

    with tempfile.NamedTemporaryFile() as note:
        process = start("bramport", code, note.name)
        port = int(Path(note.name).read_text())
    found = await desk.call("kill_process", f'{{"port": {port}}}')
    assert found.ok and process.wait() == -signal.SIGTERM
    with pytest.raises(ToolError, match="nothing waits there"):
        await desk.call("kill_process", f'{{"port": {port}}}')


async def test_one_that_does_not_hear_is_told_and_force_ends_it(
    desk: Desk, start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(processes, "_TERM_SECONDS", 0.3)
    process = start("bramdeaf", "signal.signal(signal.SIGTERM, signal.SIG_IGN)")
    found = await desk.call("kill_process", f'{{"pid": {process.pid}}}')
    assert not found.ok and "has not ended" in found.text and "[unverified]" in found.text
    forced = await desk.call("kill_process", f'{{"pid": {process.pid}, "force": true}}')
    assert forced.ok and process.wait() == -signal.SIGKILL
    assert [effect.loses for effect in desk.asked] == [False, True]


async def test_a_halted_process_ends_too(desk: Desk, start: Start) -> None:
    process = start("bramhalted")
    process.send_signal(signal.SIGSTOP)
    assert (await desk.call("kill_process", f'{{"pid": {process.pid}}}')).ok
    assert process.wait() == -signal.SIGTERM


async def test_one_that_went_while_the_person_thought(desk: Desk, start: Start) -> None:
    process = start("bramgone")

    def end() -> None:
        process.kill()
        process.wait()

    desk.meanwhile = end
    found = await desk.call("kill_process", f'{{"pid": {process.pid}}}')
    assert found.ok and "had ended before" in found.text


def test_another_with_the_same_number_is_left_alone(start: Start) -> None:
    process = start("bramreused")
    began = psutil.Process(process.pid).create_time()
    assert send_end(Identity(process.pid, began - 10), force=True) == "another"
    assert process.poll() is None and lives(Identity(process.pid, began))
    assert send_end(Identity(process.pid, began), force=True) == "sent"
    process.wait()
    assert send_end(Identity(process.pid, began), force=True) == "gone"


async def test_a_dead_one_that_nobody_collected(desk: Desk) -> None:
    process = subprocess.Popen(["true"])
    os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)  # it has ended, and is still there
    try:
        with pytest.raises(ToolError, match="has ended already"):
            await desk.call("kill_process", f'{{"pid": {process.pid}}}')
    finally:
        process.wait()
    assert desk.asked == []


async def test_neither_itself_nor_what_it_runs_in(desk: Desk) -> None:
    for pid in (os.getpid(), os.getppid(), 1):
        with pytest.raises(ToolError, match="what it runs in"):
            await desk.call("kill_process", f'{{"pid": {pid}}}')
    own = psutil.Process().name()
    with pytest.raises(ToolError, match="what it runs in"):
        await desk.call("kill_process", f'{{"name": "{own}"}}')
    with socket.create_server(("127.0.0.1", 0)) as server, pytest.raises(ToolError, match="what it runs in"):
        await desk.call("kill_process", f'{{"port": {server.getsockname()[1]}}}')
    assert desk.asked == []


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can be another user")
async def test_the_process_of_another_user_is_not_ended(start: Start) -> None:
    process = start("bramtheirs")
    began = psutil.Process(process.pid).create_time()
    code = (
        "import os, sys; sys.path.insert(0, sys.argv[1]); import psutil\n"
        "from app.platform.ending import Identity, send_end\n"
        "os.setuid(65534)\n"  # from here on without rights over the other one
        "print(send_end(Identity(int(sys.argv[2]), float(sys.argv[3])), force=True))"
    )
    root = Path(__file__).parents[3]
    words = [sys.executable, "-P", "-c", code, str(root), str(process.pid), repr(began)]
    told = subprocess.run(words, capture_output=True, text=True, check=True)
    assert told.stdout == "refused\n"
    assert process.poll() is None


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ("{}", "Name one of"),
        ('{"pid": 4, "name": "x"}', "Name one of"),
        ('{"pid": 99999999}', "no process 99999999"),
        ('{"name": "no such program"}', "No process is called"),
        ('{"name": "kthreadd"}', "No process is called"),
    ],
)
async def test_what_cannot_be_meant(desk: Desk, arguments: str, says: str) -> None:
    with pytest.raises(ToolError, match=says):
        await desk.call("kill_process", arguments)
    assert desk.asked == []


async def test_no_means_that_it_goes_on(desk: Desk, start: Start) -> None:
    process = start("bramstays")
    desk.answer = Answer(decision="deny", by="test")
    with pytest.raises(Refused, match="said no"):
        await desk.call("kill_process", f'{{"pid": {process.pid}}}')
    assert process.poll() is None


async def test_a_rule_for_one_name(desk: Desk, start: Start) -> None:
    process, other = start("bramruled"), start("bramother")
    name = psutil.Process(process.pid).name()
    desk.rules = [f"kill_process({name})"]
    assert (await desk.call("kill_process", f'{{"pid": {process.pid}}}')).ok and desk.asked == []
    assert other.poll() is None


async def test_many_processes_do_not_hold_up_the_loop(desk: Desk) -> None:
    beats = 0

    async def beat() -> None:
        nonlocal beats
        while True:
            await asyncio.sleep(0.01)
            beats += 1

    beating = asyncio.ensure_future(beat())
    await desk.call("list_processes")
    beating.cancel()
    assert beats > 5

"""What the sandbox must hold back, tried for real in each layer that this machine has."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from tests.platform.sandbox.cell import LAYERS, Cell, make_cell

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="there is a sandbox on Linux only")
CONNECT = "python3 -c 'import socket, sys; s = socket.socket({family}, {kind}); s.connect({address}); {then}'"


@pytest.fixture(params=LAYERS)
async def cell(request: pytest.FixtureRequest) -> AsyncIterator[Cell]:
    async for cell in make_cell(request.param):
        yield cell


@pytest.fixture
def listening(cell: Cell) -> Iterator[socket.socket]:
    """A server of somebody else, at a path outside of the working folder."""
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(cell.outside / "docker.sock"))
        server.listen()
        server.setblocking(False)
        yield server


def unvisited(server: socket.socket) -> bool:
    """Whether nobody has connected to it."""
    try:
        server.accept()
    except BlockingIOError:
        return True
    return False


def connect(family: str, kind: str, address: str, then: str = "pass") -> str:
    """Return a command that connects; it fails where that is refused."""
    return CONNECT.format(family=f"socket.{family}", kind=f"socket.{kind}", address=address, then=then)


WRITES = (
    "echo x > {out}/new",
    "echo x >> {out}/letter",
    "rm {out}/letter",
    "mv {out}/letter here",
    "mkdir {out}/folder",
    "truncate -s 0 {out}/letter",
    "ln {out}/letter hard && echo x >> hard",
    "ln -s {out} link && echo x > link/new",
    "ln -s {out}/letter link && echo x >> link",
    "echo x > /proc/self/root{out}/new",
    "echo x > /proc/self/cwd/../person/papers/new",
    "echo x > /proc/1/root{out}/new",
    "mkdir at && mount --bind {out}/.. at && echo x > at/papers/new",
    "mkdir at && unshare -rm mount --bind {out}/.. at && echo x > at/papers/new",
    "mount -o remount,rw / && echo x > {out}/new",
    "unshare -rm sh -c 'mount -o remount,rw,bind / && echo x > {out}/new'",
    "cp /bin/true {out}/program",
    "python3 -c 'import os; os.mkfifo(\"{out}/pipe\")'",
    "echo x > /etc/bramble-was-here",
    "echo x > /usr/bin/bramble-was-here",
    "echo x > $HOME/.bashrc",
)


@pytest.mark.parametrize("command", WRITES)
async def test_nothing_is_written_outside(cell: Cell, command: str) -> None:
    result = await cell.run(command.format(out=cell.outside))
    assert result.exit != 0, result.output
    assert [path.name for path in cell.outside.iterdir()] == ["letter"]
    assert (cell.outside / "letter").read_text() == "dear"
    assert not os.path.exists("/etc/bramble-was-here") and not os.path.exists("/usr/bin/bramble-was-here")
    assert not (cell.root / "person/.bashrc").exists()


@pytest.mark.parametrize(
    "command",
    [
        "cat $HOME/.ssh/id_test",
        "cat /proc/self/root$HOME/.ssh/id_test",
        "ln -s $HOME/.ssh/id_test link; cat link",
        "ln $HOME/.ssh/id_test hard; cat hard",
        "cd $HOME/.ssh; cat id_test",
        "cp -r $HOME/.ssh copy; cat copy/id_test",
        "tar cf - $HOME/.ssh",
    ],
)
async def test_a_key_is_not_read(cell: Cell, command: str) -> None:
    assert "the key" not in (await cell.run(command)).output


async def test_our_own_data_are_neither_read_nor_written(cell: Cell) -> None:
    cell.home.database.write_text("conversations")
    cell.home.settings.write_text("sandbox = 'auto'")
    data, settings = cell.home.database, cell.home.settings
    result = await cell.run(f"cat {data} {settings}; echo x > {data}; echo 'sandbox = \"off\"' > {settings}")
    assert result.exit != 0 and "conversations" not in result.output
    assert data.read_text() == "conversations" and settings.read_text() == "sandbox = 'auto'"


async def test_a_scratch_folder_of_ours_is_a_working_folder_like_any_other(cell: Cell) -> None:
    folder = cell.home.scratch / "s1"
    folder.mkdir()
    held = await cell.sandbox.confine("s1", str(folder), "folder")
    job = await cell.jobs.start("s1", "echo x > made; ls ..", str(folder), confinement=held)
    await job.wait(job.over, 30)
    assert (folder / "made").read_text() == "x\n"


async def test_the_logs_of_long_outputs_can_be_read(cell: Cell) -> None:
    log = cell.home.spill / "s1" / "j1.log"
    log.parent.mkdir()
    log.write_text("long ago")
    assert (await cell.run(f"cat {log}")).output == "long ago"
    assert "long ago" not in (await cell.run(f"cat {log}", session="s2")).output, "another conversation"


@pytest.mark.parametrize("kind", ["SOCK_STREAM", "SOCK_DGRAM"])
@pytest.mark.parametrize("family", ["AF_INET", "AF_INET6"])
async def test_there_is_no_network(cell: Cell, family: str, kind: str) -> None:
    address = "127.0.0.1" if family == "AF_INET" else "::1"
    with socket.socket(getattr(socket, family), getattr(socket, kind)) as server:
        server.bind((address, 0))
        if kind == "SOCK_STREAM":
            server.listen()
        server.settimeout(0.3)
        place = f'("{address}", {server.getsockname()[1]})'
        result = await cell.run(connect(family, kind, place, 's.send(b"out")'))
        with pytest.raises(TimeoutError):
            server.accept() if kind == "SOCK_STREAM" else server.recv(10)
    assert result.exit != 0 or kind == "SOCK_DGRAM"


async def test_the_network_can_be_asked_for(cell: Cell) -> None:
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen()
        command = connect("AF_INET", "SOCK_STREAM", f'("127.0.0.1", {server.getsockname()[1]})')
        result = await cell.run(f"{command} && echo x > {cell.outside}/new", "network")
        server.settimeout(5)
        server.accept()[0].close()
    assert result.exit != 0 and not (cell.outside / "new").exists(), "only the network is open"


@pytest.mark.parametrize("reach", ["folder", "network"])
async def test_a_socket_of_docker_is_out_of_reach(cell: Cell, listening: socket.socket, reach: str) -> None:
    command = connect("AF_UNIX", "SOCK_STREAM", f'"{listening.getsockname()}"')
    result = await cell.run(command, reach)  # type: ignore[arg-type]
    assert result.exit != 0 and unvisited(listening)


@pytest.mark.parametrize("reach", ["folder", "network"])
async def test_a_socket_without_a_path_is_out_of_reach(cell: Cell, reach: str) -> None:
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(f"\0bramble-test-{os.getpid()}")
        server.listen()
        server.setblocking(False)
        name = f'"\\0bramble-test-{os.getpid()}"'
        result = await cell.run(connect("AF_UNIX", "SOCK_STREAM", name), reach)  # type: ignore[arg-type]
        assert result.exit != 0 and unvisited(server)


async def test_d_bus_is_out_of_reach(cell: Cell) -> None:
    if not shutil.which("dbus-daemon") or not shutil.which("dbus-send"):
        pytest.skip("dbus-daemon is not installed")
    address = f"unix:path={cell.outside}/bus"
    bus = subprocess.Popen(
        ["dbus-daemon", "--session", "--nofork", f"--address={address}", "--print-address=1"],
        stdout=subprocess.PIPE,
    )
    try:
        assert bus.stdout and bus.stdout.readline().startswith(b"unix:path")
        ask = "dbus-send --session --print-reply --dest=org.freedesktop.DBus / org.freedesktop.DBus.ListNames"
        environ = {**os.environ, "DBUS_SESSION_BUS_ADDRESS": address}
        assert subprocess.run(ask.split(), env=environ, capture_output=True).returncode == 0, "it answers us"
        result = await cell.run(f"DBUS_SESSION_BUS_ADDRESS={address} {ask}")
        assert result.exit != 0 and "org.freedesktop" not in result.output.replace(ask, "")
    finally:
        bus.kill()
        bus.wait()
        if bus.stdout:
            bus.stdout.close()


async def test_an_ssh_agent_is_out_of_reach(cell: Cell) -> None:
    if not shutil.which("ssh-agent"):
        pytest.skip("ssh-agent is not installed")
    place = cell.outside / "agent"
    agent = subprocess.Popen(["ssh-agent", "-D", "-a", str(place)], stdout=subprocess.PIPE)
    try:
        assert agent.stdout and agent.stdout.readline()
        environ = {**os.environ, "SSH_AUTH_SOCK": str(place)}
        seen = subprocess.run(["ssh-add", "-l"], env=environ, capture_output=True, text=True)
        assert "no identities" in seen.stdout, "it answers us"
        result = await cell.run(f"SSH_AUTH_SOCK={place} ssh-add -l")
        assert result.exit == 2 and "no identities" not in result.output
    finally:
        agent.kill()
        agent.wait()
        if agent.stdout:
            agent.stdout.close()


async def test_processes_outside_are_neither_read_nor_ended(cell: Cell) -> None:
    secret = subprocess.Popen(["sleep", "600"], env={"SECRET": "hidden-word"})
    try:
        attach = (
            "import ctypes, os; libc = ctypes.CDLL(None, use_errno=True); "
            f"r = libc.ptrace(16, {secret.pid}, 0, 0); os._exit(0 if r == 0 else 1)"
        )
        for command in (
            f"cat /proc/{secret.pid}/environ",
            f"ls /proc/{secret.pid}/root/",
            f"cat /proc/{secret.pid}/mem",
            f"kill -9 {secret.pid}",
            f"python3 -c '{attach}'",
        ):
            result = await cell.run(command)
            assert result.exit != 0 and "hidden-word" not in result.output, command
        await cell.run("cat /proc/*/environ; kill -9 -1")
        assert secret.poll() is None
    finally:
        secret.send_signal(signal.SIGKILL)
        secret.wait()


async def test_the_first_process_of_the_system_is_not_read(cell: Cell) -> None:
    result = await cell.run("cat /proc/1/environ | tr '\\0' '\\n'")
    try:
        known = Path("/proc/1/environ").read_bytes().split(b"\0")
    except PermissionError:
        known = []  # and so it is not read in there either
    ours = {f"{name}={value}" for name, value in os.environ.items()}
    others = {entry.decode(errors="replace") for entry in known} - ours - {""}
    assert not others & set(result.output.splitlines())


async def test_a_session_has_a_tmp_of_its_own(cell: Cell) -> None:
    assert (await cell.run("echo kept > $TMPDIR/file; umask")).exit == 0
    assert (await cell.run("cat $TMPDIR/file")).output == "kept\n"
    assert (await cell.run("cat $TMPDIR/file", session="s2")).exit != 0
    assert (cell.home.cache / "tmp/s1/file").stat().st_mode & 0o077 in (0o044, 0o000)


async def test_what_was_allowed_outside_can_be_written(cell: Cell) -> None:
    letter = str(cell.outside / "letter")
    result = await cell.run(f"echo more >> {letter}; echo x > {cell.outside}/other", writable=[letter])
    assert (cell.outside / "letter").read_text() == "dearmore\n"
    assert result.exit != 0 and not (cell.outside / "other").exists()


async def test_a_new_file_that_was_allowed_can_be_made(cell: Cell) -> None:
    new = str(cell.outside / "new")
    assert (await cell.run(f"echo x > {new}", writable=[new])).exit == 0
    home = str(cell.root / "person" / "file")
    assert (await cell.run(f"echo x > {home}", writable=["/file"])).exit != 0


@pytest.mark.parametrize(
    "command",
    [
        "for disk in /dev/vda /dev/sda /dev/nvme0n1 /dev/xvda; do head -c 1 $disk && exit 0; done; exit 1",
        "cat /proc/sys/vm/swappiness > /proc/sys/vm/swappiness",
        "cat /proc/sys/kernel/core_pattern > /proc/sys/kernel/core_pattern",
        "test -w /proc/sysrq-trigger && echo h > /proc/sysrq-trigger",
        "head -c 1 /proc/kcore > core && test -s core",
        "mkdir /sys/fs/cgroup/bramble-test",
        "mknod disk b 254 0 && head -c 1 disk",
        "chroot / true",
        "unshare -m true",
        "su -c true nobody",
    ],
)
async def test_the_rights_of_root_are_gone(cell: Cell, command: str) -> None:
    assert (await cell.run(command)).exit != 0

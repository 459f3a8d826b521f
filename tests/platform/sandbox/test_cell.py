"""The room of a child that runs code of others, and the seal: what each layer really leaves."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from app.platform.sandbox import cell, landlock, seal
from app.platform.sandbox.confinement import Probe, covers
from app.platform.sandbox.probe import probe

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="these layers are Linux")

_LOOK = """
import os, socket, sys
tried = {
    "home": lambda: os.listdir(sys.argv[1]),
    "file": lambda: open(sys.argv[2]).read(),
    "passwords": lambda: open("/etc/passwd").read(),
    "write": lambda: open("/tmp/bramble-cell", "w"),
    "beside": lambda: open(sys.argv[1] + "/new", "w"),
    "ours": lambda: open(sys.argv[3], "a"),
    "network": lambda: socket.create_connection(("127.0.0.1", int(sys.argv[4])), 2),
}
for name, work in tried.items():
    try:
        work()
        print(name)
    except OSError:
        pass
import msgspec, json
print("python works")
"""


@pytest.fixture(params=["bubblewrap", "landlock"])
def found(request: pytest.FixtureRequest) -> Probe:
    """Each layer of this machine."""
    best = probe(os.environ)
    if request.param == "bubblewrap" and best.layer == "bubblewrap":
        return best
    if request.param == "landlock" and landlock.abi() >= landlock.LEAST:
        return Probe("landlock", abi=landlock.abi())
    pytest.skip(f"no {request.param} here")


def test_it_sees_python_and_nothing_of_a_person(found: Probe, tmp_path: Path) -> None:
    import socket

    secret = tmp_path / "secret"
    secret.write_text("x")
    ours = str(Path(cell.__file__))
    with socket.create_server(("127.0.0.1", 0)) as server, cell.walls(found) as (argv, kept):
        port = str(server.getsockname()[1])
        done = subprocess.run(
            [*argv, sys.executable, "-P", "-c", _LOOK, str(tmp_path), str(secret), ours, port],
            pass_fds=kept, cwd="/", capture_output=True, text=True, timeout=30,
        )  # fmt: skip
    assert done.stdout.split("\n")[:-1] == ["python works"], done.stderr


def test_no_home_and_no_folder_of_folders_is_in_it() -> None:
    home = os.path.realpath(os.path.expanduser("~"))
    found = cell.places()
    assert not any(covers(place, home) for place in found)
    assert not set(found) & {"/", "/home", "/root", "/etc", "/tmp", "/var", "/run"}
    assert any(covers(place, os.path.realpath(sys.executable)) for place in found)


@pytest.mark.skipif(not seal.available(), reason="no such filter here")
def test_the_seal_holds_for_all_threads_and_for_good() -> None:
    script = """
import sys; sys.path.insert(0, sys.argv[1])
import os, threading
from app.platform.sandbox import seal
go, done = threading.Event(), []
def other():
    go.wait()
    try:
        os.listdir("/")
        done.append("listed")
    except PermissionError:
        done.append("refused")
thread = threading.Thread(target=other)
thread.start()
seal.bound(512 << 20, 10)
sealed = seal.seal()
go.set()
thread.join()
try:
    held = bytes(600 << 20)
    done.append("large")
except MemoryError:
    done.append("bounded")
os.write(1, f"{sealed} {done}".encode())
"""
    root = str(Path(cell.__file__).parents[3])
    done = subprocess.run(
        [sys.executable, "-P", "-c", script, root], capture_output=True, text=True, timeout=30
    )
    assert done.stdout == "True ['refused', 'bounded']", done.stderr

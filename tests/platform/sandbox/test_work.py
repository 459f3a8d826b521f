"""Ordinary work goes on in the sandbox, and odd working folders are what they are outside."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from app.errors import ToolError
from app.platform.sandbox import bubblewrap
from app.platform.sandbox.confinement import covers
from tests.platform.sandbox.cell import LAYERS, Cell, make_cell

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="there is a sandbox on Linux only")
MAKEFILE = "all: made\nmade: ; cp Makefile made\n"
MISSED = {"make": "make --version", "python3 -m pip": "python3 -m pip --version"}
"""What a machine may lack, by the beginning of the command that needs it, and how to see that."""
COMMIT = "git -c user.name=a -c user.email=a@b commit -qm one"


@pytest.fixture(params=LAYERS)
async def cell(request: pytest.FixtureRequest) -> AsyncIterator[Cell]:
    async for cell in make_cell(request.param):
        yield cell


@pytest.fixture
async def walls() -> AsyncIterator[Cell]:
    """A cell of bubblewrap."""
    async for cell in make_cell("bubblewrap"):
        yield cell


@pytest.mark.parametrize(
    "command",
    [
        f"git init -q . && git add . && {COMMIT} && git log --oneline",
        "make && test -e made",
        "python3 -m py_compile work.py && python3 work.py",
        "python3 -m pip --help > /dev/null",
        "python3 -c 'import asyncio; asyncio.run(asyncio.sleep(0))'",
        "python3 -c 'import multiprocessing as m; m.Lock(); p = m.Process(target=id); p.start(); p.join()'",
        "find . -name '*.py' | xargs wc -l && sort work.py | uniq > sorted && sed -i s/1/2/ work.py",
        "tar cf all.tar work.py Makefile && mkdir out && tar xf all.tar -C out",
        "mkdir a && mv work.py a && chmod 600 a/work.py && ln -s a/work.py link && cp -a a b && rm -r a",
        "echo x > $(mktemp) && cat < /dev/null && head -c 9 /dev/urandom > random",
        "(echo child; sleep 0.1) & wait; kill -0 $$; trap 'echo end' EXIT",
        "id -un; date; hostname; ps > /dev/null",
    ],
)
async def test_ordinary_work_goes_on(cell: Cell, command: str) -> None:
    for name, look in MISSED.items():
        if command.startswith(name) and subprocess.run(look, shell=True, capture_output=True).returncode:
            pytest.skip(f"{name} is not installed")
    (cell.folder / "Makefile").write_text(MAKEFILE)
    (cell.folder / "work.py").write_text("print(1)\n")
    result = await cell.run(command)
    assert result.exit == 0, result.output


async def test_a_socket_in_the_folder_can_be_used(walls: Cell) -> None:
    serve = 'import socket; s = socket.socket(socket.AF_UNIX); s.bind("s"); s.listen(); s.accept()'
    call = 'import socket; s = socket.socket(socket.AF_UNIX); s.connect("s")'
    script = f"python3 -c '{serve}' & until [ -e s ]; do sleep 0.02; done; sleep 0.2; python3 -c '{call}'"
    result = await walls.run(script)
    assert result.exit == 0, result.output


async def test_commits_work_but_hooks_and_configuration_are_guarded(walls: Cell) -> None:
    subprocess.run(["git", "init", "-q", str(walls.folder)], check=True)
    (walls.folder / "file").write_text("1")
    assert (await walls.run(f"git add . && {COMMIT}")).exit == 0
    subprocess.run(["git", "init", "-q", str(walls.folder / "lib")], check=True)
    for command in (
        "echo ../evil > .git/commondir",
        "echo x > .git/new",
        "echo 'touch x' > lib/.git/hooks/pre-commit",
        "git -C lib config core.fsmonitor ./x",
        "mv lib/.git lib/old",
        "git worktree add .git/more",
        "echo 'touch x' > .git/hooks/pre-commit",
        "git config core.pager evil",
        "mv .git old && cp -r old .git && echo evil >> .git/config",
        "rm -rf .git/hooks && mkdir .git/hooks && touch .git/hooks/pre-commit",
        "mv .git/config .git/other",
    ):
        assert (await walls.run(command)).exit != 0, command
    assert "evil" not in (walls.folder / ".git/config").read_text()
    assert not (walls.folder / ".git/hooks/pre-commit").exists()
    assert (walls.folder / ".git").is_dir()


async def test_a_folder_behind_a_link(cell: Cell) -> None:
    real = cell.root / "real"
    cell.folder.rename(real)
    cell.folder.symlink_to(real)
    result = await cell.run("echo x > made; pwd -P")
    assert (real / "made").exists() and result.output == f"{real}\n"


async def test_a_link_out_of_the_folder_is_read_but_not_written(cell: Cell) -> None:
    (cell.folder / "out").symlink_to(cell.outside)
    result = await cell.run("cat out/letter; echo x > out/letter")
    assert result.output.startswith("dear") and result.exit != 0
    assert (cell.outside / "letter").read_text() == "dear"


async def test_a_folder_that_vanished(cell: Cell) -> None:
    held = await cell.sandbox.confine("s1", str(cell.folder), "folder")
    cell.folder.rmdir()
    with pytest.raises(ToolError) as caught:
        await cell.jobs.start("s1", "echo x", str(cell.folder), confinement=held)
    assert caught.value.code == "no_folder"


async def test_a_folder_that_cannot_be_written(cell: Cell) -> None:
    if shutil.which("mount") is None or os.geteuid() != 0:
        pytest.skip("mounting needs root")
    mounted = cell.folder / "disk"
    mounted.mkdir()
    mount = subprocess.run(["mount", "-t", "tmpfs", "-o", "ro", "tmpfs", str(mounted)], capture_output=True)
    if mount.returncode:
        pytest.skip("mounting is not allowed here")
    try:
        assert (await cell.run("echo x > disk/made")).exit != 0
        held = await cell.sandbox.confine("s1", str(mounted), "folder")
        job = await cell.jobs.start("s1", "pwd; echo x > made", str(mounted), confinement=held)
        await job.wait(job.over, 30)
        assert job.exit != 0 and str(mounted).encode() in job.log.read().head
    finally:
        subprocess.run(["umount", str(mounted)], check=True)


async def test_a_sandbox_that_cannot_be_set_up_runs_nothing(walls: Cell) -> None:
    held = await walls.sandbox.confine("s1", str(walls.folder), "folder")
    shutil.rmtree(walls.home.cache / "tmp")
    with pytest.raises(ToolError) as caught:
        await walls.jobs.start("s1", "touch made", str(walls.folder), confinement=held)
    assert caught.value.code == "no_sandbox" and not (walls.folder / "made").exists()


async def test_another_user_is_held_as_well(walls: Cell) -> None:
    """Where we are root, bubblewrap needs no user namespace; everybody else's way is tried here."""
    if os.geteuid() != 0 or shutil.which("setpriv") is None:
        pytest.skip("needs root to become somebody else")
    held = await walls.sandbox.confine("s1", str(walls.folder), "folder")
    assert held
    os.chown(held.temporary, 65534, 65534)
    os.chown(walls.folder, 65534, 65534)
    for place in (walls.root, walls.root / "person", walls.home.data.parent, walls.home.cache):
        place.chmod(0o755)
    (walls.home.cache / "tmp").chmod(0o755)
    walls.outside.chmod(0o777)
    ours = str(Path.home())  # what is hidden in root's own home is out of this one's sight anyway
    held = replace(held, masked=tuple(one for one in held.masked if not covers(ours, one)))
    argv = bubblewrap.arguments(held, str(walls.folder), 2)
    become = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
    script = f"echo x > made && cat {walls.root}/person/.ssh/id_test; echo x > {walls.outside}/new"
    done = subprocess.run([*become, *argv, "/bin/sh", "-c", script], capture_output=True, text=True)
    if "setting up uid map" in done.stderr or "No permissions to create" in done.stderr:
        pytest.skip(f"user namespaces are forbidden here: {done.stderr}")
    assert (walls.folder / "made").exists(), done.stderr
    assert done.returncode != 0 and "the key" not in done.stdout and not (walls.outside / "new").exists()

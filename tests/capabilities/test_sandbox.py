"""The sandbox of a process: looked for once, never widened in silence, kept apart by session."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from app.capabilities.sandbox import Sandbox
from app.permissions.places import is_secret
from app.platform.paths import Home, home
from app.platform.sandbox import places
from app.platform.sandbox.confinement import Probe, committing
from app.records import Problem

WALLS = Probe("bubblewrap", program="/usr/bin/bwrap", abi=7)


@pytest.fixture
def ours(tmp_path: Path) -> Home:
    return home({"BRAMBLE_HOME": str(tmp_path.resolve() / "bramble")})


async def test_it_is_looked_for_once(ours: Home) -> None:
    looks: list[int] = []

    def prober(environ: object) -> Probe:
        looks.append(1)
        return WALLS

    sandbox = Sandbox(ours, {}, prober=prober)
    assert sandbox.layer == "none", "before the first look nothing is promised"
    assert await sandbox.look() == await sandbox.look() == WALLS
    assert str(sandbox.layer) == "bubblewrap" and looks == [1]


async def test_switched_off_means_none(ours: Home, tmp_path: Path) -> None:
    wanted = [True]
    sandbox = Sandbox(ours, {}, wanted=lambda: wanted[0], prober=lambda environ: WALLS)
    assert sandbox.layer == "none"
    assert (await sandbox.look()).layer == sandbox.layer != "none"
    wanted[0] = False
    assert ((await sandbox.look()).layer, str(sandbox.layer)) == ("none", "none")
    assert await sandbox.confine("s1", str(tmp_path), "folder") is None


async def test_less_than_the_last_time_is_told_once(ours: Home) -> None:
    told: list[Problem] = []
    for probe in (WALLS, Probe("landlock", "Gone."), Probe("landlock"), Probe("none", "Old."), WALLS, WALLS):
        await Sandbox(ours, {}, tell=told.append, prober=lambda environ, probe=probe: probe).look()  # type: ignore[misc]
    assert [(problem.code, problem.detail) for problem in told] == [
        ("less_sandbox", "Gone."),
        ("less_sandbox", "Old."),
    ]


async def test_what_a_run_may_touch(ours: Home, tmp_path: Path) -> None:
    person, work = tmp_path.resolve() / "person", tmp_path.resolve() / "person/work"
    for folder in (".ssh", ".config/google-chrome", ".config/gh", ".mozilla", "work/.git/hooks", "Documents"):
        (person / folder).mkdir(parents=True)
    for file in (".netrc", ".config/gh/hosts.yml", "work/.git/config", "Documents/letter"):
        (person / file).touch()
    ours.make()
    environ = {"HOME": str(person), "XDG_RUNTIME_DIR": str(tmp_path / "run-of-person")}
    sandbox = Sandbox(ours, environ, secret=is_secret, prober=lambda environ: WALLS)
    letter = str(person / "Documents/letter")
    held = await sandbox.confine("s1", str(work), "network", [letter, f"{person}/.profile"])
    assert held and held.network
    assert held.writable == (str(work), letter), "a home is not opened for one new file in it"
    hidden = {os.path.relpath(path, person) for path in held.masked if path.startswith(str(person))}
    assert hidden == {".ssh", ".config/google-chrome", ".config/gh/hosts.yml", ".mozilla", ".netrc"}
    assert str(tmp_path.resolve() / "bramble") in held.masked
    assert held.guarded == (f"{work}/.git",)
    assert committing(held).guarded == (f"{work}/.git/hooks", f"{work}/.git/config")
    other = await sandbox.confine("s2", str(work), "folder")
    assert other and other.temporary != held.temporary and not other.network
    assert os.stat(held.temporary).st_mode & 0o077 == 0
    assert await sandbox.confine("s1", str(work), "all") is None


async def test_our_own_folder_is_never_opened(ours: Home) -> None:
    ours.make()
    sandbox = Sandbox(ours, {}, prober=lambda environ: WALLS)
    held = await sandbox.confine("s1", str(ours.data), "folder", [str(ours.settings.parent)])
    assert held and held.writable == ()


async def test_what_sessions_left_in_their_tmp_goes_in_time(ours: Home) -> None:
    old, new = ours.cache / "tmp/old", ours.cache / "tmp/new"
    for folder in (old, new):
        folder.mkdir(parents=True)
    (old / "link").symlink_to(new)
    os.utime(old, (0, 0))
    os.utime(new, (time.time(), time.time()))
    await Sandbox(ours, {}, prober=lambda environ: WALLS).look()
    assert new.is_dir() and not old.exists()


def test_listening_sockets_are_found(tmp_path: Path) -> None:
    import socket

    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(tmp_path / "a socket"))
        server.listen()
        assert os.path.realpath(tmp_path / "a socket") in set(places.sockets())

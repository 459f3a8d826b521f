"""The arguments of the layers follow from the record alone: the deepest place decides, parents come first."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from app.platform.sandbox import bubblewrap, landlock
from app.platform.sandbox.confinement import Confinement, covers, guarded

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="there is a sandbox on Linux only")


def mounts(run: Confinement) -> list[tuple[str, ...]]:
    """Return what bubblewrap mounts, in its order, without what every run has."""
    argv = bubblewrap.arguments(run, "/", 9)
    argv = argv[argv.index("--proc") + 2 :]
    found, at = [], 0
    lengths = {"--bind": 3, "--ro-bind": 3, "--tmpfs": 2, "--remount-ro": 2, "--setenv": 3, "--chdir": 2}
    while argv[at] != "--":
        found.append(tuple(argv[at : at + lengths[argv[at]]]))
        at += lengths[argv[at]]
    return [mount for mount in found if mount[0] not in ("--setenv", "--chdir")]


def test_a_folder_of_the_run_shows_through_what_hides_its_parent(tmp_path: Path) -> None:
    ours, work = tmp_path / "ours", tmp_path / "ours/workspaces/s1"
    work.mkdir(parents=True)
    run = Confinement("bubblewrap", "/cache/t", (str(work),), masked=(str(ours),))
    assert mounts(run) == [
        ("--bind", "/cache/t", "/tmp"),
        ("--tmpfs", str(ours)),
        ("--bind", str(work), str(work)),
        ("--remount-ro", str(ours)),
    ] or str(tmp_path).startswith("/tmp"), "below /tmp the hidden folder is hidden already"
    assert ("--bind", str(work), str(work)) in mounts(run)


def test_what_is_hidden_in_a_folder_stays_hidden(tmp_path: Path) -> None:
    keys = tmp_path / "keys"
    keys.mkdir()
    (tmp_path / "token").touch()
    masked = (str(keys), str(tmp_path / "token"))
    found = mounts(Confinement("bubblewrap", "/cache/t", (str(tmp_path),), masked=masked))
    assert found.index(("--bind", str(tmp_path), str(tmp_path))) < found.index(("--tmpfs", str(keys)))
    assert ("--ro-bind", "/dev/null", str(tmp_path / "token")) in found


def test_the_shared_tmp_as_working_folder_is_that_very_folder() -> None:
    assert ("--bind", "/tmp", "/tmp") in mounts(Confinement("bubblewrap", "/cache/t", ("/tmp",)))


def test_the_network_is_off_unless_it_is_asked_for() -> None:
    run = Confinement("bubblewrap", "/cache/t", ())
    assert "--unshare-net" in bubblewrap.arguments(run, "/", 9)
    open_ = Confinement("bubblewrap", "/cache/t", (), network=True)
    assert "--unshare-net" not in bubblewrap.arguments(open_, "/", 9)


def test_hooks_are_guarded_where_they_are(tmp_path: Path) -> None:
    root = tmp_path.resolve()
    assert guarded((str(root),)) == ()
    (root / ".git/hooks").mkdir(parents=True)
    (root / ".git/config").touch()
    assert guarded((str(root),)) == (f"{root}/.git",), "a new file in there suffices"
    run = Confinement("bubblewrap", "/cache/t", (str(root),), guarded=guarded((str(root),)))
    assert ("--ro-bind", f"{root}/.git", f"{root}/.git") in mounts(run)
    there = guarded((str(root),), commits=True)
    assert there == (f"{root}/.git/hooks", f"{root}/.git/config")
    found = mounts(Confinement("bubblewrap", "/cache/t", (str(root),), guarded=there))
    assert found.index(("--bind", f"{root}/.git", f"{root}/.git")) < found.index(
        ("--ro-bind", f"{root}/.git/hooks", f"{root}/.git/hooks")
    )


def test_repositories_below_the_folder_are_guarded_too(tmp_path: Path) -> None:
    root = tmp_path.resolve()
    for place in (
        "lib/.git/hooks",
        "a/b/c/.git",
        "a/b/c/d/.git",
        ".git/modules/m",
        ".git/modules/m/modules/n/hooks",
    ):
        (root / place).mkdir(parents=True)
    for file in (
        "lib/.git/config",
        ".git/modules/m/HEAD",
        ".git/modules/m/config",
        ".git/modules/m/modules/n/HEAD",
    ):
        (root / file).touch()
    (root / "tree").mkdir()  # and a/b/c/d is too deep, as the probe says
    (root / "tree/.git").write_text("gitdir: /elsewhere")
    (root / "link").symlink_to(root / "lib")
    assert set(guarded((str(root),))) == {
        f"{root}/.git", f"{root}/lib/.git", f"{root}/tree/.git", f"{root}/a/b/c/.git"
    }  # fmt: skip
    there = guarded((str(root),), commits=True)
    assert set(there) == {
        f"{root}/.git/modules/m/config", f"{root}/.git/modules/m/modules/n/hooks", f"{root}/lib/.git/hooks",
        f"{root}/lib/.git/config", f"{root}/tree/.git",
    }  # fmt: skip
    found = mounts(Confinement("bubblewrap", "/cache/t", (str(root),), guarded=there))
    assert ("--bind", f"{root}/lib/.git", f"{root}/lib/.git") in found


def allowed(run: Confinement) -> dict[str, int]:
    """Return the rights on each path that the launcher is told."""
    parts = landlock.rules(run).split(b"\0")
    refused = int(parts[4])
    pairs = parts[6 + refused :]
    found: dict[str, int] = {}
    for right, path in zip(pairs[::2], pairs[1::2], strict=True):
        found[os.fsdecode(path)] = found.get(os.fsdecode(path), 0) | int(right)
    assert int(parts[5]) * 2 == len(pairs)
    return found


def test_landlock_allows_the_neighbours_of_what_is_hidden(tmp_path: Path) -> None:
    home = tmp_path.resolve()
    for name in ("keys", "papers", "work"):
        (home / name).mkdir()
    (home / "link").symlink_to("keys")
    run = Confinement("landlock", str(home / "t"), (str(home / "work"),), masked=(str(home / "keys"),), abi=7)
    read, write = 1 << 2, 1 << 1
    found = allowed(run)
    assert found[str(home / "papers")] & read and not found[str(home / "papers")] & write
    assert found[str(home / "work")] & write
    hidden = {path for path in found if covers(path, str(home / "keys")) and found[path] & read}
    assert hidden == set() and str(home / "link") not in found


@pytest.mark.parametrize(("network", "count"), [(False, 6), (True, 1)])
def test_landlock_refuses_the_sockets_of_other_programs_always(network: bool, count: int) -> None:
    told = landlock.rules(Confinement("landlock", "/t", (), network=network, abi=7)).split(b"\0")
    assert int(told[4]) == count and told[6] == b"1"
    assert told[2] == (b"0" if network else b"3")


def test_an_older_landlock_is_not_told_of_what_it_does_not_know() -> None:
    for abi, files, net, scopes in (
        (3, (1 << 15) - 1, 0, 0),
        (4, (1 << 15) - 1, 3, 0),
        (5, (1 << 16) - 1, 3, 0),
    ):
        told = landlock.rules(Confinement("landlock", "/t", (), abi=abi)).split(b"\0")
        assert [int(number) for number in told[:4]] == [abi, files, net, scopes]

"""Folders by environment and system, and their creation."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from app.platform.paths import home, make_private

ROOT = Path(__file__).parents[2]


def test_bramble_home_holds_everything() -> None:
    found = home({"BRAMBLE_HOME": "/x/y", "HOME": "/home/me", "XDG_DATA_HOME": "/elsewhere"})
    assert found.settings == Path("/x/y/settings.toml")
    assert found.database == Path("/x/y/data/bramble.db")
    every = (found.spill, found.journal, found.backups, found.weights, found.scratch, found.logs, found.keys)
    assert all(path.is_relative_to("/x/y/data") for path in every)
    assert found.cache.is_relative_to("/x/y") and found.runtime.is_relative_to("/x/y")


def test_bramble_home_may_be_relative_and_may_name_the_persons_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path / "me"))
    assert home({"BRAMBLE_HOME": "sub"}).settings == tmp_path / "sub" / "settings.toml"
    assert home({"BRAMBLE_HOME": "~/b"}).settings == tmp_path / "me" / "b" / "settings.toml"


def test_xdg_folders_and_their_defaults() -> None:
    plain = home({"HOME": "/home/me"}, "linux")
    assert plain.settings == Path("/home/me/.config/bramble/settings.toml")
    assert plain.data == Path("/home/me/.local/share/bramble")
    assert plain.cache == Path("/home/me/.cache/bramble")
    assert plain.runtime == Path("/home/me/.cache/bramble/run")
    moved = home(
        {
            "HOME": "/home/me",
            "XDG_CONFIG_HOME": "/c",
            "XDG_DATA_HOME": "/d",
            "XDG_CACHE_HOME": "relative",
            "XDG_RUNTIME_DIR": "/run/user/7",
        },
        "linux",
    )
    assert (moved.settings, moved.data) == (Path("/c/bramble/settings.toml"), Path("/d/bramble"))
    assert moved.cache == Path("/home/me/.cache/bramble"), (
        "a relative path is ignored, as the specification says"
    )
    assert moved.runtime == Path("/run/user/7/bramble")


def test_the_other_systems_have_their_custom() -> None:
    mac = home({"HOME": "/Users/me"}, "darwin")
    assert mac.data == Path("/Users/me/Library/Application Support/bramble/data")
    assert mac.cache == Path("/Users/me/Library/Caches/bramble")
    windows = home({"USERPROFILE": "/u", "APPDATA": "/roam", "LOCALAPPDATA": "/local"}, "win32")
    assert windows.settings == Path("/roam/bramble/settings.toml")
    assert windows.data == Path("/local/bramble/data")


def test_nothing_is_made_before_make_and_then_for_the_owner_alone(tmp_path: Path) -> None:
    found = home({"BRAMBLE_HOME": str(tmp_path / "new")})
    assert not (tmp_path / "new").exists()
    assert found.make() is None
    for folder in (found.data, found.spill, found.journal, found.backups, found.runtime, found.cache):
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert found.make() is None, "a second time changes nothing"


def test_folders_that_exist_keep_their_mode(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    make_private(tmp_path)
    make_private(tmp_path / "a" / "b")
    assert stat.S_IMODE(tmp_path.stat().st_mode) == 0o755
    assert stat.S_IMODE((tmp_path / "a").stat().st_mode) == 0o700


def test_a_home_that_cannot_be_made_is_a_problem_not_a_crash(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    problem = home({"BRAMBLE_HOME": str(tmp_path / "file" / "below")}).make()
    assert problem is not None and problem.code == "store_readonly"
    assert "file" in problem.fields["path"]


def test_importing_touches_no_disk(tmp_path: Path) -> None:
    environ = {**os.environ, "HOME": str(tmp_path), "BRAMBLE_HOME": str(tmp_path / "b")}
    code = "import os; from app.platform.paths import home; home(os.environ)"
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=environ, check=True)
    assert list(tmp_path.iterdir()) == []

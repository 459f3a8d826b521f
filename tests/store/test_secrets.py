"""Keys: where they are kept, in which order they are found, and keyrings that block, refuse or forget."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import stat
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import keyring
import pytest
from hypothesis import given, strategies as st
from keyring.backend import KeyringBackend
from keyring.errors import KeyringLocked, PasswordDeleteError

from app.errors import StoreError
from app.platform.paths import Home, home as home_of
from app.store import chunks
from app.store.keyrings import Keyring, bus_in_reach
from app.store.secrets import Secrets

ROOT = Path(__file__).parents[2]
BUS = {"DBUS_SESSION_BUS_ADDRESS": "unix:path=/nowhere"}


class Shelf(KeyringBackend):
    """A keyring of this test: in memory, with a limit on an item's size, and a door that can be shut."""

    priority = 9.0  # type: ignore[assignment]

    def __init__(self, limit: int = 0) -> None:
        super().__init__()
        self.items: dict[tuple[str, str], str] = {}
        self.limit = limit
        self.reads = 0
        self.open = threading.Event()
        self.open.set()
        self.locked = False

    def _enter(self) -> None:
        self.open.wait(30)
        if self.locked:
            raise KeyringLocked("the person said no")

    def get_password(self, service: str, username: str) -> str | None:
        self._enter()
        self.reads += 1
        return self.items.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        self._enter()
        if self.limit and len(password.encode("utf-16-le")) > self.limit:
            raise OSError(1783, "The stub received bad data")
        self.items[service, username] = password

    def delete_password(self, service: str, username: str) -> None:
        self._enter()
        if self.items.pop((service, username), None) is None:
            raise PasswordDeleteError("not found")


@pytest.fixture
def shelf() -> Iterator[Shelf]:
    """The keyring in use during the test."""
    before = keyring.get_keyring()
    made = Shelf()
    keyring.set_keyring(made)
    yield made
    made.open.set()
    keyring.set_keyring(before)


@pytest.fixture
def folders(home: Path) -> Home:
    """The folders of this test."""
    return home_of({"BRAMBLE_HOME": str(home)})


async def _why(work: Any) -> str:
    with pytest.raises(StoreError) as caught:
        await work
    assert caught.value.code == "needs_consent"
    return caught.value.problem.fields["why"]


async def test_a_key_goes_to_the_keyring_and_is_read_once(folders: Home, shelf: Shelf) -> None:
    secrets = Secrets(folders, BUS)
    assert await secrets.get("openai") is None
    assert await secrets.set("openai", "sk-1") == "keyring"
    again = Secrets(folders, BUS)
    shelf.reads = 0
    assert await again.get("openai") == ("sk-1", "keyring")
    assert await again.get("openai") == ("sk-1", "keyring")
    assert shelf.reads == 1
    await secrets.set("openai", "sk-2")
    assert await again.get("openai") == ("sk-1", "keyring")
    assert await again.get("openai", fresh=True) == ("sk-2", "keyring"), (
        "before a refresh the store is read again"
    )
    await again.forget("openai")
    assert await again.get("openai") is None
    assert shelf.items == {}
    await again.forget("openai")
    assert not folders.keys.exists()


async def test_two_homes_never_share_a_key(tmp_path: Path, shelf: Shelf) -> None:
    places = [{"BRAMBLE_HOME": str(tmp_path / name), **BUS} for name in ("one", "two")] + [
        {**BUS, "HOME": "/h"}
    ]
    stores = [Secrets(home_of(place), place) for place in places]
    await stores[0].set("p", "first")
    assert [await one.get("p") for one in stores] == [("first", "keyring"), None, None]


async def test_the_order_is_keyring_environment_file(folders: Home, shelf: Shelf) -> None:
    environ = {**BUS, "P_API_KEY": "from-environment"}
    shelf.locked = True
    secrets = Secrets(folders, environ)
    assert await secrets.set("p", "from-file", file_consent=True) == "file"
    assert await Secrets(folders, BUS).get("p", ["P_API_KEY"]) == ("from-file", "file")
    assert await Secrets(folders, environ).get("p", ["P_API_KEY"]) == ("from-environment", "environment")
    shelf.locked = False
    assert await secrets.set("p", "from-keyring") == "keyring"
    assert await Secrets(folders, environ).get("p", ["P_API_KEY"]) == ("from-keyring", "keyring")
    assert not list(folders.keys.iterdir()), "the plain copy is gone once the keyring has the key"


async def test_without_a_keyring_a_file_needs_consent_and_is_private(folders: Home) -> None:
    secrets = Secrets(folders, {})
    assert await _why(secrets.set("p/../x", "key")) == "no_keyring"
    assert await secrets.get("p/../x") is None and not folders.keys.exists()
    assert await secrets.set("p/../x", "key", file_consent=True) == "file"
    (file,) = folders.keys.iterdir()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(folders.keys.stat().st_mode) == 0o700
    file.chmod(0o644)
    assert await Secrets(folders, {}).get("p/../x") == ("key", "file")
    assert stat.S_IMODE(file.stat().st_mode) == 0o600, "what others could read is closed"
    await secrets.forget("p/../x")
    assert await Secrets(folders, {}).get("p/../x") is None


async def test_a_keyring_that_blocks_is_given_up_and_asked_again_later(folders: Home, shelf: Shelf) -> None:
    secrets = Secrets(folders, BUS, timeout=0.2)
    await secrets.set("p", "key")
    other = Secrets(folders, BUS, timeout=0.2)
    shelf.open.clear()
    assert await other.get("p") is None
    begun = time.monotonic()
    assert await other.get("p") is None
    assert await _why(other.set("p", "new")) == "no_answer"
    assert time.monotonic() - begun < 0.15, "an unanswered question is not waited for twice"
    assert (await other.state())[0] == "missing"
    shelf.open.set()
    for _ in range(100):
        if await other.get("p"):
            break
        await asyncio.sleep(0.01)
    assert await other.get("p") == ("key", "keyring"), "a miss that nobody was sure of is not remembered"


async def test_a_cancelled_question_does_not_spoil_the_next(folders: Home, shelf: Shelf) -> None:
    secrets = Secrets(folders, BUS, timeout=10)
    await secrets.set("p", "key")
    other = Secrets(folders, BUS, timeout=10)
    shelf.open.clear()
    task = asyncio.create_task(other.get("p"))
    while not any(thread.name == "keyring" for thread in threading.enumerate()):
        await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    following = asyncio.create_task(other.get("p"))
    shelf.open.set()
    assert await following == ("key", "keyring")


async def test_locked_and_lying_keyrings_are_told(folders: Home, shelf: Shelf) -> None:
    secrets = Secrets(folders, BUS)
    shelf.locked = True
    assert await _why(secrets.set("p", "key")) == "locked"
    shelf.locked = False
    shelf.limit = 4
    assert await _why(secrets.set("p", "a long key")) == "failed"
    shelf.limit = 0
    shelf.get_password = lambda service, username: None  # type: ignore[method-assign]
    assert await _why(secrets.set("p", "key")) == "failed"


@pytest.mark.parametrize("name", ["keyring.backends.fail.Keyring", "keyring.backends.null.Keyring"])
async def test_keyrings_that_keep_nothing_are_no_keyrings(folders: Home, shelf: Shelf, name: str) -> None:
    module, _, kind = name.rpartition(".")
    keyring.set_keyring(getattr(__import__(module, fromlist=[kind]), kind)())
    secrets = Secrets(folders, BUS)
    assert await _why(secrets.set("p", "key")) == "no_keyring"
    assert await secrets.get("p") is None
    assert (await secrets.state())[0] == "missing"


async def test_impossible_keys_are_refused(folders: Home) -> None:
    for key in ("", "a\0b"):
        with pytest.raises(StoreError) as caught:
            await Secrets(folders, {}).set("p", key, file_consent=True)
        assert caught.value.code == "bad_arguments"


async def test_long_keys_are_kept_in_parts_where_items_are_short(shelf: Shelf) -> None:
    shelf.limit = 2560
    small = Keyring("service", BUS, limit=chunks.LIMIT)
    long, longer = "é😀k" * 700, "x" * 5000
    for secret in (longer, long, "short", long):
        await small.set("p", secret)
        assert await small.get("p") == secret
    assert len(shelf.items) == 1 + len(chunks.split(long))
    del shelf.items["service", "p/1"]
    assert await small.get("p") is None, "half a key is no key"
    await small.set("p", longer)
    await small.delete("p")
    assert shelf.items == {}


@given(st.text(), st.integers(2, 20))
def test_parts_fit_and_join_again(text: str, limit: int) -> None:
    text = text.encode("utf-8", "replace").decode()
    parts = chunks.split(text, limit)
    assert all(len(part.encode("utf-16-le")) // 2 <= limit for part in parts)
    manifest = chunks.manifest(parts)
    assert chunks.part_count(manifest) == len(parts)
    assert chunks.join(manifest, parts) == text
    assert chunks.join(manifest, [*parts[:-1], None]) is None
    assert chunks.join(manifest, [*parts[:-1], parts[-1] + "x"]) is None


def test_no_bus_is_started_to_look_for_a_keyring(tmp_path: Path) -> None:
    assert not bus_in_reach({}, "linux")
    assert not bus_in_reach({"XDG_RUNTIME_DIR": str(tmp_path)}, "linux")
    (tmp_path / "bus").touch()
    assert bus_in_reach({"XDG_RUNTIME_DIR": str(tmp_path)}, "linux")
    assert bus_in_reach({}, "darwin") and bus_in_reach({}, "win32")


def test_without_a_bus_the_keyring_is_not_even_imported(home: Path) -> None:
    code = f"""
        import asyncio, sys; sys.path.insert(0, {str(ROOT)!r})
        from app.platform.paths import home
        from app.store.secrets import Secrets
        environ = {{"BRAMBLE_HOME": {str(home)!r}}}
        assert asyncio.run(Secrets(home(environ), environ).get("p")) is None
        print("keyring" in sys.modules)
    """
    found = subprocess.run(
        [sys.executable, "-P", "-c", textwrap.dedent(code)], capture_output=True, text=True, check=True
    )
    assert found.stdout == "False\n"


def test_a_blocked_keyring_does_not_keep_the_program_from_ending(home: Path, tmp_path: Path) -> None:
    code = f"""
        import asyncio, sys, threading; sys.path.insert(0, {str(ROOT)!r})
        import keyring
        from keyring.backend import KeyringBackend
        from app.platform.paths import home
        from app.store.secrets import Secrets

        class Stuck(KeyringBackend):
            priority = 9.0
            def get_password(self, service, username): threading.Event().wait()
            set_password = delete_password = get_password

        keyring.set_keyring(Stuck())
        environ = {{"BRAMBLE_HOME": {str(home)!r}, "DBUS_SESSION_BUS_ADDRESS": "x"}}
        print(asyncio.run(Secrets(home(environ), environ, timeout=0.1).get("p")))
    """
    command = [sys.executable, "-P", "-c", textwrap.dedent(code)]
    found = subprocess.run(command, capture_output=True, text=True, timeout=30, check=True)
    assert found.stdout == "None\n" and found.stderr == ""


REAL = """
    import asyncio, json, os, sys; sys.path.insert(0, sys.argv[1])
    from app.platform.paths import home
    from app.store.secrets import Secrets

    async def main():
        found = home(os.environ)
        secrets = Secrets(found, os.environ)
        state = await secrets.state()
        where = await secrets.set("openai", "sk-ünïcode \\U0001f511" + "x" * 3000)
        again = await Secrets(found, os.environ).get("openai")
        await secrets.forget("openai")
        gone = await Secrets(found, os.environ).get("openai")
        print(json.dumps([state, where, again, gone]))

    asyncio.run(main())
"""


@pytest.mark.skipif(
    not (shutil.which("dbus-run-session") and shutil.which("gnome-keyring-daemon")),
    reason="gnome-keyring or dbus-run-session is not installed",
)
def test_a_real_keyring(home: Path, tmp_path: Path) -> None:
    (tmp_path / "run").mkdir(mode=0o700)
    environ = {name: value for name, value in os.environ.items() if not name.startswith("DBUS")}
    environ |= {
        "HOME": str(tmp_path),
        "XDG_DATA_HOME": str(tmp_path / "share"),
        "XDG_RUNTIME_DIR": str(tmp_path / "run"),
        "BRAMBLE_HOME": str(home),
    }
    (tmp_path / "script.py").write_text(textwrap.dedent(REAL))
    line = 'printf "\\n" | gnome-keyring-daemon --unlock --components=secrets >/dev/null && exec "$@"'
    command = [
        "dbus-run-session",
        "--",
        "sh",
        "-c",
        line,
        "sh",
        sys.executable,
        "-P",
        str(tmp_path / "script.py"),
        str(ROOT),
    ]
    found = subprocess.run(command, env=environ, capture_output=True, text=True, timeout=60, check=False)
    assert found.returncode == 0, found.stderr
    state, where, again, gone = json.loads(found.stdout)
    assert state[0] == "ok" and where == "keyring"
    assert again == ["sk-ünïcode \U0001f511" + "x" * 3000, "keyring"]
    assert gone is None
    assert not list(home.rglob("*sk-*")) and not (home / "data" / "keys").exists()

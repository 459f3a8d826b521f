"""Keys in a Secret Service that is really there, locked, or absent; and renewing in one of many processes."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import subprocess
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from app.errors import StoreError
from app.platform.paths import home as home_of
from app.store.secrets import Secrets

ROOT = Path(__file__).parents[2]
HEAD = """
import asyncio, json, os, sys; sys.path.insert(0, sys.argv[1])
from app.errors import StoreError
from app.platform.paths import home
from app.store.secrets import Secrets

def secrets(timeout=20.0):
    return Secrets(home(os.environ), os.environ, timeout=timeout)

async def why(work):
    try:
        return await work
    except StoreError as error:
        return error.problem.fields.get("why", error.code)
"""
UNLOCK = 'printf "\\n" | gnome-keyring-daemon --unlock --components=secrets >/dev/null && exec "$@"'

needs_bus = pytest.mark.skipif(
    not (shutil.which("dbus-run-session") and shutil.which("gnome-keyring-daemon")),
    reason="gnome-keyring or dbus-run-session is not installed",
)


@pytest.fixture
def session(home: Path, tmp_path: Path) -> Callable[..., Any]:
    """Run a script on a session bus of its own and return the JSON that it prints."""

    def run(body: str, *, line: str = UNLOCK, services: bool = True) -> Any:
        (tmp_path / "run").mkdir(mode=0o700, exist_ok=True)
        environ = {name: value for name, value in os.environ.items() if not name.startswith("DBUS")}
        environ |= {
            "HOME": str(tmp_path),
            "XDG_DATA_HOME": str(tmp_path / "share"),
            "XDG_RUNTIME_DIR": str(tmp_path / "run"),
            "BRAMBLE_HOME": str(home),
        }
        if not services:  # or the bus would start a keyring for whoever asks
            environ["XDG_DATA_DIRS"] = str(tmp_path / "nothing")
        script = tmp_path / "script.py"
        script.write_text(HEAD + textwrap.dedent(body) + "\nasyncio.run(main())\n")
        words = ["dbus-run-session"]
        if not services:
            (tmp_path / "bus.conf").write_text(
                '<busconfig><type>session</type><listen>unix:tmpdir=/tmp</listen><policy context="default">'
                '<allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/>'
                '<allow own="*"/></policy></busconfig>'
            )
            words += ["--config-file", str(tmp_path / "bus.conf")]
        words += ["--", "sh", "-c", line, "sh", sys.executable, "-P", str(script), str(ROOT)]
        ran = subprocess.run(words, env=environ, capture_output=True, text=True, timeout=90, check=False)
        assert ran.returncode == 0, ran.stderr
        return json.loads(ran.stdout)

    return run


@needs_bus
def test_keys_are_stored_read_changed_and_deleted(session: Callable[..., Any], home: Path) -> None:
    found = session(
        """
        async def main():
            one, other = secrets(), secrets()
            said = [await one.set("p", "first"), await one.set("q/../r", "second")]
            said += [await other.get("p"), await other.get("q/../r"), await other.get("nobody")]
            await one.set("p", "changed")
            said += [await other.get("p"), await other.get("p", fresh=True)]
            await one.forget("p")
            await one.forget("p")
            said += [await secrets().get("p"), await secrets().get("q/../r")]
            print(json.dumps(said))
        """
    )
    assert found[:2] == ["keyring", "keyring"]
    assert found[2:5] == [["first", "keyring"], ["second", "keyring"], None]
    assert found[5:7] == [["first", "keyring"], ["changed", "keyring"]], "read once, until it is asked again"
    assert found[7:] == [None, ["second", "keyring"]]
    assert not (home / "data" / "keys").exists()


@needs_bus
def test_a_locked_keyring_is_told_and_asked_again_when_it_is_open(session: Callable[..., Any]) -> None:
    """Nobody is there to type the password: the daemon refuses, or its question stays without an answer."""
    found = session(
        """
        import secretstorage
        from jeepney import DBusAddress, new_method_call

        def unlock():
            # as the person does at the question of the daemon, without its window
            bus = secretstorage.dbus_init()
            path = secretstorage.get_default_collection(bus).collection_path

            def call(interface, method, kinds, *values):
                where = DBusAddress("/org/freedesktop/secrets", "org.freedesktop.secrets", interface)
                return bus.send_and_get_reply(new_method_call(where, method, kinds, values)).body

            _, talk = call("org.freedesktop.Secret.Service", "OpenSession", "sv", "plain", ("s", ""))
            own = "org.gnome.keyring.InternalUnsupportedGuiltRiddenInterface"
            password = (talk, b"", b"\\n", "text/plain")
            call(own, "UnlockWithMasterPassword", "o(oayays)", path, password)

        def lock(shut):
            bus = secretstorage.dbus_init()
            found = secretstorage.get_default_collection(bus)
            found.lock() if shut else None
            return found.is_locked()

        async def main():
            one = secrets(3.0)
            said = [await one.set("p", "key"), await asyncio.to_thread(lock, True)]
            other = secrets(3.0)
            said.append(await other.get("p"))
            said.append(await why(other.set("p", "new")))
            said.append((await other.state())[0])
            await asyncio.to_thread(unlock)
            said.append(await asyncio.to_thread(lock, False))
            said += [await secrets(3.0).get("p"), await other.get("p", fresh=True)]
            print(json.dumps(said))
            sys.stdout.flush()
            os._exit(0)  # a question that stands open keeps nobody
        """
    )
    assert found[:3] == ["keyring", True, None]
    assert found[5:] == [False, ["key", "keyring"], ["key", "keyring"]], "once it is open, it is read"
    assert found[3] in ("locked", "no_answer", "failed"), "and the person may agree to a file instead"


@needs_bus
def test_a_keyring_without_a_collection_leads_on_to_a_file(session: Callable[..., Any], home: Path) -> None:
    """It wants to ask for a password for a new collection, and nobody is there (aaif-goose/goose#5790)."""
    found = session(
        """
        async def main():
            one = secrets(4.0)
            said = [await one.get("p"), await why(one.set("p", "typed"))]
            said.append(await one.set("p", "typed", file_consent=True))
            said.append(await secrets(4.0).get("p"))
            print(json.dumps(said))
            sys.stdout.flush()
            os._exit(0)  # a question that stands open keeps nobody
        """,
        line='gnome-keyring-daemon --start --components=secrets >/dev/null && exec "$@"',
    )
    assert found[0] is None and found[1] in ("locked", "no_answer", "failed")
    assert found[2:] == ["file", ["typed", "file"]]


@needs_bus
def test_a_bus_without_a_keyring_is_no_keyring(session: Callable[..., Any], home: Path) -> None:
    found = session(
        """
        async def main():
            one = secrets(10.0)
            said = [await one.get("p"), await why(one.set("p", "key")), (await one.state())[0]]
            said.append(await one.set("p", "key", file_consent=True))
            said += [await secrets().get("p"), await one.forget("p"), await secrets().get("p")]
            print(json.dumps(said))
        """,
        line='exec "$@"',
        services=False,
    )
    assert found == [None, "no_keyring", "missing", "file", ["key", "file"], None, None]
    assert not list((home / "data" / "keys").iterdir())


RENEW = """
import asyncio, os, sys, pathlib
from app.platform.paths import home
from app.store.secrets import Secrets

async def main():
    place = home(os.environ)
    secrets = Secrets(place, os.environ)
    counted = pathlib.Path(sys.argv[1])
    first = (await secrets.get("p"))[0]
    print("ready", flush=True)
    sys.stdin.readline()
    async with secrets.alone("p"):
        held = (await secrets.get("p", fresh=True))[0]
        if held == first:
            with open(counted, "a") as file:
                file.write(f"{os.getpid()}\\n")
            await asyncio.sleep(0.2)
            await secrets.set("p", "renewed", file_consent=True)
    print((await secrets.get("p", fresh=True))[0], flush=True)

asyncio.run(main())
"""


def own_environment(home: Path) -> dict[str, str]:
    """The environment of a child: this home, and no keyring."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("DBUS", "XDG"))}
    return {**kept, "BRAMBLE_HOME": str(home)}


async def test_of_many_processes_one_renews(
    home: Path, tmp_path: Path, child: Callable[..., subprocess.Popen[str]]
) -> None:
    environ = own_environment(home)
    await Secrets(home_of(environ), environ).set("p", "old", file_consent=True)
    counted = tmp_path / "counted"
    many = [child(RENEW, counted, env=environ) for _ in range(4)]
    for process in many:
        assert process.stdout is not None and process.stdout.readline() == "ready\n"
    for process in many:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    said = [process.communicate(timeout=60) for process in many]
    assert [out for out, _ in said] == ["renewed\n"] * 4, said
    assert len(counted.read_text().split()) == 1, "the others read what the first one made"


HOLD = """
import asyncio, os, sys
from app.platform.paths import home
from app.store.secrets import Secrets

async def main():
    async with Secrets(home(os.environ), os.environ).alone("p"):
        print("held", flush=True)
        await asyncio.sleep(600)

asyncio.run(main())
"""


async def test_whoever_dies_lets_go(home: Path, child: Callable[..., subprocess.Popen[str]]) -> None:
    environ = own_environment(home)
    secrets = Secrets(home_of(environ), environ)
    holder = child(HOLD, env=environ)
    assert holder.stdout is not None and holder.stdout.readline() == "held\n"
    with pytest.raises(StoreError) as caught:
        async with secrets.alone("p", seconds=0.05):
            pass
    assert caught.value.code == "store_locked"
    async with secrets.alone("another", seconds=0.0):
        pass
    waiting = asyncio.create_task(take(secrets))
    cancelled = asyncio.create_task(take(secrets))
    await asyncio.sleep(0)
    cancelled.cancel()
    with pytest.raises(asyncio.CancelledError):
        await cancelled
    holder.kill()
    async with asyncio.timeout(10):
        assert await waiting == "taken"
    async with secrets.alone("p", seconds=0.0):
        pass


async def take(secrets: Secrets) -> str:
    async with secrets.alone("p"):
        return "taken"


async def test_where_nothing_can_be_written_nobody_waits(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("no folder")
    environ = {"BRAMBLE_HOME": str(tmp_path)}
    async with Secrets(home_of(environ), environ).alone("p", seconds=0.0):
        pass

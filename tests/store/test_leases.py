"""Leases: one owner at a time, taken over only from the dead and the silent."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable

from app.store import alive, leases
from app.store.alive import Process
from app.store.database import Store

Child = Callable[..., subprocess.Popen[str]]
ME = os.getpid()


async def test_one_owner_until_it_releases(store: Store) -> None:
    assert await store.write(leases.acquire, "x", "a", 100.0, 30.0, ME)
    assert not await store.write(leases.acquire, "x", "b", 101.0, 30.0, ME)
    assert await store.write(leases.acquire, "x", "a", 102.0, 30.0, ME), "its owner may ask again"
    held = await store.read(leases.holder, "x", 103.0)
    assert held is not None and (held.owner, held.taken, held.until) == ("a", 100.0, 132.0)
    await store.write(leases.release, "x", "b")
    assert await store.read(leases.holds, "x", "a")
    await store.write(leases.release, "x", "a")
    assert await store.read(leases.holder, "x", 103.0) is None
    assert await store.write(leases.acquire, "x", "b", 104.0, 30.0, ME)


async def test_an_expired_lease_is_taken_over_and_its_owner_learns_it(store: Store) -> None:
    assert await store.write(leases.acquire, "x", "a", 100.0, 30.0, ME)
    assert await store.write(leases.beat, "x", "a", 120.0, 30.0)
    assert not await store.write(leases.acquire, "x", "b", 149.0, 30.0, ME)
    assert await store.write(leases.acquire, "x", "b", 150.0, 30.0, ME)
    assert not await store.write(leases.beat, "x", "a", 151.0, 30.0)
    assert not await store.read(leases.holds, "x", "a")


async def test_a_dead_process_loses_its_lease_at_once(store: Store, child: Child) -> None:
    process = child("print('up', flush=True); sys.stdin.read()")
    assert process.stdout is not None and process.stdout.readline() == "up\n"
    assert await store.write(leases.acquire, "x", "a", 100.0, 1000.0, process.pid)
    assert not await store.write(leases.acquire, "x", "b", 101.0, 30.0, ME)
    process.kill()
    process.wait()
    assert await store.read(leases.holder, "x", 102.0) is None
    assert await store.write(leases.acquire, "x", "b", 102.0, 30.0, ME)


def test_a_number_used_again_is_another_process() -> None:
    me = alive.this_process()
    assert not alive.is_dead(me)
    assert alive.is_dead(Process(me.pid, me.begun - 1000, me.place))
    assert not alive.is_dead(Process(me.pid, 0.0, me.place)), "a start that was not known proves nothing"


def test_other_boots_are_dead_and_other_containers_unknown() -> None:
    me = alive.this_process()
    assert alive.is_dead(Process(me.pid, me.begun, "another-boot pid:[1]"))
    if sys.platform == "linux":
        boot = me.place.split(" ")[0]
        assert not alive.is_dead(Process(999_999_999, 1.0, f"{boot} pid:[1]"))

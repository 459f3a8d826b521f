"""The rules of Landlock for one run: what stays allowed, since it can only allow.

A masked place is left out by allowing its neighbours instead of their parent, all along the way to it.
"""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from app.platform.sandbox.confinement import Confinement, covers

_EXECUTE, _WRITE, _READ, _LIST = 1 << 0, 1 << 1, 1 << 2, 1 << 3
_ALL = {1: (1 << 13) - 1, 2: (1 << 14) - 1, 3: (1 << 15) - 1, 4: (1 << 15) - 1}
_ALL_NOW = (1 << 16) - 1
"""Every right on files that a version knows: 2 brought moves, 3 truncating, 5 ioctl on devices."""
LEAST = 3
"""Before it a command could empty any file, which is worse than no promise at all."""
SCOPES = 6
"""It brought limits for sockets without a path and for signals."""
_DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/tty", "/dev/ptmx")
_FOLDERS_OF_DEVICES = ("/dev/pts", "/dev/fd")
_SHARED = "/dev/shm"
"""Locks and shared memory between processes are files there, also those of other programs."""
_UNIX, _NETWORKS = 1, (2, 10, 16, 17, 40)
"""AF_UNIX; AF_INET, AF_INET6, AF_NETLINK, AF_PACKET, AF_VSOCK."""
_MOST = 5_000
"""Names in a folder along the way to a masked place; with more of them the folder is left out whole."""


def abi() -> int:
    """Return the version of Landlock in this kernel, 0 where there is none. Changes nothing."""
    if sys.platform != "linux":
        return 0
    libc = ctypes.CDLL(None, use_errno=True)
    return max(0, int(libc.syscall(444, None, ctypes.c_size_t(0), 1)))


def launcher() -> list[str]:
    """Return how the launcher is started; a packed program has no file of it but knows it by its name."""
    if getattr(sys, "frozen", False):
        return [sys.executable, "-P", "-m", "app.platform.sandbox.launcher"]
    return [sys.executable, "-I", "-S", str(Path(__file__).with_name("launcher.py"))]


def places() -> tuple[str, ...]:
    """Return the real folders that the launcher needs where it starts inside of another sandbox."""
    here = (sys.prefix, sys.base_prefix, os.path.dirname(sys.executable), str(Path(__file__).parent))
    return tuple(dict.fromkeys(map(os.path.realpath, here)))


def rules(run: Confinement) -> bytes:
    """Return the rules of a run that Landlock alone holds. Lists folders: call it in a thread.

    What is only guarded cannot be held: a folder in which names may be made is writable all the way down.
    """
    everything = _ALL.get(run.abi, _ALL_NOW)
    paths = [(_LIST, "/")]
    paths += [(_READ | _EXECUTE, path) for path in (*_around("/", (*run.masked, "/dev")), *run.readable)]
    paths += [(_READ | _WRITE | (everything & 1 << 15), path) for path in (*_DEVICES, *_FOLDERS_OF_DEVICES)]
    for folder in (*run.writable, run.temporary, _SHARED):
        inner = [place for place in run.masked if place != folder and covers(folder, place)]
        paths += [(everything, path) for path in (_around(folder, inner) if inner else (folder,))]
    net = 0 if run.network or run.abi < 4 else 3
    families = (_UNIX,) if run.network else (_UNIX, *_NETWORKS)
    return _packed((run.abi, everything, net, 3 if run.abi >= SCOPES else 0), families, paths)


def handed(rules: bytes) -> int:
    """Return a descriptor from which the launcher reads the rules; the caller closes it."""
    descriptor = os.memfd_create("rules", 0)
    os.write(descriptor, rules)
    return descriptor


def filters() -> bool:
    """Whether sockets can be refused by their family on this kind of machine."""
    return os.uname().machine in ("x86_64", "aarch64") and sys.maxsize > 1 << 32


def scopes(run: Confinement) -> bytes:
    """Return the rules that add to bubblewrap what its network leaves open: abstract sockets of others."""
    return _packed((run.abi, 0, 0, 1), (), ())


def room(abi: int, readable: Iterable[str], listed: Iterable[str] = ()) -> bytes:
    """Return the rules of a program that may read and start what is named, and nothing else at all.

    `listed` are folders in which it also sees names: Python looks for modules so.
    """
    paths = [(_LIST, path) for path in listed]
    paths += [(_READ | _EXECUTE | _LIST, path) for path in readable]
    paths += [(_READ | _WRITE, path) for path in _DEVICES[:1]] + [(_READ, path) for path in _DEVICES[3:5]]
    scopes = 3 if abi >= SCOPES else 0
    return _packed((abi, _ALL.get(abi, _ALL_NOW), 0 if abi < 4 else 3, scopes), (_UNIX, *_NETWORKS), paths)


def _packed(
    numbers: tuple[int, int, int, int], families: Sequence[int], paths: Sequence[tuple[int, str]]
) -> bytes:
    told = [*numbers, len(families), len(paths), *families]
    named = [part for right, path in paths for part in (str(right).encode(), os.fsencode(path))]
    return b"\0".join([*(str(number).encode() for number in told), *named])


def _around(folder: str, shut: Iterable[str]) -> Iterator[str]:
    """Yield the biggest places below `folder`, itself included, that hold nothing of what is shut."""
    inside = [place for place in shut if covers(folder, place)]
    if not inside:
        yield folder
        return
    if folder in inside:
        return
    try:
        names = os.listdir(folder)
    except OSError:
        return
    for name in names[:_MOST] if len(names) <= _MOST else ():
        path = os.path.join(folder, name)
        if not os.path.islink(path):
            yield from _around(path, inside)

"""A program of its own that takes rights away from itself and then becomes the command: Landlock, seccomp.

Run as `python -I -S launcher.py DESCRIPTOR COMMAND...`; the descriptor holds the rules: six numbers (the
version, rights on files, on the network, scopes, how many families of sockets are refused, how many paths
follow), the families, and for each path its rights and the path, all ended by NUL. It imports nothing of this
project and as little as it can of Python, since it starts for each command.
Linux only, from the kernel's own documents: userspace-api/landlock and userspace-api/seccomp_filter.
"""

from __future__ import annotations

import ctypes
import os
import struct
import sys

TYPE_CHECKING = False  # without `typing`, which takes as long to load as all the rest
if TYPE_CHECKING:
    from collections.abc import Iterable

_CREATE, _ADD, _RESTRICT = 444, 445, 446
_NO_NEW_PRIVILEGES, _SET_SECCOMP, _FILTER = 38, 22, 2
_FILE_RIGHTS = 0b1 | 0b10 | 0b100 | 1 << 14 | 1 << 15
"""Execute, write, read, truncate, ioctl: the only ones that a rule on a file may name."""
_ARCHES = {"x86_64": (0xC000003E, 41), "aarch64": (0xC00000B7, 198)}
"""The number of the architecture and that of socket(2)."""
_IO_URING = 425
"""It makes sockets past the filter."""
_X32 = 0x40000000
_ALLOW, _REFUSE = 0x7FFF0000, 0x00050000 | 13  # EACCES


def main(argv: list[str]) -> None:
    """Read the rules, take the rights away, become the command. Never returns."""
    libc = ctypes.CDLL(None, use_errno=True)
    abi, files, net, scopes, refused, count, *rest = _told(int(argv[0]))
    families = [int(family) for family in rest[: int(refused)]]
    places = rest[int(refused) :][: 2 * int(count)]
    numbers = (int(abi), int(files), int(net), int(scopes))
    try:
        _no_capabilities(libc)
        _call(libc.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0), "no new privileges")
        _landlock(libc, numbers, zip(places[::2], places[1::2], strict=True))
        if families:
            _filter(libc, families)
    except OSError as error:
        sys.stdout.write(f"The sandbox could not be set up: {error}\n")
        sys.stdout.flush()
        os._exit(126)
    os.execv(argv[1], argv[1:])


def _told(descriptor: int) -> list[bytes]:
    text = b""
    while piece := os.pread(descriptor, 1 << 20, len(text)):
        text += piece
    os.close(descriptor)
    return text.split(b"\0")


def _landlock(libc: ctypes.CDLL, numbers: tuple[int, ...], allowed: Iterable[tuple[bytes, bytes]]) -> None:
    abi, *handled = numbers
    size = 8 if abi < 4 else 16 if abi < 6 else 24
    ruleset = _call(libc.syscall(_CREATE, struct.pack("=QQQ", *handled), ctypes.c_size_t(size), 0), "ruleset")
    for rights, path in allowed:
        _allow(libc, ruleset, path, int(rights))
    _call(libc.syscall(_RESTRICT, ruleset, 0), "restrict")
    os.close(ruleset)


def _allow(libc: ctypes.CDLL, ruleset: int, path: bytes, rights: int) -> None:
    try:
        descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC | os.O_NOFOLLOW)
    except OSError:
        return  # gone since the rules were made: nothing there to allow
    try:
        kind = os.fstat(descriptor).st_mode & 0o170000
        if kind == 0o120000:
            return
        right = rights if kind == 0o040000 else rights & _FILE_RIGHTS
        packed = struct.pack("=Qi", right, descriptor)
        _call(libc.syscall(_ADD, ruleset, 1, packed, 0), "rule")
    finally:
        os.close(descriptor)


def _no_capabilities(libc: ctypes.CDLL) -> None:
    """Root keeps its name only, as in bubblewrap."""
    if os.geteuid() == 0:
        header, nothing = struct.pack("=Ii", 0x20080522, 0), bytes(24)
        _call(libc.capset(header, nothing), "capabilities")


def _filter(libc: ctypes.CDLL, families: list[int]) -> None:
    """Refuse sockets of these families; what io_uring or another architecture would make, too."""
    known = _ARCHES.get(os.uname().machine)
    if known is None or sys.maxsize < 1 << 32:
        return
    arch, socket = known
    checks = [
        *head(arch, _REFUSE),
        (0x15, 0, 1, _IO_URING),
        (0x06, 0, 0, _REFUSE),
        (0x15, 1, 0, socket),
        (0x06, 0, 0, _ALLOW),
        (0x20, 0, 0, 16),  # its first argument
    ]
    for family in families:
        checks += [(0x15, 0, 1, family), (0x06, 0, 0, _REFUSE)]
    checks.append((0x06, 0, 0, _ALLOW))
    program, _code = packed(checks)
    _call(libc.prctl(_SET_SECCOMP, _FILTER, program, 0, 0), "seccomp")


def head(arch: int, refuse: int) -> list[tuple[int, int, int, int]]:
    """Return how a filter begins: another architecture, or the numbers of x32, get the answer `refuse`. The
    number of the call is loaded then.
    """
    return [
        (0x20, 0, 0, 4),  # the architecture
        (0x15, 1, 0, arch),
        (0x06, 0, 0, refuse),
        (0x20, 0, 0, 0),  # the number of the call
        (0x35, 0, 1, _X32),
        (0x06, 0, 0, refuse),
    ]


def packed(checks: list[tuple[int, int, int, int]]) -> tuple[bytes, object]:
    """Return a filter as the kernel takes it, and what has to live as long as that: it points there."""
    code = b"".join(struct.pack("=HBBI", *check) for check in checks)
    buffer = ctypes.create_string_buffer(code, len(code))
    return struct.pack("=H6xQ", len(checks), ctypes.addressof(buffer)), buffer


def _call(result: int, what: str) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number), what)
    return result


if __name__ == "__main__":
    main(sys.argv[1:])

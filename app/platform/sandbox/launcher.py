"""A program of its own that takes rights away from itself and then becomes the command: Landlock, seccomp.

Run as `python -I -S launcher.py DESCRIPTOR COMMAND...`; the descriptor holds the rules as JSON. It imports
nothing of this project, since it starts for each command. Linux only, from the kernel's own documents:
userspace-api/landlock and userspace-api/seccomp_filter.
"""

from __future__ import annotations

import ctypes
import json
import os
import platform
import struct
import sys
from typing import Any

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
    with open(int(argv[0]), "rb") as file:
        file.seek(0)
        rules: dict[str, Any] = json.load(file)
    try:
        _no_capabilities(libc)
        _call(libc.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0), "no new privileges")
        _landlock(libc, rules)
        if rules["families"]:
            _filter(libc, rules["families"])
    except OSError as error:
        sys.stdout.write(f"The sandbox could not be set up: {error}\n")
        sys.stdout.flush()
        os._exit(126)
    os.execv(argv[1], argv[1:])


def _landlock(libc: ctypes.CDLL, rules: dict[str, Any]) -> None:
    attributes = struct.pack("=QQQ", rules["files"], rules["net"], rules["scopes"])
    size = 8 if rules["abi"] < 4 else 16 if rules["abi"] < 6 else 24
    ruleset = _call(libc.syscall(_CREATE, attributes, ctypes.c_size_t(size), 0), "ruleset")
    for right, paths in rules["paths"]:
        for path in paths:
            _allow(libc, ruleset, path, right)
    _call(libc.syscall(_RESTRICT, ruleset, 0), "restrict")
    os.close(ruleset)


def _allow(libc: ctypes.CDLL, ruleset: int, path: str, rights: int) -> None:
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
        _call(libc.syscall(_ADD, ruleset, 1, packed, 0), path)
    finally:
        os.close(descriptor)


def _no_capabilities(libc: ctypes.CDLL) -> None:
    """Root keeps its name only, as in bubblewrap."""
    if os.geteuid() == 0:
        header, nothing = struct.pack("=Ii", 0x20080522, 0), bytes(24)
        _call(libc.capset(header, nothing), "capabilities")


def _filter(libc: ctypes.CDLL, families: list[int]) -> None:
    """Refuse sockets of these families; what io_uring or another architecture would make, too."""
    known = _ARCHES.get(platform.machine())
    if known is None or sys.maxsize < 1 << 32:
        return
    arch, socket = known
    checks = [
        (0x20, 0, 0, 4),  # the architecture
        (0x15, 1, 0, arch),
        (0x06, 0, 0, _REFUSE),
        (0x20, 0, 0, 0),  # the number of the call
        (0x35, 0, 1, _X32),
        (0x06, 0, 0, _REFUSE),
        (0x15, 0, 1, _IO_URING),
        (0x06, 0, 0, _REFUSE),
        (0x15, 1, 0, socket),
        (0x06, 0, 0, _ALLOW),
        (0x20, 0, 0, 16),  # its first argument
    ]
    for family in families:
        checks += [(0x15, 0, 1, family), (0x06, 0, 0, _REFUSE)]
    checks.append((0x06, 0, 0, _ALLOW))
    code = b"".join(struct.pack("=HBBI", *check) for check in checks)
    buffer = ctypes.create_string_buffer(code, len(code))
    program = struct.pack("=H6xQ", len(checks), ctypes.addressof(buffer))
    _call(libc.prctl(_SET_SECCOMP, _FILTER, program, 0, 0), "seccomp")


def _call(result: int, what: str) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number), what)
    return result


if __name__ == "__main__":
    main(sys.argv[1:])

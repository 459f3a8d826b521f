"""Give up for good what a pure computation does not need: files, sockets, processes, signals, more memory.

A list of the system calls that stay allowed, by the kernel's seccomp filter, for all threads of this process
(userspace-api/seccomp_filter). What is already open can still be read and written. Whatever Python code runs
afterwards cannot take it back, by whichever detour. Numbers: include/uapi/asm-generic/unistd.h and
arch/x86/entry/syscalls/syscall_64.tbl.
"""

from __future__ import annotations

import ctypes
import os
import sys

from app.platform.sandbox.launcher import head, packed

_X86 = {
    "read": 0, "write": 1, "close": 3, "fstat": 5, "poll": 7, "lseek": 8, "mmap": 9, "mprotect": 10,
    "munmap": 11, "brk": 12, "rt_sigaction": 13, "rt_sigprocmask": 14, "rt_sigreturn": 15, "readv": 19,
    "writev": 20, "sched_yield": 24, "mremap": 25, "madvise": 28, "nanosleep": 35, "getpid": 39, "exit": 60,
    "gettimeofday": 96, "getrusage": 98, "times": 100, "sigaltstack": 131, "gettid": 186, "time": 201,
    "futex": 202, "restart_syscall": 219, "clock_gettime": 228, "clock_getres": 229, "clock_nanosleep": 230,
    "exit_group": 231, "ppoll": 271, "set_robust_list": 273, "getrandom": 318, "membarrier": 324, "rseq": 334,
}  # fmt: skip
_ARM = {
    "close": 57, "lseek": 62, "read": 63, "write": 64, "readv": 65, "writev": 66, "ppoll": 73, "fstat": 80,
    "exit": 93, "exit_group": 94, "futex": 98, "set_robust_list": 99, "nanosleep": 101, "clock_gettime": 113,
    "clock_getres": 114, "clock_nanosleep": 115, "sched_yield": 124, "restart_syscall": 128,
    "sigaltstack": 132, "rt_sigaction": 134, "rt_sigprocmask": 135, "rt_sigreturn": 139, "times": 153,
    "getrusage": 165, "gettimeofday": 169, "getpid": 172, "gettid": 178, "brk": 214, "munmap": 215,
    "mremap": 216, "mmap": 222, "mprotect": 226, "madvise": 233, "getrandom": 278, "membarrier": 283,
    "rseq": 293,
}  # fmt: skip
_MACHINES = {"x86_64": (0xC000003E, 317, _X86), "aarch64": (0xC00000B7, 277, _ARM)}
"""The number of the architecture and of seccomp(2), and the calls that stay."""
_GET_SECCOMP, _NO_NEW_PRIVILEGES, _SET_FILTER, _ALL_THREADS = 21, 38, 1, 1
_ALLOW, _REFUSE = 0x7FFF0000, 0x00050000 | 1  # EPERM


def available() -> bool:
    """Whether this system has such a filter. Changes nothing."""
    if sys.platform != "linux" or os.uname().machine not in _MACHINES or sys.maxsize < 1 << 32:
        return False
    return int(ctypes.CDLL(None).prctl(_GET_SECCOMP, 0, 0, 0, 0)) >= 0


def bound(memory: int, seconds: int) -> None:
    """Limit this process to `memory` bytes and `seconds` of a processor; it writes no file and no core."""
    if sys.platform == "win32":
        return
    import resource

    limits = {"RLIMIT_AS": memory, "RLIMIT_CPU": seconds, "RLIMIT_FSIZE": 0, "RLIMIT_CORE": 0}
    for name, most in limits.items():
        kind = getattr(resource, name)
        hard = resource.getrlimit(kind)[1]
        most = most if hard == resource.RLIM_INFINITY else min(most, hard)
        try:
            resource.setrlimit(kind, (most, most))
        except (ValueError, OSError):  # macOS refuses some; what holds it is told by `seal`
            continue


def seal() -> bool:
    """Give it all up; false where this system has no such filter, and nothing has changed then."""
    if not available():
        return False
    arch, number, allowed = _MACHINES[os.uname().machine]
    checks = head(arch, _REFUSE)
    for call in sorted(allowed.values()):
        checks += [(0x15, 0, 1, call), (0x06, 0, 0, _ALLOW)]
    checks.append((0x06, 0, 0, _REFUSE))
    program, _code = packed(checks)
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0) != 0:
        return False
    return bool(libc.syscall(number, _SET_FILTER, _ALL_THREADS, program) == 0)

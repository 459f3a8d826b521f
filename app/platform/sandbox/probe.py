"""Which sandbox works here, found by starting each: a program that is there may still be forbidden."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
import sys
import tempfile
from collections.abc import Mapping

from app.platform.sandbox import bubblewrap, landlock
from app.platform.sandbox.confinement import Confinement, Probe

_SECONDS = 5.0
_SYSTEM = ("/usr/", "/bin/", "/sbin/", "/nix/store/", "/gnu/store/", "/run/current-system/")
_INSTALL = "Install the package bubblewrap."
_APPARMOR = "/proc/sys/kernel/apparmor_restrict_unprivileged_userns"
_LATER = (
    "What a command writes in the folder can run later, outside of the sandbox: scripts, and the hooks of a "
    "Git repository that it makes there or that lies more than three folders down."
)
_NO_NETWORK_OF_OWN = "With the network, services of this computer that listen on it can be reached too."


def probe(environ: Mapping[str, str]) -> Probe:
    """Return the strongest layer that works, what it leaves open, and why it is no stronger one.

    Starts a process or two (about 50 ms): call it in a thread, once.
    """
    if sys.platform != "linux":
        return Probe("none", "There is no sandbox for this system in this version.")
    found = landlock.abi()
    program, why, fix = _program(environ)
    if program:
        why, fix = _works(program, found)
        if not why:
            return Probe("bubblewrap", details=_open_in_bubblewrap(found), program=program, abi=found)
    if found >= landlock.LEAST:
        problem = _runs(Confinement("landlock", "/nonexistent", (), abi=found))
        if not problem:
            return Probe("landlock", why, _open_in_landlock(found), fix, abi=found)
        why = f"{why} Landlock does not start: {problem}"
    else:
        why = f"{why} {_no_landlock(found)}"
    return Probe("none", why, fix=fix)


def _program(environ: Mapping[str, str]) -> tuple[str, str, str]:
    """Return the path of bubblewrap, or why there is none that may be used and what helps."""
    path = shutil.which("bwrap", path=environ.get("PATH") or os.defpath)
    if path is None:
        return "", "Bubblewrap is not installed.", _INSTALL
    real = os.path.realpath(path)
    if not real.startswith(_SYSTEM):
        return "", f"Bubblewrap at {real} is not in a system folder.", _INSTALL
    for place in (real, os.path.dirname(real)):
        found = os.stat(place)
        if found.st_uid != 0 or found.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
            return "", f"Others than the system may change {place}.", f"Correct the rights of {place}."
    return real, "", ""


def _works(program: str, abi: int) -> tuple[str, str]:
    """Return why bubblewrap does not work and what helps, "" when it does."""
    root = os.geteuid() == 0
    problem = _runs(Confinement("bubblewrap", tempfile.gettempdir(), (), program=program, abi=abi, root=root))
    if not problem:
        return "", ""
    if "Unknown option" in problem:
        return "Bubblewrap is too old.", "Install bubblewrap 0.5 or newer."
    if _reads(_APPARMOR) == "1":
        fix = "Allow it user namespaces with an AppArmor profile for bwrap (package apparmor-profiles)."
    else:
        fix = "Allow user namespaces: sysctl -w kernel.unprivileged_userns_clone=1"
    return f"Bubblewrap does not start here: {problem}", fix


def _runs(run: Confinement) -> str:
    """Start `true` in the sandbox; return "" when that worked, else what was said."""
    true = shutil.which("true", path="/usr/bin:/bin") or "/bin/true"
    reader, writer = os.pipe()
    rules = -1
    try:
        if run.layer == "bubblewrap":
            argv = [*bubblewrap.arguments(run, "/", writer), true]
            kept = (writer,)
        else:
            rules = landlock.handed(landlock.rules(run))
            argv = [*landlock.launcher(), str(rules), true]
            kept = (rules,)
        done = subprocess.run(
            argv,
            pass_fds=kept,
            cwd="/",
            env={},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_SECONDS,
        )
        return _said(done) if done.returncode else ""
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    finally:
        for descriptor in (reader, writer, rules):
            if descriptor >= 0:
                os.close(descriptor)


def _said(done: subprocess.CompletedProcess[bytes]) -> str:
    lines = (done.stderr or done.stdout).decode(errors="replace").strip().splitlines()
    return lines[-1][:300] if lines else f"exit {done.returncode}"


def _no_landlock(abi: int) -> str:
    if abi:
        return f"Landlock {abi} of this kernel is too old ({landlock.LEAST} is needed)."
    return "This kernel has no Landlock."


def _open_in_bubblewrap(abi: int) -> tuple[str, ...]:
    if abi >= landlock.SCOPES:
        return (_LATER, _NO_NETWORK_OF_OWN)
    return (_LATER, f"{_NO_NETWORK_OF_OWN} So can sockets without a path of other programs.")


def _open_in_landlock(abi: int) -> tuple[str, ...]:
    found = [
        "Names of files, their sizes and rights can be seen everywhere, and rights of own files changed.",
        f"Hooks and configuration of Git in the folder can be changed. {_LATER}",
        "Other programs' processes can be seen, and their shared memory be changed.",
        _NO_NETWORK_OF_OWN,
    ]
    if abi < landlock.SCOPES:
        found.append("Signals can be sent to other programs.")
    if not landlock.filters():
        found.append("Sockets of other programs can be reached, and the network but for TCP.")
    return tuple(found)


def _reads(path: str) -> str:
    try:
        with open(path, encoding="utf-8") as file:
            return file.read().strip()
    except OSError:
        return ""

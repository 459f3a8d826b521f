"""What is hidden from every command on this computer: secrets, sockets of other programs, our own data."""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Callable, Iterable, Iterator, Mapping

from app.platform.sandbox.confinement import covers

_RUNNING = ("/run", "/var/run")
"""Sockets of D-Bus, Wayland, systemd, docker, podman, libvirt and of agents stand below these."""
_SYSTEM = (
    "/etc/shadow", "/etc/shadow-", "/etc/gshadow", "/etc/gshadow-", "/etc/sudoers.d", "/etc/ssl/private",
    "/etc/NetworkManager/system-connections", "/var/spool/cron", "/var/spool/at", "/var/lib/docker",
)  # fmt: skip
_TOKENS = (
    ".docker/config.json", ".config/gh/hosts.yml", ".config/hub", ".config/glab-cli", ".config/rclone",
    ".config/op", ".cargo/credentials", ".cargo/credentials.toml", ".gem/credentials", ".terraform.d",
    ".m2/settings.xml", ".config/containers/auth.json", ".local/share/containers", ".Xauthority",
    ".ICEauthority", ".bash_history", ".zsh_history", ".python_history", ".psql_history", ".mysql_history",
)  # fmt: skip
"""Below a home: keys of tools that the list of secret paths does not know, since their names say nothing."""
_HOLDERS = (".", ".config", ".local/share", ".config/google", ".config/mozilla", "snap", ".var/app")
_DEEPER = ("snap", ".var/app")
"""Their programs have a home of their own each."""
_KEPT = ("/run/current-system", "/run/booted-system", "/run/wrappers", "/run/opengl-driver")
"""On NixOS the programs themselves stand below /run."""
_CONNECTED = "/proc/net/unix"


def hidden(environ: Mapping[str, str], own: Iterable[str], secret: Callable[[str], bool]) -> tuple[str, ...]:
    """Return the real paths of what exists of it; `secret` says of a path if it is one. Reads folders."""
    found = {*_RUNNING, *_SYSTEM, *own, environ.get("XDG_RUNTIME_DIR", ""), environ.get("SSH_AUTH_SOCK", "")}
    for home in _homes(environ):
        found |= {os.path.join(home, name) for name in _TOKENS} | set(_secrets(home, secret))
    there = {os.path.realpath(path) for path in found if os.path.isabs(path) and os.path.lexists(path)}
    there = {path for path in there if path not in ("/", "/dev/null")}
    outer = {path for path in there if not any(covers(other, path) for other in there - {path})}
    return tuple(sorted(outer | {path for path in sockets() if not any(covers(one, path) for one in outer)}))


def sockets() -> Iterator[str]:
    """Yield the sockets with a path that programs listen at now, as far as they can be seen from here."""
    try:
        with open(_CONNECTED, "rb") as file:
            lines = file.read().splitlines()[1:]
    except OSError:
        return
    for line in lines:
        path = os.fsdecode(line.split(maxsplit=7)[7]) if line.count(b" /") else ""
        try:
            if path.startswith("/") and stat.S_ISSOCK(os.lstat(path).st_mode):
                yield os.path.realpath(path)
        except (OSError, ValueError):
            continue


def needed() -> tuple[str, ...]:
    """Return what must stay readable below the places that are hidden: programs, and how names are found."""
    resolver = os.path.realpath("/etc/resolv.conf")
    places = (*_KEPT, *((resolver,) if covers("/run", resolver) else ()))
    return tuple(path for path in places if os.path.exists(path))


def _homes(environ: Mapping[str, str]) -> set[str]:
    import pwd

    homes = {environ.get("HOME", "")}
    with contextlib.suppress(KeyError):  # a number without a name, as in containers
        homes.add(pwd.getpwuid(os.getuid()).pw_dir)
    return {home for home in homes if os.path.isabs(home) and home != "/"}


def _secrets(home: str, secret: Callable[[str], bool]) -> Iterator[str]:
    """Yield the secret names in a home and in the folders in which programs keep their settings."""
    for holder in _HOLDERS:
        folder = os.path.normpath(os.path.join(home, holder))
        for path in _entries(folder):
            if secret(path):
                yield path
            elif holder in _DEEPER:
                yield from _secrets_of_program(path, secret)


def _secrets_of_program(folder: str, secret: Callable[[str], bool]) -> Iterator[str]:
    for inner in (folder, f"{folder}/common", f"{folder}/current", f"{folder}/config"):
        yield from (path for path in _entries(inner) if secret(path))


def _entries(folder: str) -> list[str]:
    try:
        return [entry.path for entry in os.scandir(folder)]
    except OSError:
        return []

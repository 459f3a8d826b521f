"""Where text comes from that nobody vouches for, and what that switches off (product 5.4).

A conversation is marked for as long as such text, or what was made from it, is in the context that goes to
the model: an instruction may hide in it. Pure but for resolving paths.
"""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterable
from pathlib import PurePath
from urllib.parse import urlsplit

from app.records import ActionEffect, CommandEffect, Effect, Mark, ReadEffect, RequestEffect, ServerEffect

MARKS_CAP = 50
"""Sources that are remembered one by one; more say no more to a person, and one is enough to be careful."""
_SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib64", "/opt", "/etc", "/dev", "/nix", "/snap")
"""Folders that only an administrator writes: naming a program or a setting there is not reading a stranger's
text. Reading a file of them with a file tool marks all the same."""
_NETWORK = frozenset(
    {
        "curl", "wget", "http", "https", "xh", "aria2c", "lynx", "w3m", "links", "elinks", "nc", "ncat",
        "netcat", "socat", "telnet", "ftp", "sftp", "scp", "rsync", "ssh", "rclone", "gh", "glab", "hub",
        "mail", "mutt", "neomutt", "fetchmail", "mbsync", "offlineimap", "yt-dlp", "youtube-dl",
    }
)  # fmt: skip
"""Programs whose output is what some other computer says."""
_URL = re.compile(r"\b[a-z][a-z0-9+.-]{1,15}://([^\s/?#'\"<>()|;&`\\]+)", re.IGNORECASE)
_HOST = re.compile(
    r"(?<![\w@.-])("
    r"(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,24}"
    r"|localhost|[0-9]{1,3}(?:\.[0-9]{1,3}){3}|\[[0-9a-f:.]{2,45}\]"
    r")(?::([0-9]{1,5})(?![\w:]|\.\w))?(?![\w-])",
    re.IGNORECASE,
)
_INSTRUCTIONS = frozenset(
    {
        "agents.md", "claude.md", "gemini.md", "copilot-instructions.md", "skill.md", ".cursorrules",
        ".windsurfrules", ".clinerules", ".goosehints", "conventions.md",
    }
)  # fmt: skip
"""Files that assistants take as instructions."""
_INSTRUCTION_FOLDERS = frozenset({"skills", ".claude", ".codex", ".cursor", ".gemini", ".bramble", ".agents"})


def merged(*groups: Iterable[Mark]) -> tuple[Mark, ...]:
    """Return the marks of all groups once each, in the order in which they came, at most MARKS_CAP."""
    return tuple(dict.fromkeys(mark for group in groups for mark in group))[:MARKS_CAP]


def sources(effect: Effect, cwd: str) -> tuple[Mark, ...]:
    """Return what the text that `effect` brings into the conversation comes from; empty where it is the
    person's own.

    A file outside the working folder, the host of a request, a server, and what a command reads from either
    as far as its words show that: a command that hides it in a script is marked by its reach or not at all.
    """
    match effect:
        case ServerEffect():
            return (Mark(kind="mcp", name=effect.server),)
        case ReadEffect():
            return () if PurePath(effect.path).is_relative_to(cwd) else (Mark(kind="file", name=effect.path),)
        case RequestEffect():
            return tuple(Mark(kind=effect.fixed or "web", name=host) for host in (effect.host, *effect.also))
        case CommandEffect():
            return _of_command(effect, cwd)
        case ActionEffect(kind="read_clipboard"):
            return (Mark(kind="other", name="clipboard"),)
        case ActionEffect(kind="screenshot"):
            return (Mark(kind="other", name="screen"),)
        case ActionEffect(kind="git", host=host) if host:
            return (Mark(kind="web", name=host),)
    return ()


def _of_command(effect: CommandEffect, cwd: str) -> tuple[Mark, ...]:
    if effect.job:
        return ()  # input for a program; what it then says is marked by the command that began it
    words = _words(effect.command)
    hosts = [_host_only(found) for found in _URL.findall(effect.command)]
    if not hosts and (effect.reach == "network" or any(os.path.basename(word) in _NETWORK for word in words)):
        hosts = ["network"]
    marks = [Mark(kind="web", name=host) for host in hosts if host]
    marks += [Mark(kind="file", name=path) for path in _outside(words, effect.cwd, cwd)]
    return merged(marks)


def _words(command: str) -> list[str]:
    try:
        return shlex.split(command, comments=False)
    except ValueError:
        return command.split()


def _outside(words: list[str], folder: str, cwd: str) -> list[str]:
    """Return the regular files outside of the working folder that words name."""
    found = []
    for word in words:
        word = word.lstrip("<>&0123456789").rstrip(";|&)")
        if not word.startswith(("/", "~", "..")) or "\0" in word:
            continue
        path = os.path.realpath(os.path.join(folder, os.path.expanduser(word)))
        inside = PurePath(path).is_relative_to(cwd) or any(
            PurePath(path).is_relative_to(one) for one in _SYSTEM
        )
        if not inside and os.path.isfile(path):
            found.append(path)
    return found


def named_hosts(texts: Iterable[str]) -> frozenset[str]:
    """Return the hosts that stand in a person's own words, in lower case, with a port also as HOST:PORT: a
    request to one of them is their wish, whatever else the conversation holds.
    """
    found: set[str] = set()
    for text in texts:
        for authority in _URL.findall(text):
            found.update(_named(authority))
        for host, port in _HOST.findall(text):
            found.update(_named(f"{host}:{port}" if port else host))
    return frozenset(found)


def _named(authority: str) -> tuple[str, ...]:
    try:
        parts = urlsplit(f"//{authority.rstrip('.,:!?')}")
        host, port = (parts.hostname or "").casefold(), parts.port
    except ValueError:
        return ()
    return () if not host else (host,) if port is None else (host, f"{host}:{port}")


def _host_only(authority: str) -> str:
    try:
        return (urlsplit(f"//{authority.rstrip('.,:!?')}").hostname or "").casefold()
    except ValueError:
        return ""


def persists_instructions(path: str) -> bool:
    """Whether a file is one that assistants, this one too, read as instructions the next time."""
    parts = [part.casefold() for part in PurePath(path).parts]
    return bool(parts) and (parts[-1] in _INSTRUCTIONS or bool(_INSTRUCTION_FOLDERS & set(parts[:-1])))

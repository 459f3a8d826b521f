"""Read what Git says in its formats for programs, names of any bytes included. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from app.capabilities.git.config import os_text
from tools import BlameLine, GitChange, GitCommit, GitFile, GitRef, GitStash, GitStatus

FIELD = "\x1f"
COMMIT = FIELD.join(("%H", "%P", "%an", "%ae", "%aI", "%D", "%s", "%b"))
"""The format of a commit for `commits`."""
REF = "%00".join(
    (
        "%(HEAD)",
        "%(refname)",
        "%(objectname:short)",
        "%(upstream:short)",
        "%(upstream:track)",
        "%(committerdate:iso-strict)",
        "%(symref)",
        "%(subject)",
    )
)
STASH = FIELD.join(("%gd", "%H", "%aI", "%gs"))
_STATES = {
    "M": "changed",
    "T": "type",
    "A": "new",
    "D": "deleted",
    "R": "renamed",
    "C": "copied",
    "U": "conflict",
    ".": "",
    " ": "",
}


def shown(name: str) -> str:
    """Return a name on one line, as text that anybody can read: other bytes and line ends as escapes."""
    text = name.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
    return text.replace("\r", "\\r").replace("\n", "\\n").replace("\t", "\\t")


def status(out: bytes, top: str, under_way: str) -> GitStatus:
    """Read `git status --porcelain=v2 --branch -z`."""
    head: dict[str, str] = {}
    files: list[GitFile] = []
    words = iter(out.split(b"\0"))
    for raw in words:
        word = os_text(raw)
        if word.startswith("# "):
            key, _, value = word[2:].partition(" ")
            head[key] = value
        elif word.startswith("1 "):
            codes, name = _parted(word, 8)
            files.append(GitFile(shown(name), _STATES[codes[0]], _STATES[codes[1]]))
        elif word.startswith("2 "):
            codes, name = _parted(word, 9)
            old = os_text(next(words, b""))
            files.append(GitFile(shown(name), _STATES[codes[0]], _STATES[codes[1]], shown(old)))
        elif word.startswith("u "):
            files.append(GitFile(shown(_parted(word, 10)[1]), "conflict", "conflict"))
        elif word.startswith("? "):
            files.append(GitFile(shown(word[2:]), "", "untracked"))
    ahead, behind = (head.get("branch.ab") or "+0 -0").split()
    oid, on = head.get("branch.oid", ""), head.get("branch.head", "")
    return GitStatus(
        top=top,
        head="" if oid == "(initial)" else oid[:9],
        on="" if on == "(detached)" else on,
        upstream=head.get("branch.upstream", ""),
        ahead=int(ahead[1:]),
        behind=int(behind[1:]),
        under_way=under_way,
        files=tuple(files),
    )


def _parted(word: str, fields: int) -> tuple[str, str]:
    """Return the two letters of a line and its last field, which may hold blanks."""
    parts = word.split(" ", fields)
    return parts[1], parts[-1]


def changes(out: bytes) -> list[tuple[GitChange, str]]:
    """Read `--raw --numstat -z`; with each change its path as the system has it."""
    kinds: dict[str, str] = {}
    found: list[tuple[GitChange, str]] = []
    words = iter(out.split(b"\0"))
    for raw in words:
        word = os_text(raw).lstrip("\n")
        if word.startswith(":"):
            code = word.rsplit(" ", 1)[1][:1]
            name = os_text(next(words, b""))
            if code in "RC":
                name = os_text(next(words, b""))
            kinds.setdefault(name, _STATES.get(code, "changed"))
        elif word.count("\t") >= 2:
            added, removed, name = word.split("\t", 2)
            old = ""
            if not name:
                old, name = os_text(next(words, b"")), os_text(next(words, b""))
            binary = added == "-"
            counts = (0, 0) if binary else (int(added), int(removed))
            kind = kinds.get(name, "changed")
            if kind == "conflict":  # told twice, first without counts
                found = [one for one in found if one[1] != name]
            found.append((GitChange(shown(name), kind, *counts, binary, shown(old)), name))
    return found


def commits(out: bytes) -> list[GitCommit]:
    """Read commits in the format COMMIT, each ended by NUL."""
    found = []
    for raw in out.split(b"\0"):
        parts = raw.decode("utf-8", "backslashreplace").strip("\n").split(FIELD)
        if len(parts) >= 8:
            id, parents, author, email, when, refs, subject = parts[:7]
            body = FIELD.join(parts[7:]).strip("\n")
            found.append(GitCommit(id, author, email, when, subject, body, refs, tuple(parents.split())))
    return found


def blamed(out: bytes) -> Iterator[BlameLine]:
    """Read `git blame --porcelain`, which tells of each commit once."""
    known: dict[str, dict[str, str]] = {}
    id, number = "", 0
    about: dict[str, str] = {}
    for raw in out.split(b"\n"):
        line = raw.decode("utf-8", "backslashreplace")
        if line.startswith("\t"):
            when = _day(about.get("author-time", ""))
            yield BlameLine(number, id, about.get("author", ""), when, line[1:].rstrip("\r"))
            continue
        key, _, value = line.partition(" ")
        if len(key) in (40, 64) and value[:1].isdigit():
            id, number = key, int(value.split()[1])
            about = known.setdefault(id, {})
        elif key:
            about[key] = value


def _day(seconds: str) -> str:
    from datetime import UTC, datetime

    try:
        return f"{datetime.fromtimestamp(int(seconds), UTC):%Y-%m-%d}"
    except (ValueError, OverflowError, OSError):
        return ""


def refs(out: bytes) -> list[GitRef]:
    """Read branches in the format REF, one a line; what only points to another one is left out."""
    found = []
    for line in out.decode("utf-8", "backslashreplace").splitlines():
        parts = line.split("\0", 7)
        if len(parts) != 8 or parts[6]:
            continue
        mark, name, id, upstream, track, when, _, subject = parts
        remote = name.startswith("refs/remotes/")
        short = name.removeprefix("refs/heads/").removeprefix("refs/remotes/")
        found.append(GitRef(short, mark == "*", remote, id, upstream, track, when, subject))
    return found


def stashes(out: bytes) -> list[GitStash]:
    """Read entries of the stash in the format STASH, each ended by NUL."""
    entries = (raw.decode("utf-8", "backslashreplace").strip("\n") for raw in out.split(b"\0"))
    parts = (entry.split(FIELD, 3) for entry in entries if entry)
    return [GitStash(*fields) for fields in parts if len(fields) == 4]

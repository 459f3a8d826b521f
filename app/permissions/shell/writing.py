"""Which words of a command are files that it writes, for programs that plainly write."""

from __future__ import annotations

import os
import re

from app.permissions.shell.programs import base

_ALL = frozenset(
    {
        "tee", "touch", "mkdir", "rm", "rmdir", "unlink", "truncate", "shred", "mkfifo", "mknod", "chmod",
        "chown", "chgrp", "chattr", "setfacl", "mv",
    }
)  # fmt: skip
"""Every operand."""
_SECOND = frozenset(["uniq", "xxd", "split"])
"""The last of several operands."""
_PACKERS = frozenset(["gzip", "gunzip", "bzip2", "bunzip2", "xz", "unxz", "zstd", "unzstd", "zip"])
"""Every operand is replaced, or is the archive; none of them matters where it lies in the working folder."""
_LAST = frozenset(["cp", "ln", "install", "rsync", "scp", "link", "symlink"])
"""The last operand, or the folder of `-t`."""
_OUTPUT = {
    "sort": ("-o", "--output"), "curl": ("-o", "--output", "--output-dir", "-D", "--dump-header", "-c",
    "--cookie-jar"), "wget": ("-O", "--output-document", "-o", "--output-file", "-P", "--directory-prefix",
    "-a", "--append-output"), "tar": ("-C", "--directory", "-f", "--file"), "unzip": ("-d",),
    "gcc": ("-o",), "cc": ("-o",), "clang": ("-o",), "patch": ("-o", "--output", "-d"), "tree": ("-o",),
    "shuf": ("-o", "--output"), "base64": ("-o", "--output"), "jq": (),
    "openssl": ("-out",), "go": ("-o",), "rustc": ("-o",),
}  # fmt: skip
READERS = frozenset(
    {
        "cat", "head", "tail", "wc", "grep", "egrep", "fgrep", "rg", "ls", "stat", "file", "du", "df",
        "diff", "cmp", "comm", "cut", "tr", "nl", "tac", "rev", "paste", "column", "fold", "expand", "echo",
        "printf", "true", "false", "pwd", "test", "[", "basename", "dirname", "realpath", "readlink",
        "md5sum", "sha1sum", "sha256sum", "sha512sum", "b2sum", "cksum", "strings", "hexdump", "od", "tree",
        "which", "type", "whoami", "id", "uname", "date", "seq", "sleep", "jq", "yq", "fd", "fdfind", "bat",
        "hd", "numfmt", "fmt", "tsort", "uptime", "free", "ps", "pgrep", "lsof", "nproc", "arch",
        "env-print", "locate", "plocate",
    }
)  # fmt: skip
"""Programs that write nothing to the files that their words name (uniq, sort and sed can)."""
_MAY_WRITE = {"tree": ("-o", "--output", "-R"), "file": ("-C", "--compile"), "yq": ("-i", "--inplace", "-s",
    "--split-exp"), "lsof": ("-D",), "fd": ("-x", "-X", "--exec"), "fdfind": ("-x", "-X", "--exec")
}  # fmt: skip
"""Options by which one of them does not only read."""
_UNBUNDLED = frozenset(["gcc", "g++", "cc", "c++", "clang", "clang++", "go", "rustc", "openssl"])
"""Their options have one dash and many letters."""


def written(words: tuple[str, ...], cwd: str) -> tuple[str, ...]:
    """Return the operands that a command writes or removes, as they stand; for folders that take files in,
    the files in them too.
    """
    name = base(words[0]) if words else ""
    operands = [word for word in words[1:] if word and not word.startswith("-")]
    if name in _ALL and name != "mv":
        return tuple(operands)
    if name == "dd":
        return tuple(word[3:] for word in words[1:] if word.startswith("of="))
    if name in ("sed", "gsed") and any(
        word.startswith(("-i", "--in-place")) or "i" in word[1:3]
        for word in words[1:]
        if word.startswith("-")
    ):
        return tuple(operands)
    if name in _SECOND:
        return tuple(operands[1:][-1:])
    if name in _PACKERS:
        return tuple(operands)
    if name == "tar" and len(words) > 2 and re.match(r"[A-Za-z]*[cru]", words[1]) and "f" in words[1]:
        return (words[2], *_of_options(words, _OUTPUT[name]))
    if name in _OUTPUT:
        return tuple(_of_options(words, _OUTPUT[name]))
    if name in _LAST or name == "mv":
        into = list(_of_options(words, ("-t", "--target-directory")))
        target, sources = (into[-1], operands) if into else (operands[-1] if operands else "", operands[:-1])
        inside = [os.path.join(target, os.path.basename(source.rstrip("/"))) for source in sources]
        if not into and not os.path.isdir(os.path.join(cwd, target)):
            inside = []
        return tuple(filter(None, [target, *(operands if name == "mv" else []), *inside]))
    return ()


def only_reads(words: tuple[str, ...]) -> bool:
    """Whether a command is known to leave alone what its words name."""
    name = base(words[0]) if words else ""
    return name in READERS and not any(_values(words, option) for option in _MAY_WRITE.get(name, ()))


def _of_options(words: tuple[str, ...], options: tuple[str, ...]) -> list[str]:
    return [value for option in options for value in _values(words, option) if value]


def _values(words: tuple[str, ...], option: str) -> list[str]:
    """Return the values of an option, "" for none: long ones also abbreviated, short ones also behind others
    in one word.
    """
    found: list[str] = []
    bundles = len(option) == 2 and base(words[0]) not in _UNBUNDLED
    for at, word in enumerate(words[1:], 1):
        following = "".join(words[at + 1 : at + 2])
        head, given, value = word.partition("=")
        if option.startswith("--"):
            if len(head) > 2 and option.startswith(head):
                found.append(value if given else following)
        elif word.startswith(option):
            found.append(word[len(option) :] or following)
        elif bundles and (place := re.match(rf"-[A-Za-z0-9]+?{option[1]}", word)):
            found.append(word[place.end() :] or following)
    return found

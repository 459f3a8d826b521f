"""Git: the options, variables and sub-commands by which it runs programs, writes files or throws work away
(forms, "Rules"; facts: safety 2.2, 16).
"""

from __future__ import annotations

import os
from collections.abc import Iterator

from app.permissions.shell.programs import base

_BEFORE = (
    "-c", "-C", "-p", "--paginate", "--exec-path", "--git-dir", "--work-tree", "--namespace", "--config-env",
    "--super-prefix", "--attr-source", "--bare",
)  # fmt: skip
"""Before the sub-command: another configuration, another repository, a pager."""
_LONG = (
    "--exec-path", "--git-dir", "--config-env", "--ext-diff", "--textconv", "--output",
    "--output-directory", "--open-files-in-pager", "--upload-pack", "--receive-pack", "--exec",
    "--paginate", "--config", "--template", "--tool", "--extcmd", "--interactive", "--edit-todo",
    "--gpg-sign", "--reference", "--sequence-editor", "--work-tree", "--filter-process",
)  # fmt: skip
"""Anywhere, also abbreviated as Git takes them."""
_HARMLESS = frozenset({"--output-indicator-new", "--output-indicator-old", "--output-indicator-context"})
_RUNNING = frozenset(
    {
        "bisect", "filter-branch", "submodule", "difftool", "mergetool", "daemon", "instaweb", "gui",
        "gitk", "citool", "send-email", "p4", "svn", "cvsimport", "cvsserver", "cvsexportcommit", "hook",
        "config", "maintenance", "credential", "credential-store", "credential-cache", "remote-ext",
        "remote-fd", "upload-pack", "receive-pack", "upload-archive", "shell", "http-backend",
        "fast-import", "help", "web--browse", "for-each-repo", "alias", "var", "scalar",
    }
)  # fmt: skip
"""Sub-commands that run programs, or change what Git will run."""
KNOWN = frozenset(
    {
        "add", "am", "annotate", "apply", "archive", "backfill", "bisect", "blame", "branch", "bugreport",
        "bundle", "cat-file", "check-attr", "check-ignore", "check-mailmap", "check-ref-format", "checkout",
        "checkout-index", "cherry", "cherry-pick", "clean", "clone", "column", "commit", "commit-graph",
        "commit-tree", "config", "count-objects", "credential", "describe", "diagnose", "diff",
        "diff-files", "diff-index", "diff-tree", "difftool", "fast-export", "fast-import", "fetch",
        "fetch-pack", "filter-branch", "fmt-merge-msg", "for-each-ref", "format-patch", "fsck", "gc",
        "get-tar-commit-id", "grep", "hash-object", "help", "hook", "index-pack", "init", "init-db",
        "instaweb", "interpret-trailers", "log", "ls-files", "ls-remote", "ls-tree", "mailinfo",
        "mailsplit", "maintenance", "merge", "merge-base", "merge-file", "merge-index", "merge-one-file",
        "merge-tree", "mergetool", "mktag", "mktree", "multi-pack-index", "mv", "name-rev", "notes",
        "pack-objects", "pack-redundant", "pack-refs", "patch-id", "prune", "prune-packed", "pull", "push",
        "quiltimport", "range-diff", "read-tree", "rebase", "reflog", "remote", "repack", "replace",
        "request-pull", "rerere", "reset", "restore", "rev-list", "rev-parse", "revert", "rm", "send-email",
        "send-pack", "shortlog", "show", "show-branch", "show-index", "show-ref", "sparse-checkout",
        "stage", "stash", "status", "stripspace", "submodule", "switch", "symbolic-ref", "tag",
        "unpack-file", "unpack-objects", "update-index", "update-ref", "update-server-info", "var",
        "verify-commit", "verify-pack", "verify-tag", "version", "whatchanged", "worktree", "write-tree",
    }
)  # fmt: skip
_VARIABLES = (
    "GIT_",
    "PAGER",
    "EDITOR",
    "VISUAL",
    "LESS",
    "LD_",
    "PATH",
    "HOME",
    "XDG_CONFIG",
    "SSH_",
    "BROWSER",
)
_MERGING = frozenset(["merge", "rebase", "pull"])
_STRATEGIES = frozenset(["ort", "recursive", "resolve", "octopus", "ours", "subtree"])
_RESET = {"stash": ("drop", "clear"), "reflog": ("expire", "delete"), "worktree": ("remove", "prune"),
          "remote": ("remove", "rm"), "notes": ("remove", "prune")}  # fmt: skip


def split(words: tuple[str, ...]) -> tuple[tuple[str, ...], str, tuple[str, ...]]:
    """Return the options before the sub-command, the sub-command ("" for none) and what stands behind it."""
    at = next((at for at, word in enumerate(words[1:], 1) if not word.startswith("-")), len(words))
    return words[1:at], words[at] if at < len(words) else "", words[at + 1 :]


def runs_programs(words: tuple[str, ...]) -> bool:
    """Whether a git command has what can run other programs or write files of its choice."""
    before, command, after = split(words)
    if any(word.startswith(_BEFORE) for word in before):
        return True
    if command and command not in KNOWN:  # an alias, or git-x somewhere on PATH
        return True
    if command in _RUNNING and not (command == "config" and _only_reads(after)):
        return True
    if any(word.startswith("-O") or "::" in word for word in after) or any(map(_odd_long, after)):
        return True
    if command in _MERGING and not _STRATEGIES.issuperset(_strategies(after)):
        return True
    short = "".join(word[1:] for word in after if word.startswith("-") and not word.startswith("--"))
    letters = {"grep": "O", "rebase": "xi", "format-patch": "o", "archive": "o", "clone": "cu", "add": "ip",
               "ls-remote": "u", "bundle": "", "commit": "p", "checkout": "p", "reset": "p", "stash": "p",
               "restore": "p"}.get(command, "")  # fmt: skip
    return not set(letters).isdisjoint(short)


def _strategies(after: tuple[str, ...]) -> Iterator[str]:
    """Yield the ways to merge that are named: one that Git does not know is the program git-merge-NAME."""
    for at, word in enumerate(after):
        head, given, value = word.partition("=")
        if len(head) > 4 and "--strategy".startswith(head):
            yield value if given else "".join(after[at + 1 : at + 2])
        elif word.startswith("-s"):
            yield word[2:] or "".join(after[at + 1 : at + 2])


def is_bare(folder: str) -> bool:
    """Whether Git, in this folder, takes it or one above it for a repository without a `.git`: then plain
    files, which anything may write, say which programs Git runs.
    """
    while not os.path.lexists(os.path.join(folder, ".git")):
        if all(os.path.lexists(os.path.join(folder, name)) for name in ("HEAD", "objects", "refs")):
            return True
        above = os.path.dirname(folder)
        if above == folder:
            return False
        folder = above
    return False


def _only_reads(after: tuple[str, ...]) -> bool:
    return after[:1] in (("--get",), ("--list",), ("-l",), ("get",), ("list",)) and not any(
        word.startswith(("-e", "--edit")) for word in after
    )


def _odd_long(word: str) -> bool:
    name = word.split("=", 1)[0]
    if not name.startswith("--") or name == "--" or name in _HARMLESS:
        return False
    return any(option.startswith(name) or name.startswith(option) for option in _LONG)


def is_variable(name: str) -> bool:
    """Whether a variable can change what Git runs."""
    return name.startswith(_VARIABLES)


def checks_out(words: tuple[str, ...]) -> bool:
    """Whether a git command takes words that may be files or branches, and makes the files as they were."""
    return base(words[0]) == "git" and split(words)[1] == "checkout"


def throws_away(words: tuple[str, ...]) -> bool:
    """Whether a git command can lose work that Git does not hold, or the work of others."""
    _, command, after = split(words)
    short = "".join(word[1:] for word in after if word.startswith("-") and not word.startswith("--"))
    if command == "clean":
        return True
    if command == "reset":
        return any(word.startswith(("--h", "--k", "--m")) for word in after)
    if command in ("checkout", "switch"):
        forced = "f" in short or any(
            word.startswith(("--f", "--disc", "--ours", "--theirs")) for word in after
        )
        return forced or "--" in after or any(word in (".", "./", ":/", "*") for word in after)
    if command == "restore":
        return not any(word in ("--staged", "-S") for word in after) or "--worktree" in after or "W" in short
    if command == "push":
        forced = any(word.startswith(("--f", "--d", "--m", "--pru", "+", ":")) for word in after)
        return forced or not set("fd").isdisjoint(short)
    if command in ("branch", "tag"):
        return not set("Dd" if command == "tag" else "DMCf").isdisjoint(short) or any(
            word.startswith(("--d", "--forc")) for word in after
        )
    if command in ("rm", "gc", "prune", "update-ref", "checkout-index", "read-tree", "sparse-checkout", "am"):
        return command in ("rm", "prune", "update-ref", "read-tree", "checkout-index") or bool(after)
    return after[:1] != () and after[0] in _RESET.get(command, ())

"""Record a commit: what would go in is shown first, and the commit is read back afterwards."""

from __future__ import annotations

import os
import shlex
from collections.abc import Sequence
from typing import NamedTuple

from app.capabilities.files_paths import is_secret
from app.capabilities.gate import Permit
from app.capabilities.git import parsing
from app.capabilities.git.config import os_text
from app.capabilities.git.journal import Journaling
from app.capabilities.git.parsing import shown
from app.capabilities.git.repository import Repository, alone, changed_since, pathspec, told, unchanged
from app.errors import ToolError
from app.records import ActionEffect
from tools import GitChange, GitOutcome

_HOOKS = ("pre-commit", "prepare-commit-msg", "commit-msg", "post-commit", "pre-merge-commit")
_DIFF = ("--no-ext-diff", "--no-textconv", "--ignore-submodules=dirty", "-M", "--raw", "--numstat", "-z")
_SHOWN = 40
"""Files that the question names one by one."""
_HOOK_SECONDS = 600.0
"""Hooks run whole test suites."""


class _Content(NamedTuple):
    """What would go into a commit: changes that are staged or will be, and new files."""

    changes: tuple[GitChange, ...]
    names: tuple[str, ...]
    new: tuple[str, ...]
    prints: tuple[object, ...]
    """What must be the same when it is committed: what Git lists, and how each file lies there."""


class Committing:
    """One commit of a repository."""

    def __init__(self, repository: Repository, gate: Permit, journaling: Journaling) -> None:
        self._repository = repository
        self._gate = gate
        self._journaling = journaling

    async def commit(self, message: str, paths: Sequence[str], *, amend: bool) -> GitOutcome:
        """Stage `paths`, from the top, and commit them; with none what is staged."""
        repository = self._repository
        self._possible(message, amend)
        before, branch = await repository.head(), await repository.branch()
        if amend and not before:
            raise ToolError("git_failed", "There is no commit yet that could be changed.")
        await self._has_name()
        content = await self._content(paths, before)
        self._all_there(paths, content)
        await self._nothing_open(paths)
        if not content.names and not content.new and not amend and not repository.state:
            what = "Nothing in these paths differs." if paths else "Nothing is staged; name paths."
            raise ToolError("git_failed", f"{what} git_status shows what there is.")
        self._no_secrets(paths, content)
        words = self._words(message, paths, amend)
        hooks = bool(await self._permit(message.strip(), paths, content, amend))
        async with alone(repository):
            now = await repository.head()
            same = await repository.branch() == branch and (now == before or not amend)
            if not same or await self._content(paths, before) != content:
                raise changed_since("What would be committed")
            kept = await self._journaling.begin((repository.top,), self._gate) if hooks else None
            try:
                if paths:
                    await repository.tell("add", "-A", "--", *map(pathspec, paths))
                ran = await repository.tell(*words, hooks=hooks, stdin=_text(message), seconds=_HOOK_SECONDS)
            finally:
                settled = await self._journaling.settle(kept)
            outcome = await self._read_back(message, now, amend, told(ran))
        return outcome._replace(undo=settled.change)

    def _possible(self, message: str, amend: bool) -> None:
        if not message.strip() and not amend:
            raise ToolError("bad_arguments", "A commit needs a message.")
        try:
            encoded = message.encode()
        except UnicodeEncodeError:
            raise ToolError("bad_arguments", "The message holds half of a character.") from None
        if b"\0" in encoded:
            raise ToolError("bad_arguments", "The message holds the NUL character.")
        if self._repository.state in ("rebase", "cherry-pick", "revert") and amend:
            raise ToolError("git_failed", f"A {self._repository.state} is under way; it must end first.")

    async def _has_name(self) -> None:
        config = self._repository.config
        if not (config.get("user.name") and config.get("user.email")):
            raise ToolError(
                "git_failed",
                "Git does not know whose commit this is. Ask the person for their name and address, then set "
                'them: git config --global user.name "..." and user.email "..."',
            )

    async def _content(self, paths: Sequence[str], head: str) -> _Content:
        repository, specs = self._repository, [pathspec(path) for path in paths]
        whole = bool(repository.state)  # what ends a merge is all that is staged
        against = ([head] if head else []) if paths and head else ["--cached"]
        ran = await repository.ask("diff", *_DIFF, *against, "--", *(() if whole else specs))
        found, listed = parsing.changes(ran.out), [ran.out]
        if paths and not head:
            ran = await repository.ask("ls-files", "-z", "--cached", "--", *specs)
            found = [(GitChange(shown(name), "new", 0, 0), name) for name in _names(ran.out)]
        new: list[str] = []
        if paths:
            others = await repository.ask("ls-files", "-z", "--others", "--exclude-standard", "--", *specs)
            new = _names(others.out)
        names = [name for _, name in found]
        prints = (*listed, *(self._print(name) for name in (*names, *new) if paths))
        return _Content(tuple(change for change, _ in found), tuple(names), tuple(new), prints)

    def _print(self, name: str) -> object:
        try:
            one = os.lstat(os.path.join(self._repository.top, name))
        except OSError:
            return None
        return one.st_mode, one.st_size, one.st_mtime_ns, one.st_ino

    def _all_there(self, paths: Sequence[str], content: _Content) -> None:
        """Refuse a path that is no file and nothing that Git would record as gone."""
        top, state = self._repository.top, self._repository.state
        gone = [
            shown(path)
            for path in (() if state else paths)
            if not os.path.lexists(os.path.join(top, path))
            and not any(name == path or name.startswith(f"{path}/") for name in content.names)
        ]
        if gone:
            names = ", ".join(gone[:5])
            raise ToolError("git_failed", f"There is no {names} in this repository. Nothing was committed.")

    async def _nothing_open(self, paths: Sequence[str]) -> None:
        """Refuse while files are in conflict, but for those that the commit would settle."""
        ran = await self._repository.ask("diff", "--name-only", "--diff-filter=U", "-z")
        names = list(dict.fromkeys(_names(ran.out)))
        still = [
            one
            for one in names
            if not any(path in (".", one) or one.startswith(f"{path}/") for path in paths)
        ]
        if still:
            listed = ", ".join(map(shown, still[:5]))
            raise ToolError(
                "git_failed",
                f"Still in conflict: {listed}. Settle what stands in them first, then name them in paths.",
            )

    def _no_secrets(self, paths: Sequence[str], content: _Content) -> None:
        """Refuse where a new file that may hold secrets would go in unnamed: it is hard to get out."""
        top = self._repository.top
        fresh = [*content.new, *(name for one, name in zip(content.changes, content.names, strict=True)
                                 if one.kind == "new")]  # fmt: skip
        secret = [name for name in fresh if is_secret(os.path.join(top, name)) and name not in paths]
        if secret:
            names = ", ".join(map(shown, secret[:5]))
            raise ToolError(
                "git_failed",
                f"{names} may hold secrets and is not in the repository yet. Nothing was committed. Name "
                "what is to go in file by file; name it too if the person wants it in.",
            )

    def _words(self, message: str, paths: Sequence[str], amend: bool) -> list[str]:
        words = ["commit", "--cleanup=whitespace", "--quiet"]
        words += ["--amend"] if amend else []
        words += ["--file=-"] if message.strip() else ["--no-edit"]
        if paths and not self._repository.state:
            words += ["--only", "--", *map(pathspec, paths)]
        return words

    async def _permit(
        self, message: str, paths: Sequence[str], content: _Content, amend: bool
    ) -> tuple[str, ...]:
        """Ask with all that would go in, and return the hooks that may run."""
        repository = self._repository
        hooks = (*_HOOKS, *(["post-rewrite"] if amend else []))
        runs = repository.hooks(*hooks)
        plain = ["git", "commit", *(["--amend"] if amend else [])]
        plain += ["-m", message] if message else ["--no-edit"]
        plain += ["--", *paths] if paths else []
        lines = [shown(shlex.join(["git", "add", "-A", "--", *paths]))] if paths else []
        lines += [_printable(shlex.join(plain)), ""]
        lines += [f"{one.kind}: {one.path} (+{one.added} -{one.removed})" for one in content.changes[:_SHOWN]]
        lines += [f"new: {shown(name)}" for name in content.new[:_SHOWN]]
        more = max(0, len(content.changes) - _SHOWN) + max(0, len(content.new) - _SHOWN)
        lines += [f"and {more} more"] if more else []
        if amend and await self._pushed():
            lines.append("This commit has been pushed already; changing it parts you from others.")
        await self._gate.permit(
            ActionEffect(
                kind="git",
                subject="commit --amend" if amend else "commit",
                details="\n".join(lines).strip(),
                words=tuple(plain),
                cwd=repository.top,
                runs=runs,
            )
        )
        await unchanged(repository, runs, *hooks)
        return runs

    async def _pushed(self) -> bool:
        """Whether the commit that would be changed is at the upstream already."""
        words = ("merge-base", "--is-ancestor", "HEAD", "@{upstream}")
        return (await self._repository.ask(*words, codes=(0, 1, 128))).code == 0

    async def _read_back(self, message: str, before: str, amend: bool, said: str) -> GitOutcome:
        repository = self._repository
        now = await repository.head()
        if now == before:
            raise ToolError("git_failed", f"No commit was made. {said}", detail=said)
        ran = await repository.ask("log", "-z", f"--format={parsing.COMMIT}", "--max-count=1", now, "--")
        one = parsing.commits(ran.out)[0]
        listing = await repository.ask("diff-tree", *_DIFF, "--root", "--no-commit-id", "-r", "-m",
                                       "--first-parent", now)  # fmt: skip
        files = tuple(change for change, _ in parsing.changes(listing.out))
        whole = f"{one.subject}\n\n{one.body}".strip()
        kept = not message.strip() or _same(whole, message)
        follows = amend or (one.parents[:1] == ((before,) if before else ()))
        notes = () if kept else ("A hook of the repository changed the message.",)
        branch = await repository.branch()
        done = f"Commit {now[:9]} on {branch or 'no branch (detached)'}: {one.subject}"
        return GitOutcome(done, kept and follows, said, notes, files)


def _printable(text: str) -> str:
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def _names(out: bytes) -> list[str]:
    return [os_text(name) for name in out.split(b"\0") if name]


def _text(message: str) -> bytes:
    return message.strip().encode() + b"\n" if message.strip() else b""


def _same(one: str, other: str) -> bool:
    """Whether two messages say the same; Git folds a subject and trims lines."""
    return one.split() == other.split()

"""Look at a repository behind the gate; nothing here changes anything, and nothing of a repository is run.

Of a repository that lies around the working folder only what is in that folder is shown. What may hold
secrets, or may not be read, is left out of differences unless it was named and the person agreed.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Mapping, Sequence

from app.capabilities.files_paths import is_secret, resolve
from app.capabilities.gate import Permit
from app.capabilities.git import parsing
from app.capabilities.git.parsing import shown
from app.capabilities.git.places import elsewhere
from app.capabilities.git.repository import Repository, discover, pathspec
from app.errors import ToolError
from app.records import ReadEffect
from tools import (
    GitBlame,
    GitChange,
    GitCommit,
    GitDiff,
    GitLog,
    GitRef,
    GitShown,
    GitStash,
    GitStatus,
)

_DIFF = ("--no-ext-diff", "--no-textconv", "--no-color", "--ignore-submodules=dirty", "-M")
_PATCH_MOST = 1 << 20
_FILE_MOST = 2 << 20
_LOG_MOST = 500
_BLAME_MOST = 2_000
"""Lines of a file that are told at once."""
_LEFT_OUT_MOST = 200
_SINCE = re.compile(r"[\w :.+/-]{1,60}\Z")
_READING = 60.0
"""Seconds within which a time without a number is this very moment, however long Git took to say so."""


class GitReader:
    """Implements `tools.ReadGit` for one call in the working folder `cwd`."""

    def __init__(self, gate: Permit, cwd: str, environ: Mapping[str, str]) -> None:
        self._gate = gate
        self._cwd = os.path.realpath(cwd)
        self._environ = environ

    # --- finding it ------------------------------------------------------------------------------------

    async def _open(self, repo: str) -> Repository:
        """Return the repository once the gate lets it be read."""
        folder = resolve(self._cwd, repo or ".")
        if os.path.isfile(folder):
            folder = os.path.dirname(folder)
        if not os.path.isdir(folder):
            raise ToolError("no_folder", f"The folder {folder} does not exist.", path=folder)
        await self._gate.permit(ReadEffect(path=folder))
        found = await discover(folder, self._environ, self._cwd)
        if found.top and not _within(folder, found.top):  # its own settings can say any place
            raise ToolError("git_failed", f"The files of this repository lie elsewhere: {found.top}.")
        for place in elsewhere(found):
            await self._gate.permit(ReadEffect(path=place, secret=is_secret(place)))
        return found

    def _scope(self, repository: Repository) -> str:
        """Return the part of a repository that may be shown, from its top: "." for all of it."""
        top = repository.top or repository.git_dir
        if _within(top, self._cwd) or not _within(repository.folder, self._cwd):
            return "."  # all of it lies in the working folder, or the person has allowed it
        return os.path.relpath(self._cwd if _within(self._cwd, top) else repository.folder, top)

    def _note(self, repository: Repository) -> tuple[str, ...]:
        if self._scope(repository) == ".":
            return ()
        return (f"Only what lies in the working folder is shown; the repository is {repository.top}.",)

    async def _path(self, repository: Repository, path: str) -> str:
        """Return a named path from the top once it may be read."""
        relative = repository.relative(path)
        real = os.path.join(repository.top, relative)
        await self._gate.permit(ReadEffect(path=os.path.realpath(real), secret=is_secret(real)))
        return relative

    async def _specs(self, repository: Repository, path: str) -> list[str]:
        """Return the paths that a command is held to."""
        if path:
            return [pathspec(await self._path(repository, path))]
        scope = self._scope(repository)
        return [] if scope == "." else [pathspec(scope)]

    async def _is_somewhere(self, repository: Repository, path: str) -> None:
        """Raise ToolError not_found for a path that is no file and of which no commit ever knew."""
        relative = repository.relative(path)
        if os.path.lexists(os.path.join(repository.top, relative)):
            return
        for words in (("ls-files",), ("log", "--all", "--max-count=1", "--format=%H")):
            if (await repository.ask(*words, "--", pathspec(relative))).out.strip():
                return
        raise ToolError("not_found", f"There is no {shown(relative)}, and no commit ever knew it.", path=path)

    async def _since(self, repository: Repository, text: str) -> str:
        """Return a time for --since. Git takes words that it does not know for this very moment, so that no
        commit would seem to fit. Raises ToolError bad_arguments.
        """
        if text.strip().lower() == "today":
            return "midnight"
        known = bool(_SINCE.match(text))
        if known and not re.search(r"\d", text) and text.strip().lower() != "now":
            ran = await repository.ask("rev-parse", f"--since={text}")
            moment = int(ran.out.strip().removeprefix(b"--max-age="))
            known = time.time() - moment > _READING
        if not known:
            raise ToolError("bad_arguments", f"since {text!r} is no date; write 2026-11-01 or 2 weeks ago.")
        return text

    # --- what tools ask --------------------------------------------------------------------------------

    async def status(self, repo: str = "") -> GitStatus:
        """See ReadGit."""
        repository = await self._open(repo)
        top = repository.with_files()
        ran = await repository.ask(
            "status", "--porcelain=v2", "--branch", "-z", "--untracked-files=normal",
            "--ignore-submodules=dirty", "--", *await self._specs(repository, ""),
        )  # fmt: skip
        found = parsing.status(ran.out, top, repository.state)
        notes = list(self._note(repository))
        if ran.cut:
            notes.append("There are more files than could be listed.")
        if repository.config.filters:
            notes.append(
                "The repository sets filters of its own, which are not run: files may seem changed that "
                "are not."
            )
        if repository.locked:
            notes.append("Its index is locked: another Git is at work in it, or was killed there.")
        return found._replace(notes=tuple(notes))

    async def diff(
        self, repo: str = "", *, base: str = "", target: str = "", staged: bool = False, path: str = ""
    ) -> GitDiff:
        """See ReadGit."""
        repository = await self._open(repo)
        if target and (not base or staged):
            raise ToolError("bad_arguments", "target needs base, and staged compares with base alone.")
        words = ["--cached"] if staged else []
        words += [await repository.commit(name) for name in (base, target) if name]
        if not target:
            repository.with_files()
        return await self._differences(repository, "diff", words, path)

    async def _differences(
        self, repository: Repository, command: str, words: Sequence[str], path: str
    ) -> GitDiff:
        specs = await self._specs(repository, path)
        listing = await repository.ask(command, *_DIFF, "--raw", "--numstat", "-z", *words, "--", *specs)
        found = parsing.changes(listing.out)
        if path and not found:
            await self._is_somewhere(repository, path)
        hidden = [] if path else [name for _, name in found if self._hidden(repository, name)]
        if len(hidden) > _LEFT_OUT_MOST:
            raise ToolError("too_large", "Too many of the files may hold secrets. Name a path.")
        kept: list[GitChange] = [change for change, name in found if name not in hidden]
        specs = [*(specs or [pathspec(".")]), *(pathspec(name, exclude=True) for name in hidden)]
        patch = await repository.ask(
            command, *_DIFF, "--patch", *words, "--", *specs, most=_PATCH_MOST
        )  # fmt: skip
        notes = list(() if path else self._note(repository))
        if hidden:
            names = ", ".join(map(shown, hidden[:10]))
            notes.append(f"Left out, since it may hold secrets or may not be read: {names}.")
        return GitDiff(
            tuple(kept),
            patch.out.decode("utf-8", "backslashreplace"),
            patch.cut or listing.cut,
            tuple(notes),
        )

    def _hidden(self, repository: Repository, name: str) -> bool:
        path = os.path.join(repository.top or repository.git_dir, name)
        return is_secret(path) or self._gate.denies(ReadEffect(path=path))

    async def log(
        self, repo: str = "", *, limit: int = 20, path: str = "", author: str = "", since: str = ""
    ) -> GitLog:
        """See ReadGit."""
        if not 1 <= limit <= _LOG_MOST:
            raise ToolError("bad_arguments", f"limit goes from 1 to {_LOG_MOST}.")
        repository = await self._open(repo)
        if not await repository.head():
            return GitLog((), False, ("There are no commits yet.",))
        words = ["-z", f"--format={parsing.COMMIT}", "--decorate=short", f"--max-count={limit + 1}"]
        words += [f"--author={author}", "--fixed-strings", "--regexp-ignore-case"] if author else []
        words += [f"--since={await self._since(repository, since)}"] if since else []
        ran = await repository.ask("log", *words, "--", *await self._specs(repository, path))
        found = parsing.commits(ran.out)
        if path and not found:
            await self._is_somewhere(repository, path)
        return GitLog(tuple(found[:limit]), len(found) > limit or ran.cut, self._note(repository))

    async def show(
        self, repo: str = "", *, ref: str = "HEAD", path: str = "", whole: bool = False
    ) -> GitShown:
        """See ReadGit."""
        if whole and not path:
            raise ToolError("bad_arguments", "A whole file needs its path.")
        repository = await self._open(repo)
        id = await repository.commit(ref)
        one = await self._commit(repository, id)
        if whole:
            return GitShown(one, GitDiff((), ""), *await self._file(repository, id, path))
        # The differences to its first parent: what it brought into its branch, a merge too.
        words = [*one.parents[:1], id] if one.parents else ["--root", "--no-commit-id", "-r", id]
        command = "diff" if one.parents else "diff-tree"
        return GitShown(one, await self._differences(repository, command, words, path))

    async def _commit(self, repository: Repository, id: str) -> GitCommit:
        ran = await repository.ask(
            "log", "-z", f"--format={parsing.COMMIT}", "--decorate=short", "--max-count=1", id, "--"
        )
        return parsing.commits(ran.out)[0]

    async def _file(self, repository: Repository, id: str, path: str) -> tuple[str, tuple[str, ...]]:
        """Return the text of a file as it was, and notes."""
        relative = await self._path(repository, path)
        ran = await repository.ask("cat-file", "blob", f"{id}:{relative}", codes=(0, 128), most=_FILE_MOST)
        if ran.code == 128 and not repository.config.get("extensions.partialclone"):
            raise ToolError("not_found", f"There is no file {path} in {id[:9]}.", path=path)
        if ran.code:  # it may only have been left out when the repository was cloned
            raise repository.failed(ran, "cat-file")
        if b"\0" in ran.out[:8192]:
            raise ToolError("not_text", f"{path} is no text in {id[:9]}.", path=path)
        notes = ("Only its beginning is shown.",) if ran.cut else ()
        return ran.out.decode("utf-8", "backslashreplace"), notes

    async def blame(self, repo: str = "", *, path: str, first: int = 1, last: int = 0) -> GitBlame:
        """See ReadGit."""
        if first < 1 or (last and last < first):
            raise ToolError("bad_arguments", "Lines count from 1, and the last one comes after the first.")
        repository = await self._open(repo)
        if not await repository.head():
            raise ToolError("git_failed", "The repository has no commits yet.")
        relative = await self._path(repository, path)
        end = min(last or first + _BLAME_MOST - 1, first + _BLAME_MOST - 1)
        words = ("--porcelain", "--no-textconv", f"-L{first},{end}")
        ran = await repository.ask("blame", *words, "--", relative, seconds=60.0)
        lines = tuple(parsing.blamed(ran.out))
        return GitBlame(shown(relative), lines, ran.cut or len(lines) >= _BLAME_MOST or bool(last > end))

    async def branches(self, repo: str = "") -> Sequence[GitRef]:
        """See ReadGit."""
        repository = await self._open(repo)
        ran = await repository.ask(
            "for-each-ref", "--sort=-committerdate", f"--format={parsing.REF}", "refs/heads", "refs/remotes"
        )
        return parsing.refs(ran.out)

    async def stashes(self, repo: str = "") -> Sequence[GitStash]:
        """See ReadGit."""
        repository = await self._open(repo)
        ran = await repository.ask("stash", "list", "-z", f"--format={parsing.STASH}")
        return parsing.stashes(ran.out)


def _within(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder.rstrip(os.sep) + os.sep)

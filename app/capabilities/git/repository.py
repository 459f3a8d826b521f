"""One repository: where it lies, what state it is in, and Git run in it without what it would let Git run."""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from weakref import WeakValueDictionary

from app.capabilities.git import config
from app.capabilities.git.config import Config, Setting, os_text
from app.capabilities.programs import Ran, locate, run
from app.errors import ToolError
from app.platform import spawning
from app.platform.plain_text import terminal, visible

READ_SECONDS = 30.0
MOST = 2 << 20
"""Bytes of an answer that are read."""
_SAID = 2_000
"""Characters of Git's own words in an error."""
_KEPT = (
    "SSH_AUTH_SOCK", "DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR", "XDG_CONFIG_HOME", "GNUPGHOME", "DISPLAY",
    "WAYLAND_DISPLAY", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY", "http_proxy", "https_proxy",
    "all_proxy", "no_proxy",
)  # fmt: skip
"""What Git needs beyond a command to sign a commit or to sign in somewhere, as the person's own does."""
_STATES = (
    ("MERGE_HEAD", "merge"), ("rebase-merge", "rebase"), ("rebase-apply", "rebase"),
    ("CHERRY_PICK_HEAD", "cherry-pick"), ("REVERT_HEAD", "revert"), ("BISECT_LOG", "bisect"),
)  # fmt: skip
_ONLINE = {"GIT_ALLOW_PROTOCOL": "file:http:https:ssh"}
"""`ext::` runs a command that stands in an address, and `git://` asks a program of the repository."""
_REF = re.compile(r"(?!-)[^\x00-\x20\x7f:?*\[\\]+\Z")
"""A name of a commit as people write it; what begins with a dash would be an option."""
_NO_HOOKS = ("core.hooksPath", os.devnull)
_LISTING = ("config", "--list", "--show-scope", "-z")
_ALWAYS_HOOKED = ("reference-transaction", "post-index-change")


def environment(environ: Mapping[str, str]) -> dict[str, str]:
    """Return the variables of every Git: no prompts, no pager, no editor, and only well-kept protocols.

    None reaches out by itself: for an object that it lacks, Git would ask whatever remote the repository
    names, with the program that this names.
    """
    kept = {name: environ[name] for name in _KEPT if environ.get(name)}
    return {
        **spawning.environment(environ),
        **kept,
        "LC_ALL": "C.UTF-8",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_ASKPASS": "true",
        "SSH_ASKPASS": "true",
        "GIT_PAGER": "cat",
        "GIT_EDITOR": ":",
        "GIT_SEQUENCE_EDITOR": ":",
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_ALLOW_PROTOCOL": "none",
        "GIT_NO_LAZY_FETCH": "1",
    }


@dataclass(frozen=True)
class Repository:
    """Where it lies. All paths are absolute and real; `top` is "" where there are no files (bare)."""

    program: str
    environ: Mapping[str, str]
    folder: str
    """The folder that was named, in which it was found."""
    top: str
    git_dir: str
    common: str
    """What all its work trees share."""
    config: Config

    @cached_property
    def state(self) -> str:
        """What is under way: merge, rebase, cherry-pick, revert, bisect, "" for nothing."""
        found = (name for file, name in _STATES if os.path.exists(os.path.join(self.git_dir, file)))
        return next(found, "")

    @property
    def locked(self) -> bool:
        """Whether another Git is at work on its index, or was killed there."""
        return os.path.exists(os.path.join(self.git_dir, "index.lock"))

    def with_files(self) -> str:
        """Return `top`. Raises ToolError where there are none."""
        if self.top:
            return self.top
        raise ToolError("git_failed", f"{self.git_dir} is a bare repository: it holds history, no files.")

    # --- running ---------------------------------------------------------------------------------------

    async def ask(
        self,
        *words: str,
        most: int = MOST,
        codes: Sequence[int] = (0,),
        seconds: float = READ_SECONDS,
        online: bool = False,
    ) -> Ran:
        """Run a command that only reads. Raises ToolError git_failed where it ends with another code."""
        own = _ONLINE if online else {}
        return await self._run(words, own, False, codes, most=most, seconds=seconds)

    async def tell(
        self,
        *words: str,
        hooks: bool = False,
        stdin: bytes = b"",
        seconds: float = 120.0,
        codes: Sequence[int] = (0,),
        online: bool = False,
    ) -> Ran:
        """Run a command that changes something, to its end. `hooks`: with those of the repository; `online`:
        with another repository.
        """
        own = {"GIT_OPTIONAL_LOCKS": "1", **(_ONLINE if online else {})}
        return await self._run(
            words, own, True, codes, hooks=hooks, stdin=stdin, seconds=seconds, whole=True, most=256 << 10
        )

    async def _run(
        self,
        words: Sequence[str],
        own: Mapping[str, str],
        strict: bool,
        codes: Sequence[int],
        *,
        hooks: bool = False,
        stdin: bytes = b"",
        seconds: float = READ_SECONDS,
        whole: bool = False,
        most: int = MOST,
    ) -> Ran:
        pairs = list(self.config.overriding(strict=strict))
        if not hooks:
            pairs.append(_NO_HOOKS)
        ran = await run(
            self.program,
            ("--no-pager", *words),
            environ={**self.environ, **own, **config.environment(pairs)},
            cwd=self.top or self.git_dir,
            stdin=stdin,
            seconds=seconds,
            whole=whole,
            most=most,
        )
        if ran.cut or ran.code in codes:
            return ran
        raise self.failed(ran, words[0])

    def failed(self, ran: Ran, what: str) -> ToolError:
        """Return the error for a command that did not do what it should, with Git's own words."""
        said = told(ran)
        hint = ""
        if re.search(r"No space left|Out of diskspace|Disk quota", said):
            return ToolError("disk_full", f"git {what} failed, since the disk is full: {said}", detail=said)
        if "index.lock" in said and "File exists" in said:
            hint = " Another Git is at work in it, or one was killed there; nothing was changed."
        elif "terminal prompts disabled" in said or "Authentication failed" in said:
            hint = " Git found no way to sign in by itself; the person can set one up in a terminal."
        elif "filter" in said and self.config.filters:
            hint = " The repository sets this filter itself, so it is not run here; use run_command."
        elif "promisor" in said or "lazy fetch" in said:
            hint = " Parts of its history were never fetched and are not brought by looking; use run_command."
        return ToolError("git_failed", f"git {what} failed: {said or f'exit {ran.code}'}{hint}", detail=said)

    # --- names -----------------------------------------------------------------------------------------

    async def commit(self, ref: str) -> str:
        """Return the id of a commit by any of its names. Raises ToolError where it has none."""
        name = plain_ref(ref)
        ran = await self.ask("rev-parse", "--verify", "--quiet", f"{name}^{{commit}}", codes=(0, 1, 128))
        if ran.code == 0:
            return ran.out.decode().strip()
        if not await self.head():
            raise ToolError("git_failed", "The repository has no commits yet.")
        raise ToolError(
            "git_failed", f"There is no commit {ref!r}. git_log and git_branch list what there is."
        )

    async def head(self) -> str:
        """Return the id of the newest commit, "" while there is none."""
        ran = await self.ask("rev-parse", "--verify", "--quiet", "HEAD^{commit}", codes=(0, 1, 128))
        return ran.out.decode().strip() if ran.code == 0 else ""

    async def branch(self) -> str:
        """Return the branch that is checked out, "" for a detached head."""
        ran = await self.ask("symbolic-ref", "--quiet", "--short", "HEAD", codes=(0, 1, 128))
        return os_text(ran.out).rstrip("\n") if ran.code == 0 else ""

    def relative(self, path: str) -> str:
        """Return a path as Git names it, from `top`; "." for that itself. The last link is not followed.

        Raises ToolError (bad_arguments, outside).
        """
        if not path.strip() or "\0" in path:
            raise ToolError("bad_arguments", "A path is empty or holds the NUL character.")
        top = self.with_files()
        named = os.path.normpath(os.path.join(self.folder, os.path.expanduser(path)))
        real = os.path.join(os.path.realpath(os.path.dirname(named)), os.path.basename(named))
        inside = next((one for one in (real, os.path.realpath(named)) if covers(top, one)), "")
        if not inside:
            raise ToolError("outside", f"{path} lies outside of the repository {top}.", path=path)
        found = os.path.relpath(inside, top)
        if found.split(os.sep)[0] == ".git":
            raise ToolError("protected", f"{path} is a part of the repository itself.", path=path)
        return found

    def hooks(self, *names: str) -> tuple[str, ...]:
        """Return those of these hooks, and of those that run at any change, that would run."""
        place = self.config.get("core.hookspath") or os.path.join(self.common, "hooks")
        folder = os.path.join(self.top or self.git_dir, os.path.expanduser(place))
        found = (os.path.join(folder, name) for name in (*names, *_ALWAYS_HOOKED))
        return tuple(os.path.basename(path) for path in found if os.access(path, os.X_OK))


async def unchanged(repository: Repository, runs: Sequence[str], *hooks: str) -> None:
    """Raise ToolError changed_since where a repository is not as it was asked about: its settings, and which
    of `hooks` it would run.
    """
    now, before = (_steering(one) for one in (await _settings(repository), repository.config))
    if now != before or repository.hooks(*hooks) != tuple(runs):
        raise changed_since("Its settings or hooks")


def _steering(found: Config) -> list[Setting]:
    """Return the settings that say what Git runs and where it goes; which branch follows which is none."""
    return [one for one in found.settings if not one.key.startswith("branch.")]


async def _settings(repository: Repository) -> Config:
    quiet = {**repository.environ, **config.environment((*config.READING, _NO_HOOKS))}
    ran = await run(
        repository.program, _LISTING, environ=quiet, cwd=repository.folder, seconds=READ_SECONDS
    )  # fmt: skip
    return config.read(ran.out)


def alone(repository: Repository) -> asyncio.Lock:
    """Return what lets one call of ours at a time change a repository: a second Git would find it locked."""
    return _changing.setdefault(repository.common, asyncio.Lock())


_changing: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()


def changed_since(what: str) -> ToolError:
    """Return the error for what became another thing while the question waited."""
    return ToolError("changed_since", f"{what} changed while this was asked about. Nothing was done.")


def pathspec(relative: str, *, exclude: bool = False) -> str:
    """Return a path from `top` so that Git takes each of its characters for itself."""
    magic = "exclude,top,literal" if exclude else "top,literal"
    return f":({magic}){'' if relative == '.' else relative}"


def plain_ref(ref: str) -> str:
    """Return the name of a commit or branch. Raises ToolError for an option, a path or a range."""
    if _REF.match(ref) and ".." not in ref and "@{-" not in ref:
        return ref
    raise ToolError("bad_arguments", f"{ref!r} is no name of a commit or branch.")


def told(ran: Ran) -> str:
    """Return what Git said, harmless to show and not too long."""
    return visible(terminal(ran.said))[:_SAID].strip()


def covers(folder: str, path: str) -> bool:
    return path == folder or path.startswith(folder.rstrip(os.sep) + os.sep)


async def discover(folder: str, environ: Mapping[str, str], workspace: str) -> Repository:
    """Return the repository that `folder`, an absolute real path, lies in.

    Raises ToolError (no_program, git_failed, no_folder).
    """
    program = locate("git", environ, workspace)
    if not program:
        raise ToolError("no_program", "Git is not installed here.", what="git")
    own = environment(environ)
    quiet = {**own, **config.environment((*config.READING, _NO_HOOKS))}

    async def ask(*words: str) -> Ran:
        return await run(program, words, environ=quiet, cwd=folder, seconds=READ_SECONDS)

    where = await ask("rev-parse", "--absolute-git-dir")
    if where.code:
        said = told(where)
        if "not a git repository" in said:
            raise ToolError("git_failed", f"{folder} is in no Git repository.", path=folder)
        raise ToolError("git_failed", f"Git does not open the repository: {said}", detail=said)
    git_dir = os.path.realpath(_line(where))
    common = await ask("rev-parse", "--git-common-dir")
    top = await ask("rev-parse", "--show-toplevel")
    listing = await ask(*_LISTING)
    if listing.code:
        raise ToolError("git_failed", f"The repository's configuration cannot be read: {told(listing)}")
    return Repository(
        program=program,
        environ=own,
        folder=folder,
        top=os.path.realpath(_line(top)) if top.code == 0 and _line(top) else "",
        git_dir=git_dir,
        common=os.path.realpath(os.path.join(folder, _line(common))) if common.code == 0 else git_dir,
        config=config.read(listing.out),
    )


def _line(ran: Ran) -> str:
    return os_text(ran.out).removesuffix("\n")

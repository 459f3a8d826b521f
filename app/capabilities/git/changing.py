"""Change a repository behind the gate: each change is asked about with its exact words, read back, and, where
it touches files, kept in the journal so that it can be taken back.
"""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

from app.capabilities.gate import Permit
from app.capabilities.git import parsing
from app.capabilities.git.committing import Committing
from app.capabilities.git.config import os_text
from app.capabilities.git.journal import Journaling
from app.capabilities.git.reading import GitReader
from app.capabilities.git.repository import (
    Repository,
    alone,
    changed_since,
    pathspec,
    plain_ref,
    told,
    unchanged,
)
from app.capabilities.git.syncing import sync
from app.changes.snapshot import Snapshots
from app.errors import ToolError
from app.records import ActionEffect
from tools import GitOutcome, GitRef, GitStash

_STASH = re.compile(r"(?:stash@\{)?(?P<number>\d{1,4})\}?\Z")


class Where(NamedTuple):
    """The call that changes something: its session, its turn, its tool."""

    session: str
    turn: str
    tool: str


_NOWHERE = Where("", "", "")
_CAREFUL = ("--no-recurse-submodules", "--no-progress", "--no-overwrite-ignore")
"""A file that Git ignores is the person's, too: no branch replaces it with its own."""
_PLACES = 300
"""Files that are kept one by one; with more the whole work tree is."""


class GitChanger(GitReader):
    """Implements `tools.ChangeGit`."""

    def __init__(
        self,
        gate: Permit,
        cwd: str,
        environ: Mapping[str, str],
        where: Where = _NOWHERE,
        snapshots: Snapshots | None = None,
    ) -> None:
        super().__init__(gate, cwd, environ)
        self._journaling = Journaling(snapshots, where.session, where.turn, where.tool)

    # --- committing ------------------------------------------------------------------------------------

    async def make_commit(
        self, repo: str = "", *, message: str = "", paths: Sequence[str] = (), amend: bool = False
    ) -> GitOutcome:
        """See ChangeGit."""
        repository = await self._open(repo)
        repository.with_files()
        named = [repository.relative(path) for path in paths]
        work = Committing(repository, self._gate, self._journaling)
        return await work.commit(message, named, amend=amend)

    # --- branches --------------------------------------------------------------------------------------

    async def change_branch(
        self, repo: str = "", *, action: Literal["create", "rename", "delete"], name: str, start: str = ""
    ) -> GitOutcome:
        """See ChangeGit."""
        repository = await self._open(repo)
        new = start if action == "rename" else name
        await _branch_name(repository, new)
        before = {ref.name: ref for ref in await self._refs(repository) if not ref.remote}
        if action == "create":
            if name in before:
                raise ToolError("git_failed", f"There is a branch {name} already.")
            at = await repository.commit(start or "HEAD")
            words, subject = ["branch", "--no-track", name, at], f"create {name}"
            shown = ["git", "branch", name, *([start] if start else [])]
        else:
            if name not in before:
                raise ToolError("git_failed", f"There is no local branch {name!r}.")
            words = ["branch", "-m", name, new] if action == "rename" else ["branch", "-d", name]
            subject, shown = f"{action} {name}", ["git", *words]
        runs = await self._permit(repository, subject, shown)
        async with alone(repository):
            ran = await repository.tell(*words, hooks=bool(runs))
            after = {ref.name: ref for ref in await self._refs(repository) if not ref.remote}
        there = new in after and (action != "rename" or name not in after)
        was = before[name].id if name in before else ""
        done = {
            "create": f"The branch {name} is made; git_checkout {name} switches to it.",
            "rename": f"The branch {name} is called {new} now.",
            "delete": f"The branch {name} is deleted. It stood at {was}; git_branch create with start {was} "
            "brings it back.",
        }[action]
        verified = there if action != "delete" else name not in after
        return GitOutcome(done, verified, told(ran))

    async def _refs(self, repository: Repository) -> list[GitRef]:
        ran = await repository.ask("for-each-ref", f"--format={parsing.REF}", "refs/heads")
        return parsing.refs(ran.out)

    # --- files and the branch that is checked out --------------------------------------------------------

    async def check_out(
        self, repo: str = "", *, target: str = "", paths: Sequence[str] = (), create: bool = False
    ) -> GitOutcome:
        """See ChangeGit."""
        repository = await self._open(repo)
        repository.with_files()
        if paths:
            if create:
                raise ToolError("bad_arguments", "create makes a branch; it does not go with paths.")
            return await self._restore(repository, target, [repository.relative(path) for path in paths])
        if not target:
            raise ToolError(
                "bad_arguments", "Name the branch or commit to switch to, or paths to bring back."
            )
        return await self._switch(repository, target, create)

    async def _switch(self, repository: Repository, target: str, create: bool) -> GitOutcome:
        before, was = await repository.head(), await repository.branch()
        meant = ""
        if create:
            await _branch_name(repository, target)
            words = ["switch", "--no-guess", "-c", target]
        elif await _is_branch(repository, target):
            words = ["switch", "--no-guess", target]
        elif remote := await self._remote_branch(repository, target):
            words = ["switch", "--no-guess", "--track", "-c", target, remote]
        else:
            meant = await repository.commit(target)  # HEAD~1 means another one afterwards
            words = ["switch", "--detach", plain_ref(target)]
        hooks = bool(await self._permit(repository, f"switch {target}", ["git", *words], "post-checkout"))
        async with alone(repository):
            kept = await self._journaling.begin((repository.top,), self._gate) if hooks else None
            try:
                ran = await repository.tell(*words[:1], *_CAREFUL, *words[1:], hooks=hooks)
            finally:
                settled = await self._journaling.settle(kept)
            now, on = await repository.head(), await repository.branch()
        wanted = target if words[1] != "--detach" else ""
        back = was or before[:9]
        notes = [f"git_checkout {back} goes back."] if back and back != target else []
        if words[1] == "--detach":
            notes.append("No branch is checked out now: new commits belong to none until one is made.")
        return GitOutcome(
            f"{on or now[:9]} is checked out.",
            on == wanted and (bool(wanted) or now == meant),
            told(ran),
            tuple(notes),
            undo=settled.change,
        )

    async def _remote_branch(self, repository: Repository, name: str) -> str:
        """Return the one branch of a remote with this name, "" where there is none or more than one."""
        ran = await repository.ask("for-each-ref", f"--format={parsing.REF}", "refs/remotes")
        found = [ref.name for ref in parsing.refs(ran.out) if ref.name.partition("/")[2] == name]
        return found[0] if len(found) == 1 else ""

    async def _restore(self, repository: Repository, target: str, paths: Sequence[str]) -> GitOutcome:
        """Bring files back as they are in a commit, or as they are staged."""
        source = [f"--source={await repository.commit(target)}"] if target else []
        specs = [pathspec(path) for path in paths]
        words = ["restore", "--worktree", *source, "--", *specs]
        shown = ["git", "restore", *([f"--source={target}"] if target else []), "--", *paths]
        places = _there(repository, paths)
        held = await self._journaling.holds(places)
        runs = await self._permit(
            repository, f"restore {' '.join(paths)}", shown, "post-checkout",
            paths=paths, undoable=held, loses=not held,
        )  # fmt: skip
        async with alone(repository):
            kept = await self._journaling.begin(places, self._gate)
            try:
                ran = await repository.tell(*words, hooks=bool(runs))
            finally:
                settled = await self._journaling.settle(kept)
        compared = ["diff", "--quiet", "--no-ext-diff", "--no-textconv", "--ignore-submodules=dirty"]
        left = await repository.ask(*compared, *_at(source), "--", *specs, codes=(0, 1))
        count = len(settled.files)
        files = "1 file is" if count == 1 else f"{count} files are"
        where = f"as in {target}" if target else "as staged or committed"
        return GitOutcome(f"{files} back {where}.", left.code == 0, told(ran), undo=settled.change)

    # --- the stash -------------------------------------------------------------------------------------

    async def change_stash(
        self,
        repo: str = "",
        *,
        action: Literal["push", "pop", "apply", "drop"],
        message: str = "",
        ref: str = "",
    ) -> GitOutcome:
        """See ChangeGit."""
        repository = await self._open(repo)
        repository.with_files()
        before = await self._entries(repository)
        if action == "push":
            words, entry = ["stash", "push", *(["-m", message] if message else [])], None
            subject = "push"
        else:
            found = _STASH.match(ref or "0")
            number = int(found["number"]) if found else -1
            if not 0 <= number < len(before):
                raise ToolError("git_failed", f"There is no stash {ref or 'entry'}; {len(before)} are kept.")
            entry = before[number]
            words = ["stash", action, *(["--quiet"] if action == "drop" else []), f"stash@{{{number}}}"]
            subject = f"{action} {entry.message}"
        files = action != "drop"
        places = await self._stash_touches(repository, entry) if files else ()
        if entry is None and not places:
            nothing = "There is nothing to put aside: no file that Git knows has changed."
            return GitOutcome(nothing, True, ok=False)
        undoable = files and await self._journaling.holds(places)
        runs = await self._permit(
            repository, subject, ["git", *words], "post-checkout", undoable=undoable, loses=not files
        )
        async with alone(repository):
            if await self._entries(repository) != before:
                raise changed_since("The stash")
            kept = await self._journaling.begin(places, self._gate)
            try:
                ran = await repository.tell(*words, hooks=bool(runs), codes=(0, 1))
            finally:
                settled = await self._journaling.settle(kept)
            after = await self._entries(repository)
        return _stashed(action, before, after, entry, ran.code, told(ran))._replace(undo=settled.change)

    async def _stash_touches(self, repository: Repository, entry: GitStash | None) -> tuple[str, ...]:
        """Return what putting aside, or bringing back `entry`, would write: the files, or the whole work tree
        where one of them is new to it.
        """
        words = ("diff", "HEAD") if entry is None else ("diff", f"{entry.id}^1", entry.id)
        plain = ("--name-only", "-z", "--no-ext-diff", "--no-textconv", "--ignore-submodules=dirty")
        ran = await repository.ask(words[0], *plain, *words[1:], codes=(0, 128))
        names = [os_text(name) for name in ran.out.split(b"\0") if name]
        found = _there(repository, names)
        whole = ran.code or ran.cut or len(found) < len(names) or len(found) > _PLACES
        return (repository.top,) if whole else found

    async def _entries(self, repository: Repository) -> list[GitStash]:
        ran = await repository.ask("stash", "list", "-z", f"--format={parsing.STASH}")
        return parsing.stashes(ran.out)

    # --- others ----------------------------------------------------------------------------------------

    async def sync(
        self,
        repo: str = "",
        *,
        action: Literal["fetch", "pull", "push"],
        remote: str = "",
        branch: str = "",
    ) -> GitOutcome:
        """See ChangeGit."""
        return await sync(await self._open(repo), self._gate, self._journaling, action, remote, branch)

    async def _permit(
        self,
        repository: Repository,
        subject: str,
        words: Sequence[str],
        *hooks: str,
        paths: Sequence[str] = (),
        undoable: bool = False,
        loses: bool = False,
    ) -> tuple[str, ...]:
        """Ask for one command and return its hooks. Raises Refused, ToolError changed_since."""
        runs = repository.hooks(*hooks)
        await self._gate.permit(
            ActionEffect(
                kind="git",
                subject=parsing.shown(subject),
                details=parsing.shown(shlex.join(words)),
                words=tuple(words),
                cwd=repository.top or repository.git_dir,
                paths=tuple(os.path.join(repository.top, path) for path in paths),
                runs=runs,
                undoable=undoable,
                loses=loses,
            )
        )
        await unchanged(repository, runs, *hooks)
        return runs


def _there(repository: Repository, names: Sequence[str]) -> tuple[str, ...]:
    """Return the paths, from the top, that something stands at."""
    paths = (os.path.normpath(os.path.join(repository.top, name)) for name in names)
    return tuple(dict.fromkeys(path for path in paths if os.path.lexists(path)))


def _at(source: Sequence[str]) -> list[str]:
    """Return the commit of `--source=COMMIT`."""
    return [word.partition("=")[2] for word in source]


async def _branch_name(repository: Repository, name: str) -> None:
    """Raises ToolError for what can be no branch."""
    sound = plain_ref(name) if name else ""
    ran = await repository.ask("check-ref-format", "--branch", sound or "-", codes=(0, 1, 128, 129))
    if ran.code or os_text(ran.out).rstrip("\n") != name:
        raise ToolError("bad_arguments", f"{name!r} can be no name of a branch.")


async def _is_branch(repository: Repository, name: str) -> bool:
    words = ("show-ref", "--verify", "--quiet", f"refs/heads/{plain_ref(name)}")
    return (await repository.ask(*words, codes=(0, 1, 128))).code == 0


def _stashed(
    action: str,
    before: Sequence[GitStash],
    after: Sequence[GitStash],
    entry: GitStash | None,
    code: int,
    said: str,
) -> GitOutcome:
    """Return what became of the stash, by its entries before and after."""
    if entry is None:
        if len(after) == len(before):
            if code:
                raise ToolError("git_failed", f"git stash failed: {said}", detail=said)
            return GitOutcome("There was nothing to put aside.", True, said)
        notes = ("New files that Git does not know yet stay where they are.",)
        done = f"Put aside as {after[0].message!r}; git_stash pop brings it back."
        return GitOutcome(done, len(after) == len(before) + 1, said, notes)
    ids = [one.id for one in after]
    if action == "drop":
        done = f"Dropped {entry.message!r}. Its commit {entry.id[:12]} stays for a while: git stash store "
        return GitOutcome(f"{done}{entry.id[:12]} brings it back.", entry.id not in ids, said)
    if code:
        conflict = "CONFLICT" in said
        if not conflict:
            raise ToolError("git_failed", f"git stash {action} failed: {said}", detail=said)
        done = f"Applied {entry.message!r} with conflicts, which stand in the files. The entry is kept."
        return GitOutcome(done, entry.id in ids, said, ok=False)
    gone = entry.id not in ids if action == "pop" else entry.id in ids
    return GitOutcome(f"Brought back {entry.message!r}.", gone, said)

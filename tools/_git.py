"""What a tool may do with a Git repository: records of what it holds, and the capability."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple, Protocol, runtime_checkable


class GitFile(NamedTuple):
    """A file that differs. States are words: new, changed, deleted, renamed, copied, type, conflict,
    untracked; "" for no difference. Names hold escapes where they are no plain text.
    """

    path: str
    staged: str
    unstaged: str
    old_path: str = ""


class GitStatus(NamedTuple):
    """The state of a work tree."""

    top: str
    head: str
    """The short id of the newest commit, "" while there is none."""
    on: str
    """The branch, "" for a detached head."""
    upstream: str
    ahead: int
    behind: int
    under_way: str
    """merge, rebase, cherry-pick, revert or bisect, "" for nothing."""
    files: tuple[GitFile, ...]
    notes: tuple[str, ...] = ()


class GitChange(NamedTuple):
    """How a file differs between two states. Counts of lines are 0 for a binary file."""

    path: str
    kind: str
    added: int
    removed: int
    binary: bool = False
    old_path: str = ""


class GitDiff(NamedTuple):
    """Differences: the files with counts, and the patch, which may end early."""

    files: tuple[GitChange, ...]
    patch: str
    cut: bool = False
    notes: tuple[str, ...] = ()


class GitCommit(NamedTuple):
    """A commit. `when` is its author's time in ISO form."""

    id: str
    author: str
    email: str
    when: str
    subject: str
    body: str
    refs: str
    parents: tuple[str, ...] = ()


class GitLog(NamedTuple):
    """Commits, the newest first."""

    commits: tuple[GitCommit, ...]
    more: bool
    notes: tuple[str, ...] = ()


class GitShown(NamedTuple):
    """A commit with its changes, or a file as it was (`text`)."""

    one: GitCommit
    diff: GitDiff
    text: str = ""
    notes: tuple[str, ...] = ()


class BlameLine(NamedTuple):
    """A line and the commit that last changed it; an id of zeros is not committed yet."""

    number: int
    id: str
    author: str
    when: str
    text: str


class GitBlame(NamedTuple):
    """Lines of a file from `first` on."""

    path: str
    lines: tuple[BlameLine, ...]
    more: bool


class GitRef(NamedTuple):
    """A branch. `track` says how far it is from its upstream, as Git words it."""

    name: str
    current: bool
    remote: bool
    id: str
    upstream: str
    track: str
    when: str
    subject: str


class GitStash(NamedTuple):
    """An entry of the stash."""

    ref: str
    id: str
    when: str
    message: str


class GitOutcome(NamedTuple):
    """What a change did. `verified`: it was read back and is as it should be."""

    done: str
    """What happened, in a sentence."""
    verified: bool
    said: str = ""
    """What Git itself said."""
    notes: tuple[str, ...] = ()
    files: tuple[GitChange, ...] = ()
    undo: str = ""
    """Takes back what changed in files, "" for none."""
    ok: bool = True


@runtime_checkable
class ReadGit(Protocol):
    """Looking at repositories. `repo` is a folder in it, counted from the working folder."""

    async def status(self, repo: str = "") -> GitStatus: ...

    async def diff(
        self, repo: str = "", *, base: str = "", target: str = "", staged: bool = False, path: str = ""
    ) -> GitDiff: ...

    async def log(
        self, repo: str = "", *, limit: int = 20, path: str = "", author: str = "", since: str = ""
    ) -> GitLog: ...

    async def show(
        self, repo: str = "", *, ref: str = "HEAD", path: str = "", whole: bool = False
    ) -> GitShown:
        """Return a commit with its changes; with `whole` the file `path` as it was then."""
        ...

    async def blame(self, repo: str = "", *, path: str, first: int = 1, last: int = 0) -> GitBlame: ...

    async def branches(self, repo: str = "") -> Sequence[GitRef]: ...

    async def stashes(self, repo: str = "") -> Sequence[GitStash]: ...


@runtime_checkable
class ChangeGit(ReadGit, Protocol):
    """Changing repositories, with permission."""

    async def make_commit(
        self, repo: str = "", *, message: str = "", paths: Sequence[str] = (), amend: bool = False
    ) -> GitOutcome:
        """Stage `paths` and commit them, or what is staged already where none are named."""
        ...

    async def change_branch(
        self, repo: str = "", *, action: Literal["create", "rename", "delete"], name: str, start: str = ""
    ) -> GitOutcome:
        """Create a branch at `start`, rename one to `start`, or delete one that is merged."""
        ...

    async def check_out(
        self, repo: str = "", *, target: str = "", paths: Sequence[str] = (), create: bool = False
    ) -> GitOutcome:
        """Switch to a branch or commit; with `paths` bring back these files as they are there."""
        ...

    async def change_stash(
        self,
        repo: str = "",
        *,
        action: Literal["push", "pop", "apply", "drop"],
        message: str = "",
        ref: str = "",
    ) -> GitOutcome: ...

    async def sync(
        self,
        repo: str = "",
        *,
        action: Literal["fetch", "pull", "push"],
        remote: str = "",
        branch: str = "",
    ) -> GitOutcome:
        """Exchange commits with another repository; never by force."""
        ...

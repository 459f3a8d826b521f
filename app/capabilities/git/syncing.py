"""Exchange commits with another repository: fetch, pull by fast-forward alone, push without force."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Sequence
from typing import Literal
from urllib.parse import unquote, urlsplit, urlunsplit

from app.capabilities.gate import Permit
from app.capabilities.git.config import os_text
from app.capabilities.git.journal import Journaling
from app.capabilities.git.parsing import shown
from app.capabilities.git.repository import Repository, alone, changed_since, plain_ref, told, unchanged
from app.capabilities.programs import run
from app.errors import ToolError
from app.records import ActionEffect
from tools import GitOutcome

Action = Literal["fetch", "pull", "push"]
_SECONDS = 600.0
_HOOKS = {"fetch": (), "pull": ("post-merge", "post-checkout"), "push": ("pre-push",)}
_THERE = (
    *("pre-receive", "update", "proc-receive", "post-receive", "post-update", "reference-transaction"),
    *("post-index-change", "push-to-checkout"),
)
"""Hooks that a repository which takes commits may run: where it lies on this computer, it runs them here."""
_QUIET = "-c core.alternateRefsCommand=true -c core.fsmonitor=false -c receive.autogc=false"
_QUIET += " -c receive.denyCurrentBranch=refuse"
_HELPER = re.compile(r"[A-Za-z0-9+.-]+::")


async def sync(
    repository: Repository, gate: Permit, journaling: Journaling, action: Action, remote: str, branch: str
) -> GitOutcome:
    """Ask for the exchange with its host, do it, and look at what came of it. Raises ToolError, Refused."""
    on = await repository.branch()
    remote = await _remote(repository, remote, branch or on)
    branch = branch or on
    if action != "fetch":
        if not branch:
            raise ToolError("git_failed", "No branch is checked out (detached). Name a branch.")
        plain_ref(branch)
    if action == "pull":
        repository.with_files()
        if branch != on:
            raise ToolError("git_failed", f"{on or 'No branch'} is checked out; git_checkout {branch} first.")
        if repository.state:
            raise ToolError("git_failed", f"A {repository.state} is under way; it must end first.")
    url = await _url(repository, remote, push=action == "push")
    tip = await _tip(repository, branch) if action == "push" else ""
    words = ["git", action, *(["--ff-only"] if action == "pull" else []), remote]
    words += [branch] if branch and action != "fetch" else []
    runs = repository.hooks(*_HOOKS[action])
    theirs = await _hooks_there(repository, url) if action == "push" else ()
    stray = () if action == "push" else repository.config.stray(remote)
    lines = [shown(shlex.join(words)), masked(url), *([tip] if tip else [])]
    lines += [f"writes {shown(name)}" for name in stray]
    await gate.permit(
        ActionEffect(
            kind="git",
            subject=" ".join([action, remote, *(words[-1:] if action != "fetch" and branch else [])]),
            details="\n".join(lines),
            words=tuple(words),
            cwd=repository.top or repository.git_dir,
            host=host_of(url),
            runs=(*runs, *(f"{name} in {shown(url)}" for name in theirs)),
            loses=bool(stray),
        )
    )
    async with alone(repository):
        await unchanged(repository, runs, *_HOOKS[action])
        if action == "push":
            if await _tip(repository, branch) != tip or await _hooks_there(repository, url) != theirs:
                raise changed_since(f"The branch {branch}, or where it goes,")
            return await _push(
                repository, remote, branch, tip, bool(runs), _receiver(repository, remote, url, theirs)
            )
        fetched = await repository.tell(
            "fetch", "--no-prune-tags", "--no-recurse-submodules", "--no-auto-maintenance", "--no-progress",
            repository.config.packer(remote, push=False), remote, seconds=_SECONDS, online=True,
        )  # fmt: skip
        if action == "fetch":
            return await _fetched(repository, remote, branch, told(fetched))
        return await _forward(repository, gate, journaling, remote, branch, bool(runs))


async def _remote(repository: Repository, remote: str, branch: str) -> str:
    ran = await repository.ask("remote")
    known = os_text(ran.out).split("\n")[:-1]
    if not known:
        raise ToolError("git_failed", "The repository has no remote to exchange commits with.")
    wanted = remote or repository.config.get(f"branch.{branch}.remote".casefold())
    if not wanted:
        wanted = "origin" if "origin" in known else known[0]
    if wanted not in known or wanted.startswith("-"):
        raise ToolError("git_failed", f"There is no remote {wanted!r}. There are: {', '.join(known)}.")
    if repository.config.get(f"remotes.{wanted}".casefold()):
        raise ToolError("git_failed", f"The repository calls a group of remotes {wanted}, too. Rename one.")
    return wanted


async def _url(repository: Repository, remote: str, *, push: bool) -> str:
    """Return where a remote leads in the end, with what the configuration makes of its address."""
    ran = await repository.ask("remote", "get-url", *(["--push", "--all"] if push else []), remote)
    urls = os_text(ran.out).split("\n")[:-1]
    if len(urls) != 1:
        found = ", ".join(map(masked, urls))
        text = f"A push to {remote} would go to {len(urls)} places: {found}. git_sync pushes to one."
        raise ToolError("git_failed", text)
    return urls[0]


async def _tip(repository: Repository, branch: str) -> str:
    """Return the commit that a local branch is at. Raises ToolError where there is none."""
    ran = await repository.ask("rev-parse", "--verify", "--quiet", f"refs/heads/{branch}", codes=(0, 1, 128))
    if ran.code:
        raise ToolError("git_failed", f"There is no local branch {branch!r} with a commit.")
    return ran.out.decode().strip()


def _folder(repository: Repository, url: str) -> str:
    """Return the folder of this computer that an address means, "" for none."""
    if host_of(url):
        return ""
    path = unquote(urlsplit(url).path) if url.casefold().startswith("file:") else url
    return os.path.join(repository.top or repository.git_dir, os.path.expanduser(path))


async def _hooks_there(repository: Repository, url: str) -> tuple[str, ...]:
    """Return the hooks that a push would run in a repository of this computer."""
    place = _folder(repository, url)
    if not place or not os.path.isdir(place):
        return ()
    words = ("rev-parse", "--path-format=absolute", "--git-path", "hooks")
    ran = await run(repository.program, words, environ=repository.environ, cwd=place)
    folder = os_text(ran.out).removesuffix("\n")
    return tuple(name for name in _THERE if not ran.code and os.access(os.path.join(folder, name), os.X_OK))


def _receiver(repository: Repository, remote: str, url: str, hooks: Sequence[str]) -> str:
    """Return the option that says what takes the commits; on this computer without what nobody agreed to."""
    if not _folder(repository, url):
        return repository.config.packer(remote, push=True)
    quiet = _QUIET if hooks else f"{_QUIET} -c core.hooksPath={os.devnull}"
    return f"--receive-pack=git {quiet} receive-pack"


def host_of(url: str) -> str:
    """Return the host of an address, "" for a folder of this computer."""
    if helper := _HELPER.match(url):  # HELPER::ADDRESS
        return host_of(url[helper.end() :]) or helper[0].removesuffix("::")
    if "://" in url:
        try:
            parts = urlsplit(url)
            return "" if parts.scheme == "file" else (parts.hostname or "an address without a host")
        except ValueError:
            return "an address that cannot be read"
    head, colon, _ = url.partition(":")
    return head.rpartition("@")[2] if colon and "/" not in head else ""  # as scp has it


def masked(url: str) -> str:
    """Return an address without a password or a token in it."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return shown(url)
    if "://" not in url or "@" not in parts.netloc:
        return shown(url)
    return shown(urlunsplit(parts._replace(netloc="***@" + parts.netloc.rpartition("@")[2])))


async def _fetched(repository: Repository, remote: str, branch: str, said: str) -> GitOutcome:
    ahead, behind, _ = await _distance(repository, remote, branch)
    text = f"Fetched from {remote}."
    if behind or ahead:
        text += f" {branch} is {ahead} ahead and {behind} behind {remote}/{branch}."
    return GitOutcome(text, True, said or "Nothing new.")


async def _distance(repository: Repository, remote: str, branch: str) -> tuple[int, int, str]:
    """Return how many commits each side has that the other lacks, and the remote's newest one."""
    theirs = f"refs/remotes/{remote}/{branch}"
    ran = await repository.ask("rev-parse", "--verify", "--quiet", theirs, codes=(0, 1, 128))
    if ran.code or not branch:
        return 0, 0, ""
    counted = await repository.ask(
        "rev-list", "--left-right", "--count", f"refs/heads/{branch}...{theirs}", codes=(0, 128)
    )
    ahead, behind = map(int, counted.out.split()) if counted.code == 0 else (0, 0)
    return ahead, behind, ran.out.decode().strip()


async def _forward(
    repository: Repository, gate: Permit, journaling: Journaling, remote: str, branch: str, hooks: bool
) -> GitOutcome:
    """Move the branch to what was fetched where it has nothing of its own."""
    ahead, behind, theirs = await _distance(repository, remote, branch)
    if not theirs:
        raise ToolError("git_failed", f"{remote} has no branch {branch}.")
    unborn = not await repository.head()
    if not behind and not unborn:
        more = f" It has {ahead} commits to push." if ahead else ""
        return GitOutcome(f"{branch} has all that {remote} has.{more}", True)
    if ahead:
        text = (
            f"Fetched, but {branch} was not changed: it has {ahead} commits of its own and lacks {behind} of "
            f"{remote}/{branch}. They must be merged or rebased, which the person decides."
        )
        return GitOutcome(text, True, ok=False)
    before = await repository.head()
    kept = await journaling.begin((repository.top,), gate) if hooks else None
    try:
        ran = await repository.tell(
            "merge", "--ff-only", "--no-overwrite-ignore", "--no-stat", "--quiet", theirs, hooks=hooks
        )
    finally:
        settled = await journaling.settle(kept)
    now = await repository.head()
    back = f"It was at {before[:9]} before." if before else ""
    count = "1 commit" if behind == 1 else f"{behind} commits"
    text = f"{branch} is at {now[:9]} now" + (f", {count} further." if behind else ".")
    return GitOutcome(text, now == theirs, told(ran), tuple(filter(None, [back])), undo=settled.change)


async def _push(
    repository: Repository, remote: str, branch: str, mine: str, hooks: bool, receiver: str
) -> GitOutcome:
    ref = f"refs/heads/{branch}"
    upstream = repository.config.get(f"branch.{branch}.merge".casefold())
    words = [
        "push",
        "--no-progress",
        "--porcelain",
        receiver,
        *([] if upstream else ["--set-upstream"]),
    ]
    ran = await repository.tell(
        *words, remote, f"{ref}:{ref}", hooks=hooks, seconds=_SECONDS, codes=(0, 1), online=True
    )
    if ran.code:
        lines = ran.out.decode("utf-8", "backslashreplace").splitlines()
        if any(line.startswith("!") for line in lines):
            text = (
                f"{remote} refused the push; nothing was sent by force. It may have commits that {branch} "
                "lacks: git_sync pull brings them."
            )
            return GitOutcome(text, True, f"{told(ran)}\n{' '.join(lines)[:500]}".strip(), ok=False)
        raise repository.failed(ran, "push")
    there = await repository.ask(
        "ls-remote",
        repository.config.packer(remote, push=False),
        remote,
        ref,
        seconds=60.0,
        codes=(0, 1, 2, 128),
        online=True,
    )
    verified = there.code == 0 and there.out.split()[:1] == [mine.encode()]
    return GitOutcome(
        f"{branch} at {mine[:9]} is on {remote}.", verified, ran.err.decode(errors="replace")[:2000]
    )

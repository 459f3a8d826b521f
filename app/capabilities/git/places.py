"""Where the parts of a repository really lie: a file `.git`, a link or a list of further objects can lead to
the history of another one, which is then read, or written, in its place.
"""

from __future__ import annotations

import os

from app.capabilities.git.config import os_text
from app.capabilities.git.repository import Repository, covers
from app.errors import ToolError
from app.platform import filesystem

_PARTS = ("", "objects", "objects/pack", "objects/info", "refs", "refs/heads", "refs/remotes", "refs/tags")
_MOST = 1 << 16


def elsewhere(repository: Repository) -> tuple[str, ...]:
    """Return the places that lie beyond the repository's own folder and do not name this folder themselves: a
    repository that says that it is a work tree or a submodule of its own belongs to it.
    """
    home = [repository.top or repository.git_dir]
    if not covers(home[0], repository.git_dir):
        if not _claimed(repository):
            return (repository.git_dir,)
        home += [repository.git_dir, repository.common]
    elif repository.git_dir != repository.common and not covers(home[0], repository.common):
        return (repository.common,)
    objects = os.path.join(repository.common, "objects")
    found = [repository.common, objects]
    found += [link for part in _PARTS for link in _links(os.path.join(repository.common, part))]
    found += _links(repository.git_dir)
    found += [os.path.join(objects, line) for line in _lines(os.path.join(objects, "info", "alternates"))]
    real = dict.fromkeys(map(os.path.realpath, found))
    return tuple(place for place in real if not any(covers(one, place) for one in home))


def _claimed(repository: Repository) -> bool:
    """Whether the repository that `.git` leads to says that this folder is its work tree or submodule."""
    if covers(repository.common, repository.git_dir):
        back = next(iter(_lines(os.path.join(repository.git_dir, "gitdir"))), "")
        if back and os.path.realpath(os.path.dirname(back)) == repository.top:
            return True
    tree = repository.config.get("core.worktree")
    return bool(tree) and os.path.realpath(os.path.join(repository.git_dir, tree)) == repository.top


def _links(folder: str) -> list[str]:
    try:
        with os.scandir(folder) as entries:
            return [entry.path for entry in entries if entry.is_symlink()]
    except OSError:
        return []


def _lines(path: str) -> list[str]:
    """Return the lines of a small file of Git, [] where there is none."""
    try:
        text = filesystem.read(path, _MOST)
    except (OSError, ToolError):
        return []
    return [os_text(line) for line in text.splitlines() if line[:1] not in (b"", b"#")]

"""Which lines may write a repository in the sandbox: those in which nothing but Git runs."""

from __future__ import annotations

import pytest

from app.permissions.shell.commits import only_git


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("git commit -m x", True),
        ("git add . && git commit -m 'a b' && git log --oneline | head -n 3", True),
        ("cd sub && git stash", True),
        ("git commit -m \"$(cat <<'E'\nA message.\nE\n)\"", True),
        ("git diff > x.patch", True),
        ("git -c user.name=a -c user.email=a@b commit -qm x", True),
        ("git -c user.name=a -c core.pager=x commit -qm x", False),
        ("HUSKY=0 git commit -m x", True),
        ("npm test && git commit -m x", False),
        ("npm test", False),
        ("ls", False),
        ('git commit -m "$(./x)"', False),
        ("$x git commit", False),
        ("git log > .git/commondir", False),
        ("git worktree add .git/hooks b", False),
        ("cd .git && git worktree add hooks b", False),
        ("git rebase -x ./x", False),
        ("GIT_EDITOR=./x git commit", False),
        ("sh -c 'git commit'", False),
    ],
)
def test_a_line_of_git_alone(text, expected):
    assert only_git(text) is expected


def test_a_line_in_the_repositorys_own_folder():
    assert not only_git("git worktree add hooks b", "/w/.git")
    assert only_git("git status", "/w/a.git")

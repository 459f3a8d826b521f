"""Nothing that a repository names as a program is run, whatever the tool: each leaves a file if it was."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from app.errors import ToolError
from tests.capabilities.git_desk import GitDesk, git_desk

READS = (
    ("git_status", "{}"),
    ("git_diff", "{}"),
    ("git_diff", '{"staged": true}'),
    ("git_diff", '{"base": "HEAD~1", "target": "HEAD"}'),
    ("git_log", '{"path": "a.x"}'),
    ("git_show", "{}"),
    ("git_show", '{"path": "a.x", "whole": true}'),
    ("git_blame", '{"path": "a.x"}'),
    ("git_branch", "{}"),
    ("git_stash", '{"action": "list"}'),
)
KEYS = (
    "core.fsmonitor", "core.pager", "core.editor", "core.askPass", "core.sshCommand", "core.gitProxy",
    "core.alternateRefsCommand", "sequence.editor", "diff.external", "diff.evil.command",
    "diff.evil.textconv", "filter.evil.clean", "filter.evil.smudge", "filter.evil.process",
    "merge.evil.driver", "gpg.program", "gpg.ssh.defaultKeyCommand", "credential.helper", "pager.log",
    "pager.diff", "pager.status", "alias.status", "alias.log", "remote.origin.uploadpack",
    "remote.origin.receivepack", "interactive.diffFilter", "trailer.x.command",
)  # fmt: skip


@pytest.fixture
def desk(tmp_path: Path) -> GitDesk:
    """A repository in whose configuration every program is one that leaves a file."""
    desk = git_desk(tmp_path)
    desk.commit("a.x", "one\n")
    desk.commit("a.x", "two\n")
    other = tmp_path / "other.git"
    desk.git("clone", "-q", "--bare", ".", str(other))
    desk.git("remote", "add", "origin", str(other))
    desk.write("a.x", "three\n")
    desk.write(".git/info/attributes", "*.x filter=evil diff=evil merge=evil\n")
    evil = tmp_path / "evil"
    evil.write_text(f"#!/bin/sh\ntouch {tmp_path}/pwned-$$\ncat\n")
    evil.chmod(0o755)
    for key in KEYS:
        desk.git("config", key, str(evil))
    desk.git("config", "commit.gpgSign", "true")
    desk.git("config", "log.showSignature", "true")
    return desk


def hooks_of(desk: GitDesk, *names: str) -> None:
    for name in names:
        hook = desk.write(f".git/hooks/{name}", f"#!/bin/sh\ntouch {desk.folder.parent}/pwned-{name}\n")
        hook.chmod(0o755)


def pwned(desk: GitDesk) -> list[str]:
    return sorted(path.name for path in desk.folder.parent.glob("pwned*"))


@pytest.mark.parametrize(("tool", "arguments"), READS)
async def test_reading_runs_none_of_it(desk: GitDesk, tool: str, arguments: str) -> None:
    hooks_of(desk, "post-index-change", "reference-transaction", "post-checkout")
    assert (await desk.call(tool, arguments)).text
    assert pwned(desk) == [] and desk.asked == []


async def test_the_tools_are_not_blind_to_it(desk: GitDesk) -> None:
    """The trap works: the same repository in a person's own Git runs what it names."""
    desk.git("status")
    assert pwned(desk) != []


async def test_changing_runs_none_of_it_and_stores_nothing_unfiltered(desk: GitDesk) -> None:
    with pytest.raises(ToolError, match=r"filter.*use run_command"):
        await desk.call("git_commit", '{"message": "x", "paths": ["a.x"]}')
    with pytest.raises(ToolError, match="filter"):
        await desk.call("git_checkout", '{"target": "HEAD~1", "paths": ["a.x"]}')
    for action in ("fetch", "push"):
        assert (await desk.call("git_sync", f'{{"action": "{action}"}}')).ok
    assert (await desk.call("git_branch", '{"action": "create", "name": "b"}')).ok
    assert pwned(desk) == []


async def test_a_submodule_with_a_configuration_of_its_own(desk: GitDesk, tmp_path: Path) -> None:
    desk.git("submodule", "add", "-q", str(tmp_path / "other.git"), "sub", cwd=desk.folder)
    for path in desk.folder.parent.glob("pwned*"):
        path.unlink()  # the person's own Git has run it
    sub = desk.folder / "sub"
    desk.git("config", "core.fsmonitor", str(tmp_path / "evil"), cwd=sub)
    (sub / "a.x").write_text("changed in there\n")
    for key in ("filter.evil.clean", "filter.evil.smudge", "filter.evil.process"):
        desk.git("config", "--unset", key)
    found = await desk.call("git_status")
    assert "new: sub" in found.text
    for tool, arguments in (*READS, ("git_stash", '{"action": "push"}')):
        await desk.call(tool, arguments)
    assert pwned(desk) == []


async def test_hooks_are_named_asked_about_and_then_run(desk: GitDesk) -> None:
    for key in KEYS:
        desk.git("config", "--unset", key)
    desk.git("config", "--unset", "commit.gpgSign")
    hooks_of(desk, "pre-commit", "pre-push", "post-checkout", "commit-msg.sample")
    done = await desk.call("git_commit", '{"message": "x", "paths": ["a.x"]}')
    assert done.ok and desk.actions[-1].runs == ("pre-commit",)
    assert pwned(desk) == ["pwned-pre-commit"]
    await desk.call("git_sync", '{"action": "push"}')
    assert desk.actions[-1].runs == ("pre-push",) and "pwned-pre-push" in pwned(desk)
    await desk.call("git_checkout", '{"target": "b", "create": true}')
    assert desk.actions[-1].runs == ("post-checkout",)
    await desk.call("git_sync", '{"action": "fetch"}')
    assert desk.actions[-1].runs == ()


async def test_an_address_that_is_a_command_is_not_followed(desk: GitDesk) -> None:
    for url in ("ext::sh -c 'touch %S/pwned-ext'", f"ext::{desk.folder.parent}/evil", "git://127.0.0.1/x"):
        desk.git("config", "remote.origin.url", url)
        with pytest.raises(ToolError, match=r"not allowed|failed"):
            await desk.call("git_sync", '{"action": "fetch"}')
    assert pwned(desk) == []


async def test_a_git_that_lies_in_the_folder_is_not_run(desk: GitDesk, tmp_path: Path) -> None:
    planted = desk.write("git", f"#!/bin/sh\ntouch {tmp_path}/pwned-git\n")
    planted.chmod(0o755)
    for first in (str(desk.folder), ".", ""):
        desk.environ = {**desk.environ, "PATH": f"{first}{os.pathsep}{os.environ['PATH']}"}
        assert (await desk.call("git_status")).ok
    assert pwned(desk) == []


async def test_a_repository_that_says_its_files_lie_elsewhere(desk: GitDesk, tmp_path: Path) -> None:
    place = tmp_path / "home" / ".ssh"
    place.mkdir()
    (place / "id_rsa").write_text("key")
    desk.git("config", "core.worktree", str(place))
    for tool, arguments in (
        ("git_status", "{}"),
        ("git_diff", "{}"),
        ("git_checkout", '{"target": "x", "create": true}'),
        ("git_checkout", '{"paths": ["a.x"]}'),
        ("git_commit", '{"message": "x", "paths": ["."]}'),
    ):
        with pytest.raises(ToolError, match="lie elsewhere"):
            await desk.call(tool, arguments)
    assert desk.asked == [] and [path.name for path in place.iterdir()] == ["id_rsa"]


async def test_a_configuration_that_cannot_be_read(desk: GitDesk) -> None:
    desk.write(".git/config", "[core\n")
    with pytest.raises(ToolError, match=r"bad config line|not open"):
        await desk.call("git_status")

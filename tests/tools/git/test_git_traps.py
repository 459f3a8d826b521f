"""A repository whose settings, links or remotes lead elsewhere than a question about it says."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from app.capabilities.git.config import read
from app.capabilities.git.repository import discover
from app.capabilities.git.syncing import host_of
from app.capabilities.programs import Ran
from app.errors import ToolError
from app.records import Answer, Decision, Effect, ReadEffect
from tests.capabilities.git_desk import GitDesk, git_desk


@pytest.fixture
def desk(tmp_path: Path) -> GitDesk:
    """A repository with two commits."""
    desk = git_desk(tmp_path)
    desk.commit("a.x", "one\n")
    desk.commit("a.x", "two\n")
    return desk


def bare(desk: GitDesk, name: str) -> Path:
    """Make a bare copy of the repository beside it."""
    place = desk.folder.parent / name
    desk.git("clone", "-q", "--bare", ".", str(place))
    return place


def trap(path: Path, mark: str) -> str:
    """Write a program that leaves a file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\ntouch {mark}\n")
    path.chmod(0o755)
    return str(path)


def meanwhile(desk: GitDesk, change: Callable[[], object]) -> None:
    """Let something happen while the person looks at the question."""
    ask = desk._ask

    async def asked(effect: Effect, decision: Decision) -> Answer:
        change()
        return await ask(effect, decision)

    desk._ask = asked  # type: ignore[method-assign]


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("git_status", "{}"),
        ("git_show", "{}"),
        ("git_diff", '{"base": "HEAD~1", "target": "HEAD"}'),
        ("git_show", '{"ref": "HEAD~1", "path": "a.x", "whole": true}'),
        ("git_blame", '{"path": "a.x"}'),
        ("git_checkout", '{"target": "HEAD~1"}'),
    ],
)
async def test_an_object_that_is_not_there_is_fetched_from_nowhere(
    desk: GitDesk, tmp_path: Path, tool: str, arguments: str
) -> None:
    """Git would run the remote's `uploadpack` for it, while somebody only looks."""
    blob = desk.git("rev-parse", "HEAD~1:a.x").strip()
    (desk.folder / ".git/objects" / blob[:2] / blob[2:]).unlink()
    desk.git("remote", "add", "evil", str(bare(desk, "other.git")))
    for key, value in (
        ("core.repositoryFormatVersion", "1"),
        ("extensions.partialClone", "evil"),
        ("remote.evil.promisor", "true"),
        ("remote.evil.uploadpack", trap(tmp_path / "evil", f"{tmp_path}/pwned")),
    ):
        desk.git("config", key, value)
    try:
        await desk.call(tool, arguments)
    except ToolError as error:
        assert error.code == "git_failed"
    assert not (tmp_path / "pwned").exists()
    desk.git("cat-file", "-t", blob, code=128)  # the trap works: a person's own Git falls into it
    assert (tmp_path / "pwned").exists()


async def test_a_push_that_would_go_to_two_places(desk: GitDesk) -> None:
    one, two = bare(desk, "one"), bare(desk, "two")
    desk.git("remote", "add", "origin", str(one))
    desk.git("remote", "set-url", "--add", "origin", str(two))
    desk.commit("a.x", "three\n")
    with pytest.raises(ToolError, match=f"2 places: {one}, {two}"):
        await desk.call("git_sync", '{"action": "push"}')
    assert desk.asked == []


async def test_hooks_of_a_repository_beside_are_named_before_a_push(desk: GitDesk, tmp_path: Path) -> None:
    place = bare(desk, "one")
    desk.git("remote", "add", "origin", str(place))
    desk.commit("a.x", "three\n")
    trap(place / "hooks" / "post-receive", f"{tmp_path}/pwned")
    assert (await desk.call("git_sync", '{"action": "push"}')).ok
    assert desk.actions[-1].runs == (f"post-receive in {place}",)
    assert (tmp_path / "pwned").exists(), "the person has allowed it"


async def test_a_hook_that_appears_beside_during_the_question(desk: GitDesk, tmp_path: Path) -> None:
    place = bare(desk, "one")
    desk.git("remote", "add", "origin", str(place))
    desk.commit("a.x", "three\n")
    meanwhile(desk, lambda: trap(place / "hooks" / "post-receive", f"{tmp_path}/pwned"))
    with pytest.raises(ToolError) as caught:
        await desk.call("git_sync", '{"action": "push"}')
    assert caught.value.code == "changed_since" and not (tmp_path / "pwned").exists()


async def test_settings_of_a_repository_beside_run_nothing(desk: GitDesk, tmp_path: Path) -> None:
    place = desk.folder.parent / "beside"
    desk.git("clone", "-q", "--shared", ".", str(place))
    evil = trap(tmp_path / "evil", f"{tmp_path}/pwned")
    for key in ("core.alternateRefsCommand", "core.fsmonitor", "filter.x.smudge"):
        desk.git("config", key, evil, cwd=place)
    desk.git("config", "receive.denyCurrentBranch", "updateInstead", cwd=place)
    (place / ".git/info/attributes").write_text("* filter=x\n")
    desk.git("remote", "add", "origin", str(place))
    desk.commit("a.x", "three\n")
    assert not (await desk.call("git_sync", '{"action": "push"}')).ok
    assert not (tmp_path / "pwned").exists()


async def test_a_group_of_remotes_with_the_name_of_one(desk: GitDesk) -> None:
    """With itself in it Git would fetch without an end, a process in a process."""
    desk.git("remote", "add", "origin", str(bare(desk, "one")))
    desk.git("remote", "add", "evil", str(bare(desk, "two")))
    desk.git("config", "remotes.origin", "origin evil")
    with pytest.raises(ToolError, match="calls a group of remotes origin"):
        await desk.call("git_sync", '{"action": "fetch", "remote": "origin"}')


async def test_fetching_that_would_write_local_branches_says_so(desk: GitDesk) -> None:
    desk.git("remote", "add", "origin", str(bare(desk, "one")))
    desk.git("config", "remote.origin.fetch", "+refs/heads/main:refs/heads/keep")
    await desk.call("git_sync", '{"action": "fetch"}')
    effect = desk.actions[-1]
    assert effect.loses and "writes refs/heads/keep" in effect.details
    desk.git("config", "remote.origin.fetch", "+refs/heads/*:refs/remotes/origin/*")
    await desk.call("git_sync", '{"action": "fetch"}')
    assert not desk.actions[-1].loses


def private_one(desk: GitDesk) -> Path:
    """Make a repository that the conversation has nothing to do with."""
    private = desk.folder.parent / "private"
    private.mkdir()
    desk.git("init", "-q", cwd=private)
    (private / "s.txt").write_text("SECRET")
    desk.git("add", "-A", cwd=private)
    desk.git("commit", "-q", "-m", "private thing", cwd=private)
    return private / ".git"


@pytest.mark.parametrize("way", ["file", "link", "objects", "commondir", "alternates"])
async def test_the_history_of_another_repository_is_asked_about(
    desk: GitDesk, tmp_path: Path, way: str
) -> None:
    private, work = private_one(desk), tmp_path / "work"
    work.mkdir()
    inside = work / ".git"
    if way == "file":
        inside.write_text(f"gitdir: {private}\n")
    elif way == "link":
        inside.symlink_to(private)
    elif way == "commondir":
        inside.mkdir()
        (inside / "commondir").write_text(f"{private}\n")
        (inside / "HEAD").write_text("ref: refs/heads/main\n")
        (inside / "gitdir").write_text(f"{inside}\n")
    else:
        desk.git("init", "-q", cwd=work)
        tip = desk.git("rev-parse", "HEAD", cwd=private.parent)
        (inside / "refs/heads/main").write_text(tip)
        if way == "objects":
            subprocess.run(["rm", "-r", str(inside / "objects")], check=True)
            (inside / "objects").symlink_to(private / "objects")
        else:
            (inside / "objects/info").mkdir(exist_ok=True)
            (inside / "objects/info/alternates").write_text(f"{private}/objects\n")
    desk.answer = Answer(decision="deny", by="test")
    with pytest.raises(Exception, match="The person said no"):
        await desk.call("git_show", '{"path": "s.txt", "whole": true}', cwd=str(work))
    (asked,) = desk.asked
    assert isinstance(asked, ReadEffect) and asked.path.startswith(str(private))


async def test_work_trees_and_submodules_are_their_own(desk: GitDesk, tmp_path: Path) -> None:
    desk.git("worktree", "add", "-q", "-b", "side", str(tmp_path / "side"))
    desk.git("submodule", "add", "-q", str(bare(desk, "one")), "sub")
    for place in (tmp_path / "side", desk.folder / "sub"):
        assert (await desk.call("git_log", cwd=str(place))).ok
    assert desk.asked == []


@pytest.mark.parametrize("action", ["git_checkout", "pull"])
async def test_a_file_that_git_ignores_is_not_overwritten(desk: GitDesk, action: str) -> None:
    desk.git("checkout", "-q", "-b", "theirs")
    desk.commit("local.cfg", "theirs\n")
    desk.git("checkout", "-q", "main")
    desk.write(".git/info/exclude", "local.cfg\n")
    desk.write("local.cfg", "mine\n")
    if action == "pull":
        desk.git("remote", "add", "origin", str(bare(desk, "one")))
        desk.git("--git-dir", str(desk.folder.parent / "one"), "branch", "-f", "main", "theirs")
    arguments = '{"action": "pull"}' if action == "pull" else '{"target": "theirs"}'
    with pytest.raises(ToolError, match="would be overwritten"):
        await desk.call("git_sync" if action == "pull" else action, arguments)
    assert (desk.folder / "local.cfg").read_text() == "mine\n"


@pytest.mark.parametrize("change", ["hook", "filter", "content", "staged", "new"])
async def test_what_changes_during_the_question_is_not_committed(
    desk: GitDesk, tmp_path: Path, change: str
) -> None:
    desk.write("a.x", "three\n")
    mark = f"{tmp_path}/pwned"

    def happens() -> None:
        if change == "hook":
            trap(desk.folder / ".git/hooks/pre-commit", mark)
        elif change == "filter":
            desk.git("config", "filter.z.clean", f"touch {mark}; cat")
            desk.write(".git/info/attributes", "*.x filter=z\n")
        elif change == "new":
            desk.write("more.x", "evil\n")
        else:
            desk.write("a.x", "evil!\n")
            if change == "staged":
                desk.git("add", "a.x")

    if change == "staged":
        desk.git("add", "a.x")
    meanwhile(desk, happens)
    paths = [] if change == "staged" else ["."]
    with pytest.raises(ToolError) as caught:
        await desk.call("git_commit", json.dumps({"message": "x", "paths": paths}))
    assert caught.value.code == "changed_since"
    assert desk.git("show", "HEAD:a.x") == "two\n" and not os.path.exists(mark)


async def test_another_entry_of_the_stash_is_not_dropped(desk: GitDesk) -> None:
    desk.write("a.x", "first\n")
    desk.git("stash", "push", "-q", "-m", "first")
    desk.write("a.x", "second\n")
    meanwhile(desk, lambda: desk.git("stash", "push", "-q", "-m", "second"))
    with pytest.raises(ToolError) as caught:
        await desk.call("git_stash", '{"action": "drop"}')
    assert caught.value.code == "changed_since"
    assert len(desk.git("stash", "list").splitlines()) == 2


@pytest.mark.parametrize(
    ("url", "host"),
    [
        ("https::https://evil.example/x", "evil.example"),
        ("ssh::ssh://evil.example/x", "evil.example"),
        ("ext::sh -c x", "ext"),
        ("FILE:///x", ""),
        ("../x", ""),
        ("git@evil.example:x", "evil.example"),
    ],
)
def test_the_host_of_an_address(url: str, host: str) -> None:
    assert host_of(url) == host


def test_settings_that_lead_a_request_elsewhere_are_set_again() -> None:
    keys = {
        "http.proxy": "",
        "http.https://good.example/.proxy": "",
        "http.sslverify": "true",
        "http.cookiefile": "",
        "http.savecookies": "false",
        "http.curloptresolve": "",
        "remote.origin.proxy": "",
        "hook.x.command": "true",
        "hook.x.enabled": "false",
    }
    found = dict(read(b"".join(f"local\0{key}\nevil\0".encode() for key in keys)).overriding(strict=False))
    assert {key: found[key] for key in keys} == keys
    mine = read(b"global\0http.proxy\nmine\0local\0http.proxy\nevil\0").overriding(strict=False)
    assert dict(mine)["http.proxy"] == "mine"


async def test_commits_at_once_are_made_one_after_another(desk: GitDesk) -> None:
    for number in range(4):
        desk.write(f"f{number}", "x")
    calls = (
        desk.call("git_commit", json.dumps({"message": f"m{number}", "paths": [f"f{number}"]}))
        for number in range(4)
    )
    for done in await asyncio.gather(*calls):
        assert done.ok and "[verified]" in done.text
    assert len(desk.git("log", "--oneline").splitlines()) == 6 and desk.git("status", "--short") == ""


async def test_a_branch_that_changes_during_the_question_gets_no_commit(desk: GitDesk) -> None:
    desk.write("a.x", "three\n")
    meanwhile(desk, lambda: desk.git("switch", "-q", "-c", "other"))
    with pytest.raises(ToolError) as caught:
        await desk.call("git_commit", '{"message": "x", "paths": ["a.x"]}')
    assert caught.value.code == "changed_since"


async def test_a_full_disk_is_no_lock(desk: GitDesk) -> None:
    repository = await discover(str(desk.folder), desk.environ, "")
    full = b"fatal: sha1 file '.git/index.lock' write error. Out of diskspace"
    assert repository.failed(Ran(128, b"", full), "stash").code == "disk_full"
    held = b"fatal: Unable to create '.git/index.lock': File exists."
    assert "Another Git" in str(repository.failed(Ran(128, b"", held), "add"))

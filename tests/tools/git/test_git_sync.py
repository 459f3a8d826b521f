"""Commits go to and come from another repository, never by force."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.capabilities.git.syncing import host_of, masked
from app.errors import ToolError
from tests.capabilities.git_desk import GitDesk, git_desk


@pytest.fixture
def desk(tmp_path: Path) -> GitDesk:
    """A repository with a commit, a bare one as its origin, and the clone of somebody else."""
    desk = git_desk(tmp_path)
    desk.commit("a", "1\n")
    desk.git("init", "-q", "--bare", str(tmp_path / "hub.git"))
    desk.git("remote", "add", "origin", str(tmp_path / "hub.git"))
    return desk


def others(desk: GitDesk, text: str) -> str:
    """Let somebody else push a commit; return its id."""
    place = desk.folder.parent / "theirs"
    if not place.exists():
        desk.git("clone", "-q", str(desk.folder.parent / "hub.git"), str(place))
    (place / "theirs").write_text(text)
    desk.git("add", "-A", cwd=place)
    desk.git("commit", "-q", "-m", "theirs", cwd=place)
    desk.git("push", "-q", cwd=place)
    return desk.git("rev-parse", "HEAD", cwd=place).strip()


async def test_push_fetch_pull(desk: GitDesk) -> None:
    pushed = await desk.call("git_sync", '{"action": "push"}')
    mine = desk.git("rev-parse", "HEAD").strip()
    assert pushed.ok and f"main at {mine[:9]} is on origin. [verified]" in pushed.text
    effect = desk.actions[0]
    assert effect.words == ("git", "push", "origin", "main") and effect.subject == "push origin main"
    assert str(desk.folder.parent / "hub.git") in effect.details
    theirs = others(desk, "1")
    fetched = await desk.call("git_sync", '{"action": "fetch"}')
    assert fetched.ok and "0 ahead and 1 behind" in fetched.text
    assert desk.git("rev-parse", "HEAD").strip() == mine, "fetching changes no branch"
    pulled = await desk.call("git_sync", '{"action": "pull"}')
    assert pulled.ok and f"main is at {theirs[:9]} now, 1 commit further. [verified]" in pulled.text
    assert (desk.folder / "theirs").read_text() == "1"
    again = await desk.call("git_sync", '{"action": "pull"}')
    assert again.ok and "has all that origin has" in again.text


async def test_what_is_parted_is_told_and_left_alone(desk: GitDesk) -> None:
    await desk.call("git_sync", '{"action": "push"}')
    theirs = others(desk, "1")
    mine = desk.commit("a", "2\n")
    refused = await desk.call("git_sync", '{"action": "push"}')
    assert not refused.ok and "nothing was sent by force" in refused.text
    pulled = await desk.call("git_sync", '{"action": "pull"}')
    assert not pulled.ok and "1 commits of its own and lacks 1" in pulled.text
    assert desk.git("rev-parse", "HEAD").strip() == mine
    assert desk.git("rev-parse", "main", cwd=desk.folder.parent / "hub.git").strip() == theirs


async def test_what_cannot_be_exchanged(desk: GitDesk, tmp_path: Path) -> None:
    for arguments, says in (
        ('{"action": "push", "remote": "nowhere"}', "no remote 'nowhere'"),
        ('{"action": "push", "remote": "--exec=x"}', "no remote"),
        ('{"action": "push", "branch": "-d"}', "no name of a commit"),
        ('{"action": "push", "branch": "none"}', "no local branch"),
        ('{"action": "pull"}', "origin has no branch main"),
        ('{"action": "pull", "branch": "dev"}', "main is checked out"),
    ):
        with pytest.raises(ToolError, match=says):
            await desk.call("git_sync", arguments)
    desk.git("checkout", "-q", "--detach")
    with pytest.raises(ToolError, match="detached"):
        await desk.call("git_sync", '{"action": "push"}')
    desk.git("remote", "remove", "origin")
    with pytest.raises(ToolError, match="has no remote"):
        await desk.call("git_sync", '{"action": "fetch"}')
    desk.git("remote", "add", "origin", str(tmp_path / "gone.git"))
    with pytest.raises(ToolError, match="failed"):
        await desk.call("git_sync", '{"action": "fetch"}')


async def test_a_host_that_does_not_answer_is_told(desk: GitDesk) -> None:
    desk.git("remote", "set-url", "origin", "http://127.0.0.1:9/x.git")
    with pytest.raises(ToolError, match=r"failed.*127\.0\.0\.1"):
        await desk.call("git_sync", '{"action": "fetch"}')
    assert desk.actions[-1].host == "127.0.0.1"


async def test_the_host_is_the_one_that_the_configuration_leads_to(desk: GitDesk) -> None:
    desk.git("remote", "set-url", "origin", "https://good.example/x.git")
    desk.git("config", "url.http://127.0.0.1:9/.insteadOf", "https://good.example/")
    with pytest.raises(ToolError):
        await desk.call("git_sync", '{"action": "push"}')
    assert desk.actions[-1].host == "127.0.0.1"


@pytest.mark.parametrize(
    ("url", "host", "seen"),
    [
        ("https://user:token@git.example/x.git", "git.example", "https://***@git.example/x.git"),
        ("git@github.com:a/b.git", "github.com", "git@github.com:a/b.git"),
        ("ssh://git@h.example:22/x", "h.example", "ssh://***@h.example:22/x"),
        ("/srv/x.git", "", "/srv/x.git"),
        ("./a:b", "", "./a:b"),
        ("file:///srv/x", "", "file:///srv/x"),
    ],
)
def test_hosts_of_addresses(url: str, host: str, seen: str) -> None:
    assert (host_of(url), masked(url)) == (host, seen)

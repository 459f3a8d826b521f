"""The tools that change Git repositories: asked about with their exact words, read back, taken back."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import msgspec
import pytest

from app.changes.journal import Journal
from app.changes.undo import Undo
from app.errors import Refused, ToolError
from app.permissions.policy import policy
from app.records import Answer, Mark
from app.store.database import Store
from tests.capabilities.git_desk import GitDesk, git_desk


@pytest.fixture
async def journal(tmp_path: Path) -> AsyncIterator[Journal]:
    store = Store(tmp_path / "data" / "bramble.db")
    await store.open()
    yield Journal(store, tmp_path / "data" / "journal")
    await store.close()


@pytest.fixture
def desk(tmp_path: Path, journal: Journal) -> GitDesk:
    return git_desk(tmp_path, journal)


# --- commits -----------------------------------------------------------------------------------------------


async def test_a_commit_takes_what_is_named_and_nothing_else(desk: GitDesk) -> None:
    desk.commit("a", "1\n")
    desk.write("a", "2\n")
    desk.write("b", "new\n")
    desk.write("c", "not this\n")
    desk.git("add", str(desk.write("d", "staged before\n")))
    done = await desk.call("git_commit", '{"message": "Two files\\n\\nWhy.", "paths": ["a", "b"]}')
    head = desk.git("rev-parse", "HEAD").strip()
    assert done.ok and done.text.startswith(f"Commit {head[:9]} on main: Two files [verified]")
    assert desk.git("show", "--format=%B", "--name-only", "HEAD").split() == [
        "Two",
        "files",
        "Why.",
        "a",
        "b",
    ]
    assert desk.git("status", "--porcelain") == "A  d\n?? c\n"
    effect = desk.actions[0]
    assert (effect.subject, effect.cwd, effect.undoable) == ("commit", str(desk.folder), False)
    assert effect.words == ("git", "commit", "-m", "Two files\n\nWhy.", "--", "a", "b")
    for line in ("git add -A -- a b", "changed: a (+1 -1)", "new: b"):
        assert line in effect.details
    assert "not this" not in effect.details and "staged before" not in effect.details


async def test_what_is_staged_is_committed_where_nothing_is_named(desk: GitDesk) -> None:
    desk.git("add", str(desk.write("first", "x")))
    desk.write("later", "y")
    done = await desk.call("git_commit", '{"message": "First"}')
    assert done.ok and "new: first" in done.text and "later" not in done.text
    with pytest.raises(ToolError, match="Nothing is staged"):
        await desk.call("git_commit", '{"message": "Second"}')
    everything = await desk.call("git_commit", '{"message": "All", "paths": ["."]}')
    assert everything.ok and "new: later" in everything.text
    with pytest.raises(ToolError, match="Nothing in these paths"):
        await desk.call("git_commit", '{"message": "None", "paths": ["later"]}')


async def test_a_deleted_file_and_a_new_message(desk: GitDesk) -> None:
    desk.commit("a", "1\n")
    desk.commit("b", "1\n", "Worng")
    (desk.folder / "a").unlink()
    amended = await desk.call("git_commit", '{"message": "Right", "amend": true}')
    assert amended.ok and "Right" in amended.text and desk.git("rev-list", "--count", "HEAD") == "2\n"
    gone = await desk.call("git_commit", '{"message": "Away", "paths": ["a"]}')
    assert gone.ok and "deleted: a" in gone.text


async def test_the_end_of_a_merge_takes_all_of_it(desk: GitDesk) -> None:
    desk.commit("a", "1\n")
    desk.git("switch", "-q", "-c", "dev")
    desk.commit("a", "dev\n")
    desk.git("switch", "-q", "main")
    desk.commit("a", "main\n")
    desk.git("merge", "dev", code=1)
    with pytest.raises(ToolError, match="Still in conflict: a"):
        await desk.call("git_commit", '{"message": "Merge dev"}')
    assert desk.asked == [], "nobody is asked in vain"
    assert (await desk.call("git_diff")).text.startswith("conflict: a +4 -0\n\ndiff")
    desk.write("a", "both\n")
    done = await desk.call("git_commit", '{"message": "Merge dev", "paths": ["a"]}')
    assert done.ok and len(desk.git("log", "-1", "--format=%P").split()) == 2


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ('{"message": " ", "paths": ["a"]}', "needs a message"),
        ('{"message": "x", "paths": ["../a"]}', "outside"),
        (
            '{"message": "x", "paths": ["none"]}',
            "There is no none in this repository. Nothing was committed.",
        ),
        ('{"message": "x", "paths": ["a", "none"]}', "There is no none in this repository."),
        ('{"message": "x", "paths": [".git/config"]}', "part of the repository"),
        ('{"message": "\\ud800", "paths": ["a"]}', "half of a character"),
        ('{"amend": true}', "no commit yet"),
    ],
)
async def test_a_commit_that_cannot_be(desk: GitDesk, arguments: str, says: str) -> None:
    desk.write("a", "1")
    with pytest.raises(ToolError, match=says):
        await desk.call("git_commit", arguments)
    assert desk.asked == []


async def test_secrets_go_in_only_by_their_own_name(desk: GitDesk) -> None:
    desk.write(".env", "KEY=1")
    desk.write("a", "1")
    with pytest.raises(ToolError, match=r"\.env may hold secrets"):
        await desk.call("git_commit", '{"message": "all", "paths": ["."]}')
    assert desk.git("status", "--porcelain") == "?? .env\n?? a\n"
    assert (await desk.call("git_commit", '{"message": "it", "paths": [".env"]}')).ok


async def test_without_a_name_nothing_is_committed(tmp_path: Path) -> None:
    desk = git_desk(tmp_path, named=False)
    desk.write("a", "1")
    with pytest.raises(ToolError, match=r"whose commit this is.*user\.email"):
        await desk.call("git_commit", '{"message": "x", "paths": ["a"]}')


async def test_a_locked_index_is_told(desk: GitDesk) -> None:
    desk.write("a", "1")
    desk.write(".git/index.lock", "")
    assert "index is locked" in (await desk.call("git_status")).text
    with pytest.raises(ToolError, match="Another Git is at work"):
        await desk.call("git_commit", '{"message": "x", "paths": ["a"]}')


async def test_no_means_nothing_happens(desk: GitDesk) -> None:
    first = desk.commit("a", "1\n")
    desk.write("a", "2\n")
    desk.answer = Answer(decision="deny", reason="not now", by="test")
    for tool, arguments in (
        ("git_commit", '{"message": "x", "paths": ["a"]}'),
        ("git_checkout", '{"paths": ["a"]}'),
        ("git_stash", "{}"),
        ("git_branch", '{"action": "create", "name": "b"}'),
        ("git_checkout", '{"target": "b", "create": true}'),
    ):
        with pytest.raises(Refused, match="not now"):
            await desk.call(tool, arguments)
    assert desk.git("rev-parse", "HEAD").strip() == first and (desk.folder / "a").read_text() == "2\n"
    assert desk.git("branch") == "* main\n" and desk.git("stash", "list") == ""
    assert desk.git("status", "--porcelain") == " M a\n", "nothing is staged"


async def test_a_rule_allows_and_a_rule_for_commands_forbids(desk: GitDesk) -> None:
    desk.write("a", "1")
    desk.rules = policy(str(desk.folder), allow=["git_commit(*)"])
    assert (await desk.call("git_commit", '{"message": "x", "paths": ["a"]}')).ok and desk.asked == []
    desk.write("a", "2")
    desk.rules = policy(str(desk.folder), allow=["git_commit(*)"], deny=["run_command(git commit *)"])
    with pytest.raises(Refused, match="denies it"):
        await desk.call("git_commit", '{"message": "y", "paths": ["a"]}')


async def test_a_hook_that_says_no_and_one_that_changes_files(desk: GitDesk, journal: Journal) -> None:
    desk.commit("a", "1\n")
    desk.write("a", "2\n")
    hook = desk.write(".git/hooks/pre-commit", "#!/bin/sh\necho tidy > b\necho 'not like this'\nexit 1\n")
    hook.chmod(0o755)
    with pytest.raises(ToolError, match="not like this"):
        await desk.call("git_commit", '{"message": "x", "paths": ["a"]}')
    hook.write_text("#!/bin/sh\necho tidier > b\n")
    done = await desk.call("git_commit", '{"message": "x", "paths": ["a"]}')
    assert done.ok and done.undo
    await Undo(journal).one(done.undo)
    assert (desk.folder / "b").read_text() == "tidy\n"


async def test_a_cancelled_commit_leaves_no_lock(desk: GitDesk) -> None:
    first = desk.commit("a", "1\n")
    desk.write("a", "2\n")
    began = desk.folder / "began"
    hook = desk.write(".git/hooks/pre-commit", f"#!/bin/sh\ntouch {began}\nexec sleep 600\n")
    hook.chmod(0o755)
    call = asyncio.ensure_future(desk.call("git_commit", '{"message": "x", "paths": ["a"]}'))
    while not began.exists():
        assert not call.done(), call.result()
        await asyncio.sleep(0.01)
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call
    assert desk.git("rev-parse", "HEAD").strip() == first
    assert not (desk.folder / ".git" / "index.lock").exists()


# --- branches and files ------------------------------------------------------------------------------------


async def test_branches_are_made_renamed_and_deleted(desk: GitDesk) -> None:
    first = desk.commit("a", "1\n")
    made = await desk.call("git_branch", '{"action": "create", "name": "fix/one"}')
    assert made.ok and desk.git("rev-parse", "fix/one").strip() == first
    assert desk.actions[0].words == ("git", "branch", "fix/one")
    assert (await desk.call("git_branch", '{"action": "rename", "name": "fix/one", "start": "two"}')).ok
    gone = await desk.call("git_branch", '{"action": "delete", "name": "two"}')
    assert gone.ok and "brings it back" in gone.text and desk.git("branch") == "* main\n"
    desk.git("switch", "-q", "-c", "unmerged")
    desk.commit("b", "1\n")
    desk.git("switch", "-q", "main")
    with pytest.raises(ToolError, match="not fully merged"):
        await desk.call("git_branch", '{"action": "delete", "name": "unmerged"}')
    for name in ("-D", "a b", "x..y", "HEAD~1", "a:b", "@{-1}"):
        with pytest.raises(ToolError, match=r"no name|no branch|no local"):
            await desk.call("git_branch", f'{{"action": "create", "name": "{name}"}}')


async def test_switching_keeps_what_is_not_committed(desk: GitDesk) -> None:
    first = desk.commit("a", "1\n")
    made = await desk.call("git_checkout", '{"target": "dev", "create": true}')
    assert made.ok and "dev is checked out" in made.text and "git_checkout main goes back" in made.text
    desk.commit("a", "dev\n")
    desk.write("a", "mine\n")
    with pytest.raises(ToolError, match="would be overwritten"):
        await desk.call("git_checkout", '{"target": "main"}')
    assert (desk.folder / "a").read_text() == "mine\n"
    desk.git("checkout", "a")
    assert (await desk.call("git_branch", '{"action": "switch", "name": "main"}')).ok
    detached = await desk.call("git_checkout", f'{{"target": "{first}"}}')
    assert detached.ok and "No branch is checked out" in detached.text
    with pytest.raises(ToolError, match="no commit 'nowhere'"):
        await desk.call("git_checkout", '{"target": "nowhere"}')


async def test_going_to_a_commit_by_its_distance_is_seen_to_have_worked(desk: GitDesk) -> None:
    first = desk.commit("a", "1\n")
    desk.commit("a", "2\n")
    desk.commit("a", "3\n")
    went = await desk.call("git_checkout", '{"target": "HEAD~2"}')
    assert went.ok and went.text.startswith(f"{first[:9]} is checked out. [verified]")


async def test_files_that_were_brought_back_can_be_had_again(desk: GitDesk, journal: Journal) -> None:
    desk.commit("a", "1\n")
    desk.commit("a", "2\n")
    desk.write("a", "hours of work\n")
    done = await desk.call("git_checkout", '{"paths": ["a"]}')
    assert done.ok and (desk.folder / "a").read_text() == "2\n"
    effect = desk.actions[0]
    assert effect.undoable and not effect.loses and effect.paths == (str(desk.folder / "a"),)
    await Undo(journal).one(done.undo)
    assert (desk.folder / "a").read_text() == "hours of work\n"
    older = await desk.call("git_checkout", '{"target": "HEAD~1", "paths": ["a"]}')
    assert older.ok and (desk.folder / "a").read_text() == "1\n"


async def test_one_file_can_be_had_again_however_large_the_rest_is(
    desk: GitDesk, journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("a", "b", "c"):
        desk.commit(name, "1\n")
    monkeypatch.setattr("app.changes.listing.listed.__defaults__", (2, 1 << 20))
    desk.write("a", "mine\n")
    done = await desk.call("git_stash")
    assert done.ok and done.undo and desk.actions[-1].undoable
    await Undo(journal).one(done.undo)
    assert (desk.folder / "a").read_text() == "mine\n"
    back = await desk.call("git_checkout", '{"paths": ["a"]}')
    assert back.ok and back.undo and desk.actions[-1].undoable


async def test_what_steers_or_lies_elsewhere_asks_in_spite_of_a_rule(desk: GitDesk) -> None:
    for name in ("AGENTS.md", ".github/workflows/x.yml", "sub/mine", "top"):
        desk.commit(name, "1\n")
        desk.write(name, "2\n")
    desk.rules = policy(str(desk.folder / "sub"), allow=["git_checkout(*)"])
    for name, asks in (("../AGENTS.md", 1), ("../.github/workflows/x.yml", 2), ("../top", 3), ("mine", 3)):
        done = await desk.call("git_checkout", f'{{"paths": ["{name}"]}}', cwd=str(desk.folder / "sub"))
        assert done.ok and len(desk.actions) == asks, name


async def test_where_nothing_can_be_taken_back_that_is_said(desk: GitDesk) -> None:
    desk.commit("a", "1\n")
    desk.write("a", "hours of work\n")
    desk.snapshots = None
    desk.rules = policy(str(desk.folder), allow=["git_checkout(*)"])
    done = await desk.call("git_checkout", '{"paths": ["a"]}')
    assert done.ok and not done.undo
    assert [(one.loses, one.undoable) for one in desk.actions] == [(True, False)], (
        "it asks in spite of a rule"
    )


# --- the stash ---------------------------------------------------------------------------------------------


async def test_changes_are_put_aside_and_brought_back(desk: GitDesk, journal: Journal) -> None:
    desk.commit("a", "1\n")
    nothing = await desk.call("git_stash")
    assert not nothing.ok and nothing.text.startswith("There is nothing to put aside: no file")
    assert nothing.summary == "not done" and desk.asked == [], "nobody is asked in vain"
    desk.write("a", "mine\n")
    pushed = await desk.call("git_stash", '{"message": "half done"}')
    assert pushed.ok and (desk.folder / "a").read_text() == "1\n" and pushed.undo
    assert "half done" in (await desk.call("git_stash", '{"action": "list"}')).text
    back = await desk.call("git_stash", '{"action": "pop"}')
    assert back.ok and "[verified]" in back.text and (desk.folder / "a").read_text() == "mine\n"
    await Undo(journal).one(back.undo)
    assert (desk.folder / "a").read_text() == "1\n"
    with pytest.raises(ToolError, match="There is no stash"):
        await desk.call("git_stash", '{"action": "pop"}')
    with pytest.raises(ToolError, match="There is no stash"):
        await desk.call("git_stash", '{"action": "pop", "ref": "--index"}')


async def test_a_dropped_entry_can_still_be_found(desk: GitDesk) -> None:
    desk.commit("a", "1\n")
    desk.write("a", "mine\n")
    await desk.call("git_stash", '{"message": "keep me"}')
    id = desk.git("rev-parse", "stash@{0}").strip()
    dropped = await desk.call("git_stash", '{"action": "drop", "ref": "stash@{0}"}')
    assert dropped.ok and id[:12] in dropped.text and desk.git("stash", "list") == ""
    assert desk.actions[-1].loses


async def test_a_stash_that_does_not_fit_stays(desk: GitDesk) -> None:
    desk.commit("a", "1\n")
    desk.write("a", "mine\n")
    await desk.call("git_stash")
    desk.commit("a", "theirs\n")
    found = await desk.call("git_stash", '{"action": "pop"}')
    assert not found.ok and "conflicts" in found.text and "stash@{0}" in desk.git("stash", "list")
    assert "<<<<<<<" in (desk.folder / "a").read_text()


async def test_strangers_text_does_not_stop_a_rule_for_what_stays_here(desk: GitDesk) -> None:
    desk.write("a", "1")
    held = policy(str(desk.folder), allow=["git_commit(*)", "git_sync(*)"])
    desk.rules = msgspec.structs.replace(held, marks=(Mark(kind="web", name="evil.example"),))
    assert (await desk.call("git_commit", '{"message": "x", "paths": ["a"]}')).ok and desk.asked == []

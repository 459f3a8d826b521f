"""The tools that look at Git repositories, on real ones of every odd kind."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from app.errors import ToolError
from app.records import Mark, ReadEffect
from tests.capabilities.git_desk import GitDesk, git_desk


@pytest.fixture
def desk(tmp_path: Path) -> GitDesk:
    return git_desk(tmp_path)


async def test_the_state_of_a_work_tree(desk: GitDesk) -> None:
    empty = await desk.call("git_status")
    assert "On branch main" in empty.text and "no commits yet" in empty.text
    desk.commit("a.py", "one\n")
    desk.commit("old name.py", "some text that stays the same\n")
    clean = await desk.call("git_status")
    assert clean.summary == "clean" and "Nothing differs" in clean.text
    desk.write("a.py", "two\n")
    desk.git("mv", "old name.py", "new name.py")
    desk.write("fresh.txt", "x")
    found = await desk.call("git_status")
    assert "Staged:\n  renamed: new name.py (from old name.py)" in found.text
    assert "Not staged:\n  changed: a.py" in found.text and "Untracked:\n  fresh.txt" in found.text
    assert desk.asked == [], "reading in the working folder asks nobody"


async def test_names_of_any_bytes_are_told_on_one_line(desk: GitDesk) -> None:
    for name in (b"new\nline", b'quo"te', b"caf\xe9", b"-dash", b":colon", b"st*r"):
        (os.fsencode(desk.folder) + b"/" + name).decode("utf-8", "surrogateescape")
        with open(os.fsencode(desk.folder) + b"/" + name, "wb") as file:
            file.write(b"x\n")
    found = await desk.call("git_status")
    for shown in ("new\\nline", 'quo"te', "caf\\xe9", "-dash", ":colon", "st*r"):
        assert f"  {shown}\n" in found.text + "\n"
    done = await desk.call(
        "git_commit", '{"message": "odd", "paths": ["-dash", ":colon", "st*r", "quo\\"te"]}'
    )
    assert done.ok and {line for line in done.text.split("\n") if line.startswith("new: ")} == {
        "new: -dash +1 -0", "new: :colon +1 -0", "new: st*r +1 -0", 'new: quo"te +1 -0',
    }  # fmt: skip
    assert "new\\nline" in (await desk.call("git_status")).text, "a star is a star"


async def test_differences_have_files_counts_and_a_patch(desk: GitDesk) -> None:
    first = desk.commit("a.py", "one\ntwo\n")
    desk.git("branch", "dev")
    desk.commit("b.py", "b\n")
    desk.write("a.py", "one\n2\n")
    found = await desk.call("git_diff")
    assert found.text.startswith("changed: a.py +1 -1") and "-two\n+2" in found.text
    assert found.view == "diff" and found.data["listed"] == [
        {"path": "a.py", "kind": "changed", "added": 1, "removed": 1}
    ]
    assert "files" not in found.data, "what is only looked at was not changed by us"
    assert (await desk.call("git_diff", '{"staged": true}')).summary == "no differences"
    between = await desk.call("git_diff", '{"base": "dev", "target": "main"}')
    assert between.text.startswith("new: b.py +1 -0")
    against = await desk.call("git_diff", f'{{"base": "{first}", "path": "b.py"}}')
    assert against.text.startswith("new: b.py +1 -0") and "a.py" not in against.text


async def test_history_and_one_commit(desk: GitDesk) -> None:
    none = await desk.call("git_log")
    assert none.ok and "no commits yet" in none.text
    desk.commit("a.py", "one\n", "First\n\nWith a body.")
    desk.git("tag", "v1")
    second = desk.commit("a.py", "two\n", "Second")
    found = await desk.call("git_log", '{"limit": 1}')
    assert "Second" in found.text and "First" not in found.text and "larger limit" in found.text
    by_author = await desk.call("git_log", '{"author": "ADA", "path": "a.py"}')
    assert by_author.summary == "2 commits" and "With a body." in by_author.text
    assert (await desk.call("git_log", '{"author": "a.a"}')).text == "No commit fits."
    assert (await desk.call("git_log", '{"since": "2099-01-01"}')).text == "No commit fits."
    shown = await desk.call("git_show")
    assert second in shown.text and "-one\n+two" in shown.text and shown.view == "diff"
    first = await desk.call("git_show", '{"ref": "v1"}')
    assert "First\n\nWith a body." in first.text and "new: a.py +1 -0" in first.text
    old = await desk.call("git_show", '{"ref": "v1", "path": "a.py", "whole": true}')
    assert old.text.endswith("one")


async def test_blame_names_commits_and_what_is_not_committed(desk: GitDesk) -> None:
    first = desk.commit("a.py", "one\ntwo\n")
    desk.write("a.py", "one\ntwo\nthree\n")
    found = await desk.call("git_blame", '{"path": "a.py"}')
    lines = found.text.split("\n")
    assert lines[0].startswith(f"1 ({first[:9]} 20") and lines[0].endswith("Ada): one")
    assert lines[2] == "3 (not committed yet): three"
    part = await desk.call("git_blame", '{"path": "a.py", "start": 2, "end": 2}')
    assert part.text.endswith("two") and part.summary == "1 line"
    with pytest.raises(ToolError, match=r"has only 3 lines|has only 2 lines"):
        await desk.call("git_blame", '{"path": "a.py", "start": 50, "end": 60}')


async def test_branches_are_listed(desk: GitDesk) -> None:
    assert (await desk.call("git_branch")).text == "There are no branches yet."
    desk.commit("a", "1", "The work")
    desk.git("branch", "dev")
    found = await desk.call("git_branch")
    assert found.summary == "2 branches" and "* main" in found.text and "  dev" in found.text
    assert (await desk.call("git_stash", '{"action": "list"}')).text == "The stash is empty."


@pytest.mark.parametrize(
    ("tool", "arguments", "says"),
    [
        ("git_show", '{"ref": "--output=x"}', "no name of a commit"),
        ("git_show", '{"ref": "HEAD:a"}', "no name of a commit"),
        ("git_show", '{"ref": "HEAD..main"}', "no name of a commit"),
        ("git_show", '{"ref": "nothing"}', "There is no commit 'nothing'"),
        ("git_diff", '{"base": "-O/tmp/x"}', "no name of a commit"),
        ("git_diff", '{"target": "main"}', "target needs base"),
        ("git_diff", '{"path": "../other"}', "outside of the repository"),
        ("git_diff", '{"path": ".git/config"}', "a part of the repository"),
        ("git_diff", '{"path": ""}', ""),
        ("git_log", '{"limit": 0}', "limit goes from 1"),
        ("git_log", '{"since": "x; --output=y"}', "is no date"),
        ("git_log", '{"since": "whenever"}', "is no date; write 2026-11-01 or 2 weeks ago"),
        ("git_log", '{"path": "never"}', "There is no never, and no commit ever knew it"),
        ("git_diff", '{"path": "never"}', "There is no never, and no commit ever knew it"),
        ("git_show", '{"whole": true}', "needs its path"),
        ("git_show", '{"whole": true, "path": "none"}', "There is no file none"),
        ("git_blame", '{"path": "a", "start": 0}', "count from 1"),
        ("git_status", '{"repo": "nowhere"}', "does not exist"),
    ],
)  # fmt: skip
async def test_wrong_arguments_are_told(desk: GitDesk, tool: str, arguments: str, says: str) -> None:
    desk.commit("a", "1\n")
    if not says:
        assert (await desk.call(tool, arguments)).ok
        return
    with pytest.raises(ToolError, match=says.replace("(", r"\(")):
        await desk.call(tool, arguments)
    assert not list(desk.folder.glob("x*")) and not list(desk.folder.glob("y*"))


async def test_where_there_is_no_repository(desk: GitDesk, tmp_path: Path) -> None:
    with pytest.raises(ToolError, match="in no Git repository"):
        await desk.call("git_status", cwd=str(tmp_path))


async def test_a_bare_repository_has_history_and_no_files(desk: GitDesk, tmp_path: Path) -> None:
    desk.commit("a", "1", "In it")
    desk.git("clone", "-q", "--bare", ".", str(tmp_path / "bare.git"))
    cwd = str(tmp_path / "bare.git")
    assert "In it" in (await desk.call("git_log", cwd=cwd)).text
    assert "In it" in (await desk.call("git_show", cwd=cwd)).text
    for tool in ("git_status", "git_diff"):
        with pytest.raises(ToolError, match="bare repository"):
            await desk.call(tool, cwd=cwd)


async def test_a_merge_under_way_with_conflicts(desk: GitDesk) -> None:
    desk.commit("a", "1\n")
    desk.git("switch", "-q", "-c", "dev")
    desk.commit("a", "dev\n")
    desk.git("switch", "-q", "main")
    desk.commit("a", "main\n")
    desk.git("merge", "dev", code=1)
    found = await desk.call("git_status")
    assert "A merge is under way" in found.text and "In conflict:\n  a" in found.text
    assert "<<<<<<<" in (await desk.call("git_diff")).text


async def test_a_detached_head_and_a_second_work_tree(desk: GitDesk, tmp_path: Path) -> None:
    first = desk.commit("a", "1\n")
    desk.git("worktree", "add", "-q", str(tmp_path / "tree"), "-b", "side")
    desk.git("checkout", "-q", first)
    assert f"Detached at {first[:9]}" in (await desk.call("git_status")).text
    assert "On branch side" in (await desk.call("git_status", cwd=str(tmp_path / "tree"))).text


async def test_a_huge_difference_is_bounded(desk: GitDesk) -> None:
    desk.commit("big", "x\n")
    desk.write("big", "".join(f"line {number}\n" for number in range(300_000)))
    found = await desk.call("git_diff")
    assert len(found.text) < 1_100_000 and "There is more" in found.text
    assert "changed: big +300000 -1" in found.text


async def test_many_files_are_listed_to_a_limit(desk: GitDesk) -> None:
    for number in range(400):
        desk.write(f"f{number:03}", "x")
    found = await desk.call("git_status")
    assert found.summary == "400 files differ" and "and 100 more" in found.text


async def test_secrets_are_left_out_unless_they_are_named(desk: GitDesk) -> None:
    desk.commit("a", "1\n")
    desk.git("add", "-f", str(desk.write(".env", "KEY=hunter2\n")))
    desk.commit("a", "2\n", "with a secret")
    for tool, arguments in (("git_show", "{}"), ("git_diff", '{"base": "HEAD~1", "target": "HEAD"}')):
        found = await desk.call(tool, arguments)
        assert "hunter2" not in found.text and "+2" in found.text and ".env" in found.text
    assert desk.asked == []
    named = await desk.call("git_show", '{"path": ".env"}')
    assert "hunter2" in named.text
    assert desk.asked == [ReadEffect(path=str(desk.folder / ".env"), secret=True)]


async def test_a_repository_elsewhere_is_asked_about_and_marks(desk: GitDesk, tmp_path: Path) -> None:
    desk.commit("a", "1\n")
    (tmp_path / "work").mkdir()
    await desk.call("git_log", '{"repo": "../repo"}', cwd=str(tmp_path / "work"))
    assert desk.asked == [ReadEffect(path=str(desk.folder))]
    assert desk.gates[-1].marks == (Mark(kind="file", name=str(desk.folder)),)


async def test_of_a_repository_around_only_the_working_folder_is_shown(desk: GitDesk) -> None:
    desk.commit("top", "secret plans\n", "Top alone")
    desk.commit("sub/mine", "1\n", "Mine")
    desk.write("top", "other plans\n")
    desk.write("sub/mine", "2\n")
    cwd = str(desk.folder / "sub")
    status = await desk.call("git_status", cwd=cwd)
    assert "sub/mine" in status.text and "changed: top" not in status.text
    assert "Only what lies in the working folder" in status.text
    for tool in ("git_diff", "git_log", "git_show"):
        found = await desk.call(tool, cwd=cwd)
        assert "plans" not in found.text and "Top alone" not in found.text
    assert desk.asked == []
    await desk.call("git_diff", '{"path": "../top"}', cwd=cwd)
    assert desk.asked == [ReadEffect(path=str(desk.folder / "top"))]


async def test_the_commits_of_a_time_or_of_a_file_that_is_gone(desk: GitDesk) -> None:
    desk.commit("a", "1\n")
    (desk.folder / "a").unlink()
    desk.git("commit", "-aqm", "Take a away")
    for arguments in ('{"since": "yesterday"}', '{"since": "2 weeks ago"}', '{"since": "midnight"}'):
        assert (await desk.call("git_log", arguments)).summary == "2 commits"
    assert (await desk.call("git_log", '{"since": "today"}')).summary == "2 commits"
    gone = await desk.call("git_log", '{"path": "a"}')
    assert gone.summary == "2 commits" and "Take a away" in gone.text
    assert (await desk.call("git_diff", '{"path": "a"}')).summary == "no differences"

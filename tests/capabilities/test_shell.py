"""Commands run in a clean bash, say what really happened, and become jobs when they take long."""

from __future__ import annotations

import asyncio
import os
import stat
import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from app.capabilities.gate import Gate, Judged
from app.capabilities.jobs import Jobs
from app.capabilities.shell import JobReader, Shell
from app.errors import Refused, ToolError
from app.permissions.policy import policy
from app.records import Answer, CommandEffect, Effect
from tests.capabilities.shell_desk import Desk, make_desk, until
from tools import Command, ReadShell, RunShell

SLOW = "echo one; until [ -e go ]; do sleep 0.02; done; echo two"


@pytest.fixture
async def desk(tmp_path: Path) -> AsyncIterator[Desk]:
    desk = make_desk(tmp_path)
    yield desk
    await desk.jobs.close()


async def test_output_exit_and_folder_are_told(desk: Desk) -> None:
    result = await desk.shell().run(Command("echo out; echo err >&2; pwd; exit 3"))
    assert result.output == f"out\nerr\n{desk.folder}\n"
    assert (result.exit, result.job, result.cwd) == (3, "", str(desk.folder))
    assert result.cursor == len(result.output) and result.ended_by == "" and result.whole == ""


@pytest.mark.parametrize(
    ("command", "code"),
    [("true", 0), ("false", 1), ("kill -9 $$", 137), ("kill -TERM $$", 143), ("nosuch", 127)],
)
async def test_exit_codes(desk: Desk, command: str, code: int) -> None:
    assert (await desk.shell().run(Command(command))).exit == code


async def test_input_is_empty_not_the_terminal(desk: Desk) -> None:
    result = await desk.shell().run(Command("cat; read line || echo none"))
    assert (result.output, result.exit) == ("none\n", 0)


async def test_a_folder_counts_from_the_working_folder(desk: Desk) -> None:
    (desk.folder / "sub").mkdir()
    shell = desk.shell()
    assert (await shell.run(Command("pwd", "sub"))).output == f"{desk.folder}/sub\n"
    assert (await shell.run(Command("pwd", "/"))).cwd == "/"
    await shell.run(Command("cd /"))
    assert (await shell.run(Command("pwd"))).output == f"{desk.folder}\n", "cd does not last"


async def test_a_folder_that_vanished_is_a_typed_error(desk: Desk) -> None:
    (desk.folder / "gone").mkdir()
    shell = desk.shell(cwd=str(desk.folder / "gone"))
    (desk.folder / "gone").rmdir()
    with pytest.raises(ToolError) as caught:
        await shell.run(Command("pwd"))
    assert caught.value.code == "no_folder" and "gone" in str(caught.value)
    assert desk.asked == []


async def test_a_folder_that_vanishes_while_asking(desk: Desk) -> None:
    folder = desk.folder / "gone"
    folder.mkdir()

    class Slow(Gate):
        async def permit(self, effect: Effect) -> Answer:
            folder.rmdir()
            return await super().permit(effect)

    gate = Slow("run_command", policy(str(desk.folder)), desk._ask)
    with pytest.raises(ToolError) as caught:
        await Shell(desk.jobs, gate, "s1", str(folder)).run(Command("pwd"))
    assert caught.value.code == "no_folder"


async def test_a_file_is_no_folder(desk: Desk) -> None:
    (desk.folder / "file").touch()
    with pytest.raises(ToolError) as caught:
        await desk.shell().run(Command("pwd", "file"))
    assert caught.value.code == "bad_folder"


async def test_the_environment_is_small_and_holds_no_secret(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("OPENAI_API_KEY", "GITHUB_TOKEN", "PYTHONPATH", "PYTHONHOME", "BASH_ENV", "SSH_AUTH_SOCK"):
        monkeypatch.setenv(name, "secret")
    monkeypatch.setenv("PATH", f".::bin:{os.environ['PATH']}:/nowhere")
    fresh = make_desk(tmp_path)
    try:
        result = await fresh.shell().run(Command("env"))
    finally:
        await fresh.jobs.close()
    variables = dict(line.split("=", 1) for line in result.output.splitlines())
    ours = {"HOME", "LOGNAME", "PATH", "SHELL", "TERM", "USER", "LANG", "TMPDIR", "BRAMBLE_JOB"}
    assert variables.keys() <= ours | {"PWD", "OLDPWD", "SHLVL", "_"}
    assert variables["TERM"] == "dumb" and "secret" not in result.output
    assert all(place.startswith("/") for place in variables["PATH"].split(":"))


async def test_no_start_files_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (".bashrc", ".bash_profile", ".profile"):
        (tmp_path / name).write_text("echo start file")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("BASH_ENV", str(tmp_path / ".bashrc"))
    desk = make_desk(tmp_path)
    try:
        assert (await desk.shell().run(Command("echo hello"))).output == "hello\n"
    finally:
        await desk.jobs.close()


async def test_permission_is_asked_before_anything_runs(desk: Desk) -> None:
    desk.answer = Answer(decision="deny", reason="not now")
    with pytest.raises(Refused) as caught:
        await desk.shell().run(Command("touch made"))
    assert caught.value.code == "denied" and "not now" in str(caught.value)
    assert desk.asked == [CommandEffect(command="touch made", cwd=str(desk.folder))]
    assert not (desk.folder / "made").exists() and list(desk.jobs.listed()) == []


async def test_the_stance_judge_runs_nothing(desk: Desk) -> None:
    gate = Gate("run_command", policy(str(desk.folder), yes=True), desk._ask, stance="judge")
    with pytest.raises(Judged):
        await Shell(desk.jobs, gate, "s1", str(desk.folder)).run(Command("touch made"))
    assert not (desk.folder / "made").exists()


async def test_a_reader_has_no_changing_method(desk: Desk) -> None:
    reader = JobReader(desk.jobs, "s1")
    assert isinstance(reader, ReadShell) and not isinstance(reader, RunShell)
    assert isinstance(desk.shell(), RunShell)
    assert not {"run", "input", "stop"} & set(dir(reader))


@pytest.mark.parametrize(
    ("command", "code"),
    [
        ("echo \0", "bad_arguments"),
        ("echo \ud800", "bad_arguments"),
        (" \n", "bad_arguments"),
        ("#" * 200_000, "too_large"),
    ],
)
async def test_what_bash_cannot_be_given_is_refused(desk: Desk, command: str, code: str) -> None:
    with pytest.raises(ToolError) as caught:
        await desk.shell().run(Command(command))
    assert caught.value.code == code and desk.asked == []


async def test_a_long_command_runs(desk: Desk) -> None:
    result = await desk.shell().run(Command("echo " + "x" * 100_000))
    assert len(result.output) == 100_001


async def test_missing_bash_is_said(tmp_path: Path) -> None:
    jobs = Jobs(tmp_path, os.environ, bash=lambda: None)
    desk = Desk(tmp_path, jobs)
    with pytest.raises(ToolError) as caught:
        await desk.shell().run(Command("true"))
    assert caught.value.code == "unsupported" and "bash" in str(caught.value)
    await jobs.close()


async def test_a_timeout_ends_the_command(desk: Desk) -> None:
    started = time.monotonic()
    result = await desk.shell().run(Command("echo begun; sleep 60", timeout=0.2))
    assert (result.output, result.ended_by, result.job) == ("begun\n", "timeout", "")
    assert time.monotonic() - started < 5


async def test_a_slow_command_becomes_a_job(desk: Desk) -> None:
    shell = desk.shell()
    result = await shell.run(Command(SLOW))
    assert (result.output, result.exit) == ("one\n", None) and result.job
    assert [job.state for job in desk.told] == ["running"]
    (desk.folder / "go").touch()
    news = await shell.output(result.job, cursor=result.cursor)
    while news.job:
        news = await shell.output(result.job, cursor=result.cursor)
    assert (news.output, news.exit, news.job) == ("two\n", 0, "")
    await until(lambda: desk.told[-1].state == "ended")
    assert (desk.told[-1].exit, desk.told[-1].tail) == (0, "one\ntwo\n")


async def test_progress_shows_the_newest_line(desk: Desk) -> None:
    await desk.shell().run(Command("printf 'first\\nsecond'; sleep 0.6"))
    assert desk.progress[0] == "second"


async def test_output_of_every_kind_is_decoded(desk: Desk) -> None:
    command = r"printf '\xff\xfe \xe2\x82\xac \0 \033[31mred\033[0m\n1%%\r2%%\n'"
    result = await desk.shell().run(Command(command))
    assert result.output == "\\xff\\xfe € \0 red\n2%\n"


async def test_huge_output_is_bounded_and_kept(desk: Desk) -> None:
    result = await desk.shell().run(Command("head -c 50000000 /dev/zero | tr '\\0' a; echo END", timeout=60))
    while result.exit is None:
        result = await desk.shell().output(result.job)
    assert result.cursor == 50_000_004 and len(result.output) < 200_000
    assert result.output.startswith("aaa") and result.output.endswith("END\n")
    path = Path(result.whole)
    assert f"bytes left out here. All of it: {path}" in result.output
    assert path.stat().st_size == 50_000_004 and stat.S_IMODE(path.stat().st_mode) == 0o600
    assert path.parent == desk.folder / "spill" / "s1"


async def test_a_flood_neither_fills_the_disk_nor_the_memory(desk: Desk) -> None:
    result = await desk.shell().run(Command("yes", timeout=1.5))
    while result.job:
        result = await desk.shell().output(result.job, cursor=result.cursor)
    keep = desk.jobs.limits.keep
    assert result.cursor > keep.disk, "more came than is kept"
    assert Path(result.whole).stat().st_size == keep.disk
    assert len(result.output) < 3 * keep.edge


async def test_commands_run_side_by_side(desk: Desk) -> None:
    shell = desk.shell()
    commands = [shell.run(Command(f"sleep 0.1; echo {number}")) for number in range(8)]
    assert [result.output for result in await asyncio.gather(*commands)] == [f"{n}\n" for n in range(8)]

"""The shell tools say in words what happened, so that a model can go on from there."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import cast

import pytest

from app.capabilities.shell import JobReader
from app.toolbox.output import Spill
from app.toolbox.registry import load_registry
from app.toolbox.schema import validate
from tests.capabilities.shell_desk import Desk, make_desk, until, with_limits
from tools import (
    ChangeFiles,
    CommandResult,
    Job,
    ReadContext,
    RunShell,
    ToolContext,
    ToolFailed,
    ToolResult,
)
from tools.shell._report import report

NO_FILES = cast(ChangeFiles, None)
"""The shell tools never touch files."""


@pytest.fixture
async def desk(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Desk]:
    desk = make_desk(tmp_path, **getattr(request, "param", {}))
    yield desk
    await desk.jobs.close()


async def call(desk: Desk, name: str, arguments: str) -> ToolResult:
    """Call a tool as the app does: by its registry entry, JSON text and the context that it may have."""
    entry, cwd = load_registry().tools[name], str(desk.folder)
    shell = JobReader(desk.jobs, "s1") if entry.read_only else desk.shell()
    context = (ReadContext if entry.read_only else ToolContext)(cwd, NO_FILES, shell)  # type: ignore[arg-type]
    return await entry.function(context, **validate(entry.function, arguments))


async def started(desk: Desk, command: str) -> str:
    """Start a background command and return the id of its job."""
    result = await call(desk, "run_command", f'{{"command": "{command}", "background": true}}')
    return str(result.data["job"])


async def test_a_command_ends_with_its_state(desk: Desk) -> None:
    result = await call(desk, "run_command", '{"command": "echo hello"}')
    assert re.fullmatch(rf"hello\n\[exit 0; in {desk.folder}, \d\.\d s\]", result.text)
    assert (result.ok, result.summary, result.view) == (True, "exit 0", "command")
    assert result.data["command"] == "echo hello" and result.data["cwd"] == str(desk.folder)
    assert (result.data["exit"], result.data["job"], result.data["size"]) == (0, "", 6)


async def test_a_failure_is_not_ok(desk: Desk) -> None:
    result = await call(desk, "run_command", '{"command": "exit 2"}')
    assert result.text.startswith("[no output; exit 2; in ") and not result.ok


async def test_other_spellings_run_too(desk: Desk) -> None:
    result = await call(desk, "run_command", '{"cmd": "pwd", "workdir": "/", "timeout": "5"}')
    assert result.text.startswith("/\n")


async def test_a_timeout_is_said(desk: Desk) -> None:
    result = await call(desk, "run_command", '{"command": "echo a; exec sleep 60", "timeout_s": 1}')
    job = result.data["job"]
    while result.data["job"]:  # the end that a timeout began takes a moment
        result = await call(desk, "job_output", f'{{"job": "{job}"}}')
    assert "a\n[ended by its timeout; in " in result.text and not result.ok and result.summary == "timed out"
    with pytest.raises(ToolFailed, match="more than 0"):
        await call(desk, "run_command", '{"command": "true", "timeout_s": 0}')


async def test_a_job_is_followed_by_its_cursor(desk: Desk) -> None:
    result = await call(desk, "run_command", '{"command": "echo up; read -r; echo down", "background": true}')
    job = result.data["job"]
    assert f"still running as job {job}; job_output with job '{job}' and cursor 3 reads on" in result.text
    assert result.ok and result.summary == f"running as {job}"
    listed = await call(desk, "job_list", "{}")
    assert listed.text.startswith(f"{job}: running, 0 s, 3 bytes of output: echo up;")
    assert listed.data["rows"][0][:2] == [job, "running"] and listed.summary == "1 running"
    sent = await call(desk, "job_input", f'{{"job": "{job}", "text": "x"}}')
    assert sent.text.startswith("down\n[")
    await desk.jobs.get(job).over.wait()
    again = await call(desk, "job_output", f'{{"job": "{job}", "cursor": 3}}')
    assert again.text.startswith("down\n[exit 0; in ") and again.ok


async def test_input_ends_lines_and_can_end_itself(desk: Desk) -> None:
    job = await started(desk, "cat -A")
    await call(desk, "job_input", f'{{"job": "{job}", "text": "one"}}')
    await call(desk, "job_input", f'{{"job": "{job}", "text": "two\\n"}}')
    await call(desk, "job_input", f'{{"job": "{job}", "end": true}}')
    await desk.jobs.get(job).over.wait()
    assert (await call(desk, "job_output", f'{{"job": "{job}"}}')).text.startswith("one$\ntwo$\n[exit 0")


async def test_stopping_says_that_nothing_is_left(desk: Desk) -> None:
    job = await started(desk, "sleep 600")
    result = await call(desk, "job_stop", f'{{"job": "{job}"}}')
    assert (
        result.text == f"Job {job} is stopped, nothing of it runs any more. [verified] Exit 143."
        and result.ok
    )
    after = await call(desk, "job_output", f'{{"job": "{job}"}}')
    assert after.text.startswith("[no output; stopped; in ") and after.ok


async def test_what_does_not_stop_is_not_called_stopped() -> None:
    class Stubborn:
        async def stop(self, job: str) -> Job:
            return Job(job, "sleep 600", "running", None, 1.0, 0)

    context = ToolContext("/", cast(ChangeFiles, None), cast(RunShell, Stubborn()))
    result = await load_registry().tools["job_stop"].function(context, job="j1")
    assert not result.ok and result.text.endswith("[unverified]") and "is stopped" not in result.text


async def test_stopping_what_has_ended_by_itself(desk: Desk) -> None:
    job = await started(desk, "read -r")
    await call(desk, "job_input", f'{{"job": "{job}", "text": "x"}}')
    await until(lambda: desk.jobs.get(job).over.is_set())
    assert "had ended by itself" in (await call(desk, "job_stop", f'{{"job": "{job}"}}')).text


def test_what_is_being_ended_is_said_so() -> None:
    result = report(CommandResult("", None, "j1", 2.0, cwd="/w", ended_by="timeout"))
    assert result.text == (
        "[no output; being ended by its timeout as job j1; job_output with job 'j1' and cursor 0 reads on; "
        "in /w, 2.0 s]"
    )
    assert (result.ok, result.summary) == (False, "timed out")


@with_limits(first_wait=10.0)
async def test_processes_left_behind_are_said(desk: Desk) -> None:
    result = await call(desk, "run_command", '{"command": "sleep 600 > /dev/null & echo up"}')
    assert "exit 0, but it left processes running as job " in result.text and result.ok


async def test_no_jobs_are_no_failure(desk: Desk) -> None:
    result = await call(desk, "job_list", "{}")
    assert (result.text, result.ok, result.summary) == ("There are no jobs.", True, "no jobs")


async def test_a_long_command_is_short_in_the_list(desk: Desk) -> None:
    await started(desk, "sleep 600; " + "true; " * 200)
    assert len((await call(desk, "job_list", "{}")).text) < 220


async def test_huge_output_is_cut_once_and_names_its_log(desk: Desk) -> None:
    """The whole way of 50 MB: command, log, result, and the text that the model gets."""
    command = "seq 1 6000000; echo END"
    result = await call(desk, "run_command", f'{{"command": "{command}", "timeout_s": 60}}')
    if result.data["exit"] is None:
        job = desk.jobs.get(str(result.data["job"]))
        await job.over.wait()
        result = await call(desk, "job_output", f'{{"job": "{job.id}"}}')
    whole, size = str(result.data["whole"]), int(result.data["size"])
    spill = Spill(desk.folder / "cut")
    text = spill.cut(result.text, "s1", "c1", whole=whole, size=size)
    assert size == Path(whole).stat().st_size > 40_000_000
    assert text.startswith("1\n2\n") and "\n6000000\nEND\n[exit 0; in " in text and len(text) < 21_000
    assert (
        text.count("left out here") == 1 and f"All of it: {whole}; go on with read_file from offset" in text
    )
    assert not spill.folder.exists(), "no second copy"
    offset = int(re.findall(r"offset (\d+)", text)[0])
    assert f"\n{offset - 1}\n[" in text, "paging goes on where the head ends"


def held(exit: int, **more: object) -> str:
    """Return what a model reads of a command in the sandbox."""
    return report(CommandResult("out\n", exit, "", 1.0, cwd="/w", layer="bubblewrap", **more)).text  # type: ignore[arg-type]


def test_only_a_failure_in_the_sandbox_names_it() -> None:
    assert held(0) == "out\n[exit 0; in /w, 1.0 s]"
    assert held(1).splitlines()[-1] == (
        "[Ran in the sandbox: it can write only in the folder, without network. If that is why, use reach "
        "network or all.]"
    )
    assert held(1, reach="network").splitlines()[-1] == (
        "[Ran in the sandbox: it can write only in the folder. If that is why, use reach all.]"
    )
    refused = CommandResult(
        "fatal: Unable to create '/w/.git/index.lock': Read-only file system\n",
        128,
        "",
        1.0,
        layer="bubblewrap",
    )
    assert report(refused).text.endswith("only for a line in which nothing but git runs.]")
    assert "sandbox" not in held(143, ended_by="stop")
    assert "sandbox" not in report(CommandResult("", 1, "", 1.0)).text


def test_what_was_changed_can_be_taken_back_by_its_id() -> None:
    assert report(CommandResult("", 0, "", 1.0, undo="c1")).undo == "c1"


def test_what_cannot_be_taken_back_is_named() -> None:
    text = report(CommandResult("", 0, "", 1.0, not_kept=tuple("abcdefg"))).text
    assert text.splitlines()[-1] == "[Changed, and cannot be undone: a, b, c, d, e, and 2 more]"

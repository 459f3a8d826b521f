"""Jobs can be watched by byte cursor, typed into, listed and stopped, each in its own session."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from app.errors import Refused, ToolError
from app.records import Answer, CommandEffect
from tests.capabilities.shell_desk import Desk, make_desk, running, until, with_limits
from tools import Command


@pytest.fixture
async def desk(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Desk]:
    desk = make_desk(tmp_path, **getattr(request, "param", {}))
    yield desk
    await desk.jobs.close()


async def test_a_background_command_returns_at_once(desk: Desk) -> None:
    started = time.monotonic()
    result = await desk.shell().run(Command("echo up; sleep 600", background=True))
    assert result.job and result.exit is None and result.output == "up\n"
    assert time.monotonic() - started < 2


async def test_a_background_command_that_fails_at_once_is_no_job(desk: Desk) -> None:
    result = await desk.shell().run(Command("nosuch", background=True))
    assert (result.exit, result.job) == (127, "") and "not found" in result.output
    assert list(desk.jobs.listed()) == [] and desk.told == []


async def test_output_goes_on_from_the_cursor(desk: Desk) -> None:
    shell = desk.shell()
    begun = await shell.run(Command('while read -r line; do echo "got $line"; done', background=True))
    one = await shell.input(begun.job, "a\n")
    two = await shell.input(begun.job, "b\n")
    assert (one.output, two.output) == ("got a\n", "got b\n")
    assert (one.cursor, two.cursor) == (6, 12)
    assert (await shell.output(begun.job, cursor=6, wait=0)).output == "got b\n"
    assert (await shell.output(begun.job, cursor=-3, wait=0)).output == " b\n"
    assert (await shell.output(begun.job, cursor=99, wait=0)).output == ""
    end = await shell.input(begun.job, "", end=True)
    assert (end.exit, end.job) == (0, "")


async def test_waiting_for_news_ends_with_news(desk: Desk) -> None:
    shell = desk.shell()
    begun = await shell.run(Command('read -r line; echo "got $line"; sleep 600', background=True))
    waiting = asyncio.create_task(shell.output(begun.job, cursor=0, wait=60))
    await asyncio.sleep(0)
    await shell.input(begun.job, "x\n")
    assert (await waiting).output == "got x\n"


async def test_waiting_for_news_ends_without_them(desk: Desk) -> None:
    shell = desk.shell()
    begun = await shell.run(Command("sleep 600", background=True))
    result = await shell.output(begun.job, wait=0.1)
    assert (result.output, result.exit, result.job) == ("", None, begun.job)


async def test_half_a_character_waits_for_its_other_half(desk: Desk) -> None:
    shell = desk.shell()
    begun = await shell.run(Command(r"printf 'a\xe2\x82'; read -r; printf '\xacb'", background=True))
    first = await shell.output(begun.job, wait=0)
    assert (first.output, first.cursor) == ("a", 1)
    await shell.input(begun.job, "\n", end=True)
    rest = await shell.output(begun.job, cursor=first.cursor)
    assert rest.output == "€b"


async def test_input_needs_permission_and_a_job_that_reads(desk: Desk) -> None:
    shell = desk.shell()
    begun = await shell.run(Command("sleep 600", background=True))
    desk.answer = Answer(decision="deny")
    with pytest.raises(Refused):
        await shell.input(begun.job, "rm -rf /\n")
    assert desk.asked[-1] == CommandEffect(command="rm -rf /\n", cwd=str(desk.folder), job=begun.job)
    desk.answer = Answer(decision="allow")
    await shell.stop(begun.job)
    with pytest.raises(ToolError) as caught:
        await shell.input(begun.job, "x\n")
    assert caught.value.code == "no_job"


async def test_a_foreground_command_takes_no_input(desk: Desk) -> None:
    shell = desk.shell()
    begun = await shell.run(Command("sleep 600"))
    with pytest.raises(ToolError, match="takes no input"):
        await shell.input(begun.job, "x\n")


@with_limits(input_wait=0.3)
async def test_a_program_that_does_not_read_is_not_waited_for_without_end(desk: Desk) -> None:
    shell = desk.shell()
    begun = await shell.run(Command("sleep 600", background=True))
    with pytest.raises(ToolError, match="does not read"):
        await shell.input(begun.job, "x" * 1_000_000)


async def test_a_program_that_closed_its_input(desk: Desk) -> None:
    shell = desk.shell()
    begun = await shell.run(Command("exec 0<&-; sleep 600", background=True))
    with pytest.raises(ToolError, match="closed its input"):
        for _ in range(100):
            await shell.input(begun.job, "x\n")


async def test_stopping_needs_permission_and_ends_all(desk: Desk) -> None:
    shell = desk.shell()
    begun = await shell.run(Command("sleep 612.1 & sleep 612.1 & wait", background=True))
    await until(lambda: len(running("sleep", "612.1")) == 2)
    job = await shell.stop(begun.job)
    assert (job.state, job.id) == ("stopped", begun.job)
    assert running("sleep", "612.1") == []
    assert desk.asked[-1].job == begun.job
    assert (await shell.stop(begun.job)).state == "stopped", "once more does no harm"
    assert desk.told[-1].state == "stopped"


async def test_an_unknown_job_is_named_with_those_there_are(desk: Desk) -> None:
    shell = desk.shell()
    begun = await shell.run(Command("sleep 600", background=True))
    with pytest.raises(ToolError, match=begun.job) as caught:
        await shell.output("j0000")
    assert caught.value.code == "no_job"


async def test_a_session_sees_its_own_jobs_only(desk: Desk) -> None:
    begun = await desk.shell("s1").run(Command("sleep 600", background=True))
    other = desk.shell("s2")
    assert await other.jobs() == []
    for call in (other.output(begun.job), other.stop(begun.job), other.input(begun.job, "x")):
        with pytest.raises(ToolError):
            await call
    assert [job.id for job in await desk.shell("s1").jobs()] == [begun.job]


async def test_changes_are_told_seldom_and_at_the_end(desk: Desk) -> None:
    begun = await desk.shell().run(
        Command("for n in $(seq 2000); do echo $n; done; sleep 600", background=True)
    )
    await until(lambda: desk.told and desk.told[-1].size == 8_893)
    assert len(desk.told) < 50
    assert desk.told[-1].tail.endswith("1999\n2000\n") and len(desk.told[-1].tail) <= 2_000
    await desk.shell().stop(begun.job)
    assert desk.told[-1].state == "stopped"


@with_limits(jobs=2)
async def test_ended_jobs_stay_readable_up_to_a_number(desk: Desk) -> None:
    shell = desk.shell()
    ids = []
    for number in range(4):
        begun = await shell.run(Command(f"echo {number}; read -r", background=True))
        ids.append(begun.job)
        await shell.input(begun.job, "\n", end=True)
        await desk.jobs.get(begun.job).over.wait()
    await until(lambda: len(list(desk.jobs.listed())) <= 2)
    assert [job.id for job in await shell.jobs()] == ids[-2:]
    assert (await shell.output(ids[-1])).output == "3\n"

"""Whatever ends a command, nothing of it is left: stop, timeout, cancel, end of the app, kill -9 of it."""

from __future__ import annotations

import asyncio
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.capabilities.shell_desk import Desk, make_desk, running, until, with_limits
from tools import Command

ROOT = Path(__file__).parents[2]
STUBBORN = "trap '' TERM HUP INT; while :; do sleep {0}; done"
"""A shell that ignores TERM; its sleeps do not."""


@pytest.fixture
async def desk(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Desk]:
    desk = make_desk(tmp_path, **getattr(request, "param", {}))
    yield desk
    await desk.jobs.close()


PATIENT = with_limits(first_wait=10.0)
"""As in the app: a command is waited for far longer than what its shell left behind."""


def left(mark: str) -> list[str]:
    """Return what still runs with the mark in its command line."""
    return [line for line in running("") if mark in line and "pytest" not in line]


async def test_a_child_that_ignores_term_and_outlives_its_shell(desk: Desk) -> None:
    """Acceptance case C27: Stop at some moment after the shell has gone returns within seconds."""
    mark = "613.1"
    call = asyncio.create_task(desk.shell().run(Command(f"({STUBBORN.format(mark)}) & exit 0")))
    await until(lambda: left(mark))
    started = time.monotonic()
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call
    assert time.monotonic() - started < 0.3, "a stop takes effect at once"
    await until(lambda: not left(mark))
    assert time.monotonic() - started < 5


@PATIENT
async def test_what_a_shell_left_behind_is_a_job(desk: Desk) -> None:
    mark = "613.2"
    shell = desk.shell()
    result = await shell.run(Command(f"(sleep {mark}) & echo started"))
    assert (result.output, result.exit) == ("started\n", 0) and result.job
    assert (await shell.jobs())[0].state == "running"
    job = await shell.stop(result.job)
    assert (job.state, left(mark)) == ("stopped", [])


@PATIENT
async def test_a_server_sent_to_the_background_does_not_hold_the_call(desk: Desk) -> None:
    started = time.monotonic()
    result = await desk.shell().run(Command("sleep 613.3 > /dev/null 2>&1 & echo started"))
    assert result.job and result.exit == 0
    assert time.monotonic() - started < desk.jobs.limits.first_wait / 2
    await desk.jobs.stop_left_behind("s1")
    assert left("613.3") == []


async def test_a_child_in_a_session_of_its_own_is_found(desk: Desk) -> None:
    result = await desk.shell().run(Command("setsid sleep 613.4 & sleep 600", background=True))
    await until(lambda: left("613.4"))
    await desk.shell().stop(result.job)
    assert left("613.4") == []


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere nobody is branded")
async def test_a_child_without_session_environment_and_parents_is_found(desk: Desk) -> None:
    hidden = "(setsid env -i sleep 613.41 > /dev/null 2>&1 &)"
    result = await desk.shell().run(Command(f"{hidden}; sleep 600", background=True))
    await until(lambda: left("613.41"))
    await desk.shell().stop(result.job)
    assert left("613.41") == []


async def test_a_short_child_that_outlives_its_shell_is_waited_for(desk: Desk) -> None:
    result = await desk.shell().run(Command("(sleep 0.1; echo late) & echo early"))
    assert (result.output, result.exit, result.job) == ("early\nlate\n", 0, "")


async def test_a_timeout_ends_the_stubborn_too(desk: Desk) -> None:
    started = time.monotonic()
    result = await desk.shell().run(Command(STUBBORN.format("613.5"), timeout=1.0))
    while result.job:
        result = await desk.shell().output(result.job)
    assert (result.ended_by, result.exit) == ("timeout", 137)
    assert time.monotonic() - started < 5 and left("613.5") == []


@with_limits(first_wait=10.0, linger=0.5)
async def test_a_timeout_ends_what_outlived_the_shell(desk: Desk) -> None:
    result = await desk.shell().run(Command(f"({STUBBORN.format('613.9')}) & exit 0", timeout=0.2))
    assert (result.ended_by, result.exit, result.job) == ("timeout", 0, "")
    assert left("613.9") == []


BY_STEPS = "trap 'exit 3' TERM; (trap '' TERM; echo up; while :; do sleep {0}; done) & wait"
"""A shell that ends at TERM, with a child that ends at KILL."""


@with_limits(kill_after=2.0)
async def test_what_is_being_ended_has_left_nothing_behind(desk: Desk) -> None:
    """Between TERM and KILL the shell's exit code is known, but it does not say how the command ended."""
    shell = desk.shell()
    name = (await shell.run(Command(BY_STEPS.format("613.0"), background=True))).job
    job = desk.jobs.get(name)
    await until(lambda: job.log.size)
    end = asyncio.create_task(shell.stop(name))
    await until(lambda: job.exit is not None)
    during = await shell.output(name, wait=0)
    assert (during.exit, during.ended_by, during.job) == (None, "stop", name)
    assert [(line.state, line.exit) for line in await shell.jobs()] == [("running", None)]
    await end
    after = await shell.output(name)
    assert (after.exit, after.ended_by, after.job) == (3, "stop", "") and left("613.0") == []


@with_limits(first_wait=2.5, kill_after=1.0)
async def test_a_call_waits_for_the_end_that_its_timeout_began(desk: Desk) -> None:
    result = await desk.shell().run(Command(BY_STEPS.format("613.0"), timeout=2.0))
    assert (result.output, result.exit, result.ended_by, result.job) == ("up\n", 3, "timeout", "")


@with_limits(linger=60.0)
async def test_an_exit_is_told_once_its_pipe_is_drained(desk: Desk) -> None:
    """A shell that ended may have ended all of it; whether it did is known after `linger`."""
    shell = desk.shell()
    name = (await shell.run(Command("sleep 613.11 & exit 5", background=True))).job
    job = desk.jobs.get(name)
    await until(lambda: job.exit == 5)
    during = await shell.output(name, wait=0)
    assert (during.exit, during.ended_by, during.job) == (None, "", name)


async def test_a_halted_command_can_be_stopped(desk: Desk) -> None:
    result = await desk.shell().run(Command("echo $$; kill -STOP $$; sleep 613.6", background=True))
    await desk.shell().stop(result.job)
    with pytest.raises(ProcessLookupError):
        os.kill(int(result.output), 0)


async def test_closing_ends_everything_in_time(tmp_path: Path) -> None:
    desk = make_desk(tmp_path)
    shell = desk.shell()
    for command in ("sleep 613.7", STUBBORN.format("613.7"), "setsid sleep 613.7 & sleep 613.7"):
        await shell.run(Command(command, background=True))
    assert len(left("613.7")) >= 4
    started = time.monotonic()
    await desk.jobs.close()
    assert time.monotonic() - started < 5
    assert left("613.7") == [] and running("bash", "bramble-warden") == []
    assert {job.state for job in desk.told if job.id} >= {"stopped"}


async def test_the_warden_comes_back_when_it_was_killed(desk: Desk) -> None:
    shell = desk.shell()
    await shell.run(Command("sleep 613.8", background=True))
    warden = desk.jobs._warden
    assert warden and warden._process
    warden._process.kill()
    await until(lambda: warden._process and warden._process.poll() is not None)
    result = await shell.run(Command("echo still here"))
    assert result.output == "still here\n" and warden._process.poll() is None


@with_limits(kill_after=2.0)
@pytest.mark.proof("cancel-spawn", small=10, full=200)
async def test_a_cancel_at_any_moment_of_the_start_leaves_no_process(
    desk: Desk, count: int, seed: int
) -> None:
    """Facts/qt.md 3: cancelling an unshielded start left 8 orphans in 25."""
    shell, chance = desk.shell(), random.Random(seed)
    mark = "614.1"
    for number in range(count):
        wait = [0, 0.001, 0.002, 0.005, 0.01, chance.uniform(0, 0.1)][number % 6]
        call = asyncio.create_task(shell.run(Command(f"sleep {mark} & sleep {mark} & wait")))
        await asyncio.sleep(wait)
        started = time.monotonic()
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        assert time.monotonic() - started < 0.3
    await until(lambda: not left(mark), 20)
    await until(lambda: not desk.jobs._jobs, 20)  # a job is struck out a moment after its last process
    await desk.jobs.close()
    assert left(mark) == []


@pytest.mark.proof("cancel-spawn", small=10, full=200)
async def test_closing_at_any_moment_of_the_start_leaves_no_process(
    tmp_path: Path, count: int, seed: int
) -> None:
    mark, chance = "614.2", random.Random(seed)
    for number in range(count):
        desk = make_desk(tmp_path / str(number))
        desk.folder.mkdir()
        call = asyncio.create_task(desk.shell().run(Command(f"sleep {mark} & sleep {mark}")))
        await asyncio.sleep(chance.uniform(0, 0.02))
        call.cancel()
        await asyncio.gather(call, return_exceptions=True)
        await desk.jobs.close()
    await until(lambda: not left(mark), 20)


APP = """
import asyncio, os, sys
sys.path.insert(0, {root!r})
from pathlib import Path
from tests.capabilities.shell_desk import make_desk
from tools import Command

async def main():
    desk = make_desk(Path({folder!r}))
    shell = desk.shell()
    for command in {commands!r}:
        await shell.run(Command(command, background=True))
    print("ready", flush=True)
    await asyncio.sleep(600)

asyncio.run(main())
"""


def start_app(folder: Path, commands: list[str]) -> subprocess.Popen[bytes]:
    text = APP.format(root=str(ROOT), folder=str(folder), commands=commands)
    app = subprocess.Popen([sys.executable, "-P", "-c", text], stdout=subprocess.PIPE)
    assert app.stdout and app.stdout.readline() == b"ready\n"
    return app


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
async def test_kill_9_of_the_app_ends_its_commands(tmp_path: Path) -> None:
    mark = "615.1"
    commands = [
        f"sleep {mark}; echo",
        f"(sleep {mark}) & (sleep {mark}) & wait",
        STUBBORN.format(mark),
        f"setsid sleep {mark} & wait",
        f"(sleep {mark}) & exit 0",
    ]
    app = start_app(tmp_path, commands)
    assert len(left(mark)) >= 6
    app.kill()
    app.wait()
    assert app.stdout
    app.stdout.close()
    await until(lambda: not left(mark))


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
async def test_kill_9_behind_the_gate_runs_nothing(tmp_path: Path) -> None:
    """A child whose app dies before it opens the gate ends without having run its command."""
    text = f"""
import os, sys
sys.path.insert(0, {str(ROOT)!r})
from app.platform import spawning
child = spawning.start(spawning.find_bash(), "touch made", {str(tmp_path)!r}, dict(os.environ), input=False)
print(child.group, flush=True)
os.kill(os.getpid(), 9)
"""
    app = subprocess.run([sys.executable, "-P", "-c", text], stdout=subprocess.PIPE)
    group = int(app.stdout)

    def gone() -> bool:
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return True
        return Path(f"/proc/{group}/stat").read_text().split(") ")[1][0] == "Z"

    await until(gone)
    assert app.returncode == -signal.SIGKILL and not (tmp_path / "made").exists()

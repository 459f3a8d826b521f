"""In the sandbox a command is ended, waited for and spoken with as outside of it, in each layer there is."""

from __future__ import annotations

import asyncio
import os
import random
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from app.platform.sandbox.confinement import Confinement, Layer
from app.records import CommandEffect
from tests.capabilities.shell_desk import Desk, held_desk, running, until
from tests.platform.sandbox.cell import LAYERS, found
from tools import Command

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="there is a sandbox on Linux only")
ROOT = Path(__file__).parents[2]
STUBBORN = "trap '' TERM HUP INT; while :; do sleep {0}; done"


@pytest.fixture(params=LAYERS)
async def desk(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Desk]:
    desk = held_desk(tmp_path, found(request.param), first_wait=2.0)
    yield desk
    await desk.jobs.close()


def left(mark: str) -> list[str]:
    """Return what still runs with the mark in its command line."""
    return [line for line in running("") if mark in line and "pytest" not in line]


async def test_the_effect_and_the_result_name_the_layer(desk: Desk) -> None:
    result = await desk.shell().run(Command("echo out; exit 3"))
    assert desk.sandbox and result.layer == desk.sandbox.layer != "none"
    assert (result.output, result.exit, result.reach) == ("out\n", 3, "folder")
    asked = CommandEffect(command="echo out; exit 3", cwd=str(desk.folder), layer=result.layer)
    assert desk.asked[0].command == asked.command and desk.asked[0].layer == asked.layer


async def test_reach_all_is_no_sandbox_and_says_so(desk: Desk, tmp_path: Path) -> None:
    outside = tmp_path.parent / f"{tmp_path.name}-outside"
    result = await desk.shell().run(Command(f"echo x > {outside}", reach="all"))
    assert (result.layer, result.reach, result.exit) == ("none", "all", 0) and outside.exists()
    assert (desk.asked[0].layer, desk.asked[0].reach) == ("none", "all")
    held = await desk.shell().run(Command(f"rm {outside}", reach="network"))
    assert held.exit != 0 and held.reach == "network" and outside.exists()


async def test_a_child_that_ignores_term_and_outlives_its_shell(desk: Desk) -> None:
    mark = "623.1"
    call = asyncio.create_task(desk.shell().run(Command(f"({STUBBORN.format(mark)}) & exit 0")))
    await until(lambda: left(mark))
    started = time.monotonic()
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call
    assert time.monotonic() - started < 0.3, "a stop takes effect at once"
    await until(lambda: not left(mark))


async def test_a_timeout_ends_the_stubborn_and_tells_their_exit(desk: Desk) -> None:
    result = await desk.shell().run(Command(STUBBORN.format("623.2"), timeout=0.5))
    while not result.ended_by:
        result = await desk.shell().output(result.job)
    assert (result.ended_by, result.exit) == ("timeout", 137) and left("623.2") == []


async def test_a_kind_end_is_heard(desk: Desk) -> None:
    shell = desk.shell()
    begun = "trap 'echo bye; exit 5' TERM; echo begun; while :; do sleep 0.05; done"
    result = await shell.run(Command(begun, background=True))
    await until(lambda: desk.jobs.get(result.job).log.size)
    await shell.stop(result.job)
    last = await shell.output(result.job)
    assert last.output.endswith("bye\n") and last.exit == 5


async def test_what_a_shell_left_behind_is_a_job(desk: Desk) -> None:
    shell = desk.shell()
    result = await shell.run(Command("(sleep 623.3) & echo started"))
    assert (result.output, result.exit) == ("started\n", 0) and result.job
    job = await shell.stop(result.job)
    assert (job.state, left("623.3")) == ("stopped", [])


async def test_a_child_in_a_session_of_its_own_is_found(desk: Desk) -> None:
    result = await desk.shell().run(Command("setsid sleep 623.4 & sleep 600", background=True))
    await until(lambda: left("623.4"))
    await desk.shell().stop(result.job)
    assert left("623.4") == []


async def test_a_short_child_that_outlives_its_shell_is_waited_for(desk: Desk) -> None:
    result = await desk.shell().run(Command("(sleep 0.1; echo late) & echo early"))
    assert (result.output, result.exit, result.job) == ("early\nlate\n", 0, "")


async def test_a_job_is_spoken_with(desk: Desk) -> None:
    shell = desk.shell()
    result = await shell.run(Command("read line; echo got $line; cat", background=True))
    answer = await shell.input(result.job, "hello\n")
    assert answer.output == "got hello\n"
    await shell.input(result.job, "", end=True)
    await until(lambda: desk.jobs.get(result.job).over.is_set())


@pytest.mark.proof("cancel-held", small=6, full=200)
@pytest.mark.parametrize("layer", LAYERS)
async def test_a_cancel_at_any_moment_of_the_start_leaves_no_process(
    tmp_path: Path, layer: Layer, count: int, seed: int
) -> None:
    desk = held_desk(tmp_path, found(layer), kill_after=2.0)
    shell, chance = desk.shell(), random.Random(seed)
    for number in range(count):
        wait = [0, 0.001, 0.01, 0.03, chance.uniform(0, 0.2)][number % 5]
        call = asyncio.create_task(shell.run(Command("sleep 624.1 & sleep 624.1 & wait")))
        await asyncio.sleep(wait)
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
    await until(lambda: not left("624.1"), 20)
    await until(lambda: not desk.jobs._jobs, 20)
    await desk.jobs.close()


APP = """
import asyncio, sys
sys.path.insert(0, {root!r})
from pathlib import Path
from tests.capabilities.shell_desk import held_desk
from tests.platform.sandbox.cell import found
from tools import Command

async def main():
    desk = held_desk(Path({folder!r}), found({layer!r}))
    for command in {commands!r}:
        await desk.shell().run(Command(command, background=True))
    print("ready", flush=True)
    await asyncio.sleep(600)

asyncio.run(main())
"""


@pytest.mark.parametrize("layer", LAYERS)
async def test_kill_9_of_the_app_ends_its_commands(tmp_path: Path, layer: Layer) -> None:
    found(layer)
    mark = "625.1"
    commands = [f"sleep {mark}; echo", STUBBORN.format(mark), f"setsid sleep {mark} & wait"]
    text = APP.format(root=str(ROOT), folder=str(tmp_path), layer=layer, commands=commands)
    app = subprocess.Popen([sys.executable, "-P", "-c", text], stdout=subprocess.PIPE, env={**os.environ})
    assert app.stdout and app.stdout.readline() == b"ready\n"
    assert len(left(mark)) >= 3
    app.kill()
    app.wait()
    app.stdout.close()
    await until(lambda: not left(mark))


async def test_a_socket_that_goes_meanwhile_is_no_trouble(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = held_desk(tmp_path, found("bubblewrap"))
    assert desk.sandbox
    confine, looked = desk.sandbox.confine, []

    async def stale(*wanted: object) -> Confinement | None:
        held = await confine(*wanted)  # type: ignore[arg-type]
        looked.append(held)
        gone = (f"{os.path.realpath('/etc')}/bramble-was-never-here",)
        return replace(held, masked=(*held.masked, *gone)) if held and len(looked) == 1 else held

    monkeypatch.setattr(desk.sandbox, "confine", stale)
    result = await desk.shell().run(Command("echo here"))
    assert (result.output, len(looked), len(desk.asked)) == ("here\n", 2, 1)
    await desk.jobs.close()

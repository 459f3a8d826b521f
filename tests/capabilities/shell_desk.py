"""A desk for the shell tests: real bash, real processes, short waits, and a look at what is left behind."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from app.capabilities.around import Around
from app.capabilities.gate import Gate
from app.capabilities.job import Limits
from app.capabilities.jobs import Jobs
from app.capabilities.sandbox import Sandbox
from app.capabilities.shell import Shell
from app.changes.snapshot import Snapshots
from app.permissions.policy import Policy, policy
from app.platform.paths import home
from app.platform.sandbox.confinement import Probe
from app.records import Answer, CommandEffect, Decision, Effect, JobInfo

QUICK = Limits(first_wait=0.4, background_wait=0.2, linger=0.3, kill_after=0.5, tell_every=0.05)
"""The same rules as in the app with shorter waits."""


@dataclass
class Desk:
    """Jobs of one session in `folder`, what was told of them, and what a person was asked."""

    folder: Path
    jobs: Jobs
    told: list[JobInfo] = field(default_factory=list)
    asked: list[CommandEffect] = field(default_factory=list)
    progress: list[str] = field(default_factory=list)
    answer: Answer = Answer(decision="allow", by="test")  # noqa: RUF009 - frozen
    sandbox: Sandbox | None = None
    snapshots: Snapshots | None = None

    def shell(self, session: str = "s1", rules: Policy | None = None, cwd: str = "") -> Shell:
        """Return a shell whose gate asks this desk."""
        gate = Gate("run_command", rules or policy(str(self.folder)), self._ask)
        around = Around(session, "t1", cwd or str(self.folder), self.sandbox, self.snapshots)
        return Shell(self.jobs, gate, session, cwd or str(self.folder), self.progress.append, around)

    async def _ask(self, effect: Effect, decision: Decision) -> Answer:
        assert isinstance(effect, CommandEffect)
        self.asked.append(effect)
        return self.answer


def make_desk(folder: Path, limits: Limits = QUICK, **changes: object) -> Desk:
    """Return a desk whose logs go below FOLDER/spill; `changes` are fields of Limits."""
    told: list[JobInfo] = []
    jobs = Jobs(folder / "spill", os.environ, told.append, limits=replace(limits, **changes))  # type: ignore[arg-type]
    return Desk(folder, jobs, told)


def held_desk(folder: Path, found: Probe, **changes: object) -> Desk:
    """Return a desk whose commands run in the sandbox that was found."""
    desk = make_desk(folder, QUICK, **changes)
    ours = home({"BRAMBLE_HOME": str(folder / "bramble")})
    desk.sandbox = Sandbox(ours, os.environ, prober=lambda environ: found)
    return desk


def with_limits(**changes: float) -> pytest.MarkDecorator:
    """Give a test the fixture `desk` with other limits: it is closed whatever becomes of the test."""
    return pytest.mark.parametrize("desk", [changes], indirect=True, ids=["-".join(changes)])


def running(*words: str) -> list[str]:
    """Return the command lines of all living processes that begin with these words."""
    wanted, found = "\0".join(words).encode(), []
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            line = Path("/proc", name, "cmdline").read_bytes()
        except OSError:
            continue
        if line.startswith(wanted):
            found.append(line.decode(errors="replace"))
    return found


async def until(condition: Callable[[], object], seconds: float = 10.0) -> None:
    """Wait until `condition` holds; fails when it does not in time."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not happen in time"
        await asyncio.sleep(0.01)

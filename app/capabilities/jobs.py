"""All commands that run: start them, know them by an id, tell of them, end them with the app."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import os
import time
from collections.abc import Callable, Coroutine, Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import Literal

from app.capabilities.command_log import CommandLog
from app.capabilities.job import Job, Limits
from app.errors import ToolError
from app.platform import spawning
from app.platform.ids import new_id
from app.platform.plain_text import terminal, visible
from app.platform.processes import MARK, group_lives
from app.platform.sandbox.confinement import Confinement
from app.platform.spawning import Child
from app.platform.warden import Warden
from app.records import JobInfo

_TAIL = 2_000
"""Bytes of newest output that the Jobs panel gets."""


class Jobs:
    """Owns every process that a command started, for the life of the engine. Used in the engine's loop only.

    `folder` takes the logs of long outputs (FOLDER/SESSION/JOB-MARK.log, 0600). `changed` is told of each
    listed job: when it is listed, at most twice a second while it speaks, and when it is over.
    """

    def __init__(
        self,
        folder: Path,
        environ: Mapping[str, str],
        changed: Callable[[JobInfo], None] = lambda info: None,
        *,
        limits: Limits | None = None,
        clock: Callable[[], float] = time.time,
        bash: Callable[[], str | None] = spawning.find_bash,
    ) -> None:
        self.limits = limits or Limits()
        self._folder = folder
        self._environ = spawning.environment(environ)
        self._changed = changed
        self._clock = clock
        self._bash = bash
        self._jobs: dict[str, Job] = {}
        self._started: dict[str, float] = {}
        self._owners: set[asyncio.Task[None]] = set()
        self._telling: set[str] = set()
        self._warden: Warden | None = None

    async def start(
        self,
        session: str,
        command: str,
        cwd: str,
        *,
        background: bool = False,
        timeout: float | None = None,
        confinement: Confinement | None = None,
    ) -> Job:
        """Start `command` in the folder `cwd`; `timeout` in seconds. Cancelled while starting, it never runs.

        Raises ToolError: unsupported (no bash), no_folder, too_large, no_sandbox, internal. What
        cannot be held by `confinement` is not run at all.
        """
        bash = self._bash()
        if bash is None or not hasattr(os, "killpg"):
            raise ToolError("unsupported", "Commands need bash, which was not found here.", what="bash")
        mark = new_id(self._clock())
        child = await self._spawn(bash, command, cwd, mark, background, confinement)
        if self._warden is None:
            self._warden = Warden(bash, self._environ)
        try:
            self._warden.watch(child.group, mark)
        except OSError as error:
            spawning.abandon(child)
            raise _start_error(error, cwd) from error
        job = self._job(mark, session, command, cwd, child, confinement)
        job.begin(keeps_input=background)
        owner = asyncio.create_task(self._own(job, timeout), name=f"job {job.id}")
        self._owners.add(owner)
        owner.add_done_callback(self._owners.discard)
        return job

    async def _spawn(
        self, bash: str, command: str, cwd: str, mark: str, background: bool, confinement: Confinement | None
    ) -> Child:
        environ = {**self._environ, MARK: mark}
        work = partial(spawning.start, bash, command, cwd, environ, input=background, confinement=confinement)
        spawn = asyncio.get_running_loop().run_in_executor(None, work)
        try:
            return await asyncio.shield(spawn)
        except asyncio.CancelledError:
            self.follow(_abandon(spawn))
            raise
        except OSError as error:
            raise _start_error(error, cwd) from error

    def _job(
        self, mark: str, session: str, command: str, cwd: str, child: Child, held: Confinement | None
    ) -> Job:
        id = next(id for end in range(4, len(mark)) if (id := f"j{mark[-end:]}") not in self._jobs)
        log = CommandLog(self._folder / (session or "_") / f"{id}-{mark}.log", self.limits.keep)
        job = Job(id, mark, session, command, cwd, child, log, self.limits, self._on_news, held)
        self._jobs[id] = job
        self._started[id] = self._clock()
        return job

    async def _own(self, job: Job, timeout: float | None) -> None:
        await job.live(timeout)
        if self._warden and not group_lives(job.group):
            self._warden.forget(job.group)
        if job.listed:
            self._tell(job)
        else:
            self._drop(job)
        over = [job for job in self._jobs.values() if job.over.is_set()]
        for old in over[: -self.limits.jobs]:
            self._drop(old)

    def _drop(self, job: Job) -> None:
        del self._jobs[job.id], self._started[job.id]

    def list(self, job: Job) -> None:
        """Let people and models know the job by its id from now on."""
        job.listed = True
        self._tell(job)

    def get(self, id: str, session: str | None = None) -> Job:
        """Return a listed job, of `session` only when it is given. Raises ToolError no_job."""
        job = self._jobs.get(id)
        if job is None or not job.listed or (session is not None and job.session != session):
            known = ", ".join(job.id for job in self.listed(session)) or "none"
            raise ToolError("no_job", f"There is no job {id!r}. Jobs here: {known}.", job=id)
        return job

    def listed(self, session: str | None = None) -> Iterable[Job]:
        """Return the jobs of a session, or all, in the order of their start."""
        return [job for job in self._jobs.values() if job.listed and session in (None, job.session)]

    def info(self, job: Job) -> JobInfo:
        """Return what front ends show of a job."""
        tail = visible(terminal(job.log.last(_TAIL).decode(errors="backslashreplace")))
        return JobInfo(
            id=job.id,
            session=job.session,
            command=job.command,
            cwd=job.cwd,
            started=self._started[job.id],
            state=state(job),
            exit=job.exit,
            size=job.log.size,
            tail=tail.partition("\n")[2] if job.log.size > _TAIL else tail,
        )

    async def stop(self, job: Job) -> None:
        """End a job and wait until nothing of it runs: about `kill_after` when it does not hear TERM."""
        job.stop()
        await job.over.wait()

    async def stop_left_behind(self, session: str) -> None:
        """End what commands of the session left running when their shells ended (acceptance case C27)."""
        left = [job for job in self.listed(session) if job.exit is not None and not job.over.is_set()]
        await asyncio.gather(*map(self.stop, left))

    async def close(self) -> None:
        """End all jobs, listed or not, and return when nothing runs any more."""
        for job in self._jobs.values():
            job.stop()
        while self._owners:
            await asyncio.wait(self._owners)
        if self._warden:
            self._warden.close()
            self._warden = None

    def follow(self, work: Coroutine[None, None, None]) -> asyncio.Task[None]:
        """Do `work` that belongs to a job to its end: `close` waits for it, and a cancelled call does not end
        it.
        """
        task = asyncio.create_task(work, name="after a job")
        self._owners.add(task)
        task.add_done_callback(self._owners.discard)
        return task

    def _on_news(self, job: Job) -> None:
        if job.listed and job.id not in self._telling:
            self._telling.add(job.id)
            asyncio.get_running_loop().call_later(self.limits.tell_every, self._tell_late, job)

    def _tell_late(self, job: Job) -> None:
        self._telling.discard(job.id)
        if not job.over.is_set():
            self._tell(job)

    def _tell(self, job: Job) -> None:
        self._changed(self.info(job))


def state(job: Job) -> Literal["running", "ended", "stopped"]:
    """Return the state of a job as records have it; stopped also means by its timeout."""
    if not job.over.is_set():
        return "running"
    return "stopped" if job.ended_by else "ended"


async def _abandon(spawn: asyncio.Future[Child]) -> None:
    """Let go of a child whose start was cancelled, as soon as it is there."""
    with contextlib.suppress(OSError):  # it never was
        spawning.abandon(await spawn)


def _start_error(error: OSError, cwd: str) -> ToolError:
    if not os.path.isdir(cwd):
        return ToolError("no_folder", f"The folder {cwd} does not exist (any more).", path=cwd)
    if isinstance(error, spawning.NotConfined):
        words = f"The sandbox could not be set up, so nothing was run: {error.strerror}"
        return ToolError("no_sandbox", words, detail=str(error.strerror))
    if error.errno == errno.E2BIG:
        return ToolError("too_large", "The command is too long; write it to a script file and run that.")
    if isinstance(error, PermissionError):
        return ToolError("bad_folder", f"No permission to work in the folder {cwd}.", path=cwd)
    return ToolError("internal", f"The command could not be started: {error.strerror}.", detail=str(error))

"""Run commands and steer jobs for a tool call, each with permission, and say what really happened."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Sequence
from functools import partial

import tools
from app.capabilities.around import Around
from app.capabilities.gate import Permit
from app.capabilities.job import Job
from app.capabilities.jobs import Jobs, state
from app.errors import ToolError
from app.platform.plain_text import terminal, visible
from app.records import CommandEffect, FileDiff
from tools import Command, CommandResult

_COLLECT = 0.2
"""Seconds in which output that has begun to come is collected, so that a poll brings more than one line."""
_LOOK = 0.3
"""Seconds between two looks at a running command for the line in its row."""
_LONGEST = 128 * 1024 - 1
"""Bytes of one argument that Linux takes (MAX_ARG_STRLEN)."""


class JobReader:
    """Looks at the jobs of a session: all that a reading tool gets (`tools.ReadShell`)."""

    def __init__(self, jobs: Jobs, session: str) -> None:
        self._jobs = jobs
        self._session = session

    async def output(self, job: str, *, cursor: int = 0, wait: float = 10.0) -> CommandResult:
        """Return the output from byte `cursor` on; waits up to `wait` seconds for news.

        Raises ToolError no_job.
        """
        found = self._jobs.get(job, self._session)
        await found.wait_for_news(cursor, wait)
        if wait and not found.over.is_set():
            await found.wait(found.over, _COLLECT)
        return result(found, cursor)

    async def jobs(self) -> Sequence[tools.Job]:
        """Return the session's jobs in the order of their start."""
        return [_line(job) for job in self._jobs.listed(self._session)]


class Shell(JobReader):
    """Runs commands too (`tools.RunShell`). `progress` gets the newest line of output while a call waits."""

    def __init__(
        self,
        jobs: Jobs,
        gate: Permit,
        session: str,
        cwd: str,
        progress: Callable[[str], None] = lambda text: None,
        around: Around | None = None,
    ) -> None:
        """`around` holds the commands and brings back what they change; without it nothing does."""
        super().__init__(jobs, session)
        self._gate = gate
        self._cwd = cwd
        self._progress = progress
        self._around = around or Around()

    async def run(self, command: Command) -> CommandResult:
        """Run a command; after 10 s, or at once with `background`, it goes on as a job.

        A cancel ends all of it (TERM at once, KILL by the owner of the jobs), without waiting for that.
        Raises ToolError (no_folder, bad_arguments, too_large, unsupported, no_sandbox) and Refused.
        """
        text, cwd = _sound(command.text), _folder(self._cwd, command.cwd)
        effect = await self._around.effect(text, cwd, command.reach)
        await self._gate.permit(effect)
        outside = self._gate.outside
        held = await self._around.confine(effect, outside)
        ran = await self._around.before(held, self._gate)
        start = partial(
            self._jobs.start,
            self._session,
            text,
            cwd,
            background=command.background,
            timeout=command.timeout,
        )
        try:
            job = await self._around.begin(effect, held, outside, start)
        except BaseException:
            self._around.never(ran)
            raise
        job.reach = command.reach
        settled = self._jobs.follow(self._around.after(job, ran)) if ran else None
        limits = self._jobs.limits
        try:
            await self._watch(job, limits.background_wait if command.background else limits.first_wait)
            if job.ended_by:  # its timeout has come: at most twice `kill_after`
                await job.over.wait()
        except asyncio.CancelledError:
            job.stop()
            raise
        if not job.over.is_set():
            self._jobs.list(job)
        elif settled:
            await asyncio.shield(settled)
        return result(job)

    async def _watch(self, job: Job, seconds: float) -> None:
        loop = asyncio.get_running_loop()
        until, size = loop.time() + seconds, 0
        while not await job.wait(job.settled, min(_LOOK, until - loop.time())):
            if job.log.size > size:
                size = job.log.size
                self._progress(_last_line(job))
            if loop.time() >= until:
                return

    async def input(self, job: str, text: str, *, end: bool = False) -> CommandResult:
        """Send `text` as it is to a background job, with `end` the end of input too; returns the answer.

        Raises ToolError no_job when it is over or takes no input, and Refused.
        """
        found = self._jobs.get(job, self._session)
        await self._gate.permit(_to_job(found, text))
        size = found.log.size
        await found.send(text.encode(errors="surrogateescape"))
        if end:
            found.close_input()
        await found.wait_for_news(size, 1.0)
        await found.wait(found.over, _COLLECT)
        return result(found, size)

    async def stop(self, job: str) -> tools.Job:
        """End a job with all it started. Raises ToolError no_job and Refused."""
        found = self._jobs.get(job, self._session)
        if not found.over.is_set():
            await self._gate.permit(_to_job(found, found.command))
            await self._jobs.stop(found)
        return _line(found)


def result(job: Job, cursor: int = 0) -> CommandResult:
    """Return the output of a job from byte `cursor` on, as text, and how it stands."""
    piece = job.log.read(cursor)
    held = 0 if job.over.is_set() else _incomplete(piece.tail or piece.head)
    head, tail = piece.head, piece.tail
    if piece.gap:
        head, tail = _whole_end(head), _whole_start(tail)
    elif held:
        head = head[:-held]
    text = _text(head)
    if piece.gap:
        text = f"{text}\n[{piece.gap:,} bytes left out here. {_where(job)}]\n{_text(tail)}"
    return CommandResult(
        output=text,
        exit=_exit(job),
        job="" if job.over.is_set() else job.id,
        seconds=job.seconds,
        cursor=piece.end - held,
        ended_by=job.ended_by,
        cwd=job.cwd,
        whole=job.log.whole,
        layer=job.confinement.layer if job.confinement else "none",
        reach=job.reach,
        undo=job.change,
        changed=tuple(map(_changed, job.changed)),
        not_kept=job.not_kept,
    )


def _exit(job: Job) -> int | None:
    """Return the exit code once it says how the command ended: not while it is ended, or its pipe drained."""
    told = job.over.is_set() or (job.settled.is_set() and not job.ended_by)
    return job.exit if told else None


def _changed(file: FileDiff) -> tools.ChangedFile:
    return tools.ChangedFile(file.path, file.kind, file.added, file.removed)


def _to_job(job: Job, text: str) -> CommandEffect:
    """Return the effect of input to a running job, or of its end."""
    layer = job.confinement.layer if job.confinement else "none"
    return CommandEffect(command=text, cwd=job.cwd, job=job.id, layer=layer, reach=job.reach)


def _where(job: Job) -> str:
    if not job.log.whole:
        return f"They could not be kept: {job.log.problem}."
    kept = f"The first {job.log.kept:,} bytes" if job.log.size > job.log.kept else "All of it"
    return f"{kept}: {job.log.whole}; read it with read_file."


def _text(data: bytes) -> str:
    return terminal(data.decode(errors="backslashreplace"))


def _last_line(job: Job) -> str:
    lines = _text(_whole_start(job.log.last(400))).rstrip().splitlines()
    return visible(lines[-1]) if lines else ""


def _line(job: Job) -> tools.Job:
    return tools.Job(job.id, job.command, state(job), _exit(job), job.seconds, job.log.size)


def _incomplete(data: bytes) -> int:
    """Return how many bytes at the end belong to a UTF-8 character that has not wholly come."""
    for back in range(1, min(4, len(data) + 1)):
        byte = data[-back]
        if byte & 0xC0 == 0x80:
            continue
        length = 2 if byte >> 5 == 0b110 else 3 if byte >> 4 == 0b1110 else 4 if byte >> 3 == 0b11110 else 1
        return back if length > back else 0
    return 0


def _whole_end(data: bytes) -> bytes:
    return data[: len(data) - _incomplete(data)]


def _whole_start(data: bytes) -> bytes:
    start = 0
    while start < min(3, len(data)) and data[start] & 0xC0 == 0x80:
        start += 1
    return data[start:]


def _sound(text: str) -> str:
    """Return the command. Raises ToolError for what no program can be given."""
    try:
        size = len(os.fsencode(text))
    except UnicodeEncodeError:
        raise ToolError(
            "bad_arguments", "The command holds half of a character (a lone surrogate)."
        ) from None
    if "\0" in text or not text.strip():
        problem = "holds the NUL character" if "\0" in text else "is empty"
        raise ToolError("bad_arguments", f"The command {problem}.")
    if size > _LONGEST:
        raise ToolError("too_large", "The command is too long; write it to a script file and run that.")
    return text


def _folder(base: str, wanted: str) -> str:
    """Return the absolute folder in which the command runs. Raises ToolError no_folder or bad_folder."""
    path = os.path.realpath(os.path.join(base, os.path.expanduser(wanted)))
    if os.path.isdir(path):
        return path
    if os.path.exists(path):
        raise ToolError("bad_folder", f"{path} is not a folder.", path=path)
    raise ToolError("no_folder", f"The folder {path} does not exist (any more).", path=path)

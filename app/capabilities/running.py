"""What a front end can do with running commands: list them, read their output, end them."""

from __future__ import annotations

from app.capabilities.jobs import Jobs
from app.capabilities.shell import result
from app.records import JobInfo
from tools import CommandResult


class Running:
    """Facade over the jobs of this process. Raises ToolError (no_job) for an unknown id."""

    def __init__(self, jobs: Jobs) -> None:
        self._jobs = jobs

    async def list(self, session: str = "") -> list[JobInfo]:
        """Return the jobs of a session, or all."""
        return [self._jobs.info(job) for job in self._jobs.listed(session or None)]

    async def output(self, job: str, cursor: int = 0) -> CommandResult:
        """Return a job's output from byte `cursor` on, as it stands."""
        return result(self._jobs.get(job), cursor)

    async def stop(self, job: str) -> JobInfo:
        """End a job with all it started, and return when it is gone. A person's own click needs no
        approval.
        """
        found = self._jobs.get(job)
        await self._jobs.stop(found)
        return self._jobs.info(found)

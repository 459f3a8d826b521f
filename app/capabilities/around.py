"""What stands around a command: the sandbox that holds it and the snapshot that brings back what it does."""

from __future__ import annotations

import asyncio
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from app.capabilities.gate import Permit
from app.capabilities.job import Job
from app.capabilities.sandbox import Sandbox
from app.errors import ToolError
from app.permissions.shell.commits import only_git
from app.platform.sandbox.confinement import Confinement, committing
from app.records import CommandEffect, Reach

if TYPE_CHECKING:
    from app.changes.snapshot import Ran, Snapshots

_GIT = re.compile(r"(?<![\w./-])git(?![\w-])|\.git(?!\w)")
"""A repository is not in the snapshot, so what Git does cannot be taken back here."""


class Start(Protocol):
    """Starts a command in what holds it."""

    async def __call__(self, *, confinement: Confinement | None) -> Job: ...


@dataclass(frozen=True)
class Around:
    """For the commands of one call in the working folder `folder`. Without a sandbox nothing holds them."""

    session: str = ""
    turn: str = ""
    folder: str = ""
    sandbox: Sandbox | None = None
    snapshots: Snapshots | None = None

    async def effect(self, command: str, cwd: str, reach: Reach) -> CommandEffect:
        """Return what is to be judged: what would hold the command, and whether it could be taken back."""
        found = await self.sandbox.look() if self.sandbox and reach != "all" else None
        layer = found.layer if found else "none"
        return CommandEffect(
            command=command,
            cwd=cwd,
            layer=layer,
            reach=reach,
            undoable=layer != "none" and not _GIT.search(command) and await self._holds(),
        )

    async def _holds(self) -> bool:
        return self.snapshots is not None and await self.snapshots.holds(self.folder)

    async def confine(self, effect: CommandEffect, outside: tuple[str, ...]) -> Confinement | None:
        """Return what holds the command. Raises ToolError no_sandbox where that is not what was judged."""
        if self.sandbox is None or effect.layer == "none":
            return None
        held = await self.sandbox.confine(self.session, self.folder, effect.reach, outside)
        if held is None or held.layer != effect.layer:
            raise ToolError("no_sandbox", "The sandbox is not what it was a moment ago. Nothing was run.")
        return await asyncio.to_thread(_committing, held, effect)  # reads the line, which may take a while

    async def before(self, held: Confinement | None, gate: Permit) -> Ran | None:
        """Take the snapshot of what a command may write, None where there is no sandbox or it is too much.

        Raises ToolError disk_full: what cannot be taken back as promised is not run.
        """
        if self.snapshots is None or held is None:
            return None
        try:
            return await self.snapshots.take(self.session, self.turn, held.writable, gate.origin)
        except OSError as error:
            words = (
                f"What the command changes could not be kept for undo ({error.strerror}). Nothing was run."
            )
            raise ToolError("disk_full", words, detail=str(error)) from error

    async def begin(
        self, effect: CommandEffect, held: Confinement | None, outside: tuple[str, ...], start: Start
    ) -> Job:
        """Start the command as it is `held`. Raises ToolError as `start` does.

        What is hidden from it, such as a socket, may be gone by then: that is looked for once more.
        """
        try:
            return await start(confinement=held)
        except ToolError as error:
            if error.code != "no_sandbox":
                raise
        return await start(confinement=await self.confine(effect, outside))

    def never(self, ran: Ran | None) -> None:
        """Forget the snapshot of a command that does not run after all."""
        if self.snapshots and ran:
            self.snapshots.drop(ran)

    async def after(self, job: Job, ran: Ran) -> None:
        """Wait for the command's end and journal what it changed."""
        assert self.snapshots
        await job.over.wait()
        settled = await self.snapshots.settle(ran)
        job.change, job.changed, job.not_kept = settled.change, settled.files, settled.left_out


def _committing(held: Confinement, effect: CommandEffect) -> Confinement:
    return committing(held) if only_git(effect.command, effect.cwd) else held

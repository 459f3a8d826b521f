"""A cell for the sandbox tests: a person's home, a working folder, something outside, and a command in it."""

from __future__ import annotations

import functools
import os
import shutil
import tempfile
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from app.capabilities.job import Job
from app.capabilities.jobs import Jobs
from app.capabilities.sandbox import Sandbox
from app.capabilities.shell import result
from app.errors import ToolError
from app.permissions.places import is_secret
from app.permissions.shell.commits import only_git
from app.platform.paths import Home, home
from app.platform.sandbox.confinement import Layer, Probe, committing
from app.platform.sandbox.probe import probe
from app.records import Reach
from tools import CommandResult

LAYERS: tuple[Layer, ...] = ("bubblewrap", "landlock")


@dataclass
class Cell:
    """One session in a sandbox of a given layer. Its places are not below /tmp, which is private in there."""

    root: Path
    home: Home
    jobs: Jobs
    sandbox: Sandbox
    layer: Layer

    @property
    def folder(self) -> Path:
        """The working folder."""
        return self.root / "work"

    @property
    def outside(self) -> Path:
        """A folder of the person's that is not the working folder."""
        return self.root / "person" / "papers"

    async def start(
        self, command: str, reach: Reach = "folder", writable: Sequence[str] = (), session: str = "s1"
    ) -> Job:
        """Start a command and return its job. A socket of another program, which is hidden, may go just then:
        that is looked for once more, as around every command.
        """
        try:
            return await self._start(command, reach, writable, session)
        except ToolError as error:
            if error.code != "no_sandbox" or "Can't mkdir" not in str(error):
                raise
        return await self._start(command, reach, writable, session)

    async def _start(self, command: str, reach: Reach, writable: Sequence[str], session: str) -> Job:
        held = await self.sandbox.confine(session, str(self.folder), reach, writable)
        held = committing(held) if held and only_git(command) else held
        assert held and held.layer == self.layer
        return await self.jobs.start(session, command, str(self.folder), confinement=held, background=True)

    async def run(
        self, command: str, reach: Reach = "folder", writable: Sequence[str] = (), session: str = "s1"
    ) -> CommandResult:
        """Run a command to its end and return what it said."""
        job = await self.start(command, reach, writable, session)
        job.close_input()
        assert await job.wait(job.over, 60), result(job).output
        return result(job)


@functools.cache
def _probed(layer: Layer) -> Probe:
    return probe(os.environ if layer == "bubblewrap" else {"PATH": "/nonexistent"})


def found(layer: Layer) -> Probe:
    """Return the probe for a layer of this machine; skips the test where it does not work."""
    seen = _probed(layer)
    if seen.layer != layer:
        pytest.skip(f"no {layer} here: {seen.why}")
    return seen


async def make_cell(layer: Layer) -> AsyncIterator[Cell]:
    """Yield a cell, and end and remove all of it afterwards."""
    seen = found(layer)
    root = Path(os.path.realpath(tempfile.mkdtemp(prefix="bramble-cell-", dir="/var/tmp")))
    for name in ("work", "person/papers", "person/.ssh"):
        (root / name).mkdir(parents=True)
    (root / "person/.ssh/id_test").write_text("the key")
    (root / "person/papers/letter").write_text("dear")
    ours = home({"BRAMBLE_HOME": str(root / "person/bramble")})
    ours.make()
    environ = {**os.environ, "HOME": str(root / "person")}
    sandbox = Sandbox(ours, environ, secret=is_secret, prober=lambda environ: seen)
    cell = Cell(root, ours, Jobs(ours.spill, environ), sandbox, layer)
    try:
        yield cell
    finally:
        await cell.jobs.close()
        shutil.rmtree(root, ignore_errors=True)

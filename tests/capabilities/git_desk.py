"""A desk for the Git tests: real repositories made by the real program, a gate that notes what it asks."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from app.capabilities.gate import Gate
from app.capabilities.git.changing import GitChanger, Where
from app.changes.journal import Journal
from app.changes.snapshot import Snapshots
from app.permissions.policy import Policy, policy
from app.records import ActionEffect, Answer, Decision, Effect
from app.toolbox.registry import load_registry
from app.toolbox.schema import validate
from tools import ReadContext, ToolContext, ToolResult


@dataclass
class GitDesk:
    """A working folder, who is asked, and what they say."""

    folder: Path
    environ: Mapping[str, str]
    snapshots: Snapshots | None = None
    asked: list[Effect] = field(default_factory=list)
    answer: Answer = Answer(decision="allow", by="test")  # noqa: RUF009 - frozen
    rules: Policy | None = None
    gates: list[Gate] = field(default_factory=list)

    async def call(self, tool: str, arguments: str = "{}", cwd: str = "") -> ToolResult:
        """Call a tool as the app does: by its registry entry and JSON text."""
        entry = load_registry().tools[tool]
        folder = cwd or str(self.folder)
        gate = Gate(tool, self.rules or policy(os.path.realpath(folder)), self._ask)
        self.gates.append(gate)
        git = GitChanger(gate, folder, self.environ, Where("s1", "t1", tool), self.snapshots)
        kind = ReadContext if entry.read_only else ToolContext
        context = kind(folder, None, None, git=git)  # type: ignore[arg-type]
        return await entry.function(context, **validate(entry.function, arguments))

    async def _ask(self, effect: Effect, decision: Decision) -> Answer:
        self.asked.append(effect)
        return self.answer

    @property
    def actions(self) -> list[ActionEffect]:
        """What was asked of a repository."""
        return [effect for effect in self.asked if isinstance(effect, ActionEffect)]

    # --- a person at the terminal ------------------------------------------------------------------------

    def git(self, *words: str, cwd: Path | None = None, code: int = 0) -> str:
        """Run Git as a person would and return what it says."""
        done = subprocess.run(
            ["git", *words],
            cwd=cwd or self.folder,
            env=dict(self.environ),
            capture_output=True,
            text=True,
            errors="backslashreplace",
        )
        assert done.returncode == code, done.stderr
        return done.stdout

    def write(self, name: str, text: str) -> Path:
        """Write a file of the repository."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def commit(self, name: str, text: str, message: str = "work") -> str:
        """Write a file, commit it, and return the commit's id."""
        self.write(name, text)
        self.git("add", "-A")
        self.git("commit", "-q", "-m", message)
        return self.git("rev-parse", "HEAD").strip()


def git_desk(folder: Path, journal: Journal | None = None, *, named: bool = True) -> GitDesk:
    """Return a desk with an empty repository in FOLDER/repo and a home of its own."""
    home, work = folder / "home", folder / "repo"
    home.mkdir()
    work.mkdir()
    settings = '[init]\n\tdefaultBranch = main\n[protocol "file"]\n\tallow = always\n'
    if named:
        settings += "[user]\n\tname = Ada\n\temail = ada@example.org\n"
    (home / ".gitconfig").write_text(settings)
    environ = {"PATH": os.environ["PATH"], "HOME": str(home), "LANG": "C.UTF-8", "GIT_CONFIG_NOSYSTEM": "1"}
    desk = GitDesk(work, environ, Snapshots(journal) if journal else None)
    desk.git("init", "-q")
    return desk

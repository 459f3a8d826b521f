"""Builds the capabilities of one tool call behind its gate; a reading call gets none that changes."""

from __future__ import annotations

from collections.abc import Callable

from app.capabilities.around import Around
from app.capabilities.call_site import CallSite
from app.capabilities.desktop.desk import DesktopChanger, DesktopReader
from app.capabilities.files import FileReader, Files, FileWorld
from app.capabilities.gate import Gate
from app.capabilities.git.changing import GitChanger, Where
from app.capabilities.git.reading import GitReader
from app.capabilities.jobs import Jobs
from app.capabilities.memory import MemoryDesk
from app.capabilities.online import Online, acting, reading
from app.capabilities.processes import ProcessEnder, ProcessReader
from app.capabilities.sandbox import Sandbox
from app.capabilities.servers import Desk, ServerChanger, ServerReader
from app.capabilities.shell import JobReader, Shell
from app.capabilities.skills import SkillFolders, SkillReader
from app.capabilities.web import Web, WebChanger, WebReader
from app.changes.snapshot import Snapshots
from tools import Helpers, ReadContext, ToolContext

MakeHelpers = Callable[[str, Gate, Callable[[str], None]], Helpers]
"""Takes the session, the gate of the call and its progress."""


class Contexts:
    """Makes contexts over what all calls of a process share: its jobs and its world of files."""

    def __init__(
        self,
        jobs: Jobs,
        files: FileWorld,
        sandbox: Sandbox | None = None,
        snapshots: Snapshots | None = None,
        skills: SkillFolders | None = None,
        servers: Callable[[], Desk] | None = None,
        helpers: MakeHelpers | None = None,
        memory: MemoryDesk | None = None,
        web: Web | None = None,
        online: Online | None = None,
    ) -> None:
        """`servers` gives the desk of MCP servers when a call first needs it, `helpers` what starts the
        helpers of a session's turn, `memory` is what is remembered, `web` how
        requests leave this computer, `online` what is beyond plain ones.
        """
        self._jobs = jobs
        self._files = files
        self._sandbox = sandbox
        self._snapshots = snapshots
        self._skills = skills
        self._servers = servers
        self._helpers = helpers
        self._memory = memory
        self._web = web
        self._online = online

    def make(self, gate: Gate, site: CallSite) -> ReadContext | ToolContext:
        """Return the context of one call."""
        session, turn, tool, cwd, reads, progress, mode, find = site
        files = FileReader(self._files, gate, cwd)
        skills = SkillReader(self._skills, gate, files, mode=mode, cwd=cwd) if self._skills else None
        if reads:
            reach = reading(self._online, gate, tool, progress)
            return ReadContext(
                cwd,
                files,
                JobReader(self._jobs, session),
                progress,
                skills,
                find,
                self._read(gate),
                git=GitReader(gate, cwd, self._files.environ),
                processes=ProcessReader(gate),
                desktop=DesktopReader(gate, self._files.environ, cwd),
                memory=self._memory.reader(gate, session, cwd) if self._memory else None,
                web=WebReader(self._web, gate, tool) if self._web else None,
                search=reach.search,
                services=reach.services,
                pages=reach.pages,
            )
        changing = Files(self._files, gate, cwd, session=session, turn=turn, tool=tool)
        around = Around(session, turn, cwd, self._sandbox, self._snapshots)
        shell = Shell(self._jobs, gate, session, cwd, progress, around)
        servers = ServerChanger(self._servers, gate, progress) if self._servers else None
        helpers = self._helpers(session, gate, progress) if self._helpers else None
        git = GitChanger(gate, cwd, self._files.environ, Where(session, turn, tool), self._snapshots)
        memory = self._memory.changer(gate, session, cwd) if self._memory else None
        act = acting(self._online, gate, tool, progress, changing)
        web = WebChanger(self._web, gate, tool, changing, progress) if self._web else None
        return ToolContext(
            cwd, changing, shell, progress, skills, find, servers, helpers, git=git, memory=memory, web=web,
            processes=ProcessEnder(gate), desktop=DesktopChanger(gate, self._files.environ, cwd),
            search=act.search, services=act.services, pages=act.pages,
            pictures=act.pictures,
        )  # fmt: skip

    def _read(self, gate: Gate) -> ServerReader | None:
        return ServerReader(self._servers, gate) if self._servers else None

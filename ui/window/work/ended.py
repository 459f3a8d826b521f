"""Says when a background command has ended, in whichever conversation it ran, with a way to its output."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from app.events import Event, JobChanged
from app.records import JobInfo, SessionInfo
from ui.language import _
from ui.window.toast import alert
from ui.window.transcript.legible import legible

if TYPE_CHECKING:
    from ui.window.furniture import Furniture
    from ui.window.life import Life

_SHOWN = 48
"""Characters of a command that are shown."""


def ended_text(job: JobInfo) -> str:
    """Return what to say of a job that is over: its command, and how it ended."""
    line = legible(" ".join(job.command.split()))
    command = line if len(line) <= _SHOWN else f"{line[:_SHOWN]}…"
    if job.state == "stopped":
        return _("{command} was stopped.").replace("{command}", command)
    if job.exit is None:
        return _("{command} has ended.").replace("{command}", command)
    words = (
        _("{command} is done (exit code {code}).")
        if job.exit == 0
        else _("{command} failed (exit code {code}).")
    )
    return words.replace("{code}", str(job.exit)).replace("{command}", command)


class EndedJobs(QObject):
    """Tells of each job once."""

    def __init__(self, life: Life, rest: Furniture) -> None:
        super().__init__(rest)
        self._life, self._rest = life, rest
        self._told: set[str] = set()
        life.bridge.events.connect(self._follow)

    def _follow(self, events: Sequence[Event]) -> None:
        for event in events:
            if (
                isinstance(event, JobChanged)
                and event.job.state != "running"
                and event.job.id not in self._told
            ):
                self._told.add(event.job.id)
                self._tell(event.job)

    def _tell(self, job: JobInfo) -> None:
        self._rest.toast.tell(ended_text(job), _("Show the output"), lambda: self._show(job))
        alert(self._life.window)

    def _show(self, job: JobInfo) -> None:
        """Show the output beside its conversation."""
        life = self._life
        if job.session in ("", life.conversation.session):
            self._rest.deeds.show_tab("jobs")
            return
        life.bridge.call(lambda engine: engine.sessions.get(job.session), self._open, life.show_problem)

    def _open(self, info: SessionInfo) -> None:
        self._rest.deeds.open(info, "")
        self._rest.deeds.show_tab("jobs")

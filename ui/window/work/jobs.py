"""The tab of jobs: commands that run in the background, the end of their output as it comes, and Stop."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from app.records import JobInfo
from ui.language import _
from ui.places import tilde
from ui.window.parts import Elided, IconButton, box, button, label, plain_tip
from ui.window.theme import Theme
from ui.window.work.rows import Column, quiet
from ui.words import size

_TAIL_LINES = 8
_TAIL_WIDTH = 200
"""Characters of a line of output that are shown."""


def last_lines(text: str) -> str:
    """Return the end of a job's output as it can be shown: few lines, no control characters."""
    lines = text.replace("\r\n", "\n").split("\n")
    while lines and not lines[-1].strip():
        lines.pop()
    shown = [line.split("\r")[-1][:_TAIL_WIDTH] for line in lines[-_TAIL_LINES:]]
    return "\n".join("".join(c if c.isprintable() or c == "\t" else "\ufffd" for c in line) for line in shown)


class JobCard(QFrame):
    """One job."""

    stop_asked = Signal(str)

    def __init__(self, job: JobInfo, theme: Theme) -> None:
        super().__init__()
        self.setProperty("box", "card")
        self._job, self._theme = job, theme
        self._command = Elided()
        self._command.setFont(theme.font(12, mono=True))
        self._state = label("", "caption")
        self._tail = QLabel()
        self._tail.setTextFormat(Qt.TextFormat.PlainText)
        self._tail.setFont(theme.font(11, mono=True))
        self._tail.setProperty("tone", "code")
        self._tail.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._tail.setMinimumWidth(1)
        copy = IconButton(theme, "copy", _("Copy the output"), px=14)
        copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(self._job.tail))
        self._stop = button(_("Stop"), "", lambda: self.stop_asked.emit(self._job.id))
        head = QHBoxLayout()
        head.addWidget(self._command, 1)
        head.addWidget(copy)
        foot = QHBoxLayout()
        foot.addWidget(self._state, 1)
        foot.addWidget(self._stop)
        column = QVBoxLayout(self)
        column.setContentsMargins(theme.s12, theme.s8, theme.s8, theme.s8)
        column.setSpacing(theme.s4)
        column.addLayout(head)
        column.addWidget(self._tail)
        column.addLayout(foot)
        self.show_job(job)

    def show_job(self, job: JobInfo) -> None:
        """Show the job's news."""
        self._job = job
        self._command.setText(job.command)
        self._command.setToolTip(plain_tip(f"{job.command}\n{tilde(job.cwd)}"))
        tail = last_lines(job.tail)
        self._tail.setText(tail)
        self._tail.setAccessibleName(_("Output: {text}").replace("{text}", tail))
        self._tail.setVisible(bool(tail))
        self._state.setText(state_words(job))
        self._stop.setVisible(job.state == "running")
        self._stop.setAccessibleName(_("Stop {command}").replace("{command}", job.command[:80]))


def state_words(job: JobInfo) -> str:
    """Return what a job is doing, in words."""
    if job.state == "running":
        words = _("Running")
    elif job.state == "stopped":
        words = _("Stopped")
    elif job.exit == 0:
        words = _("Done")
    else:
        words = _("Ended with {code}").replace("{code}", str(job.exit))
    return f"{words}, {size(job.size)}" if job.size else words


class JobsTab(Column):
    """All jobs of one conversation, running ones first."""

    stop_asked = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__(_("Jobs"), theme)
        self._jobs: dict[str, JobInfo] = {}
        self._cards: dict[str, JobCard] = {}
        self._draw()

    def show_jobs(self, jobs: Sequence[JobInfo]) -> None:
        """Show these jobs."""
        self._jobs = {job.id: job for job in jobs}
        self._draw()

    def put(self, job: JobInfo) -> None:
        """Show a job's news; its card stays where it is."""
        known = job.id in self._jobs
        self._jobs[job.id] = job
        if known:
            self._cards[job.id].show_job(job)
        else:
            self._draw()

    def running(self) -> int:
        """Return how many run."""
        return sum(job.state == "running" for job in self._jobs.values())

    def set_theme(self, theme: Theme) -> None:
        """Draw with another theme."""
        self.theme = theme
        self._draw()

    def _draw(self) -> None:
        ordered = sorted(self._jobs.values(), key=lambda job: (job.state != "running", -job.started))
        self._cards = {job.id: JobCard(job, self.theme) for job in ordered}
        parts: list[QWidget] = []
        for card in self._cards.values():
            card.stop_asked.connect(self.stop_asked)
            parts += [card, _gap(self.theme)]
        self.fill(parts or [quiet(self.theme, _("Commands that keep running show here, with their output."))])


def _gap(theme: Theme) -> QWidget:
    made = box("")
    made.setFixedHeight(theme.s8)
    return made

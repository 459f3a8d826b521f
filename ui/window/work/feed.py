"""Fills the work panel for the conversation that is shown, and carries out what is asked for in it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.events import ChangeMade, ContextMeasured, Event, JobChanged, TurnEnded
from app.records import ChangeInfo, ContextReport, JobInfo, Message, Mode, Spending
from app.settings import Limits
from ui.spending_words import lines, warning
from ui.window.bridge import Bridge
from ui.window.title_bar import TitleBar
from ui.window.undo.taking_back import TakingBack
from ui.window.work.panel import WorkPanel
from ui.window.work.undoing import named

if TYPE_CHECKING:
    from app.engine import Engine


class WorkFeed(QObject):
    """One conversation at a time; `show` says which. What a helper changes and starts belongs to the
    conversation that it works for, and is shown over its transcript too; the context is the helper's own.
    """

    problem = Signal(object)

    def __init__(self, bridge: Bridge, panel: WorkPanel, title_bar: TitleBar, back: TakingBack) -> None:
        super().__init__()
        self._bridge, self._panel, self._title_bar = bridge, panel, title_bar
        self._back = back
        back.done.connect(lambda change, again: self.read_changes())
        self._session = self._home = ""
        self._mode: Mode = "agent"
        self._folder = ""
        self._telling: Callable[[str], object] | None = None
        panel.jobs.stop_asked.connect(self.stop_job)
        panel.changes.undo_asked.connect(self.undo)
        panel.shown.connect(lambda tab: self.read_context())

    def show(self, session: str, mode: Mode, folder: str, home: str = "") -> None:
        """Show what belongs to this conversation ("" for a new one); `read` then reads it. `home` is the one
        that a helper works for.
        """
        home = home or session
        other, elsewhere = session != self._session, home != self._home
        self._session, self._home, self._mode, self._folder = session, home, mode, folder
        if other:
            self._panel.changes.show_usage(None, None)
            self._panel.context.show_report(None)
            self._title_bar.meter.show_use(0, 0, True)
        if elsewhere:
            self._panel.changes.show_changes(())
            self._panel.changes.show_account(())
            self._show_jobs(home, ())

    def read(self) -> None:
        """Read changes, jobs and context again."""
        session = self._home
        if session:
            self.read_changes()
            self._bridge.call(lambda e: e.jobs.list(session), lambda jobs: self._show_jobs(session, jobs))
        self.read_context()
        self.read_costs()

    def read_costs(self) -> None:
        """Read what the conversation and the day cost."""
        session = self._home

        async def account(engine: Engine) -> tuple[Spending, Limits]:
            return await engine.sessions.spending(session), engine.settings.limits

        self._bridge.call(account, lambda found: self._show_costs(session, *found))

    def tell_costs(self, say: Callable[[str], object]) -> None:
        """Say what it cost in a line, and show it in the panel."""
        self._telling = say
        self.read_costs()

    def _show_costs(self, session: str, spending: Spending, limits: Limits) -> None:
        if session != self._home:
            return
        account = lines(spending, limits)
        self._panel.changes.show_account(account if spending.today.requests or session else ())
        words = [f"{one.name}: {one.whole}" for one in account]
        near = warning(spending, limits)
        self._title_bar.meter.show_costs("\n".join(filter(None, [*words, near])))
        say, self._telling = self._telling, None
        if say is not None:
            say(" · ".join(filter(None, [*words, near])))

    def read_changes(self) -> None:
        """Read the changes again."""
        session = self._home
        if session:
            self._bridge.call(
                lambda engine: engine.changes.list(session=session),
                lambda found: self._show_changes(session, found),
            )

    def read_context(self) -> None:
        """Read what the next request holds, when that tab is in front."""
        if self._panel.tab() != "context" or not self._panel.isVisible():
            return
        session, mode, folder = self._session, self._mode, self._folder
        self._bridge.call(
            lambda engine: engine.context(session=session, mode=mode, cwd="" if session else folder),
            lambda report: self._show_report(session, report),
            lambda problem: self._panel.context.show_report(None),
        )

    def apply(self, event: Event) -> None:
        """Follow what happens in the conversation, and in the one that it works for; events of others are
        not for here.
        """
        if event.session == self._home and isinstance(event, JobChanged):
            self._panel.jobs.put(event.job)
            self._panel.show_running(self._panel.jobs.running())
        elif event.session == self._home and isinstance(event, ChangeMade):
            self.read_changes()
        elif not event.session or event.session != self._session:
            return
        elif isinstance(event, ContextMeasured):
            self._title_bar.meter.show_use(event.used, event.window, event.exact)
        elif isinstance(event, TurnEnded):
            self._panel.changes.show_usage(event.usage, event.cost)
            self.read()

    def show_usage(self, messages: Sequence[Message]) -> None:
        """Show what the requests of the newest turn used in all."""
        turn = messages[-1].turn if messages else ""
        used = [message for message in messages if message.turn == turn and message.usage is not None]
        total = used[0].usage if used else None
        for message in used[1:]:
            if total is not None and message.usage is not None:
                total = total.plus(message.usage)
        costs = [message.cost for message in used if message.cost is not None]
        self._panel.changes.show_usage(total, sum(costs) if costs else None)

    def undo(self, change: str) -> None:
        """Take a change back; one that is undone comes back."""
        self._back.undo(change, self._panel.changes.is_undo(change))

    def stop_job(self, job: str) -> None:
        """Stop a background command."""
        self._bridge.call(lambda engine: engine.jobs.stop(job), None, self.problem.emit)

    def _show_changes(self, session: str, changes: Sequence[ChangeInfo]) -> None:
        if session == self._home:
            self._panel.changes.show_changes(named(changes, lambda session: self._folder))

    def _show_report(self, session: str, report: ContextReport) -> None:
        if session == self._session:
            self._panel.context.show_report(report)
            exact = all(part.exact for part in report.parts)
            self._title_bar.meter.show_use(report.total_tokens, report.window, exact)

    def _show_jobs(self, session: str, jobs: Sequence[JobInfo]) -> None:
        if session == self._home:
            self._panel.jobs.show_jobs([job for job in jobs if job.session == session])
            self._panel.show_running(self._panel.jobs.running())

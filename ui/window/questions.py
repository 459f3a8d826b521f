"""The questions that wait for the person: marked in the list, opened as dialogs, answered once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.events import ApprovalAnswered, ApprovalAsked, Event
from app.records import Answer, Approval, FileDiff, FilesEffect, Problem
from ui.language import _
from ui.window.bridge import Bridge
from ui.window.main_window import MainWindow
from ui.window.theme import Theme

if TYPE_CHECKING:
    from ui.window.approvals import ApprovalDialog


class Questions(QObject):
    """All waiting questions of the store; at most one dialog for each."""

    changed = Signal()
    gone = Signal()
    """An answer came too late: the question was answered elsewhere or its owner has ended."""
    elsewhere = Signal(str)
    """A dialog was closed since its question was answered elsewhere or withdrawn; carries the sentence."""
    problem = Signal(object)

    def __init__(self, bridge: Bridge, window: MainWindow, shown: Callable[[], str]) -> None:
        """`shown` returns the conversation that is shown."""
        super().__init__()
        self._bridge, self._window, self._shown = bridge, window, shown
        self._waiting: dict[str, Approval] = {}
        self._dialogs: dict[str, ApprovalDialog] = {}
        self._ours: set[str] = set()
        """Questions that were answered in this window."""
        self._allowed: dict[str, str] = {}
        """Calls whose change of files was allowed: asked again, its files have changed since."""
        self._offered: set[str] = set()
        """Questions whose dialog came up by itself once; whoever closed it opens it again from the card."""
        window.activated.connect(self.open_shown)

    def read(self) -> None:
        """Read what waits, from this and other processes."""
        self._bridge.call(lambda engine: engine.approvals.list(), self.show, self.problem.emit)

    def waiting(self, session: str = "") -> tuple[Approval, ...]:
        """Return what waits in a conversation, or in all, oldest first."""
        found = [one for one in self._waiting.values() if not session or one.session == session]
        return tuple(sorted(found, key=lambda one: one.asked))

    def apply(self, event: Event) -> None:
        """Follow questions that come and go."""
        if isinstance(event, ApprovalAsked):
            self._waiting[event.approval.id] = event.approval
            self.changed.emit()
            self._point_at(event.approval)
        elif isinstance(event, ApprovalAnswered):
            self._note(event)
            self._drop(event.approval)

    def review(self, approval: str) -> None:
        """Open the dialog of a question, or bring it forward."""
        question = self._waiting.get(approval)
        if question is None:
            self.gone.emit()
            return
        dialog = self._dialogs.get(approval)
        if dialog is None:
            from ui.window.approvals import ApprovalDialog

            again = self._allowed.get(question.call, approval) != approval and not _unwritable(question)
            dialog = ApprovalDialog(question, self._window.theme, self._window, again=again)
            dialog.answered.connect(self.answer)
            dialog.preview_wanted.connect(self._preview)
            dialog.finished.connect(lambda code: self._dialogs.pop(approval, None))
            self._dialogs[approval] = dialog
        dialog.show()
        dialog.raise_()
        dialog.activateWindow()

    def set_theme(self, theme: Theme) -> None:
        """Draw open dialogs with another theme."""
        for dialog in self._dialogs.values():
            dialog.set_theme(theme)

    def review_next(self) -> None:
        """Open the oldest question of the shown conversation, else the oldest of all."""
        waiting = self.waiting(self._shown()) or self.waiting()
        if waiting:
            self.review(waiting[0].id)

    def deny(self, approval: str) -> None:
        """Answer no, without a reason."""
        self.answer(approval, Answer(decision="deny", by="window"))

    def answer(self, approval: str, answer: Answer) -> None:
        """Hand over an answer; whoever asked acts on it."""
        self._ours.add(approval)
        self._remember(approval, answer)
        self._bridge.call(
            lambda engine: engine.answer(approval, answer),
            lambda taken: self._answered(approval, taken),
            self.problem.emit,
        )

    def _preview(self, dialog: ApprovalDialog, index: int, text: str) -> None:
        """Have it worked out what a person's text of a file changes."""
        effect = dialog.approval.effect
        assert isinstance(effect, FilesEffect)
        file, approval = effect.files[index], dialog.approval.id

        def show(made: FileDiff) -> None:
            if self._dialogs.get(approval) is dialog:
                dialog.show_preview(index, text, made)

        def refuse(problem: Problem) -> None:
            if self._dialogs.get(approval) is dialog:
                dialog.refuse_preview(problem)

        self._bridge.call(lambda engine: engine.changes.preview(file, text), show, refuse)

    def _note(self, event: ApprovalAnswered) -> None:
        """Remember what was allowed, and say so when a dialog is closed that the person has before them."""
        self._remember(event.approval, event.answer)
        if event.approval in self._dialogs and event.approval not in self._ours:
            self.elsewhere.emit(_elsewhere(event.answer))

    def _remember(self, approval: str, answer: Answer | None) -> None:
        question = self._waiting.get(approval)
        allowed = answer is not None and answer.decision == "allow"
        if question is not None and allowed and isinstance(question.effect, FilesEffect):
            self._allowed[question.call] = question.id

    def open_shown(self) -> None:
        """Open what waits in the shown conversation, when the window has the person's eye."""
        if not self._shown() or not self._window.isActiveWindow() or self._dialogs:
            return
        new = [one for one in self.waiting(self._shown()) if one.id not in self._offered]
        if new:
            self._offered.add(new[0].id)
            self.review(new[0].id)

    def _point_at(self, approval: Approval) -> None:
        if approval.session == self._shown() and self._window.isActiveWindow():
            self.open_shown()
        else:
            from ui.window.toast import alert

            alert(self._window)

    def _answered(self, approval: str, taken: bool) -> None:
        self._drop(approval)
        if not taken:
            self.gone.emit()

    def _drop(self, approval: str) -> None:
        dialog = self._dialogs.pop(approval, None)
        if dialog is not None:
            dialog.close()
        if self._waiting.pop(approval, None) is not None:
            self.changed.emit()
            self.open_shown()

    def show(self, approvals: Sequence[Approval]) -> None:
        self._waiting = {approval.id: approval for approval in approvals}
        self.changed.emit()
        self.open_shown()


def _elsewhere(answer: Answer | None) -> str:
    """Return what became of a question that this window has not answered."""
    if answer is None:
        return _("The question is gone: nobody waits for its answer any more.")
    if answer.decision == "allow":
        return _("The question was answered elsewhere: it is allowed.")
    return _("The question was answered elsewhere: it is denied.")


def _unwritable(question: Approval) -> bool:
    """Whether it is asked again since a person's own text could not be written, not since a file changed."""
    effect = question.effect
    return isinstance(effect, FilesEffect) and any(file.note == "cannot_hold" for file in effect.files)

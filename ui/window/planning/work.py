"""Connects the plan that waits and the steps of the work with the shown conversation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QWidget

from app.events import Event, MessageStored, RequestSent, SessionChanged, ToolFinished, TurnEnded, TurnStarted
from app.records import Message, Pin, Problem
from ui.language import _
from ui.plan_words import begin_words, unpinned
from ui.step_words import Step, standing_steps, steps_of
from ui.window.conversation import FIRST_MESSAGES
from ui.window.planning.bar import PlanBar
from ui.window.planning.steps import StepsStrip
from ui.window.theme import Theme
from ui.words import problem_text

if TYPE_CHECKING:
    from ui.window.furniture import Furniture
    from ui.window.life import Life
    from ui.window.planning.editor import PlanEditor

_FURTHER = 400
"""Newest messages in which the steps are looked for, where those that are drawn hold none."""


class Planning(QObject):
    """Owns the card of the plan, the strip of the steps, and the editor while it is open."""

    def __init__(self, life: Life, rest: Furniture) -> None:
        super().__init__()
        self._life, self._rest = life, rest
        page, conversation = life.window.chat, life.conversation
        self.bar = PlanBar(life.window.theme)
        self.strip = StepsStrip(life.window.theme)
        self.editor: PlanEditor | None = None
        self._shown = conversation.session
        self._answering = False
        self._begun = ""
        """The plan that was accepted here last: it is asked about no more, whatever the store still says."""
        self._told = False
        """Steps came since the conversation was opened: they are newer than those that were read."""
        self._usual = ""
        """What the field says when it is empty, while it says something else now."""
        page.queue_place.insertWidget(0, self.strip)
        page.queue_place.insertWidget(1, self.bar)
        self._put_before(page.composer.editor)
        self.bar.accepted.connect(self.accept)
        self.bar.edit_asked.connect(self.edit)
        self.bar.sent_back.connect(self.send_back)
        conversation.changed.connect(self.follow)
        conversation.drawn.connect(self._drawn)
        conversation.happened.connect(self.apply)
        if conversation.session:  # it stood before the rest of the window was made
            self._drawn()

    def _put_before(self, field: QWidget) -> None:
        """Let Tab come by what stands here right before the field for messages."""
        before = field.previousInFocusChain()
        while before is not None and before.focusPolicy() == Qt.FocusPolicy.NoFocus:
            before = before.previousInFocusChain()
        for part in (self.strip.toggle_button, *self.bar.buttons):
            if before is not None:
                QWidget.setTabOrder(before, part)
            before = part

    # --- what is shown -------------------------------------------------------------------------------------

    def follow(self) -> None:
        """Another conversation is shown: what stood here belongs to the one before."""
        conversation = self._life.conversation
        if conversation.session == self._shown:
            return
        self._shown, self._told = conversation.session, False
        self.strip.show_steps(())
        self.bar.show_plan(None)
        self._forget_hint()

    def _drawn(self) -> None:
        newest = self._life.conversation.newest
        if not self._told:
            steps = standing_steps(newest)
            self.strip.show_steps(steps)
            if not steps and len(newest) == FIRST_MESSAGES:
                self._look_further()
        self.read()

    def _look_further(self) -> None:
        session = self._shown

        def take(messages: Sequence[Message]) -> None:
            if session == self._shown and not self._told:
                self.strip.show_steps(standing_steps(messages))

        self._life.bridge.call(lambda engine: engine.sessions.messages(session, tail=_FURTHER), take)

    def read(self) -> None:
        """Look whether a plan waits; not while a turn runs or an answer is on its way."""
        conversation = self._life.conversation
        session, info = conversation.session, conversation.info
        if not session or conversation.running or self._answering or (info is not None and info.parent):
            return

        def take(plan: Message | None) -> None:
            if session != self._shown or conversation.running or self._answering:
                return
            self.bar.show_plan(plan if plan is None or plan.id != self._begun else None)

        self._life.bridge.call(lambda engine: engine.sessions.plans.waiting(session), take, lambda gone: None)

    def apply(self, event: Event) -> None:
        """Follow an event of the shown conversation."""
        match event:
            case TurnStarted():
                if self.strip.over():
                    self.strip.show_steps(())
                self.bar.show_plan(None)
            case RequestSent():
                self.bar.show_plan(None)
            case MessageStored() if event.message.role == "user":
                self.bar.show_plan(None)
                self._forget_hint()
            case MessageStored() | ToolFinished():
                view = event.message.view if isinstance(event, MessageStored) else event.view
                self._take_steps(steps_of(view))
            case TurnEnded() | SessionChanged():
                self.read()
            case _:
                pass

    def _take_steps(self, steps: tuple[Step, ...]) -> None:
        if steps:
            self._told = True
            self.strip.show_steps(steps)

    def set_theme(self, theme: Theme) -> None:
        """Draw with another theme."""
        self.strip.set_theme(theme)
        self.bar.set_theme(theme)
        if self.editor is not None:
            self.editor.set_theme(theme)

    # --- the person's word ---------------------------------------------------------------------------------

    def answer(self, argument: str) -> None:
        """Do what /accept says."""
        if argument == "edit":
            self.edit()
        elif argument:
            self._rest.toast.say(_("Say /accept, or /accept edit to change the plan first."))
        else:
            self.accept()

    def accept(self) -> None:
        """Pin the plan and have it carried out."""
        if self.bar.plan is None:
            self._say_none()
        elif not self._answering:
            self._accept(self._shown, "", None)

    def edit(self) -> None:
        """Open the plan in an editor, or bring that forward."""
        plan, session = self.bar.plan, self._shown
        if self.editor is None:
            if plan is None:
                self._say_none()
                return
            from ui.window.planning.editor import PlanEditor

            editor = self.editor = PlanEditor(plan.text, self._life.window.theme, self._life.window)
            editor.accepted_text.connect(lambda text: self._accept(session, text, editor))
            editor.finished.connect(self._left)
        self.editor.show()
        self.editor.raise_()
        self.editor.activateWindow()

    def _left(self) -> None:
        self.editor = None

    def send_back(self) -> None:
        """Let the person say what should be otherwise; that is answered in plan mode again."""
        conversation, editor = self._life.conversation, self._life.window.chat.composer.editor
        if self.bar.plan is None:
            self._say_none()
            return
        if conversation.mode() != "plan":
            conversation.set_mode("plan")
        hint = _("What should the plan do otherwise?")
        self._usual = self._usual or editor.placeholderText()
        editor.setPlaceholderText(hint)
        editor.setAccessibleDescription(hint)
        self._rest.deeds.write()

    def reject(self, words: str) -> None:
        """Send the plan back with what should be otherwise."""
        if self.bar.plan is None:
            self._say_none()
            if words:
                self._life.window.chat.composer.editor.replace(f"/reject {words}")
        elif not words:
            self.send_back()
        else:
            self._reject(self._shown, words)

    def _reject(self, session: str, words: str) -> None:
        """Choose plan mode first, so that this very message is answered in it."""
        outbox = self._life.outbox
        self._life.bridge.call(
            lambda engine: engine.sessions.configure(session, mode="plan"),
            lambda done: self._send(session, words),
            self._life.show_problem,
        )
        outbox.mode = "plan"

    def _forget_hint(self) -> None:
        if self._usual:
            editor = self._life.window.chat.composer.editor
            editor.setPlaceholderText(self._usual)
            editor.setAccessibleDescription("")
            self._usual = ""

    def _say_none(self) -> None:
        self._rest.toast.say(problem_text(Problem(code="no_plan")).title)

    def _accept(self, session: str, text: str, editor: PlanEditor | None) -> None:
        plan = self.bar.plan if session == self._shown else None
        self._answering = True
        self.bar.set_busy(True)

        def begun(pin: Pin) -> None:
            self._answering = False
            self._begun = plan.id if plan is not None else ""
            if editor is not None and editor is self.editor:
                editor.accept()
            if session == self._shown:
                self.bar.show_plan(None)
                if self._life.window.page() == "chat":
                    self._rest.deeds.write()
            self._life.outbox.mode = "agent"
            self._send(session, begin_words(unpinned(text, pin.text)))

        def refused(problem: Problem) -> None:
            self._answering = False
            self.bar.set_busy(False)
            if editor is not None and editor is self.editor:
                editor.refuse(problem)
            elif problem.code == "no_plan":
                self._say_none()
            else:
                self._life.show_problem(problem)
            self.read()

        self._life.bridge.call(lambda engine: engine.sessions.plans.accept(session, text), begun, refused)

    def _send(self, session: str, words: str) -> None:
        """Say something in a conversation that may have been left meanwhile."""
        if session == self._life.conversation.session:
            self._life.outbox.send(words)
        else:
            bridge = self._life.bridge
            bridge.call(lambda engine: engine.send(session, words), None, self._life.show_problem)

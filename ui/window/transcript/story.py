"""The rows of one conversation: what has happened, told by messages and events."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from app.events import (
    ApprovalAnswered,
    ApprovalAsked,
    CallStreamed,
    CompactionEnded,
    CompactionProgressed,
    CompactionStarted,
    Event,
    MessageStored,
    ReasoningStreamed,
    RequestHeld,
    RequestSent,
    RetryWaited,
    TextStreamed,
    ToolFinished,
    ToolProgressed,
    ToolStarted,
    TurnEnded,
    TurnStarted,
)
from app.records import Approval, HelperInfo, Message
from ui.sign_in_words import held_text
from ui.window.transcript.calls import Call
from ui.window.transcript.countdown import Countdown
from ui.window.transcript.heights import Heights
from ui.window.transcript.helper_calls import told_of, untold, working
from ui.window.transcript.helpers_seen import HelperSeen, among
from ui.window.transcript.known import Known
from ui.window.transcript.painting import Sheet
from ui.window.transcript.questions import Questions
from ui.window.transcript.rows import Row
from ui.window.transcript.spending import Spent
from ui.window.transcript.summarising import show_progress
from ui.words import stop_text


class Story:
    """Rows from the oldest to the newest. `stale` collects those whose blocks must be composed anew."""

    def __init__(self, sheet: Sheet, clock: Callable[[], float], messages: Sequence[Message] = ()) -> None:
        self.sheet, self.clock = sheet, clock
        self._known = Known()
        self.rows = self._known.rows
        self.heights = Heights()
        self.stale: dict[str, Row] = {}
        self.streaming: dict[str, Row] = {}
        """Rows with text that is not shown yet."""
        self._spent = Spent()
        self._running: dict[str, float] = {}
        """Turns that run, and when each began."""
        self._questions = Questions()
        self._summarising: dict[str, Row] = {}
        """The row of each turn under which earlier messages are being summarised now."""
        self._early: dict[str, Row] = {}
        """The row of each turn whose first request is held up."""
        self.countdown = Countdown()
        self._loading = True
        for message in messages:
            self._store(message)
        self._loading = False
        self._settle()

    def _settle(self) -> None:
        """Set what depends on all rows together."""
        for turn in self._known.last:
            self._end(turn)
        self.stale.clear()
        self.heights = Heights([row.height for row in self.rows])

    def resume(self) -> None:
        """The turn of the newest message still runs: nothing of it has broken off, and it says no sum yet."""
        row = self.rows[-1] if self.rows else None
        if row is None:
            return
        self._running.setdefault(row.turn, math.nan)  # nobody here saw when it began
        row.live = row.state == "streaming" and not row.mine
        for call in row.calls.values():
            call.state = "waiting" if call.state == "broken" else call.state
        self._end(row.turn)
        self._touch(row)

    def halt(self) -> None:
        """Nothing runs here any more though no end was told, as where another process ended or is gone."""
        for turn in list(self._running):
            del self._running[turn]
            for row in self.rows:
                if row.turn == turn and row.live:
                    row.live = False
                    self._touch(row)
            self._end(turn)

    def prepend(self, messages: Sequence[Message]) -> None:
        """Show older messages above those that are there."""
        older = Story(self.sheet, self.clock)
        older._spent, older._loading = self._spent, True
        for message in messages:
            if message.id not in self._known.by_key:
                older._store(message)
        for row in self._known.put_above(older._known):
            self._touch(row)
        stale = dict(self.stale)
        self._settle()
        self.stale = stale

    def place_of(self, message: str) -> tuple[Row, Call | None] | None:
        """Return the row that shows a message, and the call of it when the message is a result."""
        return self._known.place_of(message)

    def index(self, row: Row) -> int:
        """Return the number of a row in `rows`."""
        return row.order - self.rows[0].order

    def apply(self, event: Event) -> None:
        """Take one event of this conversation."""
        match event:
            case TextStreamed():
                row = self._answer(event.message, event.turn)
                row.stream(event.text)
                self.streaming[row.key] = row
            case ReasoningStreamed():
                row = self._answer(event.message, event.turn)
                row.stream(reasoning=event.text)
                self.streaming[row.key] = row
            case MessageStored():
                self._store(event.message)
            case TurnStarted():
                self._running[event.turn] = self.clock()
            case RequestSent():
                self._answer(event.message, event.turn)
            case RetryWaited():
                self._retry(event)
            case RequestHeld():
                self._hold(event)
            case TurnEnded():
                self._ended(event)
            case CompactionStarted() | CompactionProgressed() | CompactionEnded():
                self._compacting(event)
            case _:
                self._apply_call(event)

    def _apply_call(self, event: Event) -> None:
        match event:
            case CallStreamed():
                row = self._answer(event.message, event.turn)
                call = row.calls.setdefault(f"#{event.index}", Call(key=f"#{event.index}", name=event.name))
                call.name, call.state, call.size = event.name or call.name, "arriving", event.size
                self._touch(row)
            case ToolStarted():
                row, call = self._call(event.call.id, event.message, event.turn)
                call.started(event)
                self._touch(row)
            case ToolProgressed():
                row, call = self._call(event.call, "", event.turn)
                call.progressed(event.text)
                self._touch(row)
            case ToolFinished():
                row, call = self._call(event.call, "", event.turn)
                call.finished(event)
                self._list_steps(row, call)
                self._touch(row)
            case ApprovalAsked():
                self._asked(event.approval)
            case ApprovalAnswered():
                self._answered(event)
            case _:
                pass

    def _touch(self, row: Row) -> None:
        if not self._loading:
            row.flush()
            self.stale[row.key] = row

    def _add(self, row: Row) -> Row:
        row.order = self.rows[-1].order + 1 if self.rows else 0
        self.rows.append(row)
        self._known.by_key[row.key] = row
        if not self._loading:
            self.heights.append(row.height)
        if not row.mine:
            before = self._known.last.get(row.turn)
            if before is not None and before.ending:
                before.ending = ""
                self._touch(before)
            self._known.last[row.turn] = row
        return row

    def _answer(self, key: str, turn: str) -> Row:
        """Return the row of an answer that is being written."""
        if turn in self._early:
            self._name_early(key, turn)
        row = self._known.by_key.get(key)
        if row is None:
            row = self._add(Row(self.sheet, key, turn, mine=False))
            row.state = "streaming"
        if not row.live:
            row.live = True
            self._running.setdefault(turn, self.clock())
            self._end(turn)
            self._touch(row)
        if row.retry:
            row.retry = ""
            self.countdown.end()
            self._touch(row)
        return row

    def _name_early(self, key: str, turn: str) -> None:
        """Let the row that said why nothing is sent yet be that of the answer that comes now."""
        row = self._early.pop(turn)
        self._known.by_key.pop(row.key, None)
        self.stale.pop(row.key, None)
        row.key, row.state = key, "streaming"
        self._known.by_key[key] = row

    def _store(self, message: Message) -> None:
        if message.role == "tool":
            row, call = self._call(message.call, "", message.turn)
            call.finished(message)
            self._list_steps(row, call)
            self._known.results[message.id] = call.key
        else:
            if message.role == "summary" and message.turn in self._summarising:
                under_way = self._summarising[message.turn]
                under_way.key = message.id
                self._known.by_key[message.id] = under_way
            if message.turn in self._early and message.role == "assistant":
                self._name_early(message.id, message.turn)
            row = self._known.by_key.get(message.id) or self._add(
                Row(self.sheet, message.id, message.turn, mine=message.role == "user")
            )
            row.flush()
            row.take(message)
            for key, call in row.calls.items():
                self._known.calls[key] = row, call
            self._spent.add(message)
        self._touch(row)

    def _call(self, key: str, message: str, turn: str) -> tuple[Row, Call]:
        """Return a call and its row; one that nobody declared belongs to the newest answer of its turn."""
        if key in self._known.calls:
            return self._known.calls[key]
        row = self._known.by_key.get(message) or self._known.last.get(turn)
        row = row or self._add(Row(self.sheet, f"calls of {turn} {key}", turn, mine=False))
        call = row.calls.setdefault(key, Call(key=key, name=""))
        self._known.calls[key] = row, call
        return row, call

    def _list_steps(self, row: Row, call: Call) -> None:
        """Show the steps of the work where they were set down last, and only there."""
        if call.view.kind != "steps" or call.listed:
            return
        before, self._known.steps, call.listed = self._known.steps, (row, call), True
        if before is not None:
            before[1].listed = False
            self._touch(before[0])

    def show_helpers(self, helpers: Sequence[HelperSeen]) -> None:
        """Show how the helpers get on under the newest call that has helpers and has not ended."""
        row, call = next(working(self.rows), (None, None))
        if row is not None and call is not None:
            call.helpers = tuple(helpers)
            self._touch(row)

    def find_helpers(self, stored: Sequence[HelperInfo], *, running: bool) -> None:
        """Show stored helpers under the calls that began them and tell of none, as after a kill."""
        told = told_of(self.rows)
        left = [one for one in stored if one.session not in told]
        for row, call in untold(self.rows):
            call.helpers = among(left, call.arguments, running=running and call.open)
            left = [one for one in left if one.session not in {seen.session for seen in call.helpers}]
            self._touch(row)

    def _asked(self, approval: Approval) -> None:
        borrowed = approval.call not in self._known.calls
        row, call = self._call(approval.call, "", approval.turn)
        self._questions.put(approval, row, call, self.clock(), borrowed=borrowed)
        self._touch(row)

    def _answered(self, event: ApprovalAnswered) -> None:
        asked = self._questions.answered(event, self._known.calls)
        if asked is None:
            return
        if asked.row.turn in self._running:
            self._running[asked.row.turn] += self.clock() - asked.since  # the turn's time is that of the work
        self._touch(asked.row)

    def _compacting(self, event: CompactionStarted | CompactionProgressed | CompactionEnded) -> None:
        """Say in a row of its own that earlier messages are summarised; the summary then stands there."""
        if isinstance(event, CompactionStarted):
            key = f"summary {len(self.rows)} of {event.turn}"
            self._summarising[event.turn] = self._add(Row(self.sheet, key, event.turn, mine=False))
        row = self._summarising.get(event.turn)
        if row is None:
            return
        if isinstance(event, CompactionEnded):
            del self._summarising[event.turn]
            self.countdown.end()
        show_progress(row, event)
        self._touch(row)

    def _hold(self, event: RequestHeld) -> None:
        """Say why nothing is sent yet; before the first request of a turn in the row that its answer gets."""
        row = self._known.last.get(event.turn)
        if row is None:
            row = self._add(Row(self.sheet, f"answer of {event.turn}", event.turn, mine=False))
            self._early[event.turn] = row
        row.retry = held_text(event.why, event.provider)
        self._touch(row)

    def _retry(self, event: RetryWaited) -> None:
        row = self._known.last.get(event.turn)
        if row is not None:
            why, _advice, _action, label = self.sheet.words(event.problem)
            row.offer = (why, label) if event.problem.fields.get("fallback") else None
            self.countdown.begin(row, "" if row.offer else why, self.clock() + event.seconds)
            self.tick()

    def tick(self) -> None:
        """Bring the countdown up to now."""
        row = self.countdown.tick(self.clock())
        if row is not None:
            self._touch(row)

    def _ended(self, event: TurnEnded) -> None:
        began = self._running.pop(event.turn, None)
        self.countdown.end()
        for row in reversed(self.rows):
            if row.turn != event.turn:
                break
            if row.live or row.approvals or row.retry:
                row.live, row.retry, row.approvals = False, "", {}
                row.calls = {key: call for key, call in row.calls.items() if not key.startswith("#")}
                self._touch(row)
        if event.turn in self._known.last:
            row = self._known.last[event.turn]
        elif event.problem is None and event.stop == "done":
            return
        else:  # nothing was answered: what is to be said stands in a row of its own
            row = self._add(Row(self.sheet, f"end of {event.turn}", event.turn, mine=False))
        if event.problem is not None and row.problem is None:
            row.problem = event.problem
        partial = row.state in ("stopped", "failed")
        if event.stop not in ("done", "failed") and not partial:
            words = stop_text(event.stop)
            row.note = words[:1].upper() + words[1:]
        self._spent.set(event.turn, event.usage, event.cost)
        self._end(event.turn, self.clock() - began if began is not None else 0.0)
        self._touch(row)

    def _end(self, turn: str, seconds: float = 0.0) -> None:
        """Say what a turn took under its last answer; a turn that runs says nothing yet. `seconds` is not a
        number where that is not known.
        """
        row = self._known.last.get(turn)
        words = "" if turn in self._running else self._spent.words(turn, seconds)
        over = row is not None and turn not in self._running
        broken = [call for call in row.calls.values() if call.open] if row and over else []
        for call in broken:
            call.state = "broken"
        if row is not None and (broken or row.ending != words):
            row.ending = words
            self.stale[row.key] = row

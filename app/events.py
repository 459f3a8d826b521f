"""Everything that can happen, as small frozen records: all that a front end ever receives.

Events are past participles. Each carries its session ("" for those of the whole app). A message is in the
store before its event is sent;
streamed text is stored every 250 ms. `encode` gives the JSON line of `ask --events`.
"""

from __future__ import annotations

from typing import Literal, dataclass_transform

import msgspec

from app.daily_records import Inquiry, InquiryReply, TimerInfo
from app.records import (
    Answer,
    Approval,
    JobInfo,
    Message,
    Problem,
    Queued,
    RuleInfo,
    SessionInfo,
    Stop,
    ToolCall,
    Usage,
    View,
)


@dataclass_transform(frozen_default=True, field_specifiers=(msgspec.field,))
class Event(msgspec.Struct, frozen=True, tag_field="event", tag=True):
    """Base of all events."""

    session: str = ""


class SessionCreated(Event, kw_only=True):
    info: SessionInfo


class SessionChanged(Event, kw_only=True):
    """Title, pin, archive, delete, head or running changed, here or in another process. None: it is gone
    for good.
    """

    info: SessionInfo | None = None


class MessageStored(Event, kw_only=True):
    """A whole message (user, assistant, tool result) is in the store; replaces what was streamed for its
    id.
    """

    message: Message


class TurnStarted(Event, kw_only=True):
    turn: str


class RequestSent(Event, kw_only=True):
    """Request number `round` of the turn left. `message` is the id that the coming answer has."""

    turn: str
    round: int
    message: str
    model: str


class TextStreamed(Event, kw_only=True):
    turn: str
    message: str
    text: str


class ReasoningStreamed(Event, kw_only=True):
    turn: str
    message: str
    text: str


class CallStreamed(Event, kw_only=True):
    """A call has begun to arrive: its name is known, `size` characters of arguments are here."""

    turn: str
    message: str
    index: int
    name: str
    size: int


class ToolStarted(Event, kw_only=True):
    turn: str
    message: str
    call: ToolCall
    """The inner tool of use_tool, with its own arguments."""
    verb: str = ""
    subject: str = ""


class ToolProgressed(Event, kw_only=True):
    turn: str
    call: str
    text: str


class ToolFinished(Event, kw_only=True):
    turn: str
    call: str
    tool: str
    ok: bool
    summary: str
    text: str
    seconds: float
    view: View = View()
    undo: str = ""
    decision: str = ""
    code: str = ""
    """Of the problem that ended a single call (such as `bad_arguments`), "" for none."""


class ApprovalAsked(Event, kw_only=True):
    approval: Approval


class ApprovalAnswered(Event, kw_only=True):
    approval: str
    answer: Answer | None = None
    """None: the question is gone without an answer (stop, crash of its owner)."""


class QueueChanged(Event, kw_only=True):
    queued: tuple[Queued, ...]


class RequestHeld(Event, kw_only=True):
    """The request is held up before it is sent: other requests to this provider come first (`turn`), or the
    way in is being made (`way_in`).
    """

    turn: str
    why: Literal["turn", "way_in"]
    provider: str


class RetryWaited(Event, kw_only=True):
    """The next try comes in `seconds`."""

    turn: str
    problem: Problem
    seconds: float
    attempt: int


class TurnEnded(Event, kw_only=True):
    turn: str
    stop: Stop
    rounds: int
    usage: Usage
    cost: float | None = None
    problem: Problem | None = None


class ContextMeasured(Event, kw_only=True):
    used: int
    window: int
    exact: bool


class CompactionStarted(Event, kw_only=True):
    """Older messages are being summarised, since the context is `full`, the provider said `overflow`, or the
    person `asked`.
    """

    turn: str
    why: str


class CompactionProgressed(Event, kw_only=True):
    """So many of the requests that the summary takes are answered."""

    turn: str
    done: int
    total: int


class CompactionEnded(Event, kw_only=True):
    """The summary is in the store as `message`; "" when it was stopped or failed."""

    turn: str
    message: str = ""


class PinsChanged(Event, kw_only=True):
    """A note was pinned in a conversation, or taken off."""


class JobChanged(Event, kw_only=True):
    job: JobInfo


class ChangeMade(Event, kw_only=True):
    """A change was journaled, undone or redone."""

    change: str


class SettingsChanged(Event, kw_only=True):
    pass


class RulesChanged(Event, kw_only=True):
    """Saved rules came or went, here or in another process; which ones is known only for those from here."""

    added: tuple[RuleInfo, ...] = ()
    removed: tuple[RuleInfo, ...] = ()


class ServersChanged(Event, kw_only=True):
    """An MCP server came, went, or is in another state; `server` is its id, "" for several."""

    server: str = ""


class SignInAsked(Event, kw_only=True):
    """The person may sign in to an MCP server now: `url` is for their browser. Only where it was begun."""

    server: str
    url: str


class InquiryAsked(Event, kw_only=True):
    """A model asks the person something; it is no approval."""

    inquiry: Inquiry


class InquiryAnswered(Event, kw_only=True):
    """A question is answered, or gone: then `reply` is None. Another process tells no reply."""

    inquiry: str
    reply: InquiryReply | None = None


class TimerRang(Event, kw_only=True):
    """A timer is due. One process tells of it, the person puts it away."""

    timer: TimerInfo


class TimersChanged(Event, kw_only=True):
    """Timers were set, rang or were put away."""


class MemoryChanged(Event, kw_only=True):
    """Something was remembered, changed, put away or forgotten, here or in another process."""


class SkillsChanged(Event, kw_only=True):
    """Skills were written, switched, pinned, or a project's were agreed to or refused."""


class InstructionsChanged(Event, kw_only=True):
    """The person said something to a project's instructions."""


class OwnToolsChanged(Event, kw_only=True):
    """The person's own tools: a file came, went or changed, or one was trusted, forgotten or switched."""


class StoreFailed(Event, kw_only=True):
    """The store cannot be written (full, read-only, locked, corrupt); reading goes on. See StoreHealed."""

    problem: Problem


class StoreHealed(Event, kw_only=True):
    """The store can be written again."""


class DownloadProgressed(Event, kw_only=True):
    """`done` and `total` in bytes, total 0 when unknown; `step` is fetch, join, check or ready."""

    name: str
    step: str
    done: int
    total: int


class Noticed(Event, kw_only=True):
    """Something a person should know; worded like a problem."""

    problem: Problem


def encode(event: Event) -> bytes:
    """Return the event as one line of JSON, without the line end."""
    return msgspec.json.encode(event)

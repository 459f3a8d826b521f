"""Frozen records of what a model asks a person, and of timers. Times are unix seconds."""

from __future__ import annotations

from app.record import Record


class InquiryChoice(Record, kw_only=True):
    """One answer that a person can pick, with a line that says what it means."""

    text: str
    detail: str = ""


class Inquiry(Record, kw_only=True):
    """A question of a model that waits for the person. It lives in the store; any process may answer. No
    answer to it ever allows anything: it is no approval.
    """

    id: str
    session: str
    turn: str
    question: str
    choices: tuple[InquiryChoice, ...] = ()
    several: bool = False
    """Whether more than one choice may be picked."""
    asked: float = 0.0


class InquiryReply(Record, kw_only=True):
    """What a person said: what they picked, words of their own, or that they would rather not answer."""

    picked: tuple[str, ...] = ()
    text: str = ""
    declined: bool = False


class TimerInfo(Record, kw_only=True):
    """A timer or reminder. `rang` is when the person was told, 0 before; it stays until it is put away."""

    id: str
    label: str
    due: float
    session: str = ""
    made: float = 0.0
    rang: float = 0.0

"""What a model asks the person, in words for both front ends."""

from __future__ import annotations

from app.daily_records import TimerInfo
from ui.language import _


def asks_title() -> str:
    """Say who asks."""
    return _("Bramble asks you")


def several_text(several: bool) -> str:
    """Say how many choices may be picked."""
    return (
        _("Pick as many as you like, or write an answer.") if several else _("Pick one, or write an answer.")
    )


def no_grant() -> str:
    """Say that an answer allows nothing."""
    return _("Your answer allows nothing by itself.")


def ring_text(timer: TimerInfo, time: str) -> str:
    """Say that a timer is due; one that was due while nothing ran says when. `time` is when it was due."""
    late = timer.rang - timer.due > 60
    words = _("{name} was due at {time}, while Bramble did not run.") if late else _("{name}: it is {time}.")
    return words.replace("{name}", timer.label or _("Timer")).replace("{time}", time)

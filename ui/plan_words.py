"""Words about the plan that a conversation in plan mode ends in, for both front ends."""

from __future__ import annotations

from ui.language import _


def begin_words() -> str:
    """Return what is said to the model when the person accepts a plan."""
    return _("I accept the plan. Carry it out.")


def ask_words() -> str:
    """Return what a person is told when a plan waits for their word."""
    return _("This is a plan. Nothing has been changed yet.")

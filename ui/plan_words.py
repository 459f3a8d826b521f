"""Words about the plan that a conversation in plan mode ends in, for both front ends."""

from __future__ import annotations

from ui.language import _


def begin_words(own: str = "") -> str:
    """Return what is said to the model when the person accepts a plan.

    `own` is the person's text of it where that is longer than a pinned note: then all of it is said.
    """
    if own:
        return _("I accept the plan as I changed it. Carry it out:") + f"\n\n{own}"
    return _("I accept the plan. Carry it out.")


def unpinned(text: str, pinned: str) -> str:
    """Return the person's text of a plan where the note that was pinned holds only a part of it, else ""."""
    return text if text.strip() and text.strip() != pinned else ""


def plan_title() -> str:
    """Return what the newest answer is, in one sentence."""
    return _("This is a plan.")


def plan_detail() -> str:
    """Return what became of it so far."""
    return _("Nothing has been changed yet.")


def ask_words() -> str:
    """Return what a person is told when a plan waits for their word."""
    return f"{plan_title()} {plan_detail()}"

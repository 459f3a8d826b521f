"""/accept and /reject of `bramble chat`: the person's word on the plan that plan mode ended in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ui.plan_words import ask_words, begin_words, unpinned
from ui.terminal.clean import one_line
from ui.words import _

if TYPE_CHECKING:
    from ui.terminal.chat import Talk


async def accept(talk: Talk, argument: str) -> None:
    """Pin the plan and carry it out in agent mode; `edit` opens it in the person's editor first."""
    text = ""
    if argument == "edit":
        plan = await talk.engine.sessions.plans.waiting(talk.info.id)
        edited = await _edited(talk, plan.text) if plan is not None else None
        if plan is not None and edited is None:
            return
        text = edited if plan is not None and edited and edited != plan.text.strip() else ""
    pin = await talk.engine.sessions.plans.accept(talk.info.id, text)
    talk.set_mode("agent")
    talk.info = await talk.engine.sessions.get(talk.info.id)
    talk.terminal.note(_("The plan is pinned and carried out now, in mode Agent."), "good")
    await talk.say(begin_words(unpinned(text, pin.text)))


async def reject(talk: Talk, argument: str) -> None:
    """Send the plan back with what should be otherwise."""
    if not argument:
        talk.terminal.note(_("Say what should be otherwise: /reject TEXT."))
        return
    await talk.say(argument)


async def tell_plan(talk: Talk) -> None:
    """Say that a plan waits, and how to answer it."""
    from app.errors import BrambleError

    try:
        waiting = await talk.engine.sessions.plans.waiting(talk.info.id)
    except BrambleError:  # the conversation is gone, and its plan with it
        return
    if waiting is not None:
        how = _("/accept carries it out, /accept edit lets you change it, /reject TEXT sends it back.")
        talk.terminal.note(f"{ask_words()} {how}")


async def _edited(talk: Talk, text: str) -> str | None:
    from ui.terminal.external import CannotEdit, edited

    try:
        with talk.away():
            return (await edited(text, "plan.md", talk.terminal.environ)).strip() or None
    except CannotEdit as error:
        words = _("It could not be edited ({why}). Nothing has changed.")
        talk.terminal.note(one_line(words.replace("{why}", str(error))), "caution")
        return None

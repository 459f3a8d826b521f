"""A damaged store: what is offered in its place, in words and by one click."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from app.records import Problem
from ui.language import _
from ui.words import ProblemText, ago, problem_text

if TYPE_CHECKING:
    from app.engine import Engine
    from ui.window.furniture import Furniture
    from ui.window.life import Life

CODE = "store_corrupt"


def offer(problem: Problem, now: float) -> ProblemText:
    """Return the words for a damaged store: the newest backup with its time, else what can still be read."""
    words = problem_text(problem)
    if problem.fields.get("backup"):
        when = ago(float(problem.fields["made"]), now)
        detail = _("Newest backup: {when}. The damaged file is kept beside it.").replace("{when}", when)
        return words._replace(detail=detail, action_label=_("Restore this backup"))
    detail = _("There is no backup yet. What can still be read can take its place; the damaged file is kept.")
    return words._replace(detail=detail, action_label=_("Save what can be read"))


def rescue(life: Life, rest: Furniture) -> None:
    """Put what the notice offers in the place of the damaged store."""
    shown = rest.notice.problem
    backup = shown.fields.get("backup", "") if shown is not None and shown.code == CODE else ""

    async def put(engine: Engine) -> bool:
        await engine.copies.restore(backup or await engine.copies.salvage())
        return not backup

    rest.notice.show_busy(_("This takes a moment…"))
    life.bridge.call(
        put, lambda salvaged: _done(life, rest, salvaged), lambda problem: _failed(rest, problem)
    )


def _done(life: Life, rest: Furniture, salvaged: bool) -> None:
    show_restored(life, rest)
    rest.toast.say(_("What could be read is in place.") if salvaged else _("The backup is in place."))


def show_restored(life: Life, rest: Furniture) -> None:
    """Show the conversations of the store that was put in place."""
    rest.notice.hide()
    life.conversation.show_new()
    life.sessions.read()
    life.questions.read()


def _failed(rest: Furniture, problem: Problem) -> None:
    """Say why it did not work; where nothing can be read at all, what a person can do by hand."""
    words = problem_text(problem)
    if problem.code == CODE:
        words = ProblemText(
            _("Nothing of the data file can be read."),
            _("Move {path} away and start again; a new one is made.").replace(
                "{path}", problem.fields.get("path", "bramble.db")
            ),
            "open_data_folder",
            _("Open the data folder"),
        )
    rest.notice.show_problem(problem, words)


def words_of(problem: Problem) -> ProblemText:
    """Return the words of a problem of the whole app."""
    return offer(problem, time.time()) if problem.code == CODE else problem_text(problem)

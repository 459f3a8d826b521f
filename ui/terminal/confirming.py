"""Questions at the terminal that only y answers with yes; where nobody is there, that is a refusal."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from ui.terminal import exits
from ui.terminal.session import Trouble, attended
from ui.words import _

if TYPE_CHECKING:
    from ui.terminal.output import Terminal

NextLine = Callable[[], Awaitable[str | None]]
"""Gives the next line that the person types, None at the end."""


async def ask_of_project(
    terminal: Terminal,
    line: NextLine,
    show: Callable[[], None],
    agree: Callable[[], Awaitable[object]],
    refuse: Callable[[], Awaitable[object]],
) -> str | None:
    """Ask in a conversation about what a project brings; `show` writes it whole. Return "" once there is an
    answer, else the line that was none, to be said instead.
    """
    terminal.note(
        _("y uses them, n leaves them out, l shows them; anything else: you are asked another time.")
    )
    while True:
        typed = await line()
        match (typed or "").strip().casefold():
            case "y":
                await agree()
                return ""
            case "n":
                await refuse()
                return ""
            case "l":
                show()
                terminal.note(_("y uses them, n leaves them out."))
            case _:
                return typed


async def confirmed(terminal: Terminal, question: str) -> bool:
    """Ask, and return whether the person typed y. Raises Trouble (refused) where nobody can answer, which
    ends with the exit code of a missing approval.
    """
    if not attended(terminal) or terminal.json_wanted:
        raise Trouble("refused", exit=exits.NO_APPROVAL)
    from ui.terminal.approving import AnswerLines

    lines = AnswerLines(terminal)
    terminal.note(question, "strong")
    await lines.settle()
    if (await lines.answer() or "").strip().casefold() == "y":
        return True
    terminal.note(_("It was left as it was."))
    return False

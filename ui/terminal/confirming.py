"""One question at the terminal that only y answers with yes; where nobody is there, that is a refusal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ui.terminal import exits
from ui.terminal.session import Trouble, attended
from ui.words import _

if TYPE_CHECKING:
    from ui.terminal.output import Terminal


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

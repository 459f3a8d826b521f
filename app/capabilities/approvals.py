"""What a front end can do with waiting questions, those of other processes included."""

from __future__ import annotations

from app.capabilities.questions import Questions
from app.errors import BrambleError
from app.platform.processes import began_in_tool
from app.records import Answer, Approval
from app.store import approvals
from app.store.database import Store


class Approvals:
    """Facade over the waiting questions of all processes."""

    def __init__(self, store: Store, questions: Questions) -> None:
        self._store = store
        self._questions = questions

    async def list(self) -> list[Approval]:
        """Return what waits, oldest first."""
        return await self._store.read(approvals.waiting)

    async def get(self, approval: str) -> Approval | None:
        """Return one waiting question, None when it is gone or answered."""
        return await self._store.read(approvals.get, approval)

    async def answer(self, approval: str, answer: Answer) -> bool:
        """Answer it; false when it is gone or answered already.

        Raises BrambleError (own_approval) for a yes in a process that a tool began: see `began_in_tool`.
        """
        if answer.decision == "allow" and began_in_tool():
            raise BrambleError("own_approval", "A command of a tool cannot allow anything.")
        return await self._questions.answer(approval, answer)

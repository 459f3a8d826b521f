"""The plan that plan mode ends in: it waits for the person's word, who accepts, edits or sends it back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from app.conversation.pins import LONGEST, Pins
from app.errors import BrambleError
from app.records import Message, Pin

if TYPE_CHECKING:
    from app.conversation.sessions import Sessions

_REST = "\n[the rest of the plan stands in the conversation]"


class Plans:
    """Facade over plans. All methods raise BrambleError no_session for an unknown id."""

    def __init__(self, sessions: Sessions, pins: Pins) -> None:
        self._sessions = sessions
        self._pins = pins

    async def waiting(self, session: str) -> Message | None:
        """Return the answer that is a plan and waits, None where the newest answer is none."""
        await self._sessions.get(session)
        return plan_of(await self._sessions.messages(session, tail=1))

    async def accept(self, session: str, text: str = "") -> Pin:
        """Pin the plan, with the words that the person made of it, and go on in agent mode. The caller then
        says that it may begin.

        Raises BrambleError: no_plan where none waits (any more), pin_too_long where other notes leave no
        room.
        """
        plan = await self.waiting(session)
        if plan is None:
            raise BrambleError("no_plan", "No plan waits in this conversation.", session=session)
        said = text.strip()
        own = said and said != plan.text.strip()  # then it is the person's own text, and to be told anew
        if own or len(plan.text.strip()) > LONGEST:
            pin = await self._pins.add(session, _fitting(said or plan.text.strip()), source=plan.id)
        else:
            pin = await self._pins.add(session, message=plan.id)
        await self._sessions.configure(session, mode="agent")
        return pin


def _fitting(plan: str) -> str:
    """Return as much of a plan as a note may have."""
    return plan if len(plan) <= LONGEST else plan[: LONGEST - len(_REST)] + _REST


def plan_of(branch: Sequence[Message]) -> Message | None:
    """Return the plan at the end of a branch, None where it ends otherwise."""
    last = branch[-1] if branch else None
    if last is None or last.mode != "plan":
        return None
    done = last.role == "assistant" and last.state == "complete" and not last.calls and last.finish == "stop"
    return last if done and last.text.strip() else None

"""Helpers: bounded conversations that a turn starts for parts of its work, with fewer tools and rights than
its own, and a report at the end (product.md 1.10).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import msgspec

from app.capabilities.gate import Gate
from app.conversation.only import limit
from app.conversation.sessions import Sessions
from app.errors import ToolError
from app.events import TurnEnded
from app.permissions.marks import merged
from app.records import Mark, Message, TurnOptions
from tools import HelperReport

if TYPE_CHECKING:
    from app.conversation.turn_run import TurnRun
    from app.conversation.turns import Turns

MOST = 4
"""Helpers at once (product.md 1.10)."""
ROUNDS = 40
"""Model rounds of one helper, of the 100 that a turn may have."""
TITLE = 60
"""Characters of a helper's title."""
FORBIDDEN = frozenset({"delegate", "ask_user", "plan_steps"})
"""What belongs to the conversation with the person."""


class Delegation:
    """Starts helpers for the call of one turn. Implements `tools.Helpers`."""

    def __init__(
        self,
        turns: Callable[[], Turns],
        sessions: Sessions,
        session: str,
        gate: Gate,
        progress: Callable[[str], None],
    ) -> None:
        self._turns = turns
        self._sessions = sessions
        self._session = session
        self._gate = gate
        self._progress = progress

    async def run(
        self, tasks: Sequence[str], tools: Sequence[str] = (), rounds: int = ROUNDS
    ) -> tuple[HelperReport, ...]:
        """Run a helper for each task, side by side, and return their reports in the order of the tasks. They
        end with this call. Raises ToolError: bad_arguments, unknown_tool, mode_forbids.
        """
        wanted = [task.strip() for task in tasks]
        if not wanted or not all(wanted):
            raise ToolError("bad_arguments", "Give each helper a task.")
        if len(wanted) > MOST:
            raise ToolError("bad_arguments", f"At most {MOST} helpers work at once, not {len(wanted)}.")
        parent = self._turns().of(self._session).now
        if parent is None:
            raise ToolError("mode_forbids", "Only the turn of a conversation can have helpers.")
        if parent.info.parent:
            raise ToolError("mode_forbids", "A helper has no helpers of its own.")
        only = self._tools(parent, tools)
        try:
            async with asyncio.TaskGroup() as group:
                working = [group.create_task(self._one(parent, task, only, rounds)) for task in wanted]
        except BaseExceptionGroup as failed:  # one cannot even begin: the others have ended with it
            raise failed.exceptions[0] from None
        done = [one.result() for one in working]
        self._gate.mark(*merged(*(marks for _, marks in done)))
        return tuple(report for report, _ in done)

    def _tools(self, parent: TurnRun, tools: Sequence[str]) -> frozenset[str]:
        """Return the names that a helper may call: those asked for, as far as its parent may call them."""
        registry = parent.means.calls.registry
        there = {*registry.loadable(parent.mode, only=parent.only), *parent.prefix.offered} - FORBIDDEN
        if missing := [name for name in tools if name not in there]:
            raise ToolError("unknown_tool", f"A helper cannot have {', '.join(missing)}.", tool=missing[0])
        return frozenset(tools or there)

    async def _one(
        self, parent: TurnRun, task: str, only: frozenset[str], rounds: int
    ) -> tuple[HelperReport, tuple[Mark, ...]]:
        model = f"{parent.profile.name}/{parent.model}"
        info = await self._sessions.create(
            cwd=parent.info.cwd,
            mode=parent.mode,
            model=model,
            effort=parent.info.effort,
            title=" ".join(task.split())[:TITLE],
            parent=self._session,
        )
        await limit(parent.means.store, info.id, only)
        options = msgspec.structs.replace(
            parent.options,
            mode=parent.mode,
            model=model,
            max_rounds=max(1, min(rounds, ROUNDS)),
            marks=merged(parent.options.marks, parent.around.marks),
            delegated=parent.home,
        )
        self._turns().of(info.id).purse = parent.room.tally.purse
        return await self._report(info.id, task, options)

    async def _report(
        self, helper: str, task: str, options: TurnOptions
    ) -> tuple[HelperReport, tuple[Mark, ...]]:
        conversation = self._turns().of(helper)
        try:
            await conversation.send(task, options)
            ended = await conversation.wait()
        except asyncio.CancelledError:
            await asyncio.shield(conversation.stop())
            raise
        branch = await self._sessions.messages(helper)
        return _reported(helper, task, ended, branch), merged(*(message.marks for message in branch))


def _reported(helper: str, task: str, ended: TurnEnded | None, branch: Sequence[Message]) -> HelperReport:
    """Return what a helper came to: its last words, or why there are none."""
    answers = [message for message in branch if message.role == "assistant" and message.text.strip()]
    stop = ended.stop if ended is not None else "failed"
    text = answers[-1].text if answers else ""
    if stop != "done":
        why = ended.problem.code if ended is not None and ended.problem is not None else ""
        text = f"{text}\n[the helper ended early: {stop}{f', {why}' if why else ''}]".strip()
    return HelperReport(
        session=helper,
        task=task,
        text=text or "[the helper said nothing]",
        ok=stop == "done" and bool(answers),
        rounds=ended.rounds if ended is not None else 0,
    )

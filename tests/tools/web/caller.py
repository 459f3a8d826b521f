"""Calls the tools of the web as a model does, on the one path of a call, against servers of this computer."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, cast

from app.capabilities.context import Contexts
from app.capabilities.gate import Gate
from app.capabilities.jobs import Jobs
from app.records import Answer, Decision, Effect, Mode, ToolCall
from app.toolbox.call import Outcome, Scope, ToolCalls
from app.toolbox.output import Spill
from app.toolbox.registry import load_registry
from tests.capabilities.web_desk import WebDesk


class Caller:
    """Calls tools in the folder of a desk; the person's answer is the desk's."""

    def __init__(
        self, desk: WebDesk, spill: Path, rules: Iterable[str] = (), named: Iterable[str] = ()
    ) -> None:
        self.desk, self.rules, self.named = desk, tuple(rules), tuple(named)
        contexts = Contexts(cast(Jobs, None), desk.desk.world, web=desk.web)  # no command runs here
        self.calls = ToolCalls(load_registry(), contexts.make, Spill(spill))
        self.said: list[str] = []
        self.gates: list[Gate] = []

    def scope(self, mode: Mode = "agent", stance: Any = "act") -> Scope:
        gate = self.desk.gate("", *self.rules, named=self.named)
        return Scope(
            session="s",
            turn="t",
            cwd=str(self.desk.desk.folder),
            mode=mode,
            policy=gate.policy,
            stance=stance,
        )

    async def __call__(
        self, tool: str, mode: Mode = "agent", stance: Any = "act", **arguments: Any
    ) -> Outcome:
        async def ask(effect: Effect, decision: Decision) -> Answer:
            self.desk.desk.asked.append(effect)
            return self.desk.desk.answer(effect)

        call = ToolCall(id="c1", name=tool, arguments=json.dumps(arguments))
        progress: Callable[[str], None] = self.said.append
        return await self.calls.run(call, self.scope(mode, stance), ask, progress)

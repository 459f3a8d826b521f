"""The one path of a tool call: find the tool, check mode and arguments, run it behind its gate, cut what it
says.

Whatever happens, the model gets one result; only a stop goes through. This is one of the three borders with
a broad `except`.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Literal, Protocol

import msgspec

from app.capabilities.call_site import CallSite
from app.capabilities.gate import Gate, Judged, Stance
from app.errors import BrambleError, Refused, ToolError
from app.permissions.policy import Policy
from app.platform.plain_text import visible
from app.record import Record
from app.records import Answer, Decision, Effect, Mark, Mode, ToolCall, View
from app.toolbox.bridge import inner, shown
from app.toolbox.here import Here
from app.toolbox.output import Spill
from app.toolbox.registry import FINDING, AnyTool, Only, Registry, nearest
from tools import FindTools, ReadContext, ToolContext, ToolFailed, ToolResult

log = logging.getLogger(__name__)

Way = Literal["bridge", "native", "append", "preload"]
"""How a found tool is called (product.md 2.5): over use_tool, by its name once the provider has loaded it, by
its name once it has joined the list, or not at all.
"""

_NAME = 80
"""Characters of the name of an unknown tool, which is any text at all, that a person sees."""


class Scope(Record):
    """Where a call happens and what may happen there."""

    session: str
    turn: str
    cwd: str
    mode: Mode
    policy: Policy
    stance: Stance = "act"
    renew: Callable[[], Policy] | None = None
    """Gives what holds now, for the rest of a call whose answer saved a rule."""
    offered: frozenset[str] = frozenset()
    """The tools whose schemas the request carries."""
    deferred: frozenset[str] = frozenset()
    """Those that it carries unloaded, to be called by name once they were found (`native`)."""
    active: frozenset[str] = frozenset()
    """The further ones whose schemas stand in the context."""
    favour: frozenset[str] = frozenset()
    """Tools that the loaded skills suggest."""
    way: Way = "bridge"
    only: Only = None
    room: int = 0
    """Characters that a result may have for a model with a small window, 0 for as many as any."""


class Outcome(Record):
    """What became of a call. `decision` is allow (also when nothing had to be judged), ask (needed an answer
    that nobody gave) or deny.
    """

    text: str
    ok: bool
    summary: str = ""
    view: View = View()
    undo: str = ""
    seconds: float = 0.0
    decision: str = ""
    images: tuple[bytes, ...] = ()
    marks: tuple[Mark, ...] = ()
    """The untrusted sources that the text holds."""
    judged: Decision | None = None
    """The last verdict, with its rule and parts; also of the mode or a helper's list. None when nothing was
    judged.
    """
    code: str = ""
    """Of the problem that ended it, "" for none and for a failure of the tool's own."""


Ask = Callable[[Effect, Decision], Awaitable[Answer]]


MakeContext = Callable[[Gate, CallSite], ReadContext | ToolContext]
"""Builds the capabilities of one call behind its gate."""


class MakeFinder(Protocol):
    """Makes the search over tools for one call."""

    def __call__(self, scope: Scope) -> FindTools: ...


class ToolCalls:
    """Runs tool calls; the same for the window, the terminal, routines and delegated conversations.

    A call of use_tool is taken for the one it stands for, everywhere.
    """

    def __init__(
        self,
        registry: Registry,
        make_context: MakeContext,
        spill: Spill,
        clock: Callable[[], float] = time.monotonic,
        finder: MakeFinder | None = None,
    ) -> None:
        self.registry = registry
        self.finder = finder
        self.make_context = make_context
        self.spill = spill
        self.clock = clock

    def reads(self, call: ToolCall) -> bool:
        """Whether the call only reads, so that it may run beside others. Unknown tools and broken arguments
        do no harm.
        """
        call = shown(call)
        tool = self.registry.tools.get(call.name)
        return tool is None or tool.reads(call.arguments)

    def label(self, call: ToolCall) -> tuple[str, str]:
        """Return the verb and the main argument that a person sees in the row of the call."""
        call = shown(call)
        tool = self.registry.tools.get(call.name)
        if tool is None:
            return visible(call.name[:_NAME]).replace("\n", "\\n"), ""
        return tool.verb or tool.name, tool.subject(call.arguments)

    async def run(
        self, call: ToolCall, scope: Scope, ask: Ask, progress: Callable[[str], None] = lambda text: None
    ) -> Outcome:
        """Run `call` and return what became of it. Raises only CancelledError and, in the stance *judge*,
        Judged.
        """
        started = self.clock()
        name = shown(call).name
        gate = Gate(
            tool=name,
            policy=scope.policy,
            ask=ask,
            stance=scope.stance,
            renew=scope.renew,
            clock=self.clock,
        )
        try:
            result = await self._run(inner(call), scope, gate, progress)
            outcome = Outcome(
                text=await self._held_short(result, name, scope, call.id),
                ok=result.ok,
                summary=result.summary,
                undo=result.undo,
                images=result.images,
                view=View(kind=result.view, data=dict(result.data)),
            )
        except Judged:
            raise
        except Refused as error:
            denied = error.code == "denied"
            outcome = Outcome(
                text=str(error),
                ok=False,
                summary="denied" if denied else "needs approval",
                code=error.code,
            )
        except ToolFailed as error:
            outcome = Outcome(text=str(error), ok=False, summary="failed")
        except BrambleError as error:  # also a store that cannot be written now
            outcome = Outcome(text=str(error), ok=False, summary="failed", code=error.code)
        except Exception as error:
            log.exception("tool %s failed", name)
            outcome = Outcome(
                text=f"{name} failed inside Bramble: {type(error).__name__}: {error}",
                ok=False,
                summary="failed",
            )
        return _timed(outcome, self.clock() - started - gate.waited, gate)

    async def _run(
        self, call: ToolCall, scope: Scope, gate: Gate, progress: Callable[[str], None]
    ) -> ToolResult:
        tool = self._find(call.name, scope.only, gate)
        reads = tool.reads(call.arguments)
        if scope.mode != "agent" and not reads:
            told = f"{call.name} changes something, which {scope.mode} mode does not allow."
            gate.refused = Decision(decision="deny", reason="mode_forbids", parts=(told,))
            raise ToolError("mode_forbids", told, mode=scope.mode)
        if tool.source == "built in":
            arguments = tool.validate(call.arguments)
        else:  # the first schema of somebody else loads what reads it, and a large one takes its time
            arguments = await asyncio.to_thread(tool.validate, call.arguments)
        find = self.finder(scope) if self.finder else None
        site = CallSite(scope.session, scope.turn, call.name, scope.cwd, reads, progress, scope.mode, find)
        context = partial(self.make_context, gate, site)
        here = Here(gate, context, scope.session, scope.turn, call.id, scope.cwd, progress)
        return await tool.run(here, arguments)

    async def _held_short(self, result: ToolResult, name: str, scope: Scope, call: str) -> str:
        """Return the text of a result as the model gets it."""
        tool = self.registry.tools.get(name)
        if tool is not None and tool.whole:
            return visible(result.text)
        whole, size = str(result.data.get("whole", "")), int(result.data.get("size") or 0)
        session, room = scope.session, scope.room
        cut = partial(self.spill.cut, result.text, session, call, whole=whole, size=size, most=room)
        # A short text is only looked through, which costs less than a thread.
        return cut() if len(result.text) <= self.spill.limit else await asyncio.to_thread(cut)

    def _find(self, name: str, only: Only, gate: Gate) -> AnyTool:
        tool = self.registry.tools.get(name)
        if tool is not None and only is not None and not (name in only or name in FINDING):
            told = f"{name} is not among the tools of this helper."
            gate.refused = Decision(decision="deny", reason="not_among", parts=(told,))
            raise ToolError("unknown_tool", told, tool=name)
        if tool is None:
            if (only is None or name in only) and (why := self.registry.why_not(name)):
                raise ToolError("unknown_tool", why, tool=name)
            name = name[:_NAME]
            near = nearest(name, only or self.registry.tools)
            hint = f" Did you mean {', '.join(near)}?" if near else ""
            raise ToolError("unknown_tool", f"There is no tool named {name!r}.{hint}", tool=name)
        return tool


def _timed(outcome: Outcome, seconds: float, gate: Gate) -> Outcome:
    decision = gate.refused or (gate.decisions[-1] if gate.decisions else None)
    verdict = decision.decision if decision else "allow"
    return msgspec.structs.replace(
        outcome, seconds=seconds, judged=decision, decision=verdict, marks=gate.marks
    )

"""The one gate that every effect passes: judged by the rules, asked if needed, refused with words for the
model.

A gate belongs to one tool call. Its stance is *act*, or *judge*, which stops at the first effect and hands
out the decision.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Awaitable, Callable
from typing import Literal, Protocol

import msgspec

from app.errors import Refused
from app.permissions.marks import merged, sources
from app.permissions.policy import Policy
from app.records import (
    SERVER_NAMES,
    Answer,
    CommandEffect,
    Decision,
    Effect,
    FileDiff,
    FilesEffect,
    Mark,
    ReadEffect,
    RequestEffect,
)

Stance = Literal["act", "judge"]


class Permit(Protocol):
    """What a capability needs of a gate."""

    async def permit(self, effect: Effect) -> Answer:
        """Return the answer that lets `effect` happen, with rejected pieces and edited text. Raises
        Refused.
        """
        ...

    def mark(self, *found: Mark) -> None:
        """Note untrusted sources that no effect names, such as a file that was made from them."""
        ...

    @property
    def origin(self) -> tuple[Mark, ...]:
        """What a file that this call makes may hold: the sources of the conversation and of the call."""
        ...

    @property
    def outside(self) -> tuple[str, ...]:
        """The paths outside of the working folder that the last permitted effect may write, since a person or
        a rule named them; a blanket yes names none.
        """
        ...

    def denies(self, effect: Effect) -> bool:
        """Whether a rule forbids `effect`; asks nobody and leaves no trace (for each file that a search
        finds).
        """
        ...

    def opens(self, effect: RequestEffect) -> bool:
        """Whether the person opened the private host of `effect`, by a rule or in their own words; asks
        nobody.
        """
        ...


class Judged(Exception):
    """Ends a call in the stance *judge*; carries the decision."""

    def __init__(self, decision: Decision) -> None:
        super().__init__(decision.reason)
        self.decision = decision


class Gate(msgspec.Struct):
    """The gate of one call. `ask` puts the question to a person and waits; it is called with the effect and
    the decision.
    """

    tool: str
    policy: Policy
    ask: Callable[[Effect, Decision], Awaitable[Answer]]
    stance: Stance = "act"
    decisions: list[Decision] = msgspec.field(default_factory=list)
    answers: list[tuple[Effect, Answer]] = msgspec.field(default_factory=list)
    """What a person has allowed within this call."""
    marks: tuple[Mark, ...] = ()
    """The untrusted sources that this call has brought in (product 5.4)."""
    renew: Callable[[], Policy] | None = None
    """Gives what holds now: an answer may have saved a rule."""
    refused: Decision | None = None
    """Set when an effect needed an answer that nobody gave, or was denied."""
    clock: Callable[[], float] = time.monotonic
    waited: float = 0.0
    """Seconds that a person took for their answers; the work of the call is the rest."""

    async def permit(self, effect: Effect) -> Answer:
        """See Permit. A person's answer is kept for the same effect within this call, so that a call asks
        at most once for it.
        """
        answer = await self._permit(effect)
        if isinstance(effect, CommandEffect):  # follows every path that its words name
            self.mark(*await asyncio.to_thread(sources, effect, self.policy.cwd))
        else:
            self.mark(*sources(effect, self.policy.cwd))
        return answer

    def mark(self, *found: Mark) -> None:
        """See Permit."""
        if found:
            self.marks = merged(self.marks, found)

    async def _permit(self, effect: Effect) -> Answer:
        if isinstance(effect, CommandEffect):  # counts files and may run the second opinion
            decision = await asyncio.to_thread(self._judged, effect)
        else:
            decision = self._judged(effect)
        self.decisions.append(decision)
        if self.stance == "judge" and not _is_read(effect, decision):
            raise Judged(decision if self.policy.attended else _unattended(decision))
        if decision.decision == "allow":
            return Answer(decision="allow", by="policy")
        if decision.decision == "deny":
            raise self._denied(decision)
        if not self.policy.attended:
            self.refused = decision
            raise Refused(
                "refused", "This needs a person's approval and nobody is there to give it. Nothing was done."
            )
        return await self._asked(effect, decision)

    @property
    def outside(self) -> tuple[str, ...]:
        """See Permit."""
        last = self.decisions[-1] if self.decisions else None
        return last.outside if last and last.decision == "allow" and last.reason != "yes" else ()

    def _judged(self, effect: Effect) -> Decision:
        from app.permissions.losses import counted_whole
        from app.permissions.offers import with_offers

        decision = self._decide(effect)
        if isinstance(effect, CommandEffect) and decision.decision == "ask":
            decision = counted_whole(decision, self.policy.cwd)
        return with_offers(effect, self.tool, self.policy, decision)

    @property
    def origin(self) -> tuple[Mark, ...]:
        """See Permit."""
        return merged(self.policy.marks, self.marks)

    def harmless(self, reason: str) -> None:
        """Stop a call that is only judged before what it does, where that needs no permission; `reason` is a
        code.
        """
        if self.stance == "judge":
            raise Judged(Decision(decision="allow", reason=reason))

    def denies(self, effect: Effect) -> bool:
        """See Permit."""
        return self._decide(effect).decision == "deny"

    def opens(self, effect: RequestEffect) -> bool:
        """See Permit."""
        from app.permissions.requests import opened

        return opened(effect, self.tool, self.policy)

    def _decide(self, effect: Effect) -> Decision:
        from app.permissions.decide import decide  # at the first effect: it reads whole shells

        return decide(effect, self.tool, self.policy)

    async def _asked(self, effect: Effect, decision: Decision) -> Answer:
        for allowed, given in self.answers:
            if _covers(allowed, effect) and not self._named_otherwise(allowed, effect):
                return given
        asked = self.clock()
        try:
            answer = await self.ask(effect, decision)
        finally:
            self.waited += self.clock() - asked
        if self.renew is not None:
            self.policy = self.renew()
        if answer.decision == "deny" and answer.by == "policy":
            verdict = Decision(
                decision="deny",
                reason="rule_deny",
                rule=answer.reason,
                parts=decision.parts,
                outside=decision.outside,
            )
            raise self._denied(verdict)
        if answer.decision == "deny":
            self.refused = Decision(decision="deny", reason="person", parts=decision.parts)
            why = f" They say: {answer.reason}" if answer.reason else ""
            raise Refused("denied", f"The person said no. Nothing was done.{why}", why=answer.reason)
        self.decisions[-1] = Decision(
            decision="allow",
            reason="person",
            rule=decision.rule,
            parts=decision.parts,
            outside=decision.outside,
        )
        self.answers.append((effect, answer))
        return answer

    def _named_otherwise(self, allowed: Effect, effect: Effect) -> bool:
        """Whether a server has given a download a name whose file is always asked about, such as that of a
        project's instructions: the question left it to the server, and did not say that.
        """
        from app.permissions.protected import protection

        if not isinstance(allowed, RequestEffect) or not isinstance(effect, FilesEffect):
            return False
        asked, made = (
            {protection(file.path, self.policy.own, self.policy.steering) for file in files}
            for files in (allowed.saves.files if allowed.saves else (), effect.files)
        )
        return not made <= asked | {""}

    def _denied(self, decision: Decision) -> Refused:
        self.refused = decision
        text = f"Not allowed: the rule {decision.rule} denies it. Nothing was done."
        return Refused("denied", text, rule=decision.rule)


def _covers(allowed: Effect, effect: Effect) -> bool:
    """Whether the one that was allowed is this one: the same file read again, the file that a download was to
    be written to, or the very same effect.
    """
    if isinstance(allowed, ReadEffect) and isinstance(effect, ReadEffect):
        return allowed.path == effect.path
    if isinstance(allowed, RequestEffect) and isinstance(effect, FilesEffect):
        return allowed.saves is not None and _same_files(allowed.saves, effect)
    return allowed == effect


def _same_files(allowed: FilesEffect, effect: FilesEffect) -> bool:
    """Whether the same is made and goes; how much a download has is only known once it is there, and its name
    perhaps too.
    """
    if len(allowed.files) != len(effect.files) or allowed.losses != effect.losses:
        return False
    return all(map(_same_file, allowed.files, effect.files))


def _same_file(allowed: FileDiff, file: FileDiff) -> bool:
    if allowed.note == SERVER_NAMES:
        return file.kind == "new" and os.path.dirname(allowed.path) == os.path.dirname(file.path)
    return (allowed.path, allowed.kind) == (file.path, file.kind)


def _unattended(decision: Decision) -> Decision:
    """Return what becomes of a call where nobody can answer."""
    if decision.decision != "ask":
        return decision
    return msgspec.structs.replace(decision, decision="deny", reason="unattended")


def _is_read(effect: Effect, decision: Decision) -> bool:
    """In the stance *judge* permitted reads happen, so that a changing call gets as far as its change."""
    return isinstance(effect, ReadEffect) and decision.decision == "allow"

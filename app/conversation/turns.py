"""All conversations of this process, and single tool calls and previews of a request outside any turn."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

from app.capabilities.asking import Asking
from app.capabilities.gate import Judged, Stance
from app.conversation.conversation import Conversation
from app.conversation.effective import effective
from app.conversation.fence import Surroundings
from app.conversation.means import Means
from app.errors import BrambleError
from app.events import QueueChanged, ToolFinished
from app.permissions.policy import Policy
from app.platform.ids import new_id
from app.records import (
    ContextReport,
    Decision,
    Mode,
    Queued,
    ToolCall,
    ToolInfo,
    TurnOptions,
)
from app.store import feed, messages, queue, sessions
from app.toolbox.call import Outcome, Scope


class Turns:
    """Hands out one Conversation a session. `means` is made at the first need, since it loads the tools."""

    def __init__(self, means: Callable[[], Means]) -> None:
        self._make_means = means
        self._made: Means | None = None
        self._conversations: dict[str, Conversation] = {}

    @property
    def means(self) -> Means:
        """What all conversations share."""
        if self._made is None:
            self._made = self._make_means()
        return self._made

    def of(self, session: str) -> Conversation:
        """Return the conversation of a session."""
        if session not in self._conversations:
            self._conversations[session] = Conversation(self.means, session)
        return self._conversations[session]

    async def stop(self, session: str) -> None:
        """Stop the running turn, in this process or, within a second, in the one that runs it."""
        if self.of(session).running:
            await self.of(session).stop()
        else:
            await self.means.store.write(feed.append, "stop", session)

    async def stop_wished(self, session: str) -> None:
        """Another process wishes that our turn ends."""
        conversation = self._conversations.get(session)
        if conversation is not None and conversation.running:
            await conversation.stop()

    async def close(self) -> None:
        """Stop every turn of this process."""
        await asyncio.gather(*(conversation.stop() for conversation in self._conversations.values()))
        await self.means.finder.close()

    # --- the queue -----------------------------------------------------------------------------------------

    async def queued(self, session: str) -> list[Queued]:
        """Return what waits in a session."""
        return await self.means.store.read(queue.waiting, session)

    async def edit_queued(self, item: str, text: str) -> bool:
        """Change a waiting message; false when it has gone."""
        found = await self.means.store.read(queue.get, item)
        done = found is not None and await self.means.store.write(queue.edit, item, text)
        if found is not None:
            await self._show_queue(found.session)
        return bool(done)

    async def remove_queued(self, item: str) -> bool:
        """Take a waiting message out; false when it has gone."""
        found = await self.means.store.read(queue.get, item)
        done = found is not None and await self.means.store.write(queue.remove, item)
        if found is not None:
            await self._show_queue(found.session)
        return bool(done)

    async def _show_queue(self, session: str) -> None:
        self.means.emit(QueueChanged(session=session, queued=tuple(await self.queued(session))))

    # --- single calls --------------------------------------------------------------------------------------

    async def call_tool(self, name: str, arguments: str, *, cwd: str, options: TurnOptions) -> ToolFinished:
        """Run one tool in agent mode (or the mode asked for) through the same path as a turn's calls."""
        call = ToolCall(id=new_id(), name=name, arguments=arguments)
        outcome = await self._run(call, cwd, options, "act")
        return ToolFinished(
            turn=call.id,
            call=call.id,
            tool=name,
            ok=outcome.ok,
            summary=outcome.summary,
            text=outcome.text,
            seconds=outcome.seconds,
            view=outcome.view,
            undo=outcome.undo,
            decision=outcome.decision,
            code=outcome.code,
        )

    async def explain(
        self, name: str, arguments: str, *, cwd: str, options: TurnOptions, session: str = ""
    ) -> Decision:
        """Return the decision on a call, as it would fall in a session where one is named; nothing happens
        but permitted reads. A call that fails before any effect is named so.
        """
        call = ToolCall(id=new_id(), name=name, arguments=arguments)
        try:
            outcome = await self._run(call, cwd, options, "judge", session)
        except Judged as judged:
            return judged.decision
        if outcome.judged is not None and (outcome.ok or outcome.decision in ("ask", "deny")):
            return outcome.judged
        if outcome.ok or outcome.decision in ("ask", "deny"):
            return Decision(
                decision="allow" if outcome.ok else "ask",
                reason="workspace_read" if outcome.ok else "no_rule",
            )
        return Decision(decision="deny", reason="bad_call", parts=(outcome.text,))

    async def _run(
        self, call: ToolCall, cwd: str, options: TurnOptions, stance: Stance, judged_in: str = ""
    ) -> Outcome:
        folder = str(Path(cwd).resolve())
        if not Path(folder).is_dir():
            raise BrambleError("no_folder", f"The folder {cwd} does not exist.", path=cwd)
        means, around = self.means, Surroundings()
        await (means.peek() if stance == "judge" else means.look())
        if judged_in:
            if await means.store.read(sessions.get, judged_in) is None:
                raise BrambleError("no_session", f"There is no conversation {judged_in}.", session=judged_in)
            around.look(effective(await means.store.read(messages.branch, judged_in)))

        def policy() -> Policy:
            return means.rights.policy(
                judged_in,
                folder,
                options,
                marks=around.marks,
                named_hosts=around.hosts,
                found_hosts=around.found,
            )

        scope = Scope(
            session="",
            turn=call.id,
            cwd=folder,
            mode=options.mode or "agent",
            policy=policy(),
            stance=stance,
            renew=policy,
        )
        asking = Asking(
            means.questions, means.rules, means.emit, policy, "", call.id, call.id, call.name, folder
        )
        return await means.calls.run(call, scope, asking)

    def tools(self) -> tuple[ToolInfo, ...]:
        """Return every tool, by category and name."""
        settings = self.means.settings()
        found = self.means.calls.registry.infos(always=settings.always_on, deferred=settings.deferred)
        return tuple(sorted(found, key=lambda tool: (tool.category, tool.name)))

    # --- the next request ----------------------------------------------------------------------------------

    async def context(self, *, session: str, prompt: str, mode: Mode | None, cwd: str) -> ContextReport:
        """Return the next request of a session (or of a new one) as it would be sent now, part by part."""
        from app.conversation.inspector import inspect

        return await inspect(self.means, session=session, prompt=prompt, mode=mode, cwd=cwd)

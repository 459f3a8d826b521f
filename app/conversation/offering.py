"""What one turn's requests begin with, and what goes with the person's words: news and hints."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from app.conversation import news as told, prefix as prefixes
from app.conversation.prefix import Prefix
from app.conversation.prompt import message_context, system_prompt
from app.models.profile import Quirks
from app.models.request import ToolSchema
from app.records import Message, Mode
from app.store import kept
from app.store.columns import pack, unpack
from app.toolbox.activation import Evidence
from app.toolbox.call import Way

if TYPE_CHECKING:
    from app.conversation.turn_run import Means

PRELOADED = ("read_file", "run_command")
"""What a small model is always offered; four more are chosen by the person's words (product.md 2.5)."""
PRELOADED_IN_ALL = 6
"""With more, and with two that sound alike, it picks the wrong one (voice facts, section 7)."""


def way_of(quirks: Quirks) -> Way:
    """Return how this model calls tools beyond the offered ones."""
    if quirks.calling in ("append", "preload"):
        return quirks.calling
    return "preload" if quirks.small_local and not quirks.calling else "bridge"


async def prefix_of(means: Means, session: str, mode: Mode, cwd: str, *, keep: bool) -> Prefix:
    """Return the prefix of a session in this mode: the one it has, else one made now, kept if wished."""
    await means.look()
    settings = means.settings()
    key = prefixes.key(mode, settings)
    found = await prefixes.stored(means.store, session, key)
    if found is None:
        index = await means.skills.index(mode, cwd)
        found = prefixes.rendered(
            means.calls.registry,
            settings,
            mode,
            index,
            (*index.named, *index.left_out),
            means.clock(),
        )
        if keep:
            await prefixes.keep(means.store, session, key, found)
    return found


async def preloaded(means: Means, words: str, mode: Mode) -> Prefix:
    """Return the prefix for a small model: a short prompt and six tools, four of them by the words."""
    await means.look()
    registry = means.calls.registry
    loadable = registry.loadable(mode)
    fixed = [name for name in PRELOADED if name in loadable]
    fitting = await means.finder.fitting(words, loadable)
    chosen = dict.fromkeys([*fixed, *fitting])
    tools = tuple(loadable[name].schema for name in sorted([*chosen][:PRELOADED_IN_ALL]))
    return Prefix(base=system_prompt("small"), tools=tools)


async def joined(
    means: Means, session: str, mode: Mode, prefix: Prefix, evidence: Evidence, *, keep: bool
) -> tuple[ToolSchema, ...]:
    """Return the found tools that join the list of tools (`append`), in the order of their first evidence.

    They are kept with the session as they were when they joined, so that one stays the same when its server
    changes or leaves.
    """
    key = f"appended {mode}"
    stored = await means.store.read(kept.get, session, key)
    there = {} if stored is None else unpack(stored, dict[str, ToolSchema])
    names = [name for name in evidence.names() if name not in prefix.offered]
    loadable = means.calls.registry.loadable(mode, prefix.offered)
    fresh = {name: loadable[name].schema for name in names if name in loadable and name not in there}
    if fresh and keep:
        await means.store.write(kept.put, session, key, pack({**there, **fresh}))
    there = {**there, **fresh}
    return tuple(there[name] for name in names if name in there)


async def context_of(
    means: Means, prefix: Prefix, history: Sequence[Message], text: str, mode: Mode, cwd: str, now: float
) -> tuple[str, tuple[str, ...]]:
    """Return the context of a message that the person says now, and what it tells of as come and gone.

    A small model, whose tools are chosen anew for each message, is told of nothing.
    """
    if not prefix.made:
        return message_context(datetime.fromtimestamp(now).astimezone(), cwd), ()
    loadable = means.calls.registry.loadable(mode, prefix.offered)
    before = told.known(prefix, history)
    named = frozenset(code.removeprefix("skill ") for code in before if code.startswith("skill "))
    index, hint = await asyncio.gather(means.skills.index(mode, cwd), means.skills.hint(text, mode, cwd))
    present = (*index.named, *index.left_out)
    fresh = dict(await means.skills.news(named, mode, cwd)) if set(present) - named else {}
    found = told.news(before, prefixes.codes(loadable, present), loadable, fresh)
    more = [*found.lines]
    if hint and hint not in means.skills.loaded(history):
        more.append(f"A skill that fits: {hint} (load_skill)")
    return message_context(datetime.fromtimestamp(now).astimezone(), cwd, more), found.told

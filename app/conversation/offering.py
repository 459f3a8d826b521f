"""What one turn's requests begin with, and what goes with the person's words: news and hints."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from app.conversation import news as told, prefix as prefixes, remembering
from app.conversation.prefix import Prefix
from app.conversation.prompt import message_context, system_prompt
from app.memory_records import MemoryItem
from app.models.profile import Profile, Quirks
from app.models.profiles import quirks_of
from app.models.request import ToolSchema
from app.record import Record
from app.records import Message, Mode
from app.skill_records import SkillsNow
from app.store import kept
from app.store.columns import pack
from app.toolbox.activation import Evidence
from app.toolbox.call import Way
from app.toolbox.registry import Only

if TYPE_CHECKING:
    from app.conversation.means import Means

PRELOADED = ("read_file", "run_command")
"""What a small model is always offered; four more are chosen by the person's words (product.md 2.5)."""
PRELOADED_IN_ALL = 6
"""With more, and with two that sound alike, it picks the wrong one (voice facts, section 7)."""


def way_of(quirks: Quirks) -> Way:
    """Return how this model calls tools beyond the offered ones."""
    if quirks.calling:
        return quirks.calling
    return "preload" if quirks.small_local else "bridge"


class Opening(Record, kw_only=True):
    """What a turn begins with. `keep` is what the session has to keep of it, which goes to the disk together
    with the person's message.
    """

    prefix: Prefix
    skills: SkillsNow | None = None
    """None for a small model, whose tools are chosen anew for each message: it is told of nothing."""
    instructions: str = ""
    """What the project's instructions say now."""
    only: Only = None
    keep: tuple[str, bytes] | None = None


UNMADE = Opening(prefix=Prefix(base=""))
"""What goes with words whose turn fails, or is stopped, before its beginning is made: no request is sent."""


async def opening(
    means: Means,
    session: str,
    words: str,
    mode: Mode,
    cwd: str,
    quirks: Quirks,
    *,
    only: Only = None,
    start: bool = True,
) -> Opening:
    """Return what a turn with these words begins with: the prefix that the session has, or one made now.

    Without `start` no server is started for it.
    """
    await (means.look() if start else means.peek())
    way = way_of(quirks)
    if way == "preload":
        facts = await remembering.pinned(means, session)
        return Opening(prefix=await _preloaded(means, words, mode, only, facts), only=only)
    settings = means.settings()
    key = prefixes.key(mode, settings, way)
    found = await prefixes.stored(means.store, session, key)
    skills = await means.skills.now(words, mode, cwd, index=found is None)
    instructions = await means.instructions.text(cwd)
    if found is not None:
        return Opening(prefix=found, skills=skills, instructions=instructions, only=only)
    registry, now = means.calls.registry, means.clock()
    facts = await remembering.pinned(means, session)
    made = prefixes.rendered(
        registry, settings, mode, skills.index, skills.present, instructions, now, way, only, facts
    )
    keep = (key, pack(made))
    return Opening(prefix=made, skills=skills, instructions=instructions, only=only, keep=keep)


async def settled(
    means: Means,
    session: str,
    begun: Opening,
    expected: tuple[Profile, str],
    real: tuple[Profile, str],
    words: str,
    mode: Mode,
    cwd: str,
) -> Opening:
    """Return the beginning for the model that answers. It was made for the one that was `expected` while the
    real one was made ready; where that calls tools another way, since what its provider lists or the person
    chose came in between, it is made for that.
    """
    quirks = quirks_of(*real)
    if way_of(quirks_of(*expected)) == way_of(quirks):
        return begun
    anew = await opening(means, session, words, mode, cwd, quirks, only=begun.only)
    if anew.keep is not None:
        await means.store.write(kept.put, session, *anew.keep)
    return anew


async def _preloaded(means: Means, words: str, mode: Mode, only: Only, facts: Sequence[MemoryItem]) -> Prefix:
    """Return the prefix for a small model: a short prompt and six tools, four of them by the words."""
    registry = means.calls.registry
    loadable = registry.loadable(mode, only=only)
    fixed = [name for name in PRELOADED if name in loadable]
    fitting = await means.finder.fitting(words, loadable)
    chosen = dict.fromkeys([*fixed, *fitting])
    tools = tuple(loadable[name].schema for name in sorted([*chosen][:PRELOADED_IN_ALL]))
    kept, known = remembering.as_prompt(facts), remembering.codes(facts)
    return Prefix(base=system_prompt("small"), tools=tools, memory=kept, facts=known)


async def joined(
    means: Means,
    session: str,
    mode: Mode,
    prefix: Prefix,
    evidence: Evidence,
    *,
    keep: bool,
    only: Only = None,
) -> tuple[ToolSchema, ...]:
    """Return the found tools that join the list of tools (`append`), in the order of their first evidence.

    They are kept with the session as they were when they joined, so that one stays the same when its server
    changes or leaves.
    """
    key = f"appended {mode}"
    there = await prefixes.kept_as(means.store, session, key, dict[str, ToolSchema]) or {}
    names = [name for name in evidence.names() if name not in prefix.offered]
    loadable = means.calls.registry.loadable(mode, prefix.offered, only)
    fresh = {name: loadable[name].schema for name in names if name in loadable and name not in there}
    if fresh and keep:
        await means.store.write(kept.put, session, key, pack({**there, **fresh}))
    there = {**there, **fresh}
    return tuple(there[name] for name in names if name in there)


def context_of(
    means: Means, begun: Opening, history: Sequence[Message], mode: Mode, cwd: str, now: float
) -> tuple[str, tuple[str, ...]]:
    """Return the context of a message that the person says now, and what it tells of as come and gone."""
    skills = begun.skills
    if skills is None:
        return message_context(datetime.fromtimestamp(now).astimezone(), cwd), ()
    loadable = means.calls.registry.loadable(mode, begun.prefix.offered, begun.only)
    present = prefixes.codes(loadable, skills.present, begun.instructions)
    tools = means.calls.registry.tools
    anywhere = prefixes.codes(tools, skills.anywhere, begun.instructions)
    before = told.known(begun.prefix, history)
    found = told.news(before, present, anywhere, loadable, skills.present)
    more = [*found.lines]
    if skills.hint and skills.hint not in means.skills.loaded(history):
        more.append(f"A skill that fits: {skills.hint} (load_skill)")
    return message_context(datetime.fromtimestamp(now).astimezone(), cwd, more), found.told

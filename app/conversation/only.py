"""The tools that a helper's conversation is limited to, kept with it for good."""

from __future__ import annotations

from app.conversation.prefix import kept_as
from app.records import SessionInfo
from app.store import kept
from app.store.columns import pack
from app.store.database import Store
from app.toolbox.registry import Only

_KEY = "only"


async def only_of(store: Store, info: SessionInfo) -> Only:
    """Return the limit of a session, None for a conversation of the person's own."""
    if not info.parent:
        return None
    return frozenset(await kept_as(store, info.id, _KEY, list[str]) or ())


async def limit(store: Store, session: str, names: frozenset[str]) -> None:
    """Let a helper have these tools and no others."""
    await store.write(kept.put, session, _KEY, pack(sorted(names)))

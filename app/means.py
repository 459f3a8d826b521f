"""Put together what turns need, at the first of them: a window fills its list without it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.conversation.means import Means
from app.permissions.policy import Rights
from app.toolbox import guarded
from app.toolbox.call import ToolCalls
from app.toolbox.finder import Finder
from app.toolbox.output import Spill

if TYPE_CHECKING:
    from app.assembly import Parts
    from app.engine import Engine


def means_of(engine: Engine, parts: Parts) -> Means:
    """Return what all turns of a process share. The capabilities are loaded at the first call of a tool: the
    first request leaves sooner without them.
    """
    finder = Finder(parts.registry, connecting=parts.elsewhere.connecting, counts=parts.lookups)
    calls = ToolCalls(
        parts.registry,
        lambda gate, site: parts.contexts.make(gate, site),
        Spill(engine.home.spill),
        finder=finder.of_call,
    )
    return Means(
        store=parts.store,
        emit=engine.emit,
        client=parts.models.client,
        calls=calls,
        finder=finder,
        skills=parts.skills,
        instructions=parts.instructions,
        pictures=engine.home.pictures,
        called=parts.called,
        questions=parts.questions,
        memory=parts.memory,
        settings=lambda: engine.settings,
        resolve=parts.models.resolve,
        preview=parts.models.preview,
        price=parts.models.price,
        used=parts.models.used,
        stopped=parts.stopped,
        rights=Rights(
            parts.book,
            guarded.own(engine.home),
            lambda: engine.settings.free_reading,
            guarded.steering(engine.home),
        ),
        rules=parts.rules,
        clock=engine.clock,
        look=parts.elsewhere.look,
        peek=parts.elsewhere.peek,
    )

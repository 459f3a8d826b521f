"""Put the capabilities of tools together, at the first call: a request leaves sooner without them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.capabilities.context import Contexts, MakeHelpers
from app.capabilities.everyday import Everyday
from app.capabilities.files import FileWorld
from app.capabilities.memory import MemoryDesk
from app.capabilities.online import Online
from app.capabilities.web_way import web_of
from app.conversation.translating import Translator
from app.toolbox import guarded

if TYPE_CHECKING:
    from app.assembly import Parts
    from app.engine import Engine


def contexts_of(engine: Engine, parts: Parts, helpers: MakeHelpers) -> Everyday:
    """Return what makes the capabilities of a call."""
    web = web_of(lambda: engine.settings, str(engine.home.cache / "downloads"))
    files = FileWorld(
        parts.journal,
        engine.emit,
        secrets=guarded.own(engine.home),
        steering=guarded.steering(engine.home),
        open=(str(engine.home.spill.resolve()),),
        opened=parts.skills.readable,
        environ=engine.environ,
    )
    contexts = Contexts(
        parts.jobs,
        files,
        parts.sandbox,
        parts.snapshots,
        parts.skills,
        parts.elsewhere.desk,
        helpers,
        memory=MemoryDesk(parts.memory, lambda: engine.settings.memory, engine.clock),
        web=web,
        online=Online(web, engine.home, engine.environ, lambda: engine.settings, parts.models),
    )
    return Everyday(
        contexts,
        parts.snapshots,
        parts.daily,
        calendars=lambda: engine.settings.calendars,
        translator=lambda session, gate: Translator(lambda: parts.turns, session, gate),
    )

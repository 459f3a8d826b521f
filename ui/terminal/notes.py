"""/compact, /pin, /switch, /effort and /cost of `bramble chat`: what is kept in mind, reasoned and paid."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from app.records import Effort
from ui.compaction_words import effort_text
from ui.model_words import effort_hint
from ui.spending_words import lines, warning
from ui.terminal.clean import clean, one_line
from ui.terminal.table import write_table
from ui.words import _

if TYPE_CHECKING:
    from ui.terminal.chat import Talk


async def compact(talk: Talk, argument: str) -> None:
    """Summarise the earlier messages; Ctrl+C stops it."""
    await talk.engine.compact(talk.info.id, talk.options)


async def pin(talk: Talk, argument: str) -> None:
    """Pin a note, or show those that are pinned."""
    if argument:
        await talk.engine.sessions.pins.add(talk.info.id, argument)
        talk.terminal.note(_("Pinned. It goes to the model word for word, whatever is summarised."))
        return
    found = await talk.engine.sessions.pins.all(talk.info.id)
    if not found:
        talk.terminal.note(_("Nothing is pinned. Pin a note with /pin TEXT."))
        return
    write_table(talk.terminal.out, [[str(n), clean(one.text)] for n, one in enumerate(found, 1)])
    talk.terminal.note(_("Let one go with /unpin NUMBER."))


async def unpin(talk: Talk, argument: str) -> None:
    """Let the note of this number go."""
    found = await talk.engine.sessions.pins.all(talk.info.id)
    number = int(argument) if argument.isdecimal() else 0
    if not 0 < number <= len(found):
        talk.terminal.note(_("There is no note of this number. /pin shows them."))
        return
    await talk.engine.sessions.pins.remove(talk.info.id, found[number - 1].id)
    talk.terminal.note(_("No longer pinned: {text}").replace("{text}", one_line(found[number - 1].text, 60)))


async def switch(talk: Talk, argument: str) -> None:
    """Let the fall-back model answer what waits for its provider."""
    if not talk.engine.settings.fallback_model:
        talk.terminal.note(_("No fall-back model is chosen: it is fallback_model in the settings."))
    elif not talk.engine.switch_model(talk.info.id):
        talk.terminal.note(_("Nothing waits."))


async def effort(talk: Talk, argument: str) -> None:
    """Show how much the model reasons, or choose it."""
    taken = await talk.engine.models.efforts(talk.info.model)
    wanted = cast(Effort, "" if argument == "own" else argument)
    if argument and wanted in ("", *taken):
        talk.info = await talk.engine.sessions.configure(talk.info.id, effort=wanted)
        talk.terminal.note(
            _("Reasoning: {effort}, from the next turn on.").replace("{effort}", effort_text(wanted))
        )
        return
    talk.terminal.note(effort_hint(talk.info.effort, taken))


async def cost(talk: Talk, argument: str) -> None:
    """Show what this conversation and today cost, and the limits."""
    limits = talk.engine.settings.limits
    spending = await talk.engine.sessions.spending(talk.info.id)
    write_table(talk.terminal.out, [[line.name, line.whole] for line in lines(spending, limits)])
    if said := warning(spending, limits):
        talk.terminal.note(said, "caution")

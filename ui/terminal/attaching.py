"""Files that go with the next message of `bramble chat`: `/attach PATH`."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from app.attachment_records import attachments_of, joined, own_words, said
from app.records import Queued
from ui.attachment_words import MOST, attached_line, count_text, what_text
from ui.terminal.clean import one_line
from ui.words import _

if TYPE_CHECKING:
    from ui.terminal.chat import Talk


async def attach(talk: Talk, argument: str) -> None:
    """Let a file or folder go with the next message; without a path say what does, with - let nothing go."""
    if argument == "-":
        talk.attached.clear()
    elif argument:
        path = os.path.join(talk.info.cwd, os.path.expanduser(argument))
        found = await talk.engine.attachments.look(path)
        if path in talk.attached or len(talk.attached) >= MOST:
            talk.terminal.note(_("One message can bring {n} files, each once.").replace("{n}", str(MOST)))
            return
        talk.attached.append(path)
        words = _("{name} ({what}) goes with the next message.").replace(
            "{what}", what_text(found.kind, found.size)
        )
        talk.terminal.note(one_line(words.replace("{name}", os.path.basename(path.rstrip(os.sep)) or path)))
        return
    if not talk.attached:
        talk.terminal.note(_("Nothing goes with the next message. Attach with /attach PATH."))
        return
    names = ", ".join(os.path.basename(path.rstrip(os.sep)) or path for path in talk.attached)
    talk.terminal.note(one_line(_("Attached: {names}").replace("{names}", names)))
    talk.terminal.note(_("/attach - takes it all away."))


async def with_attached(talk: Talk, text: str) -> str:
    """Return a message with what was attached for it. Raises BrambleError; then all of it stays attached."""
    if not talk.attached:
        return text
    whole = await talk.engine.attachments.attach(text, talk.attached)
    talk.attached.clear()
    return whole


def sent_line(text: str) -> str:
    """Return the line below a message that says what it brings, "" for nothing."""
    return one_line(attached_line(text))


def waiting_line(item: Queued) -> str:
    """Return a waiting message in one line, with how much it brings."""
    brings = count_text(item.text) if own_words(item.text).strip() else ""
    return one_line(" · ".join(filter(None, [said(item.text), brings])))


def edited(item: Queued, words: str) -> str:
    """Return a waiting message with other words and what it brings."""
    return joined(words, [one.part for one in attachments_of(item.text)])

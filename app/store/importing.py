"""Bring conversations in: our own JSON, and the conversations.json of ChatGPT's and Claude's data exports."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from app.errors import StoreError
from app.platform.ids import new_id
from app.records import IMPORTED, Compaction, Message, Pin, SessionInfo
from app.store import feed, foreign, messages, pins, sessions
from app.store.columns import as_column
from app.store.enclosures import of_fields
from app.store.export import FORMAT, VERSION
from app.store.incoming import Conversation, fresh_ids, in_order, moment, price

_ID = r"[0-9A-Za-z_-]{1,64}"
"""Ids that are kept: they name folders of ours, so one that leads elsewhere would open that to commands."""


def import_text(db: sqlite3.Connection, text: str) -> list[SessionInfo]:
    """Store the conversations of an exported text, one or many, and return their sessions.

    Branches, times and models come with them; ids are kept unless something here has them already. Each
    message carries the mark of an import, since nobody vouches for its words. Raises StoreError
    bad_import for a text that is none of the known forms.
    """
    return [store(db, conversation) for conversation in read(text)]


def read(text: str) -> list[Conversation]:
    """Return the conversations of an exported text. Raises StoreError bad_import."""
    try:
        data = json.loads(text)
        if isinstance(data, dict) and data.get("format") == FORMAT:
            found = [_own(data)]
        else:
            found = list(foreign.conversations(data))
    except RecursionError as error:
        raise unreadable("it is nested too deep") from error
    except KeyError as error:
        raise unreadable(f"{error} is missing in it") from error
    except (ValueError, TypeError, AttributeError, OverflowError) as error:
        raise unreadable(str(error)) from error
    if not found:
        raise unreadable("it holds no conversation")
    return found


def unreadable(reason: str) -> StoreError:
    """Return the error for a text that cannot be imported."""
    return StoreError("bad_import", f"this is no exported conversation: {reason}", detail=reason)


def _own(data: dict[str, Any]) -> Conversation:
    if data.get("version") != VERSION:
        raise ValueError(f"it has version {data.get('version')!r}, this program knows {VERSION}")
    info = msgspec.convert(data["session"], SessionInfo)
    begun = moment(info.created)
    info = msgspec.structs.replace(info, created=begun, updated=moment(info.updated, begun))
    told = msgspec.convert(data["messages"], list[Message])
    found = in_order(
        msgspec.structs.replace(one, created=moment(one.created, begun), cost=price(one.cost)) for one in told
    )
    return Conversation(info, found, info.head, of_fields(data, found))


def store(db: sqlite3.Connection, conversation: Conversation) -> SessionInfo:
    """Store one conversation; for exports so large that one transaction would hold up other writers."""
    conversation = _with_free_ids(db, conversation)
    info = conversation.info
    sessions.create(db, info)
    for message in conversation.messages:
        messages.insert(db, message)
    ids = {message.id for message in conversation.messages}
    newest = conversation.messages[-1].id if conversation.messages else None
    head = conversation.head if conversation.head in ids else newest
    if head is not None:
        messages.set_head(db, info.id, head)
    for pin in conversation.enclosed.pins:
        pins.add(db, pin)
    feed.append(db, "session", info.id)
    stored = sessions.get(db, info.id)
    assert stored is not None
    return stored


def _with_free_ids(db: sqlite3.Connection, conversation: Conversation) -> Conversation:
    """Return the conversation with ids that are free and harmless. It is nobody's helper here: no list would
    show it, and it would go with a parent that is not its own.
    """
    ids = [message.id for message in conversation.messages]
    taken = any(_exists(db, "messages", one) for one in ids) or _exists(db, "sessions", conversation.info.id)
    taken = taken or not all(re.fullmatch(_ID, one) for one in (conversation.info.id, *ids))
    session = new_id() if taken else conversation.info.id
    new = dict(zip(ids, fresh_ids(len(ids)), strict=True)) if taken else {one: one for one in ids}
    turns: dict[str, str] = {}
    notes = _notes_with_free_ids(db, conversation.enclosed.pins, session, new)
    renamed = [
        msgspec.structs.replace(
            message,
            id=new[message.id],
            session=session,
            parent=new[message.parent] if message.parent is not None else None,
            turn=turns.setdefault(message.turn, new_id()) if taken and message.turn else message.turn,
            state="stopped" if message.state == "streaming" else message.state,
            compaction=_renamed(message.compaction, new, notes),
            told=tuple(_retold(code, notes) for code in message.told),
            marks=tuple(dict.fromkeys((IMPORTED, *message.marks))),
        )
        for message in conversation.messages
    ]
    info = msgspec.structs.replace(conversation.info, id=session, deleted=False, parent="")
    enclosed = msgspec.structs.replace(conversation.enclosed, pins=tuple(notes.values()))
    return Conversation(info, renamed, new.get(conversation.head or ""), enclosed)


def _notes_with_free_ids(
    db: sqlite3.Connection, found: Iterable[Pin], session: str, new: Mapping[str, str]
) -> dict[str, Pin]:
    """Return the pinned notes by their ids in the file, each with a free one; nobody vouches for them."""
    notes = {pin.id: pin for pin in found}
    taken = any(_exists(db, "pins", id_) or not re.fullmatch(_ID, id_) for id_ in notes)
    ids = fresh_ids(len(notes)) if taken else list(notes)
    return {
        pin.id: msgspec.structs.replace(
            pin,
            id=id_,
            session=session,
            message=new.get(pin.message, ""),
            marks=tuple(dict.fromkeys((IMPORTED, *pin.marks))),
        )
        for pin, id_ in zip(notes.values(), ids, strict=True)
    }


def _retold(code: str, notes: Mapping[str, Pin]) -> str:
    """Return a code of what was told with the id that a note has here."""
    kind, _blank, name = code.partition(" ")
    return f"{kind} {notes[name].id}" if kind[1:] == "pin" and name in notes else code


def _renamed(
    compaction: Compaction | None, new: Mapping[str, str], notes: Mapping[str, Pin]
) -> Compaction | None:
    """Return what a summary says of the messages and notes that it stands for, by their new ids."""
    if compaction is None:
        return None
    carried = tuple(notes[name].id if name in notes else name for name in compaction.pins)
    return msgspec.structs.replace(compaction, kept=new.get(compaction.kept, compaction.kept), pins=carried)


def _exists(db: sqlite3.Connection, table: str, one: str) -> bool:
    return db.execute(f"SELECT 1 FROM {table} WHERE id = ?", (as_column(one),)).fetchone() is not None

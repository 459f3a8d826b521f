"""What is remembered, in plain sentences for both front ends: questions, kinds, ages, flags, a brief."""

from __future__ import annotations

from collections.abc import Sequence

from app.memory_records import Forgotten, MemoryItem
from app.records import MemoryEffect
from ui.amounts import ago
from ui.language import _, later, plural
from ui.trust import marks_line

_TITLES = {
    "remember": later("Bramble wants to remember something"),
    "note": later("Bramble wants to keep a note of the project"),
    "todo": later("Bramble wants to change the to-do list"),
    "forget": later("Bramble wants to forget something"),
}
_CAPTIONS = {
    "remember": later("What would be remembered, word for word"),
    "note": later("The note, word for word"),
    "todo": later("What would change"),
    "forget": later("What would be forgotten"),
}
_KINDS = {
    "fact": later("Fact"),
    "decision": later("Decision"),
    "note": later("Note"),
    "open_item": later("Open item"),
    "todo": later("To-do"),
}
_UNKNOWN = {
    "no_decision": later("No decision is written down."),
    "no_open_item": later("No open item is written down."),
    "no_note": later("No note is written down."),
}


def effect_title(effect: MemoryEffect) -> str:
    """Return who wants to do what, without a full stop."""
    return _(_TITLES[effect.act])


def effect_caption(effect: MemoryEffect) -> str:
    """Return what the text of an effect is, and where it would go."""
    caption = _(_CAPTIONS[effect.act])
    return f"{caption} ({effect.place})" if effect.place else caption


def effect_outcome(effect: MemoryEffect) -> str:
    """Return whether it can be taken back."""
    return _("Can be undone.") if effect.undoable else _("It is forgotten for good and cannot be undone.")


def effect_consequence(effect: MemoryEffect) -> str:
    """Return what it means to allow it."""
    if effect.act == "forget":
        return effect_outcome(effect)
    return (
        f"{_('Later conversations are told of it. You can change and forget it.')} {effect_outcome(effect)}"
    )


def kind_text(item: MemoryItem) -> str:
    """Return what an item is."""
    return _(_KINDS[item.kind])


def age_text(item: MemoryItem, now: float) -> str:
    """Return when it was last said, and how often where that is more than once."""
    words = ago(item.said, now)
    if item.times > 1:
        return f"{words} · " + plural("said {n} time", "said {n} times", item.times)
    return words


def source_text(item: MemoryItem) -> str:
    """Return whose word it is."""
    if item.marks:
        words = _("noted while text of {sources} was here, which nobody vouches for")
        return words.replace("{sources}", marks_line(item.marks))
    if item.by == "person":
        return _("your words")
    return _("confirmed by you") if item.confirmed else _("noted by Bramble")


def doubt_text(item: MemoryItem) -> str:
    """Return as a sentence why an item is in doubt."""
    words = _("Noted while text of {sources} was here, which nobody vouches for.")
    return words.replace("{sources}", marks_line(item.marks))


def state_text(item: MemoryItem) -> str:
    """Return what else is to be known of an item, "" for nothing: its tick, its day, its flag."""
    words = []
    if item.done:
        words.append(_("done"))
    if item.due:
        words.append(_("due {day}").replace("{day}", item.due))
    if item.conflicts:
        words.append(_("seems to speak against {ids}").replace("{ids}", ", ".join(item.conflicts)))
    return " · ".join(words)


def sum_text(items: Sequence[MemoryItem]) -> str:
    """Return the state of all facts in one sentence."""
    if not items:
        return _("No fact is remembered yet.")
    words = plural("{n} fact is remembered", "{n} facts are remembered", len(items))
    pinned = sum(one.pinned for one in items)
    if pinned:
        pins = plural(
            "{n} is told to every new conversation", "{n} are told to every new conversation", pinned
        )
        words = f"{words}, {pins}"
    flagged = sum(bool(one.conflicts) for one in items)
    if flagged:
        words += ". " + plural(
            "{n} seems to speak against another", "{n} seem to speak against others", flagged
        )
    return words + "."


def unknown_text(code: str) -> str:
    """Return what nobody knows of a project, for a code of `Brief.unknown`."""
    if code.startswith("stale "):
        words = _("Nobody spoke of {id} for a month: it may be done, or not.")
        return words.replace("{id}", code.removeprefix("stale "))
    return _(_UNKNOWN.get(code, code))


def forgotten_text(gone: Forgotten, now: float) -> str:
    """Return what was forgotten and where it still stands."""
    words = [plural("{n} is forgotten for good.", "{n} are forgotten for good.", gone.count)]
    if gone.conversations:
        words.append(
            plural(
                "{n} conversation says it in its own words; delete that where it must go, too.",
                "{n} conversations say it in their own words; delete those where it must go, too.",
                gone.conversations,
            )
        )
    if gone.backups:
        newest = max(made for _path, made in gone.backups)
        words.append(
            plural(
                "{n} backup still holds it, made {when}; nightly ones go after a week.",
                "{n} backups still hold it, the newest made {when}; nightly ones go after a week.",
                len(gone.backups),
            ).replace("{when}", ago(newest, now))
        )
    return " ".join(words)


def recalled_line(found: Sequence[tuple[str, str]]) -> str:
    """Return what was recalled with a message, on one line; `found` is what `recalled` returns."""
    first = found[0][1] if found else ""
    more = len(found) - 1
    words = _("Recalled: {text}").replace("{text}", first)
    return f"{words} · {plural('and {n} more', 'and {n} more', more)}" if more > 0 else words


def private_text() -> str:
    """Return what a private conversation is."""
    return _("Private: this conversation neither uses memory nor adds to it.")


def recalled_text(count: int) -> str:
    """Return the quiet line of a message that was sent together with what is remembered."""
    return plural("{n} thing recalled from memory", "{n} things recalled from memory", count)

"""What is said of a summary of earlier messages, in both front ends."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ui.language import _, plural

if TYPE_CHECKING:
    from app.records import Message

EFFORTS = ("own", "off", "low", "medium", "high")
"""What a person says for an effort; "own" is the model's own."""


def summarised_text(message: Message) -> str:
    """Return the line that stands for a summary in the conversation."""
    done = message.compaction
    if done is None:
        return _("Earlier messages were summarised")
    if done.by == "cut" and not done.messages:
        return _("Long texts were shortened for the model")
    if done.by == "cut":
        return plural(
            "{n} earlier message is left out for the model",
            "{n} earlier messages are left out for the model",
            done.messages,
        )
    return plural("{n} earlier message was summarised", "{n} earlier messages were summarised", done.messages)


def size_text(message: Message) -> str:
    """Return how large the context was before a summary and after, "" where that is not known."""
    done = message.compaction
    if done is None or not done.before:
        return ""
    words = _("{before} tokens before, about {after} after")
    return words.replace("{before}", f"{done.before:,}").replace("{after}", f"{done.after:,}")


def step_text(done: int, total: int) -> str:
    """Return how far a summary in several requests has come."""
    words = _("Summarising the earlier messages: {n} of {all}.")
    return words.replace("{n}", str(done)).replace("{all}", str(total))


def effort_word(effort: str) -> str:
    """Return an effort in one word, for a button."""
    return {
        "": _("Own"),
        "off": _("Off"),
        "low": _("Low"),
        "medium": _("Medium"),
        "high": _("High"),
    }[effort]


def effort_text(effort: str) -> str:
    """Return an effort in plain words."""
    return {
        "": _("as the model likes"),
        "off": _("no reasoning"),
        "low": _("little"),
        "medium": _("medium"),
        "high": _("much"),
    }[effort]

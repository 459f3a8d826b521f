"""Attachments in words: what they are, how large, and why one could not be taken."""

from __future__ import annotations

from app.attachment_records import attachments_of, names_of
from app.records import Problem
from ui.amounts import size
from ui.words import _, plural, problem_text

MOST = 50
"""Files and folders that one message can bring."""


def why_text(problem: Problem) -> str:
    """Return in a few words why something cannot be attached; its name stands beside them."""
    known = {
        "attachment_locked": _("Locked with a password"),
        "attachment_empty": _("Nothing to read in it"),
        "attachment_unknown": _("Of a kind that cannot be read"),
        "too_large": _("Too large to attach"),
        "not_found": _("Not there any more"),
        "no_permission": _("The system does not allow to read it"),
        "too_many_pictures": _("More pictures than one message can have"),
    }
    return known.get(problem.code) or problem_text(problem)[0]


def what_text(kind: str, count: int) -> str:
    """Return what an attachment is: its size in bytes where that is known, else its kind."""
    if count:
        return size(count)
    return {"folder": _("Folder"), "picture": _("Picture")}.get(kind) or _("File")


def attached_line(text: str) -> str:
    """Return one line on what a message brings, "" for nothing: "Attached: a.pdf, b.png"."""
    found = attachments_of(text)
    return _("Attached: {names}").replace("{names}", names_of(found)) if found else ""


def count_text(text: str) -> str:
    """Return how many things a message brings, "" for none."""
    found = attachments_of(text)
    return plural("{n} attached", "{n} attached", len(found)) if found else ""

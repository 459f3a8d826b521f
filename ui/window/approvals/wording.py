"""The words of a question: where it happens, what is true of it now, and what the main button does."""

from __future__ import annotations

from app.records import Approval, CommandEffect, FileDiff, FilesEffect, ReadEffect
from ui.places import tilde
from ui.words import _, plural


def circumstances(approval: Approval) -> str:
    """Return the sentences below the title: the folder, that nothing has happened yet, whether it can be
    undone.
    """
    effect = approval.effect
    folder = tilde(effect.cwd if isinstance(effect, CommandEffect) else approval.cwd)
    place = [_("In {folder}.").replace("{folder}", folder)] if folder else []
    if isinstance(effect, FilesEffect):
        undo = _("Can be undone.") if effect.undoable else _("Cannot be undone.")
        return " ".join([*place, _("Nothing is written until you allow it."), undo])
    if isinstance(effect, CommandEffect):
        undo = _("Can be undone.") if effect.undoable else _("What it changes cannot be undone.")
        return " ".join([*place, _("Nothing runs until you allow it."), undo])
    if isinstance(effect, ReadEffect):
        return " ".join([*place, _("Nothing is read until you allow it. What is read goes to the model.")])
    return _("Nothing is sent until you allow it. What is sent cannot be taken back.")


def is_destructive(approval: Approval) -> bool:
    """Whether Enter must never approve it: commands, deletions, secrets, everything that cannot be undone."""
    effect = approval.effect
    if isinstance(effect, FilesEffect):
        return not effect.undoable or any(file.kind == "deleted" for file in effect.files)
    return True


def allow_text(taken: int, pieces: int) -> str:
    """Return the words of the main button for a change of `pieces` pieces of which `taken` are wanted."""
    if pieces <= 1 or taken == 0:
        return _("Allow")
    if taken == pieces:
        return plural("Allow {n} piece", "Allow all {n} pieces", pieces)
    words = plural("Allow {taken} of {n} piece", "Allow {taken} of {n} pieces", pieces)
    return words.replace("{taken}", str(taken))


def kind_text(file: FileDiff) -> str:
    """Return what happens to a file, for its row and for screen readers."""
    if file.kind == "renamed":
        return _("renamed from {old}").replace("{old}", file.old_path)
    return {"new": _("new"), "changed": _("changed"), "deleted": _("deleted")}[file.kind]

"""What an action would do, in plain sentences for both front ends: a command of Git, the end of a process,
something on the desktop.
"""

from __future__ import annotations

from collections.abc import Callable

from app.records import ActionEffect
from ui.language import _, later

_TITLES = {
    "git": later("Bramble wants to use Git: {subject}"),
    "end_process": later("Bramble wants to end {subject}"),
    "read_clipboard": later("Bramble wants to read the clipboard"),
    "set_clipboard": later("Bramble wants to replace what is on the clipboard"),
    "screenshot": later("Bramble wants to take a picture of the screen"),
    "notify": later("Bramble wants to show a notification"),
    "open_app": later("Bramble wants to open {subject}"),
    "open_url": later("Bramble wants to open a link"),
    "set_volume": later("Bramble wants to change the volume"),
    "set_brightness": later("Bramble wants to change the brightness of the screen"),
}
_GIT = {
    "commit": later("Bramble wants to make a Git commit"),
    "commit --amend": later("Bramble wants to change the newest Git commit"),
    "branch": later("Bramble wants to make the Git branch {name}"),
    "branch -m": later("Bramble wants to rename the Git branch {name}"),
    "branch -d": later("Bramble wants to delete the Git branch {name}"),
    "switch": later("Bramble wants to switch to {name} in Git"),
    "restore": later("Bramble wants to bring files back to how Git has them"),
    "stash push": later("Bramble wants to put changes aside in Git"),
    "stash pop": later("Bramble wants to bring back what was put aside in Git"),
    "stash apply": later("Bramble wants to bring back a copy of what was put aside in Git"),
    "stash drop": later("Bramble wants to throw away what was put aside in Git"),
    "fetch": later("Bramble wants to fetch commits from {name}"),
    "pull": later("Bramble wants to pull commits from {name}"),
    "push": later("Bramble wants to push commits to {name}"),
}
"""By the first words of the command: "push" alone would mean both a stash and a server."""
_CAPTIONS = {
    "git": later("Command"),
    "end_process": later("What would end"),
    "read_clipboard": later("What would be read"),
    "set_clipboard": later("The new text"),
    "screenshot": later("What would be seen"),
    "notify": later("Notification"),
    "open_app": later("What would be started"),
    "open_url": later("Link"),
    "set_volume": later("Change"),
    "set_brightness": later("Change"),
}
_SET_BACK = frozenset({"set_volume", "set_brightness"})
_PASSING = frozenset({"open_app", "open_url", "notify"})


def action_title(effect: ActionEffect, shown: Callable[[str], str] = str) -> str:
    """Return who wants to do what, without a full stop. `shown` makes a name harmless to show."""
    if effect.kind == "git":
        first = " ".join(effect.words[1:3])
        title = _GIT.get(first) or _GIT.get(first.partition(" ")[0]) if first else None
        if title:
            return _(title).replace("{name}", shown(effect.subject.partition(" ")[2]))
    return _(_TITLES[effect.kind]).replace("{subject}", shown(effect.subject))


def action_caption(effect: ActionEffect) -> str:
    """Return what the text of `action_text` is."""
    return _(_CAPTIONS[effect.kind])


def action_text(effect: ActionEffect) -> str:
    """Return all of what would be done, word for word."""
    return effect.details or effect.subject


def action_outcome(effect: ActionEffect) -> str:
    """Return whether it can be taken back, as a sentence."""
    if effect.discloses:
        return _("What is read goes to the model.")
    if effect.undoable:
        return _("What it changes in files can be undone.")
    if effect.kind in _SET_BACK:
        return _("It can be set back.")
    if effect.kind == "git" and not (effect.loses or effect.host or effect.runs):
        return _("Only Git itself can take it back.")
    return "" if effect.kind in _PASSING else _("It cannot be undone.")


def action_cautions(effect: ActionEffect) -> list[str]:
    """Return what a person should look at before they answer, the gravest first."""
    found = []
    if effect.loses:
        found.append(_("It may throw away what nothing brings back."))
    if effect.runs:
        words = _("It runs programs that the repository brings, without a sandbox: {names}.")
        found.append(words.replace("{names}", ", ".join(effect.runs)))
    if effect.host:
        found.append(_("It reaches {host}.").replace("{host}", effect.host))
    return found

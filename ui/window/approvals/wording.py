"""The words of a question: where it happens, what is true of it now, and what the main button does."""

from __future__ import annotations

from collections.abc import Sequence

from app.records import (
    ActionEffect,
    Approval,
    CommandEffect,
    FileDiff,
    FilesEffect,
    InstallEffect,
    Loss,
    MemoryEffect,
    ReadEffect,
    RequestEffect,
    SandboxInfo,
    ServerEffect,
)
from ui.actions import action_cautions, action_outcome
from ui.memory_words import effect_consequence
from ui.notes import amounts
from ui.places import tilde
from ui.requests import request_cautions, saves_text
from ui.server_words import sent_text
from ui.trust import layer_name, layer_text, loss_sample, loss_text, marks_text, reach_text, says_text
from ui.window.approvals.facts import Fact
from ui.window.transcript.legible import legible
from ui.words import _, plural, reason_text

PLAIN_REASONS = frozenset(
    {"", "change", "no_rule", "command", "request", "server", "install", "action", "loses"}
    | {"repository_programs"}
)
"""Reasons that say no more than the title or what stands above them does."""
_PLACES = ("steering", "protected", "secret_path")
"""Reasons that no rule and no blanket yes silences, since the place is what it is."""


def title(approval: Approval) -> str:
    """Return who wants what, as the title of the dialog."""
    from ui.window.transcript.calls import question

    return question(approval.effect)


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
    if isinstance(effect, ServerEffect):
        return _("Nothing is sent until you allow it. What the server does cannot be undone.")
    if isinstance(effect, InstallEffect):
        return _("Nothing is installed until you allow it. The server can be removed again.")
    if isinstance(effect, ActionEffect):
        start = [_("In {folder}.").replace("{folder}", tilde(effect.cwd))] if effect.cwd else []
        said = [*start, _("Nothing is done until you allow it."), action_outcome(effect)]
        return " ".join(filter(None, said))
    if isinstance(effect, MemoryEffect):
        return f"{_('Nothing is done until you allow it.')} {effect_consequence(effect)}"
    return _("Nothing is sent until you allow it. What is sent cannot be taken back.")


def why(approval: Approval) -> str:
    """Return why it asks, as a sentence, "" where nobody said."""
    if not approval.reason:
        return ""
    return _("It asks because {reason}.").replace("{reason}", reason_text(approval.reason))


def facts(approval: Approval, *, again: bool = False) -> list[Fact]:
    """Return what else there is to know, the gravest first: losses, places, reach, sources, reason."""
    effect = approval.effect
    found: list[Fact] = []
    if again:
        words = _("The file changed meanwhile, so nothing was written. This is what would change now.")
        found.append(Fact("refresh-cw", "caution", words))
    losses = approval.losses or (effect.losses if isinstance(effect, FilesEffect) else ())
    found += [loss_fact(loss) for loss in losses]
    if approval.outside:
        words = plural(
            "Writes to {n} place outside the folder:",
            "Writes to {n} places outside the folder:",
            len(approval.outside),
        )
        found.append(Fact("triangle-alert", "caution", words, tuple(map(tilde, approval.outside))))
    if isinstance(effect, CommandEffect) and not effect.job:
        held = effect.layer != "none" and effect.reach != "all"
        found.append(
            Fact("shield-check" if held else "shield-off", "text" if held else "caution", reach_text(effect))
        )
    if isinstance(effect, RequestEffect):
        found += [Fact("triangle-alert", "caution", one) for one in request_cautions(effect)]
        found += [Fact("download", "text", saves)] if (saves := saves_text(effect)) else []
    if isinstance(effect, ServerEffect) and (said := says_text(effect)):
        found.append(Fact("info", "caution" if effect.says == "destroys" else "muted", said))
    if isinstance(effect, InstallEffect):
        found.append(Fact("triangle-alert", "caution", _install_words(effect)))
    if isinstance(effect, ActionEffect):
        found += [Fact("triangle-alert", "caution", legible(line)) for line in action_cautions(effect)]
    if approval.marks:
        found.append(Fact("globe", "caution", marks_text(approval.marks)))
    stands = approval.reason in PLAIN_REASONS and isinstance(effect, FilesEffect | ActionEffect)
    stands |= approval.reason == "private_host" and isinstance(effect, RequestEffect)
    if not stands:
        found += [Fact("info", "muted", why(approval))] if why(approval) else []
    return found


def sandbox_facts(found: SandboxInfo) -> list[Fact]:
    """Return what holds commands on this machine, why it is not more, and what could be done about that."""
    held = found.layer != "none"
    words = _("On: {name}.").replace("{name}", layer_name(found.layer)) if held else _("Off.")
    icon, role = ("shield-check", "good") if held else ("shield-off", "caution")
    told = (found.why, *found.details, found.fix)
    first = Fact(icon, role, f"{words} {layer_text(found.layer)}")
    return [first, *(Fact("info", "muted", _(line)) for line in told if line)]


def _install_words(effect: InstallEffect) -> str:
    """Return what it means to add a server, and where it comes from."""
    words = (
        _("The program runs outside of the sandbox, with your rights.")
        if effect.command
        else sent_text(effect.url)
    )
    if not effect.origin:
        return words
    return f"{words} {_('From the registry: {origin}.').replace('{origin}', legible(effect.origin))}"


def loss_fact(loss: Loss) -> Fact:
    """Return what would be lost below one path, the gravest in red."""
    words = _("Takes away {what}.").replace("{what}", loss_text(loss))
    role = "danger" if loss.whole or loss.untracked else "caution"
    return Fact("trash-2", role, words, sample_lines(loss_sample(loss), loss.items))


def sample_lines(sample: Sequence[str], items: int) -> tuple[str, ...]:
    """Return some names of `items`, and how many more there are; nothing where none is named."""
    more = items - len(sample)
    if not sample or more <= 0:
        return tuple(sample)
    return (*sample, plural("and {n} more", "and {n} more", more).replace(str(more), f"{more:,}"))


def is_destructive(approval: Approval) -> bool:
    """Whether Enter must never approve it: commands, deletions, secrets, places outside, everything that
    cannot be undone.
    """
    effect = approval.effect
    if approval.losses or approval.outside or not isinstance(effect, FilesEffect):
        return True
    gone = any(file.kind == "deleted" for file in effect.files)
    return gone or bool(effect.losses) or not effect.undoable or approval.reason in _PLACES


def allow_text(taken: int, pieces: int) -> str:
    """Return the words of the main button for a change of `pieces` pieces of which `taken` are wanted."""
    if pieces <= 1 or taken == 0:
        return _("Allow")
    if taken == pieces:
        if pieces == 2:
            return _("Allow both pieces")
        return plural("Allow {n} piece", "Allow all {n} pieces", pieces)
    words = plural("Allow {taken} of {n} piece", "Allow {taken} of {n} pieces", pieces)
    return words.replace("{taken}", str(taken))


def never_kept(approval: Approval) -> str:
    """Return why no answer to this can be kept as a rule."""
    if isinstance(approval.effect, InstallEffect):
        return _("A new server is asked about each time.")
    if approval.losses or (isinstance(approval.effect, ActionEffect) and approval.effect.loses):
        return _("What takes things away is asked about each time.")
    if isinstance(approval.effect, ActionEffect) and approval.effect.runs:
        return _("What runs programs of a repository is asked about each time.")
    if approval.reason in _PLACES:
        return _("This place is asked about each time.")
    if approval.marks:
        return _("While text that nobody vouches for is here, it is asked about each time.")
    if isinstance(approval.effect, CommandEffect):
        return _("No rule could cover just this command, so it is asked about each time.")
    return _("No rule could cover just this, so it is asked about each time.")


def kind_text(file: FileDiff) -> str:
    """Return what happens to a file, for its row and for screen readers."""
    if file.kind in ("renamed", "copied"):
        words = _("moved from {old}") if file.kind == "renamed" else _("copied from {old}")
        return words.replace("{old}", tilde(file.old_path))
    return {
        "new": _("new"),
        "changed": _("changed"),
        "deleted": _("deleted"),
        "folder": _("new folder"),
    }[file.kind]


def amount_text(file: FileDiff) -> str:
    """Return how much a folder, an archive or a file without lines holds, "" where lines say it."""
    return ", ".join(amounts(file))

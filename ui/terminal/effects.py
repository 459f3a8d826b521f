"""What a person approves, as lines of a terminal: the whole diff or command, nothing hidden or cut."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from app.records import (
    ActionEffect,
    Approval,
    CommandEffect,
    Effect,
    FileDiff,
    FilesEffect,
    InstallEffect,
    Loss,
    MemoryEffect,
    ReadEffect,
    RequestEffect,
    ServerEffect,
)
from ui.actions import action_cautions, action_outcome, action_text, action_title
from ui.memory_words import effect_caption, effect_consequence, effect_title
from ui.notes import amounts, cautions, without_lines
from ui.places import tilde
from ui.requests import request_cautions, request_text, request_title, saves_text
from ui.terminal.clean import visible
from ui.terminal.output import Style
from ui.trust import covers, install_text, loss_sample, loss_text, marks_text, reach_text, says_text
from ui.words import _, plural, reason_text

Styled = Callable[[str, Style], str]


def headline(effect: Effect) -> str:
    """Return who wants to do what, as one sentence."""
    match effect:
        case FilesEffect(files=files):
            if len(files) == 1:
                return _file_headline(files[0])
            return plural(
                "Bramble wants to change {n} file.", "Bramble wants to change {n} files.", len(files)
            )
        case CommandEffect(job=job):
            return (
                _("Bramble wants to send this to a running job.")
                if job
                else _("Bramble wants to run a command.")
            )
        case ReadEffect(secret=secret):
            return (
                _("Bramble wants to read a file that may hold secrets.")
                if secret
                else _("Bramble wants to read outside the working folder.")
            )
        case RequestEffect(host=host):
            return f"{request_title(effect, visible(host, lines=False))}."
        case ServerEffect(server=server, tool=tool):
            words = _("Bramble wants to call {tool} of the server {server}.")
            return words.replace("{tool}", visible(tool, lines=False)).replace("{server}", server)
        case InstallEffect(server=server):
            words = _("Bramble wants to add the server {server}.")
            return words.replace("{server}", visible(server, lines=False))
        case ActionEffect():
            return f"{action_title(effect, lambda name: visible(name, lines=False))}."
        case MemoryEffect():
            return f"{effect_title(effect)}."


def _file_headline(file: FileDiff) -> str:
    sentence = {
        "new": _("Bramble wants to make {path}."),
        "changed": _("Bramble wants to change {path}."),
        "deleted": _("Bramble wants to delete {path}."),
        "renamed": _("Bramble wants to rename {old} to {path}."),
        "copied": _("Bramble wants to copy {old} to {path}."),
        "folder": _("Bramble wants to make the folder {path}."),
    }[file.kind]
    old = visible(file.old_path, lines=False)
    return sentence.replace("{old}", old).replace("{path}", visible(file.shown or file.path, lines=False))


def body(effect: Effect, styled: Styled) -> list[str]:
    """Return the whole of what would happen, one terminal line each. Pieces of files are numbered from 1
    where there are several.
    """
    match effect:
        case FilesEffect(files=files):
            several, first = sum(len(file.hunks) for file in files) > 1, 1
            lines: list[str] = []
            for number, file in enumerate(files, 1):
                lines += file_lines(file, styled, piece=first if several else 0, number=number)
                first += len(file.hunks)
            return lines
        case CommandEffect(command=command, cwd=cwd):
            lines = [
                styled("  │ ", "muted") + styled(visible(line), "strong") for line in command.split("\n")
            ]
            return [
                *lines,
                styled(_("  in {folder}").replace("{folder}", visible(cwd, lines=False)), "muted"),
            ]
        case ReadEffect(path=path):
            return ["  " + styled(visible(path, lines=False), "strong")]
        case RequestEffect():
            head, *rest = request_text(effect).split("\n")
            told = [styled("  │ ", "muted") + visible(line, lines=False) for line in rest]
            return ["  " + styled(visible(head, lines=False), "strong"), *told]
        case ServerEffect(arguments=arguments):
            return [styled("  │ ", "muted") + visible(line) for line in arguments.split("\n")]
        case InstallEffect():
            return [styled("  │ ", "muted") + visible(line) for line in install_text(effect).split("\n")]
        case ActionEffect(cwd=cwd):
            lines = [styled("  │ ", "muted") + visible(line) for line in action_text(effect).split("\n")]
            place = _("  in {folder}").replace("{folder}", visible(cwd, lines=False))
            return [*lines, *([styled(place, "muted")] if cwd else [])]
        case MemoryEffect(text=text):
            said = [styled("  │ ", "muted") + styled(visible(line), "strong") for line in text.split("\n")]
            return [styled(f"  {visible(effect_caption(effect), lines=False)}:", "muted"), *said]


def counted(file: FileDiff) -> str:
    """Return a file or a whole folder with how much of it a change is, in a few words for lists."""
    return f"{visible(file.shown or file.path, lines=False)} {_counts(file)}"


def _counts(file: FileDiff) -> str:
    """Return the lines that come and go; where there are none, what happens and how much that is."""
    counted_lines = file.kind in ("new", "changed") and not file.items and not file.binary
    if file.added or file.removed or counted_lines:
        return f"+{file.added} -{file.removed}"
    kind = {
        "deleted": _("deleted"),
        "renamed": _("moved from {old}"),
        "copied": _("copied from {old}"),
        "folder": _("new folder"),
    }.get(file.kind, _("new") if file.kind == "new" else _("changed"))
    words = kind.replace("{old}", visible(tilde(file.old_path), lines=False))
    return ", ".join((words, *amounts(file)))


def file_lines(file: FileDiff, styled: Styled, *, piece: int = 0, number: int = 0) -> Iterator[str]:
    """Yield the diff of one file: a head, then hunks with - and + in front. `piece` is the number of the
    first hunk, 0 for none.
    """
    mark = f"{number}. " if piece and number else ""
    yield (
        styled(f"  {mark}{visible(file.shown or file.path, lines=False)}", "strong")
        + "  "
        + styled(_counts(file), "muted")
    )
    said = cautions(file)
    if not file.hunks and without_lines(file) != " ".join(said):
        yield "  " + without_lines(file)
    for sentence in said:
        yield styled("  " + sentence, "caution")
    if file.note == "shown_changes":
        yield from (f"  {visible(change, lines=False)}" for change in file.sample)
    elif file.sample:
        more = " …" if file.items > len(file.sample) else ""
        yield "  " + ", ".join(visible(name, lines=False) for name in file.sample) + more
    for at, hunk in enumerate(file.hunks):
        place = f"@@ -{hunk.old_start},{hunk.old_count} +{hunk.new_start},{hunk.new_count} @@"
        if piece:
            place += " " + _("piece {n}").replace("{n}", str(piece + at))
        yield styled(f"  {place}", "accent")
        for line in hunk.lines:
            style: Style = {"+": "good", "-": "danger"}.get(line.kind, "plain")  # type: ignore[assignment]
            yield "  " + styled(line.kind + visible(line.text.rstrip("\n")), style)


def facts(approval: Approval, styled: Styled) -> list[str]:
    """Return what else a person should know before they answer: the parts of a chain, what holds a command,
    where it writes, what would be lost, whose text is in the conversation.
    """
    effect = approval.effect
    lines: list[str] = []
    if isinstance(effect, CommandEffect):
        if len(approval.parts) > 1:
            count = len(approval.parts)
            lines.append(styled("  " + plural("It is {n} command:", "It is {n} commands:", count), "muted"))
            lines += [
                f"  {number}. {visible(part, lines=False)}" for number, part in enumerate(approval.parts, 1)
            ]
        if not effect.job:
            loose = effect.layer == "none" or effect.reach != "folder"
            lines.append(styled("  " + visible(reach_text(effect)), "caution" if loose else "muted"))
    if isinstance(effect, ServerEffect) and (said := says_text(effect)):
        lines.append(styled("  " + said, "caution" if effect.says == "destroys" else "muted"))
    if isinstance(effect, ActionEffect):
        lines += [styled("  " + visible(line, lines=False), "caution") for line in action_cautions(effect)]
    if isinstance(effect, RequestEffect):
        lines += [styled("  " + visible(one), "caution") for one in request_cautions(effect)]
        lines += [styled("  " + visible(saves), "muted")] if (saves := saves_text(effect)) else []
    if approval.outside:
        lines.append(styled("  " + _("It writes outside of the folder:"), "caution"))
        lines += [f"    {visible(path, lines=False)}" for path in approval.outside]
    own = effect.losses if isinstance(effect, FilesEffect) else ()
    for loss in approval.losses or own:
        lines += _loss_lines(loss, styled)
    if approval.marks:
        lines.append(styled("  " + visible(marks_text(approval.marks)), "caution"))
    return lines


def _loss_lines(loss: Loss, styled: Styled) -> Iterator[str]:
    words = _("It would take away {what}.").replace("{what}", visible(loss_text(loss), lines=False))
    yield styled("  " + words, "danger")
    if sample := loss_sample(loss):
        more = " …" if loss.items > len(sample) else ""
        yield "    " + ", ".join(visible(name, lines=False) for name in sample) + more


def offer_lines(approval: Approval, styled: Styled) -> list[str]:
    """Return the rules that may be saved, word for word, each with what it covers."""
    if not approval.offers:
        return []
    lines = [
        "  " + _("To allow it from now on, one of these is saved (the first, or a 2 for the second):")
        if len(approval.offers) > 1
        else "  " + _("To allow it from now on, this is saved:")
    ]
    for number, offer in enumerate(approval.offers, 1):
        for at, rule in enumerate(offer):
            mark = f"{number}. " if not at else "   "
            lines.append(styled(f"  {mark}{visible(rule, lines=False)}", "accent"))
            lines.append(styled("     " + visible(covers(rule), lines=False), "muted"))
    return lines


def footnote(approval: Approval) -> str:
    """Return why it is asked, and whether it can be taken back."""
    effect = approval.effect
    why = (
        _("Asked because {reason}.").replace("{reason}", reason_text(approval.reason))
        if approval.reason
        else ""
    )
    match effect:
        case FilesEffect(undoable=True):
            back = _("Nothing is written yet. It can be taken back.")
        case FilesEffect():
            back = _("Nothing is written yet. It cannot be taken back.")
        case CommandEffect(undoable=True):
            back = _("It has not run yet. Changes to files can be taken back.")
        case CommandEffect():
            back = _("It has not run yet. It cannot be undone.")
        case RequestEffect():
            back = _("Nothing is sent yet. What is sent cannot be taken back.")
        case ServerEffect():
            back = _("Nothing is sent yet. What the server does cannot be undone.")
        case InstallEffect():
            back = _("Nothing has been installed yet. The server can be removed again.")
        case ActionEffect():
            back = f"{_('Nothing has been done yet.')} {action_outcome(effect)}".strip()
        case MemoryEffect():
            back = f"{_('Nothing has been done yet.')} {effect_consequence(effect)}"
        case _other:
            back = ""
    return f"{why} {back}".strip()


def short(effect: Effect) -> str:
    """Return the effect in a few words on one line, for lists."""
    match effect:
        case FilesEffect(files=files):
            names = ", ".join(visible(file.shown or file.path, lines=False) for file in files[:3])
            return names + (" …" if len(files) > 3 else "")
        case CommandEffect(command=command):
            return visible(command, lines=False)
        case ReadEffect(path=path):
            return visible(path, lines=False)
        case RequestEffect(method=method, url=url):
            return visible(f"{method} {url}", lines=False)
        case ServerEffect(server=server, tool=tool, arguments=arguments):
            return visible(f"{server}: {tool} {' '.join(arguments.split())}", lines=False)
        case InstallEffect(server=server):
            return visible(f"{server}: {' '.join(install_text(effect).split())}", lines=False)
        case ActionEffect(kind=kind):
            words = " ".join(action_text(effect).split())
            return visible(words if kind == "git" else f"{action_title(effect)}: {words}", lines=False)
        case MemoryEffect(text=text):
            return visible(f"{effect_title(effect)}: {' '.join(text.split())}", lines=False)

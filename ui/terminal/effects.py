"""What a person approves, as lines of a terminal: the whole diff or command, nothing hidden."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from app.records import Approval, CommandEffect, Effect, FileDiff, FilesEffect, ReadEffect, RequestEffect
from ui.notes import cautions, without_lines
from ui.terminal.clean import visible
from ui.terminal.output import Style
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
            return _("Bramble wants to send a request to {host}.").replace(
                "{host}", visible(host, lines=False)
            )


def _file_headline(file: FileDiff) -> str:
    sentence = {
        "new": _("Bramble wants to make {path}."),
        "changed": _("Bramble wants to change {path}."),
        "deleted": _("Bramble wants to delete {path}."),
        "renamed": _("Bramble wants to rename {old} to {path}."),
    }[file.kind]
    old = visible(file.old_path, lines=False)
    return sentence.replace("{old}", old).replace("{path}", visible(file.shown or file.path, lines=False))


def body(effect: Effect, styled: Styled) -> list[str]:
    """Return the whole of what would happen, one terminal line each."""
    match effect:
        case FilesEffect(files=files):
            return [line for file in files for line in file_lines(file, styled)]
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
        case RequestEffect(method=method, url=url):
            return ["  " + styled(f"{visible(method, lines=False)} {visible(url, lines=False)}", "strong")]


def file_lines(file: FileDiff, styled: Styled) -> Iterator[str]:
    """Yield the diff of one file: a head, then hunks with - and + in front."""
    counts = f"+{file.added} -{file.removed}"
    yield (
        styled(f"  {visible(file.shown or file.path, lines=False)}", "strong")
        + "  "
        + styled(counts, "muted")
    )
    said = cautions(file)
    if not file.hunks and without_lines(file) != " ".join(said):
        yield "  " + without_lines(file)
    for sentence in said:
        yield styled("  " + sentence, "caution")
    for hunk in file.hunks:
        place = f"@@ -{hunk.old_start},{hunk.old_count} +{hunk.new_start},{hunk.new_count} @@"
        yield styled(f"  {place}", "accent")
        for line in hunk.lines:
            style: Style = {"+": "good", "-": "danger"}.get(line.kind, "plain")  # type: ignore[assignment]
            yield "  " + styled(line.kind + visible(line.text.rstrip("\n")), style)


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

"""What a person should know of a changed file beyond its lines, in sentences, for both front ends."""

from __future__ import annotations

from app.records import FileDiff
from ui.amounts import size
from ui.language import _, later, plural

NOTES = {
    "encoding_changed": later("The file's encoding changes."),
    "line_ends_changed": later("The file's line ends change."),
    "unknown_encoding": later("The file's encoding is not known; bytes that are no ASCII stay as they are."),
    "other_encoding": later("The file is not UTF-8; its encoding stays."),
    "no_final_newline": later("The last line has no line end."),
    "hard_link": later("The file has other names (hard links); they change as well."),
    "mode_changed": later("The file's permissions change."),
    "link": later("It is a link; what it points to stays."),
    "archive": later("It is a new archive of these files."),
    "secret_source": later("It may hold secrets, which could then be read at another place."),
    "outside_source": later("It comes from outside of the working folder."),
    "protected_within": later("It lies within, and steers programs or has a name that misleads."),
    "shown_changes": later("These changes are made in it:"),
    "cannot_hold": later("The file's encoding cannot hold a character of your text. Please change the text."),
}
"""One row for each code that a `FileDiff.note` may hold; a test holds them to where the codes are made."""


def cautions(file: FileDiff) -> tuple[str, ...]:
    """Return the sentences about one file; a code that is not known is shown as it is."""
    said = []
    if file.note and not (file.note == "mode_changed" and file.new_mode):
        said.append(_(NOTES[file.note]) if file.note in NOTES else file.note.replace("_", " "))
    if file.new_mode:
        sentence = _("The file's permissions change from {old} to {new}.")
        said.append(sentence.replace("{old}", f"{file.old_mode:o}").replace("{new}", f"{file.new_mode:o}"))
    return tuple(said)


def amounts(file: FileDiff) -> tuple[str, ...]:
    """Return how many files there are below a folder and how large all is, where lines do not say it."""
    files = plural("{n} file", "{n} files", file.items).replace(str(file.items), f"{file.items:,}")
    return (*((files,) if file.items else ()), *((size(file.size),) if file.size else ()))


def without_lines(file: FileDiff) -> str:
    """Return what stands where the lines of a file would, for a diff that has none."""
    if file.note == "archive":
        return _("The archive is made.")
    if file.items or file.kind == "folder":
        return {
            "deleted": _("The folder is deleted with everything in it."),
            "renamed": _("The folder is moved with everything in it."),
            "copied": _("The folder is copied with everything in it."),
            "folder": _("An empty folder is made."),
            "new": _("The folder is made with everything in it."),
        }.get(file.kind, _("The folder changes."))
    if file.kind == "renamed":
        return _("The file is renamed; its lines stay.")
    if file.kind == "copied":
        return _("The file is copied as it is.")
    if file.binary:
        return _("This is not text, so its lines cannot be shown.")
    if file.kind == "changed":
        return " ".join(cautions(file)) or _("The lines of the file stay.")
    return _("The file has no lines.")

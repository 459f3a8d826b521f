"""Words about the instructions of projects for both front ends."""

from __future__ import annotations

from app.instruction_records import InstructionFile, ProjectInstructions
from ui.language import _, plural
from ui.places import tilde


def instructions_title(found: ProjectInstructions) -> str:
    """Return what a project brings, in one sentence."""
    if found.changed and found.state == "agreed":
        return _("The instructions of this project were changed since you last saw them.")
    return plural(
        "This project brings a file of instructions.",
        "This project brings {n} files of instructions.",
        len(found.files),
    )


def changed_text(found: ProjectInstructions) -> str:
    """Return that instructions which hold were changed, by the file's name where there is one."""
    if len(found.files) != 1:
        return instructions_title(found)
    name = found.files[0].path.replace("\\", "/").rpartition("/")[2]
    return _("{name} was changed since you last saw it.").replace("{name}", name)


def instructions_text(found: ProjectInstructions) -> str:
    """Return what the person said to them, or what is asked."""
    names = ", ".join(tilde(file.path) for file in found.files)
    words = {
        "waiting": _(
            "They tell Bramble how to work here and go to the model. Use them only if you trust the project:"
            " {names}."
        ),
        "agreed": _("You agreed to them: {names}."),
        "refused": _("You left them out: {names}."),
    }
    return words[found.state].replace("{names}", names)


def file_note(file: InstructionFile) -> str:
    """Return why a file is not read or how much of it is left out, "" where all of it counts."""
    words = {
        "link": _(
            "It links out of the project, or to a file that changes without a question, so it is not read."
        ),
        "binary": _("It is no text, so it is not read."),
        "unreadable": _("It cannot be read."),
    }
    if file.why:
        return words.get(file.why, file.why)
    if file.cut:
        return plural(
            "{n} byte of it is left out: all files together may have 32 KiB.",
            "{n} bytes of it are left out: all files together may have 32 KiB.",
            file.cut,
        )
    return ""

"""Word what files hold and what became of them, the same for all file tools."""

from __future__ import annotations

from collections.abc import Iterable

from tools import Changed, ChangedFile, Entry, ToolResult, checked, plural

_WORDS = {
    "new": "made",
    "changed": "changed",
    "deleted": "deleted",
    "renamed": "moved",
    "copied": "copied",
    "folder": "folder made",
    "same": "unchanged",
}


def changed(result: Changed) -> ToolResult:
    """Return what a change did, with everything that is not as it was asked for."""
    lines = [_line(file) for file in result.files]
    if result.note:
        lines.append(result.note)
    written = [file for file in result.files if file.kind != "same"]
    return ToolResult(
        text="\n".join(lines),
        summary=_summary(written),
        ok=all(file.verified for file in result.files),
        view="diff",
        data={
            "files": [
                {"path": file.path, "kind": file.kind, "added": file.added, "removed": file.removed}
                for file in result.files
            ]
        },
        undo=result.undo,
    )


def _line(file: ChangedFile) -> str:
    counts = f" (+{file.added} -{file.removed})" if file.added or file.removed else ""
    verified = "" if file.kind == "same" else f", {checked(file.verified)}"
    note = f" {file.note}" if file.note else ""
    return f"{file.path}: {_WORDS[file.kind]}{counts}{verified}.{note}"


def _summary(written: list[ChangedFile]) -> str:
    if not written:
        return "nothing changed"
    added, removed = sum(file.added for file in written), sum(file.removed for file in written)
    if len(written) == 1:
        return f"{_WORDS[written[0].kind]} +{added} \u2212{removed}"
    return f"{len(written)} files +{added} \u2212{removed}"


def entries(found: Iterable[Entry], *, sizes: bool) -> list[str]:
    """Return one line an entry: folders end in a slash, links tell their target."""
    return [one_line(_entry(entry, sizes)) for entry in found]


def one_line(name: str) -> str:
    """Return the name without the line ends that would make two names of it."""
    return name.replace("\r", "\\r").replace("\n", "\\n")


def unread(number: int) -> list[str]:
    """Return the note on folders that could not be looked into, none when there are none."""
    return [f"[{plural(number, 'folder', 'folders')} could not be read]"] if number else []


def _entry(entry: Entry, sizes: bool) -> str:
    if entry.kind == "folder":
        return f"{entry.path}/"
    if entry.kind == "link":
        return f"{entry.path} -> {entry.target}"
    if entry.kind == "other":
        return f"{entry.path} (special)"
    return f"{entry.path}  {size(entry.size)}" if sizes else entry.path


def size(number: int) -> str:
    """Return a number of bytes in a short form."""
    if number < 1_000:
        return f"{number} B"
    amount, unit = float(number), 0
    while amount >= 999.5 and unit < 4:
        amount, unit = amount / 1_000, unit + 1
    return f"{amount:.1f} {('B', 'kB', 'MB', 'GB', 'TB')[unit]}"

"""The icon of what happens to a file or a folder, wherever one is listed."""

from __future__ import annotations

from app.records import FileDiff

_ICONS = {
    "new": "file-plus",
    "changed": "file-pen",
    "deleted": "file-x",
    "renamed": "file",
    "copied": "copy",
    "folder": "folder-plus",
}


def icon_of(file: FileDiff) -> str:
    """Return the icon of what happens to a file or a folder."""
    if file.items and file.kind != "folder" and file.note != "archive":
        return "folder-x" if file.kind == "deleted" else "copy" if file.kind == "copied" else "folder"
    return _ICONS[file.kind]

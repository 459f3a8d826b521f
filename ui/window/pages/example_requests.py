"""Requests that fit a folder, for the start of a conversation: chosen by the names in it, nothing is read."""

from __future__ import annotations

import os
from collections.abc import Iterable
from itertools import islice
from pathlib import PurePath

from ui.language import _

LOOKED_AT = 400
"""Names of a folder that are looked at; what is there shows in the first ones."""
SHOWN = 3

_PICTURES = frozenset({".jpg", ".jpeg", ".png", ".heic", ".webp", ".gif", ".tif", ".tiff", ".raw"})
_PAPERS = frozenset({".pdf", ".docx", ".doc", ".odt", ".eml", ".pptx"})
_TABLES = frozenset({".csv", ".tsv", ".xlsx", ".xls", ".ods"})
_CODE = frozenset({".py", ".js", ".ts", ".rs", ".go", ".c", ".cpp", ".java", ".rb", ".sh", ".php", ".cs"})
_PROJECT = frozenset({".git", "pyproject.toml", "package.json", "cargo.toml", "go.mod", "makefile"})


def names_in(folder: str) -> tuple[str, ...]:
    """Return some names of a folder, () for "" and for one that cannot be read. Blocks: call it in a
    thread.
    """
    if not folder:
        return ()
    try:
        with os.scandir(folder) as found:
            return tuple(entry.name for entry in islice(found, LOOKED_AT))
    except OSError:
        return ()


def examples(names: Iterable[str] = ()) -> tuple[str, ...]:
    """Return three requests that fit what a folder holds; without names those that need no files."""
    lower = [name.lower() for name in names]
    shown = [name for name in lower if not name.startswith(".") or name == ".git"]
    if not shown:
        return (
            _("Write a file hello.txt with a short greeting."),
            _("Make a packing list for a weekend in the mountains, as a file."),
            _("Write a small script that counts down from ten, and run it."),
        )
    ends = [PurePath(name).suffix for name in shown]
    fitting = [_("Look through this folder and tell me what is in it.")]
    if _PROJECT.intersection(shown) or sum(end in _CODE for end in ends) * 3 > len(ends):
        fitting.append(_("Explain how this project is built, and where a newcomer should begin to read."))
        fitting.append(_("Find the places here that are marked as still to do, the most important first."))
    if any(end in _PICTURES for end in ends):
        fitting.append(_("Sort the pictures here into a folder for each month."))
    if any(end in _PAPERS for end in ends):
        fitting.append(_("Find every file here that mentions an invoice, and list them by date."))
    if any(end in _TABLES for end in ends):
        fitting.append(_("Tell me in five sentences what the tables here show."))
    fitting.append(_("Which files here are the largest, and which look like copies?"))
    fitting.append(_("Write a file overview.md that says what is in this folder."))
    return tuple(fitting[:SHOWN])

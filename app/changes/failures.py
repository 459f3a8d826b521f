"""Errors of the system, told as a code and in words that a model can act on."""

from __future__ import annotations

import errno

from app.errors import ToolError
from app.platform.trash import NoTrash


class ContentError(ToolError):
    """An edit that does not fit; its words tell something of the file, so telling them is reading."""


def told(error: OSError, effect: str = "Nothing was changed.") -> ToolError:
    """Return the error with a code of `app/errors.py`; `effect` says what it means for the call."""
    if isinstance(error, NoTrash):
        return ToolError(
            "no_trash",
            f"There is no trash that can take {error.filename}: {error.why}. {effect}".rstrip(),
            path=str(error.filename),
        )
    where = str(error.filename2 or error.filename or "the file")
    known = {
        errno.ENOSPC: ("disk_full", "The disk is full."),
        errno.EDQUOT: ("disk_full", "The quota of the disk is used up."),
        errno.EROFS: ("no_permission", f"{where} is on a file system that cannot be written."),
        errno.ENOENT: ("not_found", f"There is no {where}."),
        errno.EEXIST: ("changed_since", f"{where} was made by somebody else meanwhile."),
        errno.ELOOP: ("outside", f"A link stands in the way of {where}."),
        errno.EISDIR: ("bad_arguments", f"{where} is a folder."),
        errno.ENOTDIR: ("bad_arguments", f"A part of the path of {where} is a file."),
        errno.EXDEV: ("no_permission", f"{where} is on another drive, over which nothing can be renamed."),
        errno.ENAMETOOLONG: ("bad_arguments", "The name is too long."),
    }
    otherwise = ("no_permission", f"The system refuses {where}: {error.strerror}.")
    code, words = known.get(error.errno or 0, otherwise)
    return ToolError(code, f"{words} {effect}".rstrip(), detail=str(error), path=where)

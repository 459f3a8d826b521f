"""Writes a new skill into the person's folder, with a block that any reader of YAML understands."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import unicodedata
from collections.abc import Sequence
from pathlib import Path

from app.errors import BrambleError
from app.platform import filesystem
from app.platform.paths import make_private
from app.skill_records import LONGEST_NAME
from app.toolbox.skills.folder import FILE, safe_folder
from app.toolbox.skills.reading import is_plain_name


def document(
    name: str, description: str, body: str, triggers: Sequence[str] = (), tools: Sequence[str] = ()
) -> str:
    """Return the text of a SKILL.md. Texts stand in quotes, so that no colon can break the block."""
    lines = ["---", f"name: {name}", f"description: {_quoted(description)}"]
    for key, items in (("triggers", triggers), ("suggested-tools", tools)):
        if items:
            lines += [f"{key}:", *(f"  - {_quoted(item)}" for item in items)]
    return "\n".join([*lines, "---", "", body.strip("\n"), ""])


def _quoted(text: str) -> str:
    return json.dumps(" ".join(text.split()), ensure_ascii=False)


def plain_name(title: str) -> str:
    """Return a name for a title that a person wrote, "" where nothing is left: `Trip: Rome` is trip-rome."""
    letters = (
        unicodedata.normalize("NFKD", title.replace("ß", "ss")).encode("ascii", "ignore").decode().lower()
    )
    return re.sub(r"[^a-z0-9]+", "-", letters).strip("-")[:LONGEST_NAME].rstrip("-")


def write(place: Path, name: str, text: str, *, replace: bool = False) -> Path:
    """Write SKILL.md of a skill into its folder below `place` and return the folder.

    Raises BrambleError: bad_skill for a name that is not plain, skill_exists, no_permission, disk_full.
    """
    if not is_plain_name(name):
        raise BrambleError("bad_skill", f"{name!r} is no plain name for a skill.", name=name)
    folder = safe_folder(place, name)
    path = folder / FILE
    if os.path.lexists(path) and not replace:
        raise BrambleError("skill_exists", f"There is a skill {name} already.", name=name)
    put(path, text.encode("utf-8", "replace"))
    return folder


def put(path: Path, data: bytes | None) -> bytes | None:
    """Let a file hold `data`, None to remove it and a folder that is empty then; return what it held.

    A kill leaves the old or the new file. Raises BrambleError: no_permission, disk_full.
    """
    real = Path(os.path.realpath(path))
    aside = real.with_name(f".{FILE}.{os.getpid()}")
    try:
        before = real.read_bytes() if real.exists() else None
        if data is None:
            real.unlink(missing_ok=True)
            with contextlib.suppress(OSError):
                real.parent.rmdir()
            return before
        if not real.parent.is_dir():
            make_private(real.parent)
        with open(aside, "wb") as file:
            if before is not None:
                shutil.copymode(real, aside)
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        aside.replace(real)
        return before
    except OSError as error:
        with contextlib.suppress(OSError):
            aside.unlink()
        code = "disk_full" if error.errno in filesystem.FULL else "no_permission"
        raise BrambleError(code, f"{path}: {error}", detail=str(error), path=str(path)) from error

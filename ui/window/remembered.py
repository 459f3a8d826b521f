"""What the window remembers of itself between starts: size, look, last conversation and drafts.

The file is read once before the first paint, so that the frame comes up in the right place and colours
without waiting for the engine; the settings and the store stay the truth and correct it.
"""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path


@dataclass
class Remembered:
    """The window's own memory. Lengths in device-independent pixels."""

    width: int = 1280
    height: int = 800
    maximised: bool = False
    theme: str = "system"
    font_size: int = 14
    reduced_motion: bool = False
    language: str = ""
    session: str = ""
    folder: str = ""
    """The folder that was chosen for the next new conversation, "" for none."""
    here: str = ""
    """The folder that this start was made in, where it means one; it is not written down."""
    panel: bool = True
    setup: str = ""
    """The step of the first start that is still open (ways, folder, try), "" when none is."""
    drafts: dict[str, str] = field(default_factory=dict)
    """Text that was typed and not sent, by session ("" for a new one)."""

    attached: dict[str, list[list[str]]] = field(default_factory=dict)
    """What goes with those texts, by session: path and part of each, one of them ""."""

    def place(self) -> str:
        """Return the folder that the next new conversation works in, "" for an empty one of ours."""
        return self.folder or self.here


def read(path: Path) -> Remembered:
    """Return what is remembered; anything missing or of a wrong kind is as on the first start."""
    found = Remembered()
    try:
        data = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError):
        return found
    if not isinstance(data, dict):
        return found
    for part in fields(Remembered):
        if part.name == "here":
            continue
        value = data.get(part.name)
        if type(value) is type(getattr(found, part.name)):
            setattr(found, part.name, value)
    found.drafts = {key: text for key, text in found.drafts.items() if isinstance(text, str)}
    found.attached = {key: things for key, things in found.attached.items() if _are_things(things)}
    found.width, found.height = max(480, found.width), max(360, found.height)
    return found


def _are_things(value: object) -> bool:
    """Whether a list from the file is one of paths and parts."""
    return isinstance(value, list) and all(
        isinstance(one, list) and len(one) == 2 and all(isinstance(text, str) for text in one)
        for one in value
    )


def write(path: Path, remembered: Remembered) -> bool:
    """Write it in one step; False where the home cannot be written to (nothing important is lost)."""
    kept = {name: value for name, value in asdict(remembered).items() if name != "here"}
    text = json.dumps(kept, ensure_ascii=True, indent=1)
    beside = path.with_name(f"{path.name}.new")
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        beside.write_text(text, "ascii")
        os.chmod(beside, 0o600)
        os.replace(beside, path)
    except OSError:
        return False
    return True


def started_in(folder: str, home: str, *own: str) -> str:
    """Return the folder of a start where it says what to work on: somebody went there in a terminal. A
    launcher starts in the person's home or at the root, and in `own` lies the program or its data.
    """
    if not folder or folder == os.path.dirname(folder) or _within(home, folder):
        return ""
    return "" if any(_within(folder, place) for place in own) else folder


def _within(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder.rstrip(os.sep) + os.sep)

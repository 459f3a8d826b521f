"""What the model is told before the conversation: a fixed text a mode, and the clock and folder in the
person's own message.

The prompt holds nothing that changes, so that each request begins with the bytes of the one before (facts:
providers 1.5).
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from pathlib import Path
from typing import Literal

from app.platform.plain_text import visible
from app.records import Mode

_PROMPTS = Path(__file__).resolve().parents[2] / "resources" / "prompts"


def system_prompt(mode: Mode | Literal["small"]) -> str:
    """Return the system prompt of a mode (or that of small models), as it stands in `resources/prompts`."""
    if mode == "small":
        return (_PROMPTS / "small.md").read_text(encoding="utf-8").strip()
    common = (_PROMPTS / "common.md").read_text(encoding="utf-8").strip()
    own = (_PROMPTS / f"{mode}.md").read_text(encoding="utf-8").strip()
    return f"{common}\n\n{own}"


def message_context(now: datetime, cwd: str, more: Iterable[str] = ()) -> str:
    """Return what goes with a person's message: the time with its zone, the folder, and `more` lines. The
    name of a folder, which may come out of an archive, adds no lines of its own.
    """
    lines = [f"Now: {now.strftime('%A %Y-%m-%d %H:%M %z')}", f"Working folder: {cwd}", *more]
    shown = (visible(line).replace("\n", "\\n").replace("</", "< /") for line in lines)
    return "\n".join(["<context>", *shown, "</context>"])

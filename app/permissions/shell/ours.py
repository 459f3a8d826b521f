"""Commands of this app and other shells: asked about always, since nobody may widen their own rights."""

from __future__ import annotations

import re
import sys
from itertools import pairwise

from app.permissions.shell.programs import OTHER_SHELLS, base

_MODULES = re.compile(r"(?:bramble|ui|app|tools)(?:\.[\w.]+)?\Z")
_START = re.compile(r"(?:\A|[\\/])ui[\\/]launch\.py\Z")
_MODULE_OPTION = re.compile(r"-[A-Za-ln-z]*m(.*)", re.DOTALL)
"""`-m NAME`, also behind other letters: `-Im NAME`."""
_MENTION = re.compile(
    r"(?<![\w.-])bramble(?![\w-])|(?<![\w.])dev[ \t]+run(?!\w)|\bui[./\\]launch\b", re.IGNORECASE
)
_CMDLET = re.compile(
    r"(?i:(?:get|set|new|remove|add|clear|copy|move|rename|start|stop|restart|invoke|import|export|out|write|read|"
    r"test|select|where|foreach|convertto|convertfrom|enable|disable|register|unregister|install|uninstall|update)"
    r"-[a-z]{3,}[a-z0-9]*|iex|iwr|irm)\Z"
)
_CMD = frozenset(
    {
        "del", "erase", "rd", "copy", "xcopy", "robocopy", "ren", "move", "format", "reg", "sc", "net",
        "schtasks", "taskkill", "icacls", "attrib",
    }
)  # fmt: skip
_SLASHED = re.compile(r"/[A-Za-z?](?::\S*)?\Z")


def is_ours(words: tuple[str, ...]) -> bool:
    """Whether a command is one of this app."""
    name = base(words[0]) if words else ""
    if name.casefold() == "bramble":
        return True
    if name == "dev" and "run" in words[1:]:
        return True
    if any(_START.search(word) for word in words):
        return True
    if name in ("python", "pypy"):
        named = [(_MODULE_OPTION.match(word), after) for word, after in pairwise((*words[1:], ""))]
        return any(found and _MODULES.match(found[1] or after) for found, after in named)
    return False


def mentions_us(text: str) -> bool:
    """Whether a text that cannot be read names this app as a command might."""
    return bool(_MENTION.search(text))


def is_other_shell(words: tuple[str, ...]) -> bool:
    """Whether a command is PowerShell or cmd, or reads like one; no sound reading of those is known."""
    if not words or sys.platform == "win32":
        return bool(words)
    name = base(words[0]).casefold()
    if name in OTHER_SHELLS or _CMDLET.match(words[0]):
        return True
    return name in _CMD and any(_SLASHED.match(word) or re.match(r"[A-Za-z]:", word) for word in words[1:])

"""Read and set the clipboard by the small program that each system has for it, since it lives as long as who
offers it.
"""

from __future__ import annotations

import asyncio
from typing import NamedTuple

from app.capabilities.desktop.surroundings import Surroundings, missing
from app.capabilities.programs import hand_over
from app.errors import ToolError
from tools import Clipboard

MOST = 1 << 20
"""Bytes of text that are read."""
_LOOKS = (0.0, 0.05, 0.2, 0.5)
"""Seconds before each look at what was set: its program may offer it a moment after it went on by itself."""
_UTF8 = "[Console]::OutputEncoding=[Text.Encoding]::UTF8;[Console]::InputEncoding=[Text.Encoding]::UTF8;"
_POWERSHELL = ("-NoProfile", "-NonInteractive", "-Command")


class _Way(NamedTuple):
    """The programs of one system: each a name with its words."""

    program: str
    kinds: tuple[str, ...]
    """Tells which kinds of content there are, one a line; empty where there is no such thing."""
    get: tuple[str, ...]
    set: tuple[str, ...]
    setter: str = ""
    """Another program for setting."""
    clear: tuple[str, ...] = ()
    """Empties it, where an empty text does not."""


_WAYLAND = _Way(
    "wl-paste", ("--list-types",), ("--no-newline", "--type", "text"), (), "wl-copy", ("--clear",)
)
_XCLIP = _Way(
    "xclip",
    ("-selection", "clipboard", "-out", "-target", "TARGETS"),
    ("-selection", "clipboard", "-out", "-target", "UTF8_STRING"),
    ("-selection", "clipboard", "-in"),
)
_XSEL = _Way(
    "xsel", (), ("--clipboard", "--output"), ("--clipboard", "--input"), clear=("--clipboard", "--clear")
)
_MACOS = _Way("pbpaste", (), ("-Prefer", "txt"), (), "pbcopy")
_WINDOWS = _Way(
    "powershell",
    (),
    (*_POWERSHELL, f"{_UTF8}[Console]::Out.Write((Get-Clipboard -Raw))"),
    (*_POWERSHELL, f"{_UTF8}Set-Clipboard -Value ([Console]::In.ReadToEnd())"),
)


def _way(around: Surroundings) -> tuple[_Way, str]:
    """Return how it is done here, and the program. Raises ToolError no_desktop that names what to install."""
    if around.kind != "linux":
        way = _MACOS if around.kind == "macos" else _WINDOWS
        if program := around.program(way.program):
            return way, program
        raise missing(f"{way.program} is not there, by which the clipboard is reached.")
    if around.wayland and (program := around.program("wl-paste")):
        return _WAYLAND, program
    if around.x11:
        for way in (_XCLIP, _XSEL):
            if program := around.program(way.program):
                return way, program
    if around.wayland:
        raise missing("The clipboard needs wl-clipboard, which is not installed.")
    if around.x11:
        raise missing("The clipboard needs xclip or xsel, and neither is installed.")
    raise missing("There is no clipboard: this session has no screen.")


async def read(around: Surroundings) -> Clipboard:
    """Return what is on the clipboard; an empty one has the kind "empty"."""
    way, program = _way(around)
    if way.kinds:
        listed = await around.ask(program, way.kinds, most=1 << 16)
        kinds = listed.out.decode(errors="replace").split()
        if listed.code or not kinds:
            return Clipboard("", "empty")
        if not any(_is_text(kind) for kind in kinds):
            return Clipboard("", _other(kinds))
    ran = await around.ask(program, way.get, most=MOST)
    text = ran.out.decode("utf-8", "ignore" if ran.cut else "replace")
    return Clipboard(text, "text" if text else "empty", ran.cut)


def _is_text(kind: str) -> bool:
    return kind.startswith("text/plain") or kind in ("UTF8_STRING", "STRING", "TEXT", "COMPOUND_TEXT")


def _other(kinds: list[str]) -> str:
    if any(kind.startswith("image/") for kind in kinds):
        return "a picture"
    return "files" if any("uri-list" in kind for kind in kinds) else "something that is no text"


async def write(around: Surroundings, text: str) -> bool:
    """Put a text on the clipboard; return whether it is there afterwards. Raises ToolError."""
    way, program = _way(around)
    setter = around.program(way.setter) if way.setter else program
    if not setter:
        raise missing(f"{way.setter} is not there, by which the clipboard is set.")
    words = way.clear if not text and way.clear else way.set
    code = await hand_over(setter, words, environ=around.variables, stdin=text.encode("utf-8"))
    if code:
        raise ToolError("no_desktop", f"{setter} could not set the clipboard (exit {code}).")
    for pause in _LOOKS:
        await asyncio.sleep(pause)
        now = await read(around)
        if now.text == text or (now.cut and text.startswith(now.text)):
            return True
    return False

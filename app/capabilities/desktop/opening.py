"""Start a program of the desktop, and open a link in the browser."""

from __future__ import annotations

import asyncio
import os
import re
import shlex
from collections.abc import Sequence
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from app.capabilities.desktop.surroundings import Surroundings, missing
from app.capabilities.programs import hand_over
from app.errors import ToolError
from app.platform import desktop_entries
from app.platform.desktop_entries import DesktopEntry
from tools import Done

_SCHEMES = ("http", "https", "mailto")
"""What a link may be. Others start programs of anybody's choice, or open files unasked."""
_WINDOW = 4.0
"""Seconds for which a program that was started is watched."""
_NAMED = 8


class Start(NamedTuple):
    """A program that would be started: its name for a person, its words, and what its windows are called."""

    name: str
    words: tuple[str, ...]
    folder: str = ""
    window_class: str = ""

    @property
    def line(self) -> str:
        """The words as one line."""
        return shlex.join(self.words)


async def program(around: Surroundings, app: str, args: Sequence[str]) -> Start:
    """Return what would be started. Raises ToolError (no_program, bad_arguments, no_desktop)."""
    if not app.strip() or any("\0" in word for word in (app, *args)):
        raise ToolError("bad_arguments", "Name the program, without NUL characters.")
    if around.kind == "macos":
        return Start(app, ("/usr/bin/open", "-a", app, *(("--args", *args) if args else ())))
    if around.kind == "windows":
        raise missing("Programs are not started on Windows from here yet; run_command can.")
    if not (around.x11 or around.wayland):
        raise missing("There is no screen in this session to open a program on.")
    return _start(around, await _entry(around, app), args)


async def _entry(around: Surroundings, app: str, opens: str = "") -> DesktopEntry:
    """Return the one program that is meant, of those that say that they open addresses of the scheme
    `opens`. Raises ToolError no_program.
    """
    found = await asyncio.to_thread(desktop_entries.entries, around.environ)
    if opens:
        found = [one for one in found if f"x-scheme-handler/{opens}" in one.kinds]
    fitting = desktop_entries.matching(found, app)
    if len(fitting) > 1:
        names = ", ".join(f"{one.name} ({one.id})" for one in fitting[:_NAMED])
        raise ToolError(
            "no_program", f"Several programs may be meant by {app!r}: {names}. Name one.", what=app
        )
    if not fitting:
        what = (
            f"No program of this desktop that opens {opens} links" if opens else "No program of this desktop"
        )
        raise ToolError("no_program", f"{what} is called {app!r}.", what=app)
    return fitting[0]


def _start(around: Surroundings, entry: DesktopEntry, args: Sequence[str]) -> Start:
    words = desktop_entries.command(entry, args)
    path = words[0] if os.path.isabs(words[0]) else around.program(words[0]) if words[0] else ""
    if not path or not os.access(path, os.X_OK):
        raise ToolError("no_program", f"{entry.name} is listed, but its program is gone.", what=entry.name)
    if entry.terminal:
        terminal = around.program("x-terminal-emulator", "gnome-terminal", "konsole", "xterm")
        if not terminal:
            raise missing(f"{entry.name} runs in a terminal, and none is installed.")
        words = [terminal, "--" if terminal.endswith("gnome-terminal") else "-e", path, *words[1:]]
    else:
        words = [path, *words[1:]]
    return Start(entry.name, tuple(words), entry.folder, entry.window_class or os.path.basename(path))


async def focus(around: Surroundings, start: Start) -> bool:
    """Bring a window of the program to the front where it has one and the desktop lets us."""
    if around.kind != "linux" or not around.x11 or not start.window_class:
        return False
    tool = around.program("wmctrl")
    if not tool:
        return await _focus_by_xdotool(around, start)
    listed = await around.ask(tool, ("-lx",))
    wanted = start.window_class.casefold()
    for line in listed.out.decode(errors="replace").splitlines():
        parts = line.split(None, 3)
        if len(parts) > 2 and wanted in parts[2].casefold().split("."):
            return (await around.ask(tool, ("-i", "-a", parts[0]))).code == 0
    return False


async def _focus_by_xdotool(around: Surroundings, start: Start) -> bool:
    tool = around.program("xdotool")
    if not tool:
        return False
    name = f"^{re.escape(start.window_class)}$"
    found = await around.ask(tool, ("search", "--onlyvisible", "--class", name))
    ids = found.out.decode(errors="replace").split()
    if not ids:
        return False
    return (await around.ask(tool, ("windowactivate", "--sync", ids[-1]))).code == 0


async def begin(around: Surroundings, start: Start) -> Done:
    """Start it and look for a moment whether it lives. Raises ToolError."""
    folder = start.folder if os.path.isdir(start.folder) else around.environ.get("HOME") or None
    code = await hand_over(
        start.words[0], start.words[1:], environ=around.variables, cwd=folder, seconds=_WINDOW
    )
    if code is None:
        return Done(f"{start.name} is running.", True)
    if code:
        raise ToolError("no_desktop", f"{start.name} ended at once with exit {code}.")
    # Many programs hand a request to the one of theirs that runs already, and end.
    return Done(f"{start.name} was started and left the rest to a program of its own.", False)


class Link(NamedTuple):
    """A link that may be opened: as it is, and the host it leads to ("" for mail)."""

    url: str
    host: str


def link(url: str) -> Link:
    """Return a link. Raises ToolError bad_arguments for what is none, or would open something else."""
    text = url.strip()
    if re.search(r"[\x00-\x20\x7f\u0080-\u009f]", text):
        raise ToolError("bad_arguments", "A link holds no blanks and no control characters.")
    try:
        parts = urlsplit(text)
        host = (parts.hostname or "").rstrip(".")
    except ValueError as error:
        raise ToolError("bad_arguments", f"{url!r} is no link: {error}.") from error
    if parts.scheme.casefold() not in _SCHEMES:
        raise ToolError(
            "bad_arguments",
            f"{url!r} is not opened: only http, https and mailto links are (write the scheme).",
        )
    if parts.scheme.casefold() == "mailto" and re.search(r"[?&]attach", unquote(text), re.IGNORECASE):
        raise ToolError("bad_arguments", f"{url!r} is not opened: a link attaches no files to a mail.")
    if parts.scheme.casefold() != "mailto" and not host:
        raise ToolError("bad_arguments", f"{url!r} names no host.")
    if "\\" in parts.netloc or parts.username is not None:
        raise ToolError("bad_arguments", f"{url!r} hides where it leads behind a login.")
    return Link(text, host)


async def browser(around: Surroundings, found: Link, name: str) -> Start:
    """Return what opens a link. Raises ToolError."""
    if name and around.kind == "linux":
        if not (around.x11 or around.wayland):
            raise missing("There is no screen in this session to open a link on.")
        scheme = urlsplit(found.url).scheme.casefold()
        return _start(around, await _entry(around, name, scheme), (found.url,))
    if around.kind == "macos":
        return Start(name or "the browser", ("/usr/bin/open", *(("-a", name) if name else ()), found.url))
    if around.kind == "windows":
        shell = around.program("rundll32")
        if not shell or name:
            raise missing("On Windows a link is opened in the default browser alone.")
        return Start("the browser", (shell, "url.dll,FileProtocolHandler", found.url))
    if not (around.x11 or around.wayland):
        raise missing("There is no screen in this session to open a link on.")
    opener = around.program("xdg-open")
    if opener:
        return Start("the browser", (opener, found.url))
    opener = around.program("gio")
    if opener:
        return Start("the browser", (opener, "open", found.url))
    raise missing("Opening a link needs xdg-open (package xdg-utils), which is not installed.")


async def follow(around: Surroundings, start: Start) -> Done:
    """Hand the link over. Whether the page came up is seen by the person alone. Raises ToolError."""
    code = await hand_over(start.words[0], start.words[1:], environ=around.variables, seconds=_WINDOW)
    if code:
        raise ToolError("no_desktop", f"{start.name} did not take the link (exit {code}).")
    return Done(f"Handed to {start.name}; whether the page came up is not seen from here.", False)

"""Take a picture of the screen or of a window: of X11 directly, of Wayland by its portal, which may ask the
person once more.
"""

from __future__ import annotations

import asyncio
import io
import os
import re
from typing import Any
from urllib.parse import unquote, urlsplit

from app.capabilities.desktop.surroundings import Surroundings, missing
from app.errors import ToolError
from app.platform import session_bus
from app.platform.session_bus import Member, NoBus
from tools import Picture, Window

_PORTAL_SECONDS = 120.0
"""The portal waits for the person."""
_MOST_WINDOWS = 200


async def windows(around: Surroundings) -> list[Window]:
    """Return the windows of an X11 screen, the active one first. Raises ToolError no_desktop."""
    prop = around.program("xprop")
    if not around.x11 or not prop:
        raise missing("Single windows need X11 with xprop and xwininfo (package x11-utils).")
    root = await around.ask(prop, ("-root", "_NET_ACTIVE_WINDOW", "_NET_CLIENT_LIST_STACKING"))
    ids = list(dict.fromkeys(re.findall(r"0x[0-9a-f]+", root.out.decode(errors="replace"))))
    found = []
    for id in [id for id in ids if int(id, 16)][:_MOST_WINDOWS]:
        told = await around.ask(prop, ("-id", id, "-notype", "_NET_WM_NAME", "WM_NAME", "WM_CLASS"))
        text = told.out.decode("utf-8", "replace")
        names = re.findall(r'^(?:_NET_)?WM_NAME = "(.*)"$', text, re.MULTILINE)
        kind = re.findall(r'"((?:[^"\\]|\\.)*)"', text.partition("WM_CLASS")[2])
        found.append(Window(int(id, 16), names[0] if names else "", kind[-1] if kind else ""))
    return found


async def window(around: Surroundings, wanted: str) -> Window:
    """Return the window with this in its title or program, the active one for "". Raises ToolError."""
    found = await windows(around)
    fitting = [
        one for one in found if wanted.casefold() in f"{one.title} {one.program}".casefold() or not wanted
    ]
    if fitting:
        return fitting[0]
    names = ", ".join(repr(one.title or one.program) for one in found[:10]) or "none"
    raise ToolError("no_desktop", f"No window has {wanted!r} in its title. Windows: {names}.")


async def take(around: Surroundings, of: Window | None) -> Picture:
    """Return a picture of a window, or of the whole screen. Raises ToolError no_desktop."""
    if around.kind == "linux" and around.wayland:
        if of is not None:
            raise missing("On Wayland single windows cannot be chosen from here; take the screen.")
        return await _by_portal(around)
    if around.kind == "linux" and not around.x11:
        raise missing("There is no screen in this session.")
    box = await _place(around, of) if of is not None else None
    name = (of.title or of.program or "a window") if of is not None else "the whole screen"
    return await asyncio.to_thread(_grab, around.environ.get("DISPLAY") or None, box, name)


async def _place(around: Surroundings, of: Window) -> tuple[int, int, int, int]:
    """Return left, top, right and bottom of a window on the screen."""
    info = around.program("xwininfo")
    if not info:
        raise missing("Single windows need xwininfo (package x11-utils).")
    told = (await around.ask(info, ("-id", hex(of.id)))).out.decode(errors="replace")
    numbers = {
        name: re.search(rf"^\s*{name}:\s+(-?\d+)", told, re.MULTILINE)
        for name in ("Absolute upper-left X", "Absolute upper-left Y", "Width", "Height")
    }
    left, top, width, height = (int(found[1]) if found else -1 for found in numbers.values())
    if width <= 0 or height <= 0 or "IsViewable" not in told:
        raise ToolError("no_desktop", f"The window {of.title!r} is gone or not in sight.")
    return left, top, left + width, top + height


def _grab(display: str | None, box: tuple[int, int, int, int] | None, name: str) -> Picture:
    from PIL import Image, ImageGrab  # late: loads what reads pictures

    try:
        image: Image.Image = ImageGrab.grab(xdisplay=display, all_screens=True)
    except (OSError, ValueError) as error:
        raise ToolError("no_desktop", f"No picture of the screen can be taken: {error}") from error
    if box is not None:
        image = image.crop(
            (max(0, box[0]), max(0, box[1]), min(image.width, box[2]), min(image.height, box[3]))
        )
    return _picture(image, name)


def _picture(image: Any, name: str) -> Picture:
    if not image.width or not image.height:
        raise ToolError("no_desktop", f"{name} lies outside of the screen.")
    buffer = io.BytesIO()
    image.convert("RGB").save(buffer, "PNG")
    return Picture(buffer.getvalue(), image.width, image.height, name)


async def _by_portal(around: Surroundings) -> Picture:
    """Ask the portal of the desktop, whose picture is a file that is read and taken away."""
    member = Member(
        "org.freedesktop.portal.Desktop",
        "/org/freedesktop/portal/desktop",
        "org.freedesktop.portal.Screenshot",
        "Screenshot",
    )

    def values(token: str) -> tuple[Any, ...]:
        return ("", {"handle_token": ("s", token), "interactive": ("b", False)})

    bus = session_bus.address(around.environ)
    try:
        code, results = await session_bus.request(bus, member, "sa{sv}", values, _PORTAL_SECONDS)
    except NoBus as error:
        raise missing(f"This desktop has no portal for pictures of the screen: {error}") from error
    if code:
        raise ToolError("no_desktop", "The desktop or the person did not let a picture be taken.")
    return await asyncio.to_thread(_read, str(results.get("uri", "")))


def _read(uri: str) -> Picture:
    from PIL import Image, UnidentifiedImageError

    path = unquote(urlsplit(uri).path)
    try:
        with Image.open(path) as image:
            picture = _picture(image, "the whole screen")
        os.unlink(path)
    except (OSError, UnidentifiedImageError, ValueError) as error:
        raise ToolError("no_desktop", f"The picture of the desktop cannot be read: {error}") from error
    return picture

"""What a tool may do with the person's desktop: clipboard, screen, notifications, programs, sound, light."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple, Protocol, runtime_checkable

Urgency = Literal["low", "normal", "critical"]
Section = Literal["all", "os", "cpu", "memory", "disk", "battery", "network"]


class Clipboard(NamedTuple):
    """What is on the clipboard; `kind` says what it is where that is no text."""

    text: str
    kind: str = "text"
    cut: bool = False


class Picture(NamedTuple):
    """A picture of the screen as PNG, in pixels of the screen."""

    data: bytes
    width: int
    height: int
    of: str
    """What it shows, in a few words."""


class Window(NamedTuple):
    """A window on the screen."""

    id: int
    title: str
    program: str


class Done(NamedTuple):
    """What happened. `verified`: it was looked at afterwards and is so."""

    text: str
    verified: bool


class Level(NamedTuple):
    """A volume or a brightness in per cent, before and after; `muted` is None where that does not apply."""

    before: int
    after: int
    muted: bool | None
    of: str
    verified: bool


@runtime_checkable
class ReadDesktop(Protocol):
    """Looking at the desktop; each look that may show something private is asked about."""

    async def read_clipboard(self) -> Clipboard: ...

    async def picture(self, target: Literal["screen", "window"] = "screen", window: str = "") -> Picture:
        """Return a picture of the whole screen or of one window, by a part of its title (the active)."""
        ...

    async def system(self, section: Section = "all") -> Mapping[str, Sequence[tuple[str, str]]]:
        """Return what this computer is and has: rows of name and value for each section."""
        ...


@runtime_checkable
class ChangeDesktop(ReadDesktop, Protocol):
    """Acting on the desktop, with permission."""

    async def set_clipboard(self, text: str) -> Done: ...

    async def notify(self, title: str, body: str = "", urgency: Urgency = "normal") -> Done: ...

    async def open_app(self, app: str, args: Sequence[str] = ()) -> Done: ...

    async def open_url(self, url: str, browser: str = "") -> Done: ...

    async def set_volume(
        self, level: int | None = None, change: int | None = None, mute: bool | None = None
    ) -> Level: ...

    async def set_brightness(
        self, level: int | None = None, change: int | None = None, display: str = ""
    ) -> Level: ...

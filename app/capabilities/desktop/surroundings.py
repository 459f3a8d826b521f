"""What kind of desktop there is: the system, the display, the variables that its programs need."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from app.capabilities.programs import Ran, locate, run
from app.errors import ToolError
from app.platform import spawning

System = Literal["linux", "macos", "windows"]
_KEPT = (
    "DISPLAY", "XAUTHORITY", "WAYLAND_DISPLAY", "DBUS_SESSION_BUS_ADDRESS", "DESKTOP_SESSION",
    "PULSE_SERVER", "PULSE_RUNTIME_PATH", "PIPEWIRE_RUNTIME_DIR", "LANGUAGE", "LC_ALL", "LC_CTYPE",
    "LC_MESSAGES", "BROWSER", "TMPDIR", "SYSTEMROOT", "APPDATA", "LOCALAPPDATA", "USERPROFILE", "PATHEXT",
    "SSH_AUTH_SOCK", "GDK_SCALE", "GDK_BACKEND", "QT_QPA_PLATFORM", "QT_SCALE_FACTOR", "GTK_THEME",
    "QT_QPA_PLATFORMTHEME", "GTK_IM_MODULE", "QT_IM_MODULE", "XMODIFIERS", "KDE_FULL_SESSION",
    "KDE_SESSION_VERSION", "GNOME_DESKTOP_SESSION_ID",
)  # fmt: skip
"""What a program of the desktop needs to find it and to look like the others; no key of ours."""


def system() -> System:
    """Return the kind of system."""
    return "windows" if sys.platform == "win32" else "macos" if sys.platform == "darwin" else "linux"


@dataclass(frozen=True)
class Surroundings:
    """A desktop by the variables with which this app was started. No program is taken from `workspace`."""

    environ: Mapping[str, str]
    workspace: str = ""
    kind: System = "linux"

    @property
    def wayland(self) -> bool:
        """Whether the screen is Wayland's."""
        return bool(self.environ.get("WAYLAND_DISPLAY"))

    @property
    def x11(self) -> bool:
        """Whether there is a screen of X11, also beside Wayland."""
        return bool(self.environ.get("DISPLAY"))

    @property
    def variables(self) -> dict[str, str]:
        """What a program of the desktop gets."""
        kept = {
            name: value for name, value in self.environ.items() if name in _KEPT or name.startswith("XDG_")
        }
        found = {**spawning.environment(self.environ), **kept}
        return {name: value for name, value in found.items() if value and name != "TERM"}

    def program(self, *names: str) -> str:
        """Return the path of the first of these programs that is there, "" for none."""
        return next(filter(None, (locate(name, self.environ, self.workspace) for name in names)), "")

    async def ask(self, program: str, words: Sequence[str], **more: object) -> Ran:
        """Run a program that tells something, with English words and plain numbers."""
        plain = {**self.variables, "LC_ALL": "C.UTF-8"}
        return await run(program, words, environ=plain, seconds=10.0, **more)  # type: ignore[arg-type]


def missing(text: str) -> ToolError:
    """Return the error for what this desktop lacks."""
    return ToolError("no_desktop", text)

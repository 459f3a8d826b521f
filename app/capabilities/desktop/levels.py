"""The volume and the brightness of the screen, each in per cent, by whatever the system has for it."""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from app.capabilities.desktop.surroundings import Surroundings, missing
from app.errors import ToolError
from app.platform import session_bus
from app.platform.session_bus import Member, NoBus
from tools import Level

LIGHTS = Path("/sys/class/backlight")
LEAST = 1
"""Per cent of light that always stay, so that nobody sits before a black screen."""


def wanted(before: int, level: int | None, change: int | None, least: int = 0) -> int:
    """Return the level that is asked for, within its bounds. Raises ToolError bad_arguments."""
    if level is not None and change is not None:
        raise ToolError("bad_arguments", "Give a level or a change, not both.")
    if level is not None and not 0 <= level <= 100:
        raise ToolError("bad_arguments", "A level goes from 0 to 100 per cent.")
    target = before + (change or 0) if level is None else level
    return max(least, min(100, target))


# --- sound ------------------------------------------------------------------------------------------------


class Sound(NamedTuple):
    """How loud it is now, whether it is muted, and how both are set."""

    level: int
    muted: bool
    of: str


class Mixer(NamedTuple):
    """One way to the sound of this computer: a program and its words."""

    program: str
    look: Callable[[], Awaitable[Sound]]
    set_level: Callable[[int], Sequence[str]]
    set_muted: Callable[[bool], Sequence[str]]


async def mixer(around: Surroundings) -> Mixer:
    """Return the way to the sound. Raises ToolError no_desktop."""
    if around.kind == "windows":
        raise missing("The volume cannot be changed on Windows from here yet.")
    if around.kind == "macos":
        return _macos(around, around.program("osascript"))
    if program := around.program("pactl"):
        return _pulse(around, program)
    if program := around.program("wpctl"):
        return _pipewire(around, program)
    if program := around.program("amixer"):
        return _alsa(around, program)
    raise missing("The volume needs pactl, wpctl or amixer, and none of them is installed.")


def _pulse(around: Surroundings, program: str) -> Mixer:
    sink = "@DEFAULT_SINK@"

    async def look() -> Sound:
        loud = await _told(around, program, "get-sink-volume", sink)
        muted = await _told(around, program, "get-sink-mute", sink)
        found = re.search(r"(\d+)%", loud)
        if not found:
            raise missing(f"The sound server does not tell the volume: {loud}")
        return Sound(int(found[1]), "yes" in muted, "the default output")

    return Mixer(
        program,
        look,
        lambda level: ("set-sink-volume", sink, f"{level}%"),
        lambda muted: ("set-sink-mute", sink, "1" if muted else "0"),
    )


def _pipewire(around: Surroundings, program: str) -> Mixer:
    sink = "@DEFAULT_AUDIO_SINK@"

    async def look() -> Sound:
        told = await _told(around, program, "get-volume", sink)
        found = re.search(r"(\d+\.\d+)", told)
        if not found:
            raise missing(f"PipeWire does not tell the volume: {told}")
        return Sound(round(100 * float(found[1])), "MUTED" in told, "the default output")

    return Mixer(
        program,
        look,
        lambda level: ("set-volume", sink, f"{level}%"),
        lambda muted: ("set-mute", sink, "1" if muted else "0"),
    )


def _alsa(around: Surroundings, program: str) -> Mixer:
    async def look() -> Sound:
        told = await _told(around, program, "sget", "Master")
        found = re.search(r"\[(\d+)%\]", told)
        if not found:
            raise missing(f"ALSA does not tell the volume: {told}")
        return Sound(int(found[1]), "[off]" in told, "Master")

    return Mixer(
        program,
        look,
        lambda level: ("-q", "sset", "Master", f"{level}%"),
        lambda muted: ("-q", "sset", "Master", "mute" if muted else "unmute"),
    )


def _macos(around: Surroundings, program: str) -> Mixer:
    async def look() -> Sound:
        told = await _told(around, program, "-e", "get volume settings")
        found = re.search(r"output volume:(\d+)", told)
        if not found:
            raise missing("This output has no volume that macOS can set.")
        return Sound(int(found[1]), "output muted:true" in told, "the output")

    return Mixer(
        program,
        look,
        lambda level: ("-e", f"set volume output volume {level}"),
        lambda muted: ("-e", f"set volume output muted {'true' if muted else 'false'}"),
    )


async def _told(around: Surroundings, program: str, *words: str) -> str:
    ran = await around.ask(program, words)
    if ran.code:
        name = os.path.basename(program)
        raise missing(f"{name} does not reach the sound of this computer: {ran.said[:300]}")
    return ran.out.decode(errors="replace")


async def set_sound(around: Surroundings, way: Mixer, before: Sound, level: int, muted: bool | None) -> Level:
    """Set the volume and look at it again. Raises ToolError."""
    if level != before.level:
        await _told(around, way.program, *way.set_level(level))
    if muted is not None and muted != before.muted:
        await _told(around, way.program, *way.set_muted(muted))
    now = await way.look()
    same = abs(now.level - level) <= 1 and (muted is None or now.muted == muted)
    return Level(before.level, now.level, now.muted, now.of, same)


# --- light ------------------------------------------------------------------------------------------------


_KINDS = ("firmware", "platform", "raw")
"""Kinds of backlight, the one that is set best first (the kernel's sysfs-class-backlight)."""


class Light(NamedTuple):
    """A light behind a screen: its name, its steps, and where it stands."""

    name: str
    level: int
    most: int

    @property
    def percent(self) -> int:
        """How bright it is."""
        return round(100 * self.level / self.most)


def lights(folder: Path = LIGHTS) -> list[Light]:
    """Return the lights that the kernel knows; those that name the hardware best come first."""
    found = []
    for place in sorted(folder.glob("*")) if folder.is_dir() else []:
        try:
            most = int((place / "max_brightness").read_text())
            level = int((place / "brightness").read_text())
            kind = (place / "type").read_text().strip() if (place / "type").exists() else "raw"
        except (OSError, ValueError):
            continue
        if most > 0:
            order = _KINDS.index(kind) if kind in _KINDS else len(_KINDS)
            found.append((order, Light(place.name, level, most)))
    return [light for _, light in sorted(found)]


async def light(around: Surroundings, display: str, folder: Path = LIGHTS) -> Light:
    """Return the light of a screen ("" for the first one). Raises ToolError no_desktop."""
    if around.kind != "linux":
        system = "macOS" if around.kind == "macos" else "Windows"
        raise missing(f"The brightness cannot be changed on {system} from here yet.")
    found = await asyncio.to_thread(lights, folder)
    fitting = [one for one in found if display.casefold() in one.name.casefold()]
    if fitting:
        return fitting[0]
    if program := around.program("ddcutil"):
        ran = await around.ask(program, ("getvcp", "10", "--brief", *_shown(display)))
        told = re.search(r"VCP 10 C (\d+) (\d+)", ran.out.decode(errors="replace"))
        if not ran.code and told and int(told[2]):
            return Light(f"ddc {display}".rstrip(), int(told[1]), int(told[2]))
    if found:
        raise missing(f"No screen is called {display!r}. There are: {', '.join(one.name for one in found)}.")
    raise missing(
        "No screen here lets its brightness be set: there is no backlight, and no monitor answers over DDC "
        "(which needs ddcutil)."
    )


def _shown(display: str) -> tuple[str, ...]:
    return ("--display", display) if display.isdecimal() else ()


async def set_light(around: Surroundings, before: Light, percent: int, folder: Path = LIGHTS) -> Level:
    """Set a light and look at it again. Raises ToolError."""
    steps = max(1, round(before.most * percent / 100))
    if before.name.startswith("ddc"):
        display = before.name.removeprefix("ddc").strip()
        program = around.program("ddcutil")
        ran = await around.ask(program, ("setvcp", "10", str(steps), *_shown(display)))
        if ran.code:
            raise missing(f"The monitor did not take the brightness: {ran.said[:300]}")
        now = await light(around, display, folder)
    else:
        await _set_backlight(around, before.name, steps, folder)
        now = next((one for one in lights(folder) if one.name == before.name), before)
    return Level(before.percent, now.percent, None, before.name, abs(now.level - steps) <= before.most / 100)


async def _set_backlight(around: Surroundings, name: str, steps: int, folder: Path) -> None:
    """Set it through logind, which lets whoever sits at the computer do so, else in the kernel's own file."""
    member = Member(
        "org.freedesktop.login1",
        "/org/freedesktop/login1/session/auto",
        "org.freedesktop.login1.Session",
        "SetBrightness",
    )
    try:
        await session_bus.call(
            session_bus.address(around.environ, "system"), member, "ssu", ("backlight", name, steps)
        )
        return
    except NoBus as error:
        why = str(error)
    try:
        (folder / name / "brightness").write_text(str(steps))
    except OSError as error:
        raise missing(f"The brightness may not be set here: {why} ({error.strerror})") from error

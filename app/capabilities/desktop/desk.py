"""The desktop as a tool may use it: each look that may show something private, and each act, is permitted."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Literal

from app.capabilities.desktop import clipboard, computer, levels, notices, opening, screen
from app.capabilities.desktop.surroundings import Surroundings, System, system
from app.capabilities.gate import Permit
from app.errors import ToolError
from app.platform.plain_text import visible
from app.records import ActionEffect, ActionKind
from tools import Clipboard, Done, Level, Picture
from tools._desktop import Section, Urgency

_TEXT = 4 << 20
"""Characters that are put on the clipboard at most."""


class DesktopReader:
    """Implements `tools.ReadDesktop`."""

    def __init__(
        self, gate: Permit, environ: Mapping[str, str], cwd: str = "", kind: System | None = None
    ) -> None:
        self._gate = gate
        self._around = Surroundings(environ, cwd, kind or system())

    async def read_clipboard(self) -> Clipboard:
        """See ReadDesktop. A clipboard often holds a password: a rule may allow it, and not while text of
        strangers is here, which could ask for it.
        """
        await self._permit("read_clipboard", "read", "The text that is on the clipboard", discloses=True)
        return await clipboard.read(self._around)

    async def picture(self, target: Literal["screen", "window"] = "screen", window: str = "") -> Picture:
        """See ReadDesktop."""
        if target == "screen":
            await self._permit("screenshot", "screen", "The whole screen", discloses=True)
            return await screen.take(self._around, None)
        of = await screen.window(self._around, window)
        title = f"The window {of.title or of.program!r}, and what lies over it"
        await self._permit("screenshot", "window", visible(title), discloses=True)
        return await screen.take(self._around, of)

    async def system(self, section: Section = "all") -> Mapping[str, Sequence[tuple[str, str]]]:
        """See ReadDesktop."""
        return await asyncio.to_thread(computer.facts, section)

    async def _permit(
        self,
        kind: ActionKind,
        subject: str,
        details: str = "",
        *,
        words: Sequence[str] = (),
        host: str = "",
        discloses: bool = False,
    ) -> None:
        await self._gate.permit(
            ActionEffect(
                kind=kind,
                subject=subject,
                details=details,
                words=tuple(words),
                host=host,
                discloses=discloses,
            )
        )


class DesktopChanger(DesktopReader):
    """Implements `tools.ChangeDesktop`."""

    async def set_clipboard(self, text: str) -> Done:
        """See ChangeDesktop."""
        if len(text) > _TEXT:
            raise ToolError("too_large", f"The text has {len(text)} characters, more than {_TEXT}.")
        try:
            text.encode()
        except UnicodeEncodeError:
            raise ToolError("bad_arguments", "The text holds half of a character.") from None
        await self._permit("set_clipboard", "set", text or "(nothing: it is emptied)")
        there = await clipboard.write(self._around, text)
        return Done("The text is on the clipboard." if text else "The clipboard is empty.", there)

    async def notify(self, title: str, body: str = "", urgency: Urgency = "normal") -> Done:
        """See ChangeDesktop. It asks nobody, since it does no more than speak to the person."""
        if not title.strip():
            raise ToolError("bad_arguments", "A notification needs a title.")
        title, body = visible(title.strip()), visible(body)
        await self._permit("notify", title, f"{title}\n{body}".strip())
        return await notices.show(self._around, title, body, urgency)

    async def open_app(self, app: str, args: Sequence[str] = ()) -> Done:
        """See ChangeDesktop."""
        start = await opening.program(self._around, app, args)
        # With words of its own a program is another matter: a rule for its name alone does not cover them.
        subject = " ".join([start.name, *args])
        await self._permit("open_app", visible(subject), start.line, words=start.words)
        if not args and await opening.focus(self._around, start):
            return Done(f"A window of {start.name} was brought to the front.", True)
        return await opening.begin(self._around, start)

    async def open_url(self, url: str, browser: str = "") -> Done:
        """See ChangeDesktop. It is a way out: an address may carry something along."""
        link = opening.link(url)
        start = await opening.browser(self._around, link, browser)
        told = f"{link.url}\n{start.line}" if browser else ""  # which program it is, where one is named
        await self._permit("open_url", link.url, told, host=link.host)
        return await opening.follow(self._around, start)

    async def set_volume(
        self, level: int | None = None, change: int | None = None, mute: bool | None = None
    ) -> Level:
        """See ChangeDesktop."""
        if level is None and change is None and mute is None:
            raise ToolError("bad_arguments", "Give a level, a change or mute.")
        way = await levels.mixer(self._around)
        before = await way.look()
        target = levels.wanted(before.level, level, change)
        said = [f"{before.level} % to {target} %"] if target != before.level else []
        said += [] if mute is None else ["muted" if mute else "no longer muted"]
        subject = "mute" if mute else "unmute" if mute is False and not said[1:] else f"{target} %"
        await self._permit("set_volume", subject, ", ".join(said) or f"{target} %, as it is")
        return await levels.set_sound(self._around, way, before, target, mute)

    async def set_brightness(
        self, level: int | None = None, change: int | None = None, display: str = ""
    ) -> Level:
        """See ChangeDesktop."""
        if level is None and change is None:
            raise ToolError("bad_arguments", "Give a level or a change.")
        before = await levels.light(self._around, display)
        target = levels.wanted(before.percent, level, change, levels.LEAST)
        said = f"{before.name}: {before.percent} % to {target} %"
        await self._permit("set_brightness", f"{target} %", said)
        return await levels.set_light(self._around, before, target)

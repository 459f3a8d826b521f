"""The sign-in with a provider that needs more than a key: what it means, the ways in, the code, the wait."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, NamedTuple

from app.errors import BrambleError
from app.records import ProfileInfo, SignedIn, SignInCode, SignInWay
from ui.sign_in_words import client_id_words
from ui.terminal.clean import clean, one_line
from ui.terminal.confirming import confirmed
from ui.terminal.output import Terminal
from ui.terminal.session import Trouble, attended, only_by_a_person, say
from ui.words import _, plural

if TYPE_CHECKING:
    from app.engine import Engine


class Wanted(NamedTuple):
    """What was asked for on the command line."""

    profile: str
    client_id: str = ""
    domain: str | None = None
    """The domain of a GitHub Enterprise, "" for github.com, None to leave it as it is."""
    gh: bool = False
    agree: bool = False
    in_file: bool = False


async def agree(engine: Engine, terminal: Terminal, info: ProfileInfo, *, yes: bool) -> None:
    """Show once what the use of a provider means, and go on after a yes. Raises Trouble: terms_open after a
    no, refused where nobody can be asked.
    """
    if info.agreed:
        return
    terminal.note(info.title, "strong")
    terminal.note(_(info.sends), "plain")
    terminal.note(_(info.terms), "plain")
    only_by_a_person(yes)
    if not yes and not await confirmed(terminal, _("Go on with that? y goes on, anything else leaves it.")):
        raise Trouble("terms_open", profile=info.name, title=info.title)
    await engine.models.sign_in.agree(info.name)


async def sign_in(engine: Engine, terminal: Terminal, wanted: Wanted) -> SignedIn:
    """Sign in by the way that was named, else by what is there, else by a code. Raises Trouble and
    BrambleError.
    """
    door = engine.models.sign_in
    if wanted.domain is not None:
        await engine.change_settings(copilot_domain=wanted.domain)
    if wanted.client_id:
        await engine.change_settings(copilot_client_id=wanted.client_id)
    if wanted.gh:
        return await door.take_gh(wanted.profile, file_consent=wanted.in_file)
    way = await door.way(wanted.profile)
    if way.variable and not wanted.client_id:
        terminal.note(_("Trying the token of {name}.").replace("{name}", way.variable))
        try:
            return await door.take_environment(wanted.profile)
        except BrambleError as error:
            if not way.client_id:
                raise
            say(terminal, error.problem)
    if not way.client_id:
        await _take_client_id(engine, terminal, way)
    return await _by_code(engine, terminal, wanted)


async def _take_client_id(engine: Engine, terminal: Terminal, way: SignInWay) -> None:
    """Say how to make an OAuth App, and take its client id where somebody can type it."""
    if not attended(terminal) or terminal.json_wanted:
        raise Trouble("no_client_id", profile=way.profile)
    from ui.terminal.approving import AnswerLines

    for sentence in client_id_words(way):
        terminal.note(sentence, "plain")
    if way.gh:
        terminal.note(_("Or leave it empty, and use the sign-in of gh with --gh."))
    lines = AnswerLines(terminal)
    terminal.note(_("Client id:"), "strong")
    await lines.settle()
    typed = (await lines.answer() or "").strip()
    if not typed or not typed.isascii() or not typed.isprintable() or " " in typed:
        raise Trouble("no_client_id", profile=way.profile)
    await engine.change_settings(copilot_client_id=typed)


async def _by_code(engine: Engine, terminal: Terminal, wanted: Wanted) -> SignedIn:
    door = engine.models.sign_in
    begun = await door.begin(wanted.profile)
    try:
        terminal.note(_("Open this page, and enter the code:"), "plain")
        terminal.note(f"  {clean(begun.url)}", "plain")
        terminal.note(f"  {one_line(begun.code)}", "strong")
        counting = asyncio.create_task(_count_down(terminal, begun))
        try:
            return await door.finish(begun.id, file_consent=wanted.in_file)
        except BrambleError as error:
            if error.code != "needs_consent" or not attended(terminal) or terminal.json_wanted:
                raise
        finally:
            counting.cancel()
            await asyncio.gather(counting, return_exceptions=True)
        asked = _("No keyring answers here. Keep the sign-in in a file that only you can read? y or n")
        if not await confirmed(terminal, asked):
            raise Trouble("needs_consent")
        return await door.finish(begun.id, file_consent=True)
    finally:
        door.give_up(begun.id)


async def _count_down(terminal: Terminal, begun: SignInCode) -> None:
    """Show how long the code holds: one row drawn again and again, or one line."""
    row = terminal.err.terminal
    while True:
        left = max(0, round(begun.expires - time.time()))
        minutes = plural("{n} minute left", "{n} minutes left", max(1, -(-left // 60)))
        words = _("Waiting for you. Ctrl-C stops.") + f" {minutes}"
        if not row:
            terminal.note(words)
            return
        terminal.err.write("\r\x1b[K" + one_line(words, terminal.err.width - 1))
        terminal.err.at_start = False
        await asyncio.sleep(1.0)

"""What can be done where no model is set up yet, in three lines: what is here, and the ways to get one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.records import Problem, ProfileInfo
from ui.terminal.clean import one_line
from ui.terminal.output import Terminal
from ui.terminal.session import Trouble, say
from ui.words import _, as_called

if TYPE_CHECKING:
    from app.engine import Engine

_NAMED = 3
"""Models or providers that are named in a line; `models list` has them all."""


async def need_model(engine: Engine, terminal: Terminal, model: str) -> None:
    """Go on where PROFILE/MODEL is set; else tell what can be done now. Raises Trouble no_model."""
    if model:
        return
    say(terminal, Problem(code="no_model"))
    for line in await _lines(engine):
        terminal.note(line, "plain")
    raise Trouble("no_model")


async def _lines(engine: Engine) -> list[str]:
    return [line for line in (await _servers(engine), await _keys(engine), await _ways(engine)) if line]


async def _servers(engine: Engine) -> str:
    """Return a line about the servers that answer on this computer, "" for none."""
    found = [
        f"{server.profile}/{model}"
        for server in await engine.models.find_local_servers()
        for model in server.models[:_NAMED]
    ]
    if not found:
        return ""
    words = _("On this computer answer: {models}. Use one: {command}")
    words = words.replace("{models}", one_line(", ".join(found[:_NAMED])))
    return words.replace("{command}", as_called(f"bramble models use {one_line(found[0])}"))


async def _keys(engine: Engine) -> str:
    """Return a line about the providers whose key is here, "" for none."""
    present = [one for one in await engine.models.profiles() if _has_key(one)]
    if not present:
        return ""
    titles = ", ".join(one.title for one in present[:_NAMED])
    words = _("A key is here for: {names}. Use it: {command}").replace("{names}", one_line(titles))
    models = [one.name for one in await engine.models.list() if one.profile == present[0].name and one.ready]
    command = f"bramble models use {one_line(models[0])}" if models else "bramble models list"
    return words.replace("{command}", as_called(command))


async def _ways(engine: Engine) -> str:
    """Return the line about what can be got."""
    local = next((one.name for one in await engine.models.weights()), "")
    ways = [
        _("{command} (GitHub Copilot)").replace("{command}", "bramble login copilot"),
        _("{command} (a key, as for openai)").replace("{command}", "bramble login openai"),
        _("{command} (free, without a key)").replace("{command}", "bramble login kilo"),
    ]
    if local:
        fetch = _("{command} (a small one in the app)")
        ways.append(fetch.replace("{command}", f"bramble models install {local}"))
    return as_called(_("Ways to get one: {ways}").replace("{ways}", ", ".join(ways)))


def _has_key(profile: ProfileInfo) -> bool:
    kept = profile.key in ("environment", "keyring", "file")
    return kept and profile.sign_in == "key" and not profile.keyless

"""`bramble login` and `logout` for the accounts whose keys tools use: GitHub, Brave Search, Tavily."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.records import AccountInfo
from ui.terminal import exits
from ui.terminal.output import Terminal
from ui.terminal.session import only_by_a_person, run
from ui.words import _, later

if TYPE_CHECKING:
    from app.engine import Engine

ACCOUNTS = ("github", "brave", "tavily")
"""Their names, known without an engine: a key is typed while none is open."""
PLACES = {
    "keyring": later("the keyring of this computer"),
    "file": later("a file that only you can read"),
    "environment": later("the environment"),
    "gh": later("GitHub's own program gh"),
}


def explain(terminal: Terminal, name: str) -> int:
    """Show what a key is for and where it is made, before it is typed."""

    async def work(engine: Engine) -> int:
        info = await engine.models.sign_in.accounts.info(name)
        terminal.note(_(info.about), "plain")
        terminal.note(_("A key is made here: {page}").replace("{page}", info.page), "plain")
        _tell_other(terminal, info)
        return exits.DONE

    return run(terminal, work, {"ok": False, "profile": name})


def keep(terminal: Terminal, name: str, key: str, *, in_file: bool) -> int:
    """Look at a key, keep it, and say whose it is and where it is now."""

    async def work(engine: Engine) -> int:
        return await _kept(engine, terminal, name, key, in_file)

    return run(terminal, work, {"ok": False, "profile": name})


def take_gh(terminal: Terminal, name: str, *, in_file: bool) -> int:
    """Keep the token of GitHub's own program."""

    async def work(engine: Engine) -> int:
        only_by_a_person(True)
        return await _kept(engine, terminal, name, await engine.models.sign_in.accounts.gh(), in_file)

    return run(terminal, work, {"ok": False, "profile": name})


def forget(terminal: Terminal, name: str) -> int:
    """Forget a key, and say where another one still is."""

    async def work(engine: Engine) -> int:
        accounts = engine.models.sign_in.accounts
        await accounts.forget(name)
        info = await accounts.info(name)
        if terminal.json_wanted:
            terminal.json({"ok": True, "profile": name})
            return exits.DONE
        terminal.out.line(_("Signed out. The key was deleted here; it is still valid at the provider."))
        _tell_other(terminal, info)
        return exits.DONE

    return run(terminal, work, {"ok": False, "profile": name})


async def _kept(engine: Engine, terminal: Terminal, name: str, key: str, in_file: bool) -> int:
    accounts = engine.models.sign_in.accounts
    whose = await accounts.check(name, key)
    place = await accounts.set(name, key, file_consent=in_file)
    if terminal.json_wanted:
        more = {"name": whose} if whose else {}
        terminal.json({"ok": True, "profile": name, "kept": place, **more})
        return exits.DONE
    where = _(PLACES.get(place, place))
    words = (
        _("Signed in as {name}. The key is kept in {place}.").replace("{name}", whose)
        if whose
        else _("Signed in. The key is kept in {place}.")
    )
    terminal.out.line(words.replace("{place}", where))
    return exits.DONE


def _tell_other(terminal: Terminal, info: AccountInfo) -> None:
    if info.key in ("environment", "gh"):
        words = _("A key of {place} is there already, and is used while no other is kept.")
        terminal.note(words.replace("{place}", _(PLACES[info.key])))

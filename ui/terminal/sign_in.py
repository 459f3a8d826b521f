"""`bramble login` and `bramble logout`: the key of a provider, kept where only the person can read it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ui.terminal import exits
from ui.terminal.commands import json_option
from ui.terminal.output import Terminal
from ui.terminal.session import run, stdin_text
from ui.words import _, later

if TYPE_CHECKING:
    from app.engine import Engine

_PLACES = {
    "keyring": later("the keyring of this computer"),
    "file": later("a file that only you can read"),
    "environment": later("the environment"),
}


@click.command()
@click.argument("profile")
@click.option(
    "--key",
    metavar="-",
    default="",
    help="Read the key from stdin. A key is never taken from the command line.",
)
@click.option(
    "--file",
    "in_file",
    is_flag=True,
    help="Agree to keep it in a file that only you can read, where no keyring answers.",
)
@json_option
@click.pass_obj
def login(terminal: Terminal, profile: str, key: str, in_file: bool) -> int:
    """Give Bramble the key of your account at a provider."""
    if key not in ("", "-"):
        raise click.UsageError(
            _("A key on the command line can be seen by others. Give it on stdin: --key -")
        )
    text = _read_key(terminal, profile, piped=key == "-")

    async def work(engine: Engine) -> int:
        place = await engine.models.set_key(profile, text, file_consent=in_file)
        if terminal.json_wanted:
            terminal.json({"ok": True, "profile": profile, "kept": place})
        else:
            terminal.out.line(
                _("Signed in. The key is kept in {place}.").replace("{place}", _(_PLACES.get(place, place)))
            )
        return exits.DONE

    return run(terminal, work, {"ok": False, "profile": profile})


def _read_key(terminal: Terminal, profile: str, *, piped: bool) -> str:
    if piped and not terminal.interactive:
        text = stdin_text()
    elif terminal.interactive:
        import getpass

        text = getpass.getpass(
            _("Key for {profile} (it is not shown): ").replace("{profile}", profile), terminal.err.stream
        )
    else:
        raise click.UsageError(_("Nobody is there to type a key. Give it on stdin: --key -"))
    text = text.strip()
    if not text or not text.isascii() or not text.isprintable():
        raise click.UsageError(
            _("This is no key: it is empty or holds other characters than letters, digits and signs.")
        )
    return text


@click.command()
@click.argument("profile")
@json_option
@click.pass_obj
def logout(terminal: Terminal, profile: str) -> int:
    """Forget the key of a provider."""

    async def work(engine: Engine) -> int:
        await engine.models.forget_key(profile)
        if terminal.json_wanted:
            terminal.json({"ok": True, "profile": profile})
        else:
            terminal.out.line(_("Signed out. The key was deleted here; it is still valid at the provider."))
        return exits.DONE

    return run(terminal, work, {"ok": False, "profile": profile})

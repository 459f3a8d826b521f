"""`bramble login` and `bramble logout`: the way in to a provider, kept where only the person can read it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from app.records import ProfileInfo, SignedIn
from ui.terminal import accounts, exits
from ui.terminal.commands import json_option
from ui.terminal.copilot import Wanted, agree, sign_in
from ui.terminal.output import Terminal
from ui.terminal.session import only_by_a_person, run, stdin_text
from ui.words import _, plural

if TYPE_CHECKING:
    from app.engine import Engine


@click.command()
@click.argument("profile")
@click.option(
    "--key",
    metavar="-",
    default="",
    help="Read the key from stdin. A key is never taken from the command line.",
)
@click.option("--client-id", metavar="ID", default="", help="The client id of your own OAuth App at GitHub.")
@click.option(
    "--domain",
    metavar="HOST",
    default=None,
    help="Your GitHub Enterprise, such as octo.ghe.com; '' for github.com.",
)
@click.option("--gh", is_flag=True, help="Take over the sign-in of GitHub's own program gh.")
@click.option("--agree", "agreed", is_flag=True, help="Agree to what is shown without being asked.")
@click.option(
    "--file",
    "in_file",
    is_flag=True,
    help="Agree to keep it in a file that only you can read, where no keyring answers.",
)
@json_option
@click.pass_obj
def login(
    terminal: Terminal,
    profile: str,
    key: str,
    client_id: str,
    domain: str | None,
    gh: bool,
    agreed: bool,
    in_file: bool,
) -> int:
    """Sign in to a provider, with a key or at GitHub. Tools use the keys of github, brave and tavily."""
    if key not in ("", "-"):
        raise click.UsageError(
            _("A key on the command line can be seen by others. Give it on stdin: --key -")
        )
    if profile in accounts.ACCOUNTS:
        return _account(terminal, profile, key, gh=gh, in_file=in_file)
    form = {"ok": False, "profile": profile}
    wanted = Wanted(profile, client_id.strip(), domain, gh, agreed, in_file)
    known: list[ProfileInfo] = []

    async def look(engine: Engine) -> int:
        # Where a token goes, and whose app is trusted with it, is no choice of a model.
        only_by_a_person(agreed or gh or bool(client_id) or domain is not None)
        known.append(await engine.models.info(profile))
        if key or _takes_key(known[0]):
            return exits.DONE
        await agree(engine, terminal, known[0], yes=wanted.agree)
        if known[0].sign_in == "key":
            return await _opened(engine, terminal, known[0])
        return _told(terminal, await sign_in(engine, terminal, wanted))

    # A key is typed while no engine is open: nothing then keeps Ctrl-C from ending it.
    code = run(terminal, look, form)
    if code != exits.DONE or not (key or _takes_key(known[0])):
        return code
    text = read_key(terminal, profile, piped=key == "-")

    async def keep(engine: Engine) -> int:
        await agree(engine, terminal, known[0], yes=wanted.agree)
        place = await engine.models.set_key(profile, text, file_consent=in_file)
        return _told(terminal, SignedIn(profile=profile, kept=place))

    return run(terminal, keep, form)


def _account(terminal: Terminal, name: str, key: str, *, gh: bool, in_file: bool) -> int:
    """Sign in to an account whose key tools use."""
    if gh and name == "github":
        return accounts.take_gh(terminal, name, in_file=in_file)
    code = exits.DONE if key else accounts.explain(terminal, name)
    if code != exits.DONE:
        return code
    return accounts.keep(terminal, name, read_key(terminal, name, piped=key == "-"), in_file=in_file)


def _takes_key(info: ProfileInfo) -> bool:
    return info.sign_in == "key" and not info.keyless


async def _opened(engine: Engine, terminal: Terminal, info: ProfileInfo) -> int:
    """Tell what a provider without keys has, now that the person has agreed to it."""
    found = [one for one in await engine.models.list() if one.profile == info.name and one.ready]
    if terminal.json_wanted:
        terminal.json({"ok": True, "profile": info.name, "kept": "", "models": len(found)})
    else:
        terminal.out.line(plural("It has {n} model.", "It has {n} models.", len(found)))
    return exits.DONE


def _told(terminal: Terminal, done: SignedIn) -> int:
    if terminal.json_wanted:
        models = {"models": done.models} if done.models else {}
        terminal.json({"ok": True, "profile": done.profile, "kept": done.kept, **models})
        return exits.DONE
    place = _(accounts.PLACES.get(done.kept, done.kept))
    if done.models:
        terminal.out.line(
            plural("Signed in. It opens {n} model.", "Signed in. It opens {n} models.", done.models)
        )
        terminal.note(_("The sign-in is kept in {place}.").replace("{place}", place))
    else:
        terminal.out.line(_("Signed in. The key is kept in {place}.").replace("{place}", place))
    return exits.DONE


def read_key(terminal: Terminal, profile: str, *, piped: bool) -> str:
    """Return a key from stdin, or typed where nobody sees it. Raises click.UsageError."""
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
    if not text or not text.isascii() or not text.isprintable() or " " in text:
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
    if profile in accounts.ACCOUNTS:
        return accounts.forget(terminal, profile)

    async def work(engine: Engine) -> int:
        await engine.models.forget_key(profile)
        left = (await engine.models.info(profile)).key
        if terminal.json_wanted:
            terminal.json({"ok": True, "profile": profile})
            return exits.DONE
        terminal.out.line(_("Signed out. The key was deleted here; it is still valid at the provider."))
        if left == "environment":
            terminal.note(_("The environment still holds a key, which goes on being used."))
        return exits.DONE

    return run(terminal, work, {"ok": False, "profile": profile})

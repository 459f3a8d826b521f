"""Words about a sign-in that both front ends say: how to get a client id, what is left of a plan."""

from __future__ import annotations

from app.records import QuotaRow, SignInWay
from ui.language import _, later

_KINDS = {
    "chat": later("Chat"),
    "completions": later("Completions"),
    "premium_interactions": later("Premium requests"),
}


def client_id_words(way: SignInWay) -> tuple[str, str]:
    """Return in two sentences how to make an OAuth App."""
    made = _("Make an OAuth App at {page}: New OAuth App, any name and address, and tick Enable Device Flow.")
    return (
        made.replace("{page}", way.apps_page),
        _("Then copy its Client ID to here; it is no secret, and GitHub shows it when you sign in."),
    )


def quota_line(row: QuotaRow) -> str:
    """Return one allowance as a line."""
    name = _(_KINDS[row.kind]) if row.kind in _KINDS else " ".join(row.kind.split())
    if row.unlimited:
        return _("{name}: without a limit").replace("{name}", name)
    words = _("{name}: {left} of {all} left")
    said = {"{name}": name, "{left}": f"{row.remaining:g}", "{all}": f"{row.entitlement:g}"}
    for field, text in said.items():
        words = words.replace(field, text)
    return words + (_("; more can be used and is paid for") if row.more else "")


def key_in_file_text() -> str:
    """Return what it means to keep a key in a file, where there is no keyring."""
    return _(
        "There is no keyring on this computer. The key can stand in a file that only you can read, but "
        "whoever gets at your files gets at it."
    )


def sign_in_in_file_text() -> str:
    """Return the same of a sign-in."""
    return _(
        "There is no keyring on this computer. The sign-in can stand in a file that only you can read, but "
        "whoever gets at your files gets at it."
    )


def held_text(why: str, provider: str) -> str:
    """Return why a request is held up before it is sent; `provider` is "" where it is not known yet."""
    if not provider:
        return _("Getting in at the provider")
    words = (
        _("Waiting for a request of another window or terminal: {provider} is asked one at a time")
        if why == "turn"
        else _("Getting in at {provider}")
    )
    return words.replace("{provider}", provider)

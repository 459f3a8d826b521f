"""Pages that stand in front of the one that was meant: bot walls, captchas, sign-ins, consent, maintenance.

They come with a status of 200 as well, and are never compared. Pure.
"""

from __future__ import annotations

import re
from typing import NamedTuple
from urllib.parse import urlsplit

from app.watch_records import Seen, SeenState, SeenWhy

SHORT = 1_500
"""Characters of text up to which a page may be nothing but a wall; what is longer is content with a form."""
TINY = 500
"""Characters of text up to which a page may be nothing but a message, whose words then count."""
_WALL_TITLE = re.compile(
    r"just a moment|attention required|access (?:to this page has been )?denied|pardon our interruption"
    r"|are you (?:a )?(?:human|robot)|robot check|bot (?:check|detection|verification)|security check"
    r"|verify(?:ing)? (?:that )?you are (?:a )?human|human verification|ddos[- ]guard|request blocked"
    r"|einen moment|nur einen moment|^un instant\W*$|sind sie ein mensch|please wait\W*$",
    re.IGNORECASE,
)
_WALL_TEXT = re.compile(
    r"checking (?:if the site connection is secure|your browser)|verify(?:ing)? (?:that )?"
    r"you(?: are|'re|\u2019re) (?:a )?(?:human|not a (?:ro)?bot)|unusual (?:traffic|activity)"
    r"|enable javascript and cookies to continue|needs to review the security of your connection"
    r"|you (?:have been|were) blocked|automated (?:access|requests)"
    r"|reference\s#\d|\bray id\b|not a robot|press (?:&|and) hold|you don't have permission to access",
    re.IGNORECASE,
)
_WALL_MARKUP = re.compile(
    r"cf[-_]chl[-_]|/cdn-cgi/challenge-platform|captcha-delivery\.com|px-captcha|_incapsula_resource"
    r"|awswafintegration|challenge\.js\?.*akamai",
    re.IGNORECASE,
)
_CAPTCHA = re.compile(
    r"g-recaptcha|h-captcha|hcaptcha\.com|cf-turnstile|recaptcha/api|captcha-form", re.IGNORECASE
)
_CAPTCHA_TEXT = re.compile(
    r"captcha|enter the characters you see|type the characters|not a robot|kein roboter", re.IGNORECASE
)
_CAPTCHA_ASKED = re.compile(
    r"(?:complete|solve|enter) (?:the|this|a) captcha|confirm (?:that )?you(?: are|'re|\u2019re) (?:a )?human"
    r"|captcha (?:l\u00f6sen|ausf\u00fcllen)",
    re.IGNORECASE,
)
_LOGIN_ASKED = re.compile(
    r"\b(?:you (?:must|need to|have to)|please) (?:be (?:logged|signed) in|log[ -]?in|sign[ -]?in)\b"
    r"|\bbitte (?:melden sie sich an|loggen sie sich ein|melde dich an)|\b(?:anmeldung|login) erforderlich"
    r"|veuillez vous connecter",
    re.IGNORECASE,
)
_TOO_MANY = re.compile(
    r"^\W*(?:(?:error )?429\b|too many requests|rate limit(?:ed)?\b|zu viele anfragen|trop de requ\u00eates)",
    re.IGNORECASE,
)
_LOADING = re.compile(r"\W*(?:loading|please wait|bitte warten|wird geladen|chargement|cargando)\W*", re.I)
_LOGIN_PATH = re.compile(
    r"/(?:[\w-]*log-?in|log-?on|sign-?in|anmelden|einloggen|auth|sso|oauth2?|session/new|connexion|accedi)(?:[/.?]|\Z)",
    re.IGNORECASE,
)
_LOGIN_TITLE = re.compile(
    r"^\W*(?:please )?(?:log[ -]?in|sign[ -]?in|anmelden|anmeldung|einloggen|connexion"
    r"|iniciar sesi\u00f3n|accedi)\b"
    r"|\b(?:log[ -]?in|sign[ -]?in|anmeldung)\W*$",
    re.IGNORECASE,
)
_CONSENT_HOST = re.compile(r"^(?:consent|cmp|privacy|guce|cookies?)\.", re.IGNORECASE)
_CONSENT_PATH = re.compile(
    r"/(?:consent|cookie-?(?:consent|wall)|privacy-?gate|collectconsent)\b", re.IGNORECASE
)
_CONSENT_TEXT = re.compile(
    r"before you continue|bevor sie (?:fortfahren|zu .{1,40} weitergehen)"
    r"|we (?:value|care about) your privacy"
    r"|wir (?:und unsere partner|respektieren ihre privat)|accept (?:all|cookies)|alle akzeptieren"
    r"|tout accepter|aceptar (?:todo|todas)|accetta tutt[oi]|cookies? zustimmen",
    re.IGNORECASE,
)
_ABOUT_CONSENT = re.compile(
    r"continue|cookie|consent|privacy|partner|accept|reject|agree|settings|manage|purposes|akzept|ablehn|zustimm"
    r"|einstellung|fortfahren|weiter|datenschutz|zweck|refuser|param\u00e8tres|confidentialit\u00e9|aceptar|rechazar"
    r"|privacidad|accetta|rifiuta",
    re.IGNORECASE,
)
_SCRIPT = re.compile(
    r"(?:enable|requires?|turn on|activate|needs?) javascript"
    r"|javascript (?:is )?(?:disabled|required|aktivieren)"
    r"|(?:activez|activa|attiva|aktivieren sie) javascript",
    re.IGNORECASE,
)
_MAINTENANCE = re.compile(
    r"(?:down|closed|unavailable) for (?:scheduled )?maintenance|under maintenance|scheduled maintenance"
    r"|(?:we'll|we\u2019ll|we will) be (?:right )?back|wartungsarbeiten|en maintenance|en mantenimiento"
    r"|in manutenzione|(?:site|service|page) (?:is )?temporarily (?:unavailable|offline)",
    re.IGNORECASE,
)
_GONE_TITLE = re.compile(
    r"^\W*(?:error\s)?404\b|\b(?:page|seite|page web) (?:was )?(?:not found|nicht gefunden|introuvable)"
    r"|p\u00e1gina no encontrada|pagina non trovata|\b404\W*(?:not found|error)",
    re.IGNORECASE,
)
_ERROR_TITLE = re.compile(
    r"^\W*(?:error\s)?50[0-4]\b|(?:internal server error|bad gateway|gateway time-?out|service unavailable)",
    re.IGNORECASE,
)


class Front(NamedTuple):
    """What of a page says whether it is the one that was meant."""

    status: int
    asked: str
    url: str
    """Where it was found in the end."""
    title: str = ""
    text: str = ""
    markup: str = ""
    password: bool = False
    """Whether it asks for a password."""
    beside: int = 0
    """Characters of text outside the form that does."""


def by_status(status: int) -> Seen | None:
    """Return the failure that a status is, None where the page counts."""
    if status in (200, 203):
        return None
    if status in (401, 407, 511):
        return _failed("blocked", "login", status)
    if status == 429:
        return _failed("error", "too_many_requests", status)
    if status in (403, 451):
        return _failed("blocked", "bot_wall", status)
    if status in (404, 410):
        return _failed("error", "gone", status)
    return _failed("error", "server_error" if status >= 500 else "bad_status", status)


def wall(front: Front) -> Seen | None:
    """Return the wall that a page is, None where it is content. With a status that is a failure the wall says
    more about it.
    """
    short, tiny = len(front.text) <= SHORT, len(front.text) <= TINY
    head = front.markup[:200_000]
    names = _names(front)
    guarded = short and _CAPTCHA.search(head) and _CAPTCHA_TEXT.search(f"{front.title}\n{front.text}")
    if guarded or (tiny and (_CAPTCHA_ASKED.search(front.text) or (_bare(front) and _CAPTCHA.search(head)))):
        return _failed("blocked", "captcha", front.status)
    if _any(_WALL_TITLE, names) and (short or front.status in (403, 429, 503)):
        return _failed("blocked", "bot_wall", front.status)
    walled = short and (_WALL_TEXT.search(front.text) or _WALL_MARKUP.search(head))
    if walled and (front.status != 200 or len(front.text) < SHORT // 2):
        return _failed("blocked", "bot_wall", front.status)
    failure = by_status(front.status)
    return failure if failure is not None else _stands_before(front, short)


def _stands_before(front: Front, short: bool) -> Seen | None:
    moved = urlsplit(front.asked)[1:3] != urlsplit(front.url)[1:3]
    host, path = urlsplit(front.url).hostname or "", urlsplit(front.url).path
    if moved and (_CONSENT_HOST.search(host) or _CONSENT_PATH.search(path)):
        return _failed("blocked", "consent", front.status)
    if moved and _LOGIN_PATH.search(path) and (front.password or short):
        return _failed("blocked", "login", front.status)
    if not short:
        return None
    names = _names(front)
    asks = front.password and (front.beside < SHORT // 10 or _any(_LOGIN_TITLE, names))
    if asks or (len(front.text) <= TINY and _LOGIN_ASKED.search(front.text)):
        return _failed("blocked", "login", front.status)
    if len(front.text) < SHORT // 2 and _CONSENT_TEXT.search(front.text) and _ends_there(front.text):
        return _failed("blocked", "consent", front.status)
    return _said(front)


def _said(front: Front) -> Seen | None:
    """Return the failure that a short page tells in words."""
    names, tiny = _names(front), len(front.text) <= TINY
    if _any(_GONE_TITLE, names):
        return _failed("error", "gone", front.status)
    if _any(_ERROR_TITLE, names):
        return _failed("error", "server_error", front.status)
    if _any(_MAINTENANCE, names) or (tiny and _MAINTENANCE.search(front.text)):
        return _failed("error", "maintenance", front.status)
    if tiny and _TOO_MANY.search(front.text):
        return _failed("error", "too_many_requests", front.status)
    if tiny and _SCRIPT.search(f"{front.text}\n{_noscript(front.markup)}"):
        return _failed("empty", "needs_script", front.status)
    if _LOADING.fullmatch(front.text.strip()) and "<script" in front.markup.lower():
        return _failed("empty", "needs_script", front.status)
    return None


def _names(front: Front) -> tuple[str, ...]:
    """Return what a page calls itself: its title, and where it says hardly more than that, its heading."""
    first, _, rest = front.text.partition("\n")
    heads = len(front.text) <= TINY and len(first) <= 60 and (first.startswith("#") or not rest)
    return (front.title, first.strip("# ")) if heads else (front.title,)


def _any(pattern: re.Pattern[str], names: tuple[str, ...]) -> bool:
    return any(pattern.search(name) for name in names)


def _bare(front: Front) -> bool:
    """Whether a page says nothing but its name."""
    return len(front.text) < 80


def _ends_there(text: str) -> bool:
    """Whether the lines of a page are about consent, all but one, which may be its name."""
    lines = [line for line in text.splitlines() if line.strip()]
    return len([line for line in lines if not _ABOUT_CONSENT.search(line)]) <= 1 < len(lines)


def _noscript(markup: str) -> str:
    return " ".join(re.findall(r"<noscript[^>]{0,200}>(.{0,500}?)</noscript", markup[:400_000], re.S | re.I))


def _failed(state: SeenState, why: SeenWhy, status: int) -> Seen:
    return Seen(state=state, why=why, detail=f"HTTP {status}" if status != 200 else "")

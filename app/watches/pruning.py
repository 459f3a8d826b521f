"""Takes what is beside the matter out of the tree of a page: ads, cookie banners, targets of links."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

_BANNER = re.compile(
    r"(?:onetrust\S*|cookiebot\S*|cybotcookiebot\S*|didomi\S*|usercentrics\S*|uc-banner\S*|qc-cmp\S*|truste\S*"
    r"|osano\S*|klaro\S*|cmplz\S*|borlabs\S*|fc-consent\S*|sp_message\S*|iubenda\S*|cc-(?:window|banner)"
    r"|cookies?|gdpr|(?:\S*[-_])?(?:cookies?|consent|gdpr|ccpa|dsgvo)(?:[-_]?(?:banner|bar|box|notice|consent|message|modal|popup"
    r"|overlay|layer|info|law|wall|dialog|policy-banner|hint))(?:[-_]\S*)?)",
    re.IGNORECASE,
)
_AD = re.compile(
    r"(?:ads?|advert\w*|adsbygoogle|ad[-_](?:banner|slot|unit|box|container|wrapper|leaderboard|label|space|top)\S*"
    r"|google[-_]ads?\S*|div-gpt-ad\S*|dfp[-_]\S*|sponsored(?:[-_]\S*)?|sponsor-box|taboola\S*|outbrain\S*|werbung\S*"
    r"|anzeige|publicite|publicidad)",
    re.IGNORECASE,
)
_ACCEPT = re.compile(
    r"\W*(?:ok(?:ay)?|got it|i agree|agree|allow all|(?:i )?accept(?: all| cookies| all cookies)?"
    r"|(?:alle |cookies )?(?:akzeptieren|zulassen|zustimmen)|einverstanden|(?:tout )?accepter|j'accepte"
    r"|aceptar(?: tod[oa]s?)?|accett[oa](?: tutt[oi])?|aceitar(?: tudo)?|akkoord|godkänn alla)\W*",
    re.IGNORECASE,
)
_COOKIES = re.compile(r"cookie|consent|einwilligung|consentement|consentimiento|consenso", re.IGNORECASE)
_BANNER_TEXT = 900
"""Characters of a banner that is known by its words alone."""
_SHARE = 0.6
"""A part that holds more of the page than this is the page, whatever its class says."""


def drop(tree: Any, unwanted: Callable[[Any], bool], share: float = _SHARE) -> None:
    """Take the elements that are not wanted out of a tree, with all that is in them; none that holds more
    than a share of its text.
    """
    kept = ("html", "body", "head", "main")
    found = [
        one
        for one in tree.iter()
        if isinstance(one.tag, str) and one.tag not in kept and one.getparent() is not None and unwanted(one)
    ]
    whole = _size(tree) if found else 0
    for one in found:
        if one.getparent() is not None and _size(one) <= share * whole:
            one.drop_tree()


def without_banners(tree: Any) -> bool:
    """Take cookie banners and advertisements out; return whether there was a banner."""
    there = any(isinstance(one.tag, str) and holds_token(one, _BANNER) for one in tree.iter())
    if there:
        drop(tree, lambda one: holds_token(one, _BANNER), 0.99)
    named = _by_words(tree)
    if named:
        drop(tree, lambda one: one in named, 0.99)
        there = True
    drop(tree, lambda one: holds_token(one, _AD) or one.get("data-ad-slot") is not None)
    return there


def _by_words(tree: Any) -> set[Any]:
    """Return the pieces of a page that speak of cookies and have a button to accept them."""
    found: set[Any] = set()
    for button in list(tree.iter("button", "a", "input"))[:2_000]:
        if not _ACCEPT.fullmatch((button.text_content() or button.get("value") or "")[:60]):
            continue
        piece = button.getparent()
        while piece is not None and piece.tag not in ("body", "html", "main"):
            text = piece.text_content()
            if len(text) > _BANNER_TEXT:
                break
            if _COOKIES.search(text):
                found.add(piece)
                break
            piece = piece.getparent()
    return found


def without_links(tree: Any) -> None:
    """Take the targets of links out: they carry tokens that are new each time, and nobody reads them."""
    for one in tree.iter("a"):
        one.attrib.pop("href", None)


def holds_token(element: Any, pattern: re.Pattern[str]) -> bool:
    """Whether a class or the id of an element is what a pattern means."""
    names = f"{element.get('class') or ''} {element.get('id') or ''}"
    return names != " " and any(pattern.fullmatch(name[:80]) for name in names.split()[:20])


def _size(element: Any) -> int:
    """Return how much text an element has that people see."""
    skipped = ("script", "style", "noscript", "template")
    found = 0
    for one in element.iter():
        if isinstance(one.tag, str) and one.tag not in skipped:
            found += len((one.text or "").strip())
        if one is not element:
            found += len((one.tail or "").strip())
    return found

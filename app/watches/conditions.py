"""When a person is told, in their words: read into a record, and said back. Pure."""

from __future__ import annotations

import re
from contextlib import suppress

from app.watch_records import Condition, TellKind
from app.watches.amounts import whole_amount, written

LONGEST = 300
"""Characters of a condition, which is a sentence."""
_BEGIN = re.compile(
    r"^(?:(?:tell|alert|notify|inform|warn|ping|let)\s+me(?:\s+know)?\s+)?"
    r"(?:as soon as|only if|only when|when(?:ever)?|once|if)?\s*",
    re.IGNORECASE,
)
_SUBJECT = (
    r"(?:(?:the|its|their)\s+)?"
    r"(?:(?:price|cost|value|number|amount|count|total|it|this|rate|score|temperature)\s+(?:of .{1,80}? )?)?"
)
_GOES = r"(?:(?:is|are|gets|goes|falls?|drops?|sinks?|dips?|comes?|rises?|climbs?|costs?)\s+)?"
_BY = r"(?:changes |moves |differs )?by (?:more than|over) "
_WORDS: tuple[tuple[TellKind, str], ...] = (
    ("by_percent", rf"{_BY}(?P<percent>.+?)\s*(?:%|percent)"),
    ("by_more", rf"{_BY}(?P<amount>.+)"),
    ("below", rf"{_GOES}(?:below|under|lower than|less than|cheaper than|beneath|<) (?P<amount>.+)"),
    ("above", rf"{_GOES}(?:above|over|higher than|more than|greater than|exceeds?|>) (?P<amount>.+)"),
    ("falls", r"(?:falls|drops|sinks|goes down|is reduced|gets cheaper|decreases)"),
    ("rises", r"(?:rises|climbs|goes up|gets more expensive|increases)"),
)
_STOCK: tuple[tuple[TellKind, str], ...] = (
    ("out_of_stock", r"(?:(?:is |goes |gets |runs )?(?:out of stock|sold out|unavailable)|sells out)"),
    (
        "in_stock",
        r"(?:is |comes |gets )?(?:(?:back )?in stock|available(?: again)?|back|restocked)(?: again)?",
    ),
)
_LINES = re.compile(
    r"(?:any |there (?:is|are) )?(?:a )?new "
    r"(?:lines?|entr(?:y|ies)|items?|posts?|articles?|releases?)(?: only)?"
    r"(?: (?:appears?|comes?|is (?:added|published)|are (?:added|published)))?",
    re.IGNORECASE,
)
_ANY = re.compile(
    r"(?:(?:it|the page|this page|anything|something) )?"
    r"(?:any changes?|changes?|is changed|is updated|updates?)",
    re.IGNORECASE,
)
_SHOWS: tuple[tuple[TellKind, str], ...] = (
    (
        "disappears",
        r"(?:the (?:words?|text|phrase) )?(?P<text>.+?) (?:disappears?|goes away|vanishes|is removed|is gone"
        r"|is (?:no longer|not) (?:there|shown|mentioned|on the page|listed))",
    ),
    ("disappears", r"(?:it|the page) no longer (?:says|shows|mentions|contains) (?P<text>.+)"),
    (
        "appears",
        r"(?:the (?:words?|text|phrase) )?(?P<text>.+?) (?:appears?|shows up|comes up"
        r"|is (?:there|shown|mentioned|on it|on the page|listed))",
    ),
    ("appears", r"(?:it|the page) (?:says|shows|mentions|contains) (?P<text>.+)"),
)
_QUOTED = re.compile("^[\"'\u201c\u201e\u2018\u00ab](.*?)[\"'\u201d\u201c\u2019\u00bb]$", re.DOTALL)
_FORMS = re.compile(
    r"(?P<kind>any change|new lines|appears|disappears|above|below|by more than)(?:\s+(?P<rest>.+))?",
    re.IGNORECASE | re.DOTALL,
)


class NoCondition(ValueError):
    """A text is no condition that can be held; it says what would be one."""


def form_of(text: str) -> Condition:
    """Return the condition of a fixed form of the command line: any change, new lines, appears TEXT,
    disappears TEXT, above N, below N, by more than P%. Raises NoCondition for anything else.
    """
    found = _FORMS.fullmatch(text.strip()[: LONGEST + 1])
    kind = found["kind"].lower() if found else ""
    rest = (found["rest"] or "").strip() if found else ""
    if kind == "any change" and not rest:
        return Condition()
    if kind == "new lines" and not rest:
        return Condition(kind="new_lines")
    if kind == "appears" and rest:
        return Condition(kind="appears", text=_unquoted(rest))
    if kind == "disappears" and rest:
        return Condition(kind="disappears", text=_unquoted(rest))
    if kind == "above" and rest:
        return _numeric("above", rest)
    if kind == "below" and rest:
        return _numeric("below", rest)
    if kind == "by more than" and rest.endswith("%"):
        return _numeric("by_percent", rest[:-1])
    raise NoCondition(_HELP)


def read(text: str) -> Condition:
    """Return the condition that plain words say: a fixed form, or a sentence such as "when the price falls
    below 20 €", "when it is back in stock", "when 'Tickets' appears". Raises NoCondition.
    """
    plain = " ".join(text.split()).rstrip(".!")
    if len(plain) > LONGEST:
        raise NoCondition(f"It is longer than {LONGEST} characters. {_HELP}")
    with suppress(NoCondition):
        return form_of(plain)
    said = _BEGIN.sub("", plain)
    for found in (_stock(said), _any(said), _numbers(said), _text(said)):
        if found is not None:
            return found
    raise NoCondition(_HELP)


def say(condition: Condition) -> str:
    """Return a condition in plain English, as `read` reads it again."""
    amount = f"{condition.amount} {condition.currency}".rstrip()
    return {
        "any": "any change",
        "new_lines": "new lines",
        "appears": f'when "{condition.text}" appears',
        "disappears": f'when "{condition.text}" disappears',
        "above": f"when it rises above {amount}",
        "below": f"when it falls below {amount}",
        "rises": "when it rises",
        "falls": "when it falls",
        "by_more": f"when it changes by more than {amount}",
        "by_percent": f"when it changes by more than {condition.amount}%",
        "in_stock": "when it is in stock",
        "out_of_stock": "when it is out of stock",
    }[condition.kind]


_HELP = (
    "Say one of: any change, new lines, appears TEXT, disappears TEXT, above N, below N, by more than P%,"
    " when the price falls, when it is back in stock."
)


def _stock(said: str) -> Condition | None:
    for kind, words in _STOCK:
        if re.fullmatch(rf"(?:it |this |the .{{1,80}}? )?{words}", said, re.IGNORECASE):
            return Condition(kind=kind)
    return None


def _any(said: str) -> Condition | None:
    if _LINES.fullmatch(said):
        return Condition(kind="new_lines")
    return Condition() if _ANY.fullmatch(said) else None


def _numbers(said: str) -> Condition | None:
    for kind, words in _WORDS:
        found = re.fullmatch(_SUBJECT + words, said, re.IGNORECASE)
        if found is None:
            continue
        groups = found.groupdict()
        given = groups.get("percent") or groups.get("amount") or ""
        return _numeric(kind, given) if groups else Condition(kind=kind)
    return None


def _text(said: str) -> Condition | None:
    for kind, words in _SHOWS:
        found = re.fullmatch(words, said, re.IGNORECASE)
        if found is not None and (text := _unquoted(found["text"])):
            return Condition(kind=kind, text=text)
    return None


def _numeric(kind: TellKind, text: str) -> Condition:
    amount = whole_amount(text)
    if amount is None:
        raise NoCondition(f"{text.strip()!r} is no number. {_HELP}")
    if kind in ("by_more", "by_percent") and amount.number < 0:
        raise NoCondition(f"A change cannot be more than {written(amount.number)}. {_HELP}")
    return Condition(kind=kind, amount=written(amount.number), currency=amount.currency)


def _unquoted(text: str) -> str:
    found = _QUOTED.match(text.strip())
    return " ".join((found[1] if found else text).split())

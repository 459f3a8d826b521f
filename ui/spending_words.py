"""What a turn, a conversation and a day cost, and the limits, in words for both front ends."""

from __future__ import annotations

from typing import NamedTuple

from app.records import Spending, Spent, Usage
from app.settings import Limits
from ui.amounts import money, tokens
from ui.language import _, plural

NEAR = 0.8
"""Share of a limit from which on it stands out."""


class Line(NamedTuple):
    """One line of an account: what, how much, and whether a limit is near."""

    name: str
    words: str
    near: bool = False
    more: str = ""
    """How many tokens that were."""

    @property
    def whole(self) -> str:
        """What and how much, with the tokens."""
        return f"{self.words} ({self.more})" if self.more else self.words


def turn_text(usage: Usage, cost: float | None) -> str:
    """Return what a turn cost; an estimate says so, and so does a price that is not known. "" for nothing."""
    if not usage.input + usage.output:
        return ""
    if cost is None:
        return _("price not known")
    return _about(money(cost), usage.exact)


def spent_text(spent: Spent) -> str:
    """Return what a conversation or a day cost: as much as is known of it, and what is not."""
    if not spent.requests:
        return _("nothing yet") if not spent.uncounted else _uncounted(spent)
    known = spent.requests - spent.unpriced
    if not known:
        return _("price not known")
    said = [_about(money(spent.cost), spent.usage.exact)] if known else []
    if spent.unpriced:
        said.append(
            plural("{n} request without a known price", "{n} requests without a known price", spent.unpriced)
        )
    if spent.uncounted:
        said.append(_uncounted(spent))
    return ", ".join(said)


def lines(spending: Spending, limits: Limits) -> tuple[Line, ...]:
    """Return the account of a conversation and of today, with the limits that are set."""
    session, today = spending.session, spending.today
    found = [
        Line(_("This conversation"), spent_text(session), more=_tokens(session)),
        Line(_("Today"), spent_text(today), _near(today.cost, limits.day_money), _tokens(today)),
    ]
    if limits.day_money:
        found[-1] = found[-1]._replace(
            words=_("{sum} of {limit}")
            .replace("{sum}", spent_text(today))
            .replace("{limit}", money(limits.day_money))
        )
    if limits.day_tokens:
        words = _("{used} of {limit}").replace("{used}", f"{today.tokens:,}")
        near = _near(today.tokens, limits.day_tokens)
        found.append(Line(_("Tokens today"), words.replace("{limit}", tokens(limits.day_tokens)), near))
    caps = [money(limits.turn_money)] if limits.turn_money else []
    caps += [tokens(limits.turn_tokens)] if limits.turn_tokens else []
    if caps:
        found.append(Line(_("Limit of a turn"), ", ".join(caps)))
    return tuple(found)


def warning(spending: Spending, limits: Limits) -> str:
    """Return the sentence about a day's limit that is near or reached, "" when none is."""
    for used, limit, shown in (
        (spending.today.cost, limits.day_money, money(limits.day_money)),
        (spending.today.tokens, limits.day_tokens, tokens(int(limits.day_tokens))),
    ):
        if not _near(used, limit):
            continue
        if used >= limit:
            return _("Today's limit of {limit} is reached.").replace("{limit}", shown)
        words = _("{n} % of today's limit of {limit} are used.")
        return words.replace("{n}", str(int(100 * used / limit))).replace("{limit}", shown)
    return ""


def budget_title(fields: dict[str, str]) -> str:
    """Return which limit ended a turn, for the fields of the problem `budget`; "" where they do not say."""
    try:
        limit = float(fields.get("limit", ""))
    except ValueError:
        return ""
    sentence = {
        "turn_money": _("A turn may cost {limit}. That is reached, so it ended here."),
        "day_money": _("A day may cost {limit}. That is reached, so the turn ended here."),
        "turn_tokens": _("A turn may take {limit}. That is reached, so it ended here."),
        "day_tokens": _("A day may take {limit}. That is reached, so the turn ended here."),
    }.get(fields.get("what", ""), "")
    shown = money(limit) if "money" in fields.get("what", "") else tokens(round(limit))
    return sentence.replace("{limit}", shown)


def _near(used: float, limit: float) -> bool:
    return bool(limit) and used >= NEAR * limit


def _tokens(spent: Spent) -> str:
    return tokens(spent.tokens) if spent.tokens else ""


def _uncounted(spent: Spent) -> str:
    return plural(
        "{n} answer that broke off uncounted", "{n} answers that broke off uncounted", spent.uncounted
    )


def _about(words: str, exact: bool) -> str:
    return words if exact else _("about {words}").replace("{words}", words)

"""The rows of the list of models: who offers them, what each reads, costs and can, and which one holds."""

from __future__ import annotations

from collections.abc import Sequence

from app.records import ListState, ModelInfo
from ui.amounts import ago, clock
from ui.language import _, plural
from ui.model_words import abilities_of, lack_text, list_text, price_sentence, price_text, window_text
from ui.window.picker import Entry
from ui.words import problem_text

_TOGETHER = 3
"""Lists that fail for one reason, from which on they are told together."""
SIGNS = {"tools": "wrench", "vision": "image", "reasoning": "brain"}
"""The icon of each ability."""


def rows(models: Sequence[ModelInfo], current: str) -> list[Entry]:
    """Return the models by provider: that of the current one first, then those that are ready. A current
    model that is not among them is named on top, with those of its provider below.
    """
    profile, _slash, name = current.partition("/")
    found = next((model for model in models if model.name == current), None)
    top: list[Entry] = []
    if current and models and (found is None or found.gone):
        top.append(_missing(name, next((one.provider for one in models if one.profile == profile), profile)))
    ready = {model.profile for model in models if model.ready}
    places = {one: at for at, one in enumerate(dict.fromkeys(model.profile for model in models))}

    def place(model: ModelInfo) -> tuple[bool, bool, int, bool, bool]:
        mine = model.profile == profile
        return not mine, model.profile not in ready, places[model.profile], not model.ready, model.gone

    days = {model.profile: _day(model) for model in reversed(models) if model.input_price}
    return top + [_row(model, current, days.get(model.profile, "")) for model in sorted(models, key=place)]


def stale(lists: Sequence[ListState], now: float) -> list[Entry]:
    """Return what is to be said of lists that could not be brought up to date: which provider, why, and what
    is shown instead. Many that fail for one reason, as without a network, are one row.
    """
    failed = [state for state in lists if state.failed]
    by_reason: dict[str, list[ListState]] = {}
    for state in failed:
        by_reason.setdefault(state.problem.code if state.problem is not None else "", []).append(state)
    return [entry for some in by_reason.values() for entry in _stale(some, now)]


def _stale(some: Sequence[ListState], now: float) -> list[Entry]:
    if len(some) < _TOGETHER:
        return [_stale_row(_list_title(one, now), _reason(one), [one], now) for one in some]
    words = plural(
        "{n} list of models is not up to date", "{n} lists of models are not up to date", len(some)
    )
    names = ", ".join(one.title for one in some)
    return [_stale_row(words, f"{_reason(some[0])} ({names})", some, now)]


def _list_title(state: ListState, now: float) -> str:
    words = (
        _("{provider}: models as they were listed {when}")
        if state.listed
        else _("{provider}: models as Bramble knows them")
    )
    return words.replace("{provider}", state.title).replace("{when}", ago(state.listed, now))


def _reason(state: ListState) -> str:
    why = problem_text(state.problem).title if state.problem is not None else ""
    return f"{why} {_('Asked at {time}.').replace('{time}', clock(state.failed))}".strip()


def _stale_row(title: str, line: str, some: Sequence[ListState], now: float) -> Entry:
    tip = "\n".join(list_text(one, now) for one in some)
    return Entry("", title, line, icon="triangle-alert", enabled=False, tip=tip)


def _missing(name: str, provider: str) -> Entry:
    words = _("{provider} does not list {model} any more")
    title = words.replace("{provider}", provider).replace("{model}", name)
    return Entry("", title, _("It may not answer. Choose another one."), icon="triangle-alert", enabled=False)


def _day(model: ModelInfo) -> str:
    return _("prices of {date}").replace("{date}", model.priced) if model.priced else ""


def _row(model: ModelInfo, current: str, day: str) -> Entry:
    abilities = abilities_of(model)
    window = window_text(model)
    line = [_("reads up to {n}").replace("{n}", window) if window else _("window not known")]
    line += filter(None, [lack_text(model)])
    price = price_text(model)
    can = ", ".join(words for _name, words in abilities)
    tip = [model.name, can[:1].upper() + can[1:], price_sentence(model)]
    return Entry(
        model.name,
        model.title or model.model,
        " · ".join(line),
        price or _("price not known"),
        enabled=True,
        words=f"{model.provider} {'free' if price == _('free') else ''}",
        group=model.provider or model.profile,
        aside=day,
        signs=tuple((SIGNS[name], words) for name, words in abilities),
        chosen=model.name == current,
        tip="\n".join(filter(None, tip)),
    )

"""What a model is and costs, in words for both front ends."""

from __future__ import annotations

from app.records import Effort, ListState, ModelInfo, Problem
from ui.amounts import ago, clock
from ui.compaction_words import effort_text
from ui.language import _, later

ABILITIES = {
    "tools": later("uses tools"),
    "vision": later("sees pictures"),
    "reasoning": later("reasons"),
}
"""What is said of an ability; others matter to nobody who picks a model for a conversation."""

_LACKS = {
    "no_key": later("needs a key"),
    "bad_key": later("needs a key"),
    "no_sign_in": later("sign in first"),
    "signed_out": later("sign in first"),
    "terms_open": later("read what it means first"),
    "model_terms": later("has terms of its own"),
    "model_off": later("switched off for your account"),
    "local_missing": later("can be fetched"),
}


def abilities_of(model: ModelInfo) -> tuple[tuple[str, str], ...]:
    """Return the abilities that matter with their words, in a fixed order."""
    return tuple((name, _(words)) for name, words in ABILITIES.items() if name in model.abilities)


def window_text(model: ModelInfo) -> str:
    """Return how much a model reads at once, "" where nobody says."""
    return _("{n} tokens").replace("{n}", f"{model.window:,}") if model.window else ""


def price_text(model: ModelInfo) -> str:
    """Return the price in US dollars a million tokens, without its unit: "$2 / $10", "free", "counts 2
    times"; "" where it is not known.
    """
    if model.input_price is None or model.output_price is None:
        times = _("counts {n} times")
        return "" if model.multiplier is None else times.replace("{n}", f"{model.multiplier:g}")
    if model.input_price == model.output_price == 0:
        return _("free")
    return f"{_dollars(model.input_price)} / {_dollars(model.output_price)}"


def price_sentence(model: ModelInfo) -> str:
    """Return the price with its unit and its day, as a sentence."""
    if model.input_price is None or model.output_price is None:
        if model.multiplier is None:
            return _("Its price is not known.")
        return _("One request counts as {n} of your plan.").replace("{n}", f"{model.multiplier:g}")
    if model.input_price == model.output_price == 0:
        return _("It costs nothing.")
    words = _("US dollars for a million tokens: {input} read, {output} written.")
    words = words.replace("{input}", _dollars(model.input_price))
    words = words.replace("{output}", _dollars(model.output_price))
    return f"{words} {day_text(model.priced)}".strip()


def day_text(priced: str) -> str:
    """Return the sentence that names the day of prices, "" for none."""
    return _("Prices of {date}.").replace("{date}", priced) if priced else ""


def lack_text(model: ModelInfo) -> str:
    """Return why a model cannot answer yet, or that it may be gone, in a few words; "" when all is well."""
    if model.ready:
        return _("no longer in the list of its provider") if model.gone else ""
    if model.why in _LACKS:
        return _(_LACKS[model.why])
    from ui.problems import PROBLEMS
    from ui.words import problem_text

    return problem_text(Problem(code=model.why)).title if model.why in PROBLEMS else _("not ready")


def list_text(state: ListState, now: float) -> str:
    """Return why the list of a provider is no newer than it is, "" where it is up to date."""
    if not state.failed:
        return ""
    from ui.words import problem_text

    words = _("The list of {provider} could not be brought up to date at {time}.")
    words = words.replace("{provider}", state.title).replace("{time}", clock(state.failed))
    why = problem_text(state.problem).title if state.problem is not None else ""
    known = (
        _("It is shown as it was {when}.").replace("{when}", ago(state.listed, now)) if state.listed else ""
    )
    known = known or _("What Bramble knows of it itself is shown.")
    return " ".join(filter(None, [words, why, known]))


def efforts_text(efforts: tuple[Effort, ...]) -> str:
    """Return the efforts that a model takes as a person says them to /effort."""
    return ", ".join(["own", *efforts])


def effort_hint(effort: Effort, efforts: tuple[Effort, ...]) -> str:
    """Return how much a model reasons now and what can be chosen."""
    if not efforts:
        return _("This model takes no wish for how much it reasons.")
    words = _("Reasoning: {effort}. Choose {efforts}.")
    return words.replace("{efforts}", efforts_text(efforts)).replace("{effort}", effort_text(effort))


def _dollars(price: float) -> str:
    return f"${price:.2f}".removesuffix(".00") if price >= 0.1 else f"${price:.4f}".rstrip("0").rstrip(".")


def wire_names() -> dict[str, str]:
    """Return the ways to talk to a server by their code, in the names that its makers use."""
    return {"chat": "Chat Completions", "responses": "Responses", "messages": "Messages"}

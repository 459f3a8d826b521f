"""How much a model can be asked to reason, by its data: only what a request would really say differently."""

from __future__ import annotations

from collections.abc import Callable
from typing import get_args

from app.errors import ModelError
from app.models.messages.body import BUDGETS, LEAST, OUTPUT
from app.models.profile import Profile, Quirks
from app.models.profiles import model_data, quirks_of, wire_for
from app.records import Effort

ORDER: tuple[Effort, ...] = get_args(Effort)[1:]
"""Off, then the least first."""


def efforts_of(profile: Profile, model: str) -> tuple[Effort, ...]:
    """Return the efforts that a model tells apart in a request with tools, () where it takes none."""
    data, quirks, wire = model_data(profile, model), quirks_of(profile, model), wire_for(profile, model)
    if not quirks.effort or (data.abilities and "reasoning" not in data.abilities):
        return ()
    if wire == "chat" and quirks.effort_with_tools:
        return ()
    most = (data.max_output or OUTPUT) - LEAST
    words: dict[str, Effort] = {}
    for effort in (*ORDER[1:], ORDER[0]):  # what stands for off may be another one's word: then it is none
        word = _word(effort, quirks, most)
        if word:
            words.setdefault(word, effort)
    return tuple(effort for effort in ORDER if effort in words.values())


def efforts_named(named: Callable[[str], tuple[Profile, str]], name: str) -> tuple[Effort, ...]:
    """Return the efforts of PROFILE/MODEL as `efforts_of`; () where there is none of that name."""
    try:
        return efforts_of(*named(name)) if name else ()
    except ModelError:  # the profile is gone, which is said when it is asked
        return ()


def _word(effort: str, quirks: Quirks, most: int) -> str:
    """Return what tells an effort from others in a request, "" where it says nothing."""
    own = quirks.efforts.get(effort, effort)
    if quirks.effort == "budget":  # nothing is thought without one
        budget = min(BUDGETS.get(effort, 0), most)
        return str(budget) if budget >= LEAST else ""
    if quirks.effort == "adaptive":
        if effort == "off":
            return quirks.thinking_off or quirks.efforts.get("off", "low")
        return own
    if effort == "off" and quirks.effort in ("reasoning", "thinking"):
        return "disabled"
    if quirks.effort == "thinking":
        return own if effort in quirks.efforts else "enabled"
    return own

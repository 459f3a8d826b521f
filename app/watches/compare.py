"""Whether a page has changed, what of it, and whether a person's condition is met. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from decimal import Decimal, InvalidOperation

from app.changes.comparing import differences
from app.watch_records import NUMERIC, Condition, Difference, Noise, Seen, Verdict
from app.watches.amounts import number_in, written
from app.watches.noise import keys_of, lines_of

MOST_LINES = 20_000
"""Lines of either side up to which their order is looked at; of more only which ones came and went."""
_NO_ORDER = Noise()
_STRICT = Noise(moments=False)


def compare(
    old: Seen,
    new: Seen,
    condition: Condition,
    noise: Noise = _NO_ORDER,
    *,
    told: str = "",
    known: Collection[str] = (),
) -> Verdict:
    """Return what two good sights of a page mean. Both must have the state ok.

    `told` is the number that a person was last told, from which "by more than" counts, "" for that of `old`:
    so a price that creeps is told of in the end. `known` are keys of lines that were seen at any time before
    (`keys`): with new lines, one that comes back is not new.
    """
    difference = difference_of(old, new, noise)
    changed = bool(difference.added or difference.removed)
    if new.value:
        changed = new.value != "unknown" and not same_value(old.value, new.value)
    if changed and not new.value and noise.words:
        changed = _words(difference) >= noise.words
    if not changed:
        difference = Difference()
    numbers = [_shown(seen) if condition.kind in NUMERIC else seen.value for seen in (old, new)]
    met = _met(old, new, condition, noise, difference, changed, told, frozenset(known))
    if met and not changed:  # what is met lies in what counts as noise: there is no telling without a change
        changed, difference = True, difference_of(old, new, _STRICT)
    return Verdict(
        changed=changed,
        met=met,
        difference=difference,
        before=numbers[0],
        value=numbers[1],
        currency=new.currency,
    )


def difference_of(old: Seen, new: Seen, noise: Noise = _NO_ORDER) -> Difference:
    """Return the lines that came and that went; what only moved is told twice unless order is no matter."""
    if old.text == new.text:
        return Difference()
    before, after = keys_of(lines_of(old.text), noise), keys_of(lines_of(new.text), noise)
    if noise.any_order or max(len(before), len(after)) > MOST_LINES:
        return Difference(added=_beyond(after, before), removed=_beyond(before, after))
    added: list[str] = []
    removed: list[str] = []
    for i1, i2, j1, j2 in differences([key for key, _ in before], [key for key, _ in after]):
        removed += [line for _, line in before[i1:i2]]
        added += [line for _, line in after[j1:j2]]
    return Difference(added=tuple(added), removed=tuple(removed))


def keys(seen: Seen, noise: Noise = _NO_ORDER) -> frozenset[str]:
    """Return the keys of all lines of a sight, to be handed in as `known` later."""
    return frozenset(key for key, _ in keys_of(lines_of(seen.text), noise))


def amount(seen: Seen) -> Decimal | None:
    """Return the number of a sight: its value, else the first one of its text; None where there is none."""
    if not seen.value:
        return number_in(seen.text[:100_000], seen.language)
    return _decimal(seen.value)


def same_value(one: str, other: str) -> bool:
    """Whether two values are the same: 19.9 and 19.90 are."""
    first, second = _decimal(one), _decimal(other)
    return one == other if first is None or second is None else first == second


def suited(seen: Seen, condition: Condition, before: Seen | None = None) -> Seen:
    """Return a sight, or the failure that it is for a condition: no number where one is needed, and money of
    another country than before, which a shop shows by where a request seems to come from.
    """
    if seen.state != "ok":
        return seen
    if condition.kind in NUMERIC and amount(seen) is None:
        return Seen(state="error", why="no_number", title=seen.title)
    wanted = before.currency if before is not None and before.currency else condition.currency
    if wanted and seen.currency and seen.currency != wanted:
        detail = f"{seen.currency} in place of {wanted}"
        return Seen(state="error", why="other_currency", detail=detail, title=seen.title)
    return seen


def _shown(seen: Seen) -> str:
    number = amount(seen)
    return "" if number is None else written(number)


def _decimal(text: str) -> Decimal | None:
    try:
        number = Decimal(text)
    except InvalidOperation:
        return None
    return number if number.is_finite() else None


def _met(
    old: Seen,
    new: Seen,
    condition: Condition,
    noise: Noise,
    difference: Difference,
    changed: bool,
    told: str,
    known: frozenset[str],
) -> bool:
    kind = condition.kind
    if kind in NUMERIC:
        return _by_number(old, new, condition, told)
    if kind in ("appears", "disappears"):
        before, after = (_holds(seen, condition.text, noise) for seen in (old, new))
        return (after and not before) if kind == "appears" else (before and not after)
    if kind in ("in_stock", "out_of_stock"):
        return old.value != kind and new.value == kind
    if kind == "new_lines":
        return changed and bool(_new(difference, old, noise, known))
    return changed


def _by_number(old: Seen, new: Seen, condition: Condition, told: str) -> bool:
    """Whether a condition on numbers became true; other money than the person's tells nobody."""
    before, after = amount(old), amount(new)
    if after is None or (condition.currency and new.currency and condition.currency != new.currency):
        return False
    if condition.kind in ("above", "below"):
        bound = Decimal(condition.amount)
        was = before is not None and (before > bound if condition.kind == "above" else before < bound)
        return not was and (after > bound if condition.kind == "above" else after < bound)
    if before is None or (old.currency and new.currency and old.currency != new.currency):
        return False
    if condition.kind in ("rises", "falls"):
        return after > before if condition.kind == "rises" else after < before
    if after == before:
        return False
    since = _decimal(told) if told else before
    base = before if since is None else since
    moved = abs(after - base)
    if condition.kind == "by_more":
        return moved > Decimal(condition.amount)
    return moved * 100 > Decimal(condition.amount) * abs(base)


def _holds(seen: Seen, text: str, noise: Noise) -> bool:
    wanted = " ".join(lines_of(text)).casefold()
    lines = keys_of(lines_of(seen.text), Noise(ignore=noise.ignore, clicked=noise.clicked, moments=False))
    return bool(wanted) and wanted in " ".join(line for _, line in lines).casefold()


def _new(difference: Difference, old: Seen, noise: Noise, known: frozenset[str]) -> list[str]:
    """Return the added lines that stood nowhere before: what moved or came back is not new."""
    before = known | keys(old, noise)
    return [line for key, line in keys_of(difference.added, noise) if key not in before]


def _beyond(these: Iterable[tuple[str, str]], those: Iterable[tuple[str, str]]) -> tuple[str, ...]:
    """Return the lines of `these` that `those` do not have, counted."""
    left = Counter(key for key, _ in those)
    found = []
    for key, line in these:
        if left[key] > 0:
            left[key] -= 1
        else:
            found.append(line)
    return tuple(found)


def _words(difference: Difference) -> int:
    """Return how many words came or went, the larger of both."""
    added = Counter(word for line in difference.added for word in line.split())
    removed = Counter(word for line in difference.removed for word in line.split())
    return max((added - removed).total(), (removed - added).total())

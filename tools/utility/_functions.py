"""The functions of the calculator."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction

from tools import ToolFailed
from tools.utility._amounts import Amount, factorial, in_decimals, minus, power, same_kind


def _plain(value: Amount) -> Fraction:
    if value.dimensions and value.dimensions != (("rad", 1),):
        raise ToolFailed("This function takes plain numbers.")
    return value.value


def _float(work: Callable[[float], float]) -> Callable[[Fraction], Fraction]:
    def run(value: Fraction) -> Fraction:
        try:
            made = work(float(value))
            return Fraction(f"{made:.14g}") if abs(made) > 1e-15 else Fraction(0)
        except (ValueError, OverflowError):
            raise ToolFailed("That has no real value.") from None

    return run


_ONE: dict[str, Callable[[Fraction], Fraction]] = {
    "ln": lambda value: in_decimals(Decimal.ln, value),
    "log": lambda value: in_decimals(Decimal.log10, value),
    "exp": lambda value: in_decimals(Decimal.exp, value),
    "sin": _float(math.sin),
    "cos": _float(math.cos),
    "tan": _float(math.tan),
    "asin": _float(math.asin),
    "acos": _float(math.acos),
    "atan": _float(math.atan),
    "sinh": _float(math.sinh),
    "cosh": _float(math.cosh),
    "tanh": _float(math.tanh),
}
_WHOLE: dict[str, Callable[[Fraction], int]] = {"floor": math.floor, "ceil": math.ceil, "trunc": math.trunc}
_MANY = frozenset({"min", "max", "sum", "avg", "mean", "gcd", "lcm"})
FUNCTIONS = frozenset(
    {
        *_ONE,
        *_WHOLE,
        *_MANY,
        "sqrt",
        "cbrt",
        "root",
        "abs",
        "round",
        "factorial",
        "log10",
        "log2",
        "mod",
        "pow",
    }
)


def call(name: str, values: list[Amount]) -> Amount:
    """Return what a function gives. Raises ToolFailed."""
    first, rest = values[0], values[1:]
    if name in _MANY:
        return _over_many(name, values)
    if len(rest) > (name in ("root", "round", "log", "mod", "pow")):
        raise ToolFailed(f"{name} takes fewer values.")
    if name in ("root", "mod", "pow") and not rest:
        raise ToolFailed(f"{name} takes two values.")
    if name in _WHOLE:
        return Amount(Fraction(_WHOLE[name](_plain(first))), exact=first.exact)
    if name in _PAIRS:
        return _PAIRS[name](first, rest[0] if rest else Amount(Fraction(0)))
    return _transcendent(name, first, rest)


def _rounded(first: Amount, digits: Amount) -> Amount:
    """Round half away from zero, as people do."""
    places = int(_plain(digits))
    if abs(places) > 100:
        raise ToolFailed("round takes at most 100 places.")
    unit = (first.factor if first.dimensions else Fraction(1)) / Fraction(10) ** places
    scaled = first.value / unit
    whole = math.floor(abs(scaled) + Fraction(1, 2)) * (1 if scaled >= 0 else -1)
    return replace(first, value=whole * unit)


_PAIRS: dict[str, Callable[[Amount, Amount], Amount]] = {
    "sqrt": lambda first, _: _rooted(first, Fraction(2)),
    "cbrt": lambda first, _: _rooted(first, Fraction(3)),
    "root": lambda first, degree: _rooted(first, _plain(degree)),
    "pow": power,
    "mod": lambda first, by: Amount(_plain(first) % _divisor(by), exact=first.exact and by.exact),
    "factorial": lambda first, _: factorial(first),
    "abs": lambda first, _: replace(first, value=abs(first.value)),
    "round": _rounded,
}


def _divisor(value: Amount) -> Fraction:
    if not _plain(value):
        raise ToolFailed("Division by zero has no value.")
    return value.value


def _rooted(amount: Amount, degree: Fraction) -> Amount:
    if not degree:
        raise ToolFailed("Division by zero has no value.")
    if any(Fraction(count) / degree % 1 for _, count in amount.dimensions):
        raise ToolFailed(f"That root of {amount.shown or 'this unit'} is no unit.")
    dimensions = tuple((name, int(count / degree)) for name, count in amount.dimensions)
    if amount.value < 0 and degree == 3:
        return minus(_rooted(minus(amount), degree))
    if amount.value < 0:
        raise ToolFailed("The root of a negative number has no real value.")
    found = power(Amount(amount.value, exact=amount.exact), Amount(1 / degree))
    return replace(found, dimensions=dimensions)


def _transcendent(name: str, first: Amount, rest: list[Amount]) -> Amount:
    value = _plain(first)
    if name in ("ln", "log", "log10", "log2") and value <= 0:
        raise ToolFailed("Only numbers above zero have a logarithm.")
    if name == "log2" or (name == "log" and rest):
        base = Fraction(2) if name == "log2" else _plain(rest[0])
        if base <= 0 or base == 1:
            raise ToolFailed("That is no base of a logarithm.")
        found = _ONE["ln"](value) / _ONE["ln"](base)
        return _settled(found, lambda whole: base**whole == value)
    if name in ("log", "log10"):
        return _settled(_ONE["log"](value), lambda whole: Fraction(10) ** whole == value)
    if name not in _ONE:
        raise ToolFailed(f"{name} is no function that is known here.")
    return Amount(_ONE[name](value), exact=False)


def _settled(found: Fraction, holds: Callable[[int], bool]) -> Amount:
    """Return a whole logarithm as the exact number that it is."""
    whole = round(found)
    if abs(whole) < 10_000 and abs(found - whole) < Fraction(1, 10**30) and holds(whole):
        return Amount(Fraction(whole))
    return Amount(found, exact=False)


def _over_many(name: str, values: list[Amount]) -> Amount:
    first = values[0]
    for other in values[1:]:
        same_kind(first, other)
    exact = all(one.exact for one in values)
    numbers = [one.value for one in values]
    if name in ("min", "max"):
        return replace(first, value=(min if name == "min" else max)(numbers), exact=exact)
    if name in ("sum", "avg", "mean"):
        total = sum(numbers, Fraction(0))
        return replace(first, value=total if name == "sum" else total / len(numbers), exact=exact)
    if any(number.denominator != 1 for number in numbers) or first.dimensions:
        raise ToolFailed(f"{name} takes whole numbers.")
    work = math.gcd if name == "gcd" else math.lcm
    return Amount(Fraction(work(*(int(number) for number in numbers))), exact=exact)

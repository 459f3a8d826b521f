"""Amounts with units and what arithmetic does to them, exactly, as fractions."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from decimal import Context, Decimal, localcontext
from fractions import Fraction

from tools import ToolFailed
from tools.utility._units import Dimensions, Unit

BITS = 400_000
"""Bits of the largest number, about 120,000 digits; powers beyond are refused before they are worked out."""
_PRECISE = 50
"""Digits of what has no exact value, such as a root."""


@dataclass(frozen=True)
class Amount:
    """A number with its unit. `exact` is false once a rounded value went into it. `shown` is the unit that it
    was written in; `percent` marks what was written with %.
    """

    value: Fraction
    dimensions: Dimensions = ()
    exact: bool = True
    shown: str = ""
    percent: bool = False
    zero: Fraction = Fraction(0)
    factor: Fraction = Fraction(1)


def measured(amount: Amount, unit: Unit, named: tuple[str, int]) -> Amount:
    """Return the amount of a unit to a power; a temperature counts from its own zero."""
    name, power_ = named
    dimensions = _merged(amount.dimensions, tuple((base, count * power_) for base, count in unit.dimensions))
    value = amount.value * unit.factor**power_
    zero = unit.zero if power_ == 1 and not amount.dimensions else Fraction(0)
    exact = amount.exact and "rad" not in dict(unit.dimensions)
    shown = name if power_ == 1 else f"{name}^{power_}"
    if amount.shown:
        shown = f"{amount.shown} {shown}"
    return Amount(
        value + zero, dimensions, exact, shown, zero=zero, factor=amount.factor * unit.factor**power_
    )


def _merged(left: Dimensions, right: Dimensions) -> Dimensions:
    found = dict(left)
    for base, count in right:
        found[base] = found.get(base, 0) + count
    return tuple(sorted((base, count) for base, count in found.items() if count))


def same_kind(left: Amount, right: Amount) -> None:
    """Raise ToolFailed where two amounts cannot be added or compared."""
    if left.dimensions != right.dimensions:
        names = " and ".join(one.shown or "a plain number" for one in (left, right))
        raise ToolFailed(f"{names} measure different things.")


def plus(left: Amount, right: Amount) -> Amount:
    """Add; the result has the unit of the first."""
    same_kind(left, right)
    value = left.value + right.value - (right.zero if left.zero else 0)
    return replace(
        left, value=value, exact=left.exact and right.exact, percent=left.percent and right.percent
    )


def minus(amount: Amount) -> Amount:
    """Return it with the other sign; -5 °C is five degrees below zero Celsius."""
    return replace(amount, value=2 * amount.zero - amount.value)


def times(left: Amount, right: Amount) -> Amount:
    """Multiply."""
    _must_fit(left.value, right.value)
    joined = _merged(left.dimensions, right.dimensions)
    shown = left.shown or right.shown if not (left.dimensions and right.dimensions) else ""
    one = left if left.dimensions else right
    factor = one.factor if shown else Fraction(1)
    return Amount(left.value * right.value, joined, left.exact and right.exact, shown, factor=factor)


def over(left: Amount, right: Amount) -> Amount:
    """Divide. Raises ToolFailed where the divisor is zero."""
    if right.value == 0:
        raise ToolFailed("Division by zero has no value.")
    turned = Amount(1 / right.value, tuple((base, -count) for base, count in right.dimensions), right.exact)
    found = times(left, turned)
    if left.shown and right.shown and left.dimensions != right.dimensions:
        shown = f"{left.shown}/{right.shown}"
        return replace(found, shown=shown, factor=left.factor / right.factor)
    return (
        found if found.dimensions and not right.dimensions else replace(found, shown="", factor=Fraction(1))
    )


def power(base: Amount, exponent: Amount) -> Amount:
    """Raise to a power. Raises ToolFailed for what is too large, or has no real value."""
    if exponent.dimensions:
        raise ToolFailed("An exponent has no unit.")
    if exponent.value.denominator == 1:
        count = exponent.value.numerator
        size = max(base.value.numerator.bit_length(), base.value.denominator.bit_length()) - 1
        if abs(count) * max(size, 1) > BITS and abs(base.value) not in (0, 1):
            raise ToolFailed(_too_large(base.value, count))
        if base.value == 0 and count < 0:
            raise ToolFailed("Division by zero has no value.")
        dimensions = tuple((name, of * count) for name, of in base.dimensions) if count else ()
        return Amount(base.value**count, dimensions, base.exact and exponent.exact)
    if base.dimensions:
        raise ToolFailed("An amount with a unit takes whole exponents; sqrt() takes its root.")
    if base.value < 0:
        raise ToolFailed("A power of a negative number with a broken exponent has no real value.")
    root = _root(base.value, exponent.value)
    if root is not None:
        return Amount(root, exact=base.exact and exponent.exact)
    return Amount(in_decimals(lambda one: one ** as_decimal(exponent.value), base.value), exact=False)


def _too_large(base: Fraction, count: int) -> str:
    if abs(count).bit_length() > 60:
        return "The power has more digits than can be told, let alone worked out."
    digits = count * (math.log10(abs(base.numerator)) - math.log10(base.denominator))
    return f"The power has about {digits:.4g} digits, more than can be worked out here."


def _root(base: Fraction, exponent: Fraction) -> Fraction | None:
    """Return an exact root where there is one."""
    if exponent.denominator not in (2, 3, 4) or base.numerator.bit_length() > 10_000:
        return None
    parts = [_whole_root(part, exponent.denominator) for part in (base.numerator, base.denominator)]
    if None in parts or abs(exponent.numerator) > 64:
        return None
    top, bottom = parts[0] or 0, parts[1] or 1
    if not top and exponent < 0:
        raise ToolFailed("Division by zero has no value.")
    return Fraction(top, bottom) ** exponent.numerator


def _whole_root(number: int, degree: int) -> int | None:
    low, high = 0, 1 << (number.bit_length() // degree + 1)
    while low < high:
        middle = (low + high) // 2
        low, high = (middle + 1, high) if middle**degree < number else (low, middle)
    return low if low**degree == number else None


def factorial(amount: Amount) -> Amount:
    """Return n!. Raises ToolFailed for what is no whole number, or too large."""
    if amount.dimensions or amount.value.denominator != 1 or amount.value < 0:
        raise ToolFailed("Only whole numbers from 0 have a factorial.")
    if amount.value > 20_000:
        raise ToolFailed("That factorial has more digits than can be worked out here.")
    return Amount(Fraction(math.factorial(int(amount.value))), exact=amount.exact)


def _must_fit(*values: Fraction) -> None:
    if sum(max(one.numerator.bit_length(), one.denominator.bit_length()) for one in values) > 2 * BITS:
        raise ToolFailed("The number is too large to go on with.")


def as_decimal(value: Fraction) -> Decimal:
    return Decimal(value.numerator) / Decimal(value.denominator)


def in_decimals(work: Callable[[Decimal], Decimal], value: Fraction) -> Fraction:
    with localcontext(Context(prec=_PRECISE, Emax=200_000, Emin=-200_000)):
        try:
            made = work(as_decimal(value))
        except ArithmeticError:
            raise ToolFailed("That has no value that can be worked out here.") from None
        if not made.is_finite():
            raise ToolFailed("That has no value that can be worked out here.")
        return Fraction(made)

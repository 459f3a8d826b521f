"""Reads arithmetic with units and works it out; nothing is ever evaluated as code."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction

from tools import ToolFailed
from tools.utility._amounts import (
    BITS,
    Amount,
    factorial,
    measured,
    minus,
    over,
    plus,
    power,
    same_kind,
    times,
)
from tools.utility._functions import FUNCTIONS, call
from tools.utility._units import PI, E, Unit, currency_of, unit_of

LONGEST = 500
"""Characters of an expression."""
_DEEPEST = 40
_CONSTANTS = {"pi": PI, "\u03c0": PI, "tau": 2 * PI, "e": E}
_TOKEN = re.compile(
    r"\s*(?:(?P<number>0[xX][0-9a-fA-F]+|0[bB][01]+|(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+(?![\w.]))?)"
    r"|(?P<name>log(?:2|10)(?=\s*\()|[^\W\d_]+|°[CF]?|[$€£¥₹₩%\u2030√℃℉]|\"|')|(?P<sign>\*\*|//|[-+*/^()!,;|=]))"
)
_SAME = str.maketrans(
    {"\u00d7": "*", "·": "*", "⋅": "*", "÷": "/", "\u2212": "-", "\u2013": "-", "\u2215": "/"}
)
_RAISED = {"²": "^2", "³": "^3", "⁻¹": "^-1", "½": "(1/2)", "¼": "(1/4)", "¾": "(3/4)"}


def worked_out(text: str) -> Amount:
    """Return what an expression comes to. Raises ToolFailed with words for the model."""
    reader = _Reader(_prepared(text))
    found = reader.sum(0)
    if reader.here:
        raise ToolFailed(f"Cannot read {reader.here!r} in the expression.")
    return found


def unit_named(text: str) -> Amount:
    """Return the unit that a text names, such as km/h, as an amount of 1. Raises ToolFailed."""
    found = _Reader(_prepared(text), units=True).product(0)
    return replace(found, shown=text.strip())


def _prepared(text: str) -> str:
    if len(text) > LONGEST:
        raise ToolFailed(f"The expression is too long; at most {LONGEST} characters are read.")
    text = text.translate(_SAME)
    for sign, plain in _RAISED.items():
        text = text.replace(sign, plain)
    text = re.sub(r"(?<![\w.(,])(\d{1,3}(?:,\d{3})+)(?![\d,])", lambda match: match[1].replace(",", ""), text)
    return text.strip().rstrip("=?").strip()


class _Reader:
    """Reads from left to right: sums of products of powers of signed parts."""

    def __init__(self, text: str, units: bool = False) -> None:
        self.tokens: list[tuple[str, str]] = []
        self.at = 0
        self.units = units
        at = 0
        while at < len(text):
            found = _TOKEN.match(text, at)
            if not found:
                raise ToolFailed(f"Cannot read {text[at : at + 20]!r} in the expression.")
            self.tokens.append((found.lastgroup or "", found[found.lastgroup or 0].strip()))
            at = found.end()

    @property
    def here(self) -> str:
        """The token that comes next, "" at the end."""
        return self.tokens[self.at][1] if self.at < len(self.tokens) else ""

    @property
    def kind(self) -> str:
        return self.tokens[self.at][0] if self.at < len(self.tokens) else ""

    def take(self, *signs: str) -> str:
        found = self.here
        if found and found.lower() in signs:
            self.at += 1
            return found.lower()
        return ""

    def sum(self, depth: int) -> Amount:
        if depth > _DEEPEST:
            raise ToolFailed("The expression is nested too deep.")
        found = self.product(depth)
        while sign := self.take("+", "-"):
            right = self.product(depth)
            if right.percent and not found.percent:  # 200 + 10% is 220, as on every pocket calculator
                right = times(found, right)
            found = plus(found, right if sign == "+" else minus(right))
        return found

    def product(self, depth: int) -> Amount:
        found = self.signed(depth)
        while True:
            if sign := self.take("*", "/", "//", "mod", "of", "per"):
                found = self.joined(found, sign, self.signed(depth))
            elif self.here == "%" and self.is_remainder():
                self.at += 1
                found = self.joined(found, "mod", self.signed(depth))
            elif self.kind in ("number", "name") or self.here == "(":
                right = self.signed(depth)
                same = bool(found.dimensions) and found.dimensions == right.dimensions and bool(right.shown)
                found = plus(found, right) if same and not self.units else times(found, right)
            else:
                return found

    def joined(self, left: Amount, sign: str, right: Amount) -> Amount:
        if sign in ("*", "of"):
            return times(left, right)
        if sign in ("/", "per"):
            return over(left, right)
        if right.value == 0:
            raise ToolFailed("Division by zero has no value.")
        same_kind(left, right)
        if sign == "//":
            return Amount(Fraction(left.value // right.value), exact=left.exact and right.exact)
        return replace(left, value=left.value % right.value, exact=left.exact and right.exact)

    def is_remainder(self) -> bool:
        after = self.tokens[self.at + 1 : self.at + 2]
        return bool(after) and (after[0][0] == "number" or after[0][1] == "(")

    def signed(self, depth: int) -> Amount:
        signs = 0
        while sign := self.take("-", "+"):
            signs += sign == "-"
        found = self.power(depth)
        return minus(found) if signs % 2 else found

    def power(self, depth: int) -> Amount:
        found = self.postfix(depth)
        if self.take("^", "**"):
            if depth > _DEEPEST:
                raise ToolFailed("The expression is nested too deep.")
            signs = 0
            while sign := self.take("-", "+"):
                signs += sign == "-"
            exponent = self.power(depth + 1)
            return power(found, minus(exponent) if signs % 2 else exponent)
        return found

    def postfix(self, depth: int) -> Amount:
        found = self.part(depth)
        while True:
            if self.take("!"):
                found = factorial(found)
            elif self.here in ("%", "\u2030") and not self.is_remainder():
                found = replace(found, value=found.value / (100 if self.here == "%" else 1000), percent=True)
                self.at += 1
            elif self.kind == "name" and not self.is_word() and self.unit() is not None:
                unit = self.unit()
                assert unit is not None
                if found.dimensions and not self.units:
                    return found
                found = measured(found, unit, self.named_power(unit))
            else:
                return found

    def is_word(self) -> bool:
        return self.here.lower() in ("mod", "of", "per") or self.here in ("%", "\u2030", "√")

    def unit(self) -> Unit | None:
        """Return the unit that comes next, not one that is a function here."""
        after = self.tokens[self.at + 1 : self.at + 2]
        if after and after[0][1] == "(" and self.here.lower() in FUNCTIONS:
            return None
        return unit_of(self.here)

    def named_power(self, unit: Unit) -> tuple[str, int]:
        """Take the unit's name, and a power that belongs to it alone, as in 5 m^2."""
        name = self.here
        self.at += 1
        if self.here in ("^", "**"):
            ahead = self.tokens[self.at + 1 : self.at + 3]
            negative = bool(ahead) and ahead[0][1] == "-"
            number = ahead[1 if negative else 0] if len(ahead) > negative else ("", "")
            if number[0] == "number" and number[1].isdecimal() and len(number[1]) < 3:
                self.at += 3 if negative else 2
                return name, -int(number[1]) if negative else int(number[1])
        return name, 1

    def part(self, depth: int) -> Amount:
        if self.take("("):
            found = self.sum(depth + 1)
            if not self.take(")"):
                raise ToolFailed("A closing parenthesis is missing.")
            return replace(found, percent=False)
        kind, text = self.kind, self.here
        if kind == "number":
            self.at += 1
            return Amount(_number(text))
        if text == "√":
            self.at += 1
            return call("sqrt", [self.power(depth + 1)])
        if kind == "name":
            return self.named(depth)
        raise ToolFailed(
            f"A number is missing before {text!r}." if text else "The expression is not complete."
        )

    def named(self, depth: int) -> Amount:
        name = self.here
        after = self.tokens[self.at + 1 : self.at + 2]
        if after and after[0][1] == "(" and name.lower() in FUNCTIONS:
            self.at += 2
            values = [self.sum(depth + 1)]
            while self.take(",", ";"):
                values.append(self.sum(depth + 1))
            if not self.take(")"):
                raise ToolFailed(f"A closing parenthesis is missing after {name}.")
            return call(name.lower(), values)
        if name.lower() in _CONSTANTS and not self.units:
            self.at += 1
            return Amount(_CONSTANTS[name.lower()], exact=False)
        unit = unit_of(name)
        if unit is None:
            raise ToolFailed(f"{name!r} is no unit, currency or function that is known here.")
        prefix = currency_of(name) and len(name) == 1 and bool(after) and after[0][0] == "number"
        if prefix:  # €5
            self.at += 1
            return measured(self.part(depth + 1), unit, (name, 1))
        return measured(Amount(Fraction(1)), unit, self.named_power(unit))


def _number(text: str) -> Fraction:
    if text[:2].lower() in ("0x", "0b"):
        return Fraction(int(text, 0))
    mantissa, _, exponent = text.lower().partition("e")
    if exponent and abs(int(exponent)) > BITS // 4:
        raise ToolFailed(f"{text} is too large or too small a number.")
    return Fraction(mantissa) * Fraction(10) ** int(exponent or 0)

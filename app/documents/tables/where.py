"""Conditions on rows, such as `amount > 100 and city is not empty`, read without evaluating anything.

    or:     and, or, not, parentheses
    terms:  COLUMN = != > >= < <= VALUE · COLUMN [not] contains | starts with | ends with | matches VALUE
            COLUMN [not] in (VALUE, VALUE) · COLUMN is [not] empty · COLUMN is [not] VALUE
    VALUE:  'text', "text", plain words, a number, a date, or [OTHER COLUMN]

Numbers and dates are compared as such where both sides are; all else as text, without regard to case except
by = and !=.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from app.documents.failing import Unreadable
from app.documents.tables.values import moment, number

Row = Sequence[str]
Test = Callable[[Row], bool]
Value = Callable[[Row], str]
_SIGNS = ("==", "!=", "<>", ">=", "<=", "=", ">", "<")
_WORDS = ("contains", "starts with", "startswith", "ends with", "endswith", "matches", "in", "is")
_DEEPEST = 40


def condition(text: str, columns: Sequence[str], *, comma: bool = False) -> Test:
    """Return the test of a row. Raises Unreadable (unknown) with words for the model."""
    if not text.strip():
        return lambda row: True
    reader = _Reader(text, columns, comma)
    test = reader.either(0)
    if reader.rest():
        raise _fault(f"cannot read {reader.rest()[:40]!r} in the condition")
    return test


def column_at(name: str, columns: Sequence[str]) -> int:
    """Return the place of a column by its name, whatever its case, or by its letters. Raises Unreadable."""
    wanted = name.strip().casefold()
    for at, column in enumerate(columns):
        if column == name:
            return at
    for at, column in enumerate(columns):
        if column.strip().casefold() == wanted:
            return at
    if re.fullmatch("[a-z]{1,3}", wanted) and (at := letters(wanted)) < len(columns):
        return at
    raise _fault(f"there is no column {name!r}; there are: {', '.join(columns[:60])}")


def letters(name: str) -> int:
    """Return the place (from 0) of a column named as in spreadsheets: a is 0, aa is 26."""
    at = 0
    for letter in name.upper():
        at = at * 26 + ord(letter) - 64
    return at - 1


def letter_of(at: int) -> str:
    """Return the letters of the column at a place (from 0)."""
    name, at = "", at + 1
    while at:
        at, left = divmod(at - 1, 26)
        name = chr(65 + left) + name
    return name


def _fault(words: str) -> Unreadable:
    return Unreadable("unknown", words)


class _Reader:
    """Reads a condition from left to right."""

    def __init__(self, text: str, columns: Sequence[str], comma: bool) -> None:
        self._text = text
        self._at = 0
        self._columns = columns
        self._comma = comma
        self._names = sorted({*columns} - {""}, key=len, reverse=True)

    def rest(self) -> str:
        return self._text[self._at :].strip()

    def _blank(self) -> None:
        while self._at < len(self._text) and self._text[self._at].isspace():
            self._at += 1

    def _word(self, *words: str) -> str:
        """Take one of the words if it stands here."""
        self._blank()
        for word in words:
            pattern = r"\s+".join(map(re.escape, word.split()))
            end = r"(?!\w)" if word[-1].isalpha() else ""
            if found := re.compile(pattern + end, re.IGNORECASE).match(self._text, self._at):
                self._at = found.end()
                return word
        return ""

    def either(self, depth: int) -> Test:
        if depth > _DEEPEST:
            raise _fault("the condition is nested too deep")
        tests = [self._both(depth)]
        while self._word("or", "||"):
            tests.append(self._both(depth))
        return _any(tests)

    def _both(self, depth: int) -> Test:
        tests = [self._one(depth)]
        while self._word("and", "&&"):
            tests.append(self._one(depth))
        return tests[0] if len(tests) == 1 else lambda row: all(test(row) for test in tests)

    def _one(self, depth: int) -> Test:
        self._blank()
        if self._text.startswith("(", self._at):
            self._at += 1
            test = self.either(depth + 1)
            if not self._word(")"):
                raise _fault("a closing parenthesis is missing in the condition")
            return test
        if not self._stands_column() and self._word("not"):
            test = self._one(depth + 1) if depth < _DEEPEST else self.either(depth + 1)
            return lambda row: not test(row)
        return self._term()

    def _stands_column(self) -> bool:
        """Whether a column's own name begins here, such as `not paid`."""
        here = self._text[self._at :].casefold()
        return any(" " in name and here.startswith(name.casefold()) for name in self._names)

    def _column(self) -> int:
        self._blank()
        for opening, closing in (('"', '"'), ("'", "'"), ("[", "]"), ("`", "`")):
            if self._text.startswith(opening, self._at):
                end = self._text.find(closing, self._at + 1)
                if end < 0:
                    raise _fault(f"a closing {closing} is missing in the condition")
                name, self._at = self._text[self._at + 1 : end], end + 1
                return column_at(name, self._columns)
        here = self._text[self._at :].casefold()
        for name in self._names:
            after = here[len(name) : len(name) + 1]
            if here.startswith(name.casefold()) and not (after and (after.isalnum() or after == "_")):
                self._at += len(name)
                return self._columns.index(name)
        found = re.compile(r"[^\s=<>!()]+").match(self._text, self._at)
        if not found:
            raise _fault("a column's name is missing in the condition")
        self._at = found.end()
        return column_at(found.group(), self._columns)

    def _term(self) -> Test:
        at = self._column()
        sign = self._word(*_SIGNS)
        if sign:
            return self._compared(at, sign, self._value())
        negated = bool(self._word("not"))
        word = self._word(*_WORDS)
        if not word:
            raise _fault(
                f"after the column {self._columns[at]!r} a comparison such as = or contains is missing"
            )
        if word == "is":
            negated = bool(self._word("not"))
            test = self._is(at)
        elif word == "in":
            test = _any([self._compared(at, "=", value) for value in self._list()])
        else:
            test = self._textual(at, word.replace(" ", ""), self._value())
        return (lambda row: not test(row)) if negated else test

    def _is(self, at: int) -> Test:
        if self._word("empty", "blank", "null"):
            return lambda row: not _cell(row, at).strip()
        return self._compared(at, "=", self._value())

    def _list(self) -> list[Value]:
        if not self._word("("):
            raise _fault("after in comes a list such as (a, b)")
        values = [self._value(",")]
        while self._word(","):
            values.append(self._value(","))
        if not self._word(")"):
            raise _fault("a closing parenthesis is missing after in")
        return values

    def _value(self, ends: str = "") -> Value:
        """Return a quoted text, [a column], or plain words up to `and`, `or`, a parenthesis or the end."""
        self._blank()
        start = self._text[self._at : self._at + 1]
        if start == "[":
            at = self._column()
            return lambda row: _cell(row, at)
        if start in ("'", '"'):
            found = re.compile(rf"{start}((?:[^{start}]|{start}{start})*){start}").match(self._text, self._at)
            if not found:
                raise _fault(f"a closing {start} is missing in the condition")
            self._at = found.end()
            quoted = found.group(1).replace(start * 2, start)
            return lambda row: quoted
        stop = re.compile(rf"\s+(?:and|or)(?!\w)|&&|\|\||[){ends}]|\Z", re.IGNORECASE)
        found = stop.search(self._text, self._at)
        end = found.start() if found else len(self._text)
        plain, self._at = self._text[self._at : end].strip(), end
        if not plain:
            raise _fault("a value is missing in the condition; write '' for an empty one")
        return lambda row: plain

    def _compared(self, at: int, sign: str, value: Value) -> Test:
        comma = self._comma

        def test(row: Row) -> bool:
            order = _order(_cell(row, at), value(row), comma, exact=sign in ("=", "==", "!=", "<>"))
            if order is None:
                return sign in ("!=", "<>")
            return {
                "=": order == 0, "==": order == 0, "!=": order != 0, "<>": order != 0,
                ">": order > 0, ">=": order >= 0, "<": order < 0, "<=": order <= 0,
            }[sign]  # fmt: skip

        return test

    def _textual(self, at: int, word: str, value: Value) -> Test:
        if word == "matches":
            try:
                pattern = re.compile(value([]))
            except re.error as error:
                raise _fault(f"the regular expression cannot be read: {error}") from None
            return lambda row: pattern.search(_cell(row, at)) is not None
        if word == "startswith":
            return lambda row: _cell(row, at).casefold().startswith(value(row).casefold())
        if word == "endswith":
            return lambda row: _cell(row, at).casefold().endswith(value(row).casefold())
        return lambda row: value(row).casefold() in _cell(row, at).casefold()


def _any(tests: list[Test]) -> Test:
    return tests[0] if len(tests) == 1 else lambda row: any(test(row) for test in tests)


def _cell(row: Row, at: int) -> str:
    return row[at] if at < len(row) else ""


def _order(left: str, right: str, comma: bool, *, exact: bool) -> int | None:
    """Return below, at or above 0 as left is less, the same or more; None where they cannot be ordered."""
    a, b = number(left, comma=comma), number(right, comma=comma)
    if b is None and comma:
        b = number(right)
    if a is not None and b is not None:
        return (a > b) - (a < b)
    one, other = moment(left), moment(right)
    if one is not None and other is not None:
        return (one > other) - (one < other)
    if exact:
        return 0 if left.strip() == right.strip() else 1
    if not left.strip() or (b is not None) != (a is not None) or (one is None) != (other is None):
        return None  # an empty cell, or a word beside a number or a date, is neither more nor less
    text, than = left.casefold(), right.casefold()
    return (text > than) - (text < than)
